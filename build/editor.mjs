/**
 * The page where people write, as browsers get it: scripts and style with a hash of what is in them in their names, and a list of them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const folder = resolve(import.meta.dirname, '../editor');
const packages = createRequire(join(folder, 'page/main.tsx'));

/**
 * Builds into `dir`.
 * @returns  the modules that went in
 */
export async function buildEditor(dir) {
  mkdirSync(dir, { recursive: true });
  const bundle = await rolldown({
    input: { main: join(folder, 'page/main.tsx') },
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  });
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
  const parts = ['prosemirror-view/style/prosemirror.css', 'prosemirror-gapcursor/style/gapcursor.css'];
  const css = [...parts.map((name) => packages.resolve(name)), join(folder, 'page/style.css')]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const style = `style-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`;
  writeFileSync(join(dir, style), css);
  const main = output.find(({ isEntry }) => isEntry);
  writeFileSync(
    join(dir, 'files.json'),
    JSON.stringify({ main: main.fileName, style, first: main.imports, all: [...output.map(({ fileName }) => fileName), style] }),
  );
  return output.flatMap(({ modules = {} }) => Object.keys(modules));
}
