/**
 * The source folder: which files it has, and their bytes. Nothing outside of it is ever read: links that lead out of it, and
 * links to folders (which can go round in circles), are refused and reported.
 */
import { isUtf8 } from 'node:buffer';
import { closeSync, type Dirent, fstatSync, readFile } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { openInPlace } from '../../../kernel/store/file-reads.ts';
import { maxTextBytes } from '../../../kernel/yaml/codec.ts';
import { maxDepth } from '../../../kernel/store/paths.ts';
import { SourceError } from '../../import/items.ts';
import { listInPlace } from '../../listing.ts';
import { Unreadable } from './front-matter.ts';

export interface GeneratorFolder {
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** Regular files below it, `/` between segments, sorted. */
  readonly paths: readonly string[];
  /** What is there and is not read, with the reason. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  /** Files besides pages that could not be read: configuration, data, descriptions of media. */
  readonly unreadable: Map<string, Unreadable>;
  has(path: string): boolean;
  /** Absolute path of a file of the folder, links resolved. */
  locate(path: string): string;
  /** The first of the names that is there. */
  first(...names: readonly string[]): string | undefined;
  /** A text without byte order mark, `\n` between lines. @throws Unreadable */
  text(path: string): Promise<string>;
}

const readWhole = promisify(readFile) as (file: number) => Promise<Buffer>;
const maxFiles = 1_000_000;
/** Made by tools, kept by tools; dot files are passed over besides. */
const passedOver = new Set(['node_modules', 'bower_components', '_site', '__pycache__']);
const readDotFiles = new Set(['.eleventy.js', '.eleventy.cjs', '.eleventy.mjs']);

/** Lists a folder. @throws SourceError when it cannot be read, or holds more than a million files */
export async function openFolder(dir: string): Promise<GeneratorFolder> {
  const root = await realpath(dir).catch((cause: Error) => {
    throw new SourceError(`The folder cannot be read: ${cause.message}`, { source: dir }, { cause });
  });
  const paths: string[] = [];
  const links = new Map<string, string>();
  const refused: { path: string; why: string }[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let entries: readonly Dirent[] = [];
    try {
      entries = listInPlace(join(root, folder));
    } catch (error) {
      const { message } = error as Error;
      if (folder === '') throw new SourceError(`The folder cannot be read: ${message}`, { source: dir }, { cause: error });
      refused.push({ path: folder, why: `unreadable folder (${message})` });
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.includes('\ufffd') || /[\u0000-\u001f\\]/.test(entry.name)) refused.push({ path, why: 'invalid file name' });
      else if (entry.name.startsWith('.') && !readDotFiles.has(entry.name)) continue;
      else if (entry.isSymbolicLink()) {
        const target = await realpath(join(root, path)).catch(() => null);
        const isInside = target?.startsWith(root + sep) === true && !isHidden(target.slice(root.length + 1));
        const isFile = isInside && (await stat(target as string).catch(() => null))?.isFile() === true;
        if (isFile) {
          links.set(path, target as string);
          paths.push(path);
        } else
          refused.push({ path, why: isInside ? 'symbolic link to a folder' : 'symbolic link that points outside the folder' });
      } else if (entry.isDirectory()) {
        if (passedOver.has(entry.name)) continue;
        if (path.split('/').length > maxDepth) refused.push({ path, why: 'nested too deeply' });
        else waiting.push(path);
      } else if (entry.isFile()) paths.push(path);
      else refused.push({ path, why: 'not a regular file' });
    }
    if (paths.length > maxFiles) throw new SourceError(`More than ${maxFiles} files.`, { source: root });
  }
  paths.sort();
  const known = new Set(paths);
  const locate = (path: string): string => links.get(path) ?? join(root, path);
  return {
    root,
    paths,
    refused,
    unreadable: new Map(),
    has: (path) => known.has(path),
    locate,
    first: (...names) => names.find((name) => known.has(name)),
    async text(path) {
      const bytes = await readRegular(locate(path));
      if (!isUtf8(bytes)) throw new Unreadable('invalid-utf8', 'The file is not valid UTF-8.', 1, 1, 'Save it as UTF-8.');
      const text = bytes.toString('utf8').replace(/\r\n?/g, '\n');
      return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    },
  };
}

/** Whether a path leads through what is passed over: keys and accounts of a site, say, lie there. */
export function isHidden(path: string): boolean {
  return path.split(sep).some((name) => (name.startsWith('.') && !readDotFiles.has(name)) || passedOver.has(name));
}

/** File name without its last extension. */
export function nameOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '');
}

/** The folder a path is in; '' at the top. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** The bytes of what is a file there now: it, or a folder above it, may have become a link since the folder was listed. */
async function readRegular(file: string): Promise<Buffer> {
  let opened: number;
  try {
    opened = openInPlace(file);
  } catch (error) {
    throw new Unreadable('unreadable', `The file cannot be read: ${(error as Error).message}`);
  }
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) throw new Unreadable('unreadable', 'The file cannot be read: it is no file.');
    if (found.size > maxTextBytes) throw new Unreadable('too-large', `The file is larger than ${maxTextBytes / 1024 / 1024} MB.`);
    return await readWhole(opened);
  } finally {
    closeSync(opened);
  }
}
