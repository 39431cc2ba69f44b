/** What others write runs in no screen of the page where people write, wherever it stands. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { asPerson } from '../support/git-site.ts';
import { picture } from '../support/media.ts';
import { activeAddresses, scripts } from '../support/scripts.ts';
import { signUp, type TestSite, until } from '../support/site.ts';
import { editorSite, signedIn, whatRuns } from './editor-site.ts';

const all = scripts.join(' ');
const line = JSON.stringify(all);
const settings = `name: Quay
deployment: extended
lang: { languages: { en: { locale: en_US } }, url: { default_in_directory: false } }
fields:
  - key: group_one
    title: One
    location: [[{ param: type, value: post }]]
    fields:
      - { key: field_a, name: mood, label: Mood, type: text }
      - { key: field_b, name: more, label: More, type: wysiwyg }
      - { key: field_c, name: away, label: Away, type: url }
`;
/** Files as somebody may bring them who sends a pull request. */
const files = {
  'site.yaml': settings,
  'posts/wild.md': `---\nid: 90\ntitle: ${line}\nexcerpt: ${line}\nauthor: mallory\ndate: 2026-01-01T10:00:00\nslug: wild\ncategories: [wild]\nfeatured_media: 2026/wild.jpg\nfields:\n  mood: ${line}\n  more: ${line}\n  away: "javascript:alert(1)"\nseo:\n  title: ${line}\n  description: ${line}\n  canonical: "javascript:alert(1)"\n---\n${scripts.join('\n\n')}\n`,
  'posts/wild-markup.html': `---\nid: 91\ntitle: ${line}\ndate: 2026-01-02T10:00:00\nslug: wild-markup\n---\n${scripts.join('\n\n')}\n`,
  'terms/category/wild.yaml': `id: 92\nname: ${line}\ndescription: ${line}\n`,
  'users/mallory.yaml': `id: 9\nname: ${line}\ndescription: ${line}\nurl: "javascript:alert(1)"\n`,
  'menus/wild.yaml': `id: 93\nname: ${line}\nitems:\n${[...activeAddresses, 'https://example.com/'].map((url) => `  - {title: ${line}, description: ${line}, url: ${JSON.stringify(url)}}\n`).join('')}`,
  'media/2026/wild.jpg.yaml': `id: 94\ntitle: ${line}\nalt: ${line}\ncaption: ${line}\ndescription: ${line}\n`,
};

let site: TestSite;
let browser: Browser;
let drafts: readonly number[] = [];
beforeAll(async () => {
  site = await editorSite({ files });
  const jpeg = await picture();
  await mkdir(join(site.dir, 'media/2026'), { recursive: true });
  for (const name of ['wild', '<img src=x onerror=alert(1)>', '" onmouseover="alert(1)', '{{constructor}}'])
    await writeFile(join(site.dir, `media/2026/${name}.jpg`), jpeg);
  await until(async () => (await site.ask('GET', '/cms/v2/media')).body.length >= 4);
  // And as those may send it who have an account of few rights, or none.
  const { as } = await signUp(site, 'carla', 'contributor');
  const made = await Promise.all([
    site.ask('POST', '/cms/v2/posts', { as, body: { title: all, excerpt: all, content: all, slug: 'x"onload=alert(1)' } }),
    site.ask('POST', '/cms/v2/posts', { as, body: { title: all, excerpt: all, content: scripts.join('\n\n') } }),
    site.ask('POST', '/cms/v2/users/me', { as, body: { name: all, first_name: all, description: all, nickname: all } }),
    ...scripts.slice(0, 12).map((content) =>
      site.ask('POST', '/cms/v2/comments', {
        as: 'admin',
        body: {
          post: 90,
          author_name: content,
          author_email: 'x@example.com',
          author_url: 'javascript:alert(1)',
          content,
          status: 'hold',
        },
      }),
    ),
  ]);
  drafts = made.slice(0, 2).map(({ status, body }) => {
    expect(status).toBe(201);
    return body.id;
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it('an administrator opens every screen, and no script of others runs', async () => {
  const { page, context } = await signedIn(browser, site);
  const ran = whatRuns(page, site);
  /** Whether what was shown has come, and nothing of it became more than text. */
  const look = async (place: string, there: string): Promise<void> => {
    await page.goto(`${site.url}/cms-admin/?${place}`);
    await page.locator(there).first().waitFor();
    for (const summary of await page.locator('main summary').all()) await summary.click();
    const active = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((one) =>
        [...one.attributes]
          .filter(
            ({ name, value }) =>
              /^on|^srcdoc$/.test(name) ||
              (/^(?:href|src|action|formaction)$/.test(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value)),
          )
          .filter(({ name }) => !(name === 'srcdoc' && one.getAttribute('sandbox') === ''))
          .map(({ name, value }) => `${place} <${one.localName} ${name}="${value.slice(0, 60)}">`),
      ),
    );
    expect(active).toEqual([]);
  };
  await look('list=posts', '.items li:has-text("script")');
  for (const id of [90, 91, ...drafts]) {
    await look(`edit=posts/${id}`, '.text, .source .cm-content');
    for (const name of ['Preview', 'Source']) {
      const button = page.locator(`.body button:text-is("${name}")`);
      if ((await button.count()) > 0) await button.click();
    }
    await page.locator('.source:visible, iframe.preview').first().waitFor();
    const revisions = page.locator('button:text-is("Revisions")');
    if ((await revisions.count()) === 0) continue;
    await revisions.click();
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
  }
  await look('terms=category', '.items li:has-text("script")');
  await look('terms=category/92', 'textarea');
  await look('media=', '.media button');
  for (const one of await page.locator('.media button').all()) await one.click();
  await look('comments=', '.comments li');
  await look('menus=93', '.tree li');
  await look('people=', '.items li:has-text("script")');
  await look('people=9', 'main h1');
  await look('settings=', 'fieldset');
  await look('list=pages', 'h1');
  expect(ran).toEqual([]);
  await context.close();
});

it('what others have changed and nobody has committed is text', async () => {
  const own = await editorSite({
    files: { 'posts/wild.md': '---\nid: 90\ntitle: Wild\ndate: 2026-01-01T10:00:00\n---\nText.\n' },
  });
  asPerson(own.dir, 'init', '-q', '-b', 'main');
  asPerson(own.dir, 'add', '--all');
  asPerson(own.dir, 'commit', '-qm', 'begin');
  await own.write('posts/wild.md', `${await own.read('posts/wild.md')}\n${all}\n`);
  await own.write('media/<img src=x onerror=alert(1)>.txt', all);
  const { page, context } = await signedIn(browser, own, { at: '?changes=' });
  const ran = whatRuns(page, own);
  await page.click('button:has-text("posts/wild.md")');
  await page.waitForSelector('pre:has-text("<script>")');
  expect(await page.locator('[onerror], [onload]').count()).toBe(0);
  expect(ran).toEqual([]);
  await context.close();
  await own.close();
});
