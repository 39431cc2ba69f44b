/** An invitation: made by a command or a request, good for one password within a week. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run.ts';
import { cookieOf, sendForm, signInAt } from '../../../support/forms.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const chosen = { next: 'ebb and flow', again: 'ebb and flow' };
let now = Date.parse('2026-03-05T10:00:00Z');
let site: TestSite;
beforeAll(async () => {
  site = await startSite({ clock: () => now });
});
afterAll(() => site.close());

const look = (path: string) => site.ask('GET', path, { raw: true });
const pathOf = (link: string): string => link.slice(link.indexOf('/', 'https://x'.length));

async function invitedBy(login: string): Promise<string> {
  const { status, out, err } = await run([
    'user',
    'invite',
    login,
    '--email',
    `${login}@example.org`,
    '--url',
    site.url,
    '--dir',
    site.dir,
  ]);
  expect([status, err.includes('send this link')], err).toEqual([0, true]);
  return pathOf(out);
}

/** By a request: its account is known to the server at once. */
async function invited(login: string): Promise<string> {
  const body = { username: login, email: `${login}@example.org`, password: 'not used', roles: ['editor'], invite: true };
  const { status, headers } = await site.ask('POST', '/cms/v2/users', { as: 'admin', body });
  expect(status).toBe(201);
  const link = headers.get('x-cms-invitation') as string;
  expect(link.startsWith(`${site.url}/cms-login.php?`)).toBe(true);
  return pathOf(link);
}

describe('an invitation', () => {
  it.each([
    ['by command', invitedBy],
    ['by request', invited],
  ])('%s sets a password once, signs in and explains how to write', async (how, invite) => {
    const login = how.replace(' ', '-');
    const link = await invite(login);
    const shown = await look(link);
    expect([shown.status, shown.headers.get('referrer-policy')]).toEqual([200, 'same-origin']);
    expect(shown.body).toContain(`<strong>${login}</strong>`);
    expect((await sendForm(site, link, { next: 'short', again: 'short' })).status).toBe(400);
    expect((await sendForm(site, link, { ...chosen, again: 'else' })).status).toBe(400);
    expect((await sendForm(site, link, { ...chosen, proof: 'x' })).status).toBe(403);
    const set = await sendForm(site, link, chosen);
    expect([set.status, set.headers.get('location')]).toEqual([303, '/cms-admin/profile.php?done=welcome']);
    const { body } = await site.ask('GET', '/cms-admin/profile.php?done=welcome', {
      raw: true,
      headers: { cookie: cookieOf(set) },
    });
    expect(body).toMatch(/Welcome\..*How to write/s);
    expect((await look(link)).status).toBe(410);
    expect((await sendForm(site, link, chosen)).status).toBe(410);
    expect((await signInAt(site, login, chosen.next)).answer.status).toBe(303);
    expect((await signInAt(site, login, 'not used')).answer.status).toBe(403);
  });

  it('expires after a week', async () => {
    const link = await invited('late');
    now += 8 * 24 * 60 * 60 * 1000;
    expect((await look(link)).status).toBe(410);
    now -= 8 * 24 * 60 * 60 * 1000;
    expect((await look(link)).status).toBe(200);
  });

  it('is rejected for another user or without a valid signature', async () => {
    const link = await invited('mona');
    const other = site.site.accounts.byLogin('late')?.id;
    for (const wrong of [
      link.replace(/token=\d+/, `token=${other}`),
      link.slice(0, -1),
      link.replace(/\.\d+\./, '.9999999999.'),
      '/cms-login.php?action=invitation',
    ])
      expect([wrong, (await look(wrong)).status]).toEqual([wrong, 410]);
  });

  it('can be created by users who can create accounts', async () => {
    const { as } = await signUp(site, 'eva', 'editor');
    const body = { username: 'x', email: 'x@example.org', password: 'x', invite: true };
    const { status, headers } = await site.ask('POST', '/cms/v2/users', { as, body });
    expect([status, headers.get('x-cms-invitation')]).toEqual([403, null]);
  });

  it('by command leads where the operator says, not where a file says', async () => {
    const other = await startSite({ files: { 'site.yaml': 'name: Quay\nurl: https://evil.example\n' } });
    try {
      const refused = await run(['user', 'invite', 'ida', '--email', 'ida@example.org', '--dir', other.dir]);
      expect([refused.status, refused.out]).toEqual([2, '']);
      expect(refused.err).toContain('name it with --url');
      await other.site.accounts.refresh('ida');
      expect(other.site.accounts.byLogin('ida')).toBeUndefined();
      const { out } = await run(['user', 'invite', 'ida', '--url', 'https://example.com', '--dir', other.dir]);
      expect(out).toMatch(/^https:\/\/example\.com\/cms-login\.php/);
    } finally {
      await other.close();
    }
  });

  it('does not explain writing to users who may not write', async () => {
    await signUp(site, 'reader', 'subscriber');
    const { out } = await run(['user', 'invite', 'reader', '--url', site.url, '--dir', site.dir]);
    const set = await sendForm(site, pathOf(out), chosen);
    const { body } = await site.ask('GET', '/cms-admin/profile.php', { raw: true, headers: { cookie: cookieOf(set) } });
    expect(body).not.toContain('How to write');
  });
});
