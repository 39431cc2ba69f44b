/** Services outside: what is answered without them, what is sent to them, and every failure of theirs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { environment } from '../../../../src/kernel/environment.ts';
import { readOperator } from '../../../../src/kernel/model/operator.ts';
import { parseYaml } from '../../../../src/kernel/yaml/parse.ts';
import { readUpstreams } from '../../../../src/modules/seo/services/upstreams.ts';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { refusals, roles } from '../editors/access.ts';
import { account, challengeOf, type FakeService, startFakeService, type Told, token, words } from './fake-service.ts';

const v1 = '/seo/v1';
const yaml = 'name: Quay\ntimezone: UTC\ndeployment: extended\n';
const keyword = `${v1}/keyword-tool`;
const rank = `${v1}/rank-tracker`;
const related = `GET ${keyword}/related_keyphrases?keyphrase=Tide&country_code=us`;
const setActive = `POST ${v1}/integrations/set_active`;
const ok = { json: { success: true, status: 200 } };
const failed = (status: number) => [status, { status, error: expect.any(String) }] as const;

describeApi('services that are not connected', { files: { 'site.yaml': yaml }, users: [...roles] }, [
  ...refusals('manage', setActive, { active: true, integration: 'keyword-tool' }),
  ...refusals('edit_posts', `POST ${keyword}/authenticate`, { code: 'c' }),
  ...refusals('edit_posts', `POST ${keyword}/country_code`, { country_code: 'de' }),
  ...refusals('edit_posts', related),
  ...refusals('publish_posts', `GET ${rank}/authorization-url`),
  ...refusals('publish_posts', `POST ${rank}/authenticate`, { code: 'c', websiteId: 12 }),
  ...refusals('publish_posts', `POST ${rank}/keyphrases/track`, { keyphrases: ['a'] }),
  ...refusals('publish_posts', `POST ${rank}/keyphrases`, {}),
  ...refusals('publish_posts', `DELETE ${rank}/keyphrases/untrack`, { keyphraseID: 7 }),
  ...refusals('publish_posts', `GET ${rank}/account/limit`),
  ...refusals('publish_posts', `GET ${rank}/account/upgrade-campaign`),
  ...['contributor', 'author', 'editor', 'admin'].flatMap((who): ApiRow[] => [
    { name: `return no keyphrases for ${who}`, who, does: related, gets: failed(400) },
    {
      name: `accept no code for ${who}`,
      who,
      does: `POST ${keyword}/authenticate`,
      body: { code: 'c' },
      gets: [401, { tokens: [], status: 401 }],
    },
  ]),
  ...['author', 'editor', 'admin'].flatMap((who): ApiRow[] => [
    { name: `return no limit for ${who}`, who, does: `GET ${rank}/account/limit`, gets: failed(400) },
    { name: `return no offer for ${who}`, who, does: `GET ${rank}/account/upgrade-campaign`, gets: failed(400) },
    { name: `return no URL for ${who}`, who, does: `GET ${rank}/authorization-url`, gets: failed(400) },
    {
      name: `track nothing for ${who}`,
      who,
      does: `POST ${rank}/keyphrases/track`,
      body: { keyphrases: 'a' },
      gets: failed(400),
    },
    { name: `find nothing for ${who}`, who, does: `POST ${rank}/keyphrases`, body: { keyphrases: ['a'] }, gets: failed(400) },
    {
      name: `remove nothing for ${who}`,
      who,
      does: `DELETE ${rank}/keyphrases/untrack`,
      body: { keyphraseID: 7 },
      gets: failed(400),
    },
    {
      name: `accept an empty request of ${who}`,
      who,
      does: `POST ${rank}/keyphrases`,
      body: {},
      gets: [200, { status: 200, results: {} }],
    },
    {
      name: `accept no code here for ${who}`,
      who,
      does: `POST ${rank}/authenticate`,
      body: { code: 'c', websiteId: 12 },
      gets: [401, { tokens: [] }],
    },
  ]),
  {
    name: 'store a country',
    who: 'contributor',
    does: `POST ${keyword}/country_code`,
    body: { country_code: 'de' },
    gets: [200, { success: true, status: 200 }],
    writes: ['site.yaml'],
  },
  ...(
    [
      [`POST ${keyword}/country_code`, { country_code: 'DE' }],
      [`POST ${keyword}/country_code`, { country_code: 'deu' }],
      [`POST ${keyword}/authenticate`, { code: '' }],
      [`POST ${keyword}/authenticate`, { code: ['a'] }],
      [`GET ${keyword}/related_keyphrases?keyphrase=%20&country_code=us`, undefined],
      [`POST ${rank}/authenticate`, { code: 'c', websiteId: '12' }],
      [`POST ${rank}/authenticate`, { code: 'c', websiteId: 1.5 }],
      [`POST ${rank}/authenticate`, { code: 'c', websiteId: 0 }],
      [setActive, { active: 'x', integration: 'keyword-tool' }],
    ] as const
  ).map(
    ([does, body]): ApiRow => ({
      name: `reject ${JSON.stringify(body)} for ${does}`,
      who: 'admin',
      does,
      body,
      gets: [400, 'rest_invalid_param'],
    }),
  ),
  ...[
    `POST ${keyword}/country_code`,
    `POST ${keyword}/authenticate`,
    `POST ${rank}/keyphrases/track`,
    `POST ${rank}/authenticate`,
    setActive,
  ].map(
    (does): ApiRow => ({ name: `require the parameters of ${does}`, does, body: {}, gets: [400, 'rest_missing_callback_param'] }),
  ),
  {
    name: 'report an unknown integration in the body',
    who: 'admin',
    does: setActive,
    body: { active: true, integration: 'other' },
    gets: [200, { json: { success: false, status: 500 } }],
  },
  {
    name: 'accept an enabled one',
    who: 'admin',
    does: setActive,
    body: { active: true, integration: 'keyword_tool' },
    gets: [200, ok],
  },
  {
    name: 'can be disabled',
    who: 'admin',
    does: setActive,
    body: { active: false, integration: 'keyword-tool' },
    gets: [200, ok],
    writes: ['site.yaml'],
  },
  { name: 'are not found then', who: 'admin', does: related, gets: [404, 'rest_no_route'], headers: { Allow: null } },
  {
    name: 'are not found for missing parameters either',
    who: 'admin',
    does: `POST ${keyword}/country_code`,
    body: {},
    gets: [404, 'rest_no_route'],
  },
  {
    name: 'can be enabled',
    who: 'admin',
    does: setActive,
    body: { active: true, integration: 'keyword-tool' },
    gets: [200, ok],
    writes: ['site.yaml'],
  },
  { name: 'are found again', who: 'admin', does: related, gets: failed(400) },
]);

const start = Date.parse('2026-03-05T10:00:00Z');
let fake: FakeService;
let served: TestSite;
let clock = start;
let author = '';

/** A site for each test of a block. Rows have one of their own: around these it would start once a row. */
function eachOnItsOwn(): void {
  beforeEach(startBoth);
  afterEach(closeBoth);
}

async function startBoth(): Promise<void> {
  clock = start;
  fake = await startFakeService();
  environment.SEO_TEST_SECRET = 'hush';
  const common = { base_url: fake.url, client_id: 'client', redirect_uri: 'https://quay.example/back', timeout_ms: 2000 };
  const operator = {
    'seo.upstreams': { 'keyword-tool': { ...common, client_secret_env: 'SEO_TEST_SECRET' }, 'rank-tracker': common },
  };
  served = await startSite({ files: { 'site.yaml': yaml }, operator, clock: () => clock });
  author = (await signUp(served, 'anna', 'author')).as;
}

async function closeBoth(): Promise<void> {
  await served.close();
  await fake.close();
  delete environment.SEO_TEST_SECRET;
}

const ask = async (line: string, body?: unknown) => {
  const [method = '', path = ''] = line.split(' ');
  const { status, body: said } = await served.ask(method, path, { as: author, body });
  return [status, said];
};
const connect = () => ask(`POST ${keyword}/authenticate`, { code: 'code-1' });
async function connectRanks(): Promise<unknown> {
  const [, { url }] = await ask(`GET ${rank}/authorization-url`);
  await ask(`POST ${rank}/authenticate`, { code: 'code-1', websiteId: 12 });
  return url;
}
const error = (status: number, said: unknown = expect.any(String)) => [status, { status, error: said }];

describe('keyword research', () => {
  eachOnItsOwn();
  const shown = {
    ...{ access_token: 'access-1', refresh_token: 'refresh-1', expires: start / 1000 + 3600 },
    ...{ has_expired: false, created_at: start / 1000, error_count: 0 },
  };

  it('exchanges a code for a token, stored outside the folder, which survives a restart', async () => {
    expect(await connect()).toEqual([200, { tokens: shown, status: 200 }]);
    const [request] = fake.requests;
    expect([request?.method, request?.path, request?.headers['content-type']]).toEqual([
      ...['POST', '/oauth2/access_token', 'application/x-www-form-urlencoded'],
    ]);
    expect(fake.grants()).toEqual([
      {
        ...{ grant_type: 'authorization_code', client_id: 'client', client_secret: 'hush' },
        ...{ redirect_uri: 'https://quay.example/back', code: 'code-1' },
      },
    ]);
    expect(await served.read('site.yaml')).not.toMatch(/access|hush/);
    const { operator } = served.site;
    const again = await openSite(served.dir, { operator, readOnly: true, clock: () => clock });
    expect(await again.keywordTool.related('Tide', 'us')).toEqual({ results: words, status: 200 });
    await again.close();
  });

  it('uses the token, once a day per keyphrase and country', async () => {
    await connect();
    expect(await ask(related)).toEqual([200, { results: words, status: 200 }]);
    expect(await ask(related)).toEqual([200, { results: words, status: 200 }]);
    const asked = fake.of('/api/v1/keywords/phrase_fullsearch');
    expect(
      asked.map(({ query, headers }) => [
        query.phrase,
        query.database,
        query.display_limit,
        query.access_token,
        headers.authorization,
      ]),
    ).toEqual([['Tide', 'us', '10', 'access-1', 'Bearer access-1']]);
    await ask(related.replace('us', 'de'));
    clock += 86_401_000;
    await ask(related);
    expect(fake.of('/api/v1/keywords/phrase_fullsearch')).toHaveLength(3);
  });

  it('returns cached results when disconnected', async () => {
    await connect();
    await ask(related);
    await served.site.keywordTool.tokens.forget();
    expect(await ask(related)).toEqual([200, { results: words, status: 200 }]);
    expect(await ask(related.replace('us', 'de'))).toEqual(error(400));
  });

  it('refreshes an expired token, once for concurrent requests', async () => {
    await connect();
    clock += 3_601_000;
    fake.tell('/oauth2/access_token', { body: { ...token, access_token: 'access-2', refresh_token: undefined } });
    await Promise.all(['us', 'de', 'fr'].map((country) => ask(related.replace('us', country))));
    expect(fake.grants().slice(1)).toEqual([
      {
        ...{ grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'client', client_secret: 'hush' },
        redirect_uri: 'https://quay.example/back',
      },
    ]);
    expect(fake.of('/api/v1/keywords/phrase_fullsearch')[0]?.headers.authorization).toBe('Bearer access-2');
  });

  it('refreshes nothing if the new token could not be stored', async () => {
    await connect();
    clock += 3_601_000;
    const { operator } = served.site;
    const reader = await openSite(served.dir, { operator, readOnly: true, clock: () => clock });
    await expect(reader.keywordTool.related('Tide', 'us')).rejects.toMatchObject({ code: 'rest_read_only' });
    await expect(reader.rankTracker.authorizationUrl()).rejects.toMatchObject({ code: 'rest_read_only' });
    await reader.close();
    expect(fake.grants()).toHaveLength(1);
  });

  it('drops a token that is refused twice in a row', async () => {
    await connect();
    clock += 3_601_000;
    fake.tell('/oauth2/access_token', { status: 400, body: { error: 'invalid_grant' } });
    expect(await ask(related)).toEqual(error(401, 'Authentication failed: invalid_grant'));
    expect(await ask(related)).toEqual(error(401));
    expect(await ask(related)).toEqual(error(400));
    expect(fake.grants()).toHaveLength(3);
  });

  it('tolerates one refusal', async () => {
    await connect();
    clock += 3_601_000;
    fake.tell('/oauth2/access_token', { status: 400, body: { error: 'invalid_grant' } });
    await ask(related);
    fake.tell('/oauth2/access_token', { body: token });
    expect((await ask(related))[0]).toBe(200);
    clock += 3_601_000;
    fake.tell('/oauth2/access_token', { status: 400, body: { error: 'invalid_grant' } });
    await ask(related.replace('us', 'de'));
    expect(await ask(related.replace('us', 'de'))).toEqual(error(401));
  });

  it.each<[string, Told]>([
    ['refuses', { status: 400, body: { error: 'invalid_client' } }],
    ['gives half a token', { body: { ...token, refresh_token: '' } }],
    ['says no time', { body: { ...token, expires_in: 0 } }],
    ['says nothing that can be read', { body: '<html>' }],
    ['is broken', { status: 500, body: {} }],
    ['hangs up', (response) => void response.destroy()],
  ])('does not connect to a service that %s', async (_name, told) => {
    fake.tell('/oauth2/access_token', told);
    const reason = expect.stringMatching(/^Authentication failed: ./);
    expect(await connect()).toEqual([401, { tokens: [], error: reason, status: 401 }]);
    expect(await ask(related)).toEqual(error(400));
  });

  it.each<[string, Told, number, unknown?]>([
    ['is asked too often', { status: 429, body: { message: 'Slow down.' } }, 429, 'Slow down.'],
    ['is broken', { status: 503, body: '<html>' }, 503],
    ['reports an error', { status: 400, body: { error: 'no such database' } }, 502, 'no such database'],
    ['reports an error as a success', { body: { error: { message: 'none' } } }, 502, 'none'],
    ['gives nothing', { body: { status: 200 } }, 502],
    ['gives a list', { body: [1] }, 502],
    ['says nothing that can be read', { body: 'words' }, 502],
    ['gives too much', { body: JSON.stringify({ data: { rows: 'x'.repeat(1_100_000) }, status: 200 }) }, 502],
    ['leads elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end('{}'), 502],
    ['hangs up', (response) => void response.destroy(), 502],
    ['says a status of its own', { body: { data: words, status: 404 } }, 404],
  ])('passes on valid parts from a service that %s', async (_name, told, status, said) => {
    await connect();
    fake.tell('/api/v1/keywords/phrase_fullsearch', told);
    const answered = await ask(related);
    if (_name === 'says a status of its own') expect(answered).toEqual([404, { results: words, status: 404 }]);
    else expect(answered).toEqual(error(status, said));
  });

  it('times out soon', async () => {
    await connect();
    fake.tell('/api/v1/keywords/phrase_fullsearch', () => undefined);
    const before = performance.now();
    expect(await ask(related)).toEqual(error(502));
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it('deletes its tokens when disabled', async () => {
    await connect();
    await served.ask('POST', `${v1}/integrations/set_active`, {
      as: 'admin',
      body: { active: false, integration: 'keyword-tool' },
    });
    expect(await served.site.store.private.keys('seo')).toEqual([]);
    const index = async () => Object.keys((await served.ask('GET', v1)).body.routes).filter((path) => path.startsWith(keyword));
    expect(await index()).toEqual([]);
    await served.ask('POST', `${v1}/integrations/set_active`, {
      as: 'admin',
      body: { active: true, integration: 'keyword-tool' },
    });
    expect(await index()).toHaveLength(3);
    expect(await ask(related)).toEqual(error(400));
  });
});

describe('rank tracking', () => {
  eachOnItsOwn();
  it('sends users to the service with a challenge, and the verifier with their code', async () => {
    const url = new URL(String(await connectRanks()));
    expect(url.origin + url.pathname).toBe(`${fake.url}/connect/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'client', redirect_uri: 'https://quay.example/back' },
      scope: 'profile account websites:read websites:write offline_access',
      state: JSON.stringify({ domain: new URL(served.url).host }),
      ...{ code_challenge: expect.any(String), code_challenge_method: 'S256' },
    });
    const [grant] = fake.grants();
    expect(challengeOf(grant?.code_verifier ?? '')).toBe(url.searchParams.get('code_challenge'));
    expect(grant).toMatchObject({ grant_type: 'authorization_code', code: 'code-1' });
    expect(grant).not.toHaveProperty('client_secret');
    // A challenge is good for one code.
    expect((await ask(`POST ${rank}/authenticate`, { code: 'code-2', websiteId: 12 }))[0]).toBe(401);
    expect(fake.grants()).toHaveLength(1);
  });

  it('accepts no code without a challenge, or with an old one', async () => {
    const body = { code: 'code-1', websiteId: 12 };
    expect((await ask(`POST ${rank}/authenticate`, body))[0]).toBe(401);
    await ask(`GET ${rank}/authorization-url`);
    clock += 86_401_000;
    expect((await ask(`POST ${rank}/authenticate`, body))[0]).toBe(401);
    expect(fake.requests).toEqual([]);
  });

  it('stores nothing for a refused code', async () => {
    fake.tell('/connect/token', { status: 400, body: { error: 'invalid_request' } });
    await connectRanks();
    expect(await served.site.rankTracker.tokens.website()).toBe('');
    expect(await ask(`GET ${rank}/account/limit`)).toEqual(error(400));
  });

  it("returns the account's limit", async () => {
    await connectRanks();
    const limit = (canTrack: boolean, most: number | null, usage: number) => [
      200,
      { canTrack, limit: most, usage, historyDays: 31, status: 200 },
    ];
    expect(await ask(`GET ${rank}/account/limit`)).toEqual(limit(true, 10, 3));
    expect(fake.of('/beta/account')[0]?.headers.authorization).toBe('Bearer access-1');
    fake.tell('/beta/account', { body: account(10, 10) });
    expect(await ask(`GET ${rank}/account/limit`)).toEqual(limit(false, 10, 10));
    fake.tell('/beta/account', { body: account(10, null) });
    expect(await ask(`GET ${rank}/account/limit`)).toEqual(limit(true, null, 10));
    fake.tell('/beta/account', { body: {} });
    expect(await ask(`GET ${rank}/account/limit`)).toEqual(error(502));
  });

  it('tracks up to the limit', async () => {
    await connectRanks();
    const track = (keyphrases: unknown) => ask(`POST ${rank}/keyphrases/track`, { keyphrases });
    expect(await track('tide')).toEqual([200, { status: 200, results: { tide: { id: 'k1', keyword: 'tide' } } }]);
    const [bulk] = fake.of('/beta/websites/12/keywords/bulk');
    expect([bulk?.method, JSON.parse(bulk?.body ?? '')]).toEqual(['POST', [{ keyword: 'tide', groups: [] }]]);
    expect(await track(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toEqual([
      400,
      { limit: 10, error: expect.any(String), status: 400 },
    ]);
    fake.tell('/beta/account', { body: account(10, 10) });
    expect((await track('tide'))[0]).toBe(400);
    fake.tell('/beta/account', { status: 429, body: { message: 'Slow down.' } });
    expect(await track('tide')).toEqual(error(429, 'Slow down.'));
    expect(fake.of('/beta/websites/12/keywords/bulk')).toHaveLength(1);
  });

  it('finds keyphrases, ignoring case', async () => {
    await connectRanks();
    const body = { keyphrases: ['tide'], permalink: 'https://quay.example/tide/', startAt: '2026-03-01' };
    expect(await ask(`POST ${rank}/keyphrases`, body)).toEqual([
      200,
      { status: 200, results: { Tide: { id: 'k1', keyword: 'Tide', position: 4 } } },
    ]);
    await ask(`POST ${rank}/keyphrases`, { keyphrases: 'tide' });
    expect(fake.of('/beta/partner/12').map((one) => JSON.parse(one.body))).toEqual([
      { keywords: ['tide'], url: 'https://quay.example/tide/', start_at: '2026-03-01' },
      { keywords: ['tide'], url: null, start_at: null },
    ]);
  });

  it('requests only keyphrases of the site, and nothing if there are none', async () => {
    await connectRanks();
    expect(await ask(`POST ${rank}/keyphrases`, {})).toEqual([200, { status: 200, results: {} }]);
    const write = (title: string, seo: string, status = 'publish') =>
      served.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title, status, meta: { _seo_focuskw: seo } } });
    await write('One', 'tide');
    await write('Two', 'tide');
    await write('Three', 'fog', 'draft');
    const { body } = await write('Four', 'gone');
    await served.ask('DELETE', `/cms/v2/posts/${body.id}`, { as: 'admin' });
    await ask(`POST ${rank}/keyphrases`, {});
    expect(JSON.parse(fake.of('/beta/partner/12')[0]?.body ?? '').keywords).toEqual(['tide', 'fog']);
  });

  it('removes a keyphrase', async () => {
    await connectRanks();
    expect(await ask(`DELETE ${rank}/keyphrases/untrack`, { keyphraseID: 'k/1' })).toEqual([200, { status: 200 }]);
    expect(fake.of('/beta/websites/12/keywords/k%2F1').map(({ method }) => method)).toEqual(['DELETE']);
    fake.tell('/beta/websites/12/keywords/k%2F2', (response) => void response.writeHead(204).end());
    expect(await ask(`DELETE ${rank}/keyphrases/untrack`, { keyphraseID: 'k/2' })).toEqual([200, { status: 200 }]);
    expect(await ask(`DELETE ${rank}/keyphrases/untrack`)).toEqual(error(400));
    expect(await ask(`DELETE ${rank}/keyphrases/untrack`, { keyphraseID: 'none' })).toEqual(error(404, 'not found'));
  });

  it('returns an offer', async () => {
    await connectRanks();
    const campaign = () => ask(`GET ${rank}/account/upgrade-campaign`);
    expect(await campaign()).toEqual([200, { discount: 20, months: 3, status: 200 }]);
    for (const body of [{ type: 'OTHER', months: 3, value: 20 }, { type: 'RATE', months: 0, value: 20 }, {}]) {
      fake.tell('/v1/partner/upgrade-campaign', { body });
      expect(await campaign()).toEqual([200, { discount: null, months: null, status: 200 }]);
    }
  });

  it('forgets its site when disabled', async () => {
    await connectRanks();
    await served.ask('POST', `${v1}/integrations/set_active`, {
      as: 'admin',
      body: { active: false, integration: 'rank-tracker' },
    });
    expect(await served.site.store.private.keys('seo')).toEqual([]);
    expect((await ask(`GET ${rank}/account/limit`))[0]).toBe(404);
  });
});

it('docs/seo-tools.md works as described', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../../../docs/seo-tools.md'), 'utf8');
  const sample = parseYaml(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  const upstreams = readUpstreams(readOperator({}, sample)['seo.upstreams']);
  expect(upstreams['keyword-tool']).toMatchObject({ isSet: true, client_secret_env: 'KEYWORDS_SECRET', timeout_ms: 10_000 });
  expect(upstreams['rank-tracker']).toMatchObject({ auth_base_url: 'https://auth.ranks.example', hasTimeout: true });
  const named = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, keys]) => (keys ?? '').match(/\w+/g) ?? []);
  const known = new Set(Object.values(upstreams).flatMap((one) => Object.keys(one)));
  for (const key of [...known].filter((one) => /_/.test(one))) expect(named).toContain(key);
});

describe('invalid service settings', () => {
  eachOnItsOwn();

  it.each([
    ['a service that there is not', { other: {} }, 'other'],
    ['a member that there is not', { 'keyword-tool': { url: 'x' } }, 'keyword-tool.url'],
    ['no address', { 'keyword-tool': { base_url: 'x' } }, 'keyword-tool.base_url'],
    ['no path', { 'rank-tracker': { account_path: 'https://elsewhere.example' } }, 'rank-tracker.account_path'],
    ['no time', { 'rank-tracker': { timeout_ms: 0 } }, 'rank-tracker.timeout_ms'],
    ['no variable', { 'keyword-tool': { client_secret_env: 'a b' } }, 'keyword-tool.client_secret_env'],
    ['no map', { 'keyword-tool': 'x' }, 'keyword-tool'],
  ])('%s prevents the start', async (_name, upstreams, place) => {
    await expect(openSite(served.dir, { readOnly: true, operator: { 'seo.upstreams': upstreams } })).rejects.toThrow(place);
  });
});
