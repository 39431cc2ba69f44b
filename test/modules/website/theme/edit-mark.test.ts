/** The link to the editor on pages of the theme: for those who may edit what is shown, and for nobody else. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Module } from '../../../../src/kernel/module.ts';
import { unvisited } from '../../../../src/kernel/site/serving.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const files = {
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
  it('stands for those who may edit, and is kept by nobody', async () => {
    const before = await page(path);
    const own = await page(path, editor);
    expect(own.body).toContain(`${mark}${id}"`);
    expect(own.headers.get('cache-control')).toContain('no-store');
    expect(own.headers.get('etag')).toBe(null);
    expect(before.body).not.toContain('cms-admin');
    const after = await page(path);
    expect(after.body).toBe(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  it('is not there for somebody who may only read, nor with a session that is none', async () => {
    for (const cookie of [reader, `${editor}x`]) expect((await page(path, cookie)).body).not.toContain('cms-admin/?edit');
  });
});

it('is not there where the operator has no editor', async () => {
  const off = await siteWithEditor({ editor: false });
  const cookie = await cookieOf(off, 1);
  expect((await off.ask('GET', '/hello/', { raw: true, headers: { cookie } })).body).not.toContain('cms-admin/?edit');
  await off.close();
});
