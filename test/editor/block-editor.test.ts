/** A block editor of the operator's own in a frame of the page where people write. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { scripts } from '../support/scripts.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn, whatRuns } from './editor-site.ts';

/** A small one: a field for each block, printed in its own form, and the text shown as the markup that it is. */
const program = `
const page = parent;
const say = (message) => page.postMessage(message, origin);
const fields = document.getElementById('fields');
const print = () => [...fields.children].map((field) => field.value).join('\\n\\n');
addEventListener('message', ({ source, data }) => {
  if (source !== page || data.type !== 'content') return;
  document.documentElement.lang = data.language;
  fields.replaceChildren(...data.content.trim().split(/\\n\\n+/).map((block) => {
    const field = document.createElement('textarea');
    field.value = block;
    field.setAttribute('aria-label', 'Block');
    field.oninput = () => say({ type: 'change', content: print() });
    field.onkeydown = (event) => {
      if (!event.ctrlKey || event.key !== 's') return;
      event.preventDefault();
      say({ type: 'save' });
    };
    return field;
  }));
  document.getElementById('shown').innerHTML = data.content;
  say({ type: 'loaded', content: print() });
  document.body.dataset.isLoaded = '';
});
say({ type: 'ready' });
`;
const text = `<!-- wp:paragraph -->
<p>First of the blocks.</p>
<!-- /wp:paragraph -->



<!-- wp:paragraph {"align": "center"} -->
<p>Second.</p>
<!-- /wp:paragraph -->
<!-- a remark -->

<!-- wp:paragraph -->
<p>Third.</p>
<!-- /wp:paragraph -->
`;
const above = '---\nid: 51\ntitle: In blocks\ndate: 2026-03-04T10:00:00\n---\n';

let folder: string;
let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-block-editor-'));
  await mkdir(join(folder, 'built'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Blocks</title><body><div id="fields"></div><div id="shown"></div><script src="built/editor.js"></script></body></html>',
  );
  await writeFile(join(folder, 'built/editor.js'), program);
  await writeFile(join(folder, '.secret.js'), 'secret');
  site = await editorSite({
    operator: { block_editor: folder },
    files: {
      'posts/blocks.html': above + text,
      'posts/classic.html': '---\nid: 52\ntitle: Classic\ndate: 2026-03-03T10:00:00\n---\n<p>No blocks.</p>\n',
      'posts/wild.html': `---\nid: 53\ntitle: Wild\ndate: 2026-03-02T10:00:00\n---\n<!-- wp:html -->\n${scripts.join('\n')}\n<!-- /wp:html -->\n`,
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 3);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe.blocks');
const saved = (page: Page): Promise<unknown> => page.waitForSelector('[role=status]:has-text("Saved")');

it('has the text of blocks, and a change of one is that change in the file', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?edit=posts/51' });
  const third = frameOf(page).getByLabel('Block').nth(2);
  await third.waitFor();
  expect(await faultsInBoth(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Nothing has changed")');
  await third.fill('<!-- wp:paragraph -->\n<p>Third, and more.</p>\n<!-- /wp:paragraph -->');
  await third.press('Control+s');
  await saved(page);
  const file = await site.read('posts/blocks.html');
  expect(file.slice(file.indexOf('\n---\n') + 5)).toBe(text.replace('Third.', 'Third, and more.'));
  await page.click('text="Source"');
  await page.locator('.source .cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('<!-- by hand -->');
  await page.click('text="Source"');
  await expect.poll(() => frameOf(page).getByLabel('Block').first().inputValue()).toContain('<!-- by hand -->');
  expect(told).toEqual([]);
  await page.keyboard.press('Control+s');
  await saved(page);
  await context.close();
});

it('shows what somebody else has changed, and merges other changes', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/51' });
  const blocks = frameOf(page).getByLabel('Block');
  await blocks.nth(2).waitFor();
  await site.write('posts/blocks.html', (await site.read('posts/blocks.html')).replace('Second.', 'Second, by hand.'));
  await expect.poll(() => blocks.nth(1).inputValue()).toContain('Second, by hand.');
  await blocks.nth(0).fill('<!-- wp:paragraph -->\n<p>First, mine.</p>\n<!-- /wp:paragraph -->');
  const change = (await site.read('posts/blocks.html')).replace('Third', 'Third by hand');
  await site.write('posts/blocks.html', change);
  await page.waitForSelector('[role=status]:has-text("changed this meanwhile")');
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await site.read('posts/blocks.html')).toMatch(/First, mine[\s\S]*Second, by hand[\s\S]*Third by hand/);
  await context.close();
});

it('that begins anew has what was changed before, and it is saved once', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/51' });
  const blocks = frameOf(page).getByLabel('Block');
  const paragraph = (words: string): string => `<!-- wp:paragraph -->\n<p>${words}</p>\n<!-- /wp:paragraph -->`;
  await blocks.nth(2).waitFor();
  await blocks.nth(0).fill(paragraph('First, before.'));
  await frameOf(page)
    .locator('body')
    .evaluate(() => location.reload());
  await expect.poll(() => frameOf(page).locator('[data-is-loaded]').count()).toBe(1);
  await expect.poll(() => blocks.nth(0).inputValue()).toContain('First, before.');
  await blocks.nth(2).fill(paragraph('Third, after.'));
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && /posts\/51\?/.test(request.url()) && sent.push(request.url()));
  await page.route('**/posts/51?**', async (route) => {
    // Pressed again while it is on its way.
    if (route.request().method() === 'POST' && sent.length === 1) await blocks.nth(2).press('Control+s');
    await route.fallback();
  });
  await blocks.nth(2).press('Control+s');
  await saved(page);
  const file = await site.read('posts/blocks.html');
  expect(file).toMatch(/First, before\.[\s\S]*\n\n\n\n[\s\S]*Second[\s\S]*Third, after\./);
  expect(sent.length).toBe(1);
  await context.close();
});

it('is for texts of blocks, runs nothing of them, and hears no other window', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=posts/52' });
  const ran = whatRuns(page, site);
  await page.waitForSelector('.source');
  expect(await page.locator('iframe.blocks').count()).toBe(0);
  await page.goto(`${site.url}/cms-admin/?edit=posts/53`);
  await frameOf(page).locator('[data-is-loaded]').waitFor();
  await page.evaluate(() => postMessage({ type: 'change', content: 'From elsewhere' }, '*'));
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Nothing has changed")');
  expect(ran).toEqual([]);
  await context.close();
});

it('serves only files of the folder', async () => {
  const there = async (name: string): Promise<number> =>
    (await site.ask('GET', `/cms-admin/block-editor/${name}`, { raw: true })).status;
  expect(await there('built/editor.js')).toBe(200);
  expect(await there('')).toBe(200);
  for (const name of ['../site.yaml', '..%2fsite.yaml', '.secret.js', 'built', 'built/../../x.js', 'none.js'])
    expect([name, await there(name)]).toEqual([name, 404]);
  const off = await editorSite();
  expect((await off.ask('GET', '/cms-admin/block-editor/', { raw: true })).status).toBe(404);
  await off.close();
});
