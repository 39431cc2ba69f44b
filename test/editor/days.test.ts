/** Days of people who write: on a phone, for review, beside a program that writes files, and on sites that came from elsewhere. */
import { existsSync } from 'node:fs';
import { cp, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { run, temporary } from '../cli/run.ts';
import { openBrowser } from '../support/browser.ts';
import { asPerson } from '../support/git-site.ts';
import { astroSite, hugoSite, jekyllSite, writeFiles } from '../support/markdown-sites.ts';
import { picture } from '../support/media.ts';
import { signUp, type TestSite, until } from '../support/site.ts';
import { wxrSite } from '../support/wxr-site.ts';
import { editorSite, faultsInBoth, type Opened, password, phone, signedIn } from './editor-site.ts';

const corpus = join(import.meta.dirname, '../../../shared/corpus');
const hasCorpus = existsSync(corpus);
if (!hasCorpus) console.warn('no published sites at ../shared/corpus: samples of this repository are edited in their place');

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const commit = (dir: string): void => {
  if (!existsSync(join(dir, '.git'))) asPerson(dir, 'init', '-q', '-b', 'main');
  asPerson(dir, 'add', '--all');
  asPerson(dir, 'commit', '-qm', 'State');
};
/** Lines of the whole folder that were added and taken away, but for the date of the change. */
const diff = (dir: string): readonly string[] =>
  asPerson(dir, 'diff', '-U0')
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2}|modified\b|lastmod\b)/.test(line));

const saved = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+s');
  // In the language of the site.
  await page.waitForSelector('[role=status]:text-matches("Saved|Gespeichert")');
};
const intoText = async (page: Page): Promise<void> => {
  await page.tap('.text');
  // Nobody types as soon: 20 ms after it has the focus the editor shows its selection.
  await page.waitForTimeout(200);
};
const signOut = async ({ page, context }: Opened): Promise<void> => {
  await page.click('nav a[href$="action=logout"]');
  await page.waitForURL(/action=logout/);
  await page.click('form button.main');
  await page.waitForSelector('#login');
  await page.goto(new URL('/cms-admin/', page.url()).href);
  await page.waitForSelector('#login');
  await context.close();
};

describe('on a site of one’s own', () => {
  const text = 'One.\n\nTwo.\n\nThree.\n';
  let site: TestSite;
  beforeAll(async () => {
    site = await editorSite({
      files: {
        'posts/shared.md': `---\nid: 70\ntitle: Shared\ndate: 2026-01-02T10:00:00\n---\n${text}`,
        'posts/crash.md': `---\nid: 71\ntitle: Crash\ndate: 2026-01-02T10:00:00\n---\n${text}`,
      },
    });
    await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 2);
    commit(site.dir);
  });
  afterAll(() => site.close());

  const bodyOf = async (path: string): Promise<string> => (await site.read(path)).replace(/^---\n[\s\S]*?\n---\n/, '');
  const writeAfter = async (page: Page, words: string, more: string): Promise<void> => {
    await page.click(`.text p:has-text("${words}")`, { position: { x: 5, y: 10 } });
    await page.keyboard.press('End');
    await page.keyboard.type(more);
  };

  it('a post with a picture is written on a phone elsewhere, scheduled in the time of the site, and seen as a file', async () => {
    const opened = await signedIn(browser, site, { ...phone, timezoneId: 'America/New_York' });
    const { page, told } = opened;
    await page.tap('text="Add post"');
    await page.getByLabel('Title').fill('From the ferry');
    await intoText(page);
    await page.keyboard.type('The sea is calm.');
    await page.keyboard.press('Enter');
    await page.tap('button[aria-label=Image]');
    await page.setInputFiles('dialog input[type=file]', { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await page.getByLabel('Alternative text').fill('The sea from the ferry');
    await page.tap('dialog button.main');
    await page.waitForSelector('.text img[src^="/uploads/"]');
    await page.getByLabel('Date (site time: Europe/Berlin)').fill('2041-07-01T08:00');
    expect(await faultsInBoth(page)).toEqual([]);
    await page.tap('text="Schedule"');
    await page.waitForSelector('[role=status]:has-text("Scheduled for Jul 1, 2041, 8:00")');
    asPerson(site.dir, 'add', '--all', '--intent-to-add');
    const path = asPerson(site.dir, 'diff', '--name-only', '--', 'posts').trim();
    expect(await site.read(path)).toMatch(
      /title: From the ferry\n[\s\S]*date: 2041-07-01T08:00:00\n[\s\S]*\nThe sea is calm\.\n\n!\[The sea from the ferry\]\(\/uploads\/\S*sea\.jpg\)\n$/,
    );
    const [post] = (await site.ask('GET', '/cms/v2/posts?status=future&context=edit', { as: 'admin' })).body;
    expect(post).toMatchObject({ date: '2041-07-01T08:00:00', date_gmt: '2041-07-01T06:00:00' });
    // What git shows is seen in the page, too.
    await page.tap('nav >> text="Changes"');
    await page.tap(`button:has-text("${path}")`);
    await page.waitForSelector('pre:has-text("+The sea is calm.")');
    expect(told).toEqual([]);
    await signOut(opened);
    commit(site.dir);
  });

  it('a contributor submits a post, which is reviewed and published', async () => {
    const { id } = await signUp(site, 'carla', 'contributor');
    await updateUser(site.site, id, { password });
    const morning = await signedIn(browser, site, { ...phone, login: 'carla' });
    const { page } = morning;
    expect(await page.locator('nav >> text=/^(?:Media|Comments|Menus|People|Settings|Changes|Terms|Pages)$/').count()).toBe(0);
    await page.tap('text="Add post"');
    await page.getByLabel('Title').fill('Seen today');
    await intoText(page);
    await page.keyboard.type('Three seals.');
    // What needs other rights is not offered.
    expect(await page.locator('text="Publish"').count()).toBe(0);
    expect(await page.getByLabel('Status').locator('option').allTextContents()).toEqual(['Draft', 'Pending review']);
    await page.tap('text="Submit for review"');
    await page.waitForSelector('[role=status]:has-text("Saved.")');
    expect(await page.getByLabel('Status').inputValue()).toBe('pending');
    expect(await faultsInBoth(page)).toEqual([]);
    await page.goto(`${site.url}/cms-admin/`);
    await page.waitForSelector('.items li:has-text("Seen today") >> text="Pending review"');
    // Others' posts are there to read.
    expect(await page.locator('.items li:has-text("Shared") a').getAttribute('href')).toMatch(/\/shared\/$/);
    await page.goto(`${site.url}/cms-admin/?edit=posts/70`);
    await page.waitForSelector('[role=alert]');
    await signOut(morning);

    const editor = await signedIn(browser, site);
    await editor.page.getByLabel('Status').selectOption('pending');
    await editor.page.click('.items >> text="Seen today"');
    await editor.page.waitForSelector('.text');
    await writeAfter(editor.page, 'Three seals.', ' And a porpoise.');
    await editor.page.click('text="Publish"');
    await editor.page.waitForSelector('[role=status]:has-text("Saved.")');
    expect((await site.ask('GET', '/cms/v2/posts?search=seals')).body[0].content.rendered).toContain('And a porpoise.');
    await signOut(editor);

    const evening = await signedIn(browser, site, { login: 'carla' });
    await evening.page.waitForSelector('.items li:has-text("Seen today") >> text="Published"');
    // It is public now, and no draft of theirs any more.
    expect(await evening.page.locator('.items li:has-text("Seen today") a').getAttribute('href')).not.toContain('?edit=');
    await signOut(evening);
    commit(site.dir);
  });

  it('a program that writes the file as vim does is seen, and neither loses anything', async () => {
    const path = join(site.dir, 'posts/shared.md');
    /** A copy beside it, a probe, the file anew under its name, and all of that away. */
    const writeLikeVim = async (change: (text: string) => string): Promise<void> => {
      const before = await site.read('posts/shared.md');
      await writeFile(join(site.dir, 'posts/.shared.md.swp'), 'b0VIM 9.0');
      await writeFile(join(site.dir, 'posts/4913'), '');
      await unlink(join(site.dir, 'posts/4913'));
      await rename(path, `${path}~`);
      await writeFile(path, change(before));
      await unlink(`${path}~`);
      await unlink(join(site.dir, 'posts/.shared.md.swp'));
    };
    const { page, context, told } = await signedIn(browser, site, { at: '?edit=posts/70' });
    await page.waitForSelector('.text p:has-text("One.")');
    await writeLikeVim((text) => text.replace('One.', 'One, in vim.'));
    await page.waitForSelector('.text p:has-text("One, in vim.")');
    await writeAfter(page, 'Three.', ' Mine.');
    await writeLikeVim((text) => text.replace('Two.', 'Two, in vim.'));
    await page.waitForSelector('[role=status]:has-text("changed this meanwhile")');
    await saved(page);
    expect(await bodyOf('posts/shared.md')).toBe('One, in vim.\n\nTwo, in vim.\n\nThree. Mine.\n');
    // The other way about: what the page has written is there for the next look of the program.
    await writeLikeVim((text) => text.replace('One, in vim.', 'One.'));
    await page.waitForSelector('.text p:text-is("One.")');
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[role=status]:has-text("Nothing has changed")');
    expect(await bodyOf('posts/shared.md')).toBe('One.\n\nTwo, in vim.\n\nThree. Mine.\n');
    expect((await site.ask('GET', '/cms/v2/posts?search=vim')).body).toHaveLength(1);
    expect(told).toEqual([]);
    await context.close();
    commit(site.dir);
  });

  it('a tab that crashes takes nothing with it', async () => {
    const { page, context } = await signedIn(browser, site, { at: '?edit=posts/71' });
    await page.waitForSelector('.text p:has-text("Two.")');
    await writeAfter(page, 'Two.', ' Before the crash.');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('Before the crash.');
    const crashed = page.waitForEvent('crash');
    const inside = await context.newCDPSession(page);
    inside.send('Page.crash').catch(() => {});
    await crashed;
    expect(await bodyOf('posts/crash.md')).toBe(text);
    const next = await context.newPage();
    await next.goto(`${site.url}/cms-admin/?edit=posts/71`);
    await next.click('text="Continue editing"');
    await next.waitForSelector('.text p:has-text("Two. Before the crash.")');
    await saved(next);
    expect(await bodyOf('posts/crash.md')).toBe('One.\n\nTwo. Before the crash.\n\nThree.\n');
    await context.close();
  });
});

describe('on a site from elsewhere, one paragraph is changed, and git shows that one', () => {
  const change = async (dir: string, slug: string, words: string): Promise<void> => {
    const site = await editorSite({ from: dir });
    try {
      const found = async () => (await site.ask('GET', `/cms/v2/posts?slug=${slug}`)).body;
      await until(async () => (await found()).length === 1);
      const [{ id }] = await found();
      // What the server writes by itself, such as ids, comes first.
      commit(site.dir);
      const { page, context, told } = await signedIn(browser, site, { at: `?edit=posts/${id}` });
      await page
        .locator(`.text p:has-text("${words}"), .source .cm-line:has-text("${words}")`)
        .first()
        .click({ position: { x: 3, y: 8 } });
      await page.keyboard.press('Home');
      await page.keyboard.type('More. ');
      await saved(page);
      const lines = diff(site.dir);
      expect(lines).toHaveLength(2);
      const [before = '', after = ''] = lines;
      expect(before).toContain(words);
      expect(after.replace('More. ', '').slice(1)).toBe(before.slice(1));
      // Pictures of other hosts are not asked for.
      expect(told.filter((line) => !line.startsWith("Loading the image 'http"))).toEqual([]);
      await context.close();
    } finally {
      await site.close();
    }
  };
  const adopted = async (write: (dir: string) => Promise<unknown>): Promise<string> => {
    const dir = await temporary();
    await write(dir);
    const { status, err } = await run(['init', dir, '--adopt', '--timezone', 'UTC', '--language', 'en_US']);
    expect(status, err).toBe(0);
    return dir;
  };
  const copyOf = (name: string) => (dir: string) => cp(join(corpus, name), dir, { recursive: true });

  it('Astro', () =>
    adopted((to) =>
      hasCorpus
        ? copyOf('astro')(to)
        : writeFiles(to, {
            ...astroSite(),
            'src/content/blog/second-post.md':
              "---\ntitle: 'Second post'\npubDate: 'Jul 15 2022'\n---\n\nLorem ipsum.\n\nMorbi tristique senectus\n",
          }),
    ).then((dir) => change(dir, 'second-post', 'Morbi tristique senectus')));

  it('Hugo', () =>
    adopted((to) =>
      writeFiles(to, {
        ...hugoSite(),
        'content/posts/walk.md':
          '+++\ntitle = \'Walk\'\ndate = 2026-03-01T10:00:00Z\n+++\n\nAlong   the quay, and *back*.\n\n{{< figure src="/images/cat.png" >}}\n\n* One\n* Two\n',
      }),
    ).then((dir) => change(dir, 'walk', 'the quay, and')));

  it('Jekyll', () =>
    adopted((to) =>
      hasCorpus
        ? copyOf('poole')(to)
        : writeFiles(to, {
            ...jekyllSite(),
            '_posts/2020-04-02-example-content.md':
              '---\nlayout: post\ntitle: Example content\n---\n\n**Howdy!** Text.\n{: .message }\n\nCum sociis natoque *penatibus*.\n',
          }),
    ).then((dir) => change(dir, 'example-content', 'Cum sociis natoque')));

  it('an import', async () => {
    const into = join(await temporary(), 'site');
    let source = join(corpus, 'themeunittestdata.wordpress.xml');
    if (!hasCorpus) {
      source = join(await temporary(), 'export.xml');
      await writeFile(source, [...wxrSite()].join(''));
    }
    const { status, err } = await run(['import', source, '--into', into, '--no-media']);
    expect(status, err).toBeLessThan(2);
    if (hasCorpus) await change(into, 'markup-html-tags-and-formatting', 'Header three');
    else await change(into, 'post-6', 'A second paragraph with');
  });
});

it('somebody translates: begins in the list, beside the original, and takes up what has changed there', async () => {
  const site = await editorSite({
    files: {
      'site.yaml':
        'name: Quay\ndeployment: extended\nlang:\n  default: en\n  languages:\n    en: {native_name: English}\n    de: {native_name: Deutsch}\n',
      'posts/quay.md': '---\nid: 30\ntitle: The quay\ndate: 2026-03-01T10:00:00\n---\nOne.\n\nTwo.\n\nThree.\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 1);
  const { id } = await signUp(site, 'tove', 'editor');
  await updateUser(site.site, id, { password, locale: 'de_DE' });
  const morning = await signedIn(browser, site, { ...phone, login: 'tove' });
  const { page } = morning;
  await page.waitForSelector('h1:has-text("Beiträge")');
  expect(await page.locator('nav >> text=/^(?:Menüs|Personen|Einstellungen|Änderungen)$/').count()).toBe(0);
  await page.tap('.items >> text=/^Übersetzen: Deutsch$/');
  await page.waitForSelector('.original:has-text("Two.")');
  await page.getByLabel('Titel', { exact: true }).fill('Die Mole');
  await intoText(page);
  await page.keyboard.type('Zwei.');
  await page.tap('text="Veröffentlichen"');
  await page.waitForSelector('[role=status]:has-text("Gespeichert.")');
  const address = page.url();
  const [mole] = (await site.ask('GET', '/cms/v2/posts?lang_language=de&context=edit', { as: 'admin' })).body;
  expect(mole).toMatchObject({ lang: 'de', translation_of: 30, status: 'publish', author: id });
  expect(mole.content.raw).toBe('Zwei.');
  await signOut(morning);

  // Times are told in seconds.
  await until(() => Date.now() >= Date.parse(`${mole.modified_gmt}Z`) + 1000);
  await site.ask('POST', '/cms/v2/posts/30', { as: 'admin', body: { content: 'One.\n\nTwo, at low water.\n\nThree.\n' } });
  const evening = await signedIn(browser, site, { login: 'tove', at: new URL(address).search });
  await evening.page.waitForSelector('.original:has-text("Two, at low water.")');
  await evening.page.click('.text p:has-text("Zwei.")', { position: { x: 5, y: 10 } });
  await evening.page.keyboard.press('End');
  await evening.page.keyboard.type(' Bei Ebbe.');
  await saved(evening.page);
  expect((await site.ask('GET', `/cms/v2/posts/${mole.id}`)).body.content.rendered).toContain('Zwei. Bei Ebbe.');
  await signOut(evening);
  await site.close();
});
