import { dedent } from '../support/dedent.ts';
import { describeApi, rowsAt } from '../support/describe-api.ts';

const files = {
  'site.yaml': dedent`
    name: Quay
    timezone: UTC
  `,
  'posts/2026/03/boats.md': dedent`
    ---
    id: 70
    title: Boats
    date: 2026-03-01
    ---
    Text
  `,
  'posts/2026/03/later.md': dedent`
    ---
    id: 71
    title: Later
    status: draft
    ---
    Secret
  `,
  'posts/2026/03/inner.md': dedent`
    ---
    id: 69
    title: Inner
    date: 2026-03-02
    status: private
    ---
    Text
  `,
};

describeApi('posts', { files, users: ['editor', 'author', 'contributor', 'subscriber'] }, [
  {
    name: 'that are published are public',
    does: 'GET /cms/v2/posts',
    gets: [200, [{ id: 70, title: { rendered: 'Boats' }, link: '{url}/boats/' }]],
    headers: { 'X-CMS-Total': '1', 'X-CMS-TotalPages': '1' },
  },
  { name: 'of no status are the public ones', does: 'GET /cms/v2/posts?status=&_fields=id', gets: [200, [{ id: 70 }]] },
  {
    name: 'of no status are private ones, too, for those who may see them',
    who: 'editor',
    does: 'GET /cms/v2/posts?status=&_fields=id',
    gets: [200, [{ id: 69 }, { id: 70 }]],
    headers: { 'X-CMS-Total': '2' },
  },
  { name: 'that are not are not', does: 'GET /cms/v2/posts/71', gets: [401, 'rest_forbidden'] },
  { name: 'that are not, for a subscriber', who: 'subscriber', does: 'GET /cms/v2/posts/71', gets: [403, 'rest_forbidden'] },
  {
    name: 'are as stored for editors',
    who: 'editor',
    does: 'GET /cms/v2/posts/71?context=edit',
    gets: [200, { title: { raw: 'Later' }, status: 'draft' }],
  },
  { name: 'that are not there', does: 'GET /cms/v2/posts/999', gets: [404, 'rest_post_invalid_id'] },
  { name: 'beyond the last page', does: 'GET /cms/v2/posts?page=9', gets: [400, 'rest_post_invalid_page_number'] },
  {
    name: 'are files of their month',
    who: 'author',
    does: 'POST /cms/v2/posts',
    body: { title: 'High water', content: 'Wet.', status: 'publish' },
    gets: [201, { slug: 'high-water', date: rowsAt, status: 'publish', author: 3 }],
    headers: { Location: /\/v2\/posts\/\d+$/ },
    writes: ['posts/2026/03/high-water.md'],
  },
  { name: 'need something to say', who: 'author', does: 'POST /cms/v2/posts', body: {}, gets: [400, 'empty_content'] },
  { name: 'are not made by visitors', does: 'POST /cms/v2/posts', body: { title: 'x' }, gets: [401, 'rest_cannot_create'] },
  {
    name: 'are not made by subscribers',
    who: 'subscriber',
    does: 'POST /cms/v2/posts',
    body: { title: 'x' },
    gets: [403, 'rest_cannot_create'],
  },
  {
    name: 'are not published by contributors',
    who: 'contributor',
    does: 'POST /cms/v2/posts',
    body: { title: 'x', status: 'publish' },
    gets: [403, 'rest_cannot_publish'],
  },
  {
    name: 'are not changed by other authors',
    who: 'author',
    does: 'PUT /cms/v2/posts/70',
    body: { title: 'Ships' },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'do not change where the client knows another state',
    who: 'editor',
    does: 'PUT /cms/v2/posts/70',
    body: { title: 'Ships' },
    sends: { 'If-Match': '"another"' },
    gets: [412, 'rest_conflict'],
  },
  {
    name: 'move with their slug, and leave a revision',
    who: 'editor',
    does: 'PUT /cms/v2/posts/70',
    body: { slug: 'ships' },
    gets: [200, { slug: 'ships', link: '{url}/ships/' }],
    writes: ['posts/2026/03/boats.md', 'posts/2026/03/ships.md', 'revisions/70/74.md'],
  },
  {
    name: 'go to the trash where they are',
    who: 'editor',
    does: 'DELETE /cms/v2/posts/70',
    gets: [200, { status: 'trash' }],
    writes: ['posts/2026/03/ships.md', 'posts/2026/03/ships__trashed.md'],
  },
  { name: 'are there once', who: 'editor', does: 'DELETE /cms/v2/posts/70', gets: [410, 'rest_already_trashed'] },
  {
    name: 'go for good',
    who: 'editor',
    does: 'DELETE /cms/v2/posts/70?force=true',
    gets: [200, { deleted: true, previous: { id: 70 } }],
    writes: ['posts/2026/03/ships__trashed.md', 'revisions/70/74.md'],
  },
]);
