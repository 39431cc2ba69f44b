/** The page where people write, in a real browser. */
import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { openBrowser, screens } from '../support/browser.ts';
import { picture } from '../support/media.ts';
import { scripts } from '../support/scripts.ts';
import { signUp, type TestSite, until } from '../support/site.ts';
import { editorSite, faultsOf, password, signedIn, whatRuns } from './editor-site.ts';

const hugo = `+++
title = 'The quay'
date = 2026-03-01T10:00:00Z
tags = [ "walks" ]
+++

Text of the *first* paragraph,
which has two lines.

{{< figure src="/uploads/quay.png" title="Quay" >}}

* One
* Two __strong__ words

The last paragraph[^1].

[^1]: A note.
`;
const jekyll = `---
layout: post
title:  "Welcome to Jekyll"
date: 2026-02-01 10:00:00 +0100
categories: [jekyll, update]
---
You'll find this post in your \`_posts\` directory.

{% highlight ruby %}
def print_hi(name)
end
{% endhighlight %}

Check out the [Jekyll docs][jekyll-docs] for more info.

[jekyll-docs]: https://jekyllrb.com/docs/home
`;
const astro = `---
title: 'First post'
description: 'Lorem ipsum dolor sit amet'
pubDate: 'Jul 08 2022'
heroImage: '../../assets/blog-placeholder-3.jpg'
---

Lorem ipsum dolor sit amet, consectetur _adipiscing_ elit.

Vitae ultricies leo integer malesuada nunc vel risus.
`;
const classic = `---
title: Classic
date: 2026-01-05T10:00:00
---
The first paragraph, in <strong>markup</strong>.

<blockquote>Said somebody.</blockquote>

The last paragraph.
`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'posts/2026/03/the-quay.md': hugo,
      'posts/2026-02-01-welcome.md': jekyll,
      'posts/first-post.md': astro,
      'posts/classic.html': classic,
      ...Object.fromEntries(
        ['Shared', 'Both', 'Disk'].map((title) => [
          `posts/${title.toLowerCase()}.md`,
          `---\ntitle: ${title}\ndate: 2026-01-02T10:00:00\n---\nOne.\n\nTwo.\n\nThree.\n`,
        ]),
      ),
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 7);
  execFileSync('git', ['init', '-q'], { cwd: site.dir });
  browser = await openBrowser();
});
// Each begins with a state of its own: what it changes is all that git shows.
beforeEach(() => {
  git('add', '--all');
  git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.com', 'commit', '-qm', 'State', '--allow-empty');
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const git = (...line: readonly string[]): string => execFileSync('git', line, { cwd: site.dir, encoding: 'utf8' });
/** Lines that were added and taken away, but for the date of the change. */
const diff = (path: string): readonly string[] =>
  git('diff', '-U0', '--', path)
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2}|modified\b)/.test(line));

const openPost = async (page: Page, title: string): Promise<void> => {
  await page.goto(`${site.url}/cms-admin/`);
  await page.click(`.items >> text="${title}"`);
  await page.waitForSelector('.text, .source');
};
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved")');
};
/** Types at the end of the paragraph that holds a text. */
const writeAfter = async (page: Page, text: string, words: string): Promise<void> => {
  await page.click(`.text p:has-text("${text}")`, { position: { x: 5, y: 10 } });
  await page.keyboard.press('End');
  await page.keyboard.type(words);
};

describe.each(screens)('on %s', (_, options) => {
  it('lists, texts, the library and dialogs can be seen, touched and heard', async () => {
    const { page, context, told } = await signedIn(browser, site, options);
    await page.waitForSelector('.items li');
    expect(await faultsOf(page)).toEqual([]);
    await openPost(page, 'The quay');
    expect(await faultsOf(page)).toEqual([]);
    await page.click('button[aria-label=Image]');
    await page.waitForSelector('dialog[open]');
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await openPost(page, 'Classic');
    await page.click('text="Preview"');
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${site.url}/cms-admin/?media=`);
    await page.waitForSelector('.library');
    expect(await faultsOf(page)).toEqual([]);
    expect(told).toEqual([]);
    await context.close();
  });
});

describe('a post', () => {
  it('is written with a link, a table, a picture and a footnote, scheduled, and is a file', async () => {
    const { page, context, told } = await signedIn(browser, site, { viewport: { width: 1280, height: 900 } });
    await page.click('text="Add post"');
    await page.getByLabel('Title').fill('High water');
    await page.click('.text');
    await page.keyboard.type('See the tide tables');
    for (let at = 0; at < 'tide tables'.length; at++) await page.keyboard.press('Shift+ArrowLeft');
    await page.click('button[aria-label=Link]');
    await page.fill('#link-address', '/tides/');
    await page.click('dialog >> text="Save"');
    // Nobody types as soon: 20 ms after it has the focus the editor shows its selection.
    await page.waitForSelector('dialog', { state: 'detached' });
    await page.waitForTimeout(200);
    await page.keyboard.press('End');
    await page.keyboard.type(' of 2026');
    await page.click('button[aria-label=Footnote]');
    await page.fill('.island textarea', '[^1]: In winter time.');
    await page.click('.text p');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.click('button[aria-label=Table]');
    await page.locator('.text th').first().click();
    await page.keyboard.type('Tide');
    await page.locator('.text p').first().click();
    await page.keyboard.press('End');
    await page.click('button[aria-label=Image]');
    await page.setInputFiles('dialog input[type=file]', { name: 'quay.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await page.getByLabel('Alternative text').fill('The quay at low water');
    await page.click('dialog button.main');
    await page.waitForSelector('.text img[src^="/uploads/"]');
    // A form in a dialog sends itself alone.
    expect(new URL(page.url()).search).toBe('?new=posts');
    await page.getByLabel(/^Date/).fill('2040-01-01T08:00');
    await page.getByLabel('Add to Tags').fill('tides');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.terms li:has-text("tides")');
    await page.click('text="Schedule"');
    await page.waitForSelector('[role=status]:has-text("Scheduled for")');
    expect(told).toEqual([]);
    await context.close();
    git('add', '--all', '--intent-to-add');
    const [path = ''] = git('diff', '--name-only', '--diff-filter=A', '--', 'posts').trim().split('\n');
    const text = await site.read(path);
    expect(text).toMatch(/^title: High water$/m);
    expect(text).toMatch(/^date: 2040-01-01T08:00:00$/m);
    expect(text.slice(text.indexOf('\n---\n') + 5)).toMatch(
      /^See the \[tide tables\]\(\/tides\/\) of 2026\[\^1\]!\[The quay at low water\]\(\/uploads\/\S+quay\.jpg\)\n\n\| Tide \| {2}\| {2}\|\n\| --- \| --- \| --- \|\n(?:\| {2}\| {2}\| {2}\|\n){2}\n\[\^1\]: In winter time\.\n$/,
    );
  });

  it.each([
    ['The quay', 'posts/2026/03/the-quay.md', 'which has two lines', ['-which has two lines.', '+which has two lines. More.']],
    [
      'Welcome to Jekyll',
      'posts/2026-02-01-welcome.md',
      'for more info',
      [
        '-Check out the [Jekyll docs][jekyll-docs] for more info.',
        '+Check out the [Jekyll docs][jekyll-docs] for more info. More.',
      ],
    ],
    [
      'First post',
      'posts/first-post.md',
      'Vitae ultricies',
      ['-Vitae ultricies leo integer malesuada nunc vel risus.', '+Vitae ultricies leo integer malesuada nunc vel risus. More.'],
    ],
  ])('%s is changed by one paragraph, and git shows that one', async (title, path, words, lines) => {
    const { page, context, told } = await signedIn(browser, site, { viewport: { width: 1280, height: 900 } });
    await openPost(page, title);
    await writeAfter(page, words, ' More.');
    await save(page);
    expect(diff(path)).toEqual(lines);
    expect(told).toEqual([]);
    await context.close();
  });

  it('of markup is changed in its source', async () => {
    const { page, context } = await signedIn(browser, site);
    await openPost(page, 'Classic');
    await page.locator('.source .cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' More.');
    await save(page);
    expect(diff('posts/classic.html')).toEqual(['-The last paragraph.', '+The last paragraph. More.']);
    await context.close();
  });

  it('has what is typed in its place, however quickly it comes', async () => {
    const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.\n\n`).join('');
    await site.write('posts/2026/03/long.md', `---\nid: 7000\ntitle: Long\ndate: 2026-03-01\n---\n${paragraphs}`);
    await until(async () => (await site.ask('GET', '/cms/v2/posts/7000')).status === 200);
    const { page, context } = await signedIn(browser, site, { at: '?edit=posts/7000' });
    for (let at = 0; at < 20; at++) {
      await page
        .locator('.text > p')
        .nth(20 + at)
        .click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type(`Typed ${at}.`);
    }
    const typed = await page.locator('.text > p').allInnerTexts();
    expect(typed.slice(21, 41)).toEqual(Array.from({ length: 20 }, (_, at) => `Typed ${at}.`));
    await context.close();
  });

  it('is not written when nothing was changed', async () => {
    const { page, context } = await signedIn(browser, site);
    await openPost(page, 'The quay');
    await page.click('text="Source"');
    await page.click('text="Source"');
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[role=status]:has-text("Nothing has changed")');
    expect(git('status', '--porcelain')).toBe('');
    await context.close();
  });
});

describe('two people with one post', () => {
  it('keep what each has changed in another place', async () => {
    const [one, other] = [await signedIn(browser, site), await signedIn(browser, site)];
    await openPost(one.page, 'Shared');
    await openPost(other.page, 'Shared');
    await writeAfter(one.page, 'One.', ' Mine.');
    await writeAfter(other.page, 'Three.', ' Theirs.');
    await other.page.getByLabel('Title').fill('Shared by two');
    await save(other.page);
    await save(one.page);
    expect(await site.read('posts/shared.md')).toMatch(
      /title: Shared by two\n[\s\S]*One\. Mine\.\n\nTwo\.\n\nThree\. Theirs\.\n$/,
    );
    // Both are shown now, or the next save would take back what the other has changed.
    await one.page.waitForSelector('.text p:has-text("Three. Theirs.")');
    expect(await one.page.getByLabel('Title').inputValue()).toBe('Shared by two');
    await one.page.keyboard.press('Control+s');
    await one.page.waitForSelector('[role=status]:has-text("Nothing has changed")');
    await one.context.close();
    await other.context.close();
  });

  it('are asked where both have changed one paragraph, and lose nothing', async () => {
    const { page, context } = await signedIn(browser, site);
    await openPost(page, 'Both');
    await writeAfter(page, 'Two.', ' Mine.');
    // As with an editor on the server.
    const text = await site.read('posts/both.md');
    await site.write('posts/both.md', text.replace('Two.', 'Two, by hand.'));
    await until(async () => (await site.ask('GET', '/cms/v2/posts?search=hand')).body.length === 1);
    await page.keyboard.press('Control+s');
    await page.waitForSelector('.conflicts');
    expect(await page.textContent('.conflicts')).toContain('Two. Mine.');
    expect(await page.textContent('.conflicts')).toContain('Two, by hand.');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Both, one below the other').check();
    await page.click('text="Continue"');
    await save(page);
    expect(await site.read('posts/both.md')).toContain('\n\nTwo. Mine.\n\nTwo, by hand.\n\nThree.\n');
    await context.close();
  });

  it('see what changes on disk while the page is open', async () => {
    const { page, context } = await signedIn(browser, site);
    await openPost(page, 'Disk');
    await page.click('.text p:has-text("Three.")', { position: { x: 5, y: 10 } });
    await page.keyboard.press('End');
    const text = await site.read('posts/disk.md');
    await site.write('posts/disk.md', text.replace('One.', 'One, from elsewhere.'));
    await page.waitForSelector('.text p:has-text("from elsewhere")', { timeout: 4000 });
    // Whoever is about to write goes on in the same place.
    await page.keyboard.type(' Mine.');
    await page.waitForSelector('.text p:text-is("Three. Mine.")');
    await save(page);
    expect(await site.read('posts/disk.md')).toMatch(/\nOne, from elsewhere\.\n\nTwo\.\n\nThree\. Mine\.\n$/);
    await context.close();
  });
});

it('a former state is shown with what has changed since, and taken back', async () => {
  const { page, context, told } = await signedIn(browser, site);
  await openPost(page, 'First post');
  await writeAfter(page, 'Lorem ipsum', ' A word.');
  await save(page);
  await writeAfter(page, 'Lorem ipsum', ' A mistake.');
  await save(page);
  await expect.poll(() => site.read('posts/first-post.md')).toContain(' A word. A mistake.');
  await page.click('text="Revisions"');
  await page.locator('.revisions button').last().click();
  expect(await page.textContent('.difference')).toContain('A mistake.');
  expect(await faultsOf(page)).toEqual([]);
  await page.click('text="Restore this revision"');
  await page.waitForSelector('[role=status]:has-text("then save")');
  await save(page);
  expect(await site.read('posts/first-post.md')).not.toContain('A mistake.');
  expect(told).toEqual([]);
  await context.close();
});

it('comments that wait are approved', async () => {
  const { body } = await site.ask('GET', '/cms/v2/posts?search=quay');
  const made = await site.ask('POST', '/cms/v2/comments', {
    as: 'admin',
    body: {
      post: body[0].id,
      author_name: 'Ben',
      author_email: 'ben@example.com',
      content: 'Lovely <b>words</b>',
      status: 'hold',
    },
  });
  expect(made.status).toBe(201);
  const { page, context, told } = await signedIn(browser, site);
  await page.click('nav >> text="Comments"');
  await page.waitForSelector('.comments li');
  expect(await faultsOf(page)).toEqual([]);
  await page.click('.comments >> text="Approve"');
  await page.waitForSelector('[role=status]:has-text("Ben: Approve")');
  expect((await site.ask('GET', `/cms/v2/comments/${made.body.id}`)).body.status).toBe('approved');
  expect(told).toEqual([]);
  await context.close();
});

it('restores what was written offline', async () => {
  const { page, context } = await signedIn(browser, site);
  await openPost(page, 'First post');
  await context.setOffline(true);
  await writeAfter(page, 'Lorem ipsum', ' Offline words.');
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=alert]:has-text("cannot be reached")');
  await context.setOffline(false);
  await openPost(page, 'First post');
  await page.click('text="Continue editing"');
  await page.waitForSelector('.text p:has-text("Offline words.")');
  await save(page);
  expect(diff('posts/first-post.md').at(-1)).toBe('+Lorem ipsum dolor sit amet, consectetur _adipiscing_ elit. Offline words.');
  await context.close();
});

describe('a contributor', () => {
  it('can only write drafts, and their scripts run nowhere', async () => {
    const { as, id } = await signUp(site, 'carla', 'contributor');
    await updateUser(site.site, id, { password });
    const { page, context } = await signedIn(browser, site, { login: 'carla' });
    await page.click('text="Add post"');
    await page.getByLabel('Title').fill('A draft');
    expect(await page.locator('text="Publish"').count()).toBe(0);
    await page.click('text="Save draft"').catch(() => page.click('text="Save"'));
    await page.waitForSelector('[role=status]:has-text("Saved")');
    expect(await page.locator('text="Submit for review"').count()).toBe(1);
    await context.close();
    const texts = [...scripts, ...scripts.map((script) => `[a](${script})\n\n<${script}>\n\n![a](${script})`)];
    const made = await site.ask('POST', '/cms/v2/posts', {
      as,
      body: { title: scripts.join(' '), content: texts.join('\n\n'), excerpt: scripts.join(' ') },
    });
    expect(made.status).toBe(201);
    // By hand, unfiltered.
    const wild = `---\ntitle: Wild\nstatus: draft\ndate: 2026-01-01T10:00:00\n---\n`;
    await site.write('posts/wild.md', wild + texts.join('\n\n'));
    await site.write('posts/wild-markup.html', wild.replace('Wild', 'Wild markup') + texts.join('\n\n'));
    await until(async () => (await site.ask('GET', '/cms/v2/posts?status=draft&search=wild', { as: 'admin' })).body.length >= 2);
    const editor = await signedIn(browser, site);
    const ran = whatRuns(editor.page, site);
    for (const list of await site.ask('GET', '/cms/v2/posts?status=draft&_fields=id', { as: 'admin' }).then(({ body }) => body)) {
      await editor.page.goto(`${site.url}/cms-admin/?edit=posts/${list.id}`);
      await editor.page.waitForSelector('.text, .source');
      for (const name of ['Preview', 'Source']) {
        const button = editor.page.locator(`.body button:text-is("${name}")`);
        if ((await button.count()) > 0) await button.click();
      }
      await editor.page.waitForTimeout(200);
    }
    expect(ran).toEqual([]);
    expect(
      await editor.page.evaluate(() => document.querySelectorAll('[onerror], [onload], [onclick], script:not([src])').length),
    ).toBe(0);
    await editor.context.close();
  });
});

it('speaks German to those who do, with no word left out', async () => {
  await updateUser(site.site, 1, { locale: 'de_DE' });
  const { page, context } = await signedIn(browser, site, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.waitForSelector('h1:has-text("Beiträge")');
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  expect(await faultsOf(page)).toEqual([]);
  await updateUser(site.site, 1, { locale: 'en_US' });
  await context.close();
});

it('is for those who are signed in, and leads there from where others look for it', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${site.url}/wp-admin/`);
  expect(new URL(page.url()).pathname).toBe('/cms-login.php');
  expect((await site.ask('GET', '/cms-admin/files/../../site.yaml', { raw: true })).status).toBe(404);
  await context.close();
});

it('can be switched off by the operator', async () => {
  const off = await editorSite({ operator: { editor: false } });
  expect((await off.ask('GET', '/cms-admin/', { raw: true })).status).toBe(404);
  await off.close();
});

it('is small', async () => {
  const { context, page } = await signedIn(browser, site);
  const sizes = new Map<string, number>();
  const { gzipSync } = await import('node:zlib');
  page.on('response', async (response) => {
    if (response.url().includes('/cms-admin/files/')) sizes.set(response.url(), gzipSync(await response.body()).length);
  });
  const sum = (): number => [...sizes.values()].reduce((all, one) => all + one, 0);
  await page.reload();
  await page.waitForSelector('.items li');
  expect(sum()).toBeLessThan(150_000);
  await openPost(page, 'The quay');
  await expect.poll(sum).toBeGreaterThan(50_000);
  const visual = sum();
  await page.click('text="Source"');
  await expect.poll(sum).toBeGreaterThan(visual);
  await openPost(page, 'Classic');
  await page.waitForSelector('.source .cm-content');
  expect(sum()).toBeLessThan(450_000);
  await context.close();
});
