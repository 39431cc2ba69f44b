/** Pages of the theme over HTTP: one row for each kind, and what every one of them has. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultStyle } from '../../../../src/modules/website/default-theme/index.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { files, quay } from './sample.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files });
  await mkdir(join(site.dir, 'media'), { recursive: true });
  await writeFile(join(site.dir, 'media/quay.png'), await quay());
  await until(async () => (await site.ask('GET', '/cms/v2/media/81')).body?.media_details?.width === 1200);
});
afterAll(() => site.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  site.ask(method, path, { raw: true, headers });

interface Row {
  readonly name: string;
  readonly path: string;
  readonly status?: number;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  /** Of a redirect, below the site. */
  readonly to?: string;
}

const rows: readonly Row[] = [
  {
    name: 'the front page has the newest posts',
    path: '/',
    has: ['<h1 class="site-name">', 'Harbour &amp; Quay', '>Post 9</a>', '>Post 6</a>', 'rel="next"', '/page/2/', '/feed/'],
    lacks: ['>Post 5</a>', '>Draft<', 'rel="prev"'],
  },
  {
    name: 'its second page',
    path: '/page/2/',
    has: ['>Post 5</a>', '>Post 2</a>', 'Page 2 of 3', 'rel="prev"'],
    lacks: ['>Post 6</a>'],
  },
  {
    name: 'its last page',
    path: '/page/3/',
    has: ['>Post 1</a>', '>Locked</a>', 'protected by a password'],
    lacks: ['Hidden words', 'rel="next"'],
  },
  { name: 'no page behind the last', path: '/page/4/', status: 404, has: ['<h1>Not found</h1>'] },
  { name: 'the first page has one address', path: '/page/1/', status: 301, to: '/' },
  { name: 'the front page has one address', path: '/index.php', status: 301, to: '/' },
  { name: 'a page has one address', path: '/index.php/about/?x=1', status: 301, to: '/about/?x=1' },
  {
    name: 'a post',
    path: '/post-9/',
    has: [
      '<h1>Post 9</h1>',
      'Text of <em>Post 9</em>',
      '<time datetime="2026-03-09T10:00:00">9 March 2026</time>',
      '/author/anna/',
      '/category/notes/tides/',
      '/tag/winter/',
      'alt="Boats at the quay"',
      'srcset="',
      'First words',
      'An answer',
      'href="https://ben.example"',
      'You must be signed in to comment.',
      'application/json+oembed',
      'rel="canonical"',
      '>Older:</span> Post 8',
    ],
    lacks: ['Waiting', 'Newer:'],
  },
  { name: 'a page', path: '/about/', has: ['<h1>About</h1>', 'aria-current="page"'], lacks: ['<time'] },
  { name: 'a page below it', path: '/about/team/', has: ['<h1>Team</h1>', '>About</a></p>'] },
  {
    name: 'menus where they belong',
    path: '/imprint/',
    has: ['aria-label="Main"', '>Ferry</a>', 'aria-label="Footer"', '>Imprint</a>'],
  },
  {
    name: 'a category, with what is below it',
    path: '/category/notes/',
    has: ['<h1>Notes</h1>', 'Short ones.', '>Post 9</a>', '/category/notes/page/2/'],
  },
  { name: 'its second page', path: '/category/notes/page/2/', has: ['>Post 5</a>', '/category/notes/"'] },
  { name: 'a category below', path: '/category/notes/tides/', has: ['<h1>Tides</h1>', '>Post 9</a>'], lacks: ['>Post 8</a>'] },
  { name: 'a category under another path', path: '/category/tides/', status: 301, to: '/category/notes/tides/' },
  { name: 'a former slug of one', path: '/category/notes/waters/', status: 301, to: '/category/notes/tides/' },
  { name: 'no category', path: '/category/nope/', status: 404 },
  { name: 'a tag', path: '/tag/winter/', has: ['<h1>Winter</h1>', '>Post 9</a>'] },
  { name: 'a term of a taxonomy of its own', path: '/rig/ketch/', has: ['<h1>Ketch</h1>', '>Elsa</a>'] },
  { name: 'a format', path: '/type/aside/', has: ['<h1>Aside</h1>', '>Post 9</a>'] },
  { name: 'an author', path: '/author/anna/', has: ['<h1>Anna Quist</h1>', 'Writes about boats.', '>Post 9</a>'] },
  { name: 'nobody who has not written', path: '/author/idle/', status: 404, lacks: ['Nobody'] },
  { name: 'a year', path: '/2026/', has: ['<h1>2026', '>Post 9</a>'] },
  { name: 'a month', path: '/2026/03/', has: ['<h1>March 2026', '>Post 9</a>'], lacks: ['>Locked</a>'] },
  { name: 'a day', path: '/2026/03/09/', has: ['<h1>9 March 2026', '>Post 9</a>'], lacks: ['>Post 8</a>'] },
  { name: 'a day without posts', path: '/2026/03/20/', status: 404 },
  { name: 'no day', path: '/2026/13/', status: 404 },
  { name: 'the archive of a type', path: '/boats/', has: ['<h1>Boats</h1>', '>Elsa</a>'] },
  { name: 'an item of the type', path: '/boat/elsa/', has: ['<h1>Elsa</h1>', '/rig/ketch/'] },
  { name: 'a search', path: '/?s=quay+Post+9', has: ['value="quay Post 9"', 'noindex'] },
  { name: 'its results', path: '/?s=Team', has: ['>Team</a>', '1 result', '<h1>Search: Team</h1>'] },
  { name: 'pages of results', path: '/?s=Text', has: ['/page/2/?s=Text'] },
  { name: 'no text behind a password is found', path: '/?s=Hidden', has: ['0 results'], lacks: ['>Locked</a>'] },
  { name: 'an attachment', path: '/quay/', has: ['<h1>The quay</h1>', 'alt="Boats at the quay"', 'srcset="'] },
  {
    name: 'a locked post',
    path: '/locked/',
    has: ['<h1>', 'type="password"', '<form class="password" method="post">'],
    lacks: ['Hidden words'],
  },
  { name: 'a draft is missing', path: '/draft/', status: 404 },
  { name: 'a draft by its id', path: '/?p=121', status: 404 },
  { name: 'a post by its id', path: '/?p=109', status: 301, to: '/post-9/' },
  { name: 'a redirect', path: '/former/', status: 301, to: '/about/' },
  { name: 'an alias', path: '/legal/', status: 301, to: '/imprint/' },
  { name: 'what is gone', path: '/gone/', status: 410, has: ['<h1>Gone</h1>'] },
  { name: 'a former slug in paging', path: '/category/tides/page/2/', status: 301 },
  { name: 'a page of a text', path: '/post-9/2/', status: 301, to: '/post-9/' },
  { name: 'a page of a text that it never had', path: '/about/team/77', status: 301, to: '/about/team/' },
  { name: 'a page of comments', path: '/post-9/comment-page-2/', status: 301, to: '/post-9/' },
  { name: 'a form for phones', path: '/post-9/amp/', status: 301, to: '/post-9/' },
  { name: 'where others say that they link here', path: '/post-9/trackback/', status: 301, to: '/post-9/' },
  { name: 'a page of a text with a former address', path: '/legal/2/', status: 301, to: '/imprint/' },
  { name: 'no page of what is not there', path: '/nope/2/', status: 404 },
  { name: 'no page of what visitors do not see', path: '/draft/2/', status: 404 },
  { name: 'a month of one figure', path: '/2026/3/', status: 301, to: '/2026/03/' },
  { name: 'a category by its id', path: '/?cat=32', status: 301, to: '/category/notes/tides/' },
  { name: 'a page of one', path: '/?cat=31&paged=2', status: 301, to: '/category/notes/page/2/' },
  { name: 'no category by the id of another thing', path: '/?cat=33', status: 404 },
  { name: 'a category by its slug', path: '/?category_name=notes/tides', status: 301, to: '/category/notes/tides/' },
  { name: 'a tag by its slug', path: '/?tag=winter', status: 301, to: '/tag/winter/' },
  { name: 'a term of its own by its slug', path: '/?rig=ketch', status: 301, to: '/rig/ketch/' },
  { name: 'an author by id', path: '/?author=21', status: 301, to: '/author/anna/' },
  { name: 'an author by slug', path: '/?author_name=anna', status: 301, to: '/author/anna/' },
  { name: 'nobody by id who has not written', path: '/?author=22', status: 404 },
  { name: 'nobody by name', path: '/?author_name=idle', status: 404 },
  { name: 'a year by number', path: '/?m=2026', status: 301, to: '/2026/' },
  { name: 'a month by number', path: '/?m=202603', status: 301, to: '/2026/03/' },
  { name: 'a day by number', path: '/?m=20260309', status: 301, to: '/2026/03/09/' },
  { name: 'a week leads to its year', path: '/?m=2026&w=10', status: 301, to: '/2026/' },
  { name: 'a day by its parts', path: '/?year=2026&monthnum=3&day=9', status: 301, to: '/2026/03/09/' },
  { name: 'an archive by its type', path: '/?post_type=boat', status: 301, to: '/boats/' },
  { name: 'parameters of others', path: '/?m=news&cat=all&utm=1', has: ['>Post 9</a>'] },
  { name: 'a search by path', path: '/search/Team/', has: ['>Team</a>', '<h1>Search: Team</h1>', '/?s=Team'] },
  { name: 'words of a search by path', path: '/search/quay+Post%209', has: ['value="quay Post 9"', 'noindex'] },
  { name: 'no feed of that name', path: '/?feed=bogus', status: 404 },
  { name: 'no second page of a post', path: '/post-9/page/2/', status: 404 },
];

describe('theme pages', () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, { path, status = 200, has = [], lacks = [], to }) => {
    const { status: got, body, headers } = await get(path);
    expect(got, String(body).slice(0, 300)).toBe(status);
    for (const text of has) expect(body).toContain(text);
    for (const text of lacks) expect(body).not.toContain(text);
    if (to !== undefined) expect(headers.get('location')).toBe(site.url + to);
    if (status >= 300 && status < 400) return;
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self' https: data:; script-src 'none'; style-src 'self' 'unsafe-inline' https:; object-src 'none'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors *",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('link')).toContain(`<${site.url}/cms-json/>`);
    expect(body).toMatch(/^<!doctype html>\n<html lang="en-US" dir="ltr">/);
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).not.toContain('<script');
    expect(body).not.toContain('undefined');
    expect(wellFormed(body)).toEqual([]);
  });

  it('exist at the link of every public item', async () => {
    for (const route of ['posts', 'pages', 'boats', 'categories', 'tags', 'rig', 'users', 'media']) {
      const { body } = await site.ask('GET', `/cms/v2/${route}?per_page=100`);
      expect(Array.isArray(body), route).toBe(true);
      for (const { link } of body as { link: string }[])
        expect([link, (await get(link.slice(site.url.length))).status]).toEqual([link, 200]);
    }
  });

  it('have an ETag that changes with a write', async () => {
    const first = await get('/post-1/');
    const tag = first.headers.get('etag') as string;
    expect(tag).toMatch(/^"/);
    expect((await get('/post-1/', { 'if-none-match': tag })).status).toBe(304);
    const head = await get('/post-1/', {}, 'HEAD');
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', tag]);
    await site.ask('POST', '/cms/v2/posts/101', { as: 'admin', body: { title: 'Another title' } });
    const after = await get('/post-1/', { 'if-none-match': tag });
    expect(after.status).toBe(200);
    expect(after.body).toContain('<h1>Another title</h1>');
    expect((await get('/page/3/')).body).toContain('Another title');
  });

  it('show a hand edit', async () => {
    await site.write('pages/imprint.md', '---\ntitle: Imprint\nid: 63\n---\nWritten by hand.\n');
    await until(async () => (await get('/imprint/')).body.includes('Written by hand.'));
  });

  it('open with the password, until it changes', async () => {
    const send = (password: string) =>
      site.ask('POST', '/locked/', {
        raw: true,
        body: `post_password=${password}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const wrong = await send('ebb');
    expect(wrong.status).toBe(200);
    expect(wrong.body).toContain('That is not the password.');
    expect(wrong.headers.get('set-cookie')).toBeNull();
    const right = await send('tide');
    expect([right.status, right.headers.get('location')]).toEqual([303, '/locked/']);
    const cookie = (right.headers.get('set-cookie') as string).split(';')[0] as string;
    expect(right.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
    const opened = await get('/locked/', { cookie });
    expect(opened.body).toContain('Hidden words of');
    expect(opened.headers.get('cache-control')).toBe('no-store');
    // Nobody else sees it, whoever asked before.
    expect((await get('/locked/')).body).not.toContain('Hidden words');
    expect((await get('/locked/', { cookie: `${cookie.slice(0, -1)}!` })).body).not.toContain('Hidden words');
    await site.ask('POST', '/cms/v2/posts/120', { as: 'admin', body: { password: 'flood' } });
    expect((await get('/locked/', { cookie })).body).not.toContain('Hidden words');
  });

  it('have one small style sheet, cached for a year under its digest', async () => {
    const { body } = await get('/');
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(body) ?? [];
    const style = await get(address);
    expect(style.status).toBe(200);
    expect(style.headers.get('content-type')).toBe('text/css; charset=UTF-8');
    expect(style.headers.get('cache-control')).toContain('immutable');
    expect(style.body).toBe(defaultStyle);
    expect(Buffer.byteLength(defaultStyle)).toBeLessThan(25_000);
    expect((await get(address.replace(/\.[a-f\d]+\./, '.0123456789ab.'))).headers.get('cache-control')).toBe('no-cache');
  });

  it('show unsaved changes with a preview link, without caching', async () => {
    const { headers } = await site.ask('GET', '/cms/v2/posts/121?context=edit', { as: 'admin' });
    const [, address = ''] = /<([^>]+)>; rel="preview"/.exec(headers.get('link') ?? '') ?? [];
    const link = address.slice(site.url.length);
    const preview = await get(link);
    expect(preview.status).toBe(200);
    expect(preview.body).toContain('This is a preview.');
    expect(preview.body).not.toContain('rel="canonical"');
    expect(preview.headers.get('cache-control')).toBe('no-store');
    expect(preview.headers.get('x-robots-tag')).toBe('noindex');
    expect((await get(link.replace(/preview_nonce=[^&]+/, 'preview_nonce=a.b'))).status).toBe(404);
  });
});

const empty = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
  '!doctype',
]);

/** Elements that are closed in another order than they were opened. */
function wellFormed(html: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const parser = new Parser({
    onopentag: (name) => void (empty.has(name) || open.push(name)),
    onclosetag(name, isImplied) {
      if (empty.has(name)) return;
      const last = open.pop();
      if (last !== name || (isImplied && name !== 'p' && name !== 'li')) faults.push(`${last} ends with ${name}`);
    },
  });
  parser.end(html);
  return [...faults, ...open];
}
