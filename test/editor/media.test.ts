/** The library in the page where people write: folders, and pictures that are cut and turned. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { picture } from '../support/media.ts';
import type { TestSite } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml':
        'name: Harbour\ntimezone: UTC\ndeployment: extended\nlang: { languages: { en: { locale: en_US } }, url: { default_in_directory: false } }\n',
    },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

interface Medium {
  readonly id: number;
  readonly alt_text: string;
  readonly media_details: { readonly width: number; readonly height: number };
}
const media = async (query = ''): Promise<readonly Medium[]> =>
  (await site.ask('GET', `/cms/v2/media?orderby=id&order=asc&${query}`, { as: 'admin' })).body;

it('a picture is cut and turned into a new one, by keyboard and by pointer', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?media=' });
  await page.setInputFiles('input[type=file]', { name: 'quay.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await page.getByLabel('Alternative text').fill('The quay');
  await page.click('.chosen >> text="Save"');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  const [before] = await media();
  await page.click('text="Crop and rotate"');
  await page.getByLabel('Width (%)').fill('50');
  await page.getByRole('button', { name: 'Rotate right' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Rotated 90°")');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.click('text="Save as a new image"');
  await page.waitForSelector('dialog', { state: 'detached' });
  const [kept, made] = await media();
  expect(kept).toEqual(before);
  const { width, height } = (before as Medium).media_details;
  expect(made).toMatchObject({ alt_text: 'The quay', media_details: { width: height, height: Math.round(width / 2) } });
  await page.click('text="Crop and rotate"');
  const box = await page.locator('.crop').boundingBox();
  if (!box) throw new Error('The picture is not seen.');
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(Number(await page.getByLabel('Width (%)').inputValue())).toBeCloseTo(25, -1);
  expect(told).toEqual([]);
  await context.close();
});

it('folders are made, filled, named otherwise and taken away', async () => {
  const { page, context, told } = await signedIn(browser, site, { at: '?media=' });
  await page.getByLabel('Name of a folder').fill('Brand');
  await page.click('text="New folder"');
  await page.waitForSelector('[role=status]:has-text("Added: Brand")');
  await page.locator('.media button').first().click();
  await page.getByLabel('Move the selected file to').selectOption({ label: 'Brand' });
  await page.waitForSelector('[role=status]:has-text("Moved to Brand.")');
  await page.getByLabel('Current folder').selectOption({ label: 'Brand' });
  await expect.poll(() => page.locator('.media li').count()).toBe(1);
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByLabel('Name of a folder').fill('House');
  await page.click('text="Rename Brand"');
  await page.waitForSelector('text="Rename House"');
  expect(await site.read('media-folders/shared.yaml')).toMatch(/name: House/);
  await page.click('text="Delete the folder"');
  await page.waitForSelector('[role=status]:has-text("House was deleted; its files were kept.")');
  expect(await media()).toHaveLength(2);
  expect(told).toEqual([]);
  await context.close();
});
