import { describeApi } from '../support/describe-api.ts';

const site = { users: ['editor', 'subscriber'] };

describeApi('statuses', site, [
  {
    name: 'visitors see only the public ones',
    does: 'GET /cms/v2/statuses',
    gets: [200, { publish: { name: 'Published', slug: 'publish', public: true, queryable: true } }],
  },
  {
    name: 'users who edit posts see those of drafts',
    who: 'editor',
    does: 'GET /cms/v2/statuses?context=edit',
    gets: [200, { draft: { slug: 'draft', private: false, protected: true }, private: { private: true } }],
  },
  { name: 'visitors cannot use the edit context', does: 'GET /cms/v2/statuses?context=edit', gets: [401, 'rest_cannot_view'] },
  {
    name: 'subscribers cannot use the edit context',
    who: 'subscriber',
    does: 'GET /cms/v2/statuses?context=edit',
    gets: [403, 'rest_cannot_view'],
  },
  {
    name: 'returns one status',
    does: 'GET /cms/v2/statuses/publish',
    gets: [200, { slug: 'publish', _links: { archives: [{ href: '{rest}/cms/v2/posts' }] } }],
  },
  { name: 'hides a non-public status', does: 'GET /cms/v2/statuses/draft', gets: [401, 'rest_cannot_read_status'] },
  {
    name: 'shows a non-public status to editors',
    who: 'editor',
    does: 'GET /cms/v2/statuses/draft',
    gets: [200, { slug: 'draft' }],
  },
  { name: 'an unknown status is a 404', who: 'editor', does: 'GET /cms/v2/statuses/nope', gets: [404, 'rest_status_invalid'] },
  { name: '_fields returns one field', does: 'GET /cms/v2/statuses/publish?_fields=slug', gets: [200, { slug: 'publish' }] },
  { name: 'nobody can write them', who: 'admin', does: 'POST /cms/v2/statuses', body: {}, gets: [404, 'rest_no_route'] },
]);
