/** Settings and people in the page where people write. */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { openBrowser } from '../support/browser.ts';
import { signUp, type TestSite } from '../support/site.ts';
import { editorSite, faultsInBoth, password, phone, signedIn } from './editor-site.ts';

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it('settings are grouped, and a change is one line of the file', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?settings=' });
  await page.getByLabel('Tagline').fill('At the water');
  await page.getByLabel('Posts per page').fill('7');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  const text = await site.read('site.yaml');
  expect(text).toMatch(/^description: At the water$/m);
  expect(text).toMatch(/^posts_per_page: 7$/m);
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Nothing has changed.")');
  expect(told).toEqual([]);
  await context.close();
});

it('somebody is invited, gets a role, and chooses a password by the link', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?people=' });
  await page.getByLabel('Login').fill('ida');
  await page.getByLabel('Email address').fill('ida@example.com');
  await page.getByLabel('Role').last().selectOption('contributor');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="Invite"');
  await page.waitForSelector('[role=status]:has-text("Give them this link")');
  const link = /https?:\S+/.exec((await page.textContent('fieldset [role=status]')) ?? '')?.[0] ?? '';
  await page.click('.items >> text="ida"');
  await page.getByLabel('Role').selectOption('author');
  await page.getByLabel('Name', { exact: true }).fill('Ida Holm');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  const [ida] = (await site.ask('GET', '/cms/v2/users?context=edit&search=ida', { as: 'admin' })).body;
  expect(ida).toMatchObject({ name: 'Ida Holm', roles: ['author'] });
  expect(told).toEqual([]);
  await page.goto(site.url + new URL(link).pathname + new URL(link).search);
  expect(await page.locator('input[type=password]').count()).toBeGreaterThan(0);
  await context.close();
});

it('two people who change settings keep both, and decide about what they cannot', async () => {
  const { page, context } = await signedIn(browser, site, { ...phone, at: '?settings=' });
  const change = (body: object) => site.ask('POST', '/cms/v2/settings', { as: 'admin', body });
  await page.getByLabel('Tagline').fill('Mine');
  await change({ posts_per_page: 9 });
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await site.read('site.yaml')).toMatch(/^description: Mine$[\s\S]*^posts_per_page: 9$/m);
  await page.getByLabel('Tagline').fill('Mine again');
  await change({ description: 'Theirs', email: 'them@example.com' });
  await page.click('main button.main');
  await page.waitForSelector('.conflicts legend:text-is("Tagline")');
  expect(await page.locator('.conflicts pre').allTextContents()).toEqual(['Mine again', 'Theirs']);
  expect(await site.read('site.yaml')).toMatch(/^description: Theirs$/m);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByLabel('Theirs').check();
  await page.click('.conflicts button.main');
  expect(await page.getByLabel('Tagline').inputValue()).toBe('Theirs');
  expect(await page.getByLabel('Email address').inputValue()).toBe('them@example.com');
  await context.close();
});

it('two people who change a profile keep both, and decide about what they cannot', async () => {
  const { id } = await signUp(site, 'rosa', 'author');
  const { page, context } = await signedIn(browser, site, { ...phone, at: `?people=${id}` });
  const change = (body: object) => site.ask('POST', `/cms/v2/users/${id}`, { as: 'admin', body });
  const stored = async () => (await site.ask('GET', `/cms/v2/users/${id}?context=edit`, { as: 'admin' })).body;
  await page.getByLabel('About the person').fill('Mine');
  await change({ email: 'rosa@example.net', first_name: 'Rosa' });
  await page.click('main form button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await stored()).toMatchObject({ description: 'Mine', email: 'rosa@example.net', first_name: 'Rosa' });
  await page.getByLabel('Role').selectOption('editor');
  await change({ roles: ['contributor'] });
  await page.click('main form button.main');
  await page.waitForSelector('.conflicts legend:text-is("Role")');
  expect(await page.locator('.conflicts pre').allTextContents()).toEqual(['Editor', 'Contributor']);
  expect(await stored()).toMatchObject({ roles: ['contributor'] });
  await page.getByLabel('Yours').check();
  await page.click('.conflicts button.main');
  await page.click('main form button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await stored()).toMatchObject({ description: 'Mine', roles: ['editor'] });
  await context.close();
});

it('passwords for programs are made, work, and are taken away', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?people=1' });
  await page.getByLabel('Password name').fill('phone');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Copy it now, it is shown only once")');
  const told = await page.textContent('section [role=status]');
  const secret = told?.split(': ')[1] ?? '';
  const mine = (): Promise<{ status: number }> => site.ask('GET', '/cms/v2/users/me', { as: `admin:${secret}` });
  expect((await mine()).status).toBe(200);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke phone' }).click();
  await page.waitForSelector('[role=status]:has-text("has been revoked")');
  expect((await mine()).status).toBe(401);
  await context.close();
});

it('screens load what they show, and no editor of texts', async () => {
  const { page, context } = await signedIn(browser, site);
  const sizes = new Map<string, number>();
  page.on('response', async (response) => {
    if (response.url().includes('/cms-admin/files/')) sizes.set(response.url(), gzipSync(await response.body()).length);
  });
  for (const place of ['settings', 'people', 'menus', 'media', 'comments']) {
    await page.goto(`${site.url}/cms-admin/?${place}=`);
    await page.waitForSelector('main h1');
  }
  await expect.poll(() => sizes.size).toBeGreaterThan(5);
  expect([...sizes.values()].reduce((all, one) => all + one, 0)).toBeLessThan(60_000);
  await context.close();
});

it('who may not change these is not offered them', async () => {
  const { id } = await signUp(site, 'carla', 'author');
  await updateUser(site.site, id, { password });
  const { page, context } = await signedIn(browser, site, { login: 'carla' });
  expect(await page.locator('nav >> text=/^(?:Settings|People|Menus|Comments)$/').count()).toBe(0);
  await context.close();
});
