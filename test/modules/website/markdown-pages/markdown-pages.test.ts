/** Pages as Markdown and the list of them: what a visitor may see, and nothing else. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../../src/open-site.ts';
import { exportStatic } from '../../../../src/transfer/export/static.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const settings = 'name: Quay\ndescription: Of a small harbour\nmarkdown_pages: true\n';
const files = {
  'site.yaml': `${settings}front: page\nfront_page: home\n`,
  'pages/home.md': '---\nid: 10\ntitle: Home\n---\nWelcome.\n',
  'pages/docs.md': '---\nid: 11\ntitle: Docs [old]\n---\nSee [the guide](docs/guide.md).\n',
  'pages/docs/guide.md': '---\nid: 12\n---\n# A guide\n\nSteps.\n',
  'posts/fog.md': '---\nid: 20\ntitle: "Fog & rain"\ndate: 2026-03-01T10:00:00\n---\nThick *fog*.\n',
  'posts/blocks.html':
    '---\nid: 21\ntitle: Blocks\ndate: 2026-03-02T10:00:00\n---\n<!-- wp:paragraph {"note":"hiddenattribute"} -->\n<p>Shown</p>\n<!-- /wp:paragraph -->\n',
  'posts/locked.md': '---\nid: 22\ntitle: Locked\npassword: tide\n---\nhiddenlocked\n',
  'posts/draft.md': '---\nid: 23\ntitle: Hiddendraft\nstatus: draft\n---\nhiddendraft\n',
  'posts/mine.md': '---\nid: 24\ntitle: Hiddenprivate\nstatus: private\n---\nhiddenprivate\n',
  'posts/later.md': '---\nid: 25\ntitle: Hiddenlater\ndate: 2099-01-01\n---\nhiddenlater\n',
};

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files });
});
afterAll(() => site.close());

const ask = (path: string, accept?: string, as?: string) =>
  site.ask('GET', path, { raw: true, ...(accept ? { headers: { accept } } : {}), ...(as ? { as } : {}) });

it('the list contains public items, newest first', async () => {
  const { status, headers, body } = await ask('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
  expect(body.replaceAll(site.url, '')).toBe(`# Quay

> Of a small harbour

## Posts

- [Blocks](/blocks.md)
- [Fog & rain](/fog.md)

## Pages

- [A guide](/docs/guide.md)
- [Docs \\[old\\]](/docs.md)
- [Home](/index.md)
`);
  for (const [, url = ''] of body.matchAll(/\]\((.*)\)$/gm))
    expect([url, (await ask(url.slice(site.url.length))).status]).toEqual([url, 200]);
});

describe('a page', () => {
  it.each([
    ['/fog.md', '# Fog & rain\n\nThick *fog*.\n'],
    ['/index.md', '# Home\n\nWelcome.\n'],
    ['/docs.md', '# Docs [old]\n\nSee [the guide](/docs/guide/).\n'],
    ['/docs/guide.md', '# A guide\n\nSteps.\n'],
    ['/blocks.md', '# Blocks\n\n<p class="wp-block-paragraph">Shown</p>\n'],
  ])('%s', async (path, text) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/markdown; charset=UTF-8', text]);
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('link')).toMatch(/rel="canonical"$/);
  });

  it.each<[accept: string, type: string]>([
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
    ['text/html, text/markdown;q=0.9', 'text/html'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['text/markdown;q=0', 'text/html'],
  ])('for Accept: %s is %s', async (accept, type) => {
    for (const path of ['/fog/', '/']) {
      const { headers } = await ask(path, accept);
      expect([headers.get('content-type')?.split(';')[0], headers.get('vary')]).toEqual([
        type,
        expect.stringContaining('Accept'),
      ]);
    }
  });

  it('that is hidden from visitors is a 404 for everybody', async () => {
    for (const path of ['/locked', '/hiddendraft', '/draft', '/mine', '/later', '/nothing', '/fog/x'])
      for (const as of [undefined, 'admin']) {
        const { status, body } = await ask(`${path}.md`, undefined, as);
        expect([path, status, /hidden/i.test(body)]).toEqual([path, 404, false]);
        expect((await ask(`${path}/`, 'text/markdown', as)).body).not.toMatch(/hidden(?:locked|draft|private|later)/);
      }
    expect((await ask('/llms.txt', undefined, 'admin')).body).not.toMatch(/hidden/i);
    for (const id of [22, 23, 24, 25]) expect((await ask(`/?p=${id}`, 'text/markdown', 'admin')).body).not.toMatch(/hidden[dlp]/);
  });

  it('follows changes of its text', async () => {
    const { headers } = await ask('/fog.md');
    await site.ask('POST', '/cms/v2/posts/20', { as: 'admin', body: { content: 'Thin fog.' } });
    expect((await ask('/fog.md')).body).toBe('# Fog & rain\n\nThin fog.\n');
    expect((await ask('/fog.md')).headers.get('etag')).not.toBe(headers.get('etag'));
    await site.ask('POST', '/cms/v2/posts/20', { as: 'admin', body: { status: 'draft' } });
    expect((await ask('/fog.md')).status).toBe(404);
    expect((await ask('/llms.txt')).body).not.toContain('Fog');
  });
});

describe('a static export', () => {
  const exported = async (of: TestSite, without: Iterable<'pages'> = []) => {
    const out = await mkdtemp(join(tmpdir(), 'cms-markdown-'));
    await exportStatic({ site: of.site, registry: composeSite(of.site), out, without });
    const found = (await readdir(out, { recursive: true })).filter((path) => /\.md$|llms/.test(path)).sort();
    const texts = Object.fromEntries(
      await Promise.all(found.map(async (path) => [path, await readFile(join(out, path), 'utf8')])),
    );
    const rules = await readFile(join(out, '_headers'), 'utf8');
    await rm(out, { recursive: true });
    return { texts, rules };
  };

  it('has the same files as the server, and nothing that visitors do not see', async () => {
    const { texts, rules } = await exported(site);
    expect(Object.keys(texts)).toEqual(expect.arrayContaining(['blocks.md', 'docs.md', 'docs/guide.md', 'index.md', 'llms.txt']));
    for (const [path, text] of Object.entries(texts)) {
      const { status, headers, body } = await ask(`/${path}`);
      expect([path, status, text]).toEqual([path, 200, body]);
      const stated = path === 'llms.txt' ? 'text/plain' : `Link: ${headers.get('link')}`;
      expect(rules.slice(rules.indexOf(`\n/${path}\n`))).toContain(stated);
    }
    expect(JSON.stringify(texts)).not.toMatch(/hidden/i);
    for (const [, url = ''] of (texts['llms.txt'] ?? '').matchAll(/\]\((.*)\)$/gm))
      expect(Object.keys(texts)).toContain(url.slice(site.url.length + 1));
  });

  it('has none without pages, or where the site does not offer them', async () => {
    expect((await exported(site, ['pages'])).texts).toEqual({});
    const other = await startSite({ files: { 'posts/a.md': '---\ntitle: A\n---\nText\n' } });
    try {
      expect((await exported(other)).texts).toEqual({});
    } finally {
      await other.close();
    }
  });
});

it('pages stay HTML with CMS_FILTER_CONTENT: no script is served', async () => {
  const other = await startSite({
    operator: { filter_content: true },
    files: { 'site.yaml': settings, 'posts/a.md': '---\ntitle: A\n---\n<script>alert(1)</script>\n\n*hi*\n' },
  });
  try {
    const { body } = await other.ask('GET', '/a.md', { raw: true });
    expect(body).toContain('<em>hi</em>');
    expect(body).not.toContain('<script');
  } finally {
    await other.close();
  }
});

it('Markdown pages are disabled by default', async () => {
  const other = await startSite({ files: { 'posts/a.md': '---\ntitle: A\n---\nText\n' } });
  try {
    for (const path of ['/llms.txt', '/a.md', '/index.md'])
      expect((await other.ask('GET', path, { raw: true })).status).toBe(404);
    const { headers } = await other.ask('GET', '/a/', { raw: true, headers: { accept: 'text/markdown' } });
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([
      'text/html; charset=UTF-8',
      expect.not.stringMatching(/accept(?!-)/i),
    ]);
  } finally {
    await other.close();
  }
});
