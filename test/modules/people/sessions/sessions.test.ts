/**
 * Signing in with a browser: the cookie, the nonce, and when a session ends.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { cookieOf, hiddenFields, sendForm, signInAt } from '../../../support/forms.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
const hour = 60 * 60 * 1000;
let now = Date.parse('2026-05-04T10:00:00Z');
let site: TestSite;
let anna: { readonly id: number; readonly as: string };
beforeAll(async () => {
  site = await startSite({ clock: () => now, operator: { sign_in_attempts: 5 } });
  await updateUser(site.site, 1, { password });
  anna = await signUp(site, 'anna', 'author');
  await updateUser(site.site, anna.id, { password });
});
afterAll(() => site.close());

const me = (headers: Record<string, string>, query = '') => site.ask('GET', `/cms/v2/users/me${query}`, { headers });
const begin = (fields = {}) => signInAt(site, 'admin', password, fields);

describe('a session', () => {
  it('starts with the login password and redirects to a page of this site', async () => {
    const { answer, cookie, nonce } = await begin({ redirect_to: '/cms-admin/x.php?y=1' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/cms-admin/x.php?y=1']);
    expect(answer.headers.get('set-cookie')).toMatch(/^cms_session_[\da-f]{8}=1\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const { status, headers, body } = await me({ cookie, 'x-cms-nonce': nonce });
    expect([status, body.id]).toEqual([200, 1]);
    expect(headers.get('x-cms-nonce')).toBe(nonce);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it('is stored only as a digest, outside the content', async () => {
    const { cookie } = await begin();
    const token = cookie.split('.')[1] as string;
    const kept = JSON.stringify(site.site.accounts.get(1));
    expect(kept).not.toContain(token);
    expect(site.site.accounts.get(1)?.sessions.at(-1)).toMatchObject({ lastIp: '127.0.0.1', agent: 'node' });
  });

  it('lasts two days, or two weeks if the browser is remembered', async () => {
    const short = await begin();
    const long = await begin({ stay: 'yes' });
    expect(long.answer.headers.get('set-cookie')).toContain('; Max-Age=1209600');
    const before = now;
    try {
      now += 49 * hour;
      expect((await nonceFor(short.cookie)).status).toBe(400);
      expect((await nonceFor(long.cookie)).status).toBe(200);
      now += 13 * 24 * hour;
      expect((await nonceFor(long.cookie)).status).toBe(400);
    } finally {
      now = before;
    }
  });

  it('ends with sign-out, and a link alone signs nobody out', async () => {
    const { cookie, nonce } = await begin();
    const asked = await site.ask('GET', '/cms-login.php?action=logout', { raw: true, headers: { cookie } });
    expect(asked.status).toBe(200);
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const bare = await site.ask('POST', '/cms-login.php?action=logout', { raw: true, body: 'proof=x', headers });
    expect([bare.status, bare.headers.get('set-cookie')]).toEqual([303, null]);
    expect((await me({ cookie, 'x-cms-nonce': nonce })).status).toBe(200);
    const out = await sendForm(site, '/cms-login.php?action=logout', {}, { cookie });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/cms-login.php?loggedout=true']);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await me({ cookie, 'x-cms-nonce': nonce })).status).toBe(403);
  });

  it('is new for every sign-in, and the previous one of the browser ends', async () => {
    const first = await begin();
    const again = await sendForm(site, '/cms-login.php?action=login', { login: 'anna', password });
    expect(cookieOf(again)).not.toBe(first.cookie);
    const shown = await site.ask('GET', '/cms-login.php', { raw: true });
    const body = String(new URLSearchParams({ ...hiddenFields(shown.body), login: 'admin', password }));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: `${first.cookie}; ${cookieOf(shown)}` };
    const second = await site.ask('POST', '/cms-login.php', { raw: true, body, headers });
    expect(cookieOf(second)).not.toBe(first.cookie);
    expect((await nonceFor(first.cookie)).status).toBe(400);
    expect((await nonceFor(cookieOf(second))).status).toBe(200);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a new login password', () => updateUser(site.site, anna.id, { password: 'another long secret' })],
    [
      'a login password changed by another process',
      () =>
        changeAside((one) => ({
          ...one,
          passwordHash: `${one.passwordHash}`.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
        })),
    ],
    ['the end of the account', () => site.site.accounts.remove(anna.id)],
  ])('ends with %s', async (_, change) => {
    const account = site.site.accounts.get(anna.id);
    const { cookie, nonce } = await signInAt(site, 'anna', password);
    expect((await me({ cookie, 'x-cms-nonce': nonce })).body.id).toBe(anna.id);
    try {
      await change();
      expect((await me({ cookie, 'x-cms-nonce': nonce })).status).toBe(403);
    } finally {
      if (account) await site.site.accounts.save(account);
    }
  });

  it('loses permissions at once when its account does', async () => {
    const { cookie, nonce } = await signInAt(site, 'anna', password);
    const post = () => site.ask('POST', '/cms/v2/posts', { headers: { cookie, 'x-cms-nonce': nonce }, body: { title: 'x' } });
    expect((await post()).status).toBe(201);
    await updateUser(site.site, anna.id, { roles: ['subscriber'] });
    expect((await post()).status).toBe(403);
    await updateUser(site.site, anna.id, { roles: ['author'] });
  });
});

describe('the nonce of a session', () => {
  let cookie: string;
  let nonce: string;
  beforeAll(async () => {
    ({ cookie, nonce } = await begin());
  });

  it('if missing makes the request anonymous', async () => {
    expect((await me({ cookie })).status).toBe(401);
    expect((await site.ask('GET', '/cms/v2/posts', { headers: { cookie } })).status).toBe(200);
    expect((await site.ask('POST', '/cms/v2/posts', { headers: { cookie }, body: { title: 'x' } })).status).toBe(401);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['wrong', { 'x-cms-nonce': 'abcdef' }],
    ['empty', { 'x-cms-nonce': '' }],
    ['wrong, in the other spelling', { 'x-wp-nonce': 'abcdef' }],
    ['wrong as a parameter', {}, '?_cms_nonce=abcdef'],
    ['wrong as a parameter in the other spelling', {}, '?_wpnonce=abcdef'],
    ['twice as a parameter', {}, '?_wpnonce[]=a&_wpnonce[]=b'],
  ])('%s, is refused, with the cookie and without', async (_, headers, query) => {
    for (const one of [{ cookie }, {}] as Record<string, string>[]) {
      const { status, body } = await me({ ...one, ...headers }, query);
      expect([status, body]).toEqual([
        403,
        { code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed.', data: { status: 403 } },
      ]);
    }
  });

  it('of another session is refused', async () => {
    const other = await signInAt(site, 'anna', password);
    expect((await me({ cookie, 'x-cms-nonce': other.nonce })).status).toBe(403);
    expect((await me({ cookie: other.cookie, 'x-cms-nonce': nonce })).status).toBe(403);
  });

  it('is accepted in a header or the URL, in both dialects, and the URL wins', async () => {
    for (const name of ['x-cms-nonce', 'x-wp-nonce']) expect((await me({ cookie, [name]: nonce })).status).toBe(200);
    for (const name of ['_cms_nonce', '_wpnonce']) expect((await me({ cookie }, `?${name}=${nonce}`)).status).toBe(200);
    expect((await me({ cookie, 'x-cms-nonce': 'wrong' }, `?_wpnonce=${nonce}`)).status).toBe(200);
    expect((await me({ cookie, 'x-cms-nonce': nonce }, '?_wpnonce=wrong')).status).toBe(403);
    const answer = await site.ask('GET', '/wp/v2/users/me', { root: '/wp-json', headers: { cookie, 'x-wp-nonce': nonce } });
    expect([answer.status, answer.headers.get('x-wp-nonce')]).toEqual([200, nonce]);
  });

  it('is accepted in the fields of a form', async () => {
    const post = (fields: Record<string, string>) =>
      site.ask('POST', '/cms/v2/posts', {
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ title: 'By a form', ...fields })),
      });
    expect((await post({ _wpnonce: nonce })).status).toBe(201);
    expect((await post({ _wpnonce: 'wrong' })).status).toBe(403);
    expect((await post({})).status).toBe(401);
  });

  it('is ignored in JSON', async () => {
    const { status } = await site.ask('POST', '/cms/v2/posts', { headers: { cookie }, body: { title: 'x', _wpnonce: nonce } });
    expect(status).toBe(401);
  });

  it('comes with every response, and changes after half a day', async () => {
    const before = now;
    try {
      const headers = { cookie, 'x-cms-nonce': nonce };
      expect((await site.ask('GET', '/cms/v2/none', { headers })).headers.get('x-cms-nonce')).toBe(nonce);
      now += 12 * hour;
      const next = (await me(headers)).headers.get('x-cms-nonce') as string;
      expect(next).not.toBe(nonce);
      now += 12 * hour;
      expect((await me(headers)).status).toBe(403);
      expect((await me({ cookie, 'x-cms-nonce': next })).status).toBe(200);
    } finally {
      now = before;
    }
  });

  it('is ignored with right credentials of a program', async () => {
    const answer = await site.ask('GET', '/cms/v2/users/me', { as: anna.as, headers: { cookie, 'x-cms-nonce': 'wrong' } });
    expect([answer.status, answer.body.id, answer.headers.get('x-cms-nonce')]).toEqual([200, anna.id, null]);
  });

  it('cannot replace a form token, nor the other way round', async () => {
    const shown = await site.ask('GET', '/cms-login.php?action=logout', { raw: true, headers: { cookie } });
    const { proof } = hiddenFields(shown.body);
    expect((await me({ cookie, 'x-cms-nonce': proof as string })).status).toBe(403);
  });

  it('is shown only to scripts of this host', async () => {
    const settings = (headers: Record<string, string>, at = '/cms-admin') =>
      site.ask('GET', `${at}/api-settings.json`, { raw: true, headers });
    expect((await settings({ cookie })).body).toEqual({ root: `${site.site.url}/cms-json/`, nonce, versionString: 'cms/v2/' });
    expect((await settings({ cookie }, '/wp-admin')).body).toEqual({
      root: `${site.site.url}/wp-json/`,
      nonce,
      versionString: 'wp/v2/',
    });
    expect((await settings({})).status).toBe(401);
    const sent = await sendForm(site, '/wp-admin/admin-ajax.php', { action: 'rest-nonce' }, { cookie });
    expect([sent.status, sent.body]).toEqual([200, nonce]);
    const asked = await settings({ cookie, origin: 'https://evil.example' });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const none = await site.ask('GET', '/wp-admin/admin-ajax.php?action=rest-nonce', { raw: true });
    expect([none.status, none.body]).toEqual([400, '0']);
  });
});

describe('the sign-in page', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    'http:evil.example',
  ])('never redirects elsewhere: %s', async (target) => {
    const { answer } = await begin({ redirect_to: target });
    const to = new URL(answer.headers.get('location') as string, 'https://here.example');
    expect([answer.status, to.host]).toEqual([303, 'here.example']);
    const shown = await site.ask('GET', `/cms-login.php?${new URLSearchParams({ redirect_to: target })}`, { raw: true });
    expect(new URL(hiddenFields(shown.body).redirect_to ?? '/', 'https://here.example').host).toBe('here.example');
  });

  it('accepts no form that it has not shown', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = String(new URLSearchParams({ login: 'admin', password }));
    const sent = await site.ask('POST', '/cms-login.php', { raw: true, body, headers });
    expect([sent.status, cookieOf(sent).includes('session')]).toEqual([403, false]);
    const across = await sendForm(site, '/cms-login.php', { login: 'admin', password }, { 'sec-fetch-site': 'cross-site' });
    expect(across.status).toBe(403);
  });

  it('shares the limit of wrong passwords with programs', async () => {
    await signUp(site, 'bert', 'author');
    for (let number = 0; number < 3; number++) expect((await signInAt(site, 'bert', 'wrong')).answer.status).toBe(403);
    for (let number = 0; number < 2; number++) await site.ask('GET', '/cms/v2/users/me', { as: `bert:wrong${number}` });
    const { answer } = await signInAt(site, 'bert', 'wrong');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await site.ask('GET', '/cms/v2/users/me', { as: 'bert:wrong' })).status).toBe(429);
  });
});

describe('if the operator requires HTTPS', () => {
  let strict: TestSite;
  const https = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
  const http = { ...https, 'x-forwarded-proto': 'http' };
  beforeAll(async () => {
    strict = await startSite({ operator: { require_https: true, trusted_proxies: ['127.0.0.1'] } });
    await updateUser(strict.site, 1, { password });
  });
  afterAll(() => strict.close());

  it('passwords and sessions are accepted over HTTPS only', async () => {
    const ask = (headers: Record<string, string>, path = '/cms/v2/users/me') => strict.ask('GET', path, { as: 'admin', headers });
    // What is kept for who signs in is not for who asks over HTTP.
    const kept = '/cms/v2/posts?context=edit';
    for (const headers of [https, https, https]) expect((await ask(headers, kept)).status).toBe(200);
    expect((await ask(http, kept)).status).toBe(401);
    for (const [headers, status] of [
      [https, 200],
      [http, 401],
      [https, 200],
      [http, 401],
      [http, 401],
      [{}, 200],
    ] as const)
      expect((await ask(headers)).status, JSON.stringify(headers)).toBe(status);
    expect((await sendForm(strict, '/cms-login.php', { login: 'admin', password }, http)).status).toBe(403);
    const signed = await sendForm(strict, '/cms-login.php', { login: 'admin', password }, https);
    expect(signed.headers.get('set-cookie')).toMatch(/^__Host-cms_session_\w+=.*; SameSite=Lax; Secure$/);
    const cookie = cookieOf(signed);
    const nonce = (headers: Record<string, string>) =>
      strict.ask('GET', '/cms-admin/admin-ajax.php?action=rest-nonce', { raw: true, headers: { ...headers, cookie } });
    expect([(await nonce(https)).status, (await nonce(http)).status]).toEqual([200, 400]);
    // Nor under the name that cookies have over HTTP.
    const renamed = { ...http, cookie: cookie.replace('__Host-', '') };
    expect(
      await strict.site.sessions.find({ headers: renamed, client: { ip: '', isHttps: false, isPrivate: false } }),
    ).toBeNull();
    expect(strict.site.accounts.get(1)?.sessions[0]?.lastIp).toBe('192.0.2.7');
  });
});

function nonceFor(cookie: string) {
  return site.ask('GET', '/cms-admin/admin-ajax.php?action=rest-nonce', { raw: true, headers: { cookie } });
}

/** As another process writes the document of an account. */
async function changeAside(alter: (account: { passwordHash: string }) => object): Promise<void> {
  await site.site.store.private.update?.(`accounts/${anna.id}.json`, (bytes) => {
    const account = JSON.parse(String(Buffer.from(bytes as Uint8Array)));
    return Buffer.from(JSON.stringify(alter(account)));
  });
}
