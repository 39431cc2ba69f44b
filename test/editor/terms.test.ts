/** Categories, tags and other terms in the page where people write. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { openBrowser } from '../support/browser.ts';
import { signUp, type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, password, phone, signedIn } from './editor-site.ts';

const post = (title: string, terms: string, status = 'publish'): string =>
  `---\ntitle: ${title}\nstatus: ${status}\ndate: 2026-01-05T10:00:00\n${terms}\n---\nText.\n`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml': 'name: Quay\ntaxonomies: { mood: { rest_base: moods, types: [post], hierarchical: false } }\n',
      'terms/category/water.yaml': 'id: 30\nname: Water\n',
      'terms/category/tides.yaml': 'id: 31\nname: Tides\nparent: water\n',
      'terms/category/ebb.yaml': 'id: 32\nname: Ebb\nparent: tides\n',
      'terms/tag/boat.yaml': 'id: 40\nname: Boat\n',
      'terms/tag/ship.yaml': 'id: 41\nname: Ship\n',
      'terms/tag/vessel.yaml': 'id: 42\nname: Vessel\n',
      'posts/one.md': post('One', 'tags: [boat, vessel]\ncategories: [tides]'),
      'posts/two.md': post('Two', 'tags: [ship]', 'draft'),
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/tags')).body.length === 3);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const titles = (page: Page): Promise<string[]> => page.locator('.items .title').allTextContents();
const saved = async (page: Page): Promise<void> => {
  await page.locator('main form button.main').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
};

it('a category is made, put below another, named otherwise, and its address moves', async () => {
  const { page, context, told } = await signedIn(browser, site, phone);
  await page.click('nav >> text="Terms"');
  await page.waitForSelector('.items li:has-text("Ebb")');
  const depths = await page
    .locator('.items li')
    .evaluateAll((all) => all.map((one) => `${(one as HTMLElement).dataset.depth} ${one.querySelector('.title')?.textContent}`));
  expect(depths.filter((one) => !one.includes('Uncategorized'))).toEqual(['0 Water', '1 Tides', '2 Ebb']);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="New in Categories"');
  await page.getByLabel('Name').fill('Neap & low');
  await page.getByLabel('Search: Parent').fill('tid');
  await page.click('.terms button:text-is("Tides")');
  expect(await faultsInBoth(page)).toEqual([]);
  await saved(page);
  expect(await site.read('terms/category/neap-low.yaml')).toMatch(/^name: Neap & low\nparent: tides$/m);
  await page.getByLabel('Address').fill('neap');
  await page.getByLabel('Description').fill('Twice in a month.');
  expect(await page.locator('.note').textContent()).toMatch(/\/category\/\S*neap\/$/);
  await saved(page);
  const text = await site.read('terms/category/neap.yaml');
  expect(text).toMatch(/^description: Twice in a month\.$/m);
  // Who has the former address gets there.
  expect(text).toMatch(/aliases:\s*(?:-|\[) ?neap-low/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Nothing has changed.")');
  expect(told).toEqual([]);
  await context.close();
});

it('two people who change one term keep both, and see what they cannot', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?terms=category/30' });
  await page.getByLabel('Name').fill('Waters');
  await site.ask('POST', '/cms/v2/categories/30', { as: 'admin', body: { description: 'All of it.' } });
  await saved(page);
  expect(await site.read('terms/category/water.yaml')).toMatch(/name: Waters\n.*description: All of it\./s);
  await page.getByLabel('Name').fill('My waters');
  await site.ask('POST', '/cms/v2/categories/30', { as: 'admin', body: { name: 'Their waters' } });
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=alert]:has-text("Name: Their waters")');
  expect(await page.getByLabel('Name').inputValue()).toBe('My waters');
  await saved(page);
  expect(await site.read('terms/category/water.yaml')).toContain('name: My waters');
  await context.close();
});

it('tags are joined with another, drafts included, and deleted', async () => {
  const { page, context, told } = await signedIn(browser, site, { at: '?terms=post_tag' });
  await page.getByLabel('Select “Ship”').check();
  await page.getByLabel('Select “Vessel”').check();
  await page.click('.bulk >> text="Merge into another"');
  await page.getByLabel('Search: Merge into').fill('boa');
  await page.click('dialog button:text-is("Boat")');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('dialog button:text-is("Merge")');
  await page.waitForSelector('.bulk [role=status]:has-text("2 done.")');
  await expect.poll(() => titles(page)).toEqual(['Boat']);
  expect(await site.read('posts/one.md')).toMatch(/^tags: \[ ?boat ?\]$/m);
  expect(await site.read('posts/two.md')).toMatch(/^tags: \[ ?boat ?\]$/m);
  await expect(site.read('terms/tag/ship.yaml')).rejects.toThrow();
  await page.getByLabel('Taxonomy').selectOption('category');
  await page.getByLabel('Select “Tides”').check();
  // What is without another category gets this one.
  expect(await page.getByLabel('Select “Uncategorized”').isDisabled()).toBe(true);
  await page.click('.bulk >> text="Delete permanently"');
  await page.waitForSelector('.items li:has-text("Tides")', { state: 'detached' });
  expect(await site.read('terms/category/ebb.yaml')).toMatch(/^parent: water$/m);
  expect(await site.read('posts/one.md')).toMatch(/^categories: \[ ?uncategorized ?\]$/m);
  expect(told).toEqual([]);
  await context.close();
});

it('an item that gets a tag while that is merged has the other one afterwards', async () => {
  await site.write('terms/tag/raft.yaml', 'id: 77\nname: Raft\n');
  await site.write('posts/three.md', post('Three', 'tags: [raft]'));
  await site.write('posts/late.md', post('Late', 'tags: []', 'draft'));
  const idOf = async (slug: string): Promise<number | undefined> =>
    (await site.ask('GET', `/cms/v2/posts?slug=${slug}&status=any`, { as: 'admin' })).body[0]?.id;
  const late = await until(() => idOf('late'));
  await until(async () => (await site.ask('GET', '/cms/v2/tags/77')).status === 200);
  const { page, context } = await signedIn(browser, site, { at: '?terms=post_tag' });
  // Between the last list of its items and its deletion.
  let isGiven = false;
  await page.route(/\/tags\/77\?.*force=true/, async (route) => {
    if (!isGiven) await site.ask('POST', `/cms/v2/posts/${late}`, { as: 'admin', body: { tags: [77] } });
    isGiven = true;
    await route.continue();
  });
  await page.getByLabel('Select “Raft”').check();
  await page.click('.bulk >> text="Merge into another"');
  await page.getByLabel('Search: Merge into').fill('boa');
  await page.click('dialog button:text-is("Boat")');
  await page.click('dialog button:text-is("Merge")');
  await page.waitForSelector('.bulk [role=status]:has-text("1 done.")');
  expect(isGiven).toBe(true);
  for (const name of ['three', 'late']) expect(await site.read(`posts/${name}.md`)).toMatch(/^tags: \[ ?boat ?\]$/m);
  await expect(site.read('terms/tag/raft.yaml')).rejects.toThrow();
  await context.close();
});

it('terms of a taxonomy of one’s own are made, and who may not is not led there', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?terms=mood/new' });
  await page.getByLabel('Name').fill('Calm');
  expect(await page.getByLabel('Search: Parent').count()).toBe(0);
  await saved(page);
  expect((await site.ask('GET', '/cms/v2/moods')).body[0]).toMatchObject({ name: 'Calm', slug: 'calm' });
  await context.close();
  const { id } = await signUp(site, 'carla', 'author');
  await updateUser(site.site, id, { password });
  const other = await signedIn(browser, site, { login: 'carla' });
  expect(await other.page.locator('nav >> text="Terms"').count()).toBe(0);
  await other.context.close();
});
