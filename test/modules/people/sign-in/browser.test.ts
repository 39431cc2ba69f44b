/**
 * Pages of signing in, in a real browser: how they look, and what a person without a mouse does on them.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { askAsEditor, leadAway } from '../../../support/in-page.mjs';
import { faultsOf, openBrowser, screens, tabStops } from '../../../support/browser.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const password = 'a long secret';
const name = 'Field-notes-for-editors-who-are-on-the-road-all-of-the-time & <b>Co</b>';
let site: TestSite;
let browser: Browser;
let app: Server;
let appUrl: string;
const asked: string[] = [];

beforeAll(async () => {
  site = await startSite();
  await updateUser(site.site, 1, { password });
  browser = await openBrowser();
  app = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('Welcome');
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  app.close();
  await site.close();
});

const authorize = (query: Record<string, string>): string =>
  `${site.url}/cms-admin/authorize-application.php?${new URLSearchParams({ app_name: name, ...query })}`;

async function at<T>(options: BrowserContextOptions, url: string, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const told: string[] = [];
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !/status of 4\d\d|frame-ancestors|form-action/.test(message.text()) &&
      told.push(message.text()),
  );
  try {
    await page.goto(url);
    const seen = await look(page);
    expect(told).toEqual([]);
    return seen;
  } finally {
    await context.close();
  }
}

describe.each(screens)('on %s', (_, options) => {
  it('the authorize page is readable and accessible, with its errors', () =>
    at(options, authorize({ success_url: `${appUrl}/done` }), async (page) => {
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('#login', 'admin');
      await page.fill('#password', 'wrong');
      await page.click('text="Authorize"');
      expect(await page.textContent('[role=alert]')).toContain('incorrect');
      expect(await page.inputValue('#login')).toBe('admin');
      expect(await page.inputValue('#password')).toBe('');
      expect(await faultsOf(page)).toEqual([]);
    }));
});

describe.each(screens)('on %s', (_, options) => {
  it('a user signs in, sees the profile page, and signs out', () =>
    at(options, `${site.url}/cms-admin/profile.php`, async (page) => {
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('#login', 'admin');
      await page.fill('#password', password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/cms-admin/profile.php');
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('#name', name);
      await page.click('text=Add application password');
      expect(await page.textContent('[role=status]')).toContain(name);
      expect(await faultsOf(page)).toEqual([]);
      await page.goto(authorize({}));
      expect(await page.textContent('main')).toContain('You are signed in as admin.');
      await page.click('text="Authorize"');
      expect(await page.textContent('h1')).toBe('Application authorized');
      await page.goto(`${site.url}/cms-login.php?action=logout`);
      expect(await faultsOf(page)).toEqual([]);
      await page.click('button');
      expect(await page.textContent('[role=status]')).toBe('You are now signed out.');
    }));
});

it('a script of this host uses the API with a nonce, and is anonymous without', () =>
  at({}, `${site.url}/cms-login.php`, async (page) => {
    await page.fill('#login', 'admin');
    await page.fill('#password', password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/cms-admin/profile.php');
    await page.goto(`${site.url}/cms-json/`);
    expect(await page.evaluate(askAsEditor)).toEqual({ named: 1, unnamed: 401 });
  }));

describe('with only a keyboard', () => {
  it('every focused element is visible, in page order', () =>
    at({}, authorize({}), async (page) => {
      const stops = await tabStops(page);
      const names = ['Username or email address', 'Password', 'Authorize', 'Cancel', 'Other ways to sign in'];
      expect(stops.map((stop) => stop.name)).toEqual(names);
      expect(stops.filter((stop) => !stop.isSeen)).toEqual([]);
    }));

  it('a user authorizes an application, which gets its password', () =>
    at({}, authorize({ success_url: `${appUrl}/done` }), async (page) => {
      for (const text of ['admin', password]) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await page.waitForURL(`${appUrl}/done**`);
      const sent = new URL(page.url()).searchParams;
      expect(sent.get('user_login')).toBe('admin');
      const as = `admin:${sent.get('password')}`;
      expect((await site.ask('GET', '/cms/v2/users/me', { as })).status).toBe(200);
    }));

  it('a user denies, and the application learns only that', () =>
    at({}, authorize({ success_url: `${appUrl}/done` }), async (page) => {
      for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${appUrl}/done**`);
      expect(asked.filter((url) => url !== '/favicon.ico').at(-1)).toBe('/done?success=false');
    }));
});

it("typed passwords go nowhere else, whatever the form's target", () =>
  at({}, authorize({}), async (page) => {
    const refused = page.waitForEvent('console');
    await page.fill('#login', 'admin');
    await page.fill('#password', password);
    await page.evaluate(leadAway, `${appUrl}/stolen`);
    await page.click('text="Authorize"', { noWaitAfter: true });
    expect((await refused).text()).toContain('form-action');
    expect(asked).not.toContain('/stolen');
  }));

it('a page of another site cannot frame it', () =>
  at({}, `${appUrl}/page`, async (page) => {
    const refused = page.waitForEvent('console');
    await page.setContent(`<iframe src="${authorize({}).replaceAll('&', '&amp;')}"></iframe>`);
    expect((await refused).text()).toMatch(/frame-ancestors|X-Frame-Options/);
  }));
