import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** Packages that have one home. `kernel/model` and `kernel/records` use none, nor Node's own modules. */
const homes: Readonly<Record<string, string | readonly string[]>> = {
  '@simplewebauthn/server': 'modules/people/passkeys',
  '@modelcontextprotocol/sdk': ['modules/api/mcp', 'cli'],
  h3: 'kernel/http',
  srvx: 'kernel/http',
  unstorage: 'kernel/store',
  chokidar: 'kernel/store',
  pg: 'engines/postgres',
  'gray-matter': 'kernel/yaml',
  yaml: 'kernel/yaml',
  commander: 'cli',
  sharp: 'modules/media/files',
  'exif-reader': 'modules/media/files',
  fflate: ['modules/design/themes', 'cli'],
  'gettext-parser': 'modules/translation/strings',
  liquidjs: 'modules/website/theme',
  otpauth: 'modules/people/second-factor',
  uqr: 'modules/people/second-factor',
  nodemailer: 'modules/mail',
  'openid-client': 'modules/people/openid',
  'markdown-it': 'render',
  'markdown-it-deflist': 'render',
  'markdown-it-footnote': 'render',
  saxes: ['transfer/sources', 'modules/translation/xliff', 'modules/languages/config'],
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
/** The domain a file belongs to: `menus`; '' outside of `modules`. */
const domainOf = (path: string): string => (top(path) === 'modules' ? (path.split('/')[1] as string) : '');

/**
 * The floors of the house, lowest first: a domain imports from floors below its own, and of a domain there only what it offers.
 * What lies on one floor imports nothing of each other.
 */
const floors: readonly (readonly string[])[] = [
  ['deliveries'],
  ['types', 'git', 'mail'],
  ['people'],
  ['content'],
  ['comments'],
  ['media'],
  ['languages'],
  ['embeds', 'menus', 'fields', 'seo'],
  ['design', 'api'],
  ['translation', 'website'],
  ['events', 'git-remote'],
];
const floorOf = (domain: string): number => floors.findIndex((floor) => floor.includes(domain));

/** What a domain offers to others: its rooms' indexes, records and fields, and what files of bytes tell. */
const isOffered = (path: string): boolean => /\/(record|fields|index)\.ts$/.test(path) || path.startsWith('modules/media/files/');

/** What a file may import of the source. */
function isAllowed({ file, path }: Import): boolean {
  switch (top(file)) {
    case 'kernel':
      return top(path) === 'kernel';
    case 'engines':
    case 'workers':
    case 'http-client':
    case 'render':
      return ['kernel', top(file)].includes(top(path));
    case 'modules':
      return (
        ['kernel', 'http-client', 'render'].includes(top(path)) ||
        (top(path) === 'modules' && (domainOf(path) === domainOf(file) || isOffered(path)))
      );
    default:
      return !['index.ts'].includes(path);
  }
}

/** Imports that lead to a domain on the same floor or above. */
const isUpwards = ({ file, path }: Import): boolean =>
  domainOf(file) !== '' &&
  domainOf(path) !== '' &&
  domainOf(file) !== domainOf(path) &&
  floorOf(domainOf(path)) >= floorOf(domainOf(file));

const breaches = (list: readonly Import[]): string[] =>
  [...new Set(list.map(({ file, path, target }) => `${file} → ${path || target}`))].sort();

describe('imports', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
  });

  it('of the kernel stay in it; those of a domain reach the kernel, render, the HTTP client, itself and the index of others', () => {
    expect(breaches(imports.filter((one) => one.path !== '' && !isAllowed(one)))).toEqual([]);
  });

  it('of domains point to lower floors', () => {
    const domains = [...new Set(files.map(domainOf))].filter((name) => name !== '').sort();
    expect(floors.flat().sort()).toEqual(domains);
    expect(breaches(imports.filter(isUpwards))).toEqual([]);
  });

  it('of packages are in one place', () => {
    const strays = imports.filter(({ file, target }) => {
      if (target.startsWith('.') || target.startsWith('node:')) return false;
      const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
      const home = homes[name];
      const isAtHome = home === undefined || [home].flat().some((one) => file.startsWith(`${one}/`));
      return /^kernel\/(model|records)\//.test(file) || !isAtHome;
    });
    expect(breaches(strays)).toEqual([]);
  });

  it('keep the model and the records free of I/O', () => {
    const io = imports.filter(({ file, target }) => /^kernel\/(model|records)\//.test(file) && target.startsWith('node:'));
    expect(breaches(io)).toEqual([]);
  });

  it('name files with their extension', () => {
    expect(breaches(imports.filter(({ target }) => target.startsWith('.') && !target.endsWith('.ts')))).toEqual([]);
  });
});
