/** Passwords of posts cannot be guessed: too many wrong ones hold an address up, on whichever way they come. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, startSite, type TestSite } from '../support/site.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
type Ask = (password: string, headers: Record<string, string>) => Promise<Answered>;

let site: TestSite;
let network = 0;
let told = 0;
let now = Date.parse('2026-05-04T10:00:00Z');
beforeAll(async () => {
  site = await startSite({
    clock: () => now,
    operator: { trusted_proxies: ['127.0.0.1'] },
    files: {
      'site.yaml': 'name: A\nanonymous_comments: true\nexpose: true\n',
      'posts/2024/01/a.md': '---\nid: 101\ntitle: A\npassword: sesame\nmood: What is hidden\n---\nWhat is hidden\n',
      'comments/101/201.md': '---\nid: 201\nauthor_name: Ben\ndate: 2024-01-02 10:00:00\n---\nWhat is hidden\n',
      'posts/2024/01/b.md': '---\nid: 102\ntitle: B\npassword: tahini\n---\nElse\n',
      'posts/2024/01/c.md': '---\nid: 103\ntitle: C\n---\nOpen\n',
      'posts/2024/01/d.md': '---\nid: 104\ntitle: D\npassword: "0"\n---\nNothing hidden\n',
    },
  });
});
afterAll(() => site.close());

const ways: readonly (readonly [way: string, ask: Ask])[] = [
  ['an item of the interface', (password, headers) => site.ask('GET', `/cms/v2/posts/101?password=${password}`, { headers })],
  ['a list of the interface', (password, headers) => site.ask('GET', `/cms/v2/posts?password=${password}`, { headers })],
  [
    'fields of a list that has no text',
    (password, headers) => site.ask('GET', `/cms/v2/posts?password=${password}&_fields=front_matter`, { headers }),
  ],
  [
    'the comments of a post',
    (password, headers) => site.ask('GET', `/cms/v2/comments?post=101&password=${password}`, { headers }),
  ],
  ['a comment', (password, headers) => site.ask('GET', `/cms/v2/comments/201?password=${password}`, { headers })],
  [
    'writing a comment',
    async (password, headers) => {
      const content = `Said ${told++}`;
      const body = { post: 101, author_name: content, author_email: `${told}@example.org`, content, password };
      const answer = await site.ask('POST', '/cms/v2/comments', { body, headers });
      // Comments come no faster; guesses are forgotten later.
      now += 16_000;
      return { ...answer, body: answer.status === 201 ? 'What is hidden' : answer.body };
    },
  ],
  [
    'the form of a page',
    async (post_password, headers) => {
      const body = String(new URLSearchParams({ post_password }));
      const answer = await site.ask('POST', '/a/', { raw: true, body, headers: { ...form, ...headers } });
      const cookie = answer.headers.get('set-cookie')?.replace(/;.*/, '');
      return cookie ? site.ask('GET', '/a/', { raw: true, headers: { cookie, ...headers } }) : answer;
    },
  ],
];

describe.each(ways)('with post passwords sent by %s', (_, ask) => {
  const shows = ({ body }: Answered): boolean => JSON.stringify(body).includes('What is hidden');

  it('too many wrong passwords block one IP address, and nobody else', async () => {
    const from = (last: string) => ({ 'x-forwarded-for': `2001:db8:${network}::${last}` });
    network++;
    // An answer that is asked for again is not kept for who has to wait.
    for (let times = 0; times < 3; times++) expect(shows(await ask('sesame', from('1')))).toBe(true);
    for (let at = 0; at < 10; at++) expect(shows(await ask(`wrong-${at}`, from(String(at))))).toBe(false);
    expect(shows(await ask('sesame', from('99')))).toBe(false);
    network++;
    expect(shows(await ask('sesame', from('1')))).toBe(true);
  });

  it('the password of another post, and repeated right ones, do not count as guesses', async () => {
    const headers = { 'x-forwarded-for': `2001:db8:${network++}::1` };
    for (let at = 0; at < 12; at++) await ask('tahini', headers);
    for (let at = 0; at < 12; at++) expect(shows(await ask('sesame', headers))).toBe(true);
  });
});

it('a blocked client is told how long to wait', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const ask = (password: string) => site.ask('GET', `/cms/v2/posts/101?password=${password}`, { headers });
  for (let at = 0; at < 10; at++) expect((await ask(`w${at}`)).body.code).toBe('rest_post_incorrect_password');
  const { status, body, headers: told } = await ask('sesame');
  expect([status, body.code, Number(told.get('retry-after'))]).toEqual([429, 'rest_too_many_attempts', expect.any(Number)]);
  const shown = await site.ask('POST', '/a/', { raw: true, body: 'post_password=sesame', headers: { ...form, ...headers } });
  expect([shown.status, Number(shown.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

it('a password for an unprotected post is wrong, but not a guess', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.8' };
  const ask = (id: number) => site.ask('GET', `/cms/v2/posts/${id}?password=sesame`, { headers });
  for (let at = 0; at < 12; at++) expect((await ask(103)).body.code).toBe('rest_post_incorrect_password');
  expect((await ask(101)).status).toBe(200);
});

it('comments from one IPv6 network count as one place', async () => {
  const comment = (at: number, address: string) =>
    site.ask('POST', '/cms/v2/comments', {
      body: { post: 103, author_name: `N${at}`, author_email: `n${at}@example.org`, content: `Said ${at}` },
      headers: { 'x-forwarded-for': address },
    });
  expect((await comment(1, '2001:db8:a7:7::1')).status).toBe(201);
  expect((await comment(2, '2001:db8:a7:7::2')).body.code).toBe('comment_flood');
  expect((await comment(3, '2001:db8:a8:8::2')).status).toBe(201);
  for (const at of [4, 5]) expect((await comment(at, `2001:db8:a7:${at}000::1`)).status).toBe(201);
  expect((await comment(6, '2001:db8:a7:6000::1')).body.code).toBe('comment_flood');
});

it('a client-supplied comment date neither evades nor prolongs the limit', async () => {
  const comment = (at: number, address: string, more: object) =>
    site.ask('POST', '/cms/v2/comments', {
      body: { post: 103, author_name: `D${at}`, author_email: `d${at}@example.org`, content: `Dated ${at}`, ...more },
      headers: { 'x-forwarded-for': address },
    });
  expect((await comment(1, '2001:db8:d1::1', { date: '2020-01-01T00:00:00' })).status).toBe(201);
  for (const date of ['2020-01-01T00:00:00', '2019-01-01T00:00:00', '2040-01-01T00:00:00'])
    expect((await comment(2, '2001:db8:d1::1', { date })).body.code).toBe('comment_flood');
  expect((await comment(3, '2001:db8:d2::1', { date: '2040-01-01T00:00:00' })).status).toBe(201);
  now += 15_000;
  expect((await comment(4, '2001:db8:d2::1', {})).status).toBe(201);
  expect((await comment(5, '2001:db8:d3::1', { author_email: 'd4@example.org' })).body.code).toBe('comment_flood');
});

it('comments of guests are limited in total, however many networks they come from', async () => {
  const said = Array.from({ length: 30 }, (_, at) =>
    site.ask('POST', '/cms/v2/comments', {
      body: { post: 103, author_name: `M${at}`, author_email: `m${at}@example.org`, content: `More ${at}` },
      headers: { 'x-forwarded-for': `2001:db8:b${at}::1` },
    }),
  );
  const statuses = (await Promise.all(said)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(20);
  expect(statuses).toContain(201);
});

describe('a lone 0', () => {
  it('is not accepted as a password, wherever a post is shown', async () => {
    const item = await site.ask('GET', '/cms/v2/posts/104');
    expect(item.body.content).toEqual({ rendered: '<p>Nothing hidden</p>\n', protected: false });
    expect((await site.ask('GET', '/cms/v2/posts?search=nothing+hidden')).body).toHaveLength(1);
    for (const path of ['/d/', '/feed/'])
      expect((await site.ask('GET', path, { raw: true })).body, path).toContain('Nothing hidden');
    const maps = (await site.ask('GET', '/sitemap.xml', { raw: true })).body.match(/(?<=<loc>)[^<]+/g) as string[];
    const pages = await Promise.all(maps.map((map) => site.ask('GET', new URL(map).pathname, { raw: true })));
    expect(pages.map(({ body }) => body).join()).toContain('/d/</loc>');
  });
});

describe('wrong passwords from everywhere', () => {
  const from = (at: number) => ({ 'x-forwarded-for': `2001:db8:c${at.toString(16).padStart(3, '0')}::1` });
  const item = (password: string, at: number) => site.ask('GET', `/cms/v2/posts/101?password=${password}`, { headers: from(at) });

  it('block new readers, but not those who have already given the password or have its cookie', async () => {
    const body = 'post_password=sesame';
    const opened = await site.ask('POST', '/a/', { raw: true, body, headers: { ...form, ...from(4000) } });
    const cookie = opened.headers.get('set-cookie')?.replace(/;.*/, '') as string;
    expect((await item('sesame', 4001)).status).toBe(200);
    const answers: number[] = [];
    for (let at = 0; at < 110; at++) answers.push((await item(`wrong-${at}`, at)).status);
    expect(answers.filter((status) => status !== 429).length).toBeLessThanOrEqual(100);
    expect((await item('sesame', 4002)).status).toBe(429);
    expect((await item('sesame', 4001)).status).toBe(200);
    const page = await site.ask('GET', '/a/', { raw: true, headers: { cookie, ...from(4003) } });
    expect(page.body).toContain('What is hidden');
    now += 16_000;
    const said = new URLSearchParams({ comment_post_ID: '101', author: 'Kay', email: 'kay@example.org', comment: 'Read it' });
    const headers = { cookie, ...form, ...from(4003) };
    expect((await site.ask('POST', '/cms-comments-post.php', { raw: true, body: String(said), headers })).status).toBe(303);
  });

  it('cannot be guessed through the cookie, which nobody can derive from a password', async () => {
    const seal = createHmac('sha256', 'sesame').update('cms-postpass').digest('base64url');
    for (const value of [seal, 'sesame', createHmac('sha256', '').update('password of posts: sesame').digest('base64url')]) {
      const page = await site.ask('GET', '/a/', { raw: true, headers: { cookie: `cms-postpass=${value}` } });
      expect([page.status, page.body.includes('What is hidden')]).toEqual([200, false]);
    }
  });
});
