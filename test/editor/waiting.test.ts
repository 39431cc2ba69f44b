/** While an answer is on its way: the focus stays, nothing is sent twice, nothing that is written gets lost, and late answers lead nobody away. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, signedIn } from './editor-site.ts';

const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-01-0${id % 9 || 9}T10:00:00\n${more}---\nText.\n`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml':
        'name: Quay\ndeployment: extended\nlang: { default: en, languages: { en: {}, de: { native_name: Deutsch } } }\n',
      'posts/one.md': post(50, 'One', 'tags: [ship, boat]\n'),
      'posts/two.md': post(51, 'Two', 'status: draft\n'),
      'posts/three.md': post(52, 'Three', 'tags: [ship]\n'),
      'terms/tag/ship.yaml': 'id: 40\nname: Ship\n',
      'terms/tag/boat.yaml': 'id: 41\nname: Boat\n',
      'terms/tag/raft.yaml': 'id: 42\nname: Raft\n',
      'terms/category/low.yaml': 'id: 30\nname: Low\nparent: high\n',
      'terms/category/high.yaml': 'id: 31\nname: High\nparent: low\n',
      'menus/main.yaml':
        'id: 60\nname: Main\nitems:\n  - { title: One, post: one }\n  - { title: Two, url: "https://example.com/" }\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/tags')).body.length === 3);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.getAttribute('aria-label') ?? (one as HTMLElement | null)?.innerText?.split('\n')[0] ?? '';
  });

interface Held {
  /** What was sent, `POST posts/50`. */
  readonly sent: string[];
  /** Lets those that wait through, and all that follow. */
  open(): Promise<void>;
}

/** Holds back what writes, until it is let through. */
async function holdWrites(page: Page): Promise<Held> {
  const sent: string[] = [];
  const waiting: Route[] = [];
  let isOpen = false;
  await page.route('**/cms-json/**', async (route) => {
    const request = route.request();
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method())) return await route.fallback();
    sent.push(`${request.method()} ${new URL(request.url()).pathname.replace(/^.*\/v2\//, '')}`);
    if (isOpen) await route.fallback();
    else waiting.push(route);
  });
  return {
    sent,
    async open() {
      isOpen = true;
      await Promise.all(waiting.map((route) => route.fallback()));
    },
  };
}

/** Answers what the page asks the person. */
function answering(page: Page, answer: 'accept' | 'dismiss'): string[] {
  const asked: string[] = [];
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog[answer]();
  });
  return asked;
}

describe('a button that was pressed', () => {
  it.each<[at: string, change: (page: Page) => Promise<unknown>, button: string, sent: string]>([
    ['?edit=posts/51', (page) => page.getByLabel('Title', { exact: true }).fill('Two again'), 'Save draft', 'POST posts/51'],
    ['?edit=posts/50', (page) => page.getByLabel('Title', { exact: true }).fill('One again'), 'Save', 'POST posts/50'],
    ['?terms=post_tag/42', (page) => page.getByLabel('Name').fill('Rafts'), 'Save', 'POST tags/42'],
    ['?menus=60', (page) => page.getByLabel('Name', { exact: true }).fill('Mainly'), 'Save', 'POST menus/60'],
    ['?people=1', (page) => page.getByLabel('First name').fill('Ada'), 'Save', 'POST users/1'],
    ['?settings=', (page) => page.getByLabel('Tagline').fill('By the sea'), 'Save', 'POST settings'],
  ])('has the focus while %s is saved and afterwards, and saves once', async (at, change, button, first) => {
    const { page, context, told } = await signedIn(browser, site, { at });
    await page.waitForSelector('main h1');
    await change(page);
    const { sent, open } = await holdWrites(page);
    const pressed = page.getByRole('button', { name: button, exact: true });
    await pressed.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => sent).toEqual([first]);
    expect(await focused(page)).toBe(button);
    await expect.poll(() => pressed.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    // By pointer, too: it only looks as if it were disabled.
    await pressed.click({ force: true });
    await open();
    await page.waitForSelector('[role=status]:has-text("Saved.")');
    expect(await focused(page)).toBe(button);
    expect(sent.filter((one) => one === first)).toEqual([first]);
    expect(told).toEqual([]);
    await context.close();
  });

  it('and that goes leaves the focus near its place', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?edit=posts/51' });
    await page.getByRole('button', { name: 'Publish', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=status]:has-text("Saved.")');
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('View');
    await page.goto(`${site.url}/cms-admin/?edit=posts/50`);
    await page.getByRole('button', { name: 'Remove Boat' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Remove Ship');
    await context.close();
  });

  it('at the last page of a list keeps the focus', async () => {
    for (const name of ['a', 'b']) await site.ask('POST', '/cms/v2/comments', { as: 'admin', body: { post: 50, content: name } });
    const { page, context } = await signedIn(browser, site, { at: '?comments=' });
    await page.route('**/comments?**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-cms-totalpages': '2' } });
    });
    await page.getByLabel('Status').selectOption('approve');
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    expect(await focused(page)).toBe('Next');
    // Whatever is still asked for is answered first.
    await page.unrouteAll({ behavior: 'wait' });
    await context.close();
  });

  it('that makes a translation makes one', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?edit=posts/52' });
    const { sent, open } = await holdWrites(page);
    const button = page.getByRole('button', { name: 'Translate: Deutsch' });
    await button.click();
    await button.click({ force: true });
    await expect.poll(() => sent).toEqual(['POST posts']);
    await open();
    await page.waitForSelector('.original h2');
    expect(sent).toEqual(['POST posts']);
    await context.close();
  });
});

describe('who writes meanwhile', () => {
  it.each<[at: string, label: string]>([
    ['?terms=post_tag/42', 'Description'],
    ['?people=1', 'Last name'],
    ['?settings=', 'Tagline'],
    ['?edit=posts/50', 'Title'],
  ])('loses nothing of it in %s', async (at, label) => {
    const { page, context } = await signedIn(browser, site, { at });
    const field = page.getByLabel(label, { exact: true });
    await field.fill('First of two');
    const { sent, open } = await holdWrites(page);
    await field.press('Control+s');
    if (!at.includes('edit')) await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sent.length).toBe(1);
    await field.fill('Second of two');
    await open();
    await page.waitForSelector('[role=status]:has-text("Saved.")');
    expect(await field.inputValue()).toBe('Second of two');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sent.length).toBe(2);
    await context.close();
  });

  it('and is asked does not leave, by a link, the history, or the window; the skip link leads away from nothing', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?terms=post_tag' });
    for (const [link, label] of [
      ['Raft', 'Description'],
      ['Main', 'Name'],
    ] as const) {
      if (link === 'Raft') await page.click(`.items a:has-text("${link}")`);
      else await page.click('nav >> text="Menus"');
      const field = page.getByLabel(label, { exact: true });
      await field.fill('Not saved yet');
      const at = page.url();
      const asked = answering(page, 'dismiss');
      await page.click('nav >> text="Posts"');
      await page.evaluate(() => history.back());
      await expect.poll(() => asked).toEqual(Array(2).fill('Leave without saving?'));
      await expect.poll(() => page.url()).toBe(at);
      await page.evaluate(() => location.reload());
      await expect.poll(() => asked.length).toBe(3);
      await page.focus('.skip');
      await page.keyboard.press('Enter');
      expect(await field.inputValue()).toBe('Not saved yet');
      const again = answering(page, 'accept');
      await page.evaluate(() => history.back());
      await page.evaluate(() => history.back());
      await field.waitFor({ state: 'detached' });
      expect(again).toEqual(['Leave without saving?']);
    }
    await context.close();
  });

  it('and leaves at once finds it again', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?edit=posts/52' });
    answering(page, 'accept');
    // Sooner than drafts are kept while somebody types.
    await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>('.field.large input');
      if (!field) throw new Error('There is no title.');
      field.value = 'Three, in haste';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise(requestAnimationFrame);
      [...document.querySelectorAll<HTMLElement>('nav a')].find(({ innerText }) => innerText === 'Pages')?.click();
    });
    await page.waitForSelector('h1:has-text("Pages")');
    await page.goto(`${site.url}/cms-admin/?edit=posts/52`);
    await page.click('text="Continue editing"');
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Three, in haste');
    await page.click('text="Save"');
    await context.close();
  });
});

it.each<[at: string, label: string, button: string]>([
  ['?terms=post_tag/new', 'Name', 'Save'],
  ['?new=posts', 'Title', 'Save draft'],
  ['?menus=', 'Name of a new menu', 'Add'],
  ['?edit=posts/52', '', 'Translate: Deutsch'],
  ['?edit=posts/51', '', 'Move to trash'],
])('an answer that comes late leads nobody away: %s', async (at, label, button) => {
  // Its translation from above.
  if (button.startsWith('Translate'))
    for (const { id } of (await site.ask('GET', '/cms/v2/posts?lang_language=de&status=any', { as: 'admin' })).body)
      await site.ask('DELETE', `/cms/v2/posts/${id}?force=true`, { as: 'admin' });
  const { page, context, told } = await signedIn(browser, site, { at });
  if (label !== '') await page.getByLabel(label, { exact: true }).fill(`Late ${at}`);
  const { sent, open } = await holdWrites(page);
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await expect.poll(() => sent.length).toBe(1);
  await page.click('nav >> text="People"');
  await page.click('.items a >> nth=0');
  const field = page.getByLabel('First name');
  await field.fill('Being written');
  const there = page.url();
  const asked = answering(page, 'accept');
  const answered = page.waitForResponse((response) => response.request().method() !== 'GET');
  await open();
  await (await answered).finished();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  expect([page.url(), await field.inputValue(), asked]).toEqual([there, 'Being written', []]);
  // And still nobody leaves that without having been asked.
  await page.click('nav >> text="Posts"');
  expect(asked).toEqual(['Leave without saving?']);
  expect(told).toEqual([]);
  await context.close();
});

describe('what is told', () => {
  it.each<[name: string, answer: (route: Route) => Promise<void>, told: string]>([
    ['the net is away', (route) => route.abort(), 'The server cannot be reached'],
    [
      'a proxy answers',
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      'error 502',
    ],
    [
      'a proxy answers in place',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }),
      'error 200',
    ],
    [
      'an answer is cut off',
      (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"code"' }),
      'error 503',
    ],
    [
      'it says so',
      (route) => route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"x","message":"Not for you."}' }),
      'Not for you.',
    ],
    [
      'it is gone',
      (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{"code":"x","message":"Gone."}' }),
      'Gone.',
    ],
  ])('when %s, in every screen that saves', async (_, answer, sentence) => {
    for (const [at, label] of [
      ['?terms=post_tag/42', 'Name'],
      ['?people=1', 'First name'],
      ['?settings=', 'Tagline'],
      ['?edit=posts/50', 'Title'],
      ['?menus=60', 'Name'],
    ] as const) {
      const { page, context } = await signedIn(browser, site, { at });
      const field = page.getByLabel(label, { exact: true });
      await field.fill('Mine');
      await page.route('**/cms-json/**', (route) => (route.request().method() === 'POST' ? answer(route) : route.fallback()));
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForSelector(`[role=alert]:has-text("${sentence}")`);
      expect(await page.locator('[role=alert]').allTextContents()).not.toContainEqual(
        expect.stringMatching(/Error|undefined|null|JSON/),
      );
      expect(await field.inputValue()).toBe('Mine');
      await context.close();
    }
  });

  it('after a session has ended, until one has signed in again', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?terms=post_tag/42' });
    const field = page.getByLabel('Description', { exact: true });
    await field.fill('Kept over a session');
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForSelector('[role=alert]:has-text("You are signed out.")');
    await context.addCookies(cookies);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForSelector('[role=status]:has-text("Saved.")');
    expect(await site.read('terms/tag/raft.yaml')).toContain('Kept over a session');
    await context.close();
  });
});

describe('terms', () => {
  it('that are each below the other are listed, and places that are none show nothing', async () => {
    const { page, context, told } = await signedIn(browser, site, { at: '?terms=category' });
    await page.waitForSelector('.items li');
    expect((await page.locator('.items .title').allTextContents()).sort()).toEqual(['High', 'Low', 'Uncategorized']);
    for (const place of ['category/..%2Fusers%2F1', 'category/..', 'constructor/new', 'nothing', 'category/1x']) {
      await page.goto(`${site.url}/cms-admin/?terms=${place}`);
      await page.waitForSelector('main :text("Nothing was found.")');
      expect(await page.locator('main form').count()).toBe(0);
    }
    expect(told).toEqual([]);
    await context.close();
  });

  it('are joined while somebody changes the items: nothing of that is lost', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?terms=post_tag' });
    await page.getByLabel('Select “Ship”').check();
    await page.click('.bulk >> text="Merge into another"');
    await page.getByLabel('Search: Merge into').fill('raf');
    await page.click('dialog .terms ul button');
    let isChanged = false;
    await page.route('**/posts/50**', async (route) => {
      if (route.request().method() === 'POST' && !isChanged) {
        isChanged = true;
        const { status } = await site.ask('POST', '/cms/v2/posts/50', {
          as: 'admin',
          body: { tags: [40], excerpt: 'By another' },
        });
        expect(status).toBe(200);
      }
      await route.fallback();
    });
    await page.click('dialog button:text-is("Merge")');
    await page.waitForSelector('.bulk [role=status]:has-text("1 done.")');
    expect(isChanged).toBe(true);
    const { tags, excerpt } = (await site.ask('GET', '/cms/v2/posts/50?context=edit', { as: 'admin' })).body;
    // Boat was taken away by the other one, and stays away.
    expect([tags, excerpt.raw]).toEqual([[42], 'By another']);
    await context.close();
  });

  it('are joined while somebody names one otherwise: it stays, and that is told', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?terms=post_tag' });
    await page.getByLabel('Select “Boat”').check();
    await page.click('.bulk >> text="Merge into another"');
    await page.getByLabel('Search: Merge into').fill('raf');
    await page.click('dialog .terms ul button');
    await site.ask('POST', '/cms/v2/tags/41', { as: 'admin', body: { description: 'A small one' } });
    await page.click('dialog button:text-is("Merge")');
    await page.waitForSelector('[role=alert]:has-text("Boat: Someone has changed this meanwhile.")');
    expect(await site.read('terms/tag/boat.yaml')).toContain('A small one');
    let isNamed = false;
    await page.route('**/tags/41**', async (route) => {
      if (route.request().method() === 'DELETE' && !isNamed) {
        isNamed = true;
        await site.ask('POST', '/cms/v2/tags/41', { as: 'admin', body: { name: 'Dinghy' } });
      }
      await route.fallback();
    });
    await page.getByLabel('Select “Boat”').check();
    await page.click('.bulk >> text="Merge into another"');
    await page.getByLabel('Search: Merge into').fill('raf');
    await page.click('dialog .terms ul button');
    await page.click('dialog button:text-is("Merge")');
    await page.waitForSelector('.items li:has-text("Dinghy")');
    expect(await page.locator('[role=alert]').textContent()).toContain('Boat: Someone has changed this meanwhile.');
    await context.close();
  });
});
