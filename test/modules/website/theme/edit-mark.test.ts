/** The link to the editor on pages of the theme: for those who may edit what is shown, and for nobody else. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Module } from '../../../../src/kernel/module.ts';
import { unvisited } from '../../../../src/kernel/site/serving.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';

const files = {
  'site.yaml': 'menus: {header: main}\n',
  'menus/main.yaml':
    'id: 5\nname: Main menu\nlocations: [header]\nitems:\n  - {id: 31, post: hello}\n  - {id: 32, title: Away, url: "https://example.com/"}\n',
  'posts/long.md':
    '---\nid: 9\ntitle: Long & wide\ndate: 2026-03-04T10:00:00\n---\nThe first *paragraph* of it.\n\n- one\n- two\n\n![A quay](/uploads/2026/quay-300x200.png)\n\n<div>Last "words"</div>\n',
  'posts/hello.md': '---\nid: 7\ntitle: Hello\ndate: 2026-03-05T10:00:00\n---\nText\n',
  'posts/quiet.md': '---\nid: 8\ntitle: Quiet\ncomments: closed\ndate: 2026-03-05T10:00:00\n---\nText\n',
};

async function siteWithEditor(operator = {}): Promise<TestSite> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-editor-files-'));
  await writeFile(join(dir, 'files.json'), JSON.stringify({ main: 'main.js', style: 'style.css', first: [], all: [] }));
  const brought: Module = { name: 'editor-files', setup: () => ({ site: { editorFiles: pathToFileURL(dir + sep) } }) };
  return startSite({ files, operator, modules: [brought] });
}

/** The cookie of a new session. */
async function cookieOf({ site }: TestSite, id: number): Promise<string> {
  const account = site.accounts.get(id);
  if (!account) throw new Error(`there is no account ${id}`);
  return (await site.sessions.begin(account, unvisited)).split(';', 1)[0] as string;
}

let test: TestSite;
let editor: string;
let reader: string;
beforeAll(async () => {
  test = await siteWithEditor();
  editor = await cookieOf(test, 1);
  reader = await cookieOf(test, (await signUp(test, 'rita', 'subscriber')).id);
});
afterAll(() => test.close());

const page = (path: string, cookie?: string) => test.ask('GET', path, { raw: true, ...(cookie ? { headers: { cookie } } : {}) });
const mark = 'href="/cms-admin/?edit=posts/';

describe.each([
  ['/hello/', 7],
  ['/quiet/', 8],
])('on %s', (path, id) => {
  it('is shown to people who may edit, and never cached', async () => {
    const before = await page(path);
    const own = await page(path, editor);
    expect(own.body).toContain(`${mark}${id}"`);
    expect(own.headers.get('cache-control')).toContain('no-store');
    expect(own.headers.get('etag')).toBe(null);
    expect(before.body).not.toContain('cms-admin');
    const after = await page(path);
    expect(after.body).toBe(before.body);
    expect(before.headers.get('cache-control') ?? '').not.toContain('private');
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  it('is not shown to readers, or with an invalid session', async () => {
    for (const cookie of [reader, `${editor}x`]) expect((await page(path, cookie)).body).not.toContain('cms-admin/?edit');
  });
});

/** What marks lead to, and what they are called. */
async function marksOn(path: string, cookie: string): Promise<readonly (readonly [string, string])[]> {
  const { body } = await page(path, cookie);
  return [...String(body).matchAll(/<a class="cms-mark [^"]*" href="([^"]+)" aria-label="([^"]+)"/g)].map(
    ([, href = '', name = '']) => [
      decodeURIComponent(href.replaceAll('&amp;', '&').replace('/cms-admin/?', '')).replaceAll('+', ' '),
      name,
    ],
  );
}

it('links to title, blocks, pictures and the menu of a page', async () => {
  expect(await marksOn('/long/', editor)).toEqual([
    ['menus=5', 'Edit: Main menu'],
    ['edit=posts/9&at=title', 'Edit: Long &amp; wide'],
    ['edit=posts/9&at=text&block=0&words=The first paragraph of it.', 'Edit: The first paragraph of it.'],
    ['edit=posts/9&at=text&block=1&words=one two', 'Edit: one two'],
    ['edit=posts/9&at=text&picture=quay', 'Edit: A quay'],
    ['edit=posts/9&at=text&block=3&words=Last “words”', 'Edit: Last “words”'],
  ]);
});

it('links to the items of a list', async () => {
  const places = (await marksOn('/', editor)).map(([place]) => place);
  expect(places).toEqual(['menus=5', 'edit=posts/8', 'edit=posts/7', 'edit=posts/9']);
});

it('is not there for a frame, where the editor is around the page', async () => {
  const framed = await test.ask('GET', '/hello/', { raw: true, headers: { cookie: editor, 'sec-fetch-dest': 'iframe' } });
  expect(framed.body).toContain('Hello');
  expect(framed.body).not.toContain('cms-mark');
});

it('is shown to authors for their own items, and not for menus', async () => {
  const { id } = await signUp(test, 'aron', 'author');
  await test.write('posts/own.md', '---\nid: 10\ntitle: Own\nauthor: aron\ndate: 2026-03-03T10:00:00\n---\nText\n');
  await until(async () => (await page('/own/')).status === 200);
  const cookie = await cookieOf(test, id);
  expect((await marksOn('/', cookie)).map(([place]) => place)).toEqual(['edit=posts/10']);
  expect(await marksOn('/hello/', cookie)).toEqual([]);
});

it('is not there where the operator has no editor', async () => {
  const off = await siteWithEditor({ editor: false });
  const cookie = await cookieOf(off, 1);
  expect((await off.ask('GET', '/hello/', { raw: true, headers: { cookie } })).body).not.toContain('cms-admin/?edit');
  await off.close();
});
