/**
 * Texts of blocks on pages of the default theme, in a real browser: what their classes mean shows. Computed styles are looked at, not
 * pixels: fonts differ from machine to machine.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../support/browser.ts';
import { boxes, computed } from '../../../support/in-page.mjs';
import { startSite, type TestSite } from '../../../support/site.ts';

const p = (text: string, attributes: object = {}, classes = ''): string =>
  `<!-- wp:paragraph ${JSON.stringify(attributes)} --><p${classes === '' ? '' : ` class="${classes}"`}>${text}</p><!-- /wp:paragraph -->`;
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const image = `<!-- wp:image --><figure class="wp-block-image"><img src="${picture}" alt=""/></figure><!-- /wp:image -->`;

/** As published test files have them. */
const texts = {
  colours: [
    p(
      'A',
      { textColor: 'vivid-red', backgroundColor: 'pale-pink' },
      'has-vivid-red-color has-pale-pink-background-color has-text-color has-background',
    ),
    p('B', { textColor: 'harbour' }, 'has-harbour-color has-text-color'),
    p('C', { fontSize: 'large' }, 'has-large-font-size'),
    p('D', { fontSize: 'tiny' }, 'has-tiny-font-size'),
  ].join('\n'),
  columns: `<!-- wp:columns --><div class="wp-block-columns"><!-- wp:column {"width":"25%"} --><div class="wp-block-column" style="flex-basis:25%">${p('left')}</div><!-- /wp:column --><!-- wp:column --><div class="wp-block-column">${p('right')}</div><!-- /wp:column --></div><!-- /wp:columns -->`,
  row: `<!-- wp:group {"layout":{"type":"flex","flexWrap":"nowrap","justifyContent":"space-between"}} --><div class="wp-block-group">${p('a')}${p('b')}</div><!-- /wp:group -->`,
  stack: `<!-- wp:group {"layout":{"type":"flex","orientation":"vertical","justifyContent":"right"}} --><div class="wp-block-group">${p('a')}${p('b')}</div><!-- /wp:group -->`,
  grid: `<!-- wp:group {"layout":{"type":"grid"}} --><div class="wp-block-group">${p('a')}${p('b')}</div><!-- /wp:group -->`,
  cover: `<!-- wp:cover {"dimRatio":70} --><div class="wp-block-cover"><span aria-hidden="true" class="wp-block-cover__background has-background-dim-70 has-background-dim"></span><img class="wp-block-cover__image-background" alt="" src="${picture}"/><div class="wp-block-cover__inner-container">${p('Over it', { style: { typography: { textAlign: 'center' } } }, 'has-text-align-center')}</div></div><!-- /wp:cover -->`,
  gallery: `<!-- wp:gallery {"columns":2} --><figure class="wp-block-gallery has-nested-images columns-2 is-cropped">${image}${image}</figure><!-- /wp:gallery -->`,
  buttons: `<!-- wp:buttons {"layout":{"type":"flex","justifyContent":"center"}} --><div class="wp-block-buttons"><!-- wp:button {"className":"is-style-outline"} --><div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="/x/">Go</a></div><!-- /wp:button --><!-- wp:button --><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="/x/">Stay</a></div><!-- /wp:button --></div><!-- /wp:buttons -->`,
  tables: `<!-- wp:table {"className":"is-style-stripes"} --><figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table></figure><!-- /wp:table -->`,
  own: `<!-- wp:group {"layout":{"type":"grid","columnCount":3},"style":{"spacing":{"blockGap":"7px"},"elements":{"link":{"color":{"text":"var:preset|color|harbour"}},"h2":{"color":{"text":"red;}</style><script>"}}}}} --><div class="wp-block-group has-link-color">${p('<a href="/x/">a</a>', { style: { layout: { columnSpan: 2 } } })}${p('b')}${p('c')}</div><!-- /wp:group -->`,
  menu: '<!-- wp:navigation --><!-- wp:navigation-link {"label":"Tides","url":"/tides/"} /--><!-- wp:navigation-submenu {"label":"Ships","url":"/ships/"} --><!-- wp:navigation-link {"label":"Tugs","url":"/tugs/"} /--><!-- /wp:navigation-submenu --><!-- /wp:navigation -->',
  lists: `<!-- wp:query {"queryId":1,"query":{"postType":"post","perPage":2,"inherit":false}} --><div class="wp-block-query"><!-- wp:post-template {"layout":{"type":"grid","columnCount":3}} --><!-- wp:post-title {"isLink":true} /--><!-- /wp:post-template --><!-- wp:query-pagination --><!-- wp:query-pagination-next /--><!-- /wp:query-pagination --></div><!-- /wp:query --><!-- wp:archives {"displayAsDropdown":true} /--><!-- wp:paragraph {"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}} --><p>wide alone</p><!-- /wp:paragraph -->`,
};

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  const posts = Object.entries(texts).map(([name, text], at) => [
    `posts/${name}.html`,
    `---\nid: ${100 + at}\ntitle: ${name}\ndate: 2025-${String(at + 1).padStart(2, '0')}-01\n---\n${text}\n`,
  ]);
  const settings =
    'theme:\n  settings:\n    color:\n      palette:\n        - {name: Harbour, slug: harbour, color: "#123456"}\n        - {name: Bad, slug: bad, color: "red;} body {display: none"}\n    typography:\n      fontSizes:\n        - {name: Tiny, slug: tiny, size: 9px}\n';
  site = await startSite({ files: { ...Object.fromEntries(posts), 'site.yaml': `name: Kai\n${settings}` } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function at<T>(name: keyof typeof texts, look: (page: Page) => Promise<T>, width = 1280): Promise<T> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    await page.goto(`${site.url}/${name}/`);
    expect((await page.screenshot()).length).toBeGreaterThan(1000);
    return await look(page);
  } finally {
    await context.close();
  }
}

const styles = (page: Page, selector: string, ...names: string[]): Promise<string[]> =>
  page.evaluate(computed, [`.content ${selector}`, names] as const);
const places = (page: Page, selector: string): Promise<number[][]> => page.evaluate(boxes, `.content ${selector}`);

describe('block content on a page', () => {
  it('has its colors and sizes', async () => {
    await at('colours', async (page) => {
      expect(await styles(page, 'p:nth-of-type(1)', 'color', 'background-color')).toEqual([
        'rgb(207, 46, 46)',
        'rgb(247, 141, 167)',
      ]);
      expect((await styles(page, 'p:nth-of-type(1)', 'padding-left'))[0]).not.toBe('0px');
      expect(await styles(page, 'p:nth-of-type(2)', 'color')).toEqual(['rgb(18, 52, 86)']);
      expect(await styles(page, 'p:nth-of-type(3)', 'font-size')).toEqual(['36px']);
      expect(await styles(page, 'p:nth-of-type(4)', 'font-size')).toEqual(['9px']);
      expect(await page.evaluate(computed, ['body', ['display']] as const)).toEqual(['block']);
    });
  });

  it('has columns, stacked on a phone', async () => {
    await at('columns', async (page) => {
      const [[left = 0, top, width = 0] = [], [right = 0, beside] = []] = await places(page, '.wp-block-column');
      expect([top === beside, right > left + width - 1]).toEqual([true, true]);
      const [[, , whole = 0] = []] = await places(page, '.wp-block-columns');
      expect(Math.abs(width - whole / 4)).toBeLessThan(30);
    });
    const [[left, top = 0] = [], [right, below = 0] = []] = await at('columns', (page) => places(page, '.wp-block-column'), 390);
    expect([left === right, below > top]).toEqual([true, true]);
  });

  it('has rows, stacks and grids', async () => {
    await at('row', async (page) => {
      expect(await styles(page, '.wp-block-group', 'display', 'flex-wrap', 'justify-content')).toEqual([
        'flex',
        'nowrap',
        'space-between',
      ]);
    });
    await at('stack', async (page) => {
      expect(await styles(page, '.wp-block-group', 'flex-direction', 'align-items')).toEqual(['column', 'flex-end']);
    });
    await at('grid', async (page) => {
      expect(await styles(page, '.wp-block-group', 'display')).toEqual(['grid']);
      const [[, top] = [], [, beside] = []] = await places(page, '.wp-block-group > p');
      expect(beside).toBe(top);
    });
  });

  it('has layouts and link colors of its own', async () => {
    await at('own', async (page) => {
      const [columns = '', gap] = await styles(page, '.wp-block-group', 'grid-template-columns', 'column-gap');
      expect([columns.split(' ').length, gap]).toEqual([3, '7px']);
      expect(await styles(page, 'a', 'color')).toEqual(['rgb(18, 52, 86)']);
      const [[, , wide = 0] = [], [, , narrow = 0] = []] = await places(page, '.wp-block-group > p');
      expect(Math.abs(wide - 2 * narrow - 7)).toBeLessThan(3);
      expect(await page.locator('script').count()).toBe(0);
    });
  });

  it('covers images, and has galleries', async () => {
    await at('cover', async (page) => {
      expect(await styles(page, '.wp-block-cover__background', 'position', 'opacity')).toEqual(['absolute', '0.7']);
      expect(await styles(page, '.wp-block-cover__image-background', 'object-fit')).toEqual(['cover']);
      expect(await styles(page, '.wp-block-cover p', 'text-align')).toEqual(['center']);
    });
    await at('gallery', async (page) => {
      const [[left = 0, top] = [], [right = 0, beside] = []] = await places(page, 'figure.wp-block-image');
      expect([beside === top, right > left]).toEqual([true, true]);
    });
  });

  it('has styled buttons and tables', async () => {
    await at('buttons', async (page) => {
      expect(await styles(page, '.wp-block-buttons', 'display', 'justify-content')).toEqual(['flex', 'center']);
      expect(await styles(page, '.is-style-outline a', 'background-color', 'border-top-style')).toEqual([
        'rgba(0, 0, 0, 0)',
        'solid',
      ]);
      expect(await styles(page, '.wp-block-button:not(.is-style-outline) a', 'background-color')).not.toEqual([
        'rgba(0, 0, 0, 0)',
      ]);
    });
    await at('tables', async (page) => {
      const [odd] = await styles(page, 'tr:nth-child(1)', 'background-color');
      expect(odd).not.toBe((await styles(page, 'tr:nth-child(2)', 'background-color'))[0]);
    });
  });

  it('has menus without buttons that need a script', async () => {
    await at('menu', async (page) => {
      const links = page.locator('.wp-block-navigation a:visible');
      expect((await links.allTextContents()).map((text) => text.trim())).toEqual(['Tides', 'Ships', 'Tugs']);
      expect(await page.locator('.wp-block-navigation button').count()).toBeGreaterThan(1);
      expect(await page.locator('.wp-block-navigation button:visible').count()).toBe(0);
    });
  });

  it('has lists that page, and select lists that navigate', async () => {
    await at('lists', async (page) => {
      expect(await styles(page, '.wp-block-post-template', 'list-style-type', 'display')).toEqual(['none', 'grid']);
      const title = () => page.locator('.wp-block-post-title').first().innerText();
      const first = await title();
      await page.click('.wp-block-query-pagination-next');
      await page.waitForURL('**/lists/?query-1-page=2');
      expect(await title()).not.toBe(first);
      // With the keyboard, Enter leads on; with the mouse, a choice does.
      const select = page.locator('select');
      await select.focus();
      await page.keyboard.press('ArrowDown');
      expect(page.url()).toContain('/lists/');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/2025\/\d\d\/$/);
      await page.goto(`${site.url}/lists/`);
      await page.selectOption('select', { index: 2 });
      await page.waitForURL(/\/2025\/\d\d\/$/);
    });
  });

  it('hides what is not meant for the width', async () => {
    const hidden = async (page: Page) => styles(page, 'p', 'display');
    expect(await at('lists', hidden)).not.toEqual(['none']);
    expect(await at('lists', hidden, 390)).toEqual(['none']);
  });
});
