/**
 * The audit log: what is noted, by whom, and that no secret is.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditLog } from '../../../../src/modules/people/audit/log.ts';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { sendForm, signInAt } from '../../../support/forms.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
let folder: string;
let site: TestSite;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-audit-'));
  path = join(folder, 'audit.log');
  site = await startSite({ operator: { audit_log: path, sign_in_attempts: 3 } });
  await updateUser(site.site, 1, { password });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const lines = async (from = path): Promise<Record<string, unknown>[]> =>
  (await readFile(from, 'utf8').catch(() => ''))
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const attempts = (): Promise<Record<string, unknown>[]> => lines(path.replace(/\.log$/, '.attempts.log'));

describe('the audit log', () => {
  it('records sign-ins, sign-outs, their addresses, and privileged actions', async () => {
    const { cookie } = await signInAt(site, 'admin', password);
    await sendForm(site, '/cms-admin/profile.php', { do: 'create', name: 'Reader' }, { cookie });
    await sendForm(site, '/cms-login.php?action=logout', {}, { cookie });
    const query = new URLSearchParams({ app_name: 'Editor', scope: 'read' });
    await sendForm(site, `/cms-admin/authorize-application.php?${query}`, { login: 'admin', password, decision: 'approve' });
    const ip = '127.0.0.1';
    await expect.poll(lines).toMatchObject([
      { event: 'sign-in', by: 1, ip },
      { event: 'profile.create', by: 1, ip },
      { event: 'sign-out', by: 1, ip },
      { event: 'application-password', by: 1, ip, name: 'Editor', scope: 'read' },
    ]);
  });

  it('records deletions and grants over the API', async () => {
    const { body: post } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'x' } });
    await site.ask('DELETE', `/cms/v2/posts/${post.id}?force=true`);
    await site.ask('DELETE', `/cms/v2/posts/${post.id}?force=true`, { as: 'admin' });
    const user = { username: 'eva', email: 'eva@example.org', password: 'Sturdy-pass-91', roles: ['editor'] };
    await site.ask('POST', '/cms/v2/users', { as: 'admin', body: user });
    await expect
      .poll(async () => (await lines()).slice(4))
      .toMatchObject([
        { event: 'delete', by: 1, on: `/cms/v2/posts/${post.id}`, force: true },
        { event: 'change', by: 1, on: '/cms/v2/users', roles: ['editor'], password: true },
      ]);
  });

  it('counts wrong passwords per address, and records lockouts', async () => {
    for (let number = 0; number < 3; number++) await site.ask('GET', '/cms/v2/users/me', { as: `admin:wrong-${number}` });
    await expect.poll(attempts).toMatchObject([
      { event: 'sign-in.failed', ip: '127.0.0.1' },
      { event: 'sign-in.locked', ip: '127.0.0.1' },
    ]);
  });

  it('records failed attempts in a separate file, from however many addresses', async () => {
    const before = await lines();
    for (let at = 0; at < 50; at++) {
      const { signIns } = site.site;
      signIns.begin('1', `2001:db8:${at}::1`).end(false);
    }
    await expect.poll(async () => (await attempts()).length).toBe(52);
    expect(await lines()).toEqual(before);
  });

  it('contains no secrets, and is readable only by its owner', async () => {
    const text = await readFile(path, 'utf8');
    for (const secret of [password, site.password, 'Sturdy-pass-91', 'wrong-', 'hash', 'scrypt'])
      expect(text).not.toContain(secret);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('the audit log file', () => {
  it('is rotated when full, and the oldest one is deleted', async () => {
    const own = join(folder, 'full');
    const log = createAuditLog(join(own, 'audit.log'), () => 0, { bytes: 200, files: 3 });
    for (let number = 0; number < 20; number++) await log.append({ event: 'x', on: number });
    expect((await readdir(own)).sort()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2']);
    for (const name of await readdir(own)) expect((await stat(join(own, name))).size).toBeLessThanOrEqual(200);
    const last = (await readFile(join(own, 'audit.log'), 'utf8')).trim().split('\n').at(-1) as string;
    expect(JSON.parse(last)).toEqual({ time: '1970-01-01T00:00:00.000Z', event: 'x', on: 19 });
  });

  it('has one line per event, whatever it contains', async () => {
    const own = join(folder, 'lines.log');
    const log = createAuditLog(own, () => 0);
    await log.append({ event: 'x', name: 'a\n{"event":"forged"}\u2028', more: 'y'.repeat(10_000) });
    const text = await readFile(own, 'utf8');
    expect(text.split('\n').length).toBe(2);
    expect(text.length).toBeLessThan(600);
  });
});
