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
    name: 'approved comments are public, without email and IP addresses',
    does: 'GET /cms/v2/comments?post=70',
    gets: [200, [{ id: 80, author_name: 'Cora', content: { rendered: '<p>First</p>\n' } }]],
    headers: { 'X-CMS-Total': '1' },
  },
  { name: 'an unknown id is a 404', does: 'GET /cms/v2/comments/999', gets: [404, 'rest_comment_invalid_id'] },
  {
    name: 'comments of users are approved at once',
    who: 'subscriber',
    does: 'POST /cms/v2/comments',
    body: { post: 71, content: 'Hello' },
    gets: [403, 'rest_comment_closed'],
  },
  {
    name: 'visitors need an account to comment',
    does: 'POST /cms/v2/comments',
    body: { post: 70, content: 'Hello' },
    gets: [401, 'rest_comment_login_required'],
  },
  {
    name: 'a comment without content is refused',
    who: 'subscriber',
    does: 'POST /cms/v2/comments',
    body: { post: 70, content: '' },
    gets: [400, 'rest_comment_content_invalid'],
  },
  {
    name: 'commenters cannot moderate their own comments',
    who: 'subscriber',
    does: 'PUT /cms/v2/comments/80',
    body: { content: 'Second' },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'an edit changes the file',
    who: 'editor',
    does: 'PUT /cms/v2/comments/80',
    body: { content: 'Second' },
    gets: [200, { content: { raw: 'Second' } }],
    writes: ['comments/70/80.md'],
  },
  {
    name: 'a deleted comment goes to the trash',
    who: 'editor',
    does: 'DELETE /cms/v2/comments/80',
    gets: [200, { status: 'trash' }],
    writes: ['comments/70/80.md'],
  },
  {
    name: 'a comment cannot be trashed twice',
    who: 'editor',
    does: 'DELETE /cms/v2/comments/80',
    gets: [410, 'rest_already_trashed'],
  },
  {
    name: 'a forced delete removes the comment',
    who: 'editor',
    does: 'DELETE /cms/v2/comments/80?force=true',
    gets: [200, { deleted: true }],
    writes: ['comments/70/80.md'],
  },
]);
