/** Settings of people and of the site, sizes, galleries, trees of one's own. */
import { afterEach, describe, expect, it } from 'vitest';
import { preferencesOf } from '../../../../src/modules/media/folders/preferences.ts';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { upload } from '../../../support/media.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';
import { files, users } from './site.ts';

const v1 = '/folders/v1';
const settings = 'media-folders/settings.yaml';
const bodies = {
  'set-settings': { USER_MODE: '1' },
  'generate-attachment-size': { page: 1 },
  'gutenberg-get-images': { selectedFolder: [3] },
};

describeApi('folder settings', { files, users }, [
  ...Object.entries(bodies).flatMap(([path, body]): ApiRow[] => [
    { name: `${path} is forbidden for visitors`, does: `POST ${v1}/${path}`, body, gets: [401, 'rest_forbidden'] },
    ...['contributor', 'subscriber'].map(
      (who): ApiRow => ({
        name: `${path} is forbidden for a ${who}`,
        who,
        does: `POST ${v1}/${path}`,
        body,
        gets: [403, 'rest_forbidden'],
      }),
    ),
  ]),
  {
    name: 'of the site are forbidden for an author, and then nothing is changed',
    who: 'author',
    does: `POST ${v1}/set-settings`,
    body: { USER_MODE: '1', FOLDER_COUNTER_TYPE: 'counter_file_in_folder_and_sub' },
    gets: [403, 'rest_forbidden'],
  },
  {
    name: 'of that user are unchanged',
    who: 'author',
    does: `POST ${v1}/assign-folder`,
    body: { ids: [60], folderId: 3 },
    gets: [200, { display: { 3: 1, 7: 1 } }],
  },
  {
    name: 'are refused if invalid',
    who: 'admin',
    does: `POST ${v1}/set-settings`,
    body: { USER_MODE: 'maybe' },
    gets: [400, 'validation_failed'],
  },
  {
    name: 'of a user are refused if invalid',
    who: 'author',
    does: `POST ${v1}/set-settings`,
    body: { DEFAULT_SORT_FOLDERS: { orderby: 'size', order: 'asc' } },
    gets: [400, 'validation_failed'],
  },
  {
    name: 'are ignored if unknown',
    who: 'author',
    does: `POST ${v1}/set-settings`,
    body: { COLOUR: 'red' },
    gets: 200,
  },
  {
    name: 'of a user change no shared file',
    who: 'author',
    does: `POST ${v1}/set-settings`,
    body: {
      ...{ FOLDER_COUNTER_TYPE: 'counter_file_in_folder_and_sub', DEFAULT_SORT_FOLDERS: { orderby: 'name', order: 'desc' } },
      ...{ DEFAULT_FOLDER: 7, FOLDER_STARTUP: '9', DEFAULT_SORT_FILES: null, THEME: { name: 'default' }, SHOW_BREAD_CRUMB: '1' },
    },
    gets: 200,
  },
  {
    name: 'of a user are returned with those of the site',
    who: 'author',
    does: `GET ${v1}/get-folders?with=settings`,
    gets: [
      200,
      {
        settings: {
          DEFAULT_FOLDER: 7,
          FOLDER_STARTUP: 9,
          DEFAULT_SORT_FILES: null,
          DEFAULT_SORT_FOLDERS: { orderby: 'name', order: 'desc' },
          FOLDER_COUNTER_TYPE: 'counter_file_in_folder_and_sub',
          THEME: { name: 'default' },
          SHOW_BREAD_CRUMB: true,
          USER_MODE: false,
          SVG_SUPPORT: false,
          IS_SEARCH_USING_API: false,
        },
      },
    ],
  },
  {
    name: 'of a user: UI state is stored as sent',
    who: 'editor',
    does: `POST ${v1}/set-settings`,
    body: { THEME: { name: 'dark' }, DEFAULT_SORT_FILES: { orderby: 'file_name', order: 'ASC' }, DEFAULT_FOLDER: -2 },
    gets: 200,
  },
  {
    name: 'of a user: UI state is returned to that user',
    who: 'editor',
    does: `GET ${v1}/get-folders?with=settings`,
    gets: [
      200,
      {
        settings: {
          THEME: { name: 'dark' },
          DEFAULT_SORT_FILES: { orderby: 'file_name', order: 'asc' },
          DEFAULT_FOLDER: -2,
          SHOW_BREAD_CRUMB: false,
        },
      },
    ],
  },
  {
    name: 'of a user sort and count for that user',
    who: 'author',
    does: `GET ${v1}/get-folders`,
    gets: [
      200,
      { tree: [{ title: 'Press' }, { title: 'Brand', 'data-count': 2 }], attachmentsCount: { display: { 0: 2, 3: 2, 7: 1 } } },
    ],
  },
  {
    name: 'of a user do not affect others',
    who: 'editor',
    does: `GET ${v1}/get-folders`,
    gets: [200, { tree: [{ title: 'Brand', 'data-count': 1 }, { title: 'Press' }] }],
  },
  {
    name: 'of a user: an order is stored',
    who: 'editor',
    does: `GET ${v1}/get-folders?orderby=name&order=desc`,
    gets: [200, { tree: [{ title: 'Press' }, { title: 'Brand' }] }],
  },
  {
    name: 'of a user: it applies until it is reset',
    who: 'editor',
    does: `GET ${v1}/get-folders?order=asc`,
    gets: [200, { tree: [{ title: 'Press' }, { title: 'Brand' }] }],
  },
  {
    name: 'of a user: it can be reset',
    who: 'editor',
    does: `GET ${v1}/get-folders?order=reset`,
    gets: [200, { tree: [{ title: 'Brand' }, { title: 'Press' }] }],
  },
  {
    name: 'return counts after a move, including subfolders if set',
    who: 'author',
    does: `POST ${v1}/update-folder-ord`,
    body: { dragNodeId: 7, dropNodeId: 9, dropPosition: 0, toParentId: 9 },
    gets: [200, { display: { 0: 2, 3: 1, 7: 1, 9: 1 }, actual: { 3: 1, 7: 1 } }],
    writes: ['media-folders/shared.yaml'],
  },
  {
    name: 'measure: sizes are in the sidecars',
    who: 'author',
    does: `POST ${v1}/generate-attachment-size`,
    body: { page: 0 },
    gets: [200, { success: true, next: '1' }],
    writes: ['a', 'b', 'c'].map((name) => `media/2026/03/${name}.txt.yaml`),
  },
  {
    name: 'measure: runs once',
    who: 'author',
    does: `POST ${v1}/generate-attachment-size`,
    body: { page: 1 },
    gets: [200, { success: true, next: '1' }],
  },
  {
    name: 'measure: runs until a page is empty',
    who: 'author',
    does: `POST ${v1}/generate-attachment-size`,
    body: { page: '2' },
    gets: [200, { success: true, next: '0' }],
  },
  {
    name: 'a gallery of no folder is empty',
    who: 'author',
    does: `POST ${v1}/gutenberg-get-images`,
    body: {},
    gets: [200, { html: '' }],
  },
  {
    name: 'a gallery reports what is not an image',
    who: 'author',
    does: `POST ${v1}/gutenberg-get-images`,
    body: { selectedFolder: [3] },
    gets: [
      200,
      {
        html: '<ul class="folders-gallery blocks-gallery-grid layout-flex columns-3 is-cropped" style="--columns: 3; --space: 0px; --min-width: 0px;"><li class="blocks-gallery-item">There are no images in the chosen folders.</li></ul>',
      },
    ],
  },
  {
    name: 'of the site are in its file',
    who: 'admin',
    does: `POST ${v1}/set-settings`,
    body: { USER_MODE: 1, IS_SEARCH_USING_API: '0' },
    gets: 200,
    writes: [settings],
  },
  {
    name: 'of the site are returned to all users of folders; a deleted default folder means all files',
    who: 'author',
    does: `GET ${v1}/get-folders?with=settings`,
    gets: [200, { settings: { USER_MODE: true, IS_SEARCH_USING_API: false, DEFAULT_FOLDER: -1 } }],
  },
  {
    name: 'give each user a separate tree',
    who: 'author',
    does: `GET ${v1}/get-folders`,
    gets: [200, { tree: [], attachmentsCount: { actual: {} } }],
  },
  {
    name: 'hide folders of others',
    who: 'author',
    does: `POST ${v1}/update-folder`,
    body: { id: 3, parent: 0, title: 'Mine' },
    gets: [400, 'validation_failed'],
  },
  {
    name: 'protect folders of others from deletion',
    who: 'author',
    does: `POST ${v1}/delete-folder`,
    body: { ids: [3] },
    gets: [200, { display: { 0: 0 }, actual: {} }],
  },
  {
    name: 'create folders in a file of that user',
    who: 'author',
    does: `POST ${v1}/new-folder`,
    body: { title: 'Brand', parent: 0 },
    gets: [200, { id: 13 }],
    writes: ['media-folders/users/3.yaml'],
  },
  {
    name: 'keep the shared tree',
    who: 'author',
    does: `POST ${v1}/assign-folder`,
    body: { folderId: 13, ids: [60] },
    gets: [200, { actual: { 13: 1 } }],
    writes: ['media/2026/03/a.txt.yaml'],
  },
  {
    name: 'list media by the tree of the current user',
    who: 'author',
    does: 'GET /cms/v2/media?folder=13&_fields=id',
    gets: [200, [{ id: 60 }]],
  },
  { name: 'list nothing by the tree of another user', who: 'editor', does: 'GET /cms/v2/media?folder=13', gets: [200, []] },
]);

describe('folders of a site', () => {
  let site: TestSite;
  afterEach(() => site.close());

  it('keep user preferences across a restart, with mode 0600', async () => {
    site = await startSite({ files });
    await site.ask('GET', `${v1}/set-folder-counter?type=counter_file_in_folder_and_sub`, { as: 'admin' });
    const { readFile, stat } = await import('node:fs/promises');
    const path = `${site.dir}/.cms/private/folders/preferences/1.yaml`;
    expect(await readFile(path, 'utf8')).toBe('FOLDER_COUNTER_TYPE: counter_file_in_folder_and_sub\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const again = await openSite(site.dir, { readOnly: true });
    expect(await preferencesOf(again, 1)).toMatchObject({ FOLDER_COUNTER_TYPE: 'counter_file_in_folder_and_sub' });
    await again.close();
    await site.ask('GET', `${v1}/set-folder-counter?type=anything`, { as: 'admin' });
    await expect(stat(path)).rejects.toThrow();
  });

  it('follow hand edits of their settings', async () => {
    site = await startSite({ files: { ...files, [settings]: 'USER_MODE: true\n' } });
    const tree = async () => (await site.ask('GET', `${v1}/get-folders`, { as: 'admin' })).body.tree.length;
    expect(await tree()).toBe(0);
    await site.write(settings, 'USER_MODE: "0"\n');
    await until(async () => (await tree()) === 2);
  });

  it('can be shown as a gallery, escaped', async () => {
    site = await startSite({ files });
    const [b, a] = [await upload(site, 'b.jpg'), await upload(site, 'a.jpg')];
    const body = { alt_text: '"quay" & 1 < 2', title: 'T', caption: 'By <em>Anna</em><script>x</script>' };
    await site.ask('POST', `/cms/v2/media/${a.id}`, { as: 'admin', body });
    await site.ask('POST', `${v1}/assign-folder`, { as: 'admin', body: { folderId: 9, ids: [a.id, b.id, 60] } });
    const ask = async (more: object) =>
      (await site.ask('POST', `${v1}/gutenberg-get-images`, { as: 'admin', body: { selectedFolder: [9], ...more } })).body
        .html as string;
    const html = await ask({
      sortBy: 'file_name',
      sortType: 'ASC',
      hasCaption: true,
      linkTo: 'media',
      columns: 2,
      isCropped: false,
    });
    expect(html).toBe(
      `<ul class="folders-gallery blocks-gallery-grid layout-flex columns-2" style="--columns: 2; --space: 0px; --min-width: 0px;"><li class="blocks-gallery-item"><figure><a href="${a.full}"><img src="${a.full}" alt="&quot;quay&quot; &amp; 1 &lt; 2" class="cms-image-${a.id}" data-id="${a.id}" /></a><figcaption class="blocks-gallery-item__caption"><p>By <em>Anna</em>x</p></figcaption></figure></li><li class="blocks-gallery-item"><figure><a href="${b.full}"><img src="${b.full}" alt="b" class="cms-image-${b.id}" data-id="${b.id}" /></a></figure></li></ul>`,
    );
    expect(await ask({ linkTo: 'attachment', sortBy: 'file_name' })).toContain(`<a href="${b.link}"><img`);
    expect(await ask({ className: 'x" onload="y', layout: '"', spaceAroundImage: 5 })).toMatch(
      /^<ul class="folders-gallery blocks-gallery-grid layout-flex columns-3 is-cropped x onloady" style="--columns: 3; --space: 5px;/,
    );
  });

  it('show nobody an image they may not see', async () => {
    site = await startSite({ files });
    const { as } = await signUp(site, 'writer', 'author');
    const draft = (await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Secret', status: 'draft' } })).body.id;
    const { id } = await upload(site, 'a.jpg');
    await site.ask('POST', `/cms/v2/media/${id}`, { as: 'admin', body: { post: draft } });
    await site.ask('POST', `${v1}/assign-folder`, { as: 'admin', body: { folderId: 9, ids: [id] } });
    const { html } = (await site.ask('POST', `${v1}/gutenberg-get-images`, { as, body: { selectedFolder: [9] } })).body;
    expect(html).not.toContain('<img');
  });
});
