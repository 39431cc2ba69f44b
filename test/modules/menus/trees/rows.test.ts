/** Every route of `menus/v1`: the same for each role, each refusal, and the same after a restart and as files are edited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { beforeAndAfter } from '../../../support/restart.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const files = {
  'site.yaml': 'name: Harbour\ndeployment: extended\nmenu_locations: { primary: Header, footer: Footer }\n',
  'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-01\n---\nText\n',
  'pages/ueber.md': '---\nid: 11\ntitle: Über uns\nlang: de\ntranslation_of: about\ndate: 2026-03-01\n---\nText\n',
  'menus/main.yaml': 'id: 50\nname: Main\nlocations: [primary]\nitems:\n  - { page: about, id: 100 }\n',
  'menus/empty.yaml': 'id: 51\nname: Empty\n',
};
const roles = ['subscriber', 'contributor', 'author', 'editor'];
const routes: readonly (readonly [path: string, body: object])[] = [
  ['/menus', [{ term_id: 50, count: 1 }]],
  ['/menus/main', { term_id: 50, items: [{ ID: 100, title: 'About' }] }],
  ['/locations', { primary: { slug: 'primary', menu: { term_id: 50 } } }],
  ['/locations/primary', { term_id: 50, items: [{ ID: 100, title: 'About' }] }],
];
const m = '/menus/v1';

describeApi('routes of menus as trees', { files, users: roles }, [
  ...routes.flatMap(([path, body]): readonly ApiRow[] => [
    ...[undefined, ...roles, 'admin'].map(
      (who): ApiRow => ({
        name: `${path} is visible to ${who ?? 'visitors'}`,
        ...(who === undefined ? {} : { who }),
        does: `GET ${m}${path}`,
        gets: [200, body],
        headers: { Allow: 'GET' },
      }),
    ),
    { name: `${path} supports HEAD`, does: `HEAD ${m}${path}`, gets: 200 },
    { name: `${path} rejects other languages`, does: `GET ${m}${path}?lang_language=xx`, gets: [400, 'rest_invalid_param'] },
    {
      name: `${path} rejects a list of languages`,
      does: `GET ${m}${path}?lang_language[]=de`,
      gets: [400, 'rest_invalid_param'],
    },
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method): ApiRow => ({
        name: `${path} rejects ${method}`,
        who: 'admin',
        does: `${method} ${m}${path}`,
        body: {},
        gets: [404, 'rest_no_route'],
      }),
    ),
  ]),
  { name: 'an unknown menu is a 404', does: `GET ${m}/menus/none`, gets: [404, 'not_found'] },
  { name: 'an unknown menu is a 404 for administrators', who: 'admin', does: `GET ${m}/menus/none`, gets: [404, 'not_found'] },
  {
    name: 'invalid parameters are refused before a 404',
    does: `GET ${m}/menus/none?lang_language=xx`,
    gets: [400, 'rest_invalid_param'],
  },
  { name: 'a location without a menu is a 404', does: `GET ${m}/locations/footer`, gets: [404, 'not_found'] },
  { name: 'an unknown location is a 404', does: `GET ${m}/locations/none`, gets: [404, 'not_found'] },
  { name: 'a name with other characters is rejected', does: `GET ${m}/menus/ma.in`, gets: [404, 'rest_no_route'] },
  { name: 'a location with other characters is rejected', does: `GET ${m}/locations/pri.mary`, gets: [404, 'rest_no_route'] },
  { name: 'an empty menu has no items', does: `GET ${m}/menus/empty`, gets: [200, { term_id: 51, items: [] }] },
]);

describe('a site with menus', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());
  const get = async (path: string) => (await site.ask('GET', m + path)).body;

  it('returns the same after a restart', async () => {
    const paths = routes.flatMap(([path]) => [`${m}${path}`, `${m}${path}?lang_language=de`]);
    const [before, after] = await beforeAndAfter(site, paths);
    expect(after).toEqual(before);
    expect(before[3]).toMatchObject({ items: [{ title: 'Über uns' }] });
  });

  it('shows hand edits on every route', async () => {
    await site.write(
      'menus/empty.yaml',
      'id: 51\nname: Foot\nlocations: [footer]\nitems:\n  - { url: /imprint/, title: Imprint, id: 101 }\n',
    );
    await until(async () => ((await get('/menus')).length === 2 ? true : undefined));
    expect(await get('/menus')).toMatchObject([{ name: 'Foot', slug: 'empty' }, { name: 'Main' }]);
    expect(await get('/menus/empty')).toMatchObject({ items: [{ title: 'Imprint' }] });
    expect(await get('/locations')).toMatchObject({ footer: { menu: { term_id: 51 } } });
    expect(await get('/locations/footer')).toMatchObject({ term_id: 51, items: [{ ID: 101 }] });
    await site.write('pages/about.md', '---\nid: 10\ntitle: About all\ndate: 2026-03-01\n---\nText\n');
    await until(async () => ((await get('/menus/main')).items[0].title === 'About all' ? true : undefined));
    expect(await get('/locations/primary')).toMatchObject({ items: [{ title: 'About all' }] });
  });
});
