import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** Packages that have one home. `kernel/model` and `kernel/records` use none, nor Node's own modules. */
const homes: Readonly<Record<string, string | readonly string[]>> = {
  h3: 'kernel/http',
  srvx: 'kernel/http',
  unstorage: 'kernel/store',
  chokidar: 'kernel/store',
  'gray-matter': 'kernel/yaml',
  yaml: 'kernel/yaml',
  commander: 'cli',
  sharp: 'media-files',
  'exif-reader': 'media-files',
  fflate: ['modules/design', 'cli'],
  'gettext-parser': 'modules/translation-strings',
  liquidjs: 'modules/theme',
  'markdown-it': 'render',
  saxes: ['transfer/sources', 'modules/xliff', 'modules/translation-config'],
  'smol-toml': 'kernel/yaml',
  'tar-stream': 'transfer/archive',
  turndown: 'transfer/import',
  'turndown-plugin-gfm': 'transfer/import',
};

interface Import {
  readonly file: string;
  readonly target: string;
  /** Below src; '' for a package. */
  readonly path: string;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => ({
    file,
    target,
    path: target.startsWith('.') ? relative(src, resolve(src, dirname(file), target)) : '',
  })),
);

const top = (path: string): string => path.split('/', 1)[0] as string;
/** The capability a file belongs to: `modules/menus`. */
const moduleOf = (path: string): string => path.split('/', 2).join('/');

/** What a file may import of the source. */
function isAllowed({ file, path }: Import): boolean {
  switch (top(file)) {
    case 'kernel':
      return top(path) === 'kernel';
    case 'render':
      return ['kernel', 'render'].includes(top(path));
    case 'media-files':
      return ['kernel', 'render', 'media-files'].includes(top(path));
    case 'modules':
      return (
        ['kernel', 'render', 'media-files'].includes(top(path)) ||
        (top(path) === 'modules' && (moduleOf(path) === moduleOf(file) || /\/(record|fields|index)\.ts$/.test(path)))
      );
    default:
      return !['index.ts'].includes(path);
  }
}

const breaches = (list: readonly Import[]): string[] =>
  [...new Set(list.map(({ file, path, target }) => `${file} → ${path || target}`))].sort();

describe('imports', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
  });

  it('of the kernel stay in it, those of a module in the kernel, render, media-files, itself, and what others declare', () => {
    expect(breaches(imports.filter((one) => one.path !== '' && !isAllowed(one)))).toEqual([]);
  });

  it('of packages are in their one home', () => {
    const strays = imports.filter(({ file, target }) => {
      if (target.startsWith('.') || target.startsWith('node:')) return false;
      const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
      const home = homes[name];
      const isAtHome = home === undefined || [home].flat().some((one) => file.startsWith(`${one}/`));
      return /^kernel\/(model|records)\//.test(file) || !isAtHome;
    });
    expect(breaches(strays)).toEqual([]);
  });

  it('leave the model and the records without I/O', () => {
    const io = imports.filter(({ file, target }) => /^kernel\/(model|records)\//.test(file) && target.startsWith('node:'));
    expect(breaches(io)).toEqual([]);
  });

  it('name files, with the extension', () => {
    expect(breaches(imports.filter(({ target }) => target.startsWith('.') && !target.endsWith('.ts')))).toEqual([]);
  });
});
