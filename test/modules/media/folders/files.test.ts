/** What folders leave on disk, and what files make of folders. */
import { afterEach, describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../../../src/open-site.ts';
import { createServer } from '../../../../src/kernel/http/server.ts';
import { dedent } from '../../../support/dedent.ts';
import { askInProcess } from '../../../support/in-process.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { files } from './site.ts';

const shared = 'media-folders/shared.yaml';
let site: TestSite;
afterEach(() => site.close());

const post = (path: string, body: object) => site.ask('POST', `/folders/v1/${path}`, { as: 'admin', body });
/** A writer who comes again when too many were there. */
async function insist(path: string, body: object) {
  for (;;) {
    const answer = await post(path, body);
    if (answer.status !== 503) return answer;
  }
}
const tree = async () => (await site.ask('GET', '/folders/v1/get-folders', { as: 'admin' })).body;

describe('folder files', () => {
  it('change only in the changed lines, and keep what people added', async () => {
    site = await startSite({
      files: {
        ...files,
        [shared]: dedent`
          # Ask Anna before you move anything.
          folders:
            - id: 3
              name: Brand   # the old one
              note: kept
            - id: 7
              parent: 3
              name: Logos
              ord: 4
        `,
      },
    });
    const { id } = (await post('new-folder', { title: 'Print', parent: 3 })).body;
    await post('update-folder-color', { folderId: 7, color: '#ff8800' });
    expect(id).toBe(8);
    expect(await site.read(shared)).toBe(
      dedent`
        last_id: 8
        # Ask Anna before you move anything.
        folders:
          - id: 3
            name: Brand   # the old one
            note: kept
          - id: 7
            parent: 3
            name: Logos
            ord: 4
            color: '#ff8800'
          - id: 8
            name: Print
            parent: 3
            ord: 5
      `,
    );
    await post('update-folder-color', { folderId: 7, color: '' });
    expect(await site.read(shared)).not.toContain('color');
  });

  it('are created with the first folder, and never reuse ids', async () => {
    site = await startSite({ files: { 'site.yaml': files['site.yaml'] } });
    const { id } = (await post('new-folder', { title: 'Brand', parent: 0 })).body;
    expect(await site.read(shared)).toBe(`last_id: ${id}\nfolders:\n  - id: ${id}\n    name: Brand\n    parent: 0\n    ord: 0\n`);
    await post('delete-folder', { ids: [id] });
    expect(await site.read(shared)).toBe(`last_id: ${id}\nfolders: []\n`);
    expect((await post('new-folder', { title: 'Brand', parent: 0 })).body.id).toBeGreaterThan(id);
  });

  it('store the folder of an attachment in one line of its sidecar', async () => {
    site = await startSite({ files });
    const before = await site.read('media/2026/03/c.txt.yaml');
    await post('assign-folder', { folderId: 9, ids: [62] });
    const after = await site.read('media/2026/03/c.txt.yaml');
    expect(after.replace('folder: 9\n', '')).toBe(before);
    await post('assign-folder', { folderId: 0, ids: [62] });
    expect(await site.read('media/2026/03/c.txt.yaml')).toBe(before);
  });

  it('are the same after a restart', async () => {
    site = await startSite({ files });
    await post('new-folder', { title: 'Print', parent: 7 });
    await post('assign-folder', { folderId: 9, ids: [62] });
    const before = await tree();
    const again = await openSite(site.dir, { readOnly: true });
    const server = createServer({ site: again, registry: composeSite(again), log: () => undefined });
    const user = { id: 1, roles: ['administrator'] };
    const { body } = await askInProcess({ ...site, site: again, server }, 'GET', '/cms-json/folders/v1/get-folders', { user });
    expect(body).toEqual(before);
    await again.close();
  });

  it('are reloaded when edited', async () => {
    site = await startSite({ files });
    await site.write(shared, (await site.read(shared)).replace('Press', 'Newspapers').replace('parent: 3', 'parent: 9'));
    await until(async () => (await tree()).tree[1].title === 'Newspapers');
    expect((await tree()).tree[1].children).toMatchObject([{ id: 7 }]);
    await site.write('media/2026/03/a.txt.yaml', 'id: 60\ntitle: A\nfolder: 9\n');
    await until(async () => (await tree()).attachmentsCount.actual[9] === 1);
    expect((await tree()).attachmentsCount).toEqual({ display: { 7: 1, 9: 1 }, actual: { 7: 1, 9: 1 } });
  });

  it('keep an edit made just before a request', async () => {
    site = await startSite({ files });
    await site.write(shared, (await site.read(shared)).replace('Press', 'Newspapers'));
    await post('update-folder', { id: 3, parent: 0, title: 'Marks' });
    const text = await site.read(shared);
    expect(text).toContain('Newspapers');
    expect(text).toContain('Marks');
  });

  it('get ids for folders without one', async () => {
    site = await startSite({ files: { ...files, [shared]: 'folders:\n  - name: Brand\n  - name: Press\n    color: "#abc"\n' } });
    const text = await until(async () => {
      const now = await site.read(shared);
      return now.includes('last_id') && now;
    });
    expect(text).toBe('last_id: 2\nfolders:\n  - name: Brand\n    id: 1\n  - name: Press\n    id: 2\n    color: "#abc"\n');
    expect((await tree()).tree).toMatchObject([{ id: 1 }, { id: 2, color: '#abc' }]);
  });

  it('lose nothing in concurrent writes', async () => {
    site = await startSite({ files });
    const made = await Promise.all(Array.from({ length: 16 }, (_, at) => insist('new-folder', { title: `F ${at}`, parent: 0 })));
    const ids = made.map(({ body }) => body.id as number);
    expect(new Set(ids).size).toBe(16);
    await Promise.all([
      ...ids.slice(0, 8).map((id, at) => insist('update-folder', { id, parent: 0, title: `G ${at}` })),
      ...ids.slice(8).map((folderId, at) => insist('assign-folder', { folderId, ids: [60 + (at % 3)] })),
      ...ids.slice(0, 8).map((folderId) => insist('update-folder-color', { folderId, color: '#123456' })),
    ]);
    const { tree: nodes, attachmentsCount } = await tree();
    expect(nodes.filter(({ title, color }: any) => title.startsWith('G ') && color === '#123456')).toHaveLength(8);
    expect(nodes).toHaveLength(18);
    expect(Object.values(attachmentsCount.actual).reduce((sum: number, one) => sum + (one as number), 0)).toBe(3);
    expect((await site.read(shared)).match(/^ {2}- id: /gm)).toHaveLength(19);
  });

  it('contain no attachment in a folder deleted meanwhile', async () => {
    site = await startSite({ files });
    await Promise.all([
      post('assign-folder', { folderId: 9, ids: [60, 61, 62] }),
      post('delete-folder', { ids: [9] }),
      post('assign-folder', { folderId: 9, ids: [62] }),
    ]);
    for (const name of ['a', 'b', 'c']) expect(await site.read(`media/2026/03/${name}.txt.yaml`)).not.toContain('folder: 9');
  });
});

describe('hostile folder files', () => {
  const circle =
    'folders:\n  - { id: 1, name: A, parent: 2 }\n  - { id: 2, name: B, parent: 1 }\n  - { id: 3, name: C, parent: 3 }\n';

  it.each([
    ['a circle', circle, [1, 3]],
    ['a missing parent', 'folders:\n  - { id: 1, name: A, parent: 77 }\n', [1]],
    [
      'rows that are none',
      'folders:\n  - 7\n  - [x]\n  - { id: 5 }\n  - { id: 6, name: [x] }\n  - { id: 1, name: A, parent: x }\n',
      [1],
    ],
    ['numbers that are none', 'last_id: x\nfolders:\n  - { id: 1, name: A, ord: x, color: red, parent: -4 }\n', [1]],
    ['ids at the end of all ids', 'last_id: 2147483647\nfolders:\n  - { id: 2147483647, name: A }\n', [2147483647]],
  ])('stop nothing: %s', async (_what, text, top) => {
    site = await startSite({ files: { ...files, [shared]: text } });
    const { tree: nodes } = await tree();
    expect(nodes.map(({ id }: any) => id)).toEqual(top);
    expect(site.site.problems().filter(({ path }) => path === shared).length + (top[0] === 2147483647 ? 1 : 0)).toBeGreaterThan(
      0,
    );
    const { status, body } = await post('new-folder', { title: 'New', parent: 0 });
    expect({ status, body }).toMatchObject({ status: 200 });
    expect((await tree()).tree).toHaveLength(top.length + 1);
  });

  it('with extreme nesting are cut to trees that clients can handle', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `  - { id: ${at + 1}, name: F${at}, parent: ${at} }`);
    site = await startSite({ files: { ...files, [shared]: `folders:\n${rows.join('\n')}\n` } });
    const { status, body } = await site.ask('GET', '/folders/v1/get-folders', { as: 'admin' });
    expect(status).toBe(200);
    expect(body.tree).toHaveLength(100);
    expect((await post('new-folder', { title: 'New', parent: 100 })).body.code).toBe('validation_failed');
    expect((await post('new-folder', { title: 'New', parent: 99 })).status).toBe(200);
  });

  it('with a duplicate id have two folders, the first with the id and its attachments', async () => {
    const own = 'folders:\n  - { id: 3, name: Mine, parent: 0, ord: 0 }\n';
    site = await startSite({ files: { ...files, 'media-folders/users/1.yaml': own } });
    const text = await until(async () => {
      const now = await site.read('media-folders/users/1.yaml');
      return now !== own && now;
    });
    expect(text).toMatch(/- id: 1[3-9]\n {4}name: Mine/);
    expect((await tree()).attachmentsCount.actual).toEqual({ 3: 1, 7: 1 });
  });

  it('without a list keep the last good state, and are not overwritten', async () => {
    site = await startSite({ files });
    await site.write(shared, 'folders: { a: b }\n');
    await until(() => site.site.problems().some(({ path }) => path === shared));
    expect((await tree()).tree).toHaveLength(2);
    expect((await post('new-folder', { title: 'New', parent: 0 })).body).toMatchObject({ code: 'rest_file_unreadable' });
    expect(await site.read(shared)).toBe('folders: { a: b }\n');
  });
});
