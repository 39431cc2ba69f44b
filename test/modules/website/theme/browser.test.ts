/** Pages of the theme in a real browser: on a phone and on a desktop, light and dark, nothing is hard to see, to reach or to hear. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { faultsOf, openBrowser, tabStops } from '../../../support/browser.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { files, quay, settings } from './sample.ts';

const screens = (['light', 'dark'] as const).flatMap((colorScheme) => [
  [`a phone, ${colorScheme}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme }] as const,
  [`a desktop, ${colorScheme}`, { viewport: { width: 1280, height: 800 }, colorScheme }] as const,
]);

const rich = `---
id: 64
title: Everything that a text may hold
---
## A heading

Words with a [link](/about/), *stress*, \`code\` and a footnote-like mark.

> Somebody said this.

| Tide | Height |
| :--- | ---: |
| low | 0.3 m |

\`\`\`
a line of code that is so long that it does not fit onto a phone, and that is not to make the page wider than the screen
\`\`\`

1. one
2. two
   - three

<script>document.title = 'It ran';</script>
<p onclick="document.title = 'It ran'" id="press">Press</p>
<img src="/nowhere.png" alt="" onerror="document.title = 'It ran'">
`;

const languages = {
  'site.yaml':
    'name: Kai\ndeployment: extended\nlang:\n  default: en\n  languages:\n    en: {locale: en_US, name: English, native_name: English}\n    de: {locale: de_DE, name: German, native_name: Deutsch}\n',
  'posts/hello.md': '---\nid: 1\ntitle: Hello\ndate: 2026-03-05T10:00:00\n---\nText\n',
  'posts/hallo.md': '---\nid: 2\ntitle: Hallo\nlang: de\ntranslation_of: hello\ndate: 2026-03-05T10:00:00\n---\nText\n',
};

let site: TestSite;
let spoken: TestSite;
let browser: Browser;
let axe: string;
beforeAll(async () => {
  [site, spoken] = await Promise.all([
    startSite({ files: { ...files, 'site.yaml': `${settings}anonymous_comments: true\n`, 'pages/rich.md': rich } }),
    startSite({ files: languages }),
  ]);
  await mkdir(join(site.dir, 'media'), { recursive: true });
  await writeFile(join(site.dir, 'media/quay.png'), await quay());
  await until(async () => (await site.ask('GET', '/cms/v2/media/81')).body?.media_details?.width === 1200);
  browser = await openBrowser();
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.close(), spoken.close()]);
});

async function at<T>(options: BrowserContextOptions, url: string, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await look(page);
  } finally {
    await context.close();
  }
}

/** What axe finds, as `rule: what`. */
async function found(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as never as { axe: { run(): Promise<{ violations: readonly Violation[] }> } }
    ).axe.run();
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}

/** Each page, looked at in one window. */
const pages = [
  '/',
  '/page/2/',
  '/post-9/',
  '/post-9/?replytocom=1&commented=waits',
  '/about/team/',
  '/rich/',
  '/category/notes/',
  '/?s=Post',
  '/?s=',
  '/nothing/',
  '/locked/',
  '/quay/',
];

it.each(screens)('%s is accessible', async (_name, options) => {
  // The checker is a script that is brought in from outside.
  const context = await browser.newContext({ ...options, bypassCSP: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const wrong: string[] = [];
  for (const address of [...pages.map((path) => site.url + path), ...['/', '/de/hallo/'].map((path) => spoken.url + path)]) {
    await page.goto(address);
    const faults = await faultsOf(page);
    const stops = address === `${site.url}/` || address.endsWith('/locked/') ? await tabStops(page) : [];
    const unseen = stops.filter(({ isSeen }) => !isSeen).map(({ name }) => `the keyboard is not seen at "${name}"`);
    const isSkipped = stops.length === 0 || stops[0]?.name === 'Skip to the content';
    const first = isSkipped ? [] : ['the first stop leads not to the content'];
    const all = [...(await found(page)), ...unseen, ...first, ...faults];
    // A text of this page has one, and the metadata of the extended deployment are in an element of that name.
    const hasScript = address.endsWith('/rich/') || address.startsWith(spoken.url);
    const isMeant = (fault: string): boolean => hasScript && fault === 'it has a script';
    wrong.push(...all.filter((fault) => !isMeant(fault)).map((fault) => `${new URL(address).pathname}: ${fault}`));
  }
  expect(wrong).toEqual([]);
});

describe('in a browser', () => {
  it('a phone collapses the menu, and a desktop shows it', async () => {
    const first = '#main-menu a >> nth=0';
    await at({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, `${site.url}/`, async (page) => {
      expect(await page.locator(first).isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await page.locator(first).isVisible()).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.keyboard.press('Escape');
      expect(await page.locator(first).isVisible()).toBe(false);
    });
    await at({ viewport: { width: 1280, height: 800 } }, `${site.url}/`, async (page) => {
      expect([await page.locator(first).isVisible(), await page.locator('.menu-button').isVisible()]).toEqual([true, false]);
    });
  });

  it('titles on the front page have the link color', async () => {
    await at({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' }, `${site.url}/`, async (page) => {
      const colours = await page.evaluate(
        `['.entry h2 a', '.site-name a'].map((one) => getComputedStyle(document.querySelector(one)).color)`,
      );
      expect(colours).toEqual(['rgb(11, 90, 122)', 'rgb(11, 90, 122)']);
    });
  });

  it('no script of a text runs', async () => {
    const title = await at({}, `${site.url}/rich/`, async (page) => {
      await page.click('#press');
      return page.title();
    });
    expect(title).toContain('Everything that a text may hold');
  });

  it('a visitor searches, opens a protected post, and changes the language', async () => {
    await at({ javaScriptEnabled: false }, `${site.url}/`, async (page) => {
      await page.fill('#search-top', 'Team');
      await page.press('#search-top', 'Enter');
      await page.click('main a:has-text("Team")');
      expect(await page.textContent('h1')).toBe('Team');
      await page.goto(`${site.url}/locked/`);
      await page.fill('#post-password', 'ebb');
      await page.click('text=Open');
      expect(await page.textContent('[role=alert]')).toBe('That is not the password.');
      await page.fill('#post-password', 'tide');
      await page.click('text=Open');
      expect(await page.textContent('.content')).toContain('Hidden words of');
    });
    await at({ javaScriptEnabled: false }, `${site.url}/post-9/`, async (page) => {
      await page.click('[aria-label="Reply to Ben"]');
      expect(await page.textContent('#respond-title')).toContain('Reply to Ben');
      const fill = async (text: string): Promise<void> => {
        for (const [name, value] of [
          ['author', 'Ida'],
          ['email', 'ida@example.com'],
          ['comment', text],
        ] as const)
          await page.fill(`#comment-${name}`, value);
        await page.click('text=Send the comment');
      };
      await fill('By hand');
      expect(await page.textContent('[role=status]')).toContain('once it has been approved');
      await page.goto(`${site.url}/post-9/`);
      await fill('Too soon');
      expect(await page.textContent('[role=alert]')).toContain('Please wait a moment');
      expect(await page.inputValue('#comment-comment')).toBe('Too soon');
    });
    await at({}, `${spoken.url}/hello/`, async (page) => {
      await page.click('text=Deutsch');
      expect(await page.textContent('h1')).toBe('Hallo');
      expect(await page.getAttribute('html', 'lang')).toBe('de-DE');
      expect(await page.getAttribute('link[hreflang=en]', 'href')).toMatch(/\/hello\/$/);
    });
  });
});
