import { dedent } from '../support/dedent.ts';
import { describeApi } from '../support/describe-api.ts';

const files = {
  'posts/2026/03/boats.md': dedent`
    ---
    id: 70
    date: 2026-03-01
    ---
    Text
  `,
  'posts/2026/03/shut.md': dedent`
    ---
    id: 71
    date: 2026-03-01
    comments: closed
    ---
    Text
  `,
  'comments/70/80.md': dedent`
    ---
    id: 80
    author: Cora
    email: cora@example.org
    date: 2026-03-02T10:00:00
    ---
    First
  `,
};

describeApi('comments', { files, users: ['editor', 'subscriber'] }, [
  {
    name: 'that are approved are public, without addresses',
    does: 'GET /cms/v2/comments?post=70',
    gets: [200, [{ id: 80, author_name: 'Cora', content: { rendered: '<p>First</p>\n' } }]],
    headers: { 'X-CMS-Total': '1' },
  },
  { name: 'that are not there', does: 'GET /cms/v2/comments/999', gets: [404, 'rest_comment_invalid_id'] },
  {
    name: 'of users are there at once',
    who: 'subscriber',
    does: 'POST /cms/v2/comments',
    body: { post: 71, content: 'Hello' },
    gets: [403, 'rest_comment_closed'],
  },
  {
    name: 'of visitors need an account',
    does: 'POST /cms/v2/comments',
    body: { post: 70, content: 'Hello' },
    gets: [401, 'rest_comment_login_required'],
  },
  {
    name: 'need a text',
    who: 'subscriber',
    does: 'POST /cms/v2/comments',
    body: { post: 70, content: '' },
    gets: [400, 'rest_comment_content_invalid'],
  },
  {
    name: 'are not moderated by who writes them',
    who: 'subscriber',
    does: 'PUT /cms/v2/comments/80',
    body: { content: 'Second' },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'change in their file',
    who: 'editor',
    does: 'PUT /cms/v2/comments/80',
    body: { content: 'Second' },
    gets: [200, { content: { raw: 'Second' } }],
    writes: ['comments/70/80.md'],
  },
  {
    name: 'go to the trash',
    who: 'editor',
    does: 'DELETE /cms/v2/comments/80',
    gets: [200, { status: 'trash' }],
    writes: ['comments/70/80.md'],
  },
  { name: 'are not there twice', who: 'editor', does: 'DELETE /cms/v2/comments/80', gets: [410, 'rest_already_trashed'] },
  {
    name: 'go for good',
    who: 'editor',
    does: 'DELETE /cms/v2/comments/80?force=true',
    gets: [200, { deleted: true }],
    writes: ['comments/70/80.md'],
  },
]);
