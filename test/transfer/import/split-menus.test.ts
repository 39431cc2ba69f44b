/** Menus and categories of an export whose files come one after another. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn } from '../../cli/run.ts';
import { wxrAuthor, wxrCategory, wxrFoot, wxrHead, wxrItem, wxrTerm } from '../../support/wxr.ts';
import { exportsInto, total } from './exports.ts';

const basic = 'name: New\ntimezone: UTC\n';
const menu = wxrTerm('nav_menu', { id: 5, slug: 'main', name: 'Main' });
const wxr = (...parts: readonly string[]): string => wxrHead() + wxrAuthor(3, 'anna') + parts.join('') + wxrFoot;

interface Link {
  readonly to: readonly [type: 'custom' | 'post_type' | 'taxonomy', object: string, target: string];
  readonly parent?: number;
  readonly in?: readonly string[];
}

function link(id: number, order: number, { to: [type, object, target], parent = 0, in: menus = ['main'] }: Link): string {
  const custom = type === 'custom';
  return wxrItem({
    id,
    type: 'nav_menu_item',
    title: custom ? `Link ${id}` : '',
    order,
    terms: menus.map((slug) => ['nav_menu', slug, 'Main'] as const),
    meta: [
      ['_menu_item_type', type],
      ['_menu_item_menu_item_parent', `${parent}`],
      ['_menu_item_object_id', custom ? `${id}` : target],
      ['_menu_item_object', object],
      ['_menu_item_url', custom ? target : ''],
    ],
  });
}

const parts = {
  one: wxr(
    menu,
    wxrCategory({ id: 9, slug: 'news', name: 'News' }),
    wxrItem({ id: 7, type: 'page', slug: 'about' }),
    link(20, 1, { to: ['custom', 'custom', 'https://x.example'] }),
    link(21, 2, { to: ['post_type', 'page', '7'] }),
    link(25, 6, { to: ['post_type', 'post', '8'] }),
  ),
  two: wxr(
    wxrItem({ id: 8, slug: 'eight' }),
    link(22, 3, { to: ['post_type', 'post', '8'] }),
    link(23, 4, { to: ['post_type', 'page', '7'], parent: 21 }),
    link(24, 5, { to: ['taxonomy', 'category', '9'] }),
  ),
  three: wxr(wxrItem({ id: 10, slug: 'ten' }), link(26, 7, { to: ['post_type', 'post', '10'], parent: 23 })),
} as const;
const orders = [
  ['one', 'two', 'three'],
  ['three', 'two', 'one'],
  ['two', 'one', 'three'],
  ['three', 'one', 'two'],
] as const;

describe('a menu with links in several files', () => {
  it.each(orders)('is complete: %s, %s, %s', async (...order) => {
    const { dir, take, again } = await exportsInto(basic);
    const paths: string[] = [];
    for (const name of order) paths.push((await take(parts[name])).path);
    const read = async () => (await filesIn(dir))['menus/main.yaml']?.replace(/^id: \d+\n/, '').replace(/^ *order: .*\n/gm, '');
    const whole = await read();
    expect(whole).toBe(
      `name: Main
items:
  - url: https://x.example
    title: Link 20
    id: 20
  - page: about
    id: 21
    items:
      - page: about
        id: 23
        items:
          - post: ten
            id: 26
  - post: eight
    id: 22
  - category: news
    id: 24
  - post: eight
    id: 25
`,
    );
    for (const path of paths) expect(total(await again(path), 'new', 'updated', 'kept')).toBe(0);
    expect(await read()).toBe(whole);
  });

  it('is the same as from one import of all files', async () => {
    const [apart, together] = [await exportsInto(basic), await exportsInto(basic)];
    for (const name of ['one', 'two', 'three'] as const) await apart.take(parts[name]);
    const body = (text: string): string => text.slice(text.indexOf('<wp:author>'), text.indexOf('</channel>'));
    await together.take(wxr(...Object.values(parts).map(body)));
    expect((await filesIn(apart.dir))['menus/main.yaml']).toBe((await filesIn(together.dir))['menus/main.yaml']);
  });

  it('is left alone if it was edited here', async () => {
    const { dir, take } = await exportsInto(basic);
    await take(parts.one);
    const path = join(dir, 'menus/main.yaml');
    await writeFile(path, `${await readFile(path, 'utf8')}auto_add: true\n`);
    const { report } = await take(parts.two);
    expect(report.remarks.filter(({ rule }) => rule === 'edited-here')).toHaveLength(1);
    expect(await readFile(path, 'utf8')).not.toContain('id: 22');
  });

  it('loses a link that its part no longer has', async () => {
    const { dir, take, again } = await exportsInto(basic);
    const { path } = await take(parts.one);
    await writeFile(path, parts.one.replace(link(20, 1, { to: ['custom', 'custom', 'https://x.example'] }), ''));
    await again(path);
    await take(parts.two);
    const files = await filesIn(dir);
    expect(files['menus/main.yaml']).not.toContain('id: 20');
    expect(files['menus/main.yaml']).toContain('id: 22');
  });

  it('can also be links without a menu', async () => {
    const { dir, take } = await exportsInto(basic);
    await take(wxr(link(20, 1, { to: ['custom', 'custom', 'https://x.example'], in: [] })));
    await take(wxr(wxrItem({ id: 8, slug: 'eight' }), link(22, 2, { to: ['post_type', 'post', '8'], in: [] })));
    const loose = (await filesIn(dir))['menus/_loose.yaml'];
    expect(loose).toContain('id: 20');
    expect(loose).toContain('id: 22');
  });
});

describe('a category of a second file', () => {
  const post = (slug: string, name: string): string => wxrItem({ id: 8, slug: 'eight', terms: [['category', slug, name]] });

  it.each([
    ['of the same slug', wxrCategory({ id: 13, slug: 'news', name: 'Novelties' }), post('news', 'Novelties'), 'news'],
    ['of the same name', wxrCategory({ id: 13, slug: 'news-2', name: 'NEWS ' }), post('news-2', 'NEWS '), 'news'],
    ['of the same name, as a reference', wxrCategory({ id: 13, slug: 'q-2', name: 'Q & A' }), post('q-2', 'Q &amp; A'), 'q'],
    [
      'of the same name below the same parent',
      wxrCategory({ id: 14, slug: 'local-9', name: 'Local', parent: 'news-2' }) +
        wxrCategory({ id: 13, slug: 'news-2', name: 'News' }),
      post('local-9', 'Local'),
      'local',
    ],
  ])('%s is the existing one', async (_, head, item, expected) => {
    const { dir, take } = await exportsInto(basic);
    await take(
      wxr(
        wxrCategory({ id: 3, slug: 'news', name: 'News' }),
        wxrCategory({ id: 4, slug: 'local', name: 'Local', parent: 'news' }),
        wxrCategory({ id: 6, slug: 'q', name: 'Q &amp; A' }),
        wxrItem({ id: 7 }),
      ),
    );
    await take(wxr(head, item));
    const files = await filesIn(dir);
    expect(files['posts/2026/03/eight.html']).toContain(`categories:\n  - ${expected}\n`);
    const names = Object.keys(files).filter((path) => path.startsWith('terms/category/'));
    expect(names.sort()).toEqual(['local', 'news', 'q', 'uncategorized'].map((slug) => `terms/category/${slug}.yaml`));
  });

  it('with the same name below another parent is a different one', async () => {
    const { dir, take } = await exportsInto(basic);
    await take(
      wxr(wxrCategory({ id: 3, slug: 'news', name: 'News' }), wxrCategory({ id: 4, slug: 'a', name: 'A', parent: 'news' })),
    );
    await take(wxr(wxrCategory({ id: 13, slug: 'a-2', name: 'A' })));
    expect(Object.keys(await filesIn(dir))).toEqual(expect.arrayContaining(['terms/category/a.yaml', 'terms/category/a-2.yaml']));
  });
});
