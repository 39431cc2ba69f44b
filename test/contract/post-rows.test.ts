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
    name: 'published ones are public',
    does: 'GET /cms/v2/posts',
    gets: [200, [{ id: 70, title: { rendered: 'Boats' }, link: '{url}/boats/' }]],
    headers: { 'X-CMS-Total': '1', 'X-CMS-TotalPages': '1' },
  },
  { name: 'an empty status means publish', does: 'GET /cms/v2/posts?status=&_fields=id', gets: [200, [{ id: 70 }]] },
  {
    name: 'an empty status includes private ones for users who may read them',
    who: 'editor',
    does: 'GET /cms/v2/posts?status=&_fields=id',
    gets: [200, [{ id: 69 }, { id: 70 }]],
    headers: { 'X-CMS-Total': '2' },
  },
  { name: 'drafts are a 401 for visitors', does: 'GET /cms/v2/posts/71', gets: [401, 'rest_forbidden'] },
  { name: 'drafts are a 403 for subscribers', who: 'subscriber', does: 'GET /cms/v2/posts/71', gets: [403, 'rest_forbidden'] },
  {
    name: 'editors get the stored form',
    who: 'editor',
    does: 'GET /cms/v2/posts/71?context=edit',
    gets: [200, { title: { raw: 'Later' }, status: 'draft' }],
  },
  { name: 'an unknown id is a 404', does: 'GET /cms/v2/posts/999', gets: [404, 'rest_post_invalid_id'] },
  { name: 'a page beyond the last is an error', does: 'GET /cms/v2/posts?page=9', gets: [400, 'rest_post_invalid_page_number'] },
  {
    name: 'a new post is a file in the folder of its month',
    who: 'author',
    does: 'POST /cms/v2/posts',
    body: { title: 'High water', content: 'Wet.', status: 'publish' },
    gets: [201, { slug: 'high-water', date: rowsAt, status: 'publish', author: 3 }],
    headers: { Location: /\/v2\/posts\/\d+$/ },
    writes: ['posts/2026/03/high-water.md'],
  },
  { name: 'an empty post is refused', who: 'author', does: 'POST /cms/v2/posts', body: {}, gets: [400, 'empty_content'] },
  { name: 'visitors cannot create posts', does: 'POST /cms/v2/posts', body: { title: 'x' }, gets: [401, 'rest_cannot_create'] },
  {
    name: 'subscribers cannot create posts',
    who: 'subscriber',
    does: 'POST /cms/v2/posts',
    body: { title: 'x' },
    gets: [403, 'rest_cannot_create'],
  },
  {
    name: 'contributors cannot publish',
    who: 'contributor',
    does: 'POST /cms/v2/posts',
    body: { title: 'x', status: 'publish' },
    gets: [403, 'rest_cannot_publish'],
  },
  {
    name: 'authors cannot change posts of others',
    who: 'author',
    does: 'PUT /cms/v2/posts/70',
    body: { title: 'Ships' },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'a stale If-Match is refused',
    who: 'editor',
    does: 'PUT /cms/v2/posts/70',
    body: { title: 'Ships' },
    sends: { 'If-Match': '"another"' },
    gets: [412, 'rest_conflict'],
  },
  {
    name: 'a new slug moves the file and leaves a revision',
    who: 'editor',
    does: 'PUT /cms/v2/posts/70',
    body: { slug: 'ships' },
    gets: [200, { slug: 'ships', link: '{url}/ships/' }],
    writes: ['posts/2026/03/boats.md', 'posts/2026/03/ships.md', 'revisions/70/74.md'],
  },
  {
    name: 'trashing leaves the file in place',
    who: 'editor',
    does: 'DELETE /cms/v2/posts/70',
    gets: [200, { status: 'trash' }],
    writes: ['posts/2026/03/ships.md', 'posts/2026/03/ships__trashed.md'],
  },
  { name: 'a post cannot be trashed twice', who: 'editor', does: 'DELETE /cms/v2/posts/70', gets: [410, 'rest_already_trashed'] },
  {
    name: 'a forced delete removes the file',
    who: 'editor',
    does: 'DELETE /cms/v2/posts/70?force=true',
    gets: [200, { deleted: true, previous: { id: 70 } }],
    writes: ['posts/2026/03/ships__trashed.md', 'revisions/70/74.md'],
  },
]);
