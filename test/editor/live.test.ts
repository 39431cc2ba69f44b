/** From a page of the site to its place in the editor and back, in a real browser. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, screens } from '../support/browser.ts';
import { picture } from '../support/media.ts';
import { asPerson } from '../support/git-site.ts';
import { scripts } from '../support/scripts.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsOf, signedIn, whatRuns } from './editor-site.ts';

const long = `---
title: A walk
date: 2026-03-05T10:00:00
featured_media: 2026/03/ferry.jpg
---
The first paragraph, which is "quoted".

[ref]: /there

## Under way

The second paragraph.

![The quay](/uploads/2026/03/quay.jpg)

- one
- two
`;
const block = `---
title: In blocks
date: 2026-03-04T10:00:00
---
<!-- wp:paragraph -->
<p>First of the blocks.</p>
<!-- /wp:paragraph -->

<!-- wp:paragraph -->
<p>Second, with <strong>strong</strong> words.</p>
<!-- /wp:paragraph -->
`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml': 'name: Quay\n',
      'posts/walk.md': long,
      'posts/blocks.html': block,
      'menus/main.yaml': 'id: 5\nname: Main menu\nlocations: [header]\nitems:\n  - {title: Away, url: "https://example.com/"}\n',
    },
  });
  const jpeg = await picture();
  await mkdir(join(site.dir, 'media/2026/03'), { recursive: true });
  for (const name of ['ferry', 'quay']) await writeFile(join(site.dir, `media/2026/03/${name}.jpg`), jpeg);
  await until(async () => (await site.ask('GET', '/cms/v2/media')).body.length === 2);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const mark = (page: Page, name: string) => page.locator(`.cms-mark[aria-label="Edit: ${name}"]`).first();

describe.each(screens)('a page of the site on %s', (_, options) => {
  it('has marks that can be seen, touched and heard', async () => {
    const { page, context, told } = await signedIn(browser, site, options);
    for (const path of ['/walk/', '/']) {
      await page.goto(site.url + path);
      await mark(page, path === '/' ? 'A walk' : 'The quay').waitFor();
      expect(await faultsOf(page)).toEqual([]);
    }
    expect(told).toEqual([]);
    await context.close();
  });
});

describe('a mark', () => {
  it.each([
    ['its title', 'A walk', 'title'],
    ['a paragraph', 'The second paragraph.', 'The second paragraph.'],
    ['a heading', 'Under way', 'Under way'],
    ['a picture', 'The quay', 'picture'],
    ['the featured picture', 'ferry', 'featured'],
  ])('of %s opens the editor there', async (_, name, there) => {
    const { page, context } = await signedIn(browser, site);
    await page.goto(`${site.url}/walk/`);
    await mark(page, name).click();
    await page.waitForSelector('.text');
    const found = (): Promise<string> =>
      page.evaluate(() => {
        const active = document.activeElement as HTMLElement | null;
        if (active?.closest('[data-at=title]')) return 'title';
        if (active?.closest('[data-at=featured_media]')) return 'featured';
        if (document.querySelector('.text img.ProseMirror-selectednode')) return 'picture';
        const { anchorNode } = getSelection() as Selection;
        return anchorNode?.parentElement?.textContent ?? '';
      });
    await expect.poll(found).toBe(there);
    await context.close();
  });

  it('in a text of block markup opens its source there', async () => {
    const { page, context } = await signedIn(browser, site);
    await page.goto(`${site.url}/blocks/`);
    await mark(page, 'Second, with strong words.').click();
    await page.waitForSelector('.source');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('source');
    await page.keyboard.type('The ');
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[role=status]:has-text("Saved")');
    expect(await site.read('posts/blocks.html')).toContain('<p>The Second, with <strong>');
    await context.close();
  });

  it('is not shown after signing out', async () => {
    const { page, context } = await signedIn(browser, site);
    await page.goto(`${site.url}/walk/`);
    expect(await page.locator('.cms-mark').count()).toBeGreaterThan(4);
    await context.clearCookies();
    await page.reload();
    expect(await page.locator('.cms-mark').count()).toBe(0);
    await context.close();
  });
});

describe('the preview next to the text', () => {
  const open = async (page: Page, title: string): Promise<void> => {
    await page.goto(`${site.url}/cms-admin/`);
    await page.click(`.items >> text="${title}"`);
    await page.click('text="Show preview"');
  };

  it.each(screens)('shows the theme with what is being written, and visitors see nothing of it, on %s', async (name, options) => {
    const { page, context, told } = await signedIn(browser, site, options);
    await open(page, 'A walk');
    const shown = page.frameLocator('iframe.live');
    await shown.locator('h1:has-text("A walk")').waitFor();
    expect(await shown.locator('.cms-mark').count()).toBe(0);
    const before = await site.read('posts/walk.md');
    await page.click('.text p:has-text("The second paragraph")');
    await page.keyboard.press('End');
    await page.keyboard.type(` On ${name}.`);
    await shown.locator(`p:has-text("The second paragraph. On ${name}.")`).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await site.read('posts/walk.md')).toBe(before);
    expect((await site.ask('GET', '/walk/', { raw: true })).body).not.toContain(`On ${name}`);
    expect(told).toEqual([]);
    await context.close();
    // At another machine, what was not saved is there.
    const other = await signedIn(browser, site, options);
    await open(other.page, 'A walk');
    await other.page.click('text="Continue editing"');
    await other.page.waitForSelector(`.text p:has-text("On ${name}.")`);
    await other.context.close();
  });

  it("saves the user's own draft to its file, but never over changes of somebody else", async () => {
    const { page, context } = await signedIn(browser, site);
    await page.click('text="Add post"');
    await page.getByLabel('Title').fill('My draft');
    await page.click('text="Save draft"');
    await page.waitForSelector('[role=status]:has-text("Saved")');
    await page.click('text="Show preview"');
    await page.click('.text');
    await page.keyboard.type('Kept words.');
    await page.frameLocator('iframe.live').locator('p:has-text("Kept words.")').waitFor();
    const { body } = await site.ask('GET', '/cms/v2/posts?status=draft&context=edit&search=draft', { as: 'admin' });
    const [{ id, content }] = body;
    expect(content.raw).toBe('Kept words.');
    const change = { content: 'Kept words.\n\nBy somebody else.' };
    await page.route(
      /\/autosaves/,
      async (route) => {
        await site.ask('POST', `/cms/v2/posts/${id}`, { as: 'admin', body: change });
        await route.continue();
      },
      { times: 1 },
    );
    const refused = page.waitForResponse((response) => response.url().includes('/autosaves') && response.status() === 412);
    await page.keyboard.type(' More of mine.');
    await refused;
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[role=status]:has-text("merged with the changes of someone else")');
    expect((await site.ask('GET', `/cms/v2/posts/${id}?context=edit`, { as: 'admin' })).body.content.raw).toBe(
      'Kept words. More of mine.\n\nBy somebody else.',
    );
    await context.close();
  });

  it('runs nothing of a text that somebody else wrote', async () => {
    const text = `${scripts.join('\n\n')}\n\n<form action="javascript:alert(1)"><button id="go">Go</button></form>`;
    await site.write('posts/wild.html', `---\ntitle: Wild\nstatus: draft\ndate: 2026-01-01T10:00:00\n---\n${text}\n`);
    await until(async () => (await site.ask('GET', '/cms/v2/posts?status=draft&search=wild', { as: 'admin' })).body.length === 1);
    const { page, context } = await signedIn(browser, site);
    const ran = whatRuns(page, site);
    await open(page, 'Wild');
    const frame = page.frameLocator('iframe.live');
    await frame.locator('h1:has-text("Wild")').waitFor();
    expect(await page.getAttribute('iframe.live', 'sandbox')).toBe('');
    const inner = page.frames().find((one) => one.url().includes('preview_nonce'));
    // A frame in which nothing runs has no origin, and no way to the page around it.
    await expect(inner?.evaluate(() => 1)).resolves.toBe(1);
    expect(await inner?.evaluate(() => origin)).toBe('null');
    expect(ran).toEqual([]);
    await context.close();
  });

  it('shows the front end where the site has one, in an origin of its own', async () => {
    const front = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        '<!doctype html><h1>Front</h1><p id="origin"></p><script>document.getElementById("origin").textContent = origin</script>',
      );
    });
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    const { port } = front.address() as AddressInfo;
    const own = await editorSite({
      files: {
        'site.yaml': `front: http://127.0.0.1:${port}\n`,
        'posts/draft.md': '---\ntitle: Draft\nstatus: draft\ndate: 2026-01-01T10:00:00\n---\nText\n',
      },
    });
    const { page, context } = await signedIn(browser, own);
    await page.click('.items >> text="Draft"');
    await page.click('text="Show preview"');
    await page.frameLocator('iframe.live').locator('#origin:has-text("null")').waitFor();
    await context.close();
    await own.close();
    front.close();
  });
});

it('shows uncommitted changes as a diff, and commits them', async () => {
  const own = await editorSite({
    files: { 'site.yaml': 'git: commit\n', 'posts/one.md': '---\nid: 7\ntitle: One\ndate: 2026-01-01T10:00:00\n---\nText\n' },
  });
  asPerson(own.dir, 'init', '-q', '-b', 'main');
  asPerson(own.dir, 'add', '--all');
  asPerson(own.dir, 'commit', '-qm', 'begin');
  await own.write('posts/one.md', (await own.read('posts/one.md')).replace('Text', 'By hand'));
  const { page, context, told } = await signedIn(browser, own, { viewport: { width: 390, height: 844 } });
  await page.click('nav >> text="Changes"');
  await page.click('button:has-text("posts/one.md")');
  await page.waitForSelector('pre:has-text("+By hand")');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('Commit message').fill('say it by hand');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Committed as")');
  expect(asPerson(own.dir, 'log', '-1', '--format=%s').trim()).toBe('say it by hand');
  expect(told).toEqual([]);
  await context.close();
  await own.close();
});
