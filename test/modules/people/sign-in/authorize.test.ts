/**
 * The page on which a person lets an application in: what it shows, what a form on it does, and what it refuses.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentialCheck } from '../../../../src/modules/people/sign-in/credentials.ts';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { sendForm } from '../../../support/forms.ts';
import { cpuMs } from '../../../support/long-texts.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const id = '0b3ff0a1-6f2c-4f0e-9d0e-0a1b2c3d4e5f';
const path = '/cms-admin/authorize-application.php';
const done = 'https://app.example/done?x=1';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ operator: { sign_in_attempts: 3 } });
  await updateUser(site.site, 1, { password: 'a long secret' });
});
afterAll(() => site.close());

const addressed = (query: Record<string, string>, at = path) => `${at}?${new URLSearchParams(query)}`;
const show = (query: Record<string, string>, at = path) => site.ask('GET', addressed(query, at), { raw: true });
/** As a browser does: the page first, then its form. */
const send = (query: Record<string, string>, fields: Record<string, string>, headers = {}) =>
  sendForm(site, addressed(query), fields, headers);
const count = () => site.site.accounts.get(1)?.applicationPasswords.length;
const me = { login: 'admin', password: 'a long secret', decision: 'approve' };

describe('the authorize page', () => {
  it('is linked from the site index, in both dialects', async () => {
    for (const root of ['/cms-json', '/wp-json']) {
      const { body } = await site.ask('GET', '/', { root });
      const at = new URL(body.authentication['application-passwords'].endpoints.authorization).pathname;
      expect((await show({ app_name: 'Editor' }, at)).status).toBe(200);
    }
  });

  it('shows who asks and where the password goes, and is not cached, framed or scripted', async () => {
    const { status, headers, body } = await show({ app_name: 'Edit & <b>Co</b>', success_url: done });
    expect(status).toBe(200);
    expect(body).toContain('<strong>Edit &amp; &lt;b&gt;Co&lt;/b&gt;</strong> wants to access Example Site');
    expect(body).toContain('<strong>app.example</strong>');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(policy).not.toContain('script-src');
  });

  it.each([
    ['no name', {}],
    ['an empty name', { app_name: ' \u200b ' }],
    ['a name without end', { app_name: 'x'.repeat(201) }],
    ['an id that is none', { app_name: 'A', app_id: '7' }],
    ['a password sent in the clear', { app_name: 'A', success_url: 'http://app.example/' }],
    ['a script as address', { app_name: 'A', success_url: 'javascript:alert(1)' }],
    ['data as address of a refusal', { app_name: 'A', reject_url: 'data:text/html,x' }],
    ['an address with a name', { app_name: 'A', success_url: 'https://cms.example@app.example/' }],
    ['no address at all', { app_name: 'A', success_url: '//app.example' }],
  ] as readonly (readonly [string, Record<string, string>])[])('rejects %s', async (_, query) => {
    const before = count();
    expect((await show(query)).status).toBe(400);
    expect((await send(query, me)).status).toBe(400);
    expect(count()).toBe(before);
  });

  it('accepts URLs of this machine and of apps', async () => {
    for (const success_url of ['http://localhost:3000/cb', 'http://127.0.0.1/', 'http://[::1]:8/', 'notes-app://signed-in'])
      expect((await show({ app_name: 'A', success_url })).status, success_url).toBe(200);
  });
});

describe('a user who authorizes an application', () => {
  it('sends it working credentials, listed with the others', async () => {
    const { status, headers } = await send({ app_name: 'Reader', app_id: id, success_url: done }, me);
    expect(status).toBe(303);
    const to = new URL(headers.get('location') as string);
    expect([to.origin, to.pathname, to.searchParams.get('x')]).toEqual(['https://app.example', '/done', '1']);
    expect(to.searchParams.get('site_url')).toBe(site.site.url);
    const as = `${to.searchParams.get('user_login')}:${to.searchParams.get('password')}`;
    const { status: known, body } = await site.ask('GET', '/cms/v2/users/me/application-passwords/introspect', { as });
    expect(known).toBe(200);
    expect(body).toMatchObject({ name: 'Reader', app_id: id });
  });

  it('sees the password if the application has no URL', async () => {
    const { status, body } = await send({ app_name: 'Script' }, { ...me, login: 'admin@example.com' });
    expect(status).toBe(200);
    const password = /Password: <code>([\w ]+)<\/code>/.exec(body)?.[1];
    expect((await site.ask('GET', '/cms/v2/users/me', { as: `admin:${password}` })).status).toBe(200);
  });

  it('can deny without a password', async () => {
    const before = count();
    const refused = await send(
      { app_name: 'A', success_url: done, reject_url: 'https://app.example/no' },
      { decision: 'decline' },
    );
    expect([refused.status, refused.headers.get('location')]).toEqual([303, 'https://app.example/no']);
    const told = await send({ app_name: 'A', success_url: done }, { decision: 'decline' });
    expect(told.headers.get('location')).toBe('https://app.example/done?x=1&success=false');
    expect((await send({ app_name: 'A' }, { decision: 'decline' })).status).toBe(200);
    expect(count()).toBe(before);
  });

  it('is asked again without a decision', async () => {
    const before = count();
    expect((await send({ app_name: 'A' }, { ...me, decision: '' })).status).toBe(400);
    expect(count()).toBe(before);
  });

  it('cannot be tricked by a form of another site, nor by a replayed one', async () => {
    const before = count();
    expect((await send({ app_name: 'A' }, me, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ app_name: 'A' }, { ...me, padding: 'x'.repeat(20_000) })).status).toBe(413);
    expect(count()).toBe(before);
  });
});

describe('a wrong password on the authorize page', () => {
  it('authorizes nothing, does not say what was wrong, and is counted', async () => {
    const before = count();
    const { password } = await addApplication();
    // What programs sign in with is nobody's password.
    const tries = [
      ['admin', 'wrong'],
      ['admin', password],
      ['nobody', 'a long secret'],
      ['', ''],
    ] as const;
    const pages: string[] = [];
    for (const [login, entered] of tries) {
      const { status, body } = await send({ app_name: 'A' }, { ...me, login, password: entered });
      expect(status, login).toBe(403);
      pages.push(body.replace(/ value="[^"]*"/g, ''));
    }
    expect(new Set(pages).size).toBe(1);
    expect((await send({ app_name: 'A' }, { ...me, password: 'wrong' })).status).toBe(403);
    const late = await send({ app_name: 'A' }, me);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(count()).toBe((before ?? 0) + 1);
  });

  it('takes as long without an account, or without a login password', async () => {
    const check = createCredentialCheck(site.site);
    await signUp(site, 'silent', 'author');
    const cost = (login: string, ip: string) =>
      cpuMs(() => check({ fields: { login, password: 'wrong' }, headers: {}, client: { ip, isHttps: false, isPrivate: true } }));
    const known = await cost('admin', '203.0.113.1');
    expect(await cost('nobody', '203.0.113.2')).toBeGreaterThan(known / 4);
    expect(await cost('silent', '203.0.113.3')).toBeGreaterThan(known / 4);
  });

  async function addApplication(): Promise<{ password: string }> {
    const { body } = await site.ask('POST', '/cms/v2/users/me/application-passwords', { as: 'admin', body: { name: 'Own' } });
    return { password: body.password };
  }
});

describe('an account without a login password', () => {
  it('cannot authorize anything', async () => {
    const fresh = await startSite();
    try {
      const query = addressed({ app_name: 'A' });
      for (const password of ['', ' ', 'AAAA'])
        expect((await sendForm(fresh, query, { login: 'admin', password, decision: 'approve' })).status).toBe(403);
    } finally {
      await fresh.close();
    }
  });
});

describe('a read-only server', () => {
  it('says that it cannot authorize', async () => {
    const reader = await startSite({ from: site.dir, readOnly: true });
    try {
      expect((await sendForm(reader, addressed({ app_name: 'A' }), me)).status).toBe(503);
    } finally {
      await reader.close();
    }
  });
});

describe('a site URL in site.yaml', () => {
  let own: TestSite;
  const stated = 'https://elsewhere.example';
  beforeAll(async () => {
    own = await startSite({ files: { 'site.yaml': `name: Test\nurl: ${stated}\n` } });
    await updateUser(own.site, 1, { password: 'a long secret' });
  });
  afterAll(() => own.close());

  const authorization = async (): Promise<string> => {
    const { body } = await own.ask('GET', '/');
    expect(body.url).toBe(stated);
    return body.authentication['application-passwords'].endpoints.authorization;
  };
  const approved = async (): Promise<string | null> => {
    const { headers } = await sendForm(own, addressed({ app_name: 'A', success_url: done }), me);
    return new URL(headers.get('location') as string).searchParams.get('site_url');
  };

  it('is content, and passwords are never sent there', async () => {
    expect(await authorization()).toBe(`${own.url}/cms-admin/authorize-application.php`);
    expect(await approved()).toBe(own.url);
    const { body } = await own.ask('GET', addressed({ app_name: 'A' }), { raw: true });
    expect(body).toContain(`<strong>${stated}</strong>`);
  });

  it('receives passwords only if the operator sets it', async () => {
    own.site.setAddress(stated, 'operator');
    expect(await authorization()).toBe(`${stated}/cms-admin/authorize-application.php`);
    expect(await approved()).toBe(stated);
  });
});
