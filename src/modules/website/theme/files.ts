/** The folder `theme/` next to `site.yaml`: templates, a style, and assets. Links are not followed, and only listed files are read. */
import { table } from '../../../kernel/model/maps.ts';
import { lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Store } from '../../../kernel/store/types.ts';
import { wordsFile } from '../words/index.ts';
import { maxTemplate } from './engine.ts';

export interface ThemeFile {
  /** Below `theme/`. */
  readonly path: string;
  readonly size: number;
  /** Changes with the file. */
  readonly stamp: string;
}

export interface ThemeFiles {
  /** Changes with the folder. */
  readonly stamp: string;
  /** By name, without `.liquid`. */
  readonly templates: ReadonlyMap<string, ThemeFile>;
  readonly style: ThemeFile | null;
  readonly words: ThemeFile | null;
  /** By path below `theme/`. */
  readonly assets: ReadonlyMap<string, ThemeFile>;
  /** Unused files, as messages. */
  readonly remarks: readonly string[];
}

export const themeFolder = 'theme';
const maxFiles = 1000;
const maxDepth = 6;
const maxStyle = 500_000;
const maxAsset = 20 * 1024 * 1024;

/** Allowed media types of assets: nothing that a browser would run. */
export const assetTypes: Readonly<Record<string, string>> = table({
  css: 'text/css; charset=UTF-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=UTF-8',
  webmanifest: 'application/manifest+json',
});

export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Cost: a stat of each file. */
export function listTheme(store: Pick<Store, 'name'>): ThemeFiles {
  const templates = new Map<string, ThemeFile>();
  const assets = new Map<string, ThemeFile>();
  const remarks: string[] = [];
  let style: ThemeFile | null = null;
  let words: ThemeFile | null = null;
  const root = isAbsolute(store.name) ? join(store.name, themeFolder) : null;
  const files = root === null ? [] : [...walk(root, '', 0, remarks)].slice(0, maxFiles);
  for (const file of files) {
    const { path, size } = file;
    const kind = extensionOf(path);
    if (kind === 'liquid') {
      if (size <= maxTemplate) templates.set(path.slice(0, -'.liquid'.length), file);
      else remarks.push(`theme/${path}: is too large for a template (${maxTemplate} bytes)`);
    } else if (path === 'style.css') {
      if (size <= maxStyle) style = file;
      else remarks.push(`theme/style.css: is too large for a style (${maxStyle} bytes)`);
    } else if (path === wordsFile) {
      if (size <= maxTemplate) words = file;
      else remarks.push(`theme/${path}: is too large for words (${maxTemplate} bytes)`);
    } else if (path.startsWith('assets/')) {
      if (!Object.hasOwn(assetTypes, kind)) remarks.push(`theme/${path}: files of this kind are not served`);
      else if (size > maxAsset) remarks.push(`theme/${path}: is too large to be served (${maxAsset} bytes)`);
      else assets.set(path, file);
    }
  }
  return { stamp: files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n'), templates, style, words, assets, remarks };
}

function* walk(root: string, path: string, depth: number, remarks: string[]): Generator<ThemeFile> {
  const absolute = join(root, path);
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) {
    remarks.push(`${join(themeFolder, path)}: is a link, and is not followed`);
    return;
  }
  if (stats.isFile()) yield { path, size: stats.size, stamp: `${stats.size}-${stats.mtimeMs}-${stats.ino}` };
  if (!stats.isDirectory() || depth > maxDepth) return;
  for (const name of readdirSync(absolute).sort())
    if (/^[^.\\\p{Cc}][^\\\p{Cc}]*$/u.test(name)) yield* walk(root, path === '' ? name : `${path}/${name}`, depth + 1, remarks);
}
