/**
 * A block editor that the operator has put into a folder of their own (`block_editor`), shown in a frame of the page where people write.
 * Its files are served as they are; what they may do in a browser is said here: run scripts of this folder, and ask this server alone.
 */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { table } from '../../../kernel/model/maps.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import { assetTypes, extensionOf } from '../theme/files.ts';

/** Where it is, below the address of the page. */
export const blockEditorPlace = 'block-editor/';
export const blockEditorDocument = 'index.html';

const types: Readonly<Record<string, string>> = table({
  ...assetTypes,
  html: 'text/html; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
  mjs: 'text/javascript; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
});

const guards = {
  'Content-Security-Policy': [
    "default-src 'none'",
    // No script of a text: neither elements nor attributes, in its frames neither.
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline' blob:",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/** A file of the folder; null for what is none, or leads out of it. */
export async function blockEditorFile(folder: string, name: string): Promise<Page | null> {
  const type = types[extensionOf(name)];
  if (type === undefined || !/^(?:\w[\w.@-]*\/)*\w[\w.@-]*$/.test(name)) return null;
  const path = join(resolve(folder), name);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) return null;
    const version = `"${facts.size.toString(36)}-${Math.trunc(facts.mtimeMs).toString(36)}"`;
    return {
      status: 200,
      headers: { 'Content-Type': type, ...guards, ETag: version },
      body: new Uint8Array(await readFile(path)),
    };
  } catch {
    return null;
  }
}

/** Whether there is one. */
export async function hasBlockEditor(folder: string): Promise<boolean> {
  return folder !== '' && (await blockEditorFile(folder, blockEditorDocument)) !== null;
}
