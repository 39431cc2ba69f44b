import { describeApi } from '../support/describe-api.ts';

describeApi('settings', { users: ['editor'] }, [
  { name: 'are not for visitors', does: 'GET /cms/v2/settings', gets: [401, 'rest_forbidden'] },
  { name: 'nor for editors', who: 'editor', does: 'GET /cms/v2/settings', gets: [403, 'rest_forbidden'] },
  {
    name: 'are for administrators',
    who: 'admin',
    does: 'GET /cms/v2/settings',
    gets: [200, { title: 'Example Site', timezone: 'Europe/Berlin', posts_per_page: 10 }],
  },
  {
    name: 'change one line',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Quay' },
    gets: [200, { title: 'Quay' }],
    writes: ['site.yaml'],
  },
  {
    name: 'that say what is there already write nothing',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Quay' },
    gets: [200, { title: 'Quay' }],
  },
  {
    name: 'of another type are refused',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Pier', posts_per_page: 'many' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'of a zone that is none are passed over',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { timezone: 'Mars/Base' },
    gets: [200, { timezone: 'Europe/Berlin' }],
  },
  {
    name: 'are not for editors to change',
    who: 'editor',
    does: 'POST /cms/v2/settings',
    body: { title: 'Pier' },
    gets: [403, 'rest_forbidden'],
  },
  { name: 'are as the last change left them', who: 'admin', does: 'GET /cms/v2/settings', gets: [200, { title: 'Quay' }] },
]);
