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

describeApi('setting up a site', { files: { 'site.yaml': yaml }, users: [...roles] }, [
  ...refusals('manage', represent, { company_or_person: 'company' }),
  ...refusals('manage', profiles, {}),
  ...refusals('manage', `GET ${v1}/check_capability?user_id=1`),
  ...refusals('manage', `POST ${v1}/enable_tracking`, { tracking: true }),
  ...refusals('manage', steps, { finishedSteps: [] }),
  ...refusals('manage', `GET ${v1}/get_configuration_state`),
  { name: 'what is missing is told before who may', does: represent, body: {}, gets: [400, 'rest_missing_callback_param'] },
  {
    name: 'it is a company or a person',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'club' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'names are texts',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: ['x'] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'what is so already is not written',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company' },
    gets: [200, done],
  },
  {
    name: 'a name is stored',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: 'Tom & Jerry', website_name: 'T&J' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    name: 'a name that had tags is stored without them, and told',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_name: '<b>Bold</b> a' },
    gets: [500, failed('company_name')],
    writes: ['site.yaml'],
  },
  {
    name: 'what is no address stays as it was',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'company', company_logo: 'no address', company_logo_id: -1, person_logo: 'javascript:alert(1)' },
    gets: [500, failed('company_logo', 'company_logo_id', 'person_logo')],
  },
  {
    name: 'others are stored beside one that cannot be',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'person', company_or_person_user_id: 1, company_logo: 'no address' },
    gets: [500, failed('company_logo')],
    writes: ['site.yaml'],
  },
  {
    name: 'the description is the tagline of the site',
    who: 'admin',
    does: represent,
    body: { company_or_person: 'person', description: 'By the sea' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { name: 'so the settings say', who: 'admin', does: 'GET /cms/v2/settings', gets: [200, { description: 'By the sea' }] },
  {
    name: 'profiles are stored',
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
  { name: 'nothing is no mistake', who: 'admin', does: profiles, body: {}, gets: [200, { json: done }] },
  ...['@quay', 'bad handle!', 'x'.repeat(26), 'https://elsewhere.example/quay'].map(
    (network_b_site): ApiRow => ({
      name: `a handle is not: ${network_b_site}`,
      who: 'admin',
      does: profiles,
      body: { network_b_site, network_a_site: 'https://changed.example/' },
      gets: [200, unfit('network_b_site')],
    }),
  ),
  ...['/quay', 'ftp://a.example/', 'mailto:a@b.example', 'not a url'].map(
    (network_a_site): ApiRow => ({
      name: `a profile is not: ${network_a_site}`,
      who: 'admin',
      does: profiles,
      body: { network_a_site },
      gets: [200, unfit('network_a_site')],
    }),
  ),
  {
    name: 'of others the places are told',
    who: 'admin',
    does: profiles,
    body: { other_social_urls: ['https://ok.example/', '/no', 'nor this', [1]] },
    gets: [200, unfit('other_social_urls-1', 'other_social_urls-2', 'other_social_urls-3')],
  },
  {
    name: 'others are a list',
    who: 'admin',
    does: profiles,
    body: { other_social_urls: { a: 1 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'whoever may edit everybody may edit nobody too',
    who: 'admin',
    does: `GET ${v1}/check_capability?user_id=word`,
    gets: [200, done],
  },
  {
    name: 'somebody has to be named',
    who: 'admin',
    does: `GET ${v1}/check_capability`,
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'tracking is on or off',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: 'maybe' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'tracking is off already',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: 'false' },
    gets: [200, done],
  },
  {
    name: 'tracking is switched on',
    who: 'admin',
    does: `POST ${v1}/enable_tracking`,
    body: { tracking: '1' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { name: 'no step is done', who: 'admin', does: `GET ${v1}/get_configuration_state`, gets: [200, { ...done, data: [] }] },
  {
    name: 'steps are kept as texts',
    who: 'admin',
    does: steps,
    body: { finishedSteps: ['<i>one</i>', 2] },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { name: 'and read', who: 'admin', does: `GET ${v1}/get_configuration_state`, gets: [200, { data: ['one', '2'] }] },
  { name: 'steps are a list', who: 'admin', does: steps, body: { finishedSteps: { a: 1 } }, gets: [400, 'rest_invalid_param'] },
  { name: 'of one', who: 'admin', does: steps, body: { finishedSteps: true }, gets: [200, done], writes: ['site.yaml'] },
  { name: 'or of none', who: 'admin', does: steps, body: { finishedSteps: [] }, gets: [200, done], writes: ['site.yaml'] },
]);

describe('the file', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { 'site.yaml': `# by hand\n${yaml}seo:\n  setup: { first_time: true }\n` } });
  });
  afterAll(() => site.close());
  const set = (path: string, body: object) => site.ask('POST', `${v1}/${path}`, { as: 'admin', body });

  it('says what was set up, and reads so after a restart', async () => {
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

  it('is heard when a person changes it', async () => {
    const said = await site.read('site.yaml');
    await site.write('site.yaml', said.replace(/- a\n/, '- by-hand\n'));
    const data = async () => (await site.ask('GET', `${v1}/get_configuration_state`, { as: 'admin' })).body.data;
    await until(async () => (await data())[0] === 'by-hand');
  });

  it('keeps what is emptied out', async () => {
    await set('social_profiles', { network_a_site: '', network_b_site: '', other_social_urls: [] });
    expect(await site.read('site.yaml')).not.toContain('profiles');
  });
});
