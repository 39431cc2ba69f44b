/** Email: a queue that survives restarts and refusals, and letters that nobody can bend. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../../src/kernel/environment.ts';
import { readMail } from '../../../src/modules/mail/settings.ts';
import { createServer } from '../../../src/kernel/http/server.ts';
import { composeSite, openSite } from '../../../src/open-site.ts';
import type { Account } from '../../../src/modules/people/users/record.ts';
import { run } from '../../cli/run.ts';
import { sendForm, signInAt } from '../../support/forms.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { overHttp, signUp, startSite, type TestSite, until } from '../../support/site.ts';

environment.CMS_TEST_MAIL_PASSWORD = 'right';
let server: MailServer;
let site: TestSite | null = null;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await site?.close();
  site = null;
  await server.close();
});

async function serve(more: Parameters<typeof startSite>[0] = {}): Promise<TestSite> {
  site = await startSite({ ...more, operator: { mail: server.settings, ...more.operator } });
  return site;
}

/** The same site at another address. */
const askingAt = (of: TestSite, url: string): TestSite => ({
  ...of,
  ask: async (method, path, { headers = {}, body } = {}) => overHttp(url + path, { method, headers, body: body as string }),
});

const letter = { kind: 'test', to: 'ida@example.org', subject: 'Hello', text: 'How are you?\n' };

describe('a letter', () => {
  it('is sent as plain text, with the login of the operator', async () => {
    const of = await serve({
      operator: { mail: { ...server.settings, user: 'cms', password_env: 'CMS_TEST_MAIL_PASSWORD' } },
    });
    of.site.mail.send({ ...letter, subject: 'Schönes Wetter', text: 'Grüße\n' });
    await until(() => server.received.length === 1);
    expect(server.received[0]).toMatchObject({ from: 'cms@example.com', to: ['ida@example.org'], user: 'cms', text: 'Grüße\n' });
    expect(server.received[0]?.headers).toMatch(/^From: Harbour Notes <cms@example\.com>\r$/m);
    expect(server.received[0]?.headers).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    await until(() => of.site.mail.counts().sent === 1);
    expect(of.site.mail.counts()).toEqual({ sent: 1, failed: 0, waiting: 0, dead: 0 });
  });

  it('gets no headers or recipients from its texts', async () => {
    const of = await serve();
    of.site.mail.send({ ...letter, subject: 'A\r\nBcc: eve@example.org\r\n\r\nBody\u2028X' });
    const bent = [
      'a@example.org\r\nBcc: eve@example.org',
      'a@example.org, eve@example.org',
      '<a@example.org> eve',
      '"a" <eve@example.org>',
      'group: a@example.org;',
    ];
    for (const to of bent) of.site.mail.send({ ...letter, to });
    await until(() => of.site.mail.counts().dead === bent.length && server.received.length === 1);
    expect(server.received[0]?.to).toEqual(['ida@example.org']);
    expect(server.received[0]?.headers).not.toMatch(/^bcc/im);
    expect(server.received[0]?.headers).toMatch(/^Subject: A Bcc: eve@example\.org Body X\r?$/m);
  });

  it('waits while the server refuses, also over a restart, with one id; is dead after a final no', async () => {
    let now = Date.now();
    const of = await serve({ clock: () => now });
    server.refuse(451);
    of.site.mail.send(letter);
    await until(() => of.site.mail.counts().failed === 1);
    expect(of.site.mail.counts()).toMatchObject({ waiting: 1, dead: 0 });
    await of.server.close();
    await of.site.close();
    server.refuse(0);
    now += 10_000;
    const next = await serve({ from: of.dir, clock: () => now });
    const { dir } = next;
    await until(() => server.received.length === 1);
    expect(server.received[0]?.headers).toMatch(/^Message-ID: <msg_[\da-f]{24}@example\.com>\r?$/m);
    server.refuse(550);
    next.site.mail.send(letter);
    await until(() => next.site.mail.counts().dead === 1);
    const env = { CMS_MAIL: JSON.stringify(server.settings) };
    const listed = await until(async () => {
      const { status, out } = await run(['mail', 'list', '--json', '--dir', dir], { env });
      return status === 1 && JSON.parse(out);
    });
    expect(listed).toEqual([
      expect.objectContaining({
        state: 'dead',
        kind: 'test',
        to: 'ida@example.org',
        subject: 'Hello',
        error: expect.stringContaining('550'),
      }),
    ]);
    expect(JSON.stringify(listed)).not.toContain('How are you');
    server.refuse(0);
    await run(['mail', 'resend', '--all', '--dir', dir], { env });
    await until(() => server.received.length === 2);
    await rm(of.dir, { recursive: true });
  });

  it('is nothing without a mail server', async () => {
    site = await startSite();
    site.site.mail.send(letter);
    expect([site.site.mail.isSetUp, site.site.mail.counts().waiting]).toEqual([false, 0]);
    const { status, err } = await run(['mail', 'test', 'ida@example.org', '--dir', site.dir]);
    expect([status, err]).toEqual([1, expect.stringContaining('no mail server is configured')]);
  });
});

it('settings are checked, and a password never goes in the clear', () => {
  const fine = { host: 'mail.example.com', from: 'cms@example.com' };
  expect(readMail({})).toBeNull();
  expect(readMail(fine)).toMatchObject({ port: 587, security: 'starttls', login: null });
  expect(readMail({ ...fine, security: 'tls' })).toMatchObject({ port: 465 });
  for (const [wrong, why] of [
    [{ from: 'x' }, 'mail.host'],
    [{ ...fine, from: 'a@b\nBcc: c@d' }, 'mail.from'],
    [{ ...fine, security: 'maybe' }, 'mail.security'],
    [{ ...fine, port: 0 }, 'mail.port'],
    [{ ...fine, hots: 1 }, 'mail.hots'],
    [{ ...fine, user: 'a' }, 'mail.password_env'],
    [{ ...fine, user: 'a', password_env: 'CMS_TEST_NONE' }, 'CMS_TEST_NONE, which is not set'],
    [{ ...fine, user: 'a', password_env: 'CMS_TEST_MAIL_PASSWORD', security: 'none' }, 'readable on its way'],
  ] as const)
    expect(() => readMail(wrong)).toThrow(why);
});

describe('a lost password', () => {
  const page = '/cms-login.php?action=lostpassword';
  const asked = (of: TestSite, login: string) => sendForm(of, page, { login });
  const linkIn = (text: string): string => /https?:\S+action=resetpass\S+/.exec(text)?.[0] ?? '';

  it('is replaced with a link that works once, and says the same of accounts that there are not', async () => {
    const of = await serve();
    await signUp(of, 'ada', 'editor');
    expect(String((await of.ask('GET', '/cms-login.php', { raw: true })).body)).toContain('action=lostpassword');
    const [there, not] = [await asked(of, 'ada'), await asked(of, 'nobody')];
    expect([there.status, there.body]).toEqual([not.status, not.body]);
    await until(() => server.received.length === 1);
    const [{ text, to }] = server.received as [MailServer['received'][number]];
    expect(to).toEqual(['ada@example.org']);
    const link = linkIn(text);
    const path = link.slice(link.indexOf('/cms-login'));
    expect(String((await of.ask('GET', path, { raw: true })).body)).toContain('Choose a new password');
    const chosen = { next: 'ebb and flow', again: 'ebb and flow' };
    expect((await sendForm(of, path, chosen)).status).toBe(303);
    expect((await signInAt(of, 'ada', 'ebb and flow')).answer.status).toBe(303);
    expect((await of.ask('GET', path, { raw: true })).status).toBe(410);
    // Another kind of link is another.
    expect((await of.ask('GET', path.replace('resetpass', 'invitation'), { raw: true })).status).toBe(410);
    // One letter in two minutes.
    await asked(of, 'ada');
    await asked(of, 'ADA@example.org');
    of.site.mail.send(letter);
    await until(() => server.received.length > 1);
    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.org'], ['ida@example.org']]);
  });

  it.each(['GET', 'POST'])('is not offered where only a file says where links would lead (%s)', async (method) => {
    site = await startSite({
      operator: { mail: server.settings },
      files: { 'site.yaml': 'name: Hafen\nurl: https://evil.example\n' },
    });
    await signUp(site, 'ada', 'editor');
    expect(String((await site.ask('GET', '/cms-login.php', { raw: true })).body)).not.toContain('lostpassword');
    if (method === 'GET') expect((await site.ask('GET', page, { raw: true })).status).toBe(404);
    else expect((await asked(site, 'ada')).status).toBe(404);
    const body = { username: 'ole', email: 'ole@example.org', password: 'not used', roles: ['editor'], invite: true };
    const { status, headers } = await site.ask('POST', '/cms/v2/users', { as: 'admin', body });
    expect(status).toBe(201);
    // The administrator gets the link, at the address that they are at.
    expect(headers.get('x-cms-invitation')).toContain(`${site.url}/cms-login.php`);
    site.site.setAddress('https://example.com', 'operator');
    await asked(site, 'ada');
    await until(() => server.received.length > 0);
    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.org']]);
    expect(server.received[0]?.text).toContain('https://example.com/cms-login.php?action=resetpass');
  });

  it('is asked for a few times only', async () => {
    const of = await serve();
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await asked(of, 'nobody')).status);
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is not offered without a mail server', async () => {
    site = await startSite();
    expect(String((await site.ask('GET', '/cms-login.php', { raw: true })).body)).not.toContain('lostpassword');
    const { status, body } = await site.ask('GET', page, { raw: true });
    expect([status, String(body)]).toEqual([404, expect.stringContaining('sends no links by email')]);
  });
});

describe('a link to sign in', () => {
  const page = '/cms-login.php?action=link';
  let now = Date.parse('2026-03-05T10:00:00Z');
  const allowed = (more: Parameters<typeof startSite>[0] = {}) =>
    serve({ clock: () => now, ...more, operator: { sign_in_links: true, mail: server.settings, ...more.operator } });
  const pathIn = (at: number): string => /\/cms-login\.php\?action=signin\S+/.exec(server.received[at]?.text ?? '')?.[0] ?? '';
  /** The path of a new link. */
  async function askedFor(of: TestSite, login: string, path = page): Promise<string> {
    const before = server.received.length;
    now += 3 * 60_000;
    expect((await sendForm(of, path, { login })).status).toBe(200);
    await until(() => server.received.length > before);
    return pathIn(before);
  }
  const signedIn = ({ headers }: { headers: Headers }): boolean => /cms_session_/.test(headers.get('set-cookie') ?? '');

  it('works once, for a quarter of an hour, and not because a program has looked at it', async () => {
    const of = await allowed();
    await signUp(of, 'ada', 'editor');
    const { body } = await of.ask('GET', '/cms-login.php?redirect_to=/about/', { raw: true });
    expect(body).toContain('action=link&amp;redirect_to=%2Fabout%2F');
    const link = await askedFor(of, 'ada@example.org', `${page}&redirect_to=/about/`);
    for (let look = 0; look < 2; look++) {
      const shown = await of.ask('GET', link, { raw: true });
      expect([shown.status, signedIn(shown), shown.headers.get('referrer-policy')]).toEqual([200, false, 'same-origin']);
    }
    expect((await sendForm(of, link, { proof: 'x' })).status).toBe(403);
    const answer = await sendForm(of, link, {});
    expect([answer.status, answer.headers.get('location'), signedIn(answer)]).toEqual([303, '/about/', true]);
    expect((await of.ask('GET', link, { raw: true })).status).toBe(410);
    const late = await askedFor(of, 'ada');
    now += 15 * 60_000 + 1000;
    expect((await of.ask('GET', late, { raw: true })).status).toBe(410);
    const elsewhere = await askedFor(of, 'ada');
    expect((await sendForm(of, `${elsewhere}&redirect_to=https://evil.example/`, {})).headers.get('location')).toBe(
      '/cms-admin/profile.php',
    );
  });

  it('works once in all processes', async () => {
    const of = await allowed();
    await signUp(of, 'ada', 'editor');
    const link = await askedFor(of, 'ada');
    const other = await openSite(of.dir, { operator: of.site.operator, clock: () => now, log: () => undefined });
    const second = createServer({ site: other, registry: composeSite(other), log: () => undefined });
    try {
      const url = await second.listen(0, '127.0.0.1');
      const [first, also] = await Promise.all([sendForm(of, link, {}), sendForm(askingAt(of, url), link, {})]);
      expect([first.status, also.status].sort()).toEqual([303, 410]);
      expect([signedIn(first), signedIn(also)].filter(Boolean)).toHaveLength(1);
    } finally {
      await second.close();
      await other.close();
    }
  });

  it('ends with the password and the address that it was made for, and is for nothing else', async () => {
    const of = await allowed();
    const { id } = await signUp(of, 'ada', 'editor');
    const link = await askedFor(of, 'ada');
    for (const other of ['resetpass', 'invitation'])
      expect((await of.ask('GET', link.replace('signin', other), { raw: true })).status).toBe(410);
    await of.site.accounts.change(id, (known) => ({ ...known, email: 'ada@example.com' }));
    expect((await sendForm(of, link, {})).status).toBe(410);
    const next = await askedFor(of, 'ada');
    await of.site.accounts.change(id, (known) => ({ ...known, passwordHash: 'another' }));
    expect((await sendForm(of, next, {})).status).toBe(410);
  });

  it('still asks for the second step', async () => {
    const of = await allowed();
    const { id } = await signUp(of, 'ada', 'editor');
    const secondFactor = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', since: 0, lastStep: 0, recovery: [] };
    await of.site.accounts.change(id, (known) => ({ ...known, secondFactor }));
    const answer = await sendForm(of, await askedFor(of, 'ada'), {});
    expect([answer.status, signedIn(answer)]).toEqual([200, false]);
    expect(answer.body).toContain('Two-step sign-in');
  });

  it('says the same of accounts that there are not, and is asked for a few times only', async () => {
    const of = await allowed();
    await signUp(of, 'ada', 'editor');
    const [there, not] = [await sendForm(of, page, { login: 'ada' }), await sendForm(of, page, { login: 'nobody' })];
    expect([there.status, there.body]).toEqual([not.status, not.body]);
    await until(() => server.received.length === 1);
    // One letter in two minutes.
    for (let count = 0; count < 4; count++) expect((await sendForm(of, page, { login: 'ada' })).status).toBe(200);
    expect((await sendForm(of, page, { login: 'ada' })).status).toBe(429);
    of.site.mail.send(letter);
    await until(() => server.received.length > 1);
    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.org'], ['ida@example.org']]);
  });

  it('is sent in the language of the site', async () => {
    const of = await allowed({ files: { 'site.yaml': 'name: Hafen\nlanguage: de_DE\n' } });
    await signUp(of, 'ada', 'editor');
    await askedFor(of, 'ada');
    expect(server.received[0]?.text).toMatch(/^Jemand hat einen Link angefordert, der ada bei Hafen anmeldet\./);
  });

  it.each<[string, Parameters<typeof startSite>[0]]>([
    ['the operator has not allowed it', {}],
    ['there is no mail server', { operator: { sign_in_links: true, mail: {} } }],
    [
      'only a file says where it would lead',
      { operator: { sign_in_links: true }, files: { 'site.yaml': 'url: https://evil.example\n' } },
    ],
  ])('is not offered where %s', async (_, options) => {
    const of = await serve(options);
    expect((await of.ask('GET', '/cms-login.php', { raw: true })).body).not.toContain('action=link');
    expect((await of.ask('GET', page, { raw: true })).status).toBe(404);
    expect((await sendForm(of, page, { login: 'admin' })).status).toBe(404);
    // A link of a time when it was.
    const account = of.site.accounts.get(1) as Account;
    const link = await of.site.invitations.linkFor(account, '', 'signin');
    expect((await of.ask('GET', link, { raw: true })).status).toBe(410);
    expect(server.received).toEqual([]);
  });
});

it('an invitation goes by email, in the language of the site; if the server refuses, the link is printed', async () => {
  site = await startSite({ files: { 'site.yaml': 'name: Hafen\nlanguage: de_DE\n' } });
  const env = { CMS_MAIL: JSON.stringify(server.settings) };
  const invite = (login: string) =>
    run(
      [
        'user',
        'invite',
        login,
        '--email',
        `${login}@example.org`,
        '--url',
        'https://example.com',
        '--dir',
        (site as TestSite).dir,
      ],
      { env },
    );
  const sent = await invite('ida');
  expect([sent.status, sent.out]).toEqual([0, '']);
  expect(sent.err).toContain('sent an invitation to ida@example.org');
  expect(server.received[0]).toMatchObject({
    to: ['ida@example.org'],
    text: expect.stringMatching(
      /^Sie haben ein Konto bei Hafen\.[\s\S]*https:\/\/example\.com\/cms-login\.php\?action=invitation/,
    ),
  });
  server.refuse(550);
  const printed = await invite('ole');
  expect([printed.status, printed.out]).toEqual([0, expect.stringContaining('action=invitation')]);
  expect(printed.err).toContain('550');
});
