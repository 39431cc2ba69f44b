/** Every route of folders for each role that may upload: a request that finds everything as it asks for changes no file. */
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { files, users } from './site.ts';

const v1 = '/folders/v1';
const counts = { display: { 3: 1, 7: 1 }, actual: { 3: 1, 7: 1 } };

/** Route → what is sent, and what the answer has. */
const routes: Readonly<Record<string, readonly [body: object | undefined, has: object | undefined]>> = {
  'GET get-folders': [undefined, { allAttachmentsCount: 3, attachmentsCount: counts }],
  'GET gutenberg-get-folders': [undefined, { success: true }],
  'GET set-folder-counter?type=counter_file_in_folder': [undefined, counts],
  'GET export-csv': [undefined, { folders: [{ id: '3', attachment_ids: '60' }, { id: '7' }, { id: '9' }] }],
  'POST update-folder': [{ id: 3, parent: 0, title: 'Brand' }, undefined],
  'POST update-folder-color': [{ folderId: 7, color: '#ff8800' }, undefined],
  'POST delete-folder': [{ ids: [999] }, counts],
  'POST assign-folder': [{ folderId: 3, ids: [60] }, counts],
  'POST set-settings': [{ FOLDER_COUNTER_TYPE: 'counter_file_in_folder' }, undefined],
  'POST generate-attachment-size': [{ page: 2 }, { success: true, next: '0' }],
  'POST gutenberg-get-images': [{ selectedFolder: [9] }, { html: '' }],
  'POST import-csv': [{}, { success: false }],
  'POST import-csv-detail': [{}, { success: false }],
  'POST fld-get-old-data': [{}, { success: true }],
  'GET import/get-folders/happyfiles': [undefined, { result: true }],
  'GET import/get-attachments/happyfiles': [undefined, { result: true }],
  'POST fld-no-thanks': [{ site: 'happyfiles' }, { mess: 'Success' }],
};

const source = 'source: happyfiles\nfolders:\n  - { id: 41, name: Brand, parent: 0 }\nmembers: { 41: [60] }\n';

describeApi('permissions of folder routes', { files: { ...files, 'imports/media-folders/happyfiles.yaml': source }, users }, [
  ...['author', 'editor', 'admin'].flatMap((who) =>
    Object.entries(routes).map(([route, [body, has]]): ApiRow => {
      const [method, path] = route.split(' ');
      return {
        name: `${route} is for ${who}`,
        who,
        does: `${method} ${v1}/${path}`,
        ...(body ? { body } : {}),
        gets: has ? [200, has] : 200,
      };
    }),
  ),
  ...['author', 'editor'].map(
    (who): ApiRow => ({
      name: `POST fldv-api is forbidden for ${who}`,
      who,
      does: `POST ${v1}/fldv-api`,
      body: { act: 'generate-key' },
      gets: [403, 'rest_forbidden'],
    }),
  ),
  ...['POST fld-insert-old-data', 'POST fld-wipe-old-data', 'POST fld-wipe-clear-all-data'].flatMap((route) =>
    ['author', 'editor'].map((who): ApiRow => {
      const [method, path] = route.split(' ');
      return { name: `${route} is forbidden for ${who}`, who, does: `${method} ${v1}/${path}`, body: { folders: [] }, gets: 403 };
    }),
  ),
  {
    name: 'POST new-folder is for editors',
    who: 'editor',
    does: `POST ${v1}/new-folder`,
    body: { title: 'Of an editor', parent: 3 },
    gets: [200, { id: 13, parent: 3 }],
    writes: ['media-folders/shared.yaml'],
  },
  {
    name: 'POST update-folder-ord is for administrators',
    who: 'admin',
    does: `POST ${v1}/update-folder-ord`,
    body: { dragNodeId: 9, dropNodeId: 3, dropPosition: 0, toParentId: 3 },
    gets: 200,
    writes: ['media-folders/shared.yaml'],
  },
]);
