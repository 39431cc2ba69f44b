import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

let site: TestSite;
let upstream: Upstream;
const logins: Record<string, string | undefined> = { anonymous: undefined };

beforeAll(async () => {
  upstream = await startUpstream(() => ({
    '/page':
      '<head><title>There &amp; back</title><meta name="description" content="A tale"><link rel="icon" href="/i.png"><meta property="og:image" content="/b.jpg"></head>',
    '/gone': { status: 410 },
    '/empty': '',
  }));
  site = await startSite({
    operator: { fetch_allow: [upstream.host] },
    files: {
      'posts/broken.md': '---\ntitle: [\n---\n',
      'posts/fine.md': '---\ntitle: Fine\n---\n',
      'templates/single.html': '---\ntitle: Single\n---\n<p>Template</p>\n',
    },
  });
  logins.admin = `admin:${site.password}`;
  for (const [login, role] of [
    ['sub', 'subscriber'],
    ['con', 'contributor'],
    ['ed', 'editor'],
  ] as const) {
    logins[login] = (await signUp(site, login, role)).as;
  }
});

afterAll(async () => {
  await site.close();
  await upstream.close();
});

const ask = (who: string, method: string, path: string, body?: unknown) => {
  const as = logins[who];
  return site.ask(method, path, { ...(as ? { as } : {}), ...(body === undefined ? {} : { body }) });
};

describe('permissions', () => {
  it.each<[string, string, number, string]>([
    ['anonymous', '/cms-abilities/v1/abilities', 401, 'rest_forbidden'],
    ['anonymous', '/cms-abilities/v1/categories/site', 401, 'rest_forbidden'],
    ['sub', '/cms-abilities/v1/abilities', 200, ''],
    ['sub', '/cms-abilities/v1/abilities/core/get-site-info/run', 403, 'rest_ability_cannot_execute'],
    ['ed', '/cms-abilities/v1/abilities/cms/validate/run', 403, 'rest_ability_cannot_execute'],
    ['con', '/cms-block-editor/v1/url-details?url=http://127.0.0.1:1/', 400, 'rest_invalid_param'],
    ['anonymous', '/cms-block-editor/v1/export', 401, 'rest_cannot_export_templates'],
    ['ed', '/cms-block-editor/v1/export', 403, 'rest_cannot_export_templates'],
    ['ed', '/cms-block-editor/v1/navigation-fallback', 403, 'rest_cannot_create'],
    ['anonymous', '/cms-site-health/v1/directory-sizes', 401, 'rest_forbidden'],
    ['ed', '/cms-site-health/v1/tests/page-cache', 403, 'rest_forbidden'],
  ])('%s: %s', async (who, path, status, code) => {
    const answer = await ask(who, 'GET', path);
    expect([answer.status, answer.body.code ?? '']).toEqual([status, code]);
  });
});

describe('abilities', () => {
  it('are listed like in the reference; the server has its own under their category', async () => {
    const names = async (query: string) =>
      (await ask('admin', 'GET', `/cms-abilities/v1/abilities${query}`)).body.map(({ name }: { name: string }) => name);
    const all = ['core/get-site-info', 'core/get-user-info', 'core/get-environment-info'];
    expect(await names('')).toEqual(all);
    expect(await names('?category=site&per_page=1&page=2')).toEqual(['core/get-environment-info']);
    expect(await names('?category=user')).toEqual(['core/get-user-info']);
    expect(await names('?namespace=core')).toEqual(all);
    expect(await names('?namespace=cor')).toEqual([]);
    expect(await names('?meta[annotations][readonly]=true&meta[show_in_rest]=true')).toEqual(all);
    expect(await names('?meta[annotations][destructive]=true')).toEqual([]);
    expect(await names('?category=server&meta[annotations][readonly]=false')).toEqual(['cms/reindex']);
    expect(await names('?category=server')).toEqual(['cms/validate', 'cms/reindex']);
    expect(await names('?page=9')).toEqual([]);
  });

  it.each<[string, string, unknown, number, unknown]>([
    ['GET', 'core/get-site-info/run?input[fields][]=name', undefined, 200, { name: 'Example Site' }],
    ['GET', 'core/get-site-info/run?input[fields]=charset,language', undefined, 200, { charset: 'UTF-8', language: 'en-US' }],
    ['GET', 'core/get-site-info/run?input[colour]=1', undefined, 400, 'ability_invalid_input'],
    ['GET', 'core/get-site-info/run?input=text', undefined, 400, 'ability_invalid_input'],
    ['POST', 'core/get-site-info/run', { input: {} }, 405, 'rest_ability_invalid_method'],
    ['DELETE', 'core/get-site-info/run', undefined, 405, 'rest_ability_invalid_method'],
    ['GET', 'core/get-environment-info/run?input[a]=1', undefined, 400, 'ability_invalid_input'],
    ['GET', 'core/get-environment-info/run?input[fields]=environment', undefined, 200, { environment: 'production' }],
    ['POST', 'cms/reindex/run', { input: {} }, 400, 'ability_missing_input_schema'],
    [
      'GET',
      'core/get-user-info/run?input[fields]=user_login,roles',
      undefined,
      200,
      { user_login: 'admin', roles: ['administrator'] },
    ],
    ['GET', 'none/none/run', undefined, 404, 'rest_ability_not_found'],
    ['GET', 'cms/reindex/run', undefined, 405, 'rest_ability_invalid_method'],
  ])('%s %s', async (method, path, body, status, expected) => {
    const answer = await ask('admin', method, `/cms-abilities/v1/abilities/${path}`, body);
    expect([answer.status, typeof expected === 'string' ? answer.body.code : answer.body]).toEqual([status, expected]);
  });

  it('validate the content', async () => {
    const { body } = await ask('admin', 'GET', '/cms-abilities/v1/abilities/cms/validate/run?input[severity]=error');
    expect(body.errors).toBe(1);
    expect(body.problems).toMatchObject([{ path: 'posts/broken.md', severity: 'error' }]);
  });

  it('read the content again', async () => {
    await site.write('posts/new.md', '---\ntitle: New\n---\n');
    const { status, body } = await ask('admin', 'POST', '/cms-abilities/v1/abilities/cms/reindex/run', {});
    expect([status, body.posts]).toEqual([200, 3]);
  });

  it('return what their schemas promise', async () => {
    for (const { name, output_schema: schema } of (await ask('admin', 'GET', '/cms-abilities/v1/abilities')).body) {
      const { body } = await ask('admin', 'GET', `/cms-abilities/v1/abilities/${name}/run`);
      expect(Object.keys(body).sort()).toEqual(Object.keys(schema.properties).sort());
    }
  });

  it('spell product names in the requested dialect', async () => {
    const as = logins.admin as string;
    const { body } = await site.ask('GET', '/wp-abilities/v1/abilities/core/get-environment-info/run', { as, root: '/wp-json' });
    expect(Object.keys(body)).toContain('wp_version');
  });
});

describe('link details', () => {
  const details = (url: string, who = 'con') =>
    ask(who, 'GET', `/cms-block-editor/v1/url-details?url=${encodeURIComponent(url)}`);

  it('describe a linked page, and are cached', async () => {
    const expected = {
      title: 'There & back',
      icon: `${upstream.url}/i.png`,
      description: 'A tale',
      image: `${upstream.url}/b.jpg`,
    };
    expect(await details(`${upstream.url}/page`)).toMatchObject({ status: 200, body: expected });
    const times = upstream.asked.length;
    expect((await details(`${upstream.url}/page/`)).body).toEqual(expected);
    expect(upstream.asked.length).toBe(times);
  });

  it('know this site without a request', async () => {
    expect(await details(`${site.url}/`)).toMatchObject({ status: 200, body: { title: 'Example Site' } });
    const { body: post } = await ask('admin', 'POST', '/cms/v2/posts', { title: 'Cats & dogs', status: 'publish' });
    expect((await details(post.link)).body).toEqual({
      title: 'Cats & dogs – Example Site',
      icon: '',
      description: '',
      image: '',
    });
    expect(await details(`${site.url}/absent/`)).toMatchObject({ status: 404, body: { code: 'no_response' } });
    await ask('admin', 'POST', '/cms/v2/settings', { description: 'All of it' });
    expect((await details(`${site.url}/?`)).body.title).toBe('Example Site – All of it');
    await ask('admin', 'POST', '/cms/v2/settings', { description: '' });
    await ask('admin', 'DELETE', `/cms/v2/posts/${post.id}?force=true`);
  });

  it.each<[string, () => string, number, string]>([
    ['an error', () => `${upstream.url}/gone`, 404, 'no_response'],
    ['nothing there', () => `${upstream.url}/absent`, 404, 'no_response'],
    ['an empty page', () => `${upstream.url}/empty`, 404, 'no_content'],
    ['no address', () => 'hello', 400, 'rest_invalid_param'],
    ['a private network', () => 'http://192.168.0.1/', 400, 'rest_invalid_param'],
    ['another port', () => 'http://example.com:5432/', 400, 'rest_invalid_param'],
    ['a name and password', () => 'http://me:x@example.com/', 400, 'rest_invalid_param'],
  ])('reject %s', async (_, url, status, code) => {
    const answer = await details(url());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (code === 'rest_invalid_param')
      expect(answer.body.data).toEqual({ status: 400, params: { url: 'Invalid parameter.' }, details: [] });
  });

  it('do not trust the site URL of the settings', async () => {
    await ask('admin', 'POST', '/cms/v2/settings', { url: 'http://169.254.169.254' });
    expect(await details('http://169.254.169.254/latest/')).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    await ask('admin', 'POST', '/cms/v2/settings', { url: null });
  });
});

describe('the block editor', () => {
  it('gets one navigation, created on demand, even with concurrent requests', async () => {
    const asked = await Promise.all([1, 2, 3, 4].map(() => ask('admin', 'GET', '/cms-block-editor/v1/navigation-fallback')));
    expect(new Set(asked.map(({ body }) => body.id)).size).toBe(1);
    expect(await site.read('navigation/navigation.html')).toContain(':page-list /-->');
  });

  it('can download the design as an archive', async () => {
    const as = logins.admin as string;
    const { headers, body } = await site.ask('GET', '/cms-block-editor/v1/export', { as });
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/zip',
      'attachment; filename=site.zip',
    ]);
    expect(body.startsWith('PK')).toBe(true);
    for (const file of ['theme.json', 'templates/single.html']) expect(body).toContain(file);
  });
});

describe('site health', () => {
  it.each([
    ['background-updates', 'background_updates', 'good'],
    ['loopback-requests', 'loopback_requests', 'good'],
    ['https-status', 'https_status', 'recommended'],
    ['dotorg-communication', 'dotorg_communication', 'good'],
    ['authorization-header', 'authorization_header', 'good'],
    ['page-cache', 'page_cache', 'good'],
  ])('%s', async (path, test, status) => {
    const { body } = await ask('admin', 'GET', `/cms-site-health/v1/tests/${path}`);
    expect(Object.keys(body)).toEqual(['label', 'status', 'badge', 'description', 'actions', 'test']);
    expect([body.test, body.status]).toEqual([test, status]);
  });

  it('sums up the folder sizes', async () => {
    const { raw, total_size: total, ...parts } = (await ask('admin', 'GET', '/cms-site-health/v1/directory-sizes')).body;
    expect(raw).toBe(0);
    const sizes = Object.values(parts as Record<string, { raw?: number }>).map((part) => part.raw ?? 0);
    expect(total.raw).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(total.raw).toBeGreaterThan(0);
  });
});
