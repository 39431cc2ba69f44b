/** A site of Pelican: its folders and addresses as its configuration says, which is read and never run. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceItem, PostItem, SiteItem } from '../../../src/transfer/import/items.ts';
import { markdownImporter } from '../../../src/transfer/sources/markdown.ts';
import { readPythonValues } from '../../../src/transfer/sources/markdown/python-values.ts';
import { type Files, writeFiles } from '../../support/markdown-sites.ts';

describe('values of a Python file', () => {
  it.each<[text: string, value: unknown]>([
    ["'a'", 'a'],
    ['"it\'s"', "it's"],
    ["u'\\u00e9\\n\\x41'", 'é\nA'],
    ["r'\\d+'", '\\d+'],
    ['"""two\nlines"""', 'two\nlines'],
    ["'a' 'b'", 'ab'],
    ["('a'\n  'b')", 'ab'],
    ['7', 7],
    ['-1.5', -1.5],
    ['1_000', 1000],
    ['True', true],
    ['None', null],
    ['[]', []],
    ["['a', # one\n 'b',]", ['a', 'b']],
    ["('a',)", ['a']],
    [
      "(('A', '/'), ('B', '/b/'),)",
      [
        ['A', '/'],
        ['B', '/b/'],
      ],
    ],
    ["{'a': {'path': 'x'}, 'b': [1]}", { a: { path: 'x' }, b: [1] }],
    ["'a'  # a remark", 'a'],
  ])('%j', (text, value) => {
    const { values, computed } = readPythonValues(`import os\nX = ${text}\nY = 1\n`);
    expect([values.get('X'), values.get('Y'), [...computed]]).toEqual([value, 1, []]);
  });

  it.each([
    'os.getcwd()',
    "'a' + b",
    "'%s' % b",
    "f'{b}'",
    "'a'.join(c)",
    '[x for x in y]',
    "{'a': b}",
    'other',
    "'unfinished",
    '[1, 2',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    'lambda: 1',
    '1 if x else 2',
  ])('has none for %j', (text) => {
    const { values, computed } = readPythonValues(`Y = 1\nX = ${text}\n`);
    expect([values.get('Y'), values.has('X'), [...computed]]).toEqual([1, false, ['X']]);
  });

  it('are those at the top, and the last of each name', () => {
    const text =
      "A = 'x'\nA = 'y'\nB = 1\nB = f()\nif True:\n    C = 1\nD: str = 'd'\nE = call(\nA='no',\n)\ns = '''\nA = 'no'\n'''\nA == 'z'\n# A = 'no'\n";
    const { values, computed } = readPythonValues(text);
    expect([...values].filter(([name]) => name !== 's')).toEqual([
      ['A', 'y'],
      ['D', 'd'],
    ]);
    expect([...computed]).toEqual(['B', 'E']);
  });
});

async function read(files: Files) {
  const dir = await mkdtemp(join(tmpdir(), 'cms-pelican-'));
  await writeFiles(dir, files);
  const source = await markdownImporter.open({ source: dir, path: dir, scratch: dir, keepGoing: true });
  const items: SourceItem[] = [];
  for await (const item of source.items('write')) items.push(item);
  const posts = new Map(items.flatMap((item) => (item.kind === 'post' ? [[item.key, item] as const] : [])));
  return {
    items,
    posts,
    site: items.find(({ kind }) => kind === 'site') as SiteItem,
    post: (key: string) => posts.get(key) as PostItem,
  };
}

const article = (title: string, keys = '', body = 'Text'): string =>
  `Title: ${title}\nDate: 2020-03-04 10:20\n${keys}\n${body}\n`;

describe('a site of Pelican', () => {
  it('has its settings, menu, articles, pages and files', async () => {
    const { items, site, post, posts } = await read({
      'pelicanconf.py':
        "import os\nAUTHOR = 'Ann Oak'\nSITENAME = 'Mine'\nSITEURL = ''\nPATH = 'content'\nTIMEZONE = 'Europe/Rome'\nDEFAULT_LANG = 'en'\nDEFAULT_PAGINATION = 7\n" +
        "ARTICLE_URL = '{date:%Y}/{date:%m}/{slug}/'\nPAGE_URL = '{slug}/'\nSTATIC_PATHS = ['images', 'extra']\n" +
        "EXTRA_PATH_METADATA = {'extra/f.png': {'path': 'favicon.png'}}\nMENUITEMS = (('Home', '/'), ('About', '/about/'))\n",
      'publishconf.py': "from pelicanconf import *\nSITEURL = 'https://ann.example/blog'\n",
      'content/python/one.md': article(
        'My First',
        'Tags: a, b\n',
        'See [two]({filename}../two.md#x), ![p]({static}/images/p.png), [me](|filename|/pages/about.md), [a]({tag}A%20b), [up]({index}).',
      ),
      'content/two.md': article('Second', 'Category: Own\nSlug: the-second\nAuthor: Bo Elm\n'),
      'content/two-fr.md': article('Deux', 'Slug: the-second\nLang: fr\n'),
      'content/own.md': article('Own', 'URL: here/it-is/\n'),
      'content/2019-05-06-dated.md': 'Title: Dated\nTags: x\n\nText\n',
      'content/undated.md': 'Title: Undated\nTags: x\n\nText\n',
      'content/pages/about.md': 'Title: About\nTags: x\n\nMe\n',
      'content/images/p.png': 'png',
      'content/extra/f.png': 'png',
      'content/other/q.png': 'png',
      'output/index.html': '<p>made</p>',
      'themes/mine/readme.md': 'Title: Theme\nDate: 2020-01-01\nTags: x\n\nText\n',
    });
    expect(site.settings).toMatchObject({
      ...{ name: 'Mine', timezone: 'Europe/Rome', language: 'en_US', posts_per_page: 7 },
      permalink: '/{year}/{month}/{slug}/',
    });
    expect(site.addresses).toEqual(['https://ann.example']);
    expect([...posts].filter(([, { type }]) => type !== 'attachment').map(([key]) => key)).not.toContain('themes/mine/readme.md');
    expect(post('content/python/one.md')).toMatchObject({
      ...{ slug: 'my-first', link: '/blog/2020/03/my-first/', author: 'ann-oak', status: 'publish' },
      terms: { category: ['category:python'], post_tag: ['post_tag:a', 'post_tag:b'] },
    });
    expect(post('content/python/one.md').content.trim()).toBe(
      'See [two](/blog/2020/03/the-second/#x), ![p](/uploads/images/p.png), [me](/blog/about/), [a](/tag/a-b/), [up](/).',
    );
    expect(post('content/two.md')).toMatchObject({ author: 'bo-elm', terms: { category: ['category:own'] } });
    expect(post('content/two-fr.md')).toMatchObject({
      ...{ slug: 'the-second-fr', link: '/blog/the-second-fr.html', extra: { lang: 'fr' } },
      terms: { category: ['category:misc'] },
    });
    expect(post('content/own.md')).toMatchObject({ slug: 'it-is', link: '/blog/here/it-is/' });
    expect(post('content/2019-05-06-dated.md')).toMatchObject({ date: '2019-05-06T00:00:00', status: 'publish' });
    expect(post('content/undated.md')).toMatchObject({
      status: 'draft',
      remarks: expect.arrayContaining([expect.objectContaining({ rule: 'held-back' })]),
    });
    expect(post('content/pages/about.md')).toMatchObject({
      type: 'page',
      slug: 'about',
      link: '/blog/about/',
      status: 'publish',
    });
    expect(post('content/extra/f.png').media?.url).toBe('https://ann.example/blog/favicon.png');
    expect(post('content/other/q.png').media?.url).toBeUndefined();
    expect(items.flatMap((item) => (item.kind === 'menu-link' ? [item.title] : []))).toEqual(['Home', 'About']);
  });

  it.each<[settings: string, path: string, expected: object]>([
    ['', 'content/a/b.md', { link: '/title.html', terms: { category: ['category:a'] } }],
    ['USE_FOLDER_AS_CATEGORY = False', 'content/a/b.md', { terms: { category: ['category:misc'] } }],
    ["DEFAULT_CATEGORY = 'notes'", 'content/b.md', { terms: { category: ['category:notes'] } }],
    ["SLUGIFY_SOURCE = 'basename'", 'content/some-name.md', { slug: 'some-name', link: '/some-name.html' }],
    ["FILENAME_METADATA = r'(?P<date>\\d{4}-\\d{2}-\\d{2})_(?P<slug>.*)'", 'content/2020-01-01_named.md', { slug: 'named' }],
    ["PATH = 'src/'", 'src/b.md', { type: 'post' }],
    ["PATH = '.'\nPAGE_PATHS = ['static']", 'static/b.md', { type: 'page', link: '/pages/title.html' }],
    ["ARTICLE_PATHS = ['blog']", 'content/blog/b.md', { type: 'post' }],
    ["ARTICLE_URL = '{category}/{date:%b}/{slug}.html'", 'content/x/b.md', { link: '/x/Mar/title.html' }],
    ["AUTHOR = 'Bo'\nARTICLE_URL = '{author}/{slug}'", 'content/b.md', { link: '/bo/title' }],
    ["DEFAULT_METADATA = {'status': 'draft'}", 'content/b.md', { status: 'draft' }],
    ["DEFAULT_METADATA = (('status', 'draft'),)", 'content/b.md', { status: 'draft' }],
  ])('%s', async (settings, path, expected) => {
    const { post } = await read({ 'pelicanconf.py': `SITENAME = 'S'\n${settings}\n`, [path]: article('Title') });
    expect(post(path)).toMatchObject(expected);
  });

  it.each([
    ["ARTICLE_PATHS = ['blog']", 'content/notes/b.md'],
    ["ARTICLE_EXCLUDES = ['notes']", 'content/notes/b.md'],
    ["PATH = 'src'", 'content/b.md'],
    ["PATH = '.'", 'output/b.md'],
  ])('leaves out what %s leaves out', async (settings, path) => {
    const { posts } = await read({ 'pelicanconf.py': `SITENAME = 'S'\n${settings}\n`, [path]: article('Title') });
    expect([...posts.keys()]).toEqual([]);
  });

  it('says which settings it cannot know, and which URLs', async () => {
    const { site, post } = await read({
      'pelicanconf.py': "SITENAME = 'S'\nPAGE_URL = base + '{slug}'\nARTICLE_URL = 'p/{blog_id}/{slug}'\n",
      'content/b.md': article('Title'),
      'content/c.md': article('Other', 'Blog_id: 7\n'),
    });
    expect(site.remarks?.map(({ rule }) => rule)).toEqual(['permalink', 'computed-setting']);
    expect(post('content/b.md').link).toBeUndefined();
    expect(post('content/b.md').remarks).toEqual([expect.objectContaining({ rule: 'unknown-address' })]);
    expect(post('content/c.md').link).toBe('/p/7/other');
  });
});
