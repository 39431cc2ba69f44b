/** The intake: rows of items, and the files and reports they make. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { type SourceItem, SourceError } from '../../../src/transfer/import/items.ts';
import type { ImportReport, ImportOutcome } from '../../../src/transfer/import/report.ts';
import { filesIn } from '../../cli/run.ts';
import { bring, bringUntil, comment, freshFolder, link, media, page, post, rows, site, term, user } from './rows.ts';

const opened: Site[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function opens(dir: string): Promise<Site> {
  const one = await openSite(dir, { readOnly: true });
  opened.push(one);
  return one;
}

/** A new site with what the items say. */
async function imported(
  ...items: readonly SourceItem[]
): Promise<{ dir: string; report: ImportReport; files: Record<string, string> }> {
  const dir = await freshFolder();
  const report = await bring(dir, rows([site(), ...items]));
  return { dir, report, files: await filesIn(dir) };
}

const total = (report: ImportReport, outcome: ImportOutcome): number => report.rows.reduce((sum, row) => sum + row[outcome], 0);
const said = (report: ImportReport): readonly string[] => report.remarks.map(({ rule, what }) => `${rule} ${what}`);

describe('an imported item', () => {
  const cases: readonly {
    name: string;
    items: readonly SourceItem[];
    files?: Record<string, string | RegExp>;
    rules?: readonly string[];
  }[] = [
    {
      name: 'a post with everything',
      items: [
        user('anna'),
        term('news', { id: 9 }),
        media('2024/05/cat.jpg', { id: 20, url: 'https://old.example/files/2024/05/cat.jpg' }),
        post('hello', {
          id: 10,
          author: 'anna',
          terms: { category: ['news'] },
          featuredMedia: '2024/05/cat.jpg',
          sticky: true,
          format: 'aside',
          password: 'x',
          excerpt: 'Short.',
          template: 'wide',
          comments: 'closed',
          modified: '2024-06-01T00:00:00',
          meta: { _private: 'a', list: ['1', 2] },
          extra: { mood: 'calm' },
          aliases: ['hullo'],
        }),
      ],
      files: {
        'posts/2024/05/hello.html':
          "---\nid: 10\ntitle: Title of hello\ndate: 2024-05-06T07:08:09\nmodified: 2024-06-01T00:00:00\nauthor: anna\nexcerpt: Short.\ncategories:\n  - news\nfeatured_media: 2024/05/cat.jpg\nformat: aside\nsticky: true\ncomments: closed\ntemplate: wide\npassword: x\nmeta:\n  _private: a\n  list:\n    - '1'\n    - 2\naliases:\n  - hullo\nmood: calm\n---\n<p>Text of hello.</p>\n",
      },
      rules: ['missing-bytes attachment "Title of cat"'],
    },
    {
      name: 'pages stand below their parents, whatever comes first',
      items: [page('team', { parent: 'about' }), page('about', { id: 7 }), page('staff', { parent: 'team' })],
      files: { 'pages/about/index.html': /id: 7/, 'pages/about/team/index.html': /team/, 'pages/about/team/staff.html': /staff/ },
    },
    {
      name: 'a circle of parents is opened',
      items: [page('a', { parent: 'c' }), page('b', { parent: 'a' }), page('c', { parent: 'b' })],
      rules: ['parent-loop page "Title of b"'],
    },
    {
      name: 'what is not there is said and left out',
      items: [
        post('x', { author: 'nobody', featuredMedia: 'no.jpg', terms: { category: ['none'] } }),
        page('y', { parent: 'z' }),
      ],
      rules: Array.from({ length: 3 }, () => 'unknown-reference post "Title of x"').concat('unknown-reference page "Title of y"'),
    },
    {
      name: 'one slug twice',
      items: [post('same', { key: 'a', id: 10 }), post('same', { key: 'b', id: 11, date: '2023-01-01T00:00:00', dateGmt: '' })],
      files: { 'posts/2024/05/same.html': /id: 10/, 'posts/2023/01/same-2.html': /id: 11/ },
      rules: ['slug post "Title of same"'],
    },
    {
      name: 'drafts share slugs, and have none of their own date',
      items: [post('d', { key: 'a', status: 'draft', date: '', dateGmt: '' }), post('d', { key: 'b', status: 'draft', id: 50 })],
      files: {
        'posts/d.html': /^---\nid: 51\ntitle: Title of d\nstatus: draft\ncategories: \[\]\n---/,
        'posts/2024/05/d.html': /id: 50/,
      },
    },
    {
      name: 'an id that is taken',
      items: [post('a', { id: 10 }), page('b', { id: 10 })],
      files: { 'posts/2024/05/a.html': /id: 10\n/, 'pages/b.html': /id: 11\n/ },
      rules: ['renumbered page b'],
    },
    {
      name: 'an unknown status is a draft, an unknown format none',
      items: [post('x', { status: 'shipped', format: 'poem' })],
      files: { 'posts/2024/05/x.html': /status: draft/ },
      rules: ['unknown-status post "Title of x"', 'unknown-format post "Title of x"'],
    },
    {
      name: 'no status and one that only media have are drafts',
      items: [post('x', { status: '' }), post('y', { status: 'inherit' })],
      files: { 'posts/2024/05/x.html': /status: draft/, 'posts/2024/05/y.html': /status: draft/ },
      rules: ['unknown-status post "Title of x"', 'unknown-status post "Title of y"'],
    },
    {
      name: 'a published post without a date has that of its file',
      items: [post('x', { date: '', dateGmt: '' })],
      files: { 'posts/x.html': '---\nid: 4\ntitle: Title of x\ncategories: []\n---\n<p>Text of x.</p>\n' },
      rules: ['undated post "Title of x"'],
    },
    {
      name: 'a date that is none',
      items: [post('x', { date: '2024-02-31T00:00:00', dateGmt: '' })],
      rules: ['unreadable-date post "Title of x"', 'undated post "Title of x"'],
    },
    {
      name: 'both times of a date are kept where the zone does not mean both',
      items: [post('x', { date: '2024-05-06T09:00:00', dateGmt: '2024-05-06T07:00:00' })],
      files: { 'posts/2024/05/x.html': /date: 2024-05-06T09:00:00\+02:00/ },
    },
    {
      name: 'names that no file can have',
      items: [
        post('con', {}),
        post('index', { key: 'i', guid: 'https://old.example/?p=5' }),
        media('2024/../..//a b?.jpg', { url: 'https://old.example/x.jpg' }),
      ],
      files: {
        'posts/2024/05/con+.html': /Title/,
        'posts/2024/05/index-5.html': /slug: index/,
        'media/2024/a-b.jpg.yaml': /fetch: /,
      },
    },
    {
      name: 'files of no kind of media',
      items: [media('2024/05/run.php'), post('x', { featuredMedia: '2024/05/run.php' })],
      rules: ['media-kind attachment "Title of run"', 'unknown-reference post "Title of x"'],
    },
    { name: 'revisions and other parts', items: [post('r', { type: 'revision' })], rules: ['no-place revision "Title of r"'] },
    { name: 'the same key twice', items: [post('a'), post('a', { title: 'Another' })], rules: ['duplicate-key post "Another"'] },
    {
      name: 'meta that files cannot hold',
      items: [post('x', { meta: { ['k'.repeat(1001)]: 1, fine: 'a', half: 0.5 } })],
      files: { 'posts/2024/05/x.html': /meta:\n {2}fine: a\n {2}half: '0.5'\n/ },
      rules: ['meta post "Title of x"', 'meta-as-text post "Title of x"'],
    },
    {
      name: 'front matter that is too large loses its largest values',
      items: [post('x', { meta: { big: 'b'.repeat(1_200_000), small: 'a' } })],
      files: { 'posts/2024/05/x.html': /meta:\n {2}small: a\n/ },
      rules: ['too-large post "Title of x"'],
    },
    {
      name: 'terms below their parents, and a circle of them',
      items: [
        term('b', { parent: 'a' }),
        term('a', { parent: 'b' }),
        term('c', { parent: 'b', name: 'C & D' }),
        term('t', { taxonomy: 'post_tag' }),
      ],
      files: { 'terms/category/c.yaml': /name: C & D\nparent: b/, 'terms/tag/t.yaml': /name: t/ },
      rules: ['parent-loop category "a"'],
    },
    {
      name: 'comments with their answers; who wrote them is private',
      items: [
        comment('2', 'p', { parent: '1', id: 8, author: 'anna', name: 'anna' }),
        comment('1', 'p', { id: 7, email: 'bea@example.com', ip: '192.0.2.1', status: 'hold' }),
        post('p', { id: 30 }),
        user('anna'),
      ],
      files: {
        'comments/30/7.html': '---\nid: 7\nname: Bea\ndate: 2024-05-07T08:00:00\nstatus: hold\n---\nComment 1\n',
        'comments/30/8.html': '---\nid: 8\nparent: 7\nauthor: anna\ndate: 2024-05-07T08:00:00\n---\nComment 2\n',
      },
    },
    { name: 'a comment on what is not there', items: [comment('1', 'none')], rules: ['no-post comment 1'] },
    {
      name: 'a menu, nested',
      items: [
        term('main', { taxonomy: 'nav_menu', name: 'Main', id: 40, locations: ['primary'] }),
        link('b', 'main', { order: 2, parent: 'a', itemType: 'post_type', object: 'page', target: 'team', title: '', id: 51 }),
        link('a', 'main', { order: 1, id: 50, window: '_blank', url: 'https://old.example/files/2024/05/a.pdf' }),
        link('c', 'main', { order: 3, itemType: 'taxonomy', object: 'category', target: 'news', title: 'News', id: 52 }),
        link('d', 'main', { order: 4, itemType: 'post_type', object: 'post', target: 'gone', title: '' }),
        link('e', 'main', { order: 5, parent: 'd', id: 54 }),
        page('about'),
        page('team', { parent: 'about' }),
        term('news'),
        media('2024/05/a.pdf', { url: 'https://old.example/files/2024/05/a.pdf' }),
      ],
      files: {
        'menus/main.yaml':
          'id: 40\nname: Main\nlocations:\n  - primary\nitems:\n  - url: /uploads/2024/05/a.pdf\n    title: a\n    target: _blank\n    id: 50\n    items:\n      - page: about/team\n        id: 51\n  - category: news\n    title: News\n    id: 52\n  - url: https://example.com/\n    title: e\n    id: 54\n    order: 5\n',
        'site.yaml': /menu_locations:\n {2}primary: primary/,
      },
      rules: ['menu-target menu link "https://example.com/"', 'missing-bytes attachment "Title of a"'],
    },
    {
      name: 'a menu whose ids another has first keeps its levels',
      items: [
        term('flat', { taxonomy: 'nav_menu', id: 40 }),
        term('deep', { taxonomy: 'nav_menu', id: 41 }),
        link('50', 'flat', { id: 50 }),
        link('50, again', 'deep', { id: 50 }),
        link('c', 'deep', { id: 51, parent: '50', order: 2 }),
      ],
      files: { 'menus/deep.yaml': /title: 50, again\n {4}id: \d+\n {4}items:\n {6}- url: .*\n {8}title: c\n/ },
    },
    {
      name: 'menu links in no menu stand in a file of their own',
      items: [
        link('a', '', { id: 50 }),
        link('b', 'gone', { id: 51, parent: 'a', order: 2 }),
        link('c', '', { id: 52, itemType: 'taxonomy', object: 'category', target: 'none' }),
      ],
      files: {
        'menus/_loose.yaml':
          'items:\n  - url: https://example.com/\n    title: a\n    id: 50\n    items:\n      - url: https://example.com/\n        title: b\n        id: 51\n',
      },
      rules: ['menu-target menu link "c"', 'no-menu menu link "b"'],
    },
    {
      name: 'a slug that the source has stays, though it would not be given here',
      items: [post('1984'), page('feed')],
      files: { 'posts/2024/05/1984.html': /Text/, 'pages/feed.html': /Text/ },
      rules: [],
    },
    {
      name: 'styles of the theme of the source are those of the users here',
      items: [
        post('sea', { type: 'cms_global_styles', content: '{"styles":{}}', meta: { theme: 'sea' } }),
        post('dark', { type: 'cms_global_styles', content: '{"styles":{}}', meta: { theme: 'dark' } }),
      ],
      files: { 'styles/sea.md': /theme: sea/, 'styles/dark.md': /theme: dark/ },
    },
    {
      name: 'types and taxonomies that are new are declared with what their items use',
      items: [
        {
          kind: 'type',
          name: 'book',
          declaration: { plural: 'Books', singular: 'Book', rest_base: 'pages', supports: ['title'] },
          place: { source: 'rows' },
        },
        post('dune', { type: 'book', order: 2, terms: { genre: ['sf'], author: ['herbert'] }, comments: 'open' }),
        post('x', { type: 'Press Release!' }),
        term('sf', { taxonomy: 'genre' }),
        term('herbert', { taxonomy: 'author' }),
      ],
      files: {
        'book/dune.html': /order: 2\n/,
        'press-release/x.html': /Title of x/,
        'terms/genre/sf.yaml': /sf/,
        'site.yaml': /book:\n {4}plural: Books\n {4}singular: Book\n {4}rest_base: book|rest_base/,
      },
      rules: ['renamed-kind type Press Release!'],
    },
    {
      name: 'people: a profile for all, an account for those with a login; administrators are made by hand',
      items: [
        user('anna', { name: 'Anna', email: 'anna@old.example', roles: ['administrator'], id: 5 }),
        user('ghost', { login: '', name: 'A Ghost' }),
      ],
      files: { 'users/anna.yaml': 'id: 5\nname: Anna\n', 'users/ghost.yaml': 'id: 6\nname: A Ghost\n' },
      rules: ['administrator user "anna"'],
    },
    {
      name: 'one who is here already is the same person',
      items: [user('admin', { name: 'The Chief', id: 77, email: 'other@old.example' }), post('x', { author: 'admin' })],
      files: { 'posts/2024/05/x.html': /author: admin/, 'users/admin.yaml': 'id: 1\nname: The Chief\n' },
      rules: [],
    },
    {
      name: 'patterns, navigation, templates and fonts',
      items: [
        post('hero', { type: 'cms_block' }),
        post('top', { type: 'cms_navigation' }),
        post('single', { type: 'cms_template', terms: { theme: ['t'] } }),
        post('header', { type: 'cms_template_part', meta: { area: 'header' } }),
        post('inter', {
          id: 8,
          type: 'cms_font_family',
          title: 'Inter',
          content: '{"name":"Inter","fontFamily":"Inter, sans-serif"}',
        }),
        post('face', {
          id: 9,
          type: 'cms_font_face',
          parent: 'inter',
          content: '{"fontStyle":"normal","src":"https://old.example/files/fonts/inter.woff2"}',
        }),
      ],
      files: {
        'blocks/hero.html': /Title/,
        'navigation/top.html': /Title/,
        'templates/single.html': /Title/,
        'template-parts/header.html': /area: header/,
        'fonts/inter.yaml': /fontFamily: Inter, sans-serif/,
        'fonts/inter/face-9.yaml': /src: /,
      },
      rules: ['no-taxonomy cms_template "Title of single"', 'font-elsewhere cms_font_face "Title of face"'],
    },
    {
      name: 'links and ids inside texts are those of here',
      items: [
        post('a', { id: 10, link: 'https://old.example/2024/a/' }),
        page('b', {
          id: 10,
          key: 'bb',
          content:
            '<!-- wp:image {"id":12} --><img class="wp-image-12" src="https://old.example/files/2024/05/cat-300x200.jpg"/><!-- /wp:image --><a href="https://old.example/2024/a/?x=1#y">a</a> <a href="https://old.example/nowhere/">n</a>',
        }),
        media('2024/05/cat.jpg', { id: 12, url: 'https://old.example/files/2024/05/cat.jpg' }),
      ],
      files: {
        'pages/b.html': /src="\/uploads\/2024\/05\/cat-300x200\.jpg".*href="\/a\/\?x=1#y".*https:\/\/old\.example\/nowhere\//,
      },
    },
  ];

  it.each(cases)('$name', async ({ items, files: wanted = {}, rules }) => {
    const { dir, report, files } = await imported(...items);
    for (const [path, text] of Object.entries(wanted)) {
      expect(Object.keys(files)).toContain(path);
      if (typeof text === 'string') expect(files[path]).toBe(text);
      else expect(files[path]).toMatch(text);
    }
    if (rules) expect([...said(report)].sort()).toEqual([...rules].sort());
    expect(total(report, 'failed')).toBe(0);
    expect(report.complete).toBe(true);
    // The same again changes nothing, and says so.
    const again = await bring(dir, rows([site(), ...items]));
    expect(await filesIn(dir)).toEqual(files);
    expect(total(again, 'new') + total(again, 'updated')).toBe(0);
    // Also where nobody remembers the first time.
    await rm(join(dir, '.cms/cache'), { recursive: true, force: true });
    await bring(dir, rows([site(), ...items]));
    expect(Object.keys(await filesIn(dir))).toEqual(Object.keys(files));
  });

  it('keeps private data of users and commenters out of the content', async () => {
    const { dir, files } = await imported(
      user('anna', {
        email: 'anna@old.example',
        roles: ['editor'],
        registered: '2020-01-01T00:00:00',
        meta: { session: 'secret' },
      }),
      post('p', { id: 30 }),
      comment('1', 'p', { id: 7, email: 'bea@example.com', ip: '192.0.2.1', agent: 'Browser' }),
    );
    expect(JSON.stringify(files)).not.toMatch(/anna@|bea@|192\.0|secret|editor/);
    const one = await opens(dir);
    expect(one.accounts.byLogin('anna')).toMatchObject({
      email: 'anna@old.example',
      roles: ['editor'],
      passwordHash: '',
      applicationPasswords: [],
    });
    expect(one.commenters.get(7)).toEqual({ email: 'bea@example.com', ip: '192.0.2.1', agent: 'Browser' });
  });

  it("brings the source's settings into a new site only", async () => {
    const settings = {
      description: 'Tag',
      timezone: 'Europe/Berlin',
      permalink: '/{year}/{slug}/',
      posts_per_page: 5,
      front: 'page',
      front_page: 'about',
      icon: 20,
      nonsense: 1,
      start_of_week: 'x',
    };
    const items = [
      site(settings),
      page('about'),
      media('2024/05/i.png', { id: 20, url: 'https://old.example/files/2024/05/i.png' }),
    ];
    const dir = await freshFolder();
    const report = await bring(dir, rows(items));
    const one = await opens(dir);
    const values = ['name', 'description', 'timezone', 'permalink', 'posts_per_page', 'front_page', 'icon'].map((key) =>
      one.settings.stored(key),
    );
    expect(values).toEqual(['Old Site', 'Tag', 'Europe/Berlin', '/{year}/{slug}/', 5, 'about', '2024/05/i.png']);
    expect(report.rules).toMatchObject({ 'unknown-setting': 1, setting: 1 });
    const before = (await filesIn(dir))['site.yaml'];
    await bring(dir, rows([site({ permalink: '/x/{slug}/' })]));
    expect((await filesIn(dir))['site.yaml']).toBe(before);
  });

  it("brings the source's default category into a new site", async () => {
    const { dir, files } = await imported(term('blog', { id: 1 }), post('x', { terms: { category: ['blog'] } }));
    expect(files['terms/category/blog.yaml']).toBe('id: 1\nname: blog\n');
    expect(files['terms/category/uncategorized.yaml']).toBeUndefined();
    expect((await opens(dir)).settings.stored('default_category')).toBe('blog');
  });
});

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('an existing site', () => {
  it('gets custom fields by type if a text matches exactly', async () => {
    const dir = await freshFolder();
    await bring(dir, rows([site()]));
    const declared =
      'types:\n  book:\n    plural: Books\n    singular: Book\n    fields: { pages: integer, price: number, sold: boolean, isbn: string }\n';
    await writeFile(join(dir, 'site.yaml'), `${await readFile(join(dir, 'site.yaml'), 'utf8')}${declared}`);
    const meta = { pages: '412', price: '9.90', sold: '1', isbn: '0441' };
    await bring(
      dir,
      rows([site(), post('dune', { type: 'book', meta }), post('emma', { type: 'book', meta: { pages: '0412', sold: 'yes' } })]),
    );
    const { 'book/dune.html': dune, 'book/emma.html': emma } = await filesIn(dir);
    expect(dune).toContain("  pages: 412\n  price: '9.90'\n  sold: true\n  isbn: '0441'\n");
    expect(emma).toContain("  pages: '0412'\n  sold: 'yes'\n");
  });

  it.each([
    { present: {}, becomes: 'styles/site.md' },
    { present: { 'styles/site.md': '---\nid: 90\ntitle: Ours\n---\n{}' }, becomes: 'styles/sea.md' },
  ])("gets the source's styles if it has none: $becomes", async ({ present, becomes }) => {
    const dir = await freshFolder();
    await bring(dir, rows([site()]));
    await mkdir(join(dir, 'styles'));
    for (const [path, text] of Object.entries(present)) await writeFile(join(dir, path), text);
    const styles = post('sea', { type: 'cms_global_styles', content: '{"styles":{"color":{}}}', meta: { theme: 'sea' } });
    await bring(dir, rows([site({ theme: { stylesheet: 'sea' } }), styles]));
    const files = await filesIn(dir);
    expect(Object.keys(files).filter((path) => path.startsWith('styles/'))).toEqual(
      [...new Set([...Object.keys(present), becomes])].sort(),
    );
    expect(files[becomes]).toContain('{"styles":{"color":{}}}');
    expect(files[becomes]?.includes('theme: sea')).toBe(becomes === 'styles/sea.md');
  });

  it('keeps the ids of its menu items, whatever has them in the source', async () => {
    const dir = await freshFolder();
    const main = term('main', { taxonomy: 'nav_menu', id: 40 });
    await bring(dir, rows([site(), main, link('a', 'main', { id: 50 }), link('l', '', { id: 51 })]));
    const before = await filesIn(dir);
    const again = await bring(dir, rows([site(), main, link('a', 'main', { id: 50 }), link('l', '', { id: 51 })]));
    expect(said(again)).toEqual([]);
    const more = [
      link('a', 'main', { id: 50, title: 'A' }),
      link('b', 'main', { id: 53, order: 2 }),
      link('l', '', { id: 51, title: 'L' }),
    ];
    const changed = await bring(dir, rows([site(), main, ...more]));
    expect([said(changed), total(changed, 'updated')]).toEqual([[], 4]);
    const after = await filesIn(dir);
    expect(after['menus/main.yaml']).toBe(
      `${before['menus/main.yaml']?.replace('title: a', 'title: A')}  - url: https://example.com/\n    title: b\n    id: 53\n`,
    );
    expect(after['menus/_loose.yaml']).toBe(before['menus/_loose.yaml']?.replace('title: l', 'title: L'));
  });
});

describe('attachment files', () => {
  const url = 'https://old.example/files/2024/05/dot.png';
  const items = [site(), media('2024/05/dot.png', { url }), post('p', { featuredMedia: '2024/05/dot.png' })];

  it('come with the source, and later if they were missing', async () => {
    const dir = await freshFolder();
    const first = await bring(dir, rows(items));
    expect(first.files).toEqual({ brought: 0, missing: 1, bytes: 0 });
    expect((await filesIn(dir))['media/2024/05/dot.png.yaml']).toContain(`fetch: ${url}`);
    const second = await bring(dir, rows(items, { '2024/05/dot.png': pixel }));
    expect(second.files).toEqual({ brought: 1, missing: 0, bytes: pixel.length });
    const files = await filesIn(dir);
    expect(files['media/2024/05/dot.png.yaml']).not.toContain('fetch');
    expect(await readFile(join(dir, 'media/2024/05/dot.png'))).toEqual(pixel);
    const third = await bring(dir, rows(items, { '2024/05/dot.png': pixel }));
    expect([total(third, 'unchanged'), total(third, 'kept'), third.files]).toEqual([2, 0, { brought: 0, missing: 0, bytes: 0 }]);
    expect(await filesIn(dir)).toEqual(files);
  });

  it('are skipped on request', async () => {
    const dir = await freshFolder();
    const report = await bring(dir, rows(items, { '2024/05/dot.png': pixel }), { media: false });
    expect(report.files).toEqual({ brought: 0, missing: 1, bytes: 0 });
    expect(Object.keys(await filesIn(dir))).not.toContain('media/2024/05/dot.png');
  });
});

describe('a second run', () => {
  const first = [site(), post('a'), post('b'), page('c'), term('t', { name: 'T' }), user('u', { name: 'U' })];

  it('updates files that nobody has edited', async () => {
    const dir = await freshFolder();
    await bring(dir, rows(first));
    const before = await filesIn(dir);
    const changed = first.map((item) =>
      item.kind === 'post' && item.slug === 'a'
        ? { ...item, title: 'New title', slug: 'a2', content: 'New', sticky: true }
        : item,
    );
    const report = await bring(dir, rows(changed));
    expect([total(report, 'updated'), total(report, 'unchanged'), total(report, 'new')]).toEqual([1, 4, 0]);
    const after = await filesIn(dir);
    expect(after['posts/2024/05/a.html']).toBe(
      '---\nid: 4\ntitle: New title\nslug: a2\ndate: 2024-05-06T07:08:09\ncategories: []\nsticky: true\naliases:\n  - a\n---\nNew\n',
    );
    expect({ ...after, 'posts/2024/05/a.html': '' }).toEqual({ ...before, 'posts/2024/05/a.html': '' });
  });

  it('keeps edits and deletions, and reports them; --update does not', async () => {
    const dir = await freshFolder();
    await bring(dir, rows(first));
    const imported = await filesIn(dir);
    const path = join(dir, 'posts/2024/05/a.html');
    await writeFile(path, `${imported['posts/2024/05/a.html']}\nOurs.\n`);
    await rm(join(dir, 'posts/2024/05/b.html'));
    const edited = await filesIn(dir);
    const report = await bring(dir, rows(first));
    expect(await filesIn(dir)).toEqual(edited);
    expect(said(report)).toEqual(['edited-here post "Title of a"', 'deleted-here post "Title of b"']);
    expect(total(report, 'kept')).toBe(2);
    expect(said(await bring(dir, rows(first)))).toEqual(['edited-here post "Title of a"']);
    const forced = await bring(dir, rows(first), { update: true });
    expect([total(forced, 'updated'), total(forced, 'new')]).toEqual([1, 1]);
    expect(await filesIn(dir)).toEqual(imported);
  });

  it('--update keeps the former slug of an item as an alias, whatever was edited', async () => {
    const dir = await freshFolder();
    await bring(dir, rows(first));
    const path = join(dir, 'posts/2024/05/a.html');
    await writeFile(path, `${await readFile(path, 'utf8')}\nOurs.\n`);
    const renamed = first.map((item) => (item.kind === 'post' && item.slug === 'a' ? { ...item, slug: 'a2' } : item));
    expect(total(await bring(dir, rows(renamed)), 'kept')).toBe(1);
    expect(total(await bring(dir, rows(renamed), { update: true }), 'updated')).toBe(1);
    expect((await filesIn(dir))['posts/2024/05/a.html']).toMatch(/^slug: a2$[\s\S]*^aliases:\n {2}- a$/m);
  });

  it('does not take for an edit what the site itself has done: dates, and media fetched', async () => {
    const dir = await freshFolder();
    const undated = { date: '', dateGmt: '' };
    const url = 'https://old.example/files/a.png';
    const items = (title: string) => [
      site(),
      page('about', { ...undated, title }),
      page('draft', { ...undated, title, status: 'draft' }),
      media('2024/05/a.png', { ...undated, url, title }),
    ];
    await bring(dir, rows(items('First')));
    const sidecar = join(dir, 'media/2024/05/a.png.yaml');
    await writeFile(sidecar, (await readFile(sidecar, 'utf8')).replace(/^fetch: .*\n/m, ''));
    await writeFile(join(dir, 'media/2024/05/a.png'), pixel);
    const served = await openSite(dir);
    await served.close();
    const dated = await filesIn(dir);
    const [, date = ''] = /^date: (.*)$/m.exec(dated['pages/about.html'] ?? '') ?? [];
    expect([date, dated['media/2024/05/a.png.yaml']]).toEqual([
      expect.stringMatching(/^\d{4}-/),
      expect.stringContaining('date: '),
    ]);
    const second = await bring(dir, rows(items('First')));
    expect([said(second), total(second, 'updated')]).toEqual([[], 0]);
    expect(await filesIn(dir)).toEqual(dated);
    const third = await bring(dir, rows(items('Second')));
    expect([said(third).filter((one) => one.startsWith('edited')), total(third, 'updated')]).toEqual([[], 3]);
    const files = await filesIn(dir);
    expect(files['pages/about.html']).toBe(dated['pages/about.html']?.replace('title: First', 'title: Second'));
    expect(files['media/2024/05/a.png.yaml']).toContain('date: ');
    await writeFile(join(dir, 'pages/about.html'), `${files['pages/about.html']}More\n`);
    expect(said(await bring(dir, rows(items('Second'))))).toEqual(['edited-here page "Second"']);
  });

  it('finds moved files', async () => {
    const dir = await freshFolder();
    await bring(dir, rows(first));
    const files = await filesIn(dir);
    await rm(join(dir, 'posts/2024/05/a.html'));
    await writeFile(join(dir, 'posts/moved.html'), files['posts/2024/05/a.html'] as string);
    const report = await bring(dir, rows(first));
    expect(total(report, 'unchanged')).toBe(5);
    expect(Object.keys(await filesIn(dir))).not.toContain('posts/2024/05/a.html');
  });

  it('is not misled by existing files', async () => {
    const dir = await freshFolder();
    await bring(dir, rows([site(), post('a', { id: 10, guid: 'https://one.example/?p=10' })]));
    const other = {
      ...rows([site(), post('a', { id: 10, guid: 'https://two.example/?p=10', title: 'Another' })]),
      name: 'other',
    };
    const report = await bring(dir, other);
    const files = await filesIn(dir);
    // The same id, type and slug: taken for the same, and left alone.
    expect([total(report, 'kept'), files['posts/2024/05/a.html']?.includes('Title of a')]).toEqual([1, true]);
    const third = { ...rows([site(), post('a', { id: 11, title: 'Third' })]), name: 'third' };
    await bring(dir, third);
    expect((await filesIn(dir))['posts/2024/05/a-2.html']).toMatch(/id: 11\ntitle: Third/);
  });
});

describe('an interrupted import', () => {
  const items: readonly SourceItem[] = [
    site(),
    user('u'),
    term('t'),
    ...Array.from({ length: 30 }, (_, at) =>
      post(`p${at}`, { id: 100 + at, author: 'u', ...(at % 3 === 0 ? { featuredMedia: `m${at}.png` } : {}) }),
    ),
    ...Array.from({ length: 10 }, (_, at) =>
      media(`m${at * 3}.png`, { id: 20 + at, url: `https://old.example/files/m${at * 3}.png` }),
    ),
    ...Array.from({ length: 30 }, (_, at) => comment(`c${at}`, `p${at}`, { email: `c${at}@example.com` })),
  ];

  it.each([1, 3, 20, 41, 60])('resumes: after %i items', async (after) => {
    const whole = await freshFolder();
    await bring(whole, rows(items), { maxChanges: 4 });
    const dir = await freshFolder();
    const first = await bringUntil(after, dir, rows(items), { maxChanges: 4 });
    expect(first.complete).toBe(false);
    const second = await bring(dir, rows(items), { maxChanges: 4 });
    expect(second.complete).toBe(true);
    expect(await filesIn(dir)).toEqual(await filesIn(whole));
    expect(total(first, 'new') + total(second, 'new')).toBe(items.length - 1 + 1);
  });

  it('leaves nothing of a source that fails in the first pass, unless told to keep going', async () => {
    const broken = (pass: 'scan' | 'write' | 'both') => {
      const source = rows(items);
      return {
        ...source,
        async *items(now: 'scan' | 'write') {
          let seen = 0;
          for await (const item of source.items(now)) {
            if (seen++ === 10 && (pass === 'both' || pass === now)) throw new SourceError('broken', { source: 'rows', line: 3 });
            yield item;
          }
        },
      };
    };
    const dir = await freshFolder();
    await expect(bring(dir, broken('scan'))).rejects.toThrow('broken');
    await expect(readFile(join(dir, 'site.yaml'))).rejects.toThrow();
    const partial = await bring(dir, broken('both'), { keepGoing: true });
    expect([partial.complete, partial.remarks[0]?.severity]).toEqual([false, 'error']);
    expect(Object.keys(await filesIn(dir)).filter((path) => path.startsWith('posts/'))).toHaveLength(7);
    const later = await bring(dir, broken('write'));
    expect([later.complete, total(later, 'failed')]).toEqual([false, 0]);
  });
});

it('an import writes Markdown where it means the same, and keeps other markup', async () => {
  const dir = await freshFolder();
  const gallery = '<!-- wp:gallery -->\n<figure class="wp-block-gallery"><img src="x.jpg"/></figure>\n<!-- /wp:gallery -->';
  const items = [
    site(),
    post('plain', { content: '<p>Some <strong>bold</strong> text.</p>' }),
    post('rich', { content: gallery }),
  ];
  const report = await bring(dir, rows(items), { toMarkdown: 'strict' });
  const files = await filesIn(dir);
  expect(files['posts/2024/05/plain.md']).toMatch(/\nSome \*\*bold\*\* text\.\n$/);
  expect(files['posts/2024/05/rich.html']).toContain(gallery);
  expect([report.markdown, said(report)]).toEqual([{ converted: 1, kept: 1 }, ['kept-as-markup post "Title of rich"']]);
  // Asked for otherwise, what nobody has touched is written otherwise.
  await bring(dir, rows(items));
  expect(Object.keys(await filesIn(dir)).filter((path) => path.startsWith('posts/'))).toEqual([
    'posts/2024/05/plain.html',
    'posts/2024/05/rich.html',
  ]);
});

it('a dry run writes nothing', async () => {
  const dir = await freshFolder();
  await bring(dir, rows([site(), post('a')]));
  const before = await filesIn(dir, { own: true });
  const items = [
    site(),
    post('a', { title: 'Changed' }),
    post('b', { type: 'book' }),
    user('u', { email: 'u@x.org' }),
    comment('c', 'b', { email: 'c@x.org' }),
    term('t', { taxonomy: 'nav_menu' }),
    media('a.png', { url: 'https://old.example/a.png' }),
  ];
  const report = await bring(dir, rows(items), { dryRun: true });
  expect([total(report, 'updated'), total(report, 'new')]).toEqual([1, 7]);
  expect(await filesIn(dir, { own: true })).toEqual(before);
});

it('an import does not overwrite a file that appears meanwhile', async () => {
  const dir = await freshFolder();
  await bring(dir, rows([site()]));
  const source = rows([site(), post('a', { id: 10 }), post('b')]);
  const racing = {
    ...source,
    async *items(pass: 'scan' | 'write') {
      if (pass === 'write') {
        const { mkdir } = await import('node:fs/promises');
        await mkdir(join(dir, 'posts/2024/05'), { recursive: true });
        await writeFile(join(dir, 'posts/2024/05/a.html'), '---\nid: 99\n---\n\nTheirs');
      }
      yield* source.items(pass);
    },
  };
  const report = await bring(dir, racing);
  const files = await filesIn(dir);
  expect(files['posts/2024/05/a.html']).toContain('Theirs');
  expect(files['posts/2024/05/a-10.html']).toMatch(/slug: a\n/);
  expect([total(report, 'new'), total(report, 'failed')]).toEqual([2, 0]);
});
