/** `cms import` of sources of which a part cannot be read: the rest comes, the report names the part, the exit status is 1. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/transfer/import/report.ts';
import { type Page, startUpstream, type Upstream } from '../support/upstream.ts';
import { wxrAuthor, wxrFoot, wxrHead, wxrItem } from '../support/wxr.ts';
import { filesIn, run, temporary } from './run.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function folderOf(files: Files, dir?: string): Promise<string> {
  const into = dir ?? (await temporary());
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await writeFile(join(into, path), text);
  }
  return into;
}

interface Outcome {
  readonly status: number;
  readonly report: ImportReport;
  readonly files: Readonly<Record<string, string>>;
}

async function bring(source: string, dir: string, ...flags: readonly string[]): Promise<Outcome> {
  const { status, out, err } = await run(['import', source, '--into', dir, '--json', ...flags]);
  if (!out.startsWith('{')) throw new Error(err);
  return { status, report: JSON.parse(out) as ImportReport, files: await filesIn(dir) };
}

const unreadable = ({ report }: Outcome) => report.remarks.filter((one) => one.unreadable);
const count = ({ report }: Outcome, outcome: 'new' | 'updated'): number =>
  report.rows.filter(({ kind }) => kind === 'post').reduce((sum, row) => sum + row[outcome], 0);
const titles = ({ files }: Outcome): string[] =>
  Object.entries(files)
    .flatMap(([path, text]) => (/^(?:posts|pages)\//.test(path) ? [/^title: (.*)$/m.exec(text)?.[1] ?? path] : []))
    .sort();

/** Front matter that nobody can read, and where its fault is. */
const broken: readonly (readonly [what: string, text: string | Buffer, line: number, rule: string, mended: string])[] = [
  [
    'a program',
    '---js\n{ title: process.exit(3) }\n---\nText.\n',
    1,
    'front-matter-language',
    '---\ntitle: Mended\n---\nText.\n',
  ],
  ['YAML', '---\ntitle: [a\nb: }\n---\nText.\n', 3, 'yaml-syntax', '---\ntitle: Mended\n---\nText.\n'],
  ['a plain text over lines', '---\ntitle: one\ntwo\n---\n', 3, 'yaml-syntax', '---\ntitle: Mended\n---\n'],
  ['a key twice', '---\ntitle: a\ntitle: b\n---\n', 3, 'yaml-duplicate-key', '---\ntitle: Mended\n---\n'],
  ['no end', '---\ntitle: a\n', 1, 'front-matter-unclosed', '---\ntitle: Mended\n---\n'],
  ['TOML', '+++\ntitle = "x\n+++\n', 2, 'toml-syntax', '+++\ntitle = "Mended"\n+++\n'],
  ['JSON', '---json\n{ "title": x }\n---\n', 2, 'json-syntax', '---json\n{ "title": "Mended" }\n---\n'],
  ['Latin-1', Buffer.from('---\ntitle: caf\xe9\n---\n', 'latin1'), 1, 'invalid-utf8', '---\ntitle: Mended\n---\n'],
];

/** A site of two posts, as each generator has it: other files of it, and the place of its posts. */
const sites: Readonly<Record<string, readonly [files: Files, posts: string]>> = {
  jekyll: [{ '_config.yml': 'title: Blog\n' }, '_posts'],
  hugo: [{ 'hugo.toml': 'title = "Blog"\n' }, 'content/posts'],
  astro: [{ 'astro.config.mjs': 'export default {}\n' }, 'src/content/blog'],
  eleventy: [{ '.eleventy.js': 'module.exports = {}\n' }, 'posts'],
  plain: [{}, 'posts'],
  ours: [{ 'site.yaml': 'name: Blog\n' }, 'posts'],
};
const good = '---\ntitle: Good\ndate: 2026-01-02\n---\nText.\n';

describe.each(Object.entries(sites))('one page of a folder of %s', (_, [others, posts]) => {
  it.each(broken)('that is %s', async (_what, text, line, rule, mended) => {
    const page = `${posts}/2026-01-01-bad.md`;
    const source = await folderOf({ ...others, [page]: text, [`${posts}/2026-01-02-good.md`]: good });
    const dir = join(await temporary(), 'site');
    const first = await bring(source, dir);
    expect([first.status, first.report.complete, titles(first)]).toEqual([1, true, ['Good']]);
    expect(first.report.unreadable).toBe(1);
    expect(unreadable(first)).toMatchObject([
      { severity: 'lost', rule, place: { source: page, line, column: expect.any(Number) }, message: expect.any(String) },
    ]);
    expect((await run(['validate', dir])).status).toBe(0);
    await folderOf({ [page]: mended }, source);
    const second = await bring(source, dir);
    expect([second.status, count(second, 'new'), count(second, 'updated')]).toEqual([0, 1, 0]);
    expect(titles(second)).toEqual(['Good', 'Mended']);
    expect(second.files['posts/2026/01/good.md']).toBe(first.files['posts/2026/01/good.md']);
  });
});

describe('a folder with unreadable parts', () => {
  it('is reported with file, line and column', async () => {
    const source = await folderOf({ 'posts/a.md': '---\ntitle: [a\nb: }\n---\n', 'posts/b.md': good });
    const { status, err } = await run(['import', source, '--into', join(await temporary(), 'site')]);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/Front matter that cannot be read \[yaml-syntax\]\n {2}posts\/a\.md:3:\d+ unreadable file: /),
    ]);
  });

  it('imports nothing with --no-keep-going', async () => {
    const source = await folderOf({ 'posts/a.md': '---js\n---\n', 'posts/b.md': good });
    const dir = join(await temporary(), 'site');
    const { status, err } = await run(['import', source, '--into', dir, '--no-keep-going']);
    expect([status, err, existsSync(dir)]).toEqual([1, expect.stringContaining('posts/a.md:1:1: '), false]);
  });

  it.each([
    ['_config.yml', { '_config.yml': 'title: [\n', '_posts/2026-01-02-good.md': good }],
    ['_data/authors.yml', { '_config.yml': 'title: x\n', '_data/authors.yml': 'a: {\n', '_posts/2026-01-02-good.md': good }],
    ['hugo.toml', { 'hugo.toml': 'title = \n', 'content/posts/good.md': good }],
    ['config/_default/menus.yaml', { 'config/_default/menus.yaml': 'a: }\n', 'content/posts/good.md': good }],
    ['posts/posts.json', { '.eleventy.js': '', 'posts/posts.json': '{ "tags": ', 'posts/good.md': good }],
    ['_data/site.json', { '.eleventy.js': '', '_data/site.json': '{', 'posts/good.md': good }],
    ['site.yaml', { 'site.yaml': 'name: [\n', 'posts/good.md': good }],
    ['users/anna.yaml', { 'site.yaml': 'name: x\n', 'users/anna.yaml': 'name: [\n', 'posts/good.md': good }],
    ['terms/tag/a.yaml', { 'site.yaml': 'name: x\n', 'terms/tag/a.yaml': 'name: "\n', 'posts/good.md': good }],
    ['menus/main.yaml', { 'site.yaml': 'name: x\n', 'menus/main.yaml': 'a\nb: c\n', 'posts/good.md': good }],
    [
      'media/a.png.yaml',
      { 'site.yaml': 'name: x\n', 'media/a.png.yaml': Buffer.from('alt: \xe9', 'latin1'), 'posts/good.md': good },
    ],
  ] as readonly (readonly [string, Files])[])('loses only %s', async (path, files) => {
    const outcome = await bring(await folderOf(files), join(await temporary(), 'site'));
    expect([outcome.status, titles(outcome)]).toEqual([1, ['Good']]);
    expect(unreadable(outcome)).toMatchObject([{ severity: 'lost', place: { source: path, line: expect.any(Number) } }]);
  });

  it('loses links that lead out of it, and imports the rest', async () => {
    const outside = await folderOf({ 'secret.md': '---\ntitle: Secret\n---\n' });
    const source = await folderOf({ 'posts/good.md': good });
    await symlink(join(outside, 'secret.md'), join(source, 'posts/link.md'));
    await symlink(join(outside, 'nothing.md'), join(source, 'posts/gone.md'));
    const outcome = await bring(source, join(await temporary(), 'site'));
    expect([outcome.status, titles(outcome)]).toEqual([1, ['Good']]);
    expect(unreadable(outcome).map(({ place }) => place?.source)).toEqual(['posts/gone.md', 'posts/link.md']);
  });

  it('loses links to ignored parts: accounts, keys', async () => {
    const secret = '---\ntitle: Secret\n---\n';
    const hidden = ['.cms/private/accounts/1.json', '.git/config', '.env', 'node_modules/a/b.md'];
    const source = await folderOf({
      'site.yaml': 'name: x\n',
      'posts/good.md': good,
      ...Object.fromEntries(hidden.map((path) => [path, secret])),
    });
    await mkdir(join(source, 'media'));
    for (const [at, path] of hidden.entries()) {
      await symlink(join('..', path), join(source, `posts/${at}.md`));
      await symlink(join('..', path), join(source, `media/${at}.txt`));
    }
    await symlink('0.md', join(source, 'posts/again.md'));
    await symlink('good.md', join(source, 'posts/other.md'));
    const outcome = await bring(source, join(await temporary(), 'site'));
    expect([outcome.status, titles(outcome)]).toEqual([1, ['Good', 'Good']]);
    expect(Object.keys(outcome.files).filter((path) => path.startsWith('media/'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('loses a subfolder without read permission', async () => {
    const source = await folderOf({ 'posts/good.md': good, 'drafts/a.md': good });
    await chmod(join(source, 'drafts'), 0);
    const outcome = await bring(source, join(await temporary(), 'site'));
    await chmod(join(source, 'drafts'), 0o755);
    expect([outcome.status, titles(outcome)]).toEqual([1, ['Good']]);
  });

  it('keeps the pages below an unreadable one in place, and imports it once it is repaired', async () => {
    const docs = { 'pages/docs/index.md': '---\ntitle: [\n---\n', 'pages/docs/a.md': '---\ntitle: A\n---\n' };
    const source = await folderOf(docs);
    const dir = join(await temporary(), 'site');
    const first = await bring(source, dir);
    expect(Object.keys(first.files).filter((path) => path.startsWith('pages/'))).toEqual([
      'pages/docs/a.md',
      'pages/docs/index.md',
    ]);
    await folderOf({ 'pages/docs/index.md': '---\ntitle: Manual\n---\nHere.\n' }, source);
    const second = await bring(source, dir);
    expect([second.status, count(second, 'updated')]).toEqual([0, 1]);
    expect(second.files['pages/docs/index.md']).toMatch(/title: Manual[\s\S]*\nHere\.\n$/);
    // What is here is not emptied when the source breaks later.
    await folderOf({ 'pages/docs/index.md': '---\ntitle: [\n---\n' }, source);
    const third = await bring(source, dir);
    expect([third.status, third.files['pages/docs/index.md']]).toEqual([1, second.files['pages/docs/index.md']]);
  });

  it('may use the YAML that site generators accept', async () => {
    const source = await folderOf({
      'posts/a.md': '---\ntitle: "A title\nover two lines"\ntags: [one,\ntwo]\ndate: 2026-01-01\n---\nText.\n',
      'posts/b.md': "---\ntitle: 'It''s\n\nhere'#comment\ndate: 2026-01-01\nextra: {\n\ta: 1 }\n---\n",
      'posts/c.md': '---\ntitle: C\ndate: 2026-01-01\n...\nText of c.\n',
    });
    const outcome = await bring(source, join(await temporary(), 'site'));
    expect([outcome.status, unreadable(outcome)]).toEqual([0, []]);
    expect(outcome.files['posts/2026/01/a.md']).toMatch(/title: A title over two lines\n[\s\S]*tags:\n {2}- one\n {2}- two\n/);
    expect(outcome.files['posts/2026/01/b.md']).toContain("title: |-\n  It's\n  here\n");
    expect(outcome.files['posts/2026/01/c.md']).toMatch(/title: C\n[\s\S]*\nText of c\.\n$/);
  });
});

describe('an export with unreadable parts', () => {
  const item = (id: number, rest: object = {}): string => wxrItem({ id, slug: `item-${id}`, ...rest });
  const rows: readonly (readonly [what: string, from: string, to: string, lost: boolean])[] = [
    ['a tag that is none', '<wp:post_id>8</wp:post_id>', '<wp:post_id 8</wp:post_id>', true],
    ['an end that is another', '<wp:post_id>8</wp:post_id>', '<wp:post_id>8</wp:post_idd>', true],
    ['a name that is not declared', '<wp:post_id>8', '&nbsp;&nope;<wp:post_id>8', false],
    ['a control character', 'Item 8', 'Item\u0001 8', false],
    ['a bare ampersand', '<wp:post_id>8', 'a & b<wp:post_id>8', false],
  ];
  it.each(rows)('can contain one item with %s', async (_, from, to, isLost) => {
    const text = `${wxrHead()}${wxrAuthor(3, 'anna')}${item(7)}${item(8, { title: 'Item 8' })}${item(9)}${wxrFoot}`;
    const path = join(await temporary(), 'export.xml');
    await writeFile(
      path,
      text.replace(from, () => to),
    );
    const dir = join(await temporary(), 'site');
    const first = await bring(path, dir);
    expect([first.status, count(first, 'new'), first.report.complete]).toEqual([isLost ? 1 : 0, isLost ? 2 : 3, true]);
    expect(unreadable(first)).toMatchObject(
      isLost ? [{ severity: 'lost', place: { source: 'export.xml', line: expect.any(Number), column: expect.any(Number) } }] : [],
    );
    await writeFile(path, text);
    const second = await bring(path, dir);
    expect([second.status, count(second, 'new')]).toEqual([0, isLost ? 1 : 0]);
  });

  it('gives its complete items when it is cut off', async () => {
    const path = join(await temporary(), 'export.xml');
    await writeFile(path, `${wxrHead()}${wxrAuthor(3, 'anna')}${item(7)}<item><title>Cut`);
    const outcome = await bring(path, join(await temporary(), 'site'));
    expect([outcome.status, count(outcome, 'new')]).toEqual([1, 1]);
    expect(unreadable(outcome)).toMatchObject([{ place: { source: 'export.xml' } }]);
  });

  it.each([
    ['no XML', 'hello'],
    ['an HTML page', '<!DOCTYPE html><html></html>'],
    ['nothing', ''],
    ['another kind of XML', '<?xml version="1.0"?><opml/>'],
  ])('is rejected as a whole when it is %s', async (_, text) => {
    const path = join(await temporary(), 'export.xml');
    await writeFile(path, text);
    const dir = join(await temporary(), 'site');
    const { status, out, err } = await run(['import', path, '--into', dir]);
    expect([status, out, err, existsSync(dir)]).toEqual([1, '', expect.stringMatching(/export\.xml:\d+:\d+: /), false]);
  });

  it('loses a missing media file if media were requested', async () => {
    const upstream = await startUpstream(() => ({ '/files/cat.png': { status: 404 } }));
    open.push(upstream);
    const url = `${upstream.url}/files/cat.png`;
    const media = wxrItem({
      id: 8,
      type: 'attachment',
      status: 'inherit',
      after: `<wp:attachment_url>${url}</wp:attachment_url>`,
    });
    const path = join(await temporary(), 'export.xml');
    await writeFile(path, `${wxrHead({ url: upstream.url })}${wxrAuthor(3, 'anna')}${item(7)}${media}${wxrFoot}`);
    const dir = join(await temporary(), 'site');
    const { status, out } = await run(['import', path, '--into', dir, '--json', '--download'], {
      env: { CMS_FETCH_ALLOW: '127.0.0.1' },
    });
    const report = JSON.parse(out) as ImportReport;
    expect([status, report.files.missing, report.unreadable]).toEqual([1, 1, 1]);
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'lost', rule: 'missing-bytes', unreadable: true }));
    expect(Object.keys(await filesIn(dir)).filter((file) => file.startsWith('posts/'))).toHaveLength(1);
    // It was not asked for: it is elsewhere, and that is no failure.
    expect((await bring(path, join(await temporary(), 'site'))).status).toBe(0);
  });
});

const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});

describe('a live site with unreadable parts', () => {
  const json = (body: unknown, headers = {}): Page => ({
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const list = (body: readonly unknown[]): Page => json(body, { 'x-wp-total': String(body.length) });
  const row = (id: unknown, more = {}) => ({
    id,
    type: 'post',
    slug: `p${id}`,
    status: 'publish',
    date: '2026-03-05T10:00:00',
    date_gmt: '2026-03-05T09:00:00',
    title: { rendered: `Post ${id}` },
    content: { rendered: `<p>Text ${id}</p>`, protected: false },
    ...more,
  });
  const kind = (slug: string, base: string) => ({ slug, rest_base: base, rest_namespace: 'wp/v2', taxonomies: [] });

  async function site(pages: Readonly<Record<string, Page>>): Promise<string> {
    const routes = Object.fromEntries(
      ['', '/posts', '/pages', '/users', '/categories'].map((route) => [`/wp/v2${route}`, { endpoints: [] }]),
    );
    const upstream = await startUpstream((url) => ({
      '/wp-json/': json({ name: 'Elsewhere', url, home: url, gmt_offset: 1, routes }),
      '/wp-json/wp/v2/types': json({ post: kind('post', 'posts'), page: kind('page', 'pages') }),
      '/wp-json/wp/v2/taxonomies': json({ category: kind('category', 'categories') }),
      '/wp-json/wp/v2/users': list([]),
      '/wp-json/wp/v2/categories': list([]),
      '/wp-json/wp/v2/posts': list([row(11), row(12)]),
      '/wp-json/wp/v2/pages': list([row(21, { type: 'page' })]),
      ...Object.fromEntries(Object.entries(pages).map(([route, page]) => [`/wp-json/wp/v2${route}`, page])),
    }));
    open.push(upstream);
    return upstream.url;
  }

  it.each([
    ['a list that answers with an error', { '/pages': { status: 500, body: 'PHP Fatal error' } }, 2],
    ['a list that is no JSON', { '/pages': json('<html>') }, 2],
    ['types that answer with an error', { '/types': { status: 500, body: '' } }, 3],
    ['taxonomies that are no JSON', { '/taxonomies': json('<html>') }, 3],
    ['an item that is no item', { '/posts': list([row(11), 'x', row(13)]) }, 3],
    ['an item without an id', { '/posts': list([row(11), row('x'), row(13)]) }, 3],
    ['an item of other types', { '/posts': list([row(11), row(12, { title: 7, content: ['x'], slug: {} })]) }, 3],
  ] as readonly (readonly [string, Readonly<Record<string, Page>>, number])[])(
    '%s',
    async (_, pages, brought) => {
      const outcome = await bring(await site(pages), join(await temporary(), 'site'));
      expect([outcome.status, outcome.report.complete, count(outcome, 'new')]).toEqual([1, true, brought]);
      expect(unreadable(outcome)[0]).toMatchObject({ severity: 'lost', place: { source: expect.stringContaining('/wp/v2/') } });
    },
    30_000,
  );

  it('is imported completely if nothing is wrong', async () => {
    const outcome = await bring(await site({}), join(await temporary(), 'site'));
    expect([outcome.status, count(outcome, 'new'), outcome.report.unreadable]).toEqual([0, 3, 0]);
  });
});

describe('the folder of a new site', () => {
  it.each([
    ['its own folder', '.cms'],
    ['the folder of what can be made again', '.cms/cache'],
    ['the folder of files on their way', '.cms/tmp'],
  ])('is not imported into through a link: %s', async (_what, place) => {
    const [source, elsewhere, into] = [await folderOf({ 'a.md': 'Text.\n' }), await temporary(), await temporary()];
    await mkdir(dirname(join(into, place)), { recursive: true });
    await symlink(elsewhere, join(into, place));
    const { status, err } = await run(['import', source, '--into', into, '--json']);
    expect([status, err.includes('is a link; it must be a folder')]).toEqual([1, true]);
    expect(await filesIn(elsewhere)).toEqual({});
  });

  it('gets its own state file, whatever link is in its place', async () => {
    const [source, elsewhere, into] = [
      await folderOf({ 'a.md': 'Text.\n' }),
      await folderOf({ note: 'kept' }),
      await temporary(),
    ];
    await mkdir(join(into, '.cms/cache'), { recursive: true });
    await symlink(join(elsewhere, 'note'), join(into, '.cms/cache/import-begun.json'));
    expect((await bring(source, into)).status).toBe(0);
    expect(await filesIn(elsewhere)).toEqual({ note: 'kept' });
  });
});
