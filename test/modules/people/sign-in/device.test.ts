/** Whoever tries passwords from everywhere does not keep a person out who has signed in with this browser before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { cookieOf, sendForm, signInAt } from '../../../support/forms.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
let site: TestSite;
let device: string;
beforeAll(async () => {
  site = await startSite({ operator: { trusted_proxies: ['127.0.0.1'] } });
  await updateUser(site.site, 1, { password });
  const { cookie } = await signInAt(site, 'admin', password);
  device = cookieOf(await site.ask('GET', '/cms-admin/profile.php', { raw: true, headers: { cookie } }));
  for (let at = 0; at < 100; at++) site.site.signIns.begin('1', `2001:db8:${at}::1`, 'everywhere').end(false);
});
afterAll(() => site.close());

const signIn = (headers: Record<string, string>) => sendForm(site, '/cms-login.php', { login: 'admin', password }, headers);

describe('while passwords of an account are guessed from everywhere', () => {
  it('a new client waits, and so does one with a forged cookie', async () => {
    const ip = '198.51.100.7';
    const { status, headers } = await signIn({ 'x-forwarded-for': ip });
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    const made = `${device.split('=')[0]}=${'A'.repeat(43)}`;
    expect((await signIn({ 'x-forwarded-for': ip, cookie: made })).status).toBe(429);
  });

  it('a browser that has signed in before continues, wherever it is', async () => {
    expect(device).toMatch(/^cms_device_[\da-f]{8}=[\w-]{43}$/);
    expect((await signIn({ 'x-forwarded-for': '198.51.100.8', cookie: device })).status).toBe(303);
  });

  it('the last address of the account continues, and programs anywhere', async () => {
    expect((await signIn({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(303);
    const program = await site.ask('GET', '/cms/v2/users/me', { as: 'admin', headers: { 'x-forwarded-for': '198.51.100.9' } });
    expect(program.status).toBe(200);
  });

  it('the device cookie signs nobody in, and ends with the login password', async () => {
    const mine = await site.ask('GET', '/cms-admin/profile.php', { raw: true, headers: { cookie: device } });
    expect(mine.status).toBe(303);
    await updateUser(site.site, 1, { password: `${password} too` });
    const { status } = await sendForm(
      site,
      '/cms-login.php',
      { login: 'admin', password: `${password} too` },
      { 'x-forwarded-for': '198.51.100.10', cookie: device },
    );
    expect(status).toBe(429);
  });
});
