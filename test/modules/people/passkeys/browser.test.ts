/** Passkeys in a real browser, with a device that the browser simulates. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { faultsOf, openBrowser, screens, violationsOf } from '../../../support/browser.ts';
import { type Device, plugIn, startPasskeySite } from '../../../support/passkey-site.ts';
import { signUp, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
let site: TestSite;
let url: string;
let browser: Browser;

beforeAll(async () => {
  ({ site, url } = await startPasskeySite());
  await updateUser(site.site, 1, { password });
  const { id } = await signUp(site, 'ada', 'editor');
  await updateUser(site.site, id, { password });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly device: Device;
  /** Errors in the console. */
  readonly told: readonly string[];
}

async function withDevice(
  work: (opened: Opened) => Promise<void>,
  options: BrowserContextOptions = {},
  { isVerified = true, fillsIn = false } = {},
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // The device says yes to everything, and so chooses what a field offers as soon as it is there.
  if (!fillsIn) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const told: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && told.push(message.text()),
  );
  try {
    await work({ context, page, device: await plugIn(context, page, isVerified), told });
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto(`${url}/cms-login.php`);
  await page.fill('#login', login);
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/cms-admin/profile.php`);
}

async function add(page: Page, name: string): Promise<void> {
  await page.fill('#passkey', name);
  await page.click('text="Add passkey"');
  await page.waitForURL(({ search }) => search === '?done=passkey');
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${url}/cms-login.php?action=logout`);
  await page.click('button');
  await page.waitForURL(({ search }) => search === '?loggedout=true');
}

const account = (login: string) => site.site.accounts.byLogin(login);

describe.each(screens)('on %s', (where, options) => {
  it('a person adds a passkey, signs in with it alone, and removes it', () =>
    withDevice(async ({ page, told }) => {
      await signIn(page, 'admin');
      expect([...(await faultsOf(page)), ...(await violationsOf(page))]).toEqual([]);
      await add(page, `<b>${where}</b>`);
      expect(await page.textContent('[role=status]')).toContain('The passkey was added.');
      expect(await page.textContent('main')).toContain(`<b>${where}</b>`);
      expect([...(await faultsOf(page)), ...(await violationsOf(page))]).toEqual([]);
      await signOut(page);
      await page.goto(`${url}/cms-login.php?redirect_to=/cms-admin/profile.php?x`);
      expect([...(await faultsOf(page)), ...(await violationsOf(page))]).toEqual([]);
      await page.click('text="Sign in with a passkey"');
      await page.waitForURL(({ pathname, search }) => pathname === '/cms-admin/profile.php' && search === '?x');
      expect(await page.textContent('main')).toContain('You are signed in as admin.');
      expect(account('admin')?.passkeys).toMatchObject([{ host: 'localhost', lastIp: '127.0.0.1' }]);
      await page.click(`text="Remove"`);
      await page.waitForURL(({ search }) => search === '?done=removed');
      expect(account('admin')?.passkeys).toEqual([]);
      await signOut(page);
      await page.click('text="Sign in with a passkey"');
      await page.waitForSelector('[role=alert]:visible');
      expect(await page.textContent('[role=alert]:visible')).toContain('not registered');
      expect(told).toEqual([]);
    }, options));
});

it('the browser offers a passkey in the field for the user name', () =>
  withDevice(
    async ({ page, told }) => {
      await signIn(page, 'admin');
      await add(page, 'In the field');
      await page.goto(`${url}/cms-login.php?action=logout`);
      await page.click('button');
      await page.waitForURL(`${url}/cms-admin/profile.php`);
      expect(await page.textContent('main')).toContain('You are signed in as admin.');
      expect(account('admin')?.passkeys).toMatchObject([{ name: 'In the field', lastIp: '127.0.0.1' }]);
      await page.click('text="Remove"');
      await page.waitForURL(({ search }) => search === '?done=removed');
      expect(told).toEqual([]);
    },
    {},
    { fillsIn: true },
  ));

it('each of several passkeys signs in to its account', () =>
  withDevice(async ({ context, page, device }) => {
    await signIn(page, 'ada');
    await add(page, 'Phone');
    expect(await device.keys()).toHaveLength(1);
    await device.unplug();
    const other = await plugIn(context, page);
    await page.goto(`${url}/cms-admin/profile.php`);
    await add(page, 'Key');
    expect(account('ada')?.passkeys.map(({ name }) => name)).toEqual(['Phone', 'Key']);
    await signOut(page);
    await page.click('text="Sign in with a passkey"');
    await page.waitForURL(`${url}/cms-admin/profile.php`);
    expect(await page.textContent('main')).toContain('You are signed in as ada.');
    const credentialId = (await other.keys())[0]?.credentialId ?? '';
    // The device has been copied: another one is ahead.
    await other.setCounter(credentialId, 50);
    await signOut(page);
    await page.click('text="Sign in with a passkey"');
    await page.waitForURL(`${url}/cms-admin/profile.php`);
    await other.setCounter(credentialId, 10);
    await signOut(page);
    await page.click('text="Sign in with a passkey"');
    await page.waitForSelector('[role=alert]:visible');
    expect(await page.textContent('[role=alert]:visible')).toContain('not registered');
  }));

it('a device that does not verify the person makes and uses none', () =>
  withDevice(
    async ({ page }) => {
      await signIn(page, 'ada');
      const before = account('ada')?.passkeys;
      await page.fill('#passkey', 'Unlocked');
      await page.click('text="Add passkey"');
      await page.waitForSelector('[data-failed]:visible');
      expect(await page.textContent('[data-failed]')).toBe('No passkey was added.');
      expect([...(await faultsOf(page)), ...(await violationsOf(page))]).toEqual([]);
      expect(account('ada')?.passkeys).toEqual(before);
    },
    {},
    { isVerified: false },
  ));

it('an answer works once, for the page that asked, and at its host', () =>
  withDevice(async ({ page }) => {
    await signIn(page, 'admin');
    await add(page, 'Laptop');
    await signOut(page);
    let sent = '';
    await page.route('**/cms-login.php*', (route, request) => {
      if (request.method() !== 'POST') return route.continue();
      sent = request.postData() ?? '';
      return route.abort();
    });
    await page.click('text="Sign in with a passkey"');
    await expect.poll(() => sent).not.toBe('');
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const send = (fields: Record<string, string> = {}, host = new URL(url).host) => {
      const body = String(new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(sent)), ...fields }));
      return site.ask('POST', '/cms-login.php', {
        raw: true,
        body,
        headers: { cookie, host, 'content-type': 'application/x-www-form-urlencoded' },
      });
    };
    const { credential = '', seal = '' } = Object.fromEntries(new URLSearchParams(sent));
    const answer = JSON.parse(credential);
    const sealed = async (): Promise<string> =>
      /name="seal" value="([^"]+)"/.exec(
        (await site.ask('GET', '/cms-login.php', { raw: true, headers: { cookie, host: new URL(url).host } })).body,
      )?.[1] ?? '';
    for (const [fields, host] of [
      [{ seal: 'x' }],
      [{ seal: await sealed() }],
      [{ seal: await sealed(), credential: '{' }],
      [{ seal: await sealed(), credential: JSON.stringify({ ...answer, response: [] }) }],
      [{ seal: await sealed(), credential: JSON.stringify({ ...answer, id: '__proto__' }) }],
      [{}, 'evil.example'],
    ] as const) {
      const { status, headers } = await send(fields, host);
      expect([fields, status, headers.get('set-cookie')?.includes('session')]).toEqual([fields, 403, undefined]);
    }
    expect((await send({ seal })).status).toBe(303);
    // Not because of its counter, which many devices do not have.
    await site.site.accounts.change(1, (known) => ({
      ...known,
      passkeys: known.passkeys.map((one) => ({ ...one, counter: 0 })),
    }));
    expect((await send({ seal })).status).toBe(403);
  }));
