import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { files, users } from './site.ts';

const v1 = '/folders/v1';
const shared = 'media-folders/shared.yaml';
const before = { display: { 3: 1, 7: 1 }, actual: { 3: 1, 7: 1 } };

/** Routes of the media library, each with a body that would do something. */
const routes: Readonly<Record<string, object | null>> = {
  'GET get-folders': null,
  'GET gutenberg-get-folders': null,
  'GET set-folder-counter': null,
  'POST new-folder': { title: 'New', parent: 0 },
  'POST update-folder': { id: 3, parent: 0, title: 'New' },
  'POST update-folder-color': { folderId: 3, color: '#fff' },
  'POST update-folder-ord': { dragNodeId: 9, dropNodeId: 3, dropPosition: -1, toParentId: 0 },
  'POST delete-folder': { ids: [3] },
  'POST assign-folder': { folderId: 3, ids: [62] },
};

const refusals = Object.entries(routes).flatMap(([route, body]): ApiRow[] => {
  const [method = '', path = ''] = route.split(' ');
  const asks = { does: `${method} ${v1}/${path}`, ...(body ? { body } : {}) };
  return [
    { name: `${route} is not for visitors`, ...asks, gets: [401, 'rest_forbidden'] },
    ...['contributor', 'subscriber'].map(
      (who): ApiRow => ({ name: `${route} is not for a ${who}`, who, ...asks, gets: [403, 'rest_forbidden'] }),
    ),
  ];
});

describeApi('folder routes', { files, users }, [...refusals]);

describeApi('folders', { files, users }, [
  {
    name: 'are a tree with counts',
    who: 'author',
    does: `GET ${v1}/get-folders`,
    gets: [
      200,
      {
        tree: [
          {
            ...{ key: 3, id: 3, title: 'Brand', text: 'Brand', parent: 0, ord: '0', color: '', 'data-id': 3, 'data-count': 1 },
            children: [
              {
                ...{ key: 7, id: 7, title: 'Logos', text: 'Logos', parent: 3, ord: '0', color: '#ff8800', 'data-id': 7 },
                ...{ 'data-count': 1, children: [] },
              },
            ],
          },
          { key: 9, title: 'Press', parent: 0, ord: '1', 'data-count': 0, children: [] },
        ],
        allAttachmentsCount: 3,
        attachmentsCount: before,
      },
    ],
    headers: { 'Cache-Control': /no-store/ },
  },
  {
    name: 'are a flat list for a search',
    who: 'author',
    does: `GET ${v1}/get-folders?search=LOG`,
    gets: [200, { tree: [{ id: 7, title: 'Logos', parent: 3, children: [] }] }],
  },
  {
    name: 'are options of a select control',
    who: 'author',
    does: `GET ${v1}/gutenberg-get-folders`,
    gets: [
      200,
      {
        success: true,
        data: [
          { value: 0, label: 'Please choose folder', disabled: true },
          { value: 3, label: 'Brand' },
          { value: 7, label: '-Logos' },
          { value: 9, label: 'Press' },
        ],
      },
    ],
  },
  {
    name: 'are created after their siblings',
    who: 'author',
    does: `POST ${v1}/new-folder`,
    body: { title: '=+ <b>Print</b>\n  &amp; ', parent: '3' },
    gets: [200, { title: 'Print &amp;', id: 13, key: 13, type: 0, parent: 3, children: [], 'data-count': 0, 'data-id': 13 }],
    writes: [shared],
  },
  ...(
    [
      ['without a title', { parent: 0 }, 'validation_failed'],
      ['with an empty one', { title: ' <b></b>=', parent: 0 }, 'validation_failed'],
      ['with one that is too long', { title: 'x'.repeat(251), parent: 0 }, 'validation_failed'],
      ['with a list for a title', { title: ['x'], parent: 0 }, 'validation_failed'],
      ['without a parent', { title: 'New' }, 'validation_failed'],
      ['with a parent that is no number', { title: 'New', parent: 'x' }, 'validation_failed'],
      ['with an unknown parent', { title: 'New', parent: 99 }, 'validation_failed'],
      ['with the name of a sibling', { title: 'logos', parent: 3 }, 'folder_name_exist'],
    ] as const
  ).map(([what, body, code]): ApiRow => {
    return { name: `cannot be created ${what}`, who: 'author', does: `POST ${v1}/new-folder`, body, gets: [400, code] };
  }),
  {
    name: 'have a unique name in each parent',
    who: 'editor',
    does: `POST ${v1}/new-folder`,
    body: { title: 'Logos', parent: 0 },
    gets: [200, { title: 'Logos', parent: 0 }],
    writes: [shared],
  },
  {
    name: 'can be renamed without moving',
    who: 'author',
    does: `POST ${v1}/update-folder`,
    body: { id: 7, parent: 0, title: 'Marks' },
    gets: 200,
    writes: [shared],
  },
  {
    name: 'keep an unchanged name',
    who: 'author',
    does: `POST ${v1}/update-folder`,
    body: { id: '7', parent: '3', title: 'Marks' },
    gets: 200,
  },
  ...(
    [
      ['to the name of a sibling', { id: 7, parent: 3, title: 'PRINT &amp;' }, 'folder_name_exist'],
      ['to nothing', { id: 7, parent: 3, title: '' }, 'validation_failed'],
      ['without an id', { parent: 3, title: 'x' }, 'validation_failed'],
      ['without a parent', { id: 7, title: 'x' }, 'validation_failed'],
      ['where there is none', { id: 99, parent: 0, title: 'x' }, 'validation_failed'],
    ] as const
  ).map(([what, body, code]): ApiRow => {
    return { name: `cannot be renamed ${what}`, who: 'author', does: `POST ${v1}/update-folder`, body, gets: [400, code] };
  }),
  {
    name: 'have a color',
    who: 'author',
    does: `POST ${v1}/update-folder-color`,
    body: { folderId: 3, color: '#AbC' },
    gets: 200,
    writes: [shared],
  },
  {
    name: 'lose it for an invalid one',
    who: 'author',
    does: `POST ${v1}/update-folder-color`,
    body: { folderId: 3, color: 'red' },
    gets: 200,
    writes: [shared],
  },
  {
    name: 'need to exist to get a color',
    who: 'author',
    does: `POST ${v1}/update-folder-color`,
    body: { folderId: 99, color: '#abc' },
    gets: [400, 'validation_failed'],
  },
  ...(
    [
      ['without a number', { dragNodeId: 9, dropNodeId: 3, dropPosition: 0 }],
      ['to what is no number', { dragNodeId: 9, dropNodeId: 3, dropPosition: 'x', toParentId: 0 }],
      ['to no such place', { dragNodeId: 9, dropNodeId: 3, dropPosition: 2, toParentId: 0 }],
      ['below themselves', { dragNodeId: 3, dropNodeId: 7, dropPosition: 0, toParentId: 7 }],
      ['into themselves', { dragNodeId: 3, dropNodeId: 3, dropPosition: 0, toParentId: 3 }],
      ['that are not there', { dragNodeId: 99, dropNodeId: 3, dropPosition: 0, toParentId: 3 }],
      ['to a parent that is not there', { dragNodeId: 9, dropNodeId: 99, dropPosition: 1, toParentId: 99 }],
    ] as const
  ).map(([what, body]): ApiRow => {
    return {
      name: `cannot be moved ${what}`,
      who: 'author',
      does: `POST ${v1}/update-folder-ord`,
      body,
      gets: [400, 'invalid_params'],
    };
  }),
  {
    name: 'can be moved into another',
    who: 'author',
    does: `POST ${v1}/update-folder-ord`,
    body: { dragNodeId: '9', dropNodeId: '3', dropPosition: '0', toParentId: '3' },
    gets: 200,
    writes: [shared],
  },
  {
    name: 'can be first there',
    who: 'author',
    does: `GET ${v1}/get-folders?search=Press`,
    gets: [200, { tree: [{ id: 9, parent: 3, ord: '1' }] }],
  },
  {
    name: 'can be moved behind another',
    who: 'author',
    does: `POST ${v1}/update-folder-ord`,
    body: { dragNodeId: 9, dropNodeId: 3, dropPosition: 1, toParentId: 0 },
    gets: 200,
    writes: [shared],
  },
  {
    name: 'contain attachments, listed in their sidecars',
    who: 'author',
    does: `POST ${v1}/assign-folder`,
    body: { folderId: 9, ids: [61, '62', 999, 'x'] },
    gets: [200, { display: { 3: 1, 9: 2 }, actual: { 3: 1, 9: 2 } }],
    writes: ['media/2026/03/b.txt.yaml', 'media/2026/03/c.txt.yaml'],
  },
  {
    name: 'filter lists of media',
    does: '/cms/v2/media?folder=9&_fields=id&orderby=id&order=asc'.replace(/^/, 'GET '),
    gets: [200, [{ id: 61 }, { id: 62 }]],
    headers: { 'X-CMS-Total': '2' },
  },
  {
    name: 'have no media if they do not exist',
    does: 'GET /cms/v2/media?folder=99',
    gets: [200, []],
  },
  {
    name: 'can be counted including subfolders',
    who: 'editor',
    does: `GET ${v1}/set-folder-counter?type=counter_file_in_folder_and_sub`,
    gets: [200, { display: { 0: 3, 3: 1, 9: 2 }, actual: { 3: 1, 9: 2 } }],
  },
  {
    name: 'release attachments',
    who: 'author',
    does: `POST ${v1}/assign-folder`,
    body: { folderId: 0, ids: 62 },
    gets: [200, { actual: { 3: 1, 9: 1 } }],
    writes: ['media/2026/03/c.txt.yaml'],
  },
  {
    name: 'leave attachments unfiled',
    does: 'GET /cms/v2/media?folder=0&_fields=id',
    gets: [200, [{ id: 62 }]],
  },
  ...(
    [
      ['nowhere', {}],
      ['where there is none', { folderId: 99, ids: [60] }],
      ['where there can be none', { folderId: 'x', ids: [60] }],
      ['below nothing', { folderId: -1, ids: [60] }],
    ] as const
  ).map(([what, body]): ApiRow => {
    return {
      name: `cannot contain attachments ${what}`,
      who: 'author',
      does: `POST ${v1}/assign-folder`,
      body,
      gets: [400, 'validation_failed'],
    };
  }),
  { name: 'are deleted by name', who: 'author', does: `POST ${v1}/delete-folder`, body: {}, gets: [400, 'delete_failed'] },
  {
    name: 'are not deleted by an empty list',
    who: 'author',
    does: `POST ${v1}/delete-folder`,
    body: { ids: [] },
    gets: [400, 'delete_failed'],
  },
  {
    name: 'may be gone already',
    who: 'author',
    does: `POST ${v1}/delete-folder`,
    body: { ids: [99] },
    gets: [200, { actual: { 3: 1, 9: 1 } }],
  },
  {
    name: 'are deleted with their subfolders, and their attachments stay',
    who: 'author',
    does: `POST ${v1}/delete-folder`,
    body: { ids: [3, 9] },
    gets: [200, { display: {}, actual: {} }],
    writes: ['media/2026/03/a.txt.yaml', 'media/2026/03/b.txt.yaml', shared],
  },
]);
