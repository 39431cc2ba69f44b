/** The authenticator app: set up, asked for, guessed at, and lost. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { run } from '../../../cli/run.ts';
import { cookieOf, hiddenFields, sendForm, signInAt } from '../../../support/forms.ts';
import { type Answered, signUp, startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
const profile = '/cms-admin/profile.php';
const period = 30_000;
let now = Date.parse('2026-03-05T10:00:00Z');
let folder: string;
let site: TestSite;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-audit-'));
  site = await startSite({ clock: () => now, operator: { audit_log: join(folder, 'audit.log') } });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

/** Another time, in which no code was used and no limit is left. */
beforeEach(() => {
  now += 2 * 60 * 60 * 1000;
});

const account = (login: string) => site.site.accounts.byLogin(login);
const codeOf = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + periods * period });

interface Person {
  readonly login: string;
  readonly secret: string;
  readonly recovery: readonly string[];
  readonly cookie: string;
}

let people = 0;

async function personWithPassword(): Promise<{ readonly login: string; readonly cookie: string }> {
  const login = `person-${++people}`;
  const { id } = await signUp(site, login, 'author');
  await updateUser(site.site, id, { password });
  return { login, cookie: (await signInAt(site, login, password)).cookie };
}

async function offered(cookie: string): Promise<{ readonly body: string; readonly seal: string; readonly secret: string }> {
  const { body } = await sendForm(site, profile, { do: 'app.offer', password }, { cookie });
  const { seal = '' } = hiddenFields(body);
  return { body, seal, secret: seal.split('.', 1)[0] as string };
}

async function personWithApp(): Promise<Person> {
  const { login, cookie } = await personWithPassword();
  const { seal, secret } = await offered(cookie);
  const { body } = await sendForm(site, profile, { do: 'app.enable', seal, code: codeOf(secret) }, { cookie });
  const recovery = [...body.matchAll(/<li><code>([a-z2-7-]{19})<\/code>/g)].map(([, code]) => code as string);
  now += 2 * period;
  return { login, secret, recovery, cookie };
}

/** Gives the password. */
async function firstStep(
  login: string,
  fields: Record<string, string> = {},
): Promise<{ readonly page: Answered; readonly hidden: Record<string, string>; readonly cookie: string }> {
  const shown = await site.ask('GET', '/cms-login.php', { raw: true });
  const cookie = cookieOf(shown);
  const page = await post({ ...hiddenFields(shown.body), login, password, ...fields }, cookie);
  return { page, hidden: { ...hiddenFields(page.body) }, cookie };
}

const post = (fields: Record<string, string>, cookie: string): Promise<Answered> =>
  site.ask('POST', '/cms-login.php', {
    raw: true,
    body: String(new URLSearchParams(fields)),
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  });

async function signIn(login: string, code: string, fields: Record<string, string> = {}): Promise<Answered> {
  const { hidden, cookie } = await firstStep(login, fields);
  return post({ ...hidden, code }, cookie);
}

const hasSession = (answer: Answered): boolean => cookieOf(answer).includes('session');

describe('an authenticator app', () => {
  it('is set up with the password and its first code, and not stored before', async () => {
    const { login, cookie } = await personWithPassword();
    expect((await sendForm(site, profile, { do: 'app.offer', password: 'wrong' }, { cookie })).status).toBe(403);
    const { body, seal, secret } = await offered(cookie);
    expect(body).toContain('<svg');
    expect(body).toContain(`secret=${secret}`);
    for (const fields of [
      { seal, code: '000000' },
      { seal, code: '' },
      { seal: `${seal}x`, code: codeOf(secret) },
      { seal: seal.replace(/^./, (first) => (first === 'B' ? 'C' : 'B')), code: codeOf(secret) },
    ])
      expect([fields, (await sendForm(site, profile, { do: 'app.enable', ...fields }, { cookie })).status]).toEqual([
        fields,
        403,
      ]);
    expect(account(login)?.secondFactor).toBeNull();
    const on = await sendForm(site, profile, { do: 'app.enable', seal, code: codeOf(secret) }, { cookie });
    expect(on.status).toBe(200);
    expect(on.body.match(/<li><code>/g)).toHaveLength(10);
    expect(account(login)?.secondFactor).toMatchObject({ secret });
    expect((await sendForm(site, profile, { do: 'app.enable', seal, code: codeOf(secret) }, { cookie })).status).toBe(400);
  });

  it('of one person is not set up for another, nor after half an hour', async () => {
    const [one, other] = [await personWithPassword(), await personWithPassword()];
    const { seal, secret } = await offered(one.cookie);
    expect(
      (await sendForm(site, profile, { do: 'app.enable', seal, code: codeOf(secret) }, { cookie: other.cookie })).status,
    ).toBe(403);
    now += 31 * 60_000;
    expect((await sendForm(site, profile, { do: 'app.enable', seal, code: codeOf(secret) }, { cookie: one.cookie })).status).toBe(
      403,
    );
  });

  it('is asked for after the password, and each code works once', async () => {
    const { login, secret } = await personWithApp();
    const { page, hidden, cookie } = await firstStep(login, { redirect_to: '/hello/' });
    expect([page.status, hasSession(page), page.body.includes('authenticator app')]).toEqual([200, false, true]);
    const done = await post({ ...hidden, code: ` ${codeOf(secret).replace(/^.../, '$& ')}` }, cookie);
    expect([done.status, done.headers.get('location'), hasSession(done)]).toEqual([303, '/hello/', true]);
    expect(hasSession(await post({ ...hidden, code: codeOf(secret) }, cookie))).toBe(false);
    expect(hasSession(await signIn(login, codeOf(secret, -1)))).toBe(false);
    now += period;
    expect(hasSession(await signIn(login, codeOf(secret, 1)))).toBe(true);
    now += 5 * period;
    expect(hasSession(await signIn(login, codeOf(secret, -2)))).toBe(false);
  });

  it('does not lead elsewhere, and remembers the browser only if asked to', async () => {
    const { login, secret } = await personWithApp();
    const done = await signIn(login, codeOf(secret), { redirect_to: 'https://evil.example/', stay: 'yes' });
    expect(done.headers.get('location')).toBe(profile);
    expect(done.headers.get('set-cookie')).toContain('Max-Age=1209600');
  });

  it('is not got around: a ticket is of one person, for five minutes, and of the present password', async () => {
    const { login, secret } = await personWithApp();
    const { hidden, cookie } = await firstStep(login);
    const { ticket = '' } = hidden;
    const id = account(login)?.id ?? 0;
    for (const wrong of ['', 'x', ticket.replace(/^\d+/, '1'), ticket.replace('.short.', '.long.'), `${ticket}x`])
      expect(hasSession(await post({ ...hidden, ticket: wrong, code: codeOf(secret) }, cookie))).toBe(false);
    expect(hasSession(await post({ ...hidden, proof: '', code: codeOf(secret) }, cookie))).toBe(false);
    now += 6 * 60_000;
    expect((await post({ ...hidden, code: codeOf(secret) }, cookie)).status).toBe(403);
    const again = await firstStep(login);
    await updateUser(site.site, id, { password: 'another long secret' });
    expect(hasSession(await post({ ...again.hidden, code: codeOf(secret) }, again.cookie))).toBe(false);
  });

  it('is asked for on the authorize page and after an invitation, not of programs', async () => {
    const { login, secret } = await personWithApp();
    const page = '/cms-admin/authorize-application.php?app_name=App';
    const asked = await sendForm(site, page, { decision: 'approve', login, password });
    expect([asked.status, asked.body.includes('authenticator app'), account(login)?.applicationPasswords.length]).toEqual([
      200,
      true,
      1,
    ]);
    expect(hiddenFields(asked.body).redirect_to?.replace('&amp;', '&')).toBe(page);
    const link = await site.site.invitations.linkFor(account(login) as NonNullable<ReturnType<typeof account>>, site.url);
    const chosen = await sendForm(site, link.slice(link.indexOf('/', 'https://x'.length)), {
      next: 'ebb and flow',
      again: 'ebb and flow',
    });
    expect([hasSession(chosen), chosen.body.includes('authenticator app')]).toEqual([false, true]);
    expect(codeOf(secret)).toMatch(/^\d{6}$/);
  });
});

describe('codes', () => {
  it('cannot be guessed: few are tried from one address, and few in an hour', async () => {
    const { login, secret } = await personWithApp();
    const { hidden, cookie } = await firstStep(login);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess++)
      statuses.push((await post({ ...hidden, code: String(100000 + guess) }, cookie)).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    const late = await post({ ...hidden, code: codeOf(secret) }, cookie);
    expect([late.status, hasSession(late), Number(late.headers.get('retry-after'))]).toEqual([429, false, 300]);
    now += 5 * 60_000;
    expect(hasSession(await signIn(login, codeOf(secret)))).toBe(true);
  });

  it('to recover work once each, in any case, and are stored as digests', async () => {
    const { login, recovery, cookie } = await personWithApp();
    expect(recovery).toHaveLength(10);
    const [first = '', second = ''] = recovery;
    expect(hasSession(await signIn(login, first.toUpperCase().replaceAll('-', ' ')))).toBe(true);
    expect(hasSession(await signIn(login, first))).toBe(false);
    const stored = JSON.stringify(account(login)?.secondFactor);
    for (const code of recovery) expect(stored).not.toContain(code.replaceAll('-', ''));
    const renewed = await sendForm(site, profile, { do: 'app.codes', code: second }, { cookie });
    expect(renewed.body.match(/<li><code>/g)).toHaveLength(10);
    expect(hasSession(await signIn(login, recovery[2] ?? ''))).toBe(false);
  });

  it('are needed to remove the app', async () => {
    const { login, secret, cookie } = await personWithApp();
    expect((await sendForm(site, profile, { do: 'app.disable', code: '123456' }, { cookie })).status).toBe(403);
    expect((await sendForm(site, profile, { do: 'app.codes', code: '123456' }, { cookie })).status).toBe(403);
    expect((await sendForm(site, profile, { do: 'app.disable', code: codeOf(secret) }, { cookie })).status).toBe(200);
    expect(account(login)?.secondFactor).toBeNull();
    expect(hasSession((await signInAt(site, login, password)).answer)).toBe(true);
  });

  it('of several requests at once sign in once', async () => {
    const { login, secret } = await personWithApp();
    const { hidden, cookie } = await firstStep(login);
    const answers = await Promise.all([1, 2, 3, 4].map(() => post({ ...hidden, code: codeOf(secret) }, cookie)));
    expect(answers.filter(hasSession)).toHaveLength(1);
  });
});

it('an administrator of the server removes what is lost', async () => {
  const { login } = await personWithApp();
  const { status, err } = await run(['user', 'reset-factors', login, '--dir', site.dir]);
  expect([status, err.includes('removed an authenticator app')], err).toEqual([0, true]);
  expect(hasSession((await signInAt(site, login, password)).answer)).toBe(true);
  expect((await run(['user', 'reset-factors', login, '--dir', site.dir])).err).toContain('has no authenticator app');
});

it('nothing of it is in a response of the interface, in the content or in the audit log', async () => {
  const { login, secret, recovery } = await personWithApp();
  await signIn(login, codeOf(secret));
  const { body } = await site.ask('GET', `/cms/v2/users/${account(login)?.id}?context=edit`, { as: 'admin' });
  const log = async (): Promise<string> => readFile(join(folder, 'audit.log'), 'utf8');
  await expect.poll(log).toContain('"with":"code"');
  for (const text of [JSON.stringify(body), await site.read(`users/${login}.yaml`), await log()])
    for (const hidden of [secret, 'secondFactor', recovery[0] ?? '']) expect(text).not.toContain(hidden);
});

it('a document with a second factor that cannot be read rejects the account', async () => {
  const { readAccount } = await import('../../../../src/modules/people/accounts/account-document.ts');
  for (const secondFactor of [{}, [], 'x', { secret: '' }, { secret: 'A', recovery: 1 }])
    expect(() => readAccount(1, JSON.stringify({ login: 'a', secondFactor }))).toThrow();
});
