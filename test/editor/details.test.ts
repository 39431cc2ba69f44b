/** What else can be said of an item, and its custom fields, in the page where people write. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type TestSite, until } from '../support/site.ts';
import { editorSite, faultsInBoth, phone, signedIn } from './editor-site.ts';

const settings = `name: Harbour
timezone: UTC
deployment: extended
lang: { languages: { en: { locale: en_US } }, url: { default_in_directory: false } }
templates: { wide: Wide and calm }
types: { boat: { rest_base: boats, fields: { hull: { type: string, description: Hull }, masts: integer } } }
fields:
  - key: group_hero
    title: Page hero
    location: [[{ param: type, value: page }]]
    fields:
      - { key: field_sub, name: subtitle, label: Subtitle, type: text, maxlength: 120 }
      - { key: field_price, name: price, label: Price, type: number, min: 0 }
      - { key: field_day, name: day, label: Day, type: date }
      - { key: field_fresh, name: fresh, label: Fresh, type: true_false }
      - { key: field_hue, name: hue, label: Hue, type: select, choices: { red: Red as rust, blue: Blue } }
      - { key: field_rel, name: related, label: Related, type: relationship, types: [page] }
      - { key: field_hours, name: hours, label: Hours, type: repeater, max: 3, fields: [{ key: field_d, name: day, label: Weekday, type: text }] }
      - key: field_parts
        name: parts
        label: Parts
        type: flexible_content
        layouts:
          words: { fields: [{ key: field_body, name: body, label: Body, type: wysiwyg }] }
          teaser: { fields: [{ key: field_to, name: to, label: To, type: text }] }
`;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await editorSite({
    files: {
      'site.yaml': settings,
      'pages/about.md':
        '---\nid: 20\ntitle: About\ndate: 2026-03-01\nfields:\n  subtitle: Who we are\n  hours:\n    - { day: Monday }\n---\nText.\n',
      'pages/harbour.md': '---\nid: 21\ntitle: Harbour walls\ndate: 2026-03-01\n---\nText.\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/pages')).body.length === 2);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it('the parent, order, password and comments of a page are set', async () => {
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?edit=pages/20' });
  await page.click('summary:text-is("Attributes")');
  await page.getByLabel('Search: Parent').fill('walls');
  await page.click('.terms button:text-is("Harbour walls")');
  await page.getByLabel('Order').fill('7');
  await page.getByLabel('Template').selectOption('Wide and calm');
  await page.click('summary:text-is("Visibility and discussion")');
  await page.getByLabel('Password for readers').fill('pearl');
  await page.getByLabel('Allow comments').click();
  expect(await faultsInBoth(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  const { body } = await site.ask('GET', '/cms/v2/pages/20?context=edit', { as: 'admin' });
  expect(body).toMatchObject({ parent: 21, menu_order: 7, template: 'wide', password: 'pearl', comment_status: 'open' });
  expect(told).toEqual([]);
  await context.close();
});

it('custom fields are forms: texts, numbers, days, choices, references, rows and layouts', async () => {
  const { page, context, told } = await signedIn(browser, site, { at: '?edit=pages/20' });
  await page.getByLabel('Subtitle').fill('Who we were');
  await page.getByLabel('Price').fill('7.5');
  await page.getByLabel('Day', { exact: true }).fill('2026-05-06');
  await page.getByLabel('Fresh').check();
  await page.getByLabel('Hue').selectOption('Red as rust');
  await page.getByLabel('Search: Related').fill('walls');
  await page.click('.more button:text-is("Harbour walls")');
  await page.click('text="Add a row"');
  await page.getByLabel('Weekday').last().fill('Friday');
  await page.locator('.repeated', { hasText: 'Row 2' }).locator('text="Move up"').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status]:has-text("Row 2 moved to 1.")', { state: 'attached' });
  await page.click('text="Add: teaser"');
  await page.getByLabel('To', { exact: true }).fill('The quay');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  expect(told).toEqual([]);
  await context.close();
  const { body } = await site.ask('GET', '/fields/v3/pages/20?fields_format=light&password=pearl', { as: 'admin' });
  expect(body.fields).toMatchObject({
    subtitle: 'Who we were',
    price: 7.5,
    day: '20260506',
    fresh: true,
    hue: 'red',
    related: [21],
    hours: [{ day: 'Friday' }, { day: 'Monday' }],
    parts: [{ fields_layout: 'teaser', to: 'The quay' }],
  });
  // Where its parent is.
  expect(await site.read('pages/harbour/about.md')).toMatch(/^ {2}subtitle: Who we were$/m);
});

it('two people who change two fields keep both', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?edit=pages/21' });
  await page.getByLabel('Subtitle').fill('Mine');
  await site.ask('POST', '/cms/v2/pages/21', { as: 'admin', body: { fields: { price: 3 } } });
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved")');
  const { body } = await site.ask('GET', '/fields/v3/pages/21?fields_format=light', { as: 'admin' });
  expect(body.fields).toMatchObject({ subtitle: 'Mine', price: 3 });
  await context.close();
});

it('a new item of a type of one’s own has the fields that are declared for it', async () => {
  const { page, context } = await signedIn(browser, site, { at: '?new=boats' });
  await page.getByLabel('Title').fill('Anna');
  await page.getByLabel('Hull').fill('Oak');
  await page.getByLabel('Masts').fill('2');
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[role=status]:has-text("Saved.")');
  const [boat] = (await site.ask('GET', '/cms/v2/boats?status=draft&context=edit', { as: 'admin' })).body;
  expect(boat.fields).toEqual({ hull: 'Oak', masts: 2 });
  await context.close();
});

it('findings of the file stand beside the fields they are about, and go when it is right', async () => {
  const front = '---\nid: 90\ntitle: Odd\ndate: 2026-03-01\n';
  await site.write('pages/odd.md', `${front}stauts: draft\nfeatured_media: none.jpg\n---\n[There](/nowhere-at-all/)\n`);
  await until(async () => (await site.ask('GET', '/cms/v2/pages/90')).status === 200);
  const { page, context, told } = await signedIn(browser, site, { ...phone, at: '?edit=pages/90' });
  await page.getByText('3 findings in the file').waitFor();
  const after = (field: string) => page.locator(`${field} + .findings`).allInnerTexts();
  expect(await page.locator('.main-column > .findings').allInnerTexts()).toEqual([expect.stringContaining('/nowhere-at-all/')]);
  expect(await after('[data-at="featured_media"]')).toEqual([expect.stringContaining('none.jpg')]);
  expect(await page.locator('.findings', { hasText: 'stauts' }).count()).toBe(1);
  expect(await faultsInBoth(page)).toEqual([]);
  // Somebody puts it right in the file.
  await site.write('pages/odd.md', `${front}stauts: draft\n---\nText.\n`);
  await page.getByText('One finding in the file').waitFor();
  expect(await page.locator('.main-column > .findings').count()).toBe(0);
  expect(told).toEqual([]);
  await context.close();
});
