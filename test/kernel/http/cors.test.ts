/**
 * Pages of other origins: what they are told, and what a real browser lets them do.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../support/browser.ts';
import { askPlainly } from '../../support/plain-http.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const guide = await readFile(join(import.meta.dirname, '../../../docs/front-ends.md'), 'utf8');
const post = '---\nid: 70\ntitle: Hello\n---\nA text.\n';
const menu =
  'id: 30\nname: Main\nlocations: [header]\nitems:\n  - url: https://example.org/\n    title: Out\n    items:\n      - url: /in\n        title: In\n';
let site: TestSite;
let browser: Browser;
let elsewhere: Server;
let page: Page;
let authorization: string;

beforeAll(async () => {
  const files = {
    'posts/hello.md': post,
    'menus/main.yaml': menu,
    'site.yaml': 'name: Example\ntimezone: UTC\nmenu_locations: {header: Top}\nmenus: {public: true}\n',
  };
  site = await startSite({ files });
  authorization = `Basic ${btoa(`admin:${site.password}`)}`;
  elsewhere = createServer((_, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser?.close();
  elsewhere?.close();
  await site?.close();
});

/** Runs lines of the guide in the page. */
function runInPage(lines: string, given: Readonly<Record<string, unknown>>, result: string): Promise<unknown> {
  const text = `(async () => { const { ${Object.keys(given).join(', ')} } = ${JSON.stringify(given)}; ${lines}\nreturn ${result}; })()`;
  return page.evaluate(text);
}

const sample = (beginning: string) =>
  guide
    .split('```js\n')
    .find((block) => block.startsWith(beginning))
    ?.split('```')[0] as string;

describe('a page of another origin', () => {
  it('reads ETags, and writes what nobody else has changed', async () => {
    const given = { api: `${site.url}/cms-json`, id: 70, authorization };
    const lines = sample('const address');
    expect(await runInPage(lines, given, '[saved.status, read.headers.get("etag") !== null]')).toEqual([200, true]);
    expect(await site.read('posts/hello.md')).toContain('title: A new title');
    const stale = lines.replace("read.headers.get('etag')", `'"${'0'.repeat(20)}"'`);
    await expect(runInPage(stale, given, 'saved.status')).rejects.toThrow('Somebody has changed it meanwhile.');
  });

  it('reads totals and links, and sends every allowed header', async () => {
    const told = await page.evaluate(
      async ([api, headers]) => {
        const list = await fetch(`${api}/cms/v2/posts?per_page=1`, { headers: headers as Record<string, string> });
        return ['x-cms-total', 'x-cms-totalpages', 'link', 'etag'].map((name) => list.headers.get(name) !== null);
      },
      [
        `${site.url}/cms-json`,
        { 'cache-control': 'no-cache', 'if-none-match': '"x"', 'x-request-id': 'a-page', 'content-type': 'application/json' },
      ] as const,
    );
    expect(told).toEqual([true, true, true, true]);
    await expect(
      page.evaluate((url) => fetch(url, { headers: { 'x-other': '1' } }).then(() => true), `${site.url}/cms-json/`),
    ).rejects.toThrow('Failed to fetch');
  });

  it('shows a menu with two lines of code', async () => {
    expect(await runInPage(sample('const { items }'), { api: `${site.url}/cms-json` }, 'list(items)')).toBe(
      '<ul><li><a href="https://example.org/">Out</a><ul><li><a href="/in">In</a><ul></ul></li></ul></li></ul>',
    );
  });
});

describe('a preflight request', () => {
  const asked = {
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'if-match',
  };

  it.each(['/cms-json/cms/v2/posts/70', '/wp-json/wp/v2/posts/70', '/cms-json/cms/v2/nothing', '/cms-json/cms/v2/posts/%37'])(
    'is answered with headers only: %s',
    async (path) => {
      const { status, headers, bytes } = await askPlainly(site.url + path, asked, { method: 'OPTIONS' });
      expect([status, bytes.length]).toEqual([204, 0]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
        'access-control-max-age': '7200',
        vary: 'Origin',
      });
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
      const nonce = path.startsWith('/wp') ? 'x-wp-nonce' : 'x-cms-nonce';
      expect(allowed).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'if-match', 'if-none-match', 'cache-control', nonce]),
      );
      // What is of a body.
      expect([headers['content-type'], headers['content-length'], headers['access-control-allow-credentials']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  it('differs from an OPTIONS request for the route description', async () => {
    const { 'access-control-request-method': _, ...plain } = asked;
    const answer = await askPlainly(`${site.url}/cms-json/cms/v2/posts/70`, plain, { method: 'OPTIONS' });
    expect([answer.status, JSON.parse(answer.text).namespace]).toEqual([200, 'cms/v2']);
  });
});
