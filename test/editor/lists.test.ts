/** Lists of the page where people write: several items at once, and what a list is narrowed to. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { openBrowser } from '../support/browser.ts';
import { signUp, type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, password, phone, signedIn } from './editor-site.ts';

const names = ['Ebb', 'Flow', 'Neap', 'Spring'];
const fileOf = (name: string): string => `posts/${name.toLowerCase()}.md`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      ...Object.fromEntries(
        names.map((name, at) => [
          fileOf(name),
          `---\ntitle: ${name}\nauthor: admin\ndate: 2026-0${at + 1}-10T10:00:00\ntags: [water]\n---\nText.\n`,
        ]),
      ),
      'posts/kept.md': '---\ntitle: Kept\ndate: 2026-09-01T10:00:00\ntags: [stone]\n---\nText.\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 5);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const statusOf = async (name: string): Promise<string> =>
  /^status: (\w+)$/m.exec(await site.read(fileOf(name)))?.[1] ?? 'publish';

it('several posts become drafts, go to the trash, come back and are deleted, by keyboard', async () => {
  const { page, context, told } = await signedIn(browser, site, phone);
  const press = async (name: string): Promise<void> => {
    await page.locator(`.bulk button:text-is("${name}")`).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.bulk [role=status]:has-text("${name}: 2 done.")`);
    // Where the keyboard goes on.
    expect(await page.evaluate(() => document.activeElement?.closest('.bulk label')?.textContent)).toContain('Select all');
  };
  const choose = async (...titles: readonly string[]): Promise<void> => {
    for (const title of titles) {
      await page.getByLabel(`Select “${title}”`).focus();
      await page.keyboard.press('Space');
    }
    expect(await page.textContent('.bulk [role=status]')).toBe(`${titles.length} selected`);
  };
  await choose('Ebb', 'Flow');
  expect(await faultsInBoth(page)).toEqual([]);
  expect(await page.locator('.bulk button').allTextContents()).toEqual(['Switch to draft', 'Move to trash', 'Add terms']);
  await press('Switch to draft');
  expect([await statusOf('Ebb'), await statusOf('Flow'), await statusOf('Neap')]).toEqual(['draft', 'draft', 'publish']);
  await choose('Ebb', 'Flow');
  await press('Publish');
  expect(await statusOf('Ebb')).toBe('publish');
  await choose('Ebb', 'Flow');
  await press('Move to trash');
  await page.waitForSelector('.items .title:has-text("Ebb")', { state: 'detached' });
  await page.getByLabel('Status').selectOption('trash');
  await choose('Ebb', 'Flow');
  expect(await page.locator('.bulk button').allTextContents()).toEqual(['Restore', 'Delete permanently']);
  await press('Restore');
  expect([await statusOf('Ebb'), await statusOf('Flow')]).toEqual(['draft', 'draft']);
  await page.getByLabel('Status').selectOption('draft');
  await choose('Ebb', 'Flow');
  await press('Move to trash');
  await page.getByLabel('Status').selectOption('trash');
  await choose('Ebb', 'Flow');
  await press('Delete permanently');
  await expect(site.read(fileOf('Ebb'))).rejects.toThrow();
  expect(told).toEqual([]);
  await context.close();
});

it('terms are added to several posts, which keep those that they have', async () => {
  const { page, context } = await signedIn(browser, site);
  await page.getByLabel('Select “Neap”').check();
  await page.getByLabel('Select “Kept”').check();
  await page.click('.bulk >> text="Add terms"');
  await page.getByLabel('Add to Tags').fill('moon');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog .terms li:has-text("moon")');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="Add to selected"');
  await page.waitForSelector('.bulk [role=status]:has-text("2 done.")');
  expect(await site.read(fileOf('Neap'))).toMatch(/^tags: \[ ?water, moon ?\]$/m);
  expect(await site.read('posts/kept.md')).toMatch(/^tags: \[ ?stone, moon ?\]$/m);
  await context.close();
});

it('lists are narrowed to an author, to days and to a term', async () => {
  const { page, context } = await signedIn(browser, site, phone);
  const titles = (): Promise<string[]> => page.locator('.items .title').allTextContents();
  await page.click('text="More filters"');
  await page.getByLabel('Tags').selectOption('stone');
  await expect.poll(titles).toEqual(['Kept']);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByLabel('Author').selectOption('admin');
  await expect.poll(titles).toEqual([]);
  await page.click('text="Clear filters"');
  await page.getByLabel('From the day').fill('2026-04-10');
  await page.getByLabel('To the day').fill('2026-04-10');
  await expect.poll(titles).toEqual(['Spring']);
  expect(await page.textContent('summary')).toBe('More filters: 2 set');
  await context.close();
});

it('who may not change others’ posts is offered nothing to do with them', async () => {
  const { id } = await signUp(site, 'carla', 'contributor');
  await updateUser(site.site, id, { password });
  const { page, context } = await signedIn(browser, site, { login: 'carla' });
  await page.waitForSelector('[role=status]:has-text("found")', { state: 'attached' });
  expect(await page.locator('.bulk').count()).toBe(0);
  await context.close();
});

it('a long list scrolls to its end, says where each post is, and keeps the one that has the focus', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `Post ${at + 1}`);
  const own = await editorSite({
    files: Object.fromEntries(
      many.map((title, at) => [
        `posts/post-${at + 1}.md`,
        `---\nid: ${at + 10}\ntitle: ${title}\ndate: 2026-01-01T10:00:00\nmodified: 2026-02-01T10:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}\n---\nText.\n`,
      ]),
    ),
  });
  const { page, context, told } = await signedIn(browser, own, phone);
  await page.waitForSelector('.items [aria-posinset="1"]:has-text("Post 300")');
  expect(await page.getAttribute('.items [aria-posinset="1"]', 'aria-setsize')).toBe('300');
  await page.locator('.items a').first().focus();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForSelector('.items [aria-posinset="300"]:has-text("Post 1")');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Post 300');
  expect(await page.locator('.items > li:not(.gap)').count()).toBeLessThan(250);
  expect(await faultsInBoth(page)).toEqual([]);
  // The Tab key goes on from there, and what it comes to is loaded.
  for (let at = 0; at < 100; at++) {
    await page.waitForFunction(() => document.activeElement?.closest('li')?.nextElementSibling?.matches('li:not(.gap)'));
    await page.keyboard.press('Tab');
  }
  await page.waitForSelector('.items [aria-posinset="50"]');
  expect(await page.evaluate(() => document.activeElement?.closest('li')?.ariaPosInSet)).toBe('51');
  expect(told).toEqual([]);
  await context.close();
  await own.close();
});
