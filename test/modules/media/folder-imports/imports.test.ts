/** Folders of other products and of the product's own old version. */
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dedent } from '../../../support/dedent.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { files, users } from '../folders/site.ts';

const v1 = '/folders/v1';
const source = dedent`
  source: happyfiles
  folders:
    - { id: 42, name: 2024, parent: 41 }
    - { id: 41, name: =Events, parent: 0 }
    - { id: 43, name: brand, parent: 0 }
    - { id: 44, name: Lost, parent: 99 }
  members: { 41: [60, 61], 42: [62, 999], 43: 61 }
`;
const routes = {
  'GET import/get-folders/happyfiles': null,
  'GET import/get-attachments/happyfiles': null,
  'GET import/run/happyfiles': null,
  'POST fld-no-thanks': { site: 'all' },
  'POST fld-get-old-data': {},
  'POST fld-insert-old-data': { folders: [] },
  'POST fld-wipe-old-data': {},
  'POST fld-wipe-clear-all-data': {},
  'GET export-csv': null,
  'POST import-csv': {},
  'POST import-csv-detail': {},
};
const managed = ['fld-insert-old-data', 'fld-wipe-old-data', 'fld-wipe-clear-all-data'];

describeApi('folder imports', { files: { ...files, 'imports/media-folders/happyfiles.yaml': source }, users }, [
  ...Object.entries(routes).flatMap(([route, body]): ApiRow[] => {
    const [method = '', path = ''] = route.split(' ');
    const asks = { does: `${method} ${v1}/${path}`, ...(body ? { body } : {}) };
    return [
      { name: `${route} is forbidden for visitors`, ...asks, gets: [401, 'rest_forbidden'] },
      { name: `${route} is forbidden for a contributor`, who: 'contributor', ...asks, gets: [403, 'rest_forbidden'] },
      { name: `${route} is forbidden for a subscriber`, who: 'subscriber', ...asks, gets: [403, 'rest_forbidden'] },
    ];
  }),
  ...['author', 'editor'].flatMap((who) =>
    managed.map((path): ApiRow => {
      return {
        name: `${path} is forbidden for an ${who}, with an error in its envelope`,
        who,
        does: `POST ${v1}/${path}`,
        body: {},
        gets: 403,
      };
    }),
  ),
  { name: 'need a source', who: 'author', does: `GET ${v1}/import/get-folders/wpmf`, gets: [404, 'rest_no_import_source'] },
  { name: 'do not run without a source', who: 'author', does: `GET ${v1}/import/run/wpmf`, gets: [404, 'rest_no_import_source'] },
  { name: 'accept only letters as a prefix', who: 'author', does: `GET ${v1}/import/run/wpmf2`, gets: [404, 'rest_no_route'] },
  { name: 'are prepared', who: 'author', does: `GET ${v1}/import/run/happyfiles`, gets: [400, 'rest_import_not_prepared'] },
  {
    name: 'are prepared in order',
    who: 'author',
    does: `GET ${v1}/import/get-attachments/happyfiles`,
    gets: [400, 'rest_import_not_prepared'],
  },
  { name: 'read folders', who: 'author', does: `GET ${v1}/import/get-folders/happyfiles`, gets: [200, { result: true }] },
  {
    name: 'read attachments before they run',
    who: 'author',
    does: `GET ${v1}/import/run/happyfiles`,
    gets: [400, 'rest_import_not_prepared'],
  },
  { name: 'read attachments', who: 'author', does: `GET ${v1}/import/get-attachments/happyfiles`, gets: [200, { result: true }] },
  {
    name: 'match folders by name, and create the others',
    who: 'author',
    does: `GET ${v1}/import/run/happyfiles`,
    gets: [200, { mess: 'Imported 4 folders.' }],
    headers: { 'Cache-Control': /no-store/ },
    writes: ['a', 'b', 'c'].map((name) => `media/2026/03/${name}.txt.yaml`).concat('media-folders/shared.yaml'),
  },
  {
    name: 'are in the tree',
    who: 'author',
    does: `GET ${v1}/get-folders`,
    gets: [
      200,
      {
        tree: [
          { id: 3, title: 'Brand', 'data-count': 1, children: [{ id: 7 }] },
          { id: 9, title: 'Press' },
          { title: 'Events', 'data-count': 1, children: [{ title: '2024', 'data-count': 1 }] },
          { title: 'Lost' },
        ],
      },
    ],
  },
  { name: 'run once', who: 'author', does: `GET ${v1}/import/run/happyfiles`, gets: [400, 'rest_import_not_prepared'] },
  {
    name: 'can be declined',
    who: 'author',
    does: `POST ${v1}/fld-no-thanks`,
    body: { site: 'all' },
    gets: [200, { mess: 'Success' }],
  },
  {
    name: 'can be declined by name',
    who: 'author',
    does: `POST ${v1}/fld-no-thanks`,
    body: { site: 'x/y' },
    gets: [400, 'validation_failed'],
  },
]);

describe('an import', () => {
  let site: TestSite;
  const get = (path: string, as = 'admin') => site.ask('GET', `${v1}/${path}`, { as });
  const post = (path: string, body: object = {}, as = 'admin') => site.ask('POST', `${v1}/${path}`, { as, body });
  const titles = async () =>
    (await get('gutenberg-get-folders')).body.data.slice(1).map(({ label }: { label: string }) => label) as string[];
  const runAll = async (prefix: string) => {
    for (const step of ['get-folders', 'get-attachments']) await get(`import/${step}/${prefix}`);
    return (await get(`import/run/${prefix}`)).body;
  };
  beforeEach(async () => {
    site = await startSite({ files });
  });
  afterEach(() => site.close());

  it('runs once, even if requested twice', async () => {
    await site.write('import/happyfiles/media-folders.yaml', source);
    await runAll('happyfiles');
    const before = [await titles(), await site.read('media-folders/shared.yaml')];
    expect(await runAll('happyfiles')).toEqual({ mess: 'Imported 4 folders.' });
    expect([await titles(), await site.read('media-folders/shared.yaml')]).toEqual(before);
    expect(before[0]).toEqual(['Brand', '-Logos', 'Press', 'Events', '-2024', 'Lost']);
  });

  it('reads the folder taxonomy of a plugin in a site export', async () => {
    const term = (id: number, slug: string, parent: string, name: string, taxonomy = 'wpmf-category') =>
      `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${taxonomy}</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_parent>${parent}</wp:term_parent><wp:term_name><![CDATA[${name}]]></wp:term_name></wp:term>`;
    const item = (id: number, address: string, slug: string) =>
      `<item><title>x</title><wp:post_id>${id}</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>${address}</wp:attachment_url><category domain="wpmf-category" nicename="${slug}"><![CDATA[x]]></category><category domain="category" nicename="events">x</category></item>`;
    await site.write(
      'imports/media-folders/wpmf.xml',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><rss><channel>${term(5, 'events', '', 'Events & more')}${term(6, 'jahr', 'events', '2024')}${term(7, 'other', '', 'Other', 'post_tag')}${item(9000, 'https://old.example/wp-content/uploads/2026/03/a.txt', 'jahr')}${item(62, 'https://old.example/x.txt', 'events')}</channel></rss>`,
    );
    expect(await runAll('wpmf')).toEqual({ mess: 'Imported 2 folders.' });
    expect(await titles()).toEqual(['Brand', '-Logos', 'Press', 'Events & more', '-2024']);
    const [events, year] = (await get('gutenberg-get-folders')).body.data.slice(-2);
    expect(await site.read('media/2026/03/a.txt.yaml')).toContain(`folder: ${year.value}`);
    expect(await site.read('media/2026/03/c.txt.yaml')).toContain(`folder: ${events.value}`);
  });

  it.each([
    ['a broken file', 'folders: [', 409],
    ['a file that says nothing', 'x: y\n', 200],
    ['rows that are none', 'folders: [1, x, { id: x }, { id: 1 }, { id: 2, name: [x] }]\nmembers: x\n', 200],
    ['a circle', 'folders: [{ id: 1, name: A, parent: 2 }, { id: 2, name: B, parent: 1 }]\n', 200],
  ])('of %s changes nothing', async (_what, text, status) => {
    await site.write('imports/media-folders/mla.yaml', text);
    const before = await site.read('media-folders/shared.yaml');
    expect((await get('import/get-folders/mla')).status).toBe(status);
    const { body } = await get('import/get-attachments/mla').then(() => get('import/run/mla'));
    if (status === 200) expect(body).toEqual({ mess: 'Imported 0 folders.' });
    expect(await site.read('media-folders/shared.yaml')).toBe(before);
  });

  it('of an old version is split by owner', async () => {
    const { id: author } = await signUp(site, 'writer', 'author');
    const rows = Array.from(
      { length: 25 },
      (_, at) => `  - { id: ${100 + at}, name: Old ${at}, parent: ${at === 24 ? 100 : 0}, ord: ${at} }`,
    );
    await site.write(
      'imports/media-folders/legacy.yaml',
      `folders:\n${rows.join('\n')}\n  - { id: 5, name: Mine, parent: 0, created_by: ${author} }\n  - { id: 6, name: Gone, parent: 0, created_by: 99 }\nmembers: { 100: [60, 62], 5: [61] }\n`,
    );
    const { folders } = (await post('fld-get-old-data')).body.data;
    expect(folders.map((part: unknown[]) => part.length)).toEqual([20, 7]);
    expect(folders.flat()).toContainEqual({ id: '100', name: 'Old 0', parent: 0, created_by: 0, attachments: ['60', '62'] });
    expect(folders.flat().at(-1)).toMatchObject({ id: '124', parent: 100 });
    for (const part of folders)
      expect((await post('fld-insert-old-data', { folders: part })).body).toEqual({ success: true, data: { mess: 'success' } });
    const after = await site.read('media-folders/shared.yaml');
    for (const part of folders) await post('fld-insert-old-data', { folders: part });
    expect(await site.read('media-folders/shared.yaml')).toBe(after);
    expect(await titles()).toEqual(expect.arrayContaining(['Brand', 'Old 0', '-Old 24', 'Gone']));
    expect(await site.read(`media-folders/users/${author}.yaml`)).toContain('name: Mine');
    expect(await site.read('media/2026/03/b.txt.yaml')).toMatch(new RegExp(`folder: 7\nuser_folders:\n {2}'${author}': \\d+\n`));
    expect((await post('fld-insert-old-data', {})).body).toEqual({ success: false, data: { mess: 'validation failed' } });
    expect((await post('fld-wipe-old-data')).body).toEqual({ success: true, data: { mess: 'Successfully wiped.' } });
    await expect(stat(`${site.dir}/imports/media-folders/legacy.yaml`)).rejects.toThrow();
    expect((await post('fld-get-old-data')).body).toEqual({ success: true, data: { folders: [] } });
    expect(await titles()).toContain('Old 0');
  });

  it('can be undone by deleting all folders, with a backup', async () => {
    const { id: author, as } = await signUp(site, 'writer', 'author');
    await site.write(`media-folders/users/${author}.yaml`, 'folders:\n  - { id: 20, name: Mine, parent: 0, ord: 0 }\n');
    await site.write('media/2026/03/c.txt.yaml', `id: 62\ntitle: C\nuser_folders: { ${author}: 20 }\n`);
    await site.site.ingest(await site.site.store.sweep());
    const files = (await get('export-csv')).body;
    expect((await post('fld-wipe-clear-all-data', {}, as)).body).toMatchObject({ success: false });
    expect((await post('fld-wipe-clear-all-data')).body).toEqual({ success: true, data: { mess: 'Successfully cleared!' } });
    expect((await get('get-folders')).body).toMatchObject({ tree: [], allAttachmentsCount: 3, attachmentsCount: { actual: {} } });
    for (const name of ['a', 'b', 'c']) expect(await site.read(`media/2026/03/${name}.txt.yaml`)).not.toContain('folder');
    expect(await site.read('media-folders/shared.yaml')).toBe('last_id: 12\nfolders: []\n');
    expect((await post('new-folder', { title: 'New', parent: 0 })).body.id).toBeGreaterThan(20);
    const [backup = ''] = await site.site.store.private.keys('folders-backups/');
    const id = /(\d{4}(?:_\d\d){5})\.yaml$/.exec(backup)?.[1];
    expect((await get(`export-csv?id=${id}`)).body).toEqual(files);
    for (const other of ['2020_01_01_00_00_00', '../accounts/1.json', 'x'])
      expect((await get(`export-csv?id=${encodeURIComponent(other)}`)).body.code).toBe('rest_no_import_source');
  });
});
