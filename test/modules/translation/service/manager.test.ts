/** The manager service and the proxy: who may, the site on its own, and a service that answers, fails and tries things. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { type EditorService, type Failure, startEditor } from '../../../support/editor-service.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const tm = '/lang/tm/v1/ams';
const proxy = '/lang/ate/v1/ate/proxy';
const files = { 'site.yaml': 'name: Harbour\ndeployment: extended\n' };
const users = ['editor', 'author', 'subscriber'];
const routes = [
  `POST ${tm}/register_manager`,
  ...['synchronize/translators', 'synchronize/managers', 'status', 'console', 'engines'].map((name) => `GET ${tm}/${name}`),
  `POST ${tm}/engines`,
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${proxy}`),
];
const refusals = [undefined, ...users].flatMap((who) =>
  routes.map(
    (does): ApiRow => ({
      name: `${does} is not for ${who ?? 'visitors'}`,
      ...(who === undefined ? {} : { who }),
      does,
      ...(does.startsWith('GET') ? {} : { body: {} }),
      gets: [who === undefined ? 401 : 403, 'rest_forbidden'],
    }),
  ),
);
const wanted = { url: 'https://editor.example/x', method: 'POST', headers: [] };

describeApi('a site without services', { files, users }, [
  ...refusals,
  { name: 'registers with itself', who: 'admin', does: `POST ${tm}/register_manager`, body: {}, gets: [200, { enabled: true }] },
  {
    name: 'has its own state',
    who: 'admin',
    does: `GET ${tm}/status`,
    gets: [200, { activated: true, mode: 'local', translators: 0 }],
  },
  {
    name: 'has no translators',
    who: 'admin',
    does: `GET ${tm}/synchronize/translators`,
    gets: [200, { result: { translators: [] } }],
  },
  {
    name: 'has managers',
    who: 'admin',
    does: `GET ${tm}/synchronize/managers`,
    gets: [200, { result: { translation_managers: [{ email: 'admin@example.com' }] } }],
  },
  { name: 'has no engines', who: 'admin', does: `GET ${tm}/engines`, gets: [200, { list: [] }] },
  {
    name: 'cannot change engines',
    who: 'admin',
    does: `POST ${tm}/engines`,
    body: [{ engine: 'deep', enabled: true }],
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'requires a list of engines',
    who: 'admin',
    does: `POST ${tm}/engines`,
    body: { engine: 'deep' },
    gets: [400, 'rest_invalid_param'],
  },
  ...['GET', 'DELETE'].map(
    (method): ApiRow => ({
      name: `requires a target for a ${method} through the proxy`,
      who: 'admin',
      does: `${method} ${proxy}`,
      gets: 400,
    }),
  ),
  ...['POST', 'PUT', 'PATCH'].map(
    (method): ApiRow => ({
      name: `requires a target for a ${method} through the proxy`,
      who: 'admin',
      does: `${method} ${proxy}`,
      body: {},
      gets: 400,
    }),
  ),
  {
    name: 'uses the method of the request in the proxy',
    who: 'admin',
    does: `POST ${proxy}`,
    body: { ...wanted, method: 'GET' },
    gets: 400,
  },
  {
    name: 'has no target to forward to',
    who: 'admin',
    does: `POST ${proxy}`,
    body: wanted,
    gets: [503, 'lang_editor_not_configured'],
  },
]);

describe('a site with services', () => {
  let service: EditorService;
  let on: TestSite;
  beforeAll(async () => {
    service = await startEditor();
    const translation = {
      editor: { ate_url: `${service.url}/api`, ams_url: service.url, auth: { mode: 'hmac' }, timeout_ms: 500, paths: {} },
      engines: { deep: { name: 'Deep', cost: 2, formality: ['de'] }, wide: {} },
    };
    on = await startSite({ files, operator: { translation_services: translation } });
  });
  afterAll(async () => {
    await on.close();
    await service.close();
  });
  beforeEach(() => {
    service.asked.length = 0;
    service.failure = null;
    service.failing = '/';
    service.answers.clear();
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, body: got } = await on.ask(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });
    return [status, got];
  };

  it('is unknown before it registers', async () => {
    expect(await ask('GET', `${tm}/status`)).toEqual([200, null]);
    expect(await ask('GET', `${tm}/console`)).toEqual([200, '#']);
    expect(service.asked).toEqual([]);
  });

  it('registers, with a new id if its own is taken, and signs its requests from then on', async () => {
    const first = await on.site.translationUpstream.identity.uuid();
    service.answers.set('/api/lang/websites/create_unique', { status: 409, body: '{}' });
    expect(await ask('POST', `${tm}/register_manager`, {})).toEqual([
      200,
      { enabled: false, error: { header: expect.any(String), description: 'The service answered 409.' } },
    ]);
    const [one, two] = service.asked.map(({ body }) => JSON.parse(body).website_uuid);
    expect([one, one === two]).toEqual([first, false]);
    service.answers.clear();
    expect(await ask('POST', `${tm}/register_manager`, {})).toEqual([200, { enabled: true }]);
    expect(await ask('GET', `${tm}/status`)).toEqual([200, { activated: true }]);
    expect(service.asked.at(-1)?.path).toMatch(
      /^\/api\/lang\/access_keys\/shared-one\/status\?website_uuid=.*&shared_key=shared-one&token=.*&signature=/,
    );
    expect((await ask('GET', `${tm}/console`))[1]).toContain('shared_key=shared-one');
    expect(JSON.stringify(service.asked)).not.toContain('secret-of-the-service');
    const again = await openSite(on.dir, { readOnly: true, operator: on.site.operator });
    expect(await again.translationUpstream.identity.keys()).toEqual({
      shared: 'shared-one',
      secret: 'secret-of-the-service',
      status: 'active',
    });
    await again.close();
  });

  it('sends its users', async () => {
    expect(await ask('GET', `${tm}/synchronize/translators`)).toEqual([200, { result: { translators: [] } }]);
    expect(await ask('GET', `${tm}/synchronize/managers`)).toMatchObject([
      200,
      { result: { translation_managers: [{ email: 'admin@example.com' }] } },
    ]);
    expect(service.asked.map(({ method, path }) => [method, path.replace(/\?.*/, '')])).toEqual([
      ['PUT', '/api/lang/websites/translators'],
      ['PUT', '/api/lang/websites/translation_managers'],
    ]);
  });

  it.each<[Failure, number, string]>([
    ['error', 502, 'lang_upstream_error'],
    ['html', 502, 'lang_upstream_error'],
    ['cut', 502, 'lang_upstream_unreachable'],
    ['redirect', 502, 'lang_upstream_error'],
    ['slow', 504, 'lang_upstream_timeout'],
    ['reset', 502, 'lang_upstream_unreachable'],
  ])('reports a service failure with %s', async (failure, status, code) => {
    service.failure = failure;
    expect(await ask('GET', `${tm}/engines`)).toMatchObject([status, { code, data: { status } }]);
    // A connection that breaks is tried once more, and nothing else is.
    expect(service.asked).toHaveLength(failure === 'reset' || failure === 'cut' ? 2 : 1);
  });

  it('forwards only what it must, and returns only what it may', async () => {
    service.answers.set('/api/jobs', {
      status: 201,
      headers: {
        'set-cookie': 'a=b',
        location: '/x',
        'access-control-allow-origin': '*',
        'retry-after': '7',
        'content-type': 'text/html',
      },
      body: '<b>done</b>',
    });
    const answer = await on.ask('POST', proxy, {
      as: 'admin',
      headers: { cookie: 'session=1', 'x-forwarded-for': '10.0.0.1' },
      body: {
        url: `${service.url}/api/jobs?a=1&signature=mine`,
        method: 'POST',
        query: { b: 2, token: 'mine', shared_key: 'mine' },
        headers: [
          'Accept: application/json',
          'Authorization: Bearer mine',
          'Cookie: c=d',
          'Host: evil.example',
          'X-Request-Id: 5',
          'X-WP-Nonce: 1',
        ],
        body: { c: [1] },
      },
    });
    const [call] = service.asked;
    expect(call).toMatchObject({
      method: 'POST',
      body: '{"c":[1]}',
      headers: { accept: 'application/json', 'x-request-id': '5', 'content-type': 'application/json' },
    });
    const query = new URL(call?.path ?? '', service.url).searchParams;
    expect([query.get('a'), query.get('b'), query.get('shared_key'), query.getAll('signature').length]).toEqual([
      '1',
      '2',
      'shared-one',
      1,
    ]);
    expect(query.get('token')).not.toBe('mine');
    for (const name of ['authorization', 'cookie', 'x-wp-nonce', 'x-forwarded-for'])
      expect(call?.headers).not.toHaveProperty(name);
    expect(call?.headers.host).toBe(new URL(service.url).host);
    expect([answer.status, answer.body]).toEqual([201, '<b>done</b>']);
    const headers = (name: string) => answer.headers.get(name);
    expect([
      headers('content-type'),
      headers('retry-after'),
      headers('set-cookie'),
      headers('location'),
      headers('access-control-allow-origin'),
    ]).toEqual(['application/octet-stream', '7', null, null, null]);
    expect(headers('x-content-type-options')).toBe('nosniff');
  });

  it('accepts the method in either case, and rejects any other than that of the request', async () => {
    const call = (method: string) => ask('POST', proxy, { url: `${service.url}/api/x`, method, headers: [] });
    expect((await call('post'))[0]).not.toBe(400);
    expect(service.asked).toHaveLength(1);
    expect((await call('get'))[0]).toBe(400);
    expect(service.asked).toHaveLength(1);
  });

  it.each<[string, object, number, string]>([
    ['another host', { url: 'https://evil.example/api' }, 400, 'lang_destination_denied'],
    ['a step out', { url: '/api/../x' }, 400, 'lang_destination_denied'],
    ['a header of two lines', { headers: ['Accept: a\r\nCookie: b'] }, 400, 'rest_invalid_param'],
    ['a body that is too large', { body: 'x'.repeat(2 * 1024 * 1024 + 1) }, 413, 'lang_too_large'],
  ])('refuses %s before sending anything', async (_name, over, status, code) => {
    const body = { url: '/api/x', method: 'POST', headers: [], ...over } as { url: string };
    const url = body.url.startsWith('/') ? service.url + body.url : body.url;
    expect(await ask('POST', proxy, { ...body, url })).toMatchObject([status, { code }]);
    expect(service.asked).toEqual([]);
  });

  it('returns failures as its own', async () => {
    service.failure = 'redirect';
    expect(await ask('POST', proxy, { url: `${service.url}/api/x`, method: 'POST', headers: [] })).toMatchObject([
      502,
      { code: 'lang_upstream_error' },
    ]);
  });
});

it('keeps engines in the order and state that managers set', async () => {
  const translation = { engines: { deep: { name: 'Deep', cost: 2, formality: ['de'] }, wide: { enabled: false } } };
  const on = await startSite({ files, operator: { translation_services: translation } });
  const list = async () => (await on.ask('GET', `${tm}/engines`, { as: 'admin' })).body.list;
  expect(await list()).toMatchObject([
    {
      engine: 'deep',
      order: 0,
      formal_name: 'Deep',
      cost: 2,
      enabled: true,
      formality_available: true,
      formality_settings: { languages: [{ lang_code: 'de', formality: 'default' }] },
    },
    { engine: 'wide', order: 1, enabled: false, formality_available: false, formality_settings: null },
  ]);
  const change = (body: unknown) => on.ask('POST', `${tm}/engines`, { as: 'admin', body });
  expect(
    (
      await change([
        { engine: 'wide', enabled: true },
        { engine: 'deep', formality_settings: { languages: [{ lang_code: 'de', formality: 'more' }] } },
      ])
    ).body,
  ).toBe(true);
  const after = await list();
  expect(after).toMatchObject([
    { engine: 'wide', enabled: true },
    { engine: 'deep', formality_settings: { languages: [{ formality: 'more' }] } },
  ]);
  for (const wrong of [
    [{ engine: 'other' }],
    [{ engine: 'deep', enabled: 1 }],
    [{ engine: 'wide', formality_settings: { languages: [{ lang_code: 'de', formality: 'more' }] } }],
  ])
    expect((await change(wrong)).body.code).toBe('rest_invalid_param');
  const again = await openSite(on.dir, { readOnly: true, operator: on.site.operator });
  expect(again.translationEngines.list()).toEqual(after);
  await again.close();
  await on.close();
});
