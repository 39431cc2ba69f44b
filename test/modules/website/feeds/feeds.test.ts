/** Feeds of posts and comments: where they are, what is in them, and what is not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { all, readXml, texts } from '../../../support/xml.ts';

const hostile = 'A & B <i>x</i> ]]> "quoted" \u0007 \ud83d\ude00';
const front = (id: number, day: number, more: Record<string, unknown>): string =>
  `---\nid: ${id}\ndate: 2026-03-${String(day).padStart(2, '0')}T10:00:00\n${Object.entries(more)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n`;
const comment = (id: number, day: number, more: Record<string, unknown> = {}): string =>
  `${front(id, day, { name: 'Guest & Co', ...more })}Said ${id} ]]> <b>bold</b>\n`;

const files = {
  'site.yaml':
    'name: Harbour & Sons\ndescription: "Boats <old> & new"\ntimezone: Europe/Berlin\nlanguage: en_GB\nuse_smilies: false\n',
  'posts/hello.md': `${front(101, 1, { title: 'Hello', author: 'anna', categories: ['notes'], tags: ['fog'], aliases: ['once'] })}See [this](/about/) and ![](/uploads/x.png).\n`,
  'posts/hostile.html': `${front(102, 2, { title: hostile, author: 'anna', categories: ['sub'], comments: 'closed' })}<p>Before ]]> after & more\u0000</p>\n`,
  'posts/draft.md': `${front(103, 3, { title: 'Secret draft', status: 'draft', categories: ['notes'] })}`,
  'posts/private.md': `${front(104, 4, { title: 'Secret private', status: 'private', author: 'ben', categories: ['notes'] })}`,
  'posts/locked.md': `${front(105, 5, { title: 'Secret locked', password: 'x', categories: ['notes'] })}Secret text.`,
  'posts/later.md': '---\nid: 106\ntitle: Secret later\ndate: 2099-01-01T00:00:00\ncategories: [notes]\n---\n',
  'pages/about.md': `${front(110, 1, { title: 'About' })}`,
  'terms/category/notes.yaml': 'id: 31\nname: Notes & more\n',
  'terms/category/sub.yaml': 'id: 32\nname: Sub\nparent: notes\n',
  'pages/rdf.md': `${front(111, 1, { title: 'A page', slug: 'rdf', comments: 'closed' })}`,
  'redirects.yaml': '/author/anna/feed/atom/: https://feeds.example/anna\n',
  'users/anna.yaml': 'id: 41\nname: Anna <A>\naliases: [annie]\n',
  'users/ben.yaml': 'id: 42\nname: Ben\n',
  'comments/101/1.md': comment(1, 6),
  'comments/101/2.md': comment(2, 7, { status: 'hold' }),
  'comments/101/3.md': comment(3, 8, { status: 'spam' }),
  'comments/101/4.md': comment(4, 9, { type: 'note' }),
  'comments/104/5.md': comment(5, 9),
  'comments/105/6.md': comment(6, 9),
  'comments/103/7.md': comment(7, 9),
  'comments/110/8.md': comment(8, 9),
};

describe('feeds', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({ files, clock: () => Date.parse('2026-03-10T10:00:00Z') });
  });
  afterAll(() => test.close());
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    test.ask(method, path, { raw: true, headers });
  const titles = async (path: string): Promise<readonly string[]> => {
    const { status, body } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    if (typeof body === 'object') return body.items.map(({ title }: { title: string }) => title);
    const root = readXml(body);
    return [...all(root, 'item'), ...all(root, 'entry')].map((one) => texts(one, 'title')[0] as string);
  };

  const shown = 'A & B x ]]> "quoted"  \ud83d\ude00';
  it.each([
    ['/feed/', [shown, 'Hello']],
    ['/feed/atom/', [shown, 'Hello']],
    ['/feed/json/', [shown.replace('  ', ' \u0007 '), 'Hello']],
    ['/category/notes/feed/', [shown, 'Hello']],
    ['/category/notes/sub/feed/atom/', [shown]],
    ['/tag/fog/feed/', ['Hello']],
    ['/author/anna/feed/', [shown, 'Hello']],
    ['/comments/feed/', ['Comment on About by Guest & Co', 'Comment on Hello by Guest & Co']],
    ['/comments/feed/atom/', ['Comment on About by Guest & Co', 'Comment on Hello by Guest & Co']],
    ['/hello/feed/', ['By: Guest & Co']],
    ['/hello/feed/atom/', ['By: Guest & Co']],
    ['/about/feed/', ['By: Guest & Co']],
    ['/hostile/feed/', []],
    ['/?s=See&feed=rss2', ['Hello']],
    ['/?s=hello+this&feed=atom', ['Hello']],
    ['/?s=secret&feed=rss2', []],
    ['/search/See/feed/', ['Hello']],
    ['/search/hello%20this/feed/atom/', ['Hello']],
    ['/search/hello+this/feed/json/', ['Hello']],
  ])('%s lists the newest first, and only what visitors may read', async (path, wanted) => {
    expect((await titles(path)).map((title) => title.replaceAll(/[“”]/g, '"'))).toEqual(wanted);
  });

  it.each([
    ['/feed', '/feed/'],
    ['/feed/rss2/', '/feed/'],
    ['/feed/rss', '/feed/'],
    ['/feed/rdf/', '/feed/'],
    ['/feed/feed/', '/feed/'],
    ['/rss2/', '/feed/'],
    ['/atom', '/feed/atom/'],
    ['/feed.xml', '/feed/'],
    ['/atom.xml', '/feed/atom/'],
    ['/feed.json', '/feed/json/'],
    ['/?feed=rss2', '/feed/'],
    ['/index.php?feed=atom', '/feed/atom/'],
    ['/?feed=comments-rss2', '/comments/feed/'],
    ['/?p=101&feed=rss2', '/hello/feed/'],
    ['/hello/?feed=rss2', '/hello/feed/'],
    ['/category/notes/?feed=atom', '/category/notes/feed/atom/'],
    ['/?cat=31&feed=rss2', '/category/notes/feed/'],
    ['/?tag=fog&feed=rss2', '/tag/fog/feed/'],
    ['/?author=41&feed=rss2', '/author/anna/feed/'],
    ['/?s=&feed=rss2', '/feed/'],
    ['/category/sub/feed/', '/category/notes/sub/feed/'],
    ['/category/notes/feed.xml', '/category/notes/feed/'],
    ['/author/annie/feed/', '/author/anna/feed/'],
    ['/once/feed/atom', '/hello/feed/atom/'],
  ])('%s redirects to %s', async (path, wanted) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([301, test.url + wanted]);
  });

  it('do not take the URLs of other content', async () => {
    expect((await get('/rdf/')).body).toContain('A page');
    const { status, headers } = await get('/author/anna/feed/atom/');
    expect([status, headers.get('location')]).toEqual([301, 'https://feeds.example/anna']);
  });

  it.each([
    '/author/ben/feed/',
    '/author/nobody/feed/',
    '/category/nothing/feed/',
    '/private/feed/',
    '/locked/feed/',
    '/draft/feed/',
    '/later/feed/',
    '/nothing/feed/',
    '/feed/constructor/',
    '/?p=104&feed=rss2',
    '/?feed=constructor&p=9',
    '/?feed=bogus',
    '/hello/?feed=bogus',
    '/feed/bogus/',
    '/?cat=99&feed=rss2',
    '/?author=42&feed=rss2',
  ])('%s is not found', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('contain nothing that visitors may not read', async () => {
    for (const path of ['/feed/', '/feed/atom/', '/feed/json/', '/category/notes/feed/', '/comments/feed/', '/hello/feed/']) {
      const { body } = await get(path);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect([
        path,
        text.includes('Secret'),
        ...['Said 2', 'Said 3', 'Said 4', 'Said 5', 'Said 6', 'Said 7'].map((said) => text.includes(said)),
      ]).toEqual([path, ...Array(7).fill(false)]);
    }
  });

  it('are RSS 2.0 with absolute URLs and RFC 822 dates', async () => {
    const { headers, body } = await get('/feed/');
    expect(headers.get('content-type')).toBe('application/rss+xml; charset=UTF-8');
    expect(headers.get('link')).toBe(`<${test.url}/>; rel="canonical"`);
    expect(headers.get('x-robots-tag')).toBe('noindex, follow');
    const rss = readXml(body);
    const channel = rss.children[0]!;
    const own = (name: string) => channel.children.filter((child) => child.name === name).map(({ text }) => text);
    expect([own('title'), own('link'), own('description'), own('language'), own('lastBuildDate')]).toEqual([
      ['Harbour & Sons'],
      [`${test.url}/`],
      ['Boats <old> & new'],
      ['en-GB'],
      [expect.stringMatching(/^\w{3}, \d\d \w{3} 2026 \d\d:\d\d:\d\d GMT$/)],
    ]);
    expect(all(channel, 'atom:link')[0]?.attributes).toMatchObject({ href: `${test.url}/feed/`, rel: 'self' });
    const [strange, hello] = all(channel, 'item');
    expect(texts(hello!, 'pubDate')).toEqual(['Sun, 01 Mar 2026 09:00:00 GMT']);
    expect(texts(hello!, 'dc:creator')).toEqual(['Anna']);
    expect(texts(hello!, 'category')).toEqual(['Notes & more', 'fog']);
    expect(texts(hello!, 'content:encoded')[0]).toContain(`href="${test.url}/about/"`);
    expect(texts(hello!, 'content:encoded')[0]).toContain(`src="${test.url}/uploads/x.png"`);
    expect([texts(hello!, 'comments'), texts(hello!, 'wfw:commentRss'), texts(hello!, 'slash:comments')]).toEqual([
      [`${test.url}/hello/#comments`],
      [`${test.url}/hello/feed/`],
      ['1'],
    ]);
    expect(texts(strange!, 'content:encoded')[0]).toContain('Before ]]&gt; after'.replace('&gt;', '>'));
    expect(texts(strange!, 'comments')).toEqual([]);
  });

  it('are Atom with RFC 3339 dates', async () => {
    const { headers, body } = await get('/hello/feed/atom/');
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=UTF-8');
    const feed = readXml(body);
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    const [entry] = all(feed, 'entry');
    expect([texts(entry!, 'updated'), texts(entry!, 'id')]).toEqual([
      ['2026-03-06T09:00:00Z'],
      [expect.stringMatching(/#comment-1$/)],
    ]);
    expect(all(entry!, 'link')[0]?.attributes.href).toBe(`${test.url}/hello/#comment-1`);
    expect(texts(entry!, 'content')[0]).toContain('Said 1 ]]');
    expect(all(entry!, 'thr:in-reply-to').map(({ attributes }) => attributes)).toEqual([
      { ref: expect.stringMatching(/\/hello\/$|\?p=101$/), href: `${test.url}/hello/`, type: 'text/html' },
    ]);
  });

  it('contain their generator, the update period, and comment counts', async () => {
    const rss = readXml((await get('/feed/')).body);
    const said = (name: string) => texts(rss.children[0]!, name);
    expect([said('generator'), said('sy:updatePeriod'), said('sy:updateFrequency')]).toEqual([['cms'], ['hourly'], ['1']]);
    expect(rss.attributes['xmlns:sy']).toBe('http://purl.org/rss/1.0/modules/syndication/');
    const atom = readXml((await get('/feed/atom/')).body);
    expect([texts(atom, 'generator'), atom.attributes['xmlns:thr']]).toEqual([['cms'], 'http://purl.org/syndication/thread/1.0']);
    const hello = all(atom, 'entry').at(-1)!;
    expect([texts(hello, 'summary'), texts(hello, 'thr:total')]).toEqual([[expect.stringMatching(/^See this/)], ['1']]);
    const replies = all(hello, 'link').filter(({ attributes }) => attributes.rel === 'replies');
    expect(replies.map(({ attributes }) => [attributes.href, attributes['thr:count']])).toEqual([
      [`${test.url}/hello/#comments`, '1'],
      [`${test.url}/hello/feed/atom/`, '1'],
    ]);
    const found = readXml((await get('/?s=See&feed=rss2')).body);
    expect(texts(found.children[0]!, 'title')[0]).toBe('Search results for “See” – Harbour & Sons');
  });

  it('return 304 for a matching ETag, and only headers for HEAD', async () => {
    for (const path of ['/feed/', '/feed/json/', '/comments/feed/']) {
      const { headers } = await get(path);
      const etag = headers.get('etag') as string;
      const known = await get(path, { 'if-none-match': etag });
      expect([known.status, known.body]).toEqual([304, '']);
      expect((await get(path, { 'if-modified-since': headers.get('last-modified') as string })).status).toBe(304);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag]);
    }
  });

  it('follow writes at once', async () => {
    const made = await test.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'Fresh', status: 'publish', date: '2026-03-09T00:00:00' },
    });
    expect((await titles('/feed/'))[0]).toBe('Fresh');
    const { body } = await test.ask('POST', '/cms/v2/comments', {
      as: 'admin',
      body: { post: made.body.id, content: 'Well said' },
    });
    expect(await titles('/fresh/feed/')).toHaveLength(1);
    await test.ask('POST', `/cms/v2/comments/${body.id}`, { as: 'admin', body: { status: 'hold' } });
    expect(await titles('/fresh/feed/')).toEqual([]);
    await test.ask('DELETE', `/cms/v2/posts/${made.body.id}`, { as: 'admin' });
    expect(await titles('/feed/')).not.toContain('Fresh');
    expect((await get('/fresh/feed/')).status).toBe(404);
    await test.write('terms/category/notes.yaml', 'id: 31\nname: Renamed\n');
    await until(async () => (await get('/category/notes/feed/')).body.includes('Renamed – Harbour'));
  });
});
