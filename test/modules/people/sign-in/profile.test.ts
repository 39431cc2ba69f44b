/**
 * A person's own page: what it shows, what its forms do, and what they refuse.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { cookieOf, sendForm, signInAt } from '../../../support/forms.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
const page = '/cms-admin/profile.php';
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  site = await startSite({ operator: { sign_in_attempts: 4 } });
  await updateUser(site.site, 1, { password });
});
afterAll(() => site.close());
beforeEach(async () => {
  ({ cookie } = await signInAt(site, 'admin', password));
});

const look = (one = cookie) => site.ask('GET', page, { raw: true, headers: { cookie: one } });
const send = (fields: Record<string, string>, one = cookie) => sendForm(site, page, fields, { cookie: one });
const account = () => site.site.accounts.get(1) as NonNullable<ReturnType<typeof site.site.accounts.get>>;

describe('the profile page', () => {
  it('requires sign-in, and returns to itself', async () => {
    const { status, headers } = await site.ask('GET', page, { raw: true });
    expect([status, headers.get('location')]).toEqual([303, '/cms-login.php?redirect_to=%2Fcms-admin%2Fprofile.php']);
    const { answer } = await signInAt(site, 'admin', password, { redirect_to: page });
    expect(answer.headers.get('location')).toBe(page);
    expect((await sendForm(site, page, { do: 'others' })).status).toBe(303);
  });

  it('shows applications and browsers, escaped, without secrets', async () => {
    await sendForm(site, page, { do: 'create', name: '<script>alert(1)</script>' }, { cookie });
    await sendForm(site, '/cms-login.php', { login: 'admin', password }, { 'user-agent': '<img src=x onerror=alert(1)>' });
    const { body, headers } = await look();
    expect(body).toContain('<strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong>');
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(body).not.toMatch(/<script|<img/);
    for (const { hash } of account().applicationPasswords) expect(body).not.toContain(hash);
    expect(body).not.toContain(account().passwordHash);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts no form without its token, nor one of another site', async () => {
    const before = account();
    for (const [fields, headers] of [
      [{ do: 'create', name: 'x', proof: '' }, {}],
      [{ do: 'create', name: 'x', proof: '0'.repeat(20) }, {}],
      [{ do: 'others', proof: 'x' }, {}],
      [{ do: 'create', name: 'x' }, { 'sec-fetch-site': 'cross-site' }],
    ] as const)
      expect((await sendForm(site, page, fields, { cookie, ...headers })).status).toBe(403);
    expect((await send({ do: 'nothing' })).status).toBe(400);
    expect(account()).toEqual(before);
  });
});

describe('application passwords', () => {
  it('are created there, shown once, and revoked', async () => {
    const made = await send({ do: 'create', name: 'Reader' });
    const secret = /Password: <code>([\w ]+)<\/code>/.exec(made.body)?.[1];
    const ask = () => site.ask('GET', '/cms/v2/users/me', { as: `admin:${secret}` });
    expect((await ask()).status).toBe(200);
    expect((await look()).body).not.toContain(secret);
    const { uuid } = account().applicationPasswords.find(({ name }) => name === 'Reader') as { uuid: string };
    expect((await send({ do: 'revoke', which: uuid })).headers.get('location')).toBe(`${page}?done=revoked`);
    expect((await ask()).status).toBe(401);
  });

  it('are created with the chosen scope, which the page shows', async () => {
    const made = await send({ do: 'create', name: 'Pages alone', scope: 'type:page' });
    const secret = /Password: <code>([\w ]+)<\/code>/.exec(made.body)?.[1];
    const write = (path: string) => site.ask('POST', path, { as: `admin:${secret}`, body: { title: 'x' } });
    expect([(await write('/cms/v2/pages')).status, (await write('/cms/v2/posts')).status]).toEqual([201, 403]);
    expect((await look()).body).toMatch(/Pages alone.*may read, and change items of the type page/);
    const before = account().applicationPasswords.length;
    for (const scope of ['everything', 'type:gone', 'type:'])
      expect((await send({ do: 'create', name: 'x', scope })).status).toBe(400);
    expect(account().applicationPasswords).toHaveLength(before);
  });

  it.each(['', '   ', 'x'.repeat(201)])('need a valid name: %j', async (name) => {
    const before = account().applicationPasswords.length;
    expect((await send({ do: 'create', name })).status).toBe(400);
    expect(account().applicationPasswords.length).toBe(before);
  });

  it('of others are not accessible', async () => {
    const anna = await signUp(site, 'anna', 'author');
    const uuid = site.site.accounts.get(anna.id)?.applicationPasswords[0]?.uuid as string;
    await send({ do: 'revoke', which: uuid });
    expect((await site.ask('GET', '/cms/v2/users/me', { as: anna.as })).status).toBe(200);
  });
});

describe('browsers', () => {
  it('can be signed out one by one, or all others', async () => {
    const [one, two] = [await signInAt(site, 'admin', password), await signInAt(site, 'admin', password)];
    const { hash } = account().sessions.at(-1) as { hash: string };
    await send({ do: 'end', which: hash });
    expect((await look(two.cookie)).status).toBe(303);
    expect((await look(one.cookie)).status).toBe(200);
    await send({ do: 'others' });
    expect((await look(one.cookie)).status).toBe(303);
    expect((await look()).status).toBe(200);
    expect(account().sessions.length).toBe(1);
  });
});

describe('the login password', () => {
  const change = (fields: Record<string, string>) =>
    send({ do: 'password', password, next: 'a longer secret', again: 'a longer secret', ...fields });

  it.each<[string, Record<string, string>, number]>([
    ['is not changed without the present one', { password: 'wrong' }, 403],
    ['is not changed to two', { again: 'another one' }, 400],
    ['is not changed to a short one', { next: 'short', again: 'short' }, 400],
    ['is not changed to one without end', { next: 'x'.repeat(1025), again: 'x'.repeat(1025) }, 400],
  ])('%s', async (_, fields, status) => {
    const { passwordHash } = account();
    expect((await change(fields)).status).toBe(status);
    expect(account().passwordHash).toBe(passwordHash);
  });

  it('can be changed, which signs out all other browsers, and renews the cookie', async () => {
    const other = await signInAt(site, 'admin', password);
    const changed = await change({});
    expect(changed.headers.get('location')).toBe(`${page}?done=password`);
    expect((await look(other.cookie)).status).toBe(303);
    expect((await look()).status).toBe(303);
    expect((await look(cookieOf(changed))).status).toBe(200);
    expect((await signInAt(site, 'admin', password)).answer.status).toBe(403);
    await updateUser(site.site, 1, { password });
  });
});
