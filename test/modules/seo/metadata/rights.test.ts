/**
 * Every route of the namespace by everyone who may call it: visitors where it is open, subscribers, contributors, authors, editors and
 * administrators. That the others are refused, and every other error, is shown beside the module of each route.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { allowed, roles } from '../editors/access.ts';

const v1 = '/seo/v1';
const files = {
  'site.yaml':
    'name: Quay\ntimezone: UTC\ndeployment: extended\nurl: https://quay.example\nseo: { new_types: [page], new_taxonomies: [category] }\n',
  'posts/one.md': '---\nid: 1\ntitle: One\ndate: 2026-01-02T10:00:00\nauthor: 4\nmeta: { subtitle: S }\n---\nText.\n',
  'media/2026/03/a.txt': 'a file',
  'media/2026/03/a.txt.yaml': 'id: 60\n',
};
const done = { success: true, status: 200 };
const inJson = { json: { success: true } };
const notConnected = [400, { status: 400, error: expect.any(String) }] as const;
const noTokens = [401, { tokens: [], status: 401 }] as const;
const batch = [200, { objects: expect.any(Array) }] as const;

interface Route extends Pick<ApiRow, 'does' | 'body' | 'gets'> {
  readonly right: Parameters<typeof allowed>[0];
  /** What the first of those who call it writes; the others say what is so already. */
  readonly writes?: readonly string[];
}

const routes: readonly Route[] = [
  {
    right: 'manage',
    does: `GET ${v1}/file_size?url=${encodeURIComponent('https://quay.example/uploads/2026/03/a.txt')}`,
    gets: [200, { size_in_bytes: 6 }],
  },
  { right: 'read', does: `GET ${v1}/statistics`, gets: [200, { seo_scores: expect.any(Array) }] },
  {
    right: 'edit_posts',
    does: `POST ${v1}/new-content-type-visibility/dismiss-post-type`,
    body: { postTypeName: 'page' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    right: 'edit_posts',
    does: `POST ${v1}/new-content-type-visibility/dismiss-taxonomy`,
    body: { taxonomyName: 'category' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    right: 'edit_posts',
    does: `POST ${v1}/introductions/ai-generate-titles-and-descriptions-upsell/seen`,
    gets: [200, inJson],
  },
  { right: 'edit_posts', does: `POST ${v1}/video_embed_permission`, body: { value: true }, gets: [200, inJson] },
  { right: 'edit_posts', does: `GET ${v1}/video_embed_permission`, gets: [200, { json: { value: true } }] },
  { right: 'edit_posts', does: `POST ${v1}/alerts/dismiss`, body: { key: 'webinar-promo-notification' }, gets: [200, done] },
  {
    right: 'manage',
    does: `POST ${v1}/configuration/site_representation`,
    body: { company_or_person: 'company', company_name: 'Quay Ltd' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    right: 'manage',
    does: `POST ${v1}/configuration/social_profiles`,
    body: { network_b_site: 'quay' },
    gets: [200, { json: done }],
    writes: ['site.yaml'],
  },
  { right: 'manage', does: `GET ${v1}/configuration/check_capability?user_id=1`, gets: [200, done] },
  {
    right: 'manage',
    does: `POST ${v1}/configuration/enable_tracking`,
    body: { tracking: true },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  {
    right: 'manage',
    does: `POST ${v1}/configuration/save_configuration_state`,
    body: { finishedSteps: ['a'] },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { right: 'manage', does: `GET ${v1}/configuration/get_configuration_state`, gets: [200, { ...done, data: ['a'] }] },
  { right: 'manage', does: `POST ${v1}/import/other-seo/posts`, gets: [200, { objects: false, next_url: false }] },
  {
    right: 'nothing',
    does: `GET ${v1}/get_head?url=${encodeURIComponent('https://quay.example/en/one/')}`,
    gets: [200, { status: 200, json: { title: 'One - Quay' } }],
  },
  ...['posts', 'terms', 'post-type-archives', 'general', 'prepare', 'indexables-complete', 'complete'].map(
    (name): Route => ({ right: 'edit_posts', does: `POST ${v1}/indexing/${name}`, gets: batch }),
  ),
  ...['posts', 'terms'].map((name): Route => ({ right: 'edit_posts', does: `POST ${v1}/link-indexing/${name}`, gets: batch })),
  {
    right: 'manage',
    does: `POST ${v1}/integrations/set_active`,
    body: { active: true, integration: 'search-service' },
    gets: [200, inJson],
    writes: ['site.yaml'],
  },
  {
    right: 'publish_posts',
    does: `GET ${v1}/meta/search?post_id=1`,
    gets: [200, { meta: [{ key: 'subtitle', value: 'S' }] }],
  },
  { right: 'edit_posts', does: `POST ${v1}/keyword-tool/authenticate`, body: { code: 'c' }, gets: noTokens },
  {
    right: 'edit_posts',
    does: `POST ${v1}/keyword-tool/country_code`,
    body: { country_code: 'de' },
    gets: [200, done],
    writes: ['site.yaml'],
  },
  { right: 'edit_posts', does: `GET ${v1}/keyword-tool/related_keyphrases?keyphrase=a&country_code=de`, gets: notConnected },
  { right: 'publish_posts', does: `GET ${v1}/rank-tracker/authorization-url`, gets: notConnected },
  { right: 'publish_posts', does: `POST ${v1}/rank-tracker/authenticate`, body: { code: 'c', websiteId: 1 }, gets: noTokens },
  { right: 'publish_posts', does: `POST ${v1}/rank-tracker/keyphrases/track`, body: { keyphrases: 'a' }, gets: notConnected },
  { right: 'publish_posts', does: `POST ${v1}/rank-tracker/keyphrases`, body: {}, gets: [200, { status: 200, results: {} }] },
  { right: 'publish_posts', does: `DELETE ${v1}/rank-tracker/keyphrases/untrack`, body: { keyphraseID: 7 }, gets: notConnected },
  { right: 'publish_posts', does: `GET ${v1}/rank-tracker/account/limit`, gets: notConnected },
  { right: 'publish_posts', does: `GET ${v1}/rank-tracker/account/upgrade-campaign`, gets: notConnected },
  {
    right: 'edit_others_posts',
    does: `POST ${v1}/workouts`,
    body: { orphaned: { finishedSteps: ['b'] } },
    gets: [200, { json: { orphaned: { finishedSteps: ['b'] } } }],
    writes: ['site.yaml'],
  },
  { right: 'edit_others_posts', does: `GET ${v1}/workouts`, gets: [200, { json: { orphaned: { finishedSteps: ['b'] } } }] },
];

describeApi(
  'shared permissions',
  { files, users: [...roles] },
  routes.flatMap(({ right, ...row }) => allowed(right, row)),
);

const head = `GET ${v1}/get_head`;
const url = (address: string) => `${head}?url=${encodeURIComponent(address)}`;
const absent = { status: 404, json: { title: 'Page not found - Quay' } };
const hidden = {
  'posts/draft.md': '---\nid: 2\ntitle: Half\nstatus: draft\nslug: half\ndate: 2026-01-02T10:00:00\nauthor: 4\n---\nText.\n',
};

describeApi('head tags by URL', { files: { ...files, ...hidden }, users: [...roles] }, [
  { name: 'need a URL', does: head, gets: [400, 'rest_missing_callback_param'] },
  ...['/one/', 'one', 'https://', 'https:///one/', ''].map(
    (address): ApiRow => ({ name: `need an absolute URL: ${address}`, does: url(address), gets: [400, 'rest_invalid_param'] }),
  ),
  { name: 'need a single URL', does: `${head}?url[]=x`, gets: [400, 'rest_invalid_param'] },
  ...['https://other.example/en/one/', 'https://quay.example/en/nothing/', 'https://quay.example/en/half/', 'ftp://x/one/'].map(
    (address): ApiRow => ({ name: `are those of a missing page: ${address}`, does: url(address), gets: [404, absent] }),
  ),
  ...['subscriber', 'contributor'].map(
    (who): ApiRow => ({
      name: `of a draft are hidden from a ${who}`,
      who,
      does: url('https://quay.example/en/half/'),
      gets: [404, absent],
    }),
  ),
  ...['author', 'editor', 'admin'].map(
    (who): ApiRow => ({
      name: `of a draft are shown to ${who}`,
      who,
      does: url('https://quay.example/en/half/'),
      gets: [200, { status: 200, json: { title: 'Half - Quay' } }],
    }),
  ),
  { name: 'cannot be written', who: 'admin', does: `POST ${v1}/get_head`, gets: [404, 'rest_no_route'] },
]);

describe('the routes', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  it('are those above, and no others', async () => {
    const { body } = await site.ask('GET', v1);
    const served = Object.entries(body.routes as Readonly<Record<string, { readonly methods: readonly string[] }>>)
      .filter(([path]) => path !== v1)
      .flatMap(([path, { methods }]) => methods.map((method) => `${method} ${path}`));
    const known = routes.map(({ does }) => does.replace(/\?.*/, '').split(' ') as [string, string]);
    const isKnown = (one: string) => {
      const [method, path = ''] = one.split(' ');
      const pattern = new RegExp(`^${path.replaceAll('(?P<', '(?<')}$`);
      return known.some(([asked, at]) => asked === method && pattern.test(at));
    };
    expect(served.filter((one) => !isKnown(one))).toEqual([]);
    expect(served.length).toBeGreaterThan(30);
  });

  it('are unchanged after a restart', async () => {
    for (const { does, body } of routes) {
      const [method = '', path = ''] = does.split(' ');
      await site.ask(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });
    }
    const before = site.site.seo.options();
    expect(before).toMatchObject({ companyName: 'Quay Ltd', networkBSite: 'quay', tracking: true, finishedSteps: ['a'] });
    const again = await openSite(site.dir, { readOnly: true });
    try {
      expect(JSON.parse(JSON.stringify(again.seo.options()))).toEqual(JSON.parse(JSON.stringify(before)));
      expect(String(await again.store.private.get('seo/people/1.yaml'))).toBe(
        String(await site.site.store.private.get('seo/people/1.yaml')),
      );
    } finally {
      await again.close();
    }
  });
});
