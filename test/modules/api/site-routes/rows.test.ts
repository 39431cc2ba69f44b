/** Every route of the site's front end: the same for each role, each refusal, and the same after a restart and as files are edited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { beforeAndAfter } from '../../../support/restart.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const page = (id: number, title: string, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: ${title}`, 'date: 2026-03-01', ...lines, '---', 'Quay and water', ''].join('\n');
const files = {
  'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\nfront: page\nfront_page: home\n',
  'pages/home.md': page(10, 'Home'),
  'pages/heim.md': page(11, 'Heim', 'lang: de', 'translation_of: home'),
  'pages/secret.md': page(12, 'Secret', 'status: private'),
  'posts/one.md': page(20, 'Quay'),
  'posts/draft.md': page(21, 'Quay draft', 'status: draft'),
  'constants.yaml': 'word: one\nhidden: { page: secret }\n',
  'feeds/two.json': '[{"id": "a"}]',
};
const roles = ['subscriber', 'contributor', 'author', 'editor'];
const routes: readonly (readonly [path: string, body: object])[] = [
  ['/cms/v2/getFrontpage', { id: 10 }],
  ['/cms/v2/custom/search?s=quay', { total: 2 }],
  ['/cms/v2/custom/constants', { word: 'one' }],
];

describeApi('routes of a front end', { files, users: roles }, [
  ...routes.flatMap(([path, body]): readonly ApiRow[] => [
    ...[undefined, ...roles, 'admin'].map(
      (who): ApiRow => ({
        name: `${path} is public for ${who ?? 'visitors'}`,
        ...(who === undefined ? {} : { who }),
        does: `GET ${path}`,
        gets: [200, body],
        // What depends on who asks is nobody else's.
        headers: { Allow: 'GET', 'Cache-Control': who === undefined ? 'public, max-age=60' : /\bprivate\b|\bno-store\b/ },
      }),
    ),
    {
      name: `${path} rejects other languages`,
      does: `GET ${path}${path.includes('?') ? '&' : '?'}lang_language=xx`,
      gets: [400, 'rest_invalid_param'],
    },
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method): ApiRow => ({
        name: `${path} rejects ${method}`,
        who: 'admin',
        does: `${method} ${path}`,
        body: {},
        gets: [404, 'rest_no_route'],
      }),
    ),
  ]),
  ...['/cms/v2/insta/1', '/cms/v2/facebook/1'].flatMap((path): readonly ApiRow[] => [
    ...[undefined, ...roles, 'admin'].map(
      (who): ApiRow => ({
        name: `${path} is not found for ${who ?? 'visitors'}`,
        ...(who === undefined ? {} : { who }),
        does: `GET ${path}`,
        gets: [404, 'rest_feed_not_found'],
      }),
    ),
    { name: `${path} rejects other languages`, does: `GET ${path}?lang_language=xx`, gets: [400, 'rest_invalid_param'] },
    { name: `${path} requires a number`, does: `GET ${path.replace('1', 'x')}`, gets: [404, 'rest_no_route'] },
    { name: `${path} accepts no parameters`, who: 'admin', does: `POST ${path}`, body: {}, gets: [404, 'rest_no_route'] },
  ]),
  {
    name: 'constants link administrators to private items',
    who: 'admin',
    does: 'GET /cms/v2/custom/constants',
    gets: [200, { hidden: { id: 12 } }],
  },
  {
    name: 'constants do not link visitors to private items',
    does: 'GET /cms/v2/custom/constants',
    gets: [200, { hidden: null }],
  },
]);

describe('a site with a front end', () => {
  const clock = () => Date.parse('2026-03-05T10:00:00Z');
  let site: TestSite;
  beforeAll(async () => {
    const feeds = { insta: { 2: { source: 'file', path: 'feeds/two.json' }, 3: { source: 'file', path: 'feeds/none.json' } } };
    site = await startSite({ files, clock, operator: { feeds } });
  });
  afterAll(() => site.close());
  const get = async (path: string) => (await site.ask('GET', path)).body;

  it('returns the same after a restart', async () => {
    const paths = [
      ...routes.flatMap(([path]) => [path, `${path}${path.includes('?') ? '&' : '?'}lang_language=de`]),
      '/cms/v2/insta/2',
    ];
    const [before, after] = await beforeAndAfter(site, paths, clock);
    expect(after).toEqual(before);
    expect(before).toMatchObject([
      { id: 10 },
      { id: 11 },
      { total: 2 },
      { total: 1 },
      { word: 'one' },
      { word: 'one' },
      { data: [{ id: 'a' }] },
    ]);
  });

  it('reports an unavailable feed to everybody alike', async () => {
    for (const as of [undefined, 'admin']) {
      const { status, body } = await site.ask('GET', '/cms/v2/insta/3', as ? { as } : {});
      expect([status, body.code]).toEqual([502, 'rest_feed_unavailable']);
    }
  });

  it('shows hand edits on every route', async () => {
    await site.write('pages/home.md', page(10, 'At home'));
    await until(async () => ((await get('/cms/v2/getFrontpage')).title.rendered === 'At home' ? true : undefined));
    await site.write('posts/draft.md', page(21, 'Quay draft'));
    await until(async () => ((await get('/cms/v2/custom/search?s=quay')).total === 3 ? true : undefined));
    await site.write('constants.yaml', 'word: two\n');
    await until(async () => ((await get('/cms/v2/custom/constants')).word === 'two' ? true : undefined));
    await site.write('feeds/two.json', '[{"id": "b"}]');
    expect((await get('/cms/v2/insta/2?b')).data).toMatchObject([{ id: 'b' }]);
    await site.write('site.yaml', files['site.yaml'].replace('front: page', 'front: posts'));
    await until(async () => (Array.isArray(await get('/cms/v2/getFrontpage')) ? true : undefined));
  });
});
