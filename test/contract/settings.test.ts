import { describeApi } from '../support/describe-api.ts';

describeApi('settings', { users: ['editor'] }, [
  { name: 'visitors cannot read them', does: 'GET /cms/v2/settings', gets: [401, 'rest_forbidden'] },
  { name: 'editors cannot read them', who: 'editor', does: 'GET /cms/v2/settings', gets: [403, 'rest_forbidden'] },
  {
    name: 'administrators can read them',
    who: 'admin',
    does: 'GET /cms/v2/settings',
    gets: [200, { title: 'Example Site', timezone: 'Europe/Berlin', posts_per_page: 10 }],
  },
  {
    name: 'a change writes one line',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Quay' },
    gets: [200, { title: 'Quay' }],
    writes: ['site.yaml'],
  },
  {
    name: 'an unchanged value writes nothing',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Quay' },
    gets: [200, { title: 'Quay' }],
  },
  {
    name: 'a value of another type is refused',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { title: 'Pier', posts_per_page: 'many' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'an unknown time zone is ignored',
    who: 'admin',
    does: 'POST /cms/v2/settings',
    body: { timezone: 'Mars/Base' },
    gets: [200, { timezone: 'Europe/Berlin' }],
  },
  {
    name: 'editors cannot change them',
    who: 'editor',
    does: 'POST /cms/v2/settings',
    body: { title: 'Pier' },
    gets: [403, 'rest_forbidden'],
  },
  { name: 'the last change is returned', who: 'admin', does: 'GET /cms/v2/settings', gets: [200, { title: 'Quay' }] },
]);

describeApi('the index', { files: { 'site.yaml': 'name: Quay\nhome: https://front.example\n' } }, [
  {
    name: 'names the front end that the settings name',
    does: 'GET /',
    gets: [200, { home: 'https://front.example', url: '{url}' }],
  },
]);
