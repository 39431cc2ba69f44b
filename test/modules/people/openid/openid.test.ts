/** Signing in at an OpenID provider: who gets which account, with which roles, and what is refused. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { cookieOf, hiddenFields, sendForm, signInAt } from '../../../support/forms.ts';
import {
  clientId,
  clientSecret,
  type OpenIdProvider,
  signInAtProvider,
  startOpenIdProvider,
} from '../../../support/openid-provider.ts';
import { type Answered, signUp, startSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts';

const password = 'a long secret';
let now = Date.now();
let provider: OpenIdProvider;
const sites: TestSite[] = [];

beforeAll(async () => {
  vi.stubEnv('TEST_OPENID_SECRET', clientSecret);
  provider = await startOpenIdProvider();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const site of sites) await site.close();
  await provider.close();
});

async function start(openid: Record<string, unknown> = {}, options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await startSite({
    clock: () => now,
    ...options,
    operator: {
      openid: {
        issuer: provider.issuer,
        client_id: clientId,
        client_secret_env: 'TEST_OPENID_SECRET',
        name: 'Example ID',
        ...openid,
      },
      ...options.operator,
    },
  });
  sites.push(site);
  provider.redirectUris.push(`${site.url}/cms-admin/openid`);
  return site;
}

const look = (site: TestSite, path: string, cookie = '') => site.ask('GET', path, { raw: true, headers: { cookie } });
const account = (site: TestSite, login: string) => site.site.accounts.byLogin(login);

/** Sends a browser to the provider. */
async function leave(site: TestSite, query = '', cookie = ''): Promise<{ readonly address: string; readonly flow: string }> {
  const { status, headers } = await look(site, `/cms-login.php?action=openid${query}`, cookie);
  expect(status).toBe(303);
  return { address: headers.get('location') as string, flow: cookieOf({ headers }) };
}

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

async function signIn(site: TestSite, subject: string, query = ''): Promise<Answered> {
  const { address, flow } = await leave(site, query);
  return look(site, pathOf(await signInAtProvider(address, subject)), flow);
}

describe('a person of the provider', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await start();
    await updateUser(site.site, 1, { password });
    await signUp(site, 'ada', 'editor');
  });

  it('links to the provider on the sign-in page, and returns to a page of this site', async () => {
    const { body } = await look(site, '/cms-login.php?redirect_to=/hello/');
    expect(body).toContain('href="/cms-login.php?action=openid&amp;redirect_to=%2Fhello%2F">Sign in with Example ID</a>');
    provider.people.set('s-ada', { email: 'Ada@example.org', email_verified: true });
    for (const [target, leads] of [
      ['/hello/', '/hello/'],
      ['https://evil.example/', '/cms-admin/profile.php'],
      ['//evil.example/', '/cms-admin/profile.php'],
    ] as const) {
      const back = await signIn(site, 's-ada', `&redirect_to=${encodeURIComponent(target)}`);
      expect([back.status, back.headers.get('location')]).toEqual([303, leads]);
      expect((await look(site, '/cms-admin/profile.php', cookieOf(back))).body).toContain('signed in as <strong>ada</strong>');
    }
  });

  it('is asked for with PKCE, state and nonce', async () => {
    const { searchParams: sent } = new URL((await leave(site)).address);
    expect(Object.fromEntries(sent)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${site.url}/cms-admin/openid`,
    });
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(sent.get(secret)).toMatch(/^[\w-]{32,}$/);
  });

  it('is matched by a verified email address once, and then by the subject alone', async () => {
    expect(account(site, 'ada')?.identities).toMatchObject([{ issuer: provider.issuer, subject: 's-ada' }]);
    provider.people.set('s-ada', { email: 'admin@example.com', email_verified: true });
    expect((await look(site, '/cms-admin/profile.php', cookieOf(await signIn(site, 's-ada')))).body).toContain(
      '<strong>ada</strong>',
    );
    provider.people.set('s-other', { email: 'ada@example.org', email_verified: true });
    const other = await signIn(site, 's-other');
    expect([other.status, cookieOf(other)]).toEqual([403, '']);
    expect(other.body).toContain('already connected');
  });

  it.each([
    ['an unverified one', { email: 'admin@example.com', email_verified: false }],
    ['one of which nothing is said', { email: 'admin@example.com' }],
    ['none', {}],
  ])('is not matched by an address: %s', async (how, claims) => {
    provider.people.set(how, claims);
    const { status, body } = await signIn(site, how);
    expect([status, String(body).includes('you have no account')]).toEqual([403, true]);
    expect(account(site, 'admin')?.identities).toEqual([]);
  });

  it('is not matched by an address that the user of the account has entered', async () => {
    const { as, id } = await signUp(site, 'mallory', 'subscriber');
    expect((await site.ask('POST', '/cms/v2/users/me', { as, body: { email: 'boss@example.org' } })).status).toBe(200);
    provider.people.set('s-boss', { email: 'boss@example.org', email_verified: true });
    const { status, body } = await signIn(site, 's-boss');
    expect([status, String(body).includes('not verified')]).toEqual([403, true]);
    expect(site.site.accounts.get(id)?.identities).toEqual([]);
  });

  it('connects an account on the profile page, and disconnects it', async () => {
    provider.people.set('s-admin', {});
    const { cookie } = await signInAt(site, 'admin', password);
    const [, path = ''] = /href="([^"]*connect=[^"]*)"/.exec((await look(site, '/cms-admin/profile.php', cookie)).body) ?? [];
    const { address, flow } = await leave(site, path.replaceAll('&amp;', '&').replace(/^.*action=openid/, ''), cookie);
    const back = pathOf(await signInAtProvider(address, 's-admin'));
    // Only in the browser that has asked for it.
    expect((await look(site, back, flow)).status).toBe(400);
    const again = await leave(site, path.replaceAll('&amp;', '&').replace(/^.*action=openid/, ''), cookie);
    const done = await look(site, pathOf(await signInAtProvider(again.address, 's-admin')), `${again.flow}; ${cookie}`);
    expect(done.headers.get('location')).toBe('/cms-admin/profile.php?done=connected');
    expect((await signIn(site, 's-admin')).status).toBe(303);
    expect((await look(site, '/cms-login.php?action=openid&connect=0123456789', cookie)).headers.get('location')).toBe(
      '/cms-admin/profile.php',
    );
    await sendForm(site, '/cms-admin/profile.php', { do: 'disconnect' }, { cookie });
    expect((await signIn(site, 's-admin')).status).toBe(403);
  });

  it('is in no content file and in no response of the interface', async () => {
    const files = await readdir(join(site.dir, 'users'));
    for (const file of files) expect(await readFile(join(site.dir, 'users', file), 'utf8')).not.toMatch(/s-ada|identities/);
    const { body } = await site.ask('GET', `/cms/v2/users/${account(site, 'ada')?.id}?context=edit`, { as: 'admin' });
    expect(JSON.stringify(body)).not.toMatch(/s-ada|identit|isOwnEmail/);
  });

  it('ends the session by signing out', async () => {
    const cookie = cookieOf(await signIn(site, 's-ada'));
    await sendForm(site, '/cms-login.php?action=logout', {}, { cookie });
    expect((await look(site, '/cms-admin/profile.php', cookie)).status).toBe(303);
  });
});

describe('a response of the provider', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await start({ new_accounts: 'author' });
  });
  const refused = async (path: string, cookie: string): Promise<void> => {
    const answer = await look(site, path, cookie);
    expect([path, answer.status, cookieOf(answer)]).toEqual([path, 400, '']);
  };

  it('is used once, and only by the browser that left', async () => {
    const { address, flow } = await leave(site);
    const back = pathOf(await signInAtProvider(address, 'once'));
    await refused(back, '');
    await refused(back, (await leave(site)).flow);
    expect((await look(site, back, flow)).status).toBe(303);
    await refused(back, flow);
  });

  it('is refused with another state, the code of another sign-in, another issuer, or a cookie that was changed', async () => {
    const [one, two] = [await leave(site), await leave(site)];
    const [backOne, backTwo] = [await signInAtProvider(one.address, 'x'), await signInAtProvider(two.address, 'x')];
    const mixed = new URL(backOne);
    mixed.searchParams.set('state', 'x'.repeat(32));
    await refused(pathOf(mixed.href), one.flow);
    mixed.searchParams.set('state', new URL(backOne).searchParams.get('state') as string);
    mixed.searchParams.set('code', new URL(backTwo).searchParams.get('code') as string);
    await refused(pathOf(mixed.href), one.flow);
    await refused(pathOf(backTwo), `${two.flow.slice(0, -1)}${two.flow.endsWith('A') ? 'B' : 'A'}`);
    const elsewhere = new URL(backTwo);
    elsewhere.searchParams.set('iss', 'https://evil.example');
    await refused(pathOf(elsewhere.href), two.flow);
    expect(account(site, 'x')).toBeUndefined();
  });

  it('is refused after ten minutes', async () => {
    const { address, flow } = await leave(site);
    const back = pathOf(await signInAtProvider(address, 'late'));
    now += 11 * 60_000;
    await refused(back, flow);
    now -= 11 * 60_000;
  });

  it('that declines is not an error', async () => {
    const { address, flow } = await leave(site);
    const { searchParams } = new URL(address);
    const said = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') as string,
      iss: provider.issuer,
    });
    const { status, body } = await look(site, `/cms-admin/openid?${said}`, flow);
    expect([status, String(body).includes('was cancelled')]).toEqual([403, true]);
  });

  it.each(['', '?', '?code=x', '?error=%00&state[]=x', '?state=&code=', '?code=x&state=%FF'])(
    'that is none is refused: %s',
    async (query) => {
      const { flow } = await leave(site);
      for (const cookie of ['', flow, `${flow.split('=', 1)[0]}=x.y`]) await refused(`/cms-admin/openid${query}`, cookie);
    },
  );
});

describe('somebody without an account', () => {
  it('gets one if the operator says so, with a free name and nothing private in the profile', async () => {
    const site = await start({ new_accounts: 'author' });
    provider.people.set('s-new', {
      preferred_username: 'Admin@corp.example',
      name: 'Nina N.',
      email: 'nina@corp.example',
      email_verified: true,
    });
    expect((await signIn(site, 's-new')).status).toBe(303);
    expect(account(site, 'admin-2')).toMatchObject({ roles: ['author'], email: 'nina@corp.example', passwordHash: '' });
    const profile = await site.read('users/admin-2.yaml');
    expect(profile).toContain('Nina N.');
    expect(profile).not.toContain('corp.example');
    expect((await signIn(site, 's-new')).status).toBe(303);
    expect(site.site.accounts.all()).toHaveLength(2);
    provider.people.set('s-unverified', { preferred_username: 'uma', email: 'uma@corp.example', email_verified: false });
    await signIn(site, 's-unverified');
    expect(account(site, 'uma')).toMatchObject({ email: '' });
    provider.people.set('s-odd', { preferred_username: '../../<b>', name: 'x'.repeat(5000) });
    expect((await signIn(site, 's-odd')).status).toBe(303);
    expect(account(site, 'b')).toMatchObject({ name: 'b' });
  });
});

describe('roles', () => {
  it('follow the groups at each sign-in, if the operator maps them', async () => {
    const site = await start({
      roles: { writers: 'author', heads: 'editor' },
      roles_claim: 'realm_access.roles',
      new_accounts: 'subscriber',
    });
    const rolesWith = async (groups: unknown) => {
      provider.people.set('s-roles', { preferred_username: 'rosa', realm_access: { roles: groups } });
      expect((await signIn(site, 's-roles')).status).toBe(303);
      return account(site, 'rosa')?.roles;
    };
    expect(await rolesWith(['heads', 'administrator', '__proto__'])).toEqual(['editor']);
    expect(await rolesWith(['writers', 'heads'])).toEqual(['author', 'editor']);
    expect(await rolesWith('writers')).toEqual(['author']);
    expect(await rolesWith(['guests'])).toEqual(['subscriber']);
    expect(await rolesWith({ heads: true })).toEqual(['subscriber']);
  });

  it('are removed from a person in no group, who is not signed in', async () => {
    const site = await start({ roles: { heads: 'editor' } });
    await signUp(site, 'ada', 'editor');
    provider.people.set('s-out', { email: 'ada@example.org', email_verified: true, groups: ['heads'] });
    expect((await signIn(site, 's-out')).status).toBe(303);
    provider.people.set('s-out', { groups: [] });
    const { status, body } = await signIn(site, 's-out');
    expect([status, String(body).includes('a role')]).toEqual([403, true]);
    expect(account(site, 'ada')?.roles).toEqual([]);
  });
});

describe('where people only sign in at the provider', () => {
  it('no login password is asked for or taken, and application passwords work', async () => {
    const site = await start({ only: true });
    await updateUser(site.site, 1, { password });
    const { body } = await look(site, '/cms-login.php');
    expect(body).not.toContain('type="password"');
    const { answer } = await signInAt(site, 'admin', password);
    expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
    const app = '/cms-admin/authorize-application.php?app_name=App';
    expect((await look(site, app)).body).toMatch(/Sign in first/);
    const asked = await sendForm(site, app, { decision: 'approve', login: 'admin', password });
    expect(asked.headers.get('location')).toContain('/cms-login.php?redirect_to=%2Fcms-admin%2Fauthorize');
    expect((await site.ask('GET', '/cms/v2/users/me', { as: 'admin' })).status).toBe(200);
    const link = await site.site.invitations.linkFor(account(site, 'admin') as NonNullable<ReturnType<typeof account>>, site.url);
    expect((await look(site, pathOf(link))).body).toContain('Sign in with Example ID');
    expect((await sendForm(site, pathOf(link), { next: 'ebb and flow', again: 'ebb and flow' })).status).toBe(200);
    expect(site.site.accounts.get(1)?.passwordHash).toBe(account(site, 'admin')?.passwordHash);
    provider.people.set('s-only', { email: 'admin@example.com', email_verified: true });
    const cookie = cookieOf(await signIn(site, 's-only'));
    expect((await look(site, '/cms-admin/profile.php', cookie)).body).not.toContain('type="password"');
    expect(
      (
        await sendForm(
          site,
          '/cms-admin/profile.php',
          { do: 'password', password, next: 'ebb and flow', again: 'ebb and flow' },
          { cookie },
        )
      ).status,
    ).toBe(400);
  });
});

describe('a provider', () => {
  it('that is away is named on a page, and people sign in otherwise or later', async () => {
    const site = await start();
    provider.state.failing = 503;
    for (const status of [503, 404]) {
      provider.state.failing = status;
      const away = await look(site, '/cms-login.php?action=openid');
      expect([away.status, String(away.body).includes('Example ID cannot be reached')]).toEqual([502, true]);
    }
    provider.state.failing = 0;
    const { address, flow } = await leave(site);
    const back = pathOf(await signInAtProvider(address, 'anybody'));
    provider.state.failing = 500;
    expect((await look(site, back, flow)).status).toBe(502);
    provider.state.failing = 0;
    expect(site.log.filter((line) => line.startsWith('openid: '))).not.toEqual([]);
  });

  it.each<[how: string, isKnown: boolean, go: (isAway: boolean) => void]>([
    ['answers with an error, and has been asked before', true, (isAway) => (provider.state.failing = isAway ? 503 : 0)],
    ['answers with an error', false, (isAway) => (provider.state.failing = isAway ? 503 : 0)],
    ['has another service in its place', false, (isAway) => (provider.state.failing = isAway ? 404 : 0)],
    ['does not answer', false, (isAway) => (provider.state.isSilent = isAway)],
  ])('that is away keeps nobody from signing out: %s', async (_, isKnown, go) => {
    const site = await start({ sign_out: true });
    await updateUser(site.site, 1, { password });
    provider.people.set('s-leaving', { email: 'admin@example.com', email_verified: true });
    const cookie = cookieOf(await signIn(site, 's-leaving'));
    expect((await look(site, '/cms-admin/profile.php', cookie)).status).toBe(200);
    const shown = await look(site, '/cms-login.php?action=logout', cookie);
    expect(shown.body).toContain('You will also be asked to sign out');
    // What was discovered is asked for again.
    if (!isKnown) now += 61 * 60 * 1000;
    go(true);
    try {
      const left = sendForm(site, '/cms-login.php?action=logout', {}, { cookie });
      const { status, headers } = await left;
      const to = headers.get('location') ?? '';
      expect([status, isKnown ? to.startsWith(`${provider.issuer}/session/end?`) : to]).toEqual([
        303,
        isKnown || '/cms-login.php?loggedout=true',
      ]);
      expect(headers.get('set-cookie')).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/);
      expect((await look(site, '/cms-admin/profile.php', cookie)).status).toBe(303);
      if (!isKnown) expect(site.log.filter((line) => line.startsWith('openid: '))).not.toEqual([]);
    } finally {
      go(false);
    }
  });

  it('that is silent does not keep a session open meanwhile', async () => {
    const site = await start({ sign_out: true });
    provider.people.set('s-silent', { email: 'admin@example.com', email_verified: true });
    const cookie = cookieOf(await signIn(site, 's-silent'));
    const fields = hiddenFields(String((await look(site, '/cms-login.php?action=logout', cookie)).body));
    now += 61 * 60 * 1000;
    provider.state.isSilent = true;
    try {
      let isLeft = false;
      const left = site
        .ask('POST', '/cms-login.php?action=logout', {
          raw: true,
          body: String(new URLSearchParams(fields)),
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        })
        .finally(() => {
          isLeft = true;
        });
      await expect.poll(async () => (await look(site, '/cms-admin/profile.php', cookie)).status).toBe(303);
      expect(isLeft).toBe(false);
      expect((await left).status).toBe(303);
    } finally {
      provider.state.isSilent = false;
    }
  });

  it('that calls itself otherwise is not believed', async () => {
    const site = await start({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') });
    expect((await look(site, '/cms-login.php?action=openid')).status).not.toBe(303);
  });

  it.each([
    [{ issuer: 'http://id.example.com' }, 'openid.issuer must use HTTPS'],
    [{ issuer: 'id.example.com' }, 'openid.issuer is not a URL'],
    [{ client_secret_env: 'NOT_SET_ANYWHERE' }, 'names NOT_SET_ANYWHERE, which is not set'],
    [{ new_accounts: 'king' }, 'openid.new_accounts is not a role'],
    [{ roles: { a: 'king' } }, 'openid.roles.a is not a role'],
    [{ client_secret: 'x' }, 'openid.client_secret is not one of'],
    [{ scope: 'email' }, 'openid.scope must contain openid'],
    [{ only: 'maybe' }, 'openid.only is not true or false'],
  ])('that cannot work prevents the start: %j', async (openid, sentence) => {
    await expect(start(openid)).rejects.toThrow(sentence);
  });

  it('comes from the operator, never from a file of the site', async () => {
    const site = await startSite({
      files: { 'site.yaml': `name: X\nopenid: {issuer: "${provider.issuer}", client_id: cms, new_accounts: administrator}\n` },
    });
    sites.push(site);
    expect((await look(site, '/cms-login.php')).body).not.toContain('action=openid');
    expect((await look(site, '/cms-admin/openid?code=x&state=y')).status).toBe(404);
  });
});

it('the audit log has who signed in and who was refused, and where', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cms-audit-'));
  const path = join(folder, 'audit.log');
  const site = await start({}, { operator: { audit_log: path } });
  provider.people.set('s-audit', { email: 'admin@example.com', email_verified: true });
  const cookie = cookieOf(await signIn(site, 's-audit'));
  await signIn(site, 'nobody');
  const lines = async () =>
    (await readFile(path, 'utf8').catch(() => ''))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line || '{}'));
  await expect.poll(lines).toMatchObject([
    { event: 'identity', by: 1, issuer: provider.issuer },
    { event: 'sign-in', by: 1, ip: '127.0.0.1', with: provider.issuer },
    { event: 'sign-in.refused', ip: '127.0.0.1', why: 'unknown', with: provider.issuer },
  ]);
  expect(await readFile(path, 'utf8')).not.toContain(cookie.slice(-43));
  await rm(folder, { recursive: true, force: true });
});
