/**
 * Files of `src` that are no code, such as templates, go beside the modules that read them; and the source of the client, which
 * `cms types` prints.
 *
 *     node build/data.mjs DIR
 */
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const src = resolve(import.meta.dirname, '../src');

export function copyData(dir) {
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if ((/\.ts$/.test(path) && path !== 'client.ts') || !statSync(join(src, path)).isFile()) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    cpSync(join(src, path), join(dir, path));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) copyData(process.argv[2]);
