/** Headers of other generators: Hexo, Pelican and Zola. Imported, served, checked: read, or refused, and never shown as text. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareHeader } from '../../../src/kernel/yaml/bare-header.ts';
import { parseEntry, printEntry } from '../../../src/kernel/yaml/codec.ts';
import type { PostItem, SiteItem } from '../../../src/transfer/import/items.ts';
import { markdownImporter } from '../../../src/transfer/sources/markdown.ts';
import { type Files, writeFiles } from '../../support/markdown-sites.ts';
import { startSite } from '../../support/site.ts';
import { run, temporary } from '../../cli/run.ts';

async function read(files: Files) {
  const dir = await mkdtemp(join(tmpdir(), 'cms-headers-'));
  await writeFiles(dir, files);
  const source = await markdownImporter.open({ source: dir, path: dir, scratch: dir, keepGoing: true });
  const posts = new Map<string, PostItem>();
  let site: SiteItem | undefined;
  const lost: string[] = [];
  for await (const item of source.items('write')) {
    if (item.kind === 'post') posts.set(item.key, item);
    if (item.kind === 'site') site = item;
    if (item.kind === 'lost') lost.push(...(item.remarks ?? []).map(({ severity, message }) => `${severity}: ${message}`));
  }
  return { posts, site, lost, post: (key: string) => posts.get(key) as PostItem };
}

const hexo = 'title: Hello: World\ndate: 2013/7/13 20:46:25\ntags:\n- a\n- b\n\ncategories: diary\n---\nText\n';
const json = '"title": "One",\n"date": "2014/01/02 03:04:05",\n"tags": ["a", "b"]\n;;;\nText\n';
const pelican =
  'Title: My: title\nDate: 2010-12-03 10:20\nModified: 2010-12-05 19:30\nCategory: Python\nTags: a, b\nAuthors: Ann Oak; Bo Elm\n' +
  'Summary: Short\n  and long\nStatus: draft\n\n\nText\n';
const colons = ':title: Colons\n:date: 2010-10-03 10:20\n:tags: a, b\n:status: draft\n\nText\n';

describe('a header that nothing opens', () => {
  it.each([
    [
      'Hexo',
      hexo.replace('Hello: World', '"Hello: World"'),
      { title: 'Hello: World', date: '2013-07-13T20:46:25', status: 'publish' },
    ],
    ['Hexo in JSON', json, { title: 'One', date: '2014-01-02T03:04:05', status: 'publish' }],
    ['Pelican', pelican, { title: 'My: title', date: '2010-12-03T10:20:00', status: 'draft', excerpt: 'Short\nand long' }],
    ['colons', colons, { title: 'Colons', date: '2010-10-03T10:20:00', status: 'draft' }],
  ])('of %s is read, with any line ends and a byte order mark', async (_, text, expected) => {
    const forms = { plain: text, crlf: text.replaceAll('\n', '\r\n'), bom: `\ufeff${text}`, blank: `\n\n${text}` };
    const files = Object.fromEntries(Object.entries(forms).map(([name, form]) => [`posts/${name}.md`, form]));
    const { post } = await read(files);
    for (const path of Object.keys(files)) {
      expect([path, post(path)]).toEqual([path, expect.objectContaining(expected)]);
      expect([path, post(path).content.trim(), post(path).terms?.post_tag]).toEqual([path, 'Text', ['post_tag:a', 'post_tag:b']]);
    }
  });

  it.each([
    ['words and a colon', 'Note: this is a text.\n\nMore\n'],
    ['a recipe', 'Serves: 4\nTime: 20 minutes\n\nMix.\n'],
    ['a heading of two lines', 'Remember: buy\nmilk: two\n---\n\nText\n'],
    ['a title among words', 'Title: a word\nand no key\n\nText\n'],
    ['code', '    title: A\n    date: 2020-01-01\n\nText\n'],
    ['a quoted sentence', '"title": it said.\n\nText\n'],
    ['nothing', ''],
    ['a long text', `${'word '.repeat(10_000)}: x\n---\n`],
  ])('is none where a text has %s', async (_, text) => {
    expect(bareHeader(text)).toBeNull();
    expect((await read({ 'posts/a.md': text })).post('posts/a.md').content.trim()).toBe(text.trim());
  });

  it.each([hexo, json, pelican, colons])('is refused where it is served, and checked: %#', async (text) => {
    const site = await startSite({
      files: { 'site.yaml': 'name: S\n', 'posts/a.md': text, 'posts/b.md': '---\ntitle: B\n---\nB\n' },
    });
    try {
      const { body } = await site.ask('GET', '/cms/v2/posts?_fields=slug');
      expect(body).toEqual([{ slug: 'b' }]);
      expect(site.site.problems().map(({ path, rule }) => [path, rule])).toEqual([['posts/a.md', 'front-matter-start']]);
    } finally {
      await site.close();
    }
    const dir = await temporary();
    await writeFiles(dir, { 'site.yaml': 'name: S\n', 'posts/a.md': text });
    const { status, out } = await run(['validate', dir]);
    expect([status, out]).toEqual([1, expect.stringContaining('The file begins with keys that no line of `---` opens.')]);
  });

  it.each([hexo, json, pelican, colons])('comes back out of a file whose body looks like one: %#', (body) => {
    const bytes = printEntry(null, { path: 'posts/a.md', data: {}, order: [], body });
    const emptied = printEntry(bytes, { path: 'posts/a.md', data: { id: undefined }, order: ['id'], body });
    for (const one of [bytes, emptied]) {
      const parsed = parseEntry('posts/a.md', one, { size: one.length, mtimeMs: 1 });
      expect('entry' in parsed && parsed.entry.kind !== 'yaml' && parsed.entry.body.trimEnd()).toBe(body.trimEnd());
    }
  });
});

describe('a site of Hexo', () => {
  it('is read from its source folder', async () => {
    const { post, site, posts } = await read({
      '_config.yml': 'title: Mine\nurl: https://x.example/blog\nroot: /blog/\nlanguage: de\n',
      'source/_posts/one.md': hexo.replace('Hello: World', 'Hello'),
      'source/_drafts/two.md': 'title: Two\n---\nText\n',
      'source/about/index.md': 'title: About\nlayout: page\n---\nText\n',
      'scaffolds/post.md': 'title: {{ title }}\ndate: {{ date }}\n---\n',
    });
    expect(site?.settings).toMatchObject({ name: 'Mine', language: 'de_DE', permalink: '/{year}/{month}/{day}/{slug}/' });
    expect([...posts.keys()].sort()).toEqual(['source/_drafts/two.md', 'source/_posts/one.md', 'source/about/index.md']);
    expect(post('source/_posts/one.md')).toMatchObject({
      link: '/blog/2013/07/13/one/',
      terms: { category: ['category:diary'] },
    });
    expect(post('source/_drafts/two.md').status).toBe('draft');
    expect(post('source/about/index.md')).toMatchObject({ type: 'page', slug: 'about', link: '/blog/about/' });
  });
});

describe('a site of Zola', () => {
  const front = (...lines: readonly string[]): string => `+++\n${lines.join('\n')}\n+++\nText\n`;

  it.each(['config.toml', 'zola.toml'])('is read with its terms, former URLs and paths, from %s', async (config) => {
    const { post, site } = await read({
      [config]:
        'base_url = "https://z.example"\ntitle = "Zed"\ndescription = "About"\ndefault_language = "fr"\ntaxonomies = [{name = "tags"}, {name = "series"}]\n',
      'content/_index.md': front('title = "Home"'),
      'content/blog/_index.md': front('title = "Blog"'),
      'content/blog/first.md': front(
        'title = "First"',
        'date = 2020-01-02',
        'path = "2020/the-first/"',
        'aliases = ["old/first"]',
        '[taxonomies]',
        'tags = ["rust"]',
        'categories = ["prog"]',
        'authors = ["Ann"]',
        '[extra]',
        'sub = "S"',
      ),
      'content/blog/2021-03-04-second.md': front('title = "Second"', 'draft = true'),
    });
    expect(site?.settings).toMatchObject({ name: 'Zed', description: 'About', language: 'fr_FR' });
    expect(post('content/blog/first.md')).toMatchObject({
      slug: 'the-first',
      link: '/2020/the-first/',
      aliases: ['/old/first'],
      author: expect.stringContaining('ann'),
      terms: { post_tag: ['post_tag:rust'], category: ['category:prog'] },
      extra: { extra: { sub: 'S' } },
    });
    expect(post('content/blog/2021-03-04-second.md')).toMatchObject({
      slug: 'second',
      status: 'draft',
      date: '2021-03-04T00:00:00',
      link: '/blog/second/',
    });
  });

  it('is told that terms below taxonomies are not read where it is served', async () => {
    const dir = await temporary();
    await writeFiles(dir, { 'site.yaml': 'name: S\n', 'posts/a.md': front('title = "A"', '[taxonomies]', 'tags = ["x"]') });
    expect((await run(['validate', dir])).out).toContain('terms below taxonomies: are not read');
  });
});

it('says which texts are in markup that is not read', async () => {
  const { lost } = await read({ 'posts/a.md': 'Text\n', 'posts/b.rst': 'B\n#\n', 'posts/c.adoc': '= C\n', 'posts/d.css': 'x\n' });
  expect(lost.sort()).toEqual([
    'lost: Skipped: posts/b.rst. reStructuredText is not read.',
    'lost: Skipped: posts/c.adoc. AsciiDoc is not read.',
    'note: Skipped: posts/d.css.',
  ]);
});
