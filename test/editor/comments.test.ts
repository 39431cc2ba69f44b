/** The queue of comments in the page where people write. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import type { TestSite } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

let site: TestSite;
let browser: Browser;
let post: number;
beforeAll(async () => {
  site = await editorSite();
  const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'The quay', status: 'publish' } });
  post = made.body.id;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function comment(name: string): Promise<number> {
  const { status, body } = await site.ask('POST', '/cms/v2/comments', {
    as: 'admin',
    body: { post, author_name: name, author_email: 'a@example.com', content: `Words of ${name}`, status: 'hold' },
  });
  expect(status).toBe(201);
  return body.id;
}
const present = async (id: number): Promise<{ status: string; content: { raw: string }; author_name: string }> =>
  (await site.ask('GET', `/cms/v2/comments/${id}?context=edit`, { as: 'admin' })).body;

it('a comment is answered, corrected, marked as spam and taken back', async () => {
  const id = await comment('Ben');
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?comments=' });
  await page.click('.comments >> text="Edit"');
  await page.getByLabel('Comment', { exact: true }).fill('Words of Ben, shorter');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('.comments form >> text="Save"');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect((await present(id)).content.raw).toBe('Words of Ben, shorter');
  await page.click('.comments >> text="Reply"');
  await page.getByLabel('Reply to Ben').fill('Thank you');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="Approve and reply"');
  await page.waitForSelector('[role=status]:has-text("Reply to Ben published.")');
  expect((await present(id)).status).toBe('approved');
  const replies = await site.ask('GET', `/cms/v2/comments?parent=${id}`);
  expect(replies.body).toMatchObject([{ author_name: 'admin', parent: id }]);
  await page.getByLabel('Status').selectOption('approve');
  await page.locator('.comments li', { hasText: 'Words of Ben' }).locator('text="Mark as spam"').click();
  await page.waitForSelector('[role=status]:has-text("Ben: Mark as spam")');
  expect((await present(id)).status).toBe('spam');
  await page.getByLabel('Status').selectOption('spam');
  await page.click('.comments >> text="Not spam"');
  await page.waitForSelector('[role=status]:has-text("Ben: Not spam")');
  expect((await present(id)).status).toBe('approved');
  expect(told).toEqual([]);
  await context.close();
});

it('several comments go to the trash and are deleted for good, by keyboard', async () => {
  const ids = [await comment('Ada'), await comment('Eve')];
  const { page, context } = await signedIn(browser, site, { at: '?comments=' });
  const all = async (action: string): Promise<void> => {
    await page.waitForSelector('.comments li:nth-child(2)');
    await page.getByLabel('Select all on this page').focus();
    await page.keyboard.press('Space');
    await page.locator(`.bulk button:text-is("${action}")`).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.bulk [role=status]:has-text("${action}: 2 done.")`);
  };
  await all('Move to trash');
  for (const id of ids) expect((await present(id)).status).toBe('trash');
  await page.getByLabel('Status').selectOption('trash');
  await all('Delete permanently');
  for (const id of ids) expect((await site.ask('GET', `/cms/v2/comments/${id}`, { as: 'admin' })).status).toBe(404);
  await context.close();
});
