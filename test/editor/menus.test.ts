/** Menus in the page where people write. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'menus/main.yaml':
        'id: 40\nname: Main\nitems:\n  - { url: "https://example.com/a", title: First }\n  - { url: "https://example.com/b", title: Second }\n  - { url: "https://example.com/c", title: Third }\n',
      'pages/about.md': '---\ntitle: About the harbour\ndate: 2026-03-01\n---\nText.\n',
    },
  });
  await site.write('site.yaml', `${await site.read('site.yaml')}\nmenu_locations: { header: Top of the page }\n`);
  await until(async () => (await site.ask('GET', '/cms/v2/menu-items', { as: 'admin' })).body.length === 3);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const names = (page: Page): Promise<string[]> =>
  page
    .locator('.tree > li')
    .evaluateAll((all) =>
      all.map((one) => `${'>'.repeat(Number((one as HTMLElement).dataset.depth))}${one.querySelector('.name')?.textContent}`),
    );

it('links are added, moved by keyboard and saved as the file of the menu', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?menus=40' });
  await page.waitForSelector('.tree li');
  const press = async (name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Move up: Third');
  await page.waitForSelector('[role=status]:has-text("Third: link 2 of 3, level 1.")');
  await press('Move under the previous: Third');
  expect(await names(page)).toEqual(['First', '>Third', 'Second']);
  await page.getByLabel('Links to').selectOption('page');
  await page.getByLabel('Search: Pages').fill('harbour');
  await page.click('.terms button:text-is("About the harbour")');
  await page.click('summary:has-text("description of Second")');
  await page.getByRole('textbox', { name: 'Description' }).fill('What comes second');
  await page.getByLabel('Shown at: Top of the page').check();
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await names(page)).toEqual(['First', '>Third', 'Second', 'About the harbour']);
  const text = await site.read('menus/main.yaml');
  expect(text).toMatch(/First[\s\S]*items:[\s\S]*Third[\s\S]*Second[\s\S]*page: about/);
  expect(text).toMatch(/description: What comes second/);
  expect(text).toMatch(/locations:\s*(?:\[ ?|- )header/);
  expect(told).toEqual([]);
  await context.close();
});

it('a pointer drags a link before another, and links are removed', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?menus=40' });
  await page.waitForSelector('.tree li');
  const [from, to] = [page.locator('.tree > li', { hasText: 'Second' }), page.locator('.tree > li', { hasText: 'First' })];
  const start = await from.locator('.handle').boundingBox();
  const end = await to.locator('.handle').boundingBox();
  if (!start || !end) throw new Error('The links are not seen.');
  await page.mouse.move(start.x + 5, start.y + 5);
  await page.mouse.down();
  await page.mouse.move(end.x + 5, end.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => names(page)).toEqual(['Second', 'First', '>Third', 'About the harbour']);
  await page.click('summary:has-text("description of First")');
  await page.click('text="Remove First"');
  await page.click('main button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await names(page)).toEqual(['Second', 'Third', 'About the harbour']);
  const items = (await site.ask('GET', '/cms/v2/menu-items?menus=40', { as: 'admin' })).body;
  expect(items.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual([
    'Second',
    'Third',
    'About the harbour',
  ]);
  await context.close();
});

it('two people who change a menu keep both, and decide about what they cannot', async () => {
  const { page, context } = await signedIn(browser, site, { ...phone, at: '?menus=40' });
  const items = async () => (await site.ask('GET', '/cms/v2/menu-items?menus=40', { as: 'admin' })).body as { id: number }[];
  const change = async (title: string) => {
    const { status } = await site.ask('POST', `/cms/v2/menu-items/${(await items())[0]?.id}`, { as: 'admin', body: { title } });
    expect(status).toBe(200);
  };
  await page.waitForSelector('.tree li');
  const before = await names(page);
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await change('Theirs');
  await page.click('main div.row > button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await names(page)).toEqual(['Theirs', ...before.slice(1)]);
  expect(await site.read('menus/mine.yaml')).toMatch(/^name: Mine$[\s\S]*Theirs/m);
  await page.click('summary:has-text("description of Third")');
  await page.click('text="Remove Third"');
  await page.click('summary:has-text("description of Theirs")');
  await page.locator('li:has-text("Theirs") >> internal:label="Link text"').fill('Mine');
  await site.ask('DELETE', `/cms/v2/menu-items/${(await items())[0]?.id}?force=true`, { as: 'admin' });
  await page.click('main div.row > button.main');
  await page.waitForSelector('.conflicts legend:text-is("Links")');
  const rest = before.filter((name) => !/Third|Second/.test(name));
  expect(await page.locator('.conflicts pre').allTextContents()).toEqual([
    ['Mine', ...rest].join('\n'),
    ['Third', ...rest].join('\n'),
  ]);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByLabel('Yours').check();
  await page.click('.conflicts button.main');
  await page.click('main div.row > button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await names(page)).toEqual(['Mine', ...rest]);
  expect(await items()).toHaveLength(1 + rest.length);
  await context.close();
});

it('a change while the links of a menu are saved is not lost, and no link is made twice', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?menus=40' });
  await page.waitForSelector('.tree li');
  const [first = '', last = ''] = await names(page);
  const [{ id }] = (await site.ask('GET', '/cms/v2/menu-items?menus=40', { as: 'admin' })).body;
  let isChanged = false;
  await page.route(/\/menu-items\?|\/menu-items$/, async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    const answer = await route.fetch();
    // After the new link, before those that move for it.
    if (!isChanged) await site.ask('POST', `/cms/v2/menu-items/${id}`, { as: 'admin', body: { title: 'Theirs' } });
    isChanged = true;
    await route.fulfill({ response: answer });
  });
  const form = page.locator('form', { has: page.getByLabel('Link address') });
  await form.getByLabel('Link address').fill('https://example.com/new');
  await form.getByLabel('Link text').fill('New');
  await form.getByRole('button').click();
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Move up: New', exact: true }).click();
  await page.click('main div.row > button.main');
  await page.waitForSelector('[role=alert]:has-text("Someone has changed this meanwhile.")');
  expect(isChanged).toBe(true);
  await page.click('main div.row > button.main');
  await page.waitForSelector('.conflicts legend:text-is("Links")');
  const [, theirs = ''] = await page.locator('.conflicts pre').allTextContents();
  expect(theirs.split('\n').sort()).toEqual(['New', 'Theirs', last].sort());
  await page.getByLabel('Yours').check();
  await page.click('.conflicts button.main');
  await page.click('main div.row > button.main');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(await names(page)).toEqual(['New', first, last]);
  await context.close();
});

it('a menu is made and deleted', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?menus=' });
  await page.getByLabel('Name of a new menu').fill('Footer');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#menu >> text="Footer"', { state: 'attached' });
  await expect
    .poll(() => page.locator('#menu').evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]?.text))
    .toBe('Footer');
  await page.click('text="Delete the menu"');
  await expect.poll(async () => (await site.ask('GET', '/cms/v2/menus', { as: 'admin' })).body.length).toBe(1);
  await context.close();
});
