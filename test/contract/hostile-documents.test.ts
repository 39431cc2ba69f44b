/**
 * Documents that a pull request may bring, as every kind of content file there is: none stops the server, holds it up, or reaches what
 * objects inherit; each is read or told of with its place; and whatever is beside it is served as before. The kinds are those of the
 * path table, so a new one is tried without a word here.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PathRow } from '../../src/kernel/site/path-table.ts';
import { run } from '../cli/run.ts';
import { cpuMs } from '../support/long-texts.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** Kinds of content, and what is content beside them. */
const beside = ['site.yaml', 'redirects.yaml'];
/** Of the processor: a short document as every kind of file, some forty of them, or one of a megabyte, read four times and written: some 2 s for each time. */
const maxMs = 15_000;

const deep = (open: string, times: number, close = ''): string => open.repeat(times) + close.repeat(times);
const nested = (levels: number): string => Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefghi'].map((name, at) => bombLine(name, 'abcdefghi'[at] as string)),
];
function bombLine(name: string, former: string): string {
  return `${name}: &${name} [${Array(9).fill(`*${former}`).join(', ')}]`;
}

/** @param many  what a count comes to: a document as every kind of file is short, one that is to cost much is as long as may be */
const yamlOf = (many: (count: number) => number): Readonly<Record<string, string | Buffer>> => ({
  'aliases that multiply': bomb.join('\n'),
  'an alias of itself': 'title: &a [*a]',
  'a merge of itself': 'a: &a\n  <<: *a\n',
  'merges that multiply': `a: &a {x: 1}\n${Array.from({ length: many(3000) }, (_, at) => `b${at}: {<<: [*a, *a, *a, *a]}`).join('\n')}`,
  'lists that nest': deep('[', many(100_000)),
  'lists that nest and end': `title: ${deep('[', many(20_000), ']')}`,
  'maps that nest': `title: ${deep('{a: ', many(50_000), '}')}`,
  'maps that nest by lines': nested(many(1500)),
  'lists that nest by lines': `title:\n  ${deep('- ', many(50_000))}x`,
  'many keys': Array.from({ length: many(100_000) }, (_, at) => `k${at}: ${at}`).join('\n'),
  'many anchors': Array.from({ length: many(50_000) }, (_, at) => `k${at}: &a${at} x`).join('\n'),
  'one key over and over': 'title: a\n'.repeat(many(50_000)),
  'a key without end': `? ${'a'.repeat(many(1_000_000))}\n: x`,
  'a key that is a map': '? {a: 1}\n: x\n? [1, 2]\n: y',
  'a quote without end': `title: "${'a '.repeat(many(500_000))}`,
  'escapes without end': `title: "${'\\u0041'.repeat(many(100_000))}"`,
  'half a pair': 'title: "\\uD800"\nslug: "\\uDC00x"',
  'a text of empty lines': `title: |\n${'\n'.repeat(many(1_000_000))}  x`,
  'a folded text of spaces': `title: >\n${`  ${' '.repeat(200)}\n`.repeat(many(5000))}  x`,
  'comments alone': '# a\n'.repeat(many(300_000)),
  'colons alone': ': '.repeat(many(200_000)),
  'dashes alone': '- '.repeat(many(200_000)),
  'commas alone': `title: [${','.repeat(many(500_000))}]`,
  'lines in a list': `title: [${'\n'.repeat(many(900_000))}]`,
  'escapes that are none': `title: "${'\\q'.repeat(many(400_000))}"`,
  'tags that are none': Array.from({ length: many(50_000) }, (_, at) => `k${at}: !x!a x`).join('\n'),
  'many documents': 'title: a\n---\n'.repeat(many(20_000)),
  directives: `%YAML 1.1\n%TAG ! tag:example.com,2000:\n${'%A b\n'.repeat(many(20_000))}--- \ntitle: a`,
  'tags of programs':
    'title: !!js/function "function () { return process.exit() }"\nslug: !!python/object/apply:os.system ["exit 1"]',
  'tags of objects':
    'title: !<tag:yaml.org,2002:js/undefined> ""\nslug: !!binary "AAAA"\ndate: !!set {a, b}\nauthor: !!omap [a: 1]',
  'tags without end': `title: !${'a'.repeat(many(500_000))} x`,
  'words that reach a prototype':
    '__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\nmeta: {__proto__: {polluted: true}}\ntoString: 1\nhasOwnProperty: x\nvalueOf: {a: 1}',
  'a prototype that is merged': 'meta:\n  <<: {__proto__: {polluted: true}}\n  __proto__:\n    polluted: true\n',
  'numbers that are none':
    'id: .nan\nauthor: .inf\nparent: -.inf\nmenu_order: 1e999\nfeatured_media: -0\ncount: 0x7fffffffffffffff',
  'numbers that are long': `id: ${'9'.repeat(many(200_000))}\nauthor: 0o${'7'.repeat(many(100_000))}\nparent: 1${'_0'.repeat(many(50_000))}`,
  'ids that are none': 'id: 9007199254740993\nauthor: -9007199254740993\nparent: 1.5',
  'dates that are none':
    'date: 99999-99-99 99:99:99\nmodified: -271822-01-01\npublished: 0000-00-00\nregistered: 2026-02-30T25:61:61Z',
  'the least and the most': 'id: -1\nauthor: 0\nparent: 2147483648\nmenu_order: -2147483649',
  'bytes that are no text': Buffer.from([0x74, 0x3a, 0x20, 0xff, 0xfe, 0xc0, 0x80, 0x0a]),
  'UTF-16': Buffer.from('\ufefftitle: a\n', 'utf16le'),
  'bytes of nothing': `title: ${'\0'.repeat(many(100_000))}`,
  'control characters': 'title: "a\\u0000b\\u001b[31m\\u202e"\nslug: "\\u0007"\nname: "\\r\\nSet-Cookie: a=b"',
  tabs: '\ttitle:\t a\n\t\tslug: b',
  nothing: '',
  null: 'null',
  'a list': '- title: a\n- title: b',
  'a text': 'just a text',
  'conflict markers': '<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> other\n',
});

/** Front matter in other languages. */
const tomlOf = (many: (count: number) => number): Readonly<Record<string, string>> => ({
  'lists that nest': `title = ${deep('[', many(50_000))}`,
  'tables that nest': `title = ${deep('{a = ', many(20_000))}`,
  'keys with dots': `${Array(many(50_000)).fill('a').join('.')} = 1`,
  'tables over and over': '[[a]]\n'.repeat(many(50_000)),
  'words that reach a prototype':
    '__proto__.polluted = true\n[constructor.prototype]\npolluted = true\n[__proto__]\npolluted = true',
  'numbers that are long': `id = ${'9'.repeat(many(200_000))}\nauthor = 1e999\nparent = nan`,
  'a quote without end': `title = """${'a\\\n'.repeat(many(100_000))}`,
  'dates that are none': 'date = 9999-99-99T99:99:99Z',
});
const jsonOf = (many: (count: number) => number): Readonly<Record<string, string>> => ({
  'lists that nest': `{"title": ${deep('[', many(100_000))}`,
  'lists that nest and end': `{"title": ${deep('[', many(20_000), ']')}}`,
  'maps that nest': `${deep('{"a":', many(50_000))}1${'}'.repeat(many(50_000))}`,
  'words that reach a prototype': '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  'numbers that are long': `{"id": ${'9'.repeat(many(200_000))}, "author": 1e999}`,
  'half a pair': '{"title": "\\ud800"}',
  'one key over and over': `{${Array(many(50_000)).fill('"title": "a"').join(',')}}`,
});

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files: { 'posts/sound.md': '---\nid: 900\ntitle: Sound\ndate: 2026-01-01\n---\nSound.\n' } });
});
afterAll(() => site.close());

/** A file of each way in which a row can be written. */
function pathsOf({ pattern }: PathRow): readonly string[] {
  const plain = pattern.replace('**', 'hostile').replaceAll('*', 'hostile').replaceAll('#', '900');
  const endings = /\{(.+)\}$/.exec(plain)?.[1]?.split(',') ?? [''];
  return endings.map((ending) => plain.replace(/\{.+\}$/, ending));
}

const isYaml = (path: string): boolean => /\.ya?ml$/.test(path);

/** The document as every kind of file; what was there is put back afterwards. */
async function tryAs(files: ReadonlyMap<string, string | Buffer>): Promise<void> {
  const settings = await site.read('site.yaml');
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(site.dir, path)), { recursive: true });
    await writeFile(join(site.dir, path), bytes);
  }
  try {
    expect(await cpuMs(lookAround)).toBeLessThan(maxMs);
    await expectService();
    await expectFindings([...files.keys()]);
    expect([Object.keys(Object.prototype), ({} as { polluted?: unknown }).polluted]).toEqual([[], undefined]);
  } finally {
    for (const path of files.keys()) await rm(join(site.dir, path));
    await site.write('site.yaml', settings);
    await lookAround();
  }
}

const lookAround = async (): Promise<void> => site.site.ingest(await site.site.store.sweep());

/** What is beside the document is served, in lists with what could be read of it, and can be written. */
async function expectService(): Promise<void> {
  const { body } = await site.ask('GET', '/cms/v2/posts/900');
  expect(body.title.rendered).toBe('Sound');
  const statuses: Record<string, number> = {};
  for (const list of [
    'posts',
    'pages',
    'media',
    'categories',
    'tags',
    'users',
    'comments',
    'blocks',
    'templates/',
    'menus',
    'menu-items',
  ]) {
    const { status } = await site.ask('GET', `/cms/v2/${list}${list.endsWith('/') ? '' : '?per_page=100'}`, { as: 'admin' });
    if (status !== 200 && !(list === 'templates/' && status === 404)) statuses[list] = status;
  }
  expect(statuses).toEqual({});
  const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Made', status: 'publish' } });
  expect(made.status).toBe(201);
  expect((await site.ask('DELETE', `/cms/v2/posts/${made.body.id}?force=true`, { as: 'admin' })).status).toBe(200);
  expect(site.log.filter((line) => /TypeError|RangeError|ReferenceError/.test(line))).toEqual([]);
}

/** Each file is read, or told of with its place and in words. */
async function expectFindings(paths: readonly string[]): Promise<void> {
  const { status, out } = await run(['validate', site.dir, '--json']);
  expect([0, 1]).toContain(status);
  const findings: readonly { path: string; line: number; column: number; message: string }[] = JSON.parse(out).problems;
  const told = new Set(findings.map(({ path }) => path));
  const unread = new Set(site.site.store.problems().map(({ path }) => path));
  expect(paths.filter((path) => unread.has(path) && !told.has(path))).toEqual([]);
  expect(findings.filter(({ line, column, message }) => !(line >= 1 && column >= 1) || message === '')).toEqual([]);
}

const paths = (): readonly string[] => [...new Set([...site.site.paths.rows.flatMap(pathsOf), ...beside])];
const fenced = (fence: string, text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${fence}\n`), Buffer.from(text as string), Buffer.from(`\n${fence}\nText.\n`)]);

const few = (count: number): number => Math.ceil(count / 100);
const all = (count: number): number => count;

describe('the server survives any document as any kind of file', () => {
  it.each(Object.entries(yamlOf(few)))('YAML: %s', async (_what, text) => {
    await tryAs(new Map(paths().map((path) => [path, isYaml(path) ? text : fenced('---', text)])));
  });

  it.each(Object.entries(tomlOf(few)))('TOML: %s', async (_what, text) => {
    await tryAs(new Map(paths().flatMap((path) => (isYaml(path) ? [] : [[path, fenced('+++', text)]]))));
  });

  it.each(Object.entries(jsonOf(few)))('JSON: %s', async (_what, text) => {
    await tryAs(new Map(paths().flatMap((path) => (isYaml(path) ? [] : [[path, `${text}\n\nText.\n`]]))));
  });

  // As each field that there is: what is of another type than the field.
  it.each([
    ['a map', '{a: {b: [1]}}'],
    ['a list of lists', '[[a], [[b]], {c: d}]'],
    ['nothing', 'null'],
    ['a number', '-1.5e300'],
    ['a truth', 'yes'],
    ['a date', '2026-02-03T04:05:06Z'],
    ['a long text', `"${'a<script>'.repeat(5000)}"`],
  ])('%s as the value of each field', async (_what, value) => {
    const files = site.site.paths.rows.flatMap((row) => {
      const text = [...Object.keys(row.fields ?? {}), 'id', 'meta'].map((key) => `${JSON.stringify(key)}: ${value}`).join('\n');
      return pathsOf(row).map((path): [string, string | Buffer] => [path, isYaml(path) ? text : fenced('---', text)]);
    });
    await tryAs(new Map(files));
  });
});

describe('the cost of a document is bounded by its length', () => {
  const posts = (documents: Readonly<Record<string, string | Buffer>>, fence: string) =>
    Object.entries(documents).map(([what, text]): [string, Buffer] => [what, fenced(fence, text)]);

  it.each([
    ...posts(yamlOf(all), '---'),
    ...posts(tomlOf(all), '+++'),
    ...Object.entries(jsonOf(all)).map(([what, text]): [string, string] => [what, `${text}\n\nText.\n`]),
  ])('%s', async (_what, text) => {
    await tryAs(new Map([['posts/hostile.md', text]]));
  });
});
