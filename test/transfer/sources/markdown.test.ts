import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { markdownImporter, markdownImporters } from '../../../src/transfer/sources/markdown.ts';
import type { SourceItem, MenuLinkItem, PostItem, SiteItem, Source } from '../../../src/transfer/import/items.ts';
import { cpuMs } from '../../support/long-texts.ts';
import {
  astroSite,
  eleventySite,
  type Files,
  hugoSite,
  jekyllSite,
  pixel,
  plainSite,
  writeFiles,
} from '../../support/markdown-sites.ts';

const dirs: string[] = [];
afterEach(async () => {
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true });
});

async function folderOf(files: Files): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-md-'));
  dirs.push(dir);
  await writeFiles(dir, files);
  return dir;
}

async function open(dir: string, keepGoing = false): Promise<Source> {
  return await markdownImporter.open({ source: dir, path: dir, scratch: dir, keepGoing });
}

async function all(source: Source, pass: 'scan' | 'write' = 'write'): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const item of source.items(pass)) items.push(item);
  return items;
}

async function read(files: Files, keepGoing = false) {
  const items = await all(await open(await folderOf(files), keepGoing));
  const posts = items.filter((item): item is PostItem => item.kind === 'post');
  return {
    items,
    site: items.find((item): item is SiteItem => item.kind === 'site') as SiteItem,
    post: (key: string) => posts.find((post) => post.key === key) as PostItem,
    posts,
    links: items.filter((item): item is MenuLinkItem => item.kind === 'menu-link'),
    rules: (key: string) => (posts.find((post) => post.key === key)?.remarks ?? []).map(({ rule }) => rule),
  };
}

/** `type key` of what is neither file nor lost. */
const overview = (posts: readonly PostItem[]): string[] =>
  posts
    .filter(({ type }) => type !== 'attachment')
    .map(({ type, key, parent }) => `${type} ${key}${parent === undefined ? '' : ` < ${parent}`}`);

describe('a Jekyll site', () => {
  it('imports posts, drafts, pages and collections', async () => {
    const { posts, site, items } = await read(jekyllSite());
    expect(overview(posts)).toEqual([
      'post _drafts/idea.md',
      'page _pages/about.md',
      'post _posts/2026-03-05-hello-harbour.md',
      'post _posts/2026-03-07-second.markdown',
      'recipes _recipes/soup.md',
      'page about/team.md < _pages/about.md',
      'post harbour/_posts/2026-03-08-third.md',
      'page index.html',
    ]);
    expect(site).toMatchObject({
      settings: {
        name: 'Harbour notes',
        description: 'From the quay',
        language: 'de_DE',
        timezone: 'Europe/Berlin',
        permalink: '/{year}/{month}/{slug}/',
        posts_per_page: 7,
      },
      addresses: ['https://harbour.example'],
    });
    expect(items.filter(({ kind }) => kind === 'type')).toMatchObject([
      { name: 'recipes', declaration: { plural: 'Recipes', singular: 'Recipe' } },
    ]);
    expect(items.filter(({ kind }) => kind === 'user')).toMatchObject([
      { key: 'anna', name: 'Anna Berg', email: 'anna@harbour.example', description: 'Walks a lot.' },
      { key: 'jonas' },
    ]);
  });

  it('gives a post the values of its front matter', async () => {
    const { post } = await read(jekyllSite());
    expect(post('_posts/2026-03-05-hello-harbour.md')).toMatchObject({
      slug: 'hello-harbour',
      title: 'Hello: harbour',
      status: 'publish',
      date: '2026-03-05T09:00:00',
      dateGmt: '2026-03-05T08:00:00',
      modified: '2026-03-06T00:00:00',
      author: 'anna',
      comments: 'closed',
      link: '/notes/2026/03/hello-harbour/',
      terms: { category: ['category:notes', 'category:harbour'], post_tag: ['post_tag:morning', 'post_tag:low-tide'] },
      featuredMedia: 'assets/img/Cat photo.png',
      aliases: ['/old/hello/'],
      extra: { mood: 'calm' },
    });
    expect(post('_posts/2026-03-07-second.markdown')).toMatchObject({
      status: 'draft',
      author: 'jonas',
      date: '2026-03-07T00:00:00',
      terms: { category: ['category:long-walks'] },
    });
    expect(post('harbour/_posts/2026-03-08-third.md')).toMatchObject({
      title: 'Third of them',
      slug: 'third',
      terms: { category: ['category:harbour'] },
    });
    expect(post('_drafts/idea.md').status).toBe('draft');
    expect(post('_pages/about.md')).toMatchObject({ slug: 'about', template: 'wide', link: '/notes/about/' });
    expect(post('index.html')).toMatchObject({ slug: 'home', status: 'draft', markup: 'html' });
  });

  it('rewrites links, leaves code alone and counts remaining template tags', async () => {
    const { post } = await read(jekyllSite());
    const { content, remarks } = post('_posts/2026-03-05-hello-harbour.md');
    expect(content).toBe(`The lead.

<!--more-->

See [the other](/notes/2026/03/second/), [it](/notes/2026/03/second/) and [about](/notes/about/).

![cat](/uploads/assets/img/Cat-photo.png "A cat") <img src="/uploads/assets/img/Cat-photo.png">

\`\`\`ruby
puts "{{ x }}"
\`\`\`

{% include gallery.html %}

\`[not](/about/)\``);
    expect(remarks).toEqual([
      { severity: 'changed', rule: 'template', message: 'tag {% include %} is kept as text' },
      { severity: 'changed', rule: 'template', message: 'output {{ x }} is kept as text' },
    ]);
    expect(post('_posts/2026-03-07-second.markdown').content).toBe('[back](/notes/2026/03/hello-harbour/#x)');
  });

  it('imports files, and reports skipped ones', async () => {
    const { items, posts } = await read(jekyllSite());
    expect(posts.filter(({ type }) => type === 'attachment').map(({ key, media }) => [key, media?.path, media?.url])).toEqual([
      ['assets/img/Cat photo.png', 'assets/img/Cat-photo.png', 'https://harbour.example/notes/assets/img/Cat photo.png'],
    ]);
    expect(items.flatMap((item) => (item.kind === 'lost' ? item.remarks?.map(({ message }) => message) : []))).toEqual([
      'Skipped: Gemfile.',
      'Skipped: _includes/nav.html.',
      'Skipped: _layouts/post.html.',
      'Skipped: assets/css/site.css.',
    ]);
  });

  it('creates menus from its navigation', async () => {
    const { links } = await read(jekyllSite());
    expect(links.map(({ title, target, url, parent, order }) => [title, target ?? url, parent !== undefined, order])).toEqual([
      ['About', '_pages/about.md', false, 1],
      ['Team', 'about/team.md', true, 2],
      ['Elsewhere', 'https://example.com/', false, 3],
    ]);
  });
});

describe('a Hugo site', () => {
  it('imports sections, bundles and three kinds of front matter', async () => {
    const { posts, site, items, post } = await read(hugoSite());
    expect(overview(posts)).toEqual([
      'page content/_index.md',
      'page content/about.md',
      'page docs/',
      'page content/docs/install.md < docs/',
      'page guides/',
      'page guides/deep/ < guides/',
      'page content/guides/deep/one.md < guides/deep/',
      'page content/posts/_index.md',
      'post content/posts/hello/index.md',
      'post content/posts/json.md',
      'post content/posts/toml.md',
    ]);
    expect(site.settings).toEqual({
      name: 'Harbour',
      description: 'From the quay',
      language: 'en_GB',
      timezone: 'Europe/London',
      permalink: '/{year}/{month}/{slug}/',
    });
    expect(items.filter(({ kind }) => kind === 'taxonomy')).toMatchObject([
      { name: 'series', declaration: { plural: 'Series', types: ['post', 'page'] } },
    ]);
    expect(post('content/posts/hello/index.md')).toMatchObject({
      slug: 'hello-harbour',
      dateGmt: '2026-03-05T09:00:00',
      link: '/2026/03/hello-harbour/',
      excerpt: 'A summary.',
      terms: { category: ['category:notes'], post_tag: ['post_tag:low-tide', 'post_tag:fog'], series: ['series:tides'] },
      featuredMedia: 'content/posts/hello/cover.png',
      aliases: ['/old/hello.html', 'former'],
      author: 'anna-berg',
      extra: {
        description: 'A description.',
        cover: { image: 'cover.png', alt: 'A cover' },
      },
    });
    expect(post('content/posts/json.md')).toMatchObject({
      title: 'In JSON {',
      status: 'draft',
      date: '2026-04-01T00:00:00',
      content: 'Body.',
      extra: { rating: '4.5' },
    });
    expect(post('content/posts/toml.md')).toMatchObject({
      title: 'In TOML',
      status: 'draft',
      extra: { expiryDate: '2020-01-01', extra: { depth: 3 } },
    });
    expect(post('content/docs/install.md')).toMatchObject({ order: 5, link: '/docs/install/', extra: { linkTitle: 'Setup' } });
    expect(post('content/_index.md')).toMatchObject({ slug: 'home', link: '/' });
    expect(items.filter((item) => item.kind === 'term' && item.key === 'category:notes')[0]).toMatchObject({
      name: 'Short notes',
      description: 'What is short.',
    });
  });

  it('replaces shortcodes that only contain a URL', async () => {
    const { post } = await read(hugoSite());
    const { content, remarks } = post('content/posts/hello/index.md');
    expect(content).toBe(`![cover](/uploads/posts/hello/cover.png) and [about](/about/#us) and [docs](/docs/install/).

<!--more-->

<figure><img src="/uploads/images/cat.png" alt="a cat"><figcaption>The *cat*</figcaption></figure>

{{< youtube abc >}} {{< youtube def >}} {{< tweet 1 >}}

\`\`\`html
<a href="/about/">kept</a> {{< ref "about.md" >}}
\`\`\``);
    expect(remarks?.map(({ message }) => message)).toEqual([
      'shortcode youtube is kept as text (2 times)',
      'shortcode tweet is kept as text',
    ]);
    expect(post('content/about.md').content).toBe('Us, and [install](/docs/install/).');
  });

  it('creates menus from configuration and front matter', async () => {
    const { links } = await read(hugoSite());
    expect(links.map(({ title, target, parent, order }) => [title, target, parent !== undefined, order])).toEqual([
      ['Home', 'content/_index.md', false, 1],
      ['Docs', 'docs/', false, 2],
      ['Install', 'content/docs/install.md', true, 3],
      ['About', 'content/about.md', false, 4],
    ]);
  });

  it('finds the image of a bundle', async () => {
    const { post } = await read({
      'hugo.toml': '',
      'content/posts/a/index.md': '---\ntitle: A\n---\n',
      'content/posts/a/featured.png': pixel,
      'content/posts/b/index.md': '---\ntitle: B\nresources:\n  - src: x.png\n    name: cover\n---\n',
      'content/posts/b/x.png': pixel,
    });
    expect([post('content/posts/a/index.md').featuredMedia, post('content/posts/b/index.md').featuredMedia]).toEqual([
      'content/posts/a/featured.png',
      'content/posts/b/x.png',
    ]);
    expect(post('content/posts/a/featured.png').parent).toBe('content/posts/a/index.md');
  });

  it('creates menus from any entries, even cycles', async () => {
    const pages = Array.from(
      { length: 60 },
      (_, at) => `[[menus.main]]\nname = "${at}"\nparent = "${at % 20 === 0 ? at : at - 1}"\n`,
    ).join('');
    const { links } = await read({
      'hugo.toml': `${pages}[[menus.main]]\nname = "x"\nparent = "y"\n[[menus.main]]\nname = "y"\nparent = "x"\n`,
      'content/posts/a.md': 'A',
    });
    expect(links).toHaveLength(62);
    const keys = links.map(({ key }) => key);
    for (const { key, parent } of links) if (parent !== undefined) expect(keys.indexOf(parent)).toBeLessThan(keys.indexOf(key));
  });

  it('uses the largest section for posts if none has a common name', async () => {
    const { post } = await read({
      'hugo.yaml': 'title: x\n',
      'content/walks/a.md': 'A',
      'content/walks/b.md': 'B',
      'content/food/c.md': 'C',
    });
    expect([post('content/walks/a.md').type, post('content/food/c.md').type]).toEqual(['post', 'page']);
  });
});

describe('an Astro site', () => {
  it('is imported without running its configuration', async () => {
    const { posts, site, post, rules } = await read(astroSite());
    expect(site).toMatchObject({
      settings: { name: 'Harbour', description: 'From the quay' },
      addresses: ['https://harbour.example'],
    });
    expect(overview(posts)).toEqual([
      'authors src/content/authors/anna.md',
      'post src/content/blog/first-post.md',
      'post src/content/blog/using-mdx.mdx',
      'page src/pages/about.md',
    ]);
    expect(post('src/content/blog/first-post.md')).toMatchObject({
      date: '2022-07-08T00:00:00',
      modified: '2022-08-01T00:00:00',
      excerpt: 'Lorem',
      status: 'publish',
      featuredMedia: 'src/assets/hero.png',
      link: '/blog/first-post/',
      content: '![x](/uploads/src/content/blog/inside.png) [next](/blog/using-mdx/) [api](/about/)',
    });
    expect(post('src/content/blog/using-mdx.mdx').content).toBe(
      "Text <Chart year={year} /> and {year}.\n\n```js\nimport kept from 'kept';\n```",
    );
    expect(rules('src/content/blog/using-mdx.mdx')).toEqual(['module', 'module', 'template', 'template']);
    expect(posts.filter(({ type }) => type === 'attachment').map(({ media }) => media?.path)).toEqual([
      'favicon.svg',
      'pics/a.png',
      'src/assets/hero.png',
      'src/content/blog/inside.png',
    ]);
  });
});

describe('an Eleventy site', () => {
  it('is imported with data files and navigation', async () => {
    const { posts, site, post, links, items } = await read(eleventySite());
    expect(site.settings).toEqual({ name: 'Harbour', language: 'en_US' });
    expect(overview(posts)).toEqual([
      'page content/about.md',
      'page content/about/team.md < content/about.md',
      'post content/blog/2026-03-05-first.md',
      'post content/blog/with-json.md',
      'page content/index.md',
    ]);
    expect(post('content/blog/2026-03-05-first.md')).toMatchObject({
      slug: 'first',
      date: '2026-03-05T00:00:00',
      author: 'anna-berg',
      terms: { post_tag: ['post_tag:second-tag'] },
      link: '/blog/first/',
      content: '{{ title }} [about](/about/) ![x](/uploads/blog/x.png)',
    });
    expect(post('content/blog/with-json.md')).toMatchObject({ slug: 'place', link: '/special/place/' });
    expect(items.filter(({ kind }) => kind === 'term').map((item) => (item.kind === 'term' ? item.key : ''))).toEqual([
      'post_tag:second-tag',
      'nav_menu:main',
    ]);
    expect(links.map(({ title, target, parent }) => [title, target, parent !== undefined])).toEqual([
      ['Home', 'content/index.md', false],
      ['About', 'content/about.md', false],
      ['Team', 'content/about/team.md', true],
    ]);
  });
});

describe('a folder of notes', () => {
  it('is imported with links between notes', async () => {
    const { posts, post } = await read(plainSite());
    expect(overview(posts)).toEqual([
      'post 2026-04-01 Walk.md',
      'page README.md',
      'post notes/Deep note.md',
      'page notes/',
      'page notes/Other.md < notes/',
      'post posts/2026/05/short.md',
    ]);
    expect(post('README.md')).toMatchObject({
      title: 'Notes of Anna',
      content: '# Notes of Anna\n\nStart with [the note](/notes/Deep%20note).',
    });
    expect(post('notes/Deep note.md')).toMatchObject({
      title: 'Deep note',
      slug: 'deep-note',
      date: '2026-03-05T00:00:00',
      aliases: ['depth'],
      terms: { post_tag: ['post_tag:sea', 'post_tag:low-tide'] },
      extra: { source_status: 'Doing' },
      content:
        'See [Other](/notes/Other), [[Missing one]], [Other › A part](/notes/Other#a-part) and ![](/uploads/notes/Pasted-image.png).',
    });
    expect(post('notes/Other.md').content).toBe(
      '# Other things\n\n[deep](/notes/Deep%20note) [file](/uploads/files/paper.pdf)\n\n    indented',
    );
    expect(post('2026-04-01 Walk.md')).toMatchObject({ slug: 'walk', date: '2026-04-01T00:00:00' });
  });

  it('hides what its front matter hides', async () => {
    const rows: readonly (readonly [line: string, status: string, rules?: readonly string[]])[] = [
      ['draft: true', 'draft'],
      ['Draft: "yes"', 'draft'],
      ['draft: perhaps', 'draft'],
      ['published: false', 'draft'],
      ['published: 2026-03-05', 'publish'],
      ['private: true', 'private'],
      ['private: false', 'publish'],
      ['hidden: true', 'private', ['unlisted']],
      ['unlisted: true', 'private', ['unlisted']],
      ['visibility: members', 'private'],
      ['visibility: public', 'publish'],
      ['status: pending\nprivate: true', 'pending'],
    ];
    const { post, rules } = await read(
      Object.fromEntries(rows.map(([line], n) => [`2026-04-0${(n % 9) + 1} Row ${n}.md`, `---\n${line}\n---\nText\n`])),
    );
    for (const [n, [line, status, remarks = []]] of rows.entries()) {
      const key = `2026-04-0${(n % 9) + 1} Row ${n}.md`;
      expect([line, post(key).status, rules(key)]).toEqual([line, status, remarks]);
    }
  });

  it('may be a cms folder', async () => {
    const { posts, post, items } = await read({
      'site.yaml':
        'name: Own\ndefault_category: notes\nfront_page: about\ntimezone: Europe/Berlin\ntypes:\n  book: { plural: Books, rest_base: books }\n',
      'posts/2026/03/a.md':
        '---\nid: 7\ntitle: A\ncategories: [notes]\nfeatured_media: 2026/03/x.png\nsticky: true\n---\n![x](/uploads/2026/03/x.png)\n',
      'pages/about/index.md': '---\ntitle: About\n---\n',
      'pages/about/team.md': '---\ntitle: Team\norder: 2\n---\n',
      'media/2026/03/x.png': pixel,
      'media/2026/03/x.png.yaml': 'alt: An x\ncaption: C\npost: posts/2026/03/a\n',
      'terms/category/notes.yaml': 'id: 3\nname: Notes\n',
      'users/anna.yaml': 'name: Anna\n',
      'blocks/hint.html': '---\ntitle: Hint\n---\n<p>x</p>',
      'books/tides.md': '---\ntitle: Tides\n---\n',
      'comments/7/1.html': '---\nname: B\n---\nx',
      'menus/main.yaml':
        'name: Main\nitems:\n  - page: about\n    items:\n      - page: about/team\n  - url: https://example.com/\n    title: Out\n',
    });
    expect(overview(posts)).toEqual([
      'cms_block blocks/hint.html',
      'book books/tides.md',
      'page pages/about/index.md',
      'page pages/about/team.md < pages/about/index.md',
      'post posts/2026/03/a.md',
    ]);
    expect(post('posts/2026/03/a.md')).toMatchObject({
      id: 7,
      sticky: true,
      terms: { category: ['category:notes'] },
      featuredMedia: 'media/2026/03/x.png',
      content: '![x](/uploads/2026/03/x.png)',
    });
    expect(post('media/2026/03/x.png')).toMatchObject({
      excerpt: 'C',
      parent: 'posts/2026/03/a.md',
      media: { path: '2026/03/x.png', alt: 'An x' },
    });
    expect(items.filter(({ kind }) => kind === 'menu-link')).toMatchObject([
      { target: 'pages/about/index.md' },
      { target: 'pages/about/team.md', parent: 'nav_menu:main/1' },
      { url: 'https://example.com/' },
    ]);
    expect(items[0]).toMatchObject({ settings: { default_category: 'category:notes', front_page: 'pages/about/index.md' } });
    expect(items.filter((item) => item.kind === 'term' && item.key === 'category:notes')).toHaveLength(1);
    expect(items.find((item) => item.kind === 'term' && item.key === 'category:notes')).toMatchObject({ id: 3, name: 'Notes' });
  });
});

describe('every site', () => {
  const sites: readonly [string, Files][] = [
    ['jekyll', jekyllSite(20)],
    ['hugo', hugoSite(20)],
    ['astro', astroSite(20)],
    ['eleventy', eleventySite(20)],
    ['plain', plainSite(20)],
  ];

  it.each(sites)('%s: both passes return the same items, and so does a second run', async (_, files) => {
    const dir = await folderOf(files);
    const source = await open(dir);
    const bare = (items: readonly SourceItem[]) =>
      items.map((item) => (item.kind === 'post' ? { ...item, content: '', remarks: [] } : item));
    const sourceScan = await all(source, 'scan');
    const write = await all(source, 'write');
    expect(bare(write)).toEqual(bare(sourceScan));
    expect(await all(await open(dir))).toEqual(write);
  });

  it.each(sites)('%s: every reference exists', async (_, files) => {
    const items = await all(await open(await folderOf(files)));
    const keys = new Set(items.flatMap((item) => ('key' in item ? [`${item.kind} ${item.key}`] : [])));
    expect(keys.size).toBe(items.filter((item) => 'key' in item).length);
    for (const item of items) {
      if (item.kind !== 'post') continue;
      for (const key of Object.values(item.terms ?? {}).flat()) expect(keys).toContain(`term ${key}`);
      for (const key of [item.parent, item.featuredMedia]) if (key !== undefined) expect(keys).toContain(`post ${key}`);
      if (item.author !== undefined) expect(keys).toContain(`user ${item.author}`);
    }
  });

  it('is detected', async () => {
    for (const [name, files] of sites) {
      const dir = await folderOf(files);
      expect(await markdownImporter.recognises({ source: dir, path: dir })).toBe(true);
      const importer = markdownImporters.find(({ format }) => format === name);
      const named = await all(
        await (importer as typeof markdownImporter).open({ source: dir, path: dir, scratch: dir, keepGoing: false }),
      );
      expect(named).toEqual(await all(await open(dir)));
    }
    const empty = await folderOf({ 'a.txt': 'x' });
    expect(await markdownImporter.recognises({ source: empty, path: empty })).toBe(false);
    expect(await markdownImporter.recognises({ source: 'https://x.example', path: null })).toBe(false);
  });
});

describe('unreadable input', () => {
  const rows: readonly [name: string, file: string, rule: string, line: number, column: number][] = [
    ['YAML', '---\ntitle: x\n  bad: [\n---\n', 'yaml-syntax', 2, 8],
    ['a key twice', '---\ntitle: x\ntitle: y\n---\n', 'yaml-duplicate-key', 3, 1],
    ['no end', '---\ntitle: x\n', 'front-matter-unclosed', 1, 1],
    ['TOML', '+++\ntitle = "x"\ndate = nonsense\n+++\n', 'toml-syntax', 3, 8],
    ['JSON', '---json\n{\n  "title": x\n}\n---\n', 'json-syntax', 3, 12],
    ['a program', '---js\n{ title: process.exit(3) }\n---\nText\n', 'front-matter-language', 1, 1],
    ['a prototype', '---json\n{ "__proto__": { "a": 1 } }\n---\n', 'yaml-key', 2, 1],
    ['a list', '---\n- a\n---\n', 'yaml-not-a-map', 2, 1],
  ];

  it.each(rows)('%s is refused with its position', async (_, file, rule, line, column) => {
    const dir = await folderOf({
      '_config.yml': 'title: x\n',
      '_posts/2026-01-01-a.md': file,
      '_posts/2026-01-02-b.md': '---\ntitle: B\n---\n',
    });
    await expect(all(await open(dir))).rejects.toMatchObject({ place: { source: '_posts/2026-01-01-a.md', line, column } });
    const items = await all(await open(dir, true));
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'lost',
        what: 'unreadable file',
        remarks: [expect.objectContaining({ severity: 'lost', rule })],
      }),
    );
    expect(items.filter((item) => item.kind === 'post').map((item) => item.kind === 'post' && item.title)).toEqual(['B']);
  });

  it('includes bytes that are not text', async () => {
    const dir = await folderOf({
      '_config.yml': 'title: x\n',
      '_posts/2026-01-01-a.md': Buffer.from('---\ntitle: caf\xe9\n---\n', 'latin1'),
    });
    await expect(all(await open(dir))).rejects.toThrow('UTF-8');
  });

  it('includes a broken configuration', async () => {
    const dir = await folderOf({ '_config.yml': 'title: [\n', 'a.md': 'x' });
    await expect(open(dir)).rejects.toMatchObject({ place: { source: '_config.yml' } });
  });

  it('cannot reach outside the folder', async () => {
    const outside = await folderOf({ 'secret.md': '---\ntitle: Secret\n---\nsecret', 'secret.png': pixel });
    const dir = await folderOf({
      '_config.yml': 'title: x\n',
      '_posts/2026-01-01-a.md': '---\ntitle: A\nimage: ../../secret.png\n---\n![x](../../../../etc/passwd) ![y](../linked.png)\n',
    });
    await symlink(join(outside, 'secret.md'), join(dir, '_posts/2026-01-02-b.md'));
    await symlink(join(outside, 'secret.png'), join(dir, 'linked.png'));
    await symlink(outside, join(dir, 'pages'));
    await symlink(dir, join(dir, 'circle'));
    await writeFile(join(dir, 'real.png'), pixel);
    await symlink(join(dir, 'real.png'), join(dir, 'inside.png'));
    const items = await all(await open(dir));
    const text = JSON.stringify(items);
    expect(text).not.toContain('Secret');
    expect(text).not.toContain(outside);
    expect(items.flatMap((item) => (item.kind === 'post' ? [item.key] : []))).toEqual([
      'inside.png',
      'real.png',
      '_posts/2026-01-01-a.md',
    ]);
    expect(items.flatMap((item) => (item.kind === 'lost' && item.what === 'file' ? [item.place.source] : [])).sort()).toEqual([
      '_posts/2026-01-02-b.md',
      'circle',
      'linked.png',
      'pages',
    ]);
    const post = items.find((item) => item.kind === 'post' && item.key.startsWith('_posts')) as PostItem;
    expect(post.remarks?.map(({ rule }) => rule)).toEqual(['missing-image', 'broken-link', 'broken-link']);
    expect(post.extra).toEqual({ image: '../../secret.png' });
  });

  it('includes names that objects inherit', async () => {
    const { items } = await read({
      'hugo.toml': 'title = "x"\n[permalinks]\nposts = "/:constructor/:slug/"\n',
      'content/constructor/a/_index.md': 'A',
      'content/posts/toString.md': '---\ncategories: [constructor]\nauthor: constructor\ntoString: 1\n---\nx',
    });
    expect(items.filter(({ kind }) => kind === 'post').map((item) => ('key' in item ? item.key : ''))).toEqual(
      ['content/constructor/a/_index.md', 'constructor/', 'content/posts/toString.md'].sort((a, b) =>
        a === 'constructor/' ? -1 : b === 'constructor/' ? 1 : 0,
      ),
    );
  });

  it('takes linear time when hostile', async () => {
    const bombs = [
      '`'.repeat(60_000),
      '['.repeat(60_000),
      '[['.repeat(30_000),
      '{{<'.repeat(20_000),
      ']('.repeat(30_000),
      ' href="'.repeat(10_000),
      `${'a'.repeat(60_000)}(`.repeat(2),
      '{{ "'.repeat(20_000),
      'import '.repeat(20_000),
      '<!--'.repeat(20_000),
      'import {\n'.repeat(20_000),
      'import a\n'.repeat(20_000),
      '{% link '.repeat(20_000),
      '\n'.repeat(100_000),
      '- ```\n'.repeat(20_000),
    ];
    const files = Object.fromEntries(
      bombs.flatMap((bomb, at) => [
        [`notes/${at}.md`, `---\ndate: 2026-01-01\n---\n${bomb}`],
        [`src/content/blog/${at}.mdx`, bomb],
      ]),
    );
    for (const extra of [{}, { 'hugo.toml': '' }, { '_config.yml': 'a: b\n' }] as Files[]) {
      const dir = await folderOf({ ...files, ...extra });
      expect(await cpuMs(async () => all(await open(dir)))).toBeLessThan(10_000);
    }
  });

  it('includes a path that is not a folder', async () => {
    const dir = await folderOf({ 'a.md': 'x' });
    await mkdir(join(dir, 'empty'));
    await expect(open(join(dir, 'a.md'))).rejects.toThrow('is not a folder');
    await expect(open(join(dir, 'empty'))).rejects.toThrow('no Markdown files');
  });
});
