import { describeApi } from '../support/describe-api.ts';

const site = { users: ['editor', 'subscriber'] };

describeApi('statuses', site, [
  {
    name: 'a visitor sees the public ones alone',
    does: 'GET /cms/v2/statuses',
    gets: [200, { publish: { name: 'Published', slug: 'publish', public: true, queryable: true } }],
  },
  {
    name: 'whoever edits posts sees those of drafts',
    who: 'editor',
    does: 'GET /cms/v2/statuses?context=edit',
    gets: [200, { draft: { slug: 'draft', private: false, protected: true }, private: { private: true } }],
  },
  { name: 'the edit context is not for visitors', does: 'GET /cms/v2/statuses?context=edit', gets: [401, 'rest_cannot_view'] },
  {
    name: 'nor for subscribers',
    who: 'subscriber',
    does: 'GET /cms/v2/statuses?context=edit',
    gets: [403, 'rest_cannot_view'],
  },
  {
    name: 'one of them',
    does: 'GET /cms/v2/statuses/publish',
    gets: [200, { slug: 'publish', _links: { archives: [{ href: '{rest}/cms/v2/posts' }] } }],
  },
  { name: 'one that is not public', does: 'GET /cms/v2/statuses/draft', gets: [401, 'rest_cannot_read_status'] },
  {
    name: 'one that is not public, for an editor',
    who: 'editor',
    does: 'GET /cms/v2/statuses/draft',
    gets: [200, { slug: 'draft' }],
  },
  { name: 'one that is not there', who: 'editor', does: 'GET /cms/v2/statuses/nope', gets: [404, 'rest_status_invalid'] },
  { name: 'a field alone', does: 'GET /cms/v2/statuses/publish?_fields=slug', gets: [200, { slug: 'publish' }] },
  { name: 'nobody writes them', who: 'admin', does: 'POST /cms/v2/statuses', body: {}, gets: [404, 'rest_no_route'] },
]);
