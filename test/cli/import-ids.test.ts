/** `cms import`: ids that came before or cannot be kept, and menus that pass the validator. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxId } from '../../src/kernel/model/ids.ts';
import type { ImportReport } from '../../src/transfer/import/report.ts';
import { wxrAuthor, wxrCategory, wxrComment, wxrFoot, wxrHead, type WxrItem, wxrItem } from '../support/wxr.ts';
import { filesIn, newSite, run, temporary } from './run.ts';

async function bring(body: string, into?: string) {
  const path = join(await temporary(), 'export.xml');
  await writeFile(path, wxrHead() + wxrAuthor(3, 'anna') + wxrCategory({ id: 5, slug: 'news' }) + body + wxrFoot);
  return bringFrom(path, into);
}

async function bringFrom(source: string, into?: string) {
  const dir = into ?? join(await temporary(), 'site');
  const { status, out, err } = await run(['import', source, '--into', dir, '--json']);
  if (!out.startsWith('{')) throw new Error(err);
  const report = JSON.parse(out) as ImportReport;
  const files = await filesIn(dir);
  const valid = await run(['validate', dir]);
  return { status, dir, report, files, valid, rules: report.remarks.map(({ rule }) => rule) };
}

const idOf = (text: string | undefined): number => Number(/^id: (\d+)$/m.exec(text ?? '')?.[1]);

/** A link of a menu as an export has it. */
function link(id: number, rows: Readonly<Record<string, string>>, rest: Partial<WxrItem> = {}): string {
  const said = { type: 'custom', object: 'custom', object_id: '0', menu_item_parent: '0', url: '', ...rows };
  const meta = Object.entries(said).map(([key, value]) => [`_menu_item_${key}`, value] as const);
  return wxrItem({
    id,
    type: 'nav_menu_item',
    slug: `link-${id}`,
    terms: [['nav_menu', 'main', 'Main']],
    order: id,
    meta,
    ...rest,
  });
}

describe('a duplicate id', () => {
  it('stays with the first item; the others get new ones', async () => {
    const picture = {
      type: 'attachment',
      status: 'inherit',
      attachmentUrl: 'https://old.example/wp-content/uploads/2026/01/cat.png',
    };
    const body =
      wxrItem({ id: 7, ...picture, slug: 'cat' }) +
      wxrItem({ id: 7, slug: 'first', content: '<img class="wp-image-7" src="x.png">' }) +
      wxrItem({ id: 7, slug: 'second', meta: [['_thumbnail_id', '7']] }) +
      wxrItem({ id: 8, type: 'page', slug: 'third' });
    const { status, files, report, valid, dir, rules } = await bring(body);
    const posts = ['posts/2026/03/first.html', 'posts/2026/03/second.html', 'pages/third.html', 'media/2026/01/cat.png.yaml'];
    const ids = posts.map((path) => idOf(files[path]));
    expect([status, valid.status, new Set(ids).size, ids[3], ids[2]]).toEqual([0, 0, 4, 7, 8]);
    expect(files[posts[0] as string]).toContain('wp-image-7');
    expect(files[posts[1] as string]).toContain('featured_media: 2026/01/cat.png');
    expect(rules.filter((rule) => rule === 'renumbered')).toHaveLength(2);
    expect(report.rows.every(({ lost }) => lost === 0)).toBe(true);
    const again = await bring(body, dir);
    expect([again.status, again.files, again.report.rows.every((row) => row.new === 0)]).toEqual([0, files, true]);
  });

  it('skips a repeated item', async () => {
    const { report, files } = await bring(wxrItem({ id: 7 }) + wxrItem({ id: 7 }));
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'lost', rule: 'duplicate-item' }));
    expect(Object.keys(files).filter((path) => path.startsWith('posts/'))).toHaveLength(1);
  });

  it('of comments: the one with a reply is on the same post', async () => {
    const talk = (author: string) => wxrComment({ id: 9, author }) + wxrComment({ id: 10, author, parent: 9 });
    const { files, valid } = await bring(wxrItem({ id: 7, after: talk('Bob') }) + wxrItem({ id: 8, after: talk('Eve') }));
    const comments = Object.entries(files).filter(([path]) => path.startsWith('comments/'));
    expect([valid.status, comments.length]).toEqual([0, 4]);
    const answers = comments.filter(([, text]) => text.includes('parent:'));
    for (const [path, text] of answers) {
      const parent = /^parent: (\d+)$/m.exec(text)?.[1];
      expect(comments.some(([other, of]) => dirname(other) === dirname(path) && idOf(of) === Number(parent))).toBe(true);
    }
    expect(answers).toHaveLength(2);
  });

  it('of the target site: texts and menus use the new one', async () => {
    const { dir } = await newSite();
    const first = await bring(wxrItem({ id: 7, slug: 'here', type: 'page' }), dir);
    const second = await bring(
      wxrItem({ id: 7, slug: 'there', type: 'page', guid: 'https://other.example/?p=7' }) +
        wxrItem({ id: 8, slug: 'names', content: '<!-- wp:block {"ref":7} /-->', guid: 'https://other.example/?p=8' }) +
        link(9, { type: 'post_type', object: 'page', object_id: '7' }),
      dir,
    );
    const id = idOf(second.files['pages/there.html']);
    expect([idOf(first.files['pages/here.html']), id === 7]).toEqual([7, false]);
    expect(second.files['posts/2026/03/names.html']).toContain(`{"ref":${id}}`);
    expect(second.files['menus/main.yaml']).toContain('page: there');
  });
});

describe('an id that cannot be kept', () => {
  it.each([String(maxId + 1), '99999999999999999999', '-7', '7.5', 'seven'])('%s in an export', async (id) => {
    const item = wxrItem({ id: 7, slug: 'odd' }).replace('<wp:post_id>7<', `<wp:post_id>${id}<`);
    const { status, files, report, valid } = await bring(item + wxrItem({ id: 8 }));
    const given = idOf(files['posts/2026/03/odd.html']);
    expect([status, valid.status, given >= 1 && given <= maxId && given !== 8]).toEqual([0, 0, true]);
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'changed', rule: 'unusable-id' }));
  });

  it.each([String(maxId + 1), '0', '-3', 'seven'])('%s in a cms folder', async (id) => {
    const source = await temporary();
    await mkdir(join(source, 'posts'));
    await writeFile(join(source, 'site.yaml'), 'name: x\n');
    await writeFile(join(source, 'posts/a.md'), `---\nid: ${id}\ntitle: A\n---\nText.\n`);
    const { status, files, report, valid } = await bringFrom(source);
    expect([status, valid.status, idOf(files['posts/a.md']) >= 1]).toEqual([0, 0, true]);
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'changed', rule: 'unusable-id' }));
  });
});

it('an imported menu passes validation', async () => {
  const page = { type: 'post_type', object: 'page', object_id: '7' };
  const deep = Array.from({ length: 400 }, (_, at) =>
    link(100 + at, { url: 'https://x.example', menu_item_parent: at === 0 ? '0' : String(99 + at) }),
  );
  const { status, report, valid, files } = await bring(
    wxrItem({ id: 7, type: 'page', slug: 'about' }) +
      link(7, page) +
      link(20, { url: '' }) +
      link(20, page, { slug: 'twenty', title: '' }) +
      link(21, { type: 'taxonomy', object: 'category', object_id: '5', menu_item_parent: '20' }) +
      link(22, { type: 'post_type', object: 'page', object_id: '99' }) +
      link(23, { type: 'weird' }) +
      link(24, { url: 'https://x.example', menu_item_parent: '22' }) +
      link(25, { url: 'https://x.example' }, { terms: [['nav_menu', '_loose', 'Loose']] }) +
      deep.join(''),
  );
  expect([status, valid.status, valid.out + valid.err]).toEqual([0, 0, expect.stringContaining('0 errors')]);
  // Seven of eight, and all that are deep: what is not there cannot be pointed at.
  expect(report.rows.find(({ kind }) => kind === 'menu-link')).toMatchObject({ new: 407, lost: 1 });
  expect(files['menus/main.yaml']?.match(/page: about/g)).toHaveLength(2);
});
