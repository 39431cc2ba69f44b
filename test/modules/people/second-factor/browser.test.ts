/** The authenticator app in a real browser. */
import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { faultsOf, openBrowser, screens, tabStops, violationsOf } from '../../../support/browser.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
let site: TestSite;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

describe.each(screens)('on %s', (where, options) => {
  it('a person sets it up, and signs in with a code', async () => {
    const login = where.replace(/\W+/g, '-');
    const { id } = await signUp(site, login, 'author');
    await updateUser(site.site, id, { password });
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const looks = async () => [...(await faultsOf(page)), ...(await violationsOf(page))];
    const signIn = async (): Promise<void> => {
      await page.goto(`${site.url}/cms-login.php`);
      await page.fill('#login', login);
      await page.fill('#password', password);
      await page.keyboard.press('Enter');
    };
    await signIn();
    await page.fill('#app-password', password);
    await page.click('text="Set up authenticator app"');
    await page.waitForSelector('.picture svg');
    expect(await looks()).toEqual([]);
    const secret = Secret.fromBase32((await page.textContent('code >> text=/^[A-Z2-7 ]{32,}$/'))?.replaceAll(' ', '') ?? '');
    const code = (periods = 0): string => new TOTP({ secret }).generate({ timestamp: Date.now() + periods * 30_000 });
    await page.fill('#code', code());
    await page.click('text="Turn on"');
    expect(await page.locator('[role=status] li').count()).toBe(10);
    expect(await looks()).toEqual([]);
    await page.goto(`${site.url}/cms-login.php?action=logout`);
    await page.click('button');
    await signIn();
    await page.waitForSelector('#code');
    expect(await looks()).toEqual([]);
    await page.fill('#code', '000000');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    expect(await looks()).toEqual([]);
    expect((await tabStops(page)).every(({ isSeen }) => isSeen)).toBe(true);
    await page.fill('#code', code(1));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}/cms-admin/profile.php`);
    expect(await page.textContent('main')).toContain(`You are signed in as ${login}.`);
    await context.close();
  });
});
