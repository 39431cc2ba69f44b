/** Setting up a site for search engines: every route by every role, what is refused, and what `site.yaml` says afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { refusals, roles } from '../editors/access.ts';

const v1 = '/seo/v1/configuration';
const yaml = 'name: Quay\ntimezone: UTC\ndeployment: extended\n';
const done = { success: true, status: 200 };
const represent = `POST ${v1}/site_representation`;
const profiles = `POST ${v1}/social_profiles`;
const steps = `POST ${v1}/save_configuration_state`;
const failed = (...failures: string[]) => ({ success: false, status: 500, failures });
const unfit = (...failures: string[]) => ({ json: { success: false, status: 200, failures } });

describeApi('first-time configuration', { files: { 'site.yaml': yaml }, users: [...roles] }, [
  ...refusals('manage', represent, { company_or_person: 'company' }),
  ...refusals('manage', profiles, {}),
  ...refusals('manage', `GET ${v1}/check_capability?user_id=1`),
  ...refusals('manage', `POST ${v1}/enable_tracking`, { tracking: true }),
  ...refusals('manage', steps, { finishedSteps: [] }),
  ...refusals('manage', `GET ${v1}/get_configuration_state`),
  {
    name: 'reports missing parameters before missing rights',
    does: represent,
    body: {},
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'accepts a company or a person',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'club' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'accepts names as strings',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: ['x'] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'writes nothing if nothing changes',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company' },
    gets: [200, done],
  },
  {
    name: 'stores a name',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: 'Tom & Jerry', website_name: 'T&J' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    name: 'strips tags from a name, and reports it',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: '<b>Bold</b> a' },
    gets: [500, failed('company_name')],
    writes: ['site.yaml'],
  },
  {
    name: 'keeps the old value for an invalid URL',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_logo: 'no address', company_logo_id: -1, person_logo: 'javascript:alert(1)' },
    gets: [500, failed('company_logo', 'company_logo_id', 'person_logo')],
  },
  {
    name: 'stores valid values next to an invalid one',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'person', company_or_person_user_id: 1, company_logo: 'no address' },
    gets: [500, failed('company_logo')],
    writes: ['site.yaml'],
  },
  {
    name: "stores the description as the site's tagline",
    who: 'admin',
    does: represent,
    body: { company_or_person: 'person', description: 'By the sea' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    name: 'returns the tagline in the settings',
    who: 'admin',
    does: 'GET /cms/v2/settings',
    gets: [200, { description: 'By the sea' }],
  },
  {
    name: 'stores social profiles',
    who: 'admin',
    does: profiles,
    body: {
      network_a_site: 'https://network-a.example/quay',
      network_b_site: 'https://x.com/quay_1',
      other_social_urls: ['', 'https://c.example/q', 'd.example'],
    },
    gets: [200, { json: done }],
    writes: ['site.yaml'],
  },
  { name: 'accepts an empty profile', who: 'admin', does: profiles, body: {}, gets: [200, { json: done }] },
  ...['@quay', 'bad handle!', 'x'.repeat(26), 'https://elsewhere.example/quay'].map(
    (network_b_site): ApiRow => ({
      name: `rejects a handle: ${network_b_site}`,
      who: 'admin',
      does: profiles,
      body: { network_b_site, network_a_site: 'https://changed.example/' },
      gets: [200, unfit('network_b_site')],
    }),
  ),
  ...['/quay', 'ftp://a.example/', 'mailto:a@b.example', 'not a url'].map(
    (network_a_site): ApiRow => ({
      name: `rejects a profile: ${network_a_site}`,
      who: 'admin',
      does: profiles,
      body: { network_a_site },
      gets: [200, unfit('network_a_site')],
    }),
  ),
  {
    name: 'reports the positions of other invalid profiles',
    who: 'admin',
    does: profiles,
    body: { other_social_urls: ['https://ok.example/', '/no', 'nor this', [1]] },
    gets: [200, unfit('other_social_urls-1', 'other_social_urls-2', 'other_social_urls-3')],
  },
  {
    name: 'requires a list of other profiles',
    who: 'admin',
    does: profiles,
    body: { other_social_urls: { a: 1 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'allows users who may edit everybody to name nobody',
    who: 'admin',
    does: `GET ${v1}/check_capability?user_id=word`,
    gets: [200, done],
  },
  {
    name: 'requires a user',
    who: 'admin',
    does: `GET ${v1}/check_capability`,
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'accepts a boolean for tracking',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: 'maybe' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'accepts tracking that is already off',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: 'false' },
    gets: [200, done],
  },
  {
    name: 'enables tracking',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: '1' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    name: 'starts without finished steps',
    who: 'admin',
    does: `GET ${v1}/get_configuration_state`,
    gets: [200, { ...done, data: [] }],
  },
  {
    name: 'stores steps as strings',
    who: 'admin',
    does: steps,
    body: { finishedSteps: ['<i>one</i>', 2] },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { name: 'returns the steps', who: 'admin', does: `GET ${v1}/get_configuration_state`, gets: [200, { data: ['one', '2'] }] },
  {
    name: 'requires a list of steps',
    who: 'admin',
    does: steps,
    body: { finishedSteps: { a: 1 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'accepts one step',
    who: 'admin',
    does: steps,
    body: { finishedSteps: true },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { name: 'accepts no steps', who: 'admin', does: steps, body: { finishedSteps: [] }, gets: [200, done], writes: ['site.yaml'] },
]);

describe('the stored configuration', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { 'site.yaml': `# by hand\n${yaml}seo:\n  setup: { first_time: true }\n` } });
  });
  afterAll(() => site.close());
  const set = (path: string, body: object) => site.ask('POST', `${v1}/${path}`, { as: 'admin', body });

  it('is the same after a restart', async () => {
    await set('site_representation', {
      company_or_person: 'company',
      company_name: 'Quay',
      company_logo: 'https://cdn.example/q.png',
    });
    await set('social_profiles', {
      network_a_site: 'https://network-a.example/q',
      network_b_site: 'quay',
      other_social_urls: ['https://c.example/'],
    });
    await set('enable_tracking', { tracking: true });
    await set('save_configuration_state', { finishedSteps: ['a', 'b', 'c'] });
    const said = await site.read('site.yaml');
    expect(said).toContain('# by hand\nname: Quay\n');
    for (const part of [
      'name: Quay',
      'logo: https://cdn.example/q.png',
      'network_a: https://network-a.example/q',
      'network_b: quay',
    ])
      expect(said).toContain(part);
    expect(said).not.toContain('first_time');
    const again = await openSite(site.dir, { readOnly: true });
    expect(again.seo.options()).toMatchObject({
      ...{ companyName: 'Quay', companyLogo: 'https://cdn.example/q.png', networkBSite: 'quay' },
      ...{ tracking: true, toggledTracking: true, finishedSteps: ['a', 'b', 'c'], firstTimeInstall: false },
    });
    await again.close();
  });

  it('follows hand edits', async () => {
    const said = await site.read('site.yaml');
    await site.write('site.yaml', said.replace(/- a\n/, '- by-hand\n'));
    const data = async () => (await site.ask('GET', `${v1}/get_configuration_state`, { as: 'admin' })).body.data;
    await until(async () => (await data())[0] === 'by-hand');
  });

  it('keeps cleared values', async () => {
    await set('social_profiles', { network_a_site: '', network_b_site: '', other_social_urls: [] });
    expect(await site.read('site.yaml')).not.toContain('profiles');
  });
});
