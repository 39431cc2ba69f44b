/** Passwords of posts cannot be guessed: too many wrong ones hold an address up, on whichever way they come. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, startSite, type TestSite } from '../support/site.ts';

const seal = (password: string): string => createHmac('sha256', password).update('cms-postpass').digest('base64url');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
type Ask = (password: string, headers: Record<string, string>) => Promise<Answered>;

let site: TestSite;
let network = 0;
beforeAll(async () => {
  site = await startSite({
    operator: { trusted_proxies: ['127.0.0.1'] },
    files: {
      'site.yaml': 'name: A\nanonymous_comments: true\n',
      'posts/2024/01/a.md': '---\nid: 101\ntitle: A\npassword: sesame\n---\nWhat is hidden\n',
      'posts/2024/01/b.md': '---\nid: 102\ntitle: B\npassword: tahini\n---\nElse\n',
      'posts/2024/01/c.md': '---\nid: 103\ntitle: C\n---\nOpen\n',
    },
  });
});
afterAll(() => site.close());

const ways: readonly (readonly [way: string, ask: Ask])[] = [
  ['an item of the interface', (password, headers) => site.ask('GET', `/cms/v2/posts/101?password=${password}`, { headers })],
  ['a list of the interface', (password, headers) => site.ask('GET', `/cms/v2/posts?password=${password}`, { headers })],
  [
    'the form of a page',
    async (post_password, headers) => {
      const body = String(new URLSearchParams({ post_password }));
      const answer = await site.ask('POST', '/a/', { raw: true, body, headers: { ...form, ...headers } });
      const cookie = answer.headers.get('set-cookie')?.replace(/;.*/, '');
      return cookie ? site.ask('GET', '/a/', { raw: true, headers: { cookie, ...headers } }) : answer;
    },
  ],
  [
    'the cookie of a page',
    (password, headers) =>
      site.ask('GET', '/a/', { raw: true, headers: { cookie: `cms-postpass=${seal(password)}`, ...headers } }),
  ],
];

describe.each(ways)('by %s', (_, ask) => {
  const shows = ({ body }: Answered): boolean => JSON.stringify(body).includes('What is hidden');

  it('too many wrong passwords hold up the address, and nobody else', async () => {
    const from = (last: string) => ({ 'x-forwarded-for': `2001:db8:0:${network}::${last}` });
    network++;
    expect(shows(await ask('sesame', from('1')))).toBe(true);
    for (let at = 0; at < 10; at++) expect(shows(await ask(`wrong-${at}`, from(String(at))))).toBe(false);
    expect(shows(await ask('sesame', from('99')))).toBe(false);
    network++;
    expect(shows(await ask('sesame', from('1')))).toBe(true);
  });

  it('the password of another post, and the right one however often, are no guesses', async () => {
    const headers = { 'x-forwarded-for': `2001:db8:0:${network++}::1` };
    for (let at = 0; at < 12; at++) await ask('tahini', headers);
    for (let at = 0; at < 12; at++) expect(shows(await ask('sesame', headers))).toBe(true);
  });
});

it('whoever has to wait is told for how long', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const ask = (password: string) => site.ask('GET', `/cms/v2/posts/101?password=${password}`, { headers });
  for (let at = 0; at < 10; at++) expect((await ask(`w${at}`)).body.code).toBe('rest_post_incorrect_password');
  const { status, body, headers: told } = await ask('sesame');
  expect([status, body.code, Number(told.get('retry-after'))]).toEqual([429, 'rest_too_many_attempts', expect.any(Number)]);
  const shown = await site.ask('POST', '/a/', { raw: true, body: 'post_password=sesame', headers: { ...form, ...headers } });
  expect([shown.status, Number(shown.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

it('a password for what has none is wrong, and no guess', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.8' };
  const ask = (id: number) => site.ask('GET', `/cms/v2/posts/${id}?password=sesame`, { headers });
  for (let at = 0; at < 12; at++) expect((await ask(103)).body.code).toBe('rest_post_incorrect_password');
  expect((await ask(101)).status).toBe(200);
});

it('comments from all addresses of one network of IPv6 are from one place', async () => {
  const comment = (at: number, address: string) =>
    site.ask('POST', '/cms/v2/comments', {
      body: { post: 103, author_name: `N${at}`, author_email: `n${at}@example.org`, content: `Said ${at}` },
      headers: { 'x-forwarded-for': address },
    });
  expect((await comment(1, '2001:db8:7:7::1')).status).toBe(201);
  expect((await comment(2, '2001:db8:7:7::2')).body.code).toBe('comment_flood');
  expect((await comment(3, '2001:db8:7:8::2')).status).toBe(201);
});
