/** Originals and translations in the page where people write, and all its pages from right to left. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

const languages =
  'lang:\n  default: en\n  languages:\n    en: {native_name: English}\n    ar: {locale: ar, native_name: العربية, dir: rtl}\n';
const quay = '---\nid: 30\ntitle: The quay\ndate: 2026-03-01T10:00:00\n---\nOne.\n\nTwo.\n\nThree.\n';

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml': `name: Harbour\ndeployment: extended\n${languages}`,
      'posts/quay.md': quay,
      'pages/about.md': '---\nid: 31\ntitle: About\ndate: 2026-03-01T10:00:00\n---\nText.\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 1);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
};

it('a translation is begun in the list, written beside its original, shows what has changed since, and is marked', async () => {
  const { page, context, told } = await signedIn(browser, site, phone);
  await page.click('.items >> text="Translate: العربية"');
  await page.waitForSelector('.original h2:has-text("English")');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByLabel('Title', { exact: true }).fill('الرصيف');
  await page.click('.text');
  await page.keyboard.type('واحد');
  expect(await page.$eval('.text', (text) => getComputedStyle(text).direction)).toBe('rtl');
  await save(page);
  const address = page.url();
  const files = (await readdir(join(site.dir, 'posts'), { recursive: true })).filter((name) => name.endsWith('.md'));
  const written = await Promise.all(files.map((name) => site.read(join('posts', name))));
  const text = written.find((one) => one.includes('title: الرصيف')) ?? '';
  expect(text).toMatch(/واحد\n$/);
  expect(await page.locator('.original :is(ins, del)').count()).toBe(0);
  // What the original was is a revision of it.
  const made = await site.ask('POST', '/cms/v2/posts/30', { as: 'admin', body: { excerpt: 'Stones' } });
  expect(made.status).toBe(200);
  await page.getByLabel('Title', { exact: true }).fill('الرصيف القديم');
  await save(page);
  const { modified_gmt } = (await site.ask('GET', '/cms/v2/posts?lang_language=ar&status=any&context=edit', { as: 'admin' }))
    .body[0];
  await until(
    async () => new Date().toISOString() > `${modified_gmt}Z` && new Date(`${modified_gmt}Z`).getTime() + 1000 < Date.now(),
  );
  await site.ask('POST', '/cms/v2/posts/30', { as: 'admin', body: { content: 'One.\n\nTwo, at low water.\n\nThree.\n' } });
  await page.goto(`${site.url}/cms-admin/`);
  await page.waitForSelector('.languages:has-text("out of date")');
  await page.goto(address);
  await page.waitForSelector('.original ins');
  expect(await page.textContent('.original ins')).toContain('Two, at low water.');
  expect(await page.textContent('.original del')).toContain('Two.');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="Mark as up to date"');
  await page.waitForSelector('[role=status]:has-text("Marked as up to date")');
  await page.waitForSelector('.original ins', { state: 'detached' });
  const { body } = await site.ask('GET', '/cms/v2/posts/30?context=edit', { as: 'admin' });
  expect(body.translation_status.ar.needs_update).toBe(false);
  expect(told).toEqual([]);
  await context.close();
});

it.each([
  ['a phone', phone],
  ['a desktop', { viewport: { width: 1280, height: 800 } }],
])('every page reads from right to left on %s', async (_, screen) => {
  const { page, context, told } = await signedIn(browser, site, { ...screen, reducedMotion: 'reduce' });
  for (const at of [
    ['?list=posts', '.items li'],
    ['?edit=posts/30', '.text'],
    ['?new=posts', '.text'],
    ['?edit=pages/31', '.text'],
    ['?comments=', '.bulk'],
    ['?media=', 'section'],
    ['?menus=', 'h1'],
    ['?people=', 'h1'],
    ['?settings=', 'form'],
    ['?changes=', 'h1'],
  ] as const) {
    await page.goto(`${site.url}/cms-admin/${at[0]}`);
    await page.waitForSelector(`main ${at[1]}`);
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    expect([at[0], await faultsInBoth(page)]).toEqual([at[0], []]);
    // The side column stands at the end of the line.
    const columns = await page.evaluate(() =>
      ['.main-column', '.side-column'].map((name) => document.querySelector(name)?.getBoundingClientRect().left ?? 0),
    );
    if ('viewport' in screen && screen.viewport.width > 1000) expect(columns[1]).toBeLessThanOrEqual(columns[0] as number);
  }
  // The folder is no repository: that is what its changes answer.
  expect(told.filter((one) => !one.includes('404'))).toEqual([]);
  await context.close();
});
