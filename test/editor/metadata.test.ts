/** What search engines and networks are told of an item, in the page where people write. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { picture } from '../support/media.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

const tides = '---\nid: 20\ntitle: Tides\ndate: 2026-03-01\nexcerpt: Of water.\n---\nText.\n';
const said = (id: number, title: string, seo: string): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-01\nseo:\n${seo}---\nText.\n`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml': 'name: Harbour\ndeployment: extended\n',
      'posts/tides.md': tides,
      'posts/quay.md': said(21, 'Quay', '  title: On stones\n  description: Of stone.\n  image: 2026/quay.jpg\n'),
      'posts/ferry.md': said(22, 'Ferry', '  noindex: true\n'),
    },
  });
  await mkdir(join(site.dir, 'media/2026'), { recursive: true });
  await writeFile(join(site.dir, 'media/2026/quay.jpg'), await picture());
  await until(async () => (await site.ask('GET', '/cms/v2/media')).body.length === 1);
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length > 2);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(page: Page): Promise<void> {
  await page.getByText('Search and social networks').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title in search results').waitFor();
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
}

/** A title or a text of a preview. */
const shown = (page: Page, preview: string, text: string) =>
  page.locator('figure', { hasText: preview }).getByText(text, { exact: true }).first().waitFor();
const result = 'The search result';
const card = 'The card on social networks';

it('search metadata are written below previews that follow, and the file has these lines and no others', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?edit=posts/20' });
  await open(page);
  // What the server makes of an item that says nothing.
  await shown(page, result, 'Tides - Harbour');
  await shown(page, result, 'Search engines choose words of the page.');
  await shown(page, card, 'Of water.');
  await page.getByLabel('Title in search results').fill('%%title%% by the hour');
  await page.getByLabel('Description in search results').fill('When the water turns.');
  await shown(page, result, 'Tides by the hour');
  await shown(page, card, 'Tides by the hour');
  await shown(page, card, 'When the water turns.');
  await page.getByLabel('Canonical address').fill('/tide-tables/');
  await shown(page, result, `${site.url}/tide-tables/`);
  await page.getByLabel('Title on social networks').fill('Ebb and flow');
  await shown(page, card, 'Ebb and flow');
  await page.getByRole('group', { name: 'Image on social networks' }).getByText('Choose an image').click();
  await page.locator('dialog .media button').first().click();
  await page.getByLabel(/^Alternative text/).fill('The quay');
  await page.click('dialog button.main');
  await page.locator('figure').getByAltText('The quay').waitFor();
  expect(await faultsInBoth(page)).toEqual([]);
  await save(page);
  const file = await site.read('posts/tides.md');
  expect(file.replace(/^modified: .*\n/m, '')).toBe(
    tides.replace(
      '---\nText',
      `seo:
  title: '%%title%% by the hour'
  description: When the water turns.
  canonical: /tide-tables/
  social_title: Ebb and flow
  image: 2026/quay.jpg
---
Text`,
    ),
  );
  const { body } = await site.ask('GET', '/cms/v2/posts/20');
  expect(body.seo_head_json).toMatchObject({
    title: 'Tides by the hour',
    description: 'When the water turns.',
    canonical: `${site.url}/tide-tables/`,
    og_title: 'Ebb and flow',
    og_description: 'When the water turns.',
    og_image: [{ url: expect.stringMatching(/quay\.jpg$/) }],
  });
  const { pathname } = new URL(body.link);
  expect((await site.ask('GET', pathname, { raw: true })).body).toContain('<title>Tides by the hour</title>');
  expect(told).toEqual([]);
  await context.close();
});

it('emptied values are removed, and the default is shown again', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/21' });
  await open(page);
  for (const name of [
    'Title in search results',
    'Description in search results',
    'Canonical address',
    'Title on social networks',
  ])
    await page.getByLabel(name).fill('');
  await shown(page, card, 'Site default');
  await page.getByRole('group', { name: 'Image on social networks' }).getByText('Remove').click();
  await page.getByLabel('In search results', { exact: true }).selectOption('Hide');
  await page.getByText('Search engines are told not to show it.').waitFor();
  await save(page);
  await shown(page, result, 'Quay - Harbour');
  expect(await site.read('posts/quay.md')).toMatch(/^seo:\n {2}noindex: true\n---$/m);
  await context.close();
});

it('shows the length of a text, and whether it will be truncated', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/20' });
  await open(page);
  const title = page.getByLabel('Title in search results');
  await title.fill('ü'.repeat(61));
  const described = await title.getAttribute('aria-describedby');
  await page.locator(`[id="${described}"]`, { hasText: '61 characters; search engines show about 60.' }).waitFor();
  await page.waitForSelector('[role=status]:has-text("Too long")');
  await shown(page, result, `${'ü'.repeat(60)}…`);
  await context.close();
});

it('two people who change two of them keep both, and nothing that was taken back returns', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/22' });
  await open(page);
  await page.getByLabel('Title in search results').fill('Mine');
  const body = { meta: { _seo_metadesc: 'Theirs.', '_seo_meta-robots-noindex': null } };
  await site.ask('POST', '/cms/v2/posts/22', { as: 'admin', body });
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved")');
  expect(await site.read('posts/ferry.md')).toMatch(/^seo:\n {2}description: Theirs\.\n {2}title: Mine\n---$/m);
  await context.close();
});

it('a basic site does not offer them', async () => {
  const basic = await editorSite({ files: { 'posts/tides.md': tides } });
  await until(async () => (await basic.ask('GET', '/cms/v2/posts/20')).status === 200);
  const { page, context } = await signedIn(browser, basic, { at: '?edit=posts/20' });
  await page.waitForSelector('summary:text-is("Visibility and discussion")');
  expect(await page.getByText('Search and social networks').count()).toBe(0);
  await context.close();
  await basic.close();
});
