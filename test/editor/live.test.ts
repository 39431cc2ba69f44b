/** From a page of the site to its place in the editor and back, in a real browser. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, screens } from '../support/browser.ts';
import { picture } from '../support/media.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsOf, signedIn } from './editor-site.ts';

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

  it('is nowhere for somebody who has signed out', async () => {
    const { page, context } = await signedIn(browser, site);
    await page.goto(`${site.url}/walk/`);
    expect(await page.locator('.cms-mark').count()).toBeGreaterThan(4);
    await context.clearCookies();
    await page.reload();
    expect(await page.locator('.cms-mark').count()).toBe(0);
    await context.close();
  });
});
