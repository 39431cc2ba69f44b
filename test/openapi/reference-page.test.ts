/** The reference of a site in a real browser: without a script, without anything from elsewhere, for everybody. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApi } from '../../src/modules/api/openapi/document.ts';
import { referencePage } from '../../src/modules/api/openapi/index.ts';
import { run } from '../cli/run.ts';
import { faultsOf, openBrowser } from '../support/browser.ts';
import type { TestSite } from '../support/site.ts';
import { startDeclared } from './declared-site.ts';
import { findings, open, state } from './in-reference.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const screenshots = resolve(import.meta.dirname, '../../docs/screenshots');
const looks = [
  ['phone', 'dark', { width: 390, height: 844 }],
  ['desktop', 'light', { width: 1280, height: 800 }],
] as const;
const backgrounds = { dark: 'rgb(21, 24, 28)', light: 'rgb(255, 255, 255)' };
const longest = 80 * 1024;

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await startDeclared('basic');
  site.site.setAddress('https://example.com', 'operator');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

describe.each(looks)('the reference page on a %s, %s', (name, colorScheme, viewport) => {
  it('makes no requests, logs nothing, has no broken links and fits', async () => {
    const page = await browser.newPage({ viewport, colorScheme });
    const [asked, told]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => told.push(message.text()));
    const url = `${site.url}/cms-json/reference`;
    const answer = await page.goto(url);
    expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect([asked, told]).toEqual([[url], []]);
    expect(await page.title()).toBe('Harbour Notes: reference of the interface');
    await page.evaluate(open, ['listPosts', 'createPosts', 'schema-Book', 'status-404']);
    expect(await page.locator('#schema-Book').innerText()).toContain('Number of the edition');
    expect(await page.evaluate(state)).toEqual({ fits: true, background: backgrounds[colorScheme], twice: [], lost: [] });
    await page.goto(`${url}#tag-posts`);
    const picture = await sharp(await page.screenshot())
      .png({ palette: true, colours: 32, effort: 10 })
      .toBuffer();
    expect(picture.length).toBeLessThan(longest);
    if (process.env.SCREENSHOTS) await writeFile(join(screenshots, `reference-${name}.png`), picture);
    await page.close();
  });

  it('is accessible', async () => {
    // axe itself is a script, which the page would not let in; and a part of the page has one of everything.
    const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await page.setContent(referencePage(part((await site.ask('GET', '/openapi.json')).body)));
    await page.evaluate(open, 1000);
    expect(await faultsOf(page)).toEqual([]);
    await page.evaluate(await readFile(axe, 'utf8'));
    expect(await page.evaluate(findings)).toEqual([]);
    await context.close();
  });
});

/** Books, types and search, and what is told of errors. */
function part({ paths, tags, components, ...rest }: OpenApi): OpenApi {
  const names = ['books', 'types', 'search'];
  const schemas = Object.entries(components.schemas ?? {}).filter(([name]) =>
    /^(Book|Type|Answer|Error|ConflictError)$/.test(name),
  );
  return {
    ...rest,
    tags: tags.filter(({ name }) => names.includes(name)),
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => names.includes(path.split('/')[3] ?? ''))),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
}

it('the reference page is the same file without a server', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cms-reference-'));
  const file = join(dir, 'reference.html');
  const { status, out, err } = await run(['openapi', site.dir, '--html', file, '--url', 'https://example.com']);
  expect([status, out, err]).toEqual([0, '', '']);
  const { body } = await site.ask('GET', '/reference');
  expect(await readFile(file, 'utf8')).toBe(body);
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`file://${file}`);
  await page.locator('#getBooksById summary').click();
  expect(await page.locator('#getBooksById').innerText()).toContain('Answers');
  await page.close();
  await rm(dir, { recursive: true, force: true });
});

it('the reference page escapes the names of a site', async () => {
  const settings = await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { title: '<b>Bold</b> & "free"' } });
  expect(settings.status).toBe(200);
  const { body, headers } = await site.ask('GET', '/reference');
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(body).not.toContain('<b>Bold');
});
