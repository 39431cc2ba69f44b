/**
 * The page where people write, as a module: at `/cms-admin/`, for whoever is signed in. All that it shows and does goes over the
 * interface; here are its document and the files that it is made of, built ahead.
 */
import { readFileSync } from 'node:fs';
import { table } from '../../../kernel/model/maps.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Module } from '../../../kernel/module.ts';
import { neutral, original } from '../../../kernel/rest/dialect.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { pathBase } from '../theme/record.ts';
import { blockEditorDocument, blockEditorFile, blockEditorPlace, hasBlockEditor } from './block-editor.ts';

/** Where the page is, below the address of the site. */
export const editorPath = `/${neutral.admin}/`;
const files = `${editorPath}files/`;
const blockEditor = `${editorPath}${blockEditorPlace}`;

/** What stands at `build/editor.mjs` in the list of files. */
interface Built {
  readonly main: string;
  readonly style: string;
  /** Loaded with the first. */
  readonly first: readonly string[];
  readonly all: readonly string[];
}

const types: Readonly<Record<string, string>> = table({
  js: 'text/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
});
const guardsWith = (frontEnd: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures of other hosts would tell these who reads a text, and when.
    "img-src 'self' blob: data:",
    "media-src 'self'",
    "connect-src 'self'",
    // A front end of one's own is shown beside the text.
    `frame-src 'self'${frontEnd}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Where the files of the page where people write are, if not beside the program. */
    readonly editorFiles?: URL;
  }
}

export const editorPage: Module = {
  name: 'editor-page',
  setup(site) {
    let built: Built | null | undefined;
    return {
      async page(url, visit) {
        const path = url.replace(/[?#].*$/s, '');
        if (!path.startsWith(`/${neutral.admin}`) && !path.startsWith(`/${original.admin}`)) return null;
        built ??= site.operator.editor ? builtIn(filesOf(site)) : null;
        if (!built) return null;
        if (path.startsWith(files)) return fileAt(filesOf(site), built, path.slice(files.length));
        if (path.startsWith(blockEditor)) {
          const { block_editor: folder } = site.operator;
          return folder === '' ? null : blockEditorFile(folder, path.slice(blockEditor.length) || blockEditorDocument);
        }
        if (path !== editorPath)
          return path === editorPath.slice(0, -1) || path.replace(/\/$/, '') === `/${original.admin}`
            ? redirect(site, editorPath)
            : null;
        const open = await site.sessions.find(visit);
        const back = encodeURIComponent(pathBase(site) + url);
        return open ? await documentOf(site, built) : redirect(site, `/${neutral.login}?redirect_to=${back}`);
      },
    };
  },
};

/** Whether the page can be had. */
export function hasEditor(site: Site): boolean {
  return site.operator.editor && builtIn(filesOf(site)) !== null;
}

function filesOf({ editorFiles }: Site): URL {
  return editorFiles ?? new URL('./files/', import.meta.url);
}

/** Null where the page was not built: in the sources. */
function builtIn(dir: URL): Built | null {
  try {
    return JSON.parse(readFileSync(new URL('files.json', dir), 'utf8')) as Built;
  } catch {
    return null;
  }
}

function redirect(site: Site, to: string): Page {
  return { status: 302, headers: { Location: pathBase(site) + to, 'Cache-Control': 'no-store' }, body: null };
}

/** A file of the list, which never changes under its name. */
function fileAt(dir: URL, { all }: Built, name: string): Page | null {
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined || !all.includes(name)) return null;
  return {
    status: 200,
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable', ETag: `"${name}"` },
    body: new Uint8Array(readFileSync(new URL(name, dir))),
  };
}

async function documentOf(site: Site, { main, style, first }: Built): Promise<Page> {
  const name = escapeHtml(String(site.settings.value('name') || site.url));
  const blocks = (await hasBlockEditor(site.operator.block_editor)) ? ` data-block-editor="${blockEditorPlace}"` : '';
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>${name}</title><link rel="stylesheet" href="files/${style}">` +
    first.map((file) => `<link rel="modulepreload" href="files/${file}">`).join('') +
    `<script type="module" src="files/${main}"></script></head>` +
    `<body><noscript>This page needs JavaScript.</noscript><div id="page"${blocks}${languagesOf(site)}></div></body></html>`;
  return { status: 200, headers: { 'Content-Type': 'text/html; charset=UTF-8', ...guardsWith(frontEndOf(site)) }, body: html };
}

/** Those that texts are in, where there are several. */
function languagesOf({ languages }: Partial<Pick<Site, 'languages'>>): string {
  const all = languages?.codes.map((code) => ({ code, name: languages.of(code)?.nativeName ?? code })) ?? [];
  return all.length > 1 ? ` data-languages="${escapeHtml(JSON.stringify(all))}"` : '';
}

/** As a source of a policy; '' where the site shows its pages itself. */
function frontEndOf({ theme }: Site): string {
  const at = theme.pagesAt();
  return typeof at === 'object' ? ` ${new URL(at.frontEnd).origin}` : '';
}
