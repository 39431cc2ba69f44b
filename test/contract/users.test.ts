import { dedent } from '../support/dedent.ts';
import { describeApi } from '../support/describe-api.ts';

const files = {
  'users/anna.yaml': dedent`
    id: 61
    name: Anna
    description: Writes about boats.
  `,
  'users/mute.yaml': 'id: 62\nname: Mute\n',
  'posts/2026/03/boats.md': dedent`
    ---
    id: 70
    date: 2026-03-01
    author: anna
    ---
    Text
  `,
};
const ben = { username: 'ben', email: 'ben@example.org', password: 'low tide 1' };

describeApi('users', { files, users: ['editor', 'subscriber'] }, [
  {
    name: 'authors with published posts are public',
    does: 'GET /cms/v2/users/61',
    gets: [200, { name: 'Anna', slug: 'anna', link: '{url}/author/anna/' }],
  },
  { name: 'users without published posts are hidden', does: 'GET /cms/v2/users/1', gets: [401, 'rest_user_cannot_view'] },
  { name: 'visitors can list authors with published posts', does: 'GET /cms/v2/users', gets: [200, [{ id: 61 }]] },
  {
    name: 'authors named by posts can be selected, even without an account',
    who: 'editor',
    does: 'GET /cms/v2/users?who=authors&include=61,62',
    gets: [200, [{ id: 61 }]],
  },
  {
    name: 'can be found by author capabilities',
    who: 'admin',
    does: 'GET /cms/v2/users?capabilities=edit_posts&include=61,62',
    gets: [200, [{ id: 61 }]],
  },
  {
    name: 'cannot be found by other capabilities',
    who: 'admin',
    does: 'GET /cms/v2/users?capabilities=manage_options&include=61,62',
    gets: [200, []],
  },
  { name: 'an unknown id is a 404', does: 'GET /cms/v2/users/999', gets: [404, 'rest_user_invalid_id'] },
  { name: 'a user can read itself', who: 'editor', does: 'GET /cms/v2/users/me', gets: [200, { slug: 'editor' }] },
  { name: '/users/me needs a user', does: 'GET /cms/v2/users/me', gets: [401, 'rest_not_logged_in'] },
  {
    name: 'administrators create them: the profile is content, the account is not',
    who: 'admin',
    does: 'POST /cms/v2/users',
    body: { ...ben, roles: ['author'] },
    gets: [201, { username: 'ben', email: 'ben@example.org', roles: ['author'] }],
    writes: ['users/ben.yaml'],
  },
  { name: 'a login is unique', who: 'admin', does: 'POST /cms/v2/users', body: ben, gets: [500, 'existing_user_login'] },
  {
    name: 'editors cannot create them',
    who: 'editor',
    does: 'POST /cms/v2/users',
    body: { ...ben, username: 'bo' },
    gets: [403, 'rest_cannot_create_user'],
  },
  {
    name: 'can change their own profile',
    who: 'subscriber',
    does: 'POST /cms/v2/users/me',
    body: { description: 'Reads.' },
    gets: [200, { description: 'Reads.' }],
    writes: ['users/subscriber.yaml'],
  },
  {
    name: 'cannot give themselves roles',
    who: 'subscriber',
    does: 'POST /cms/v2/users/me',
    body: { roles: ['administrator'] },
    gets: [403, 'rest_cannot_edit_roles'],
  },
  {
    name: 'cannot change others',
    who: 'editor',
    does: 'POST /cms/v2/users/61',
    body: { name: 'Eve' },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'cannot be deleted without reassigning their posts',
    who: 'admin',
    does: 'DELETE /cms/v2/users/61?force=true',
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'can be deleted, and leave their posts to another',
    who: 'admin',
    does: 'DELETE /cms/v2/users/61?force=true&reassign=1',
    gets: [200, { deleted: true, previous: { id: 61 } }],
    writes: ['posts/2026/03/boats.md', 'users/anna.yaml'],
  },
]);
