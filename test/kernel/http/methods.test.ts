/** The method of a request, and what may name another one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../support/site.ts';
import { exchange, send } from './http.ts';

describe('method override', () => {
  let site: TestSite;
  let authorization: string;
  beforeAll(async () => {
    site = await startSite({ files: { 'posts/2024/01/a.md': '---\nid: 101\ntitle: A\n---\nx\n' } });
    authorization = `Basic ${btoa(`admin:${site.password}`)}`;
  });
  afterAll(() => site.close());

  const post = '/cms-json/cms/v2/posts/101';
  it.each([
    ['GET', '?force=true&_method=DELETE', {}],
    ['GET', '?force=true&%5Fmethod=DELETE', {}],
    ['GET', '?force=true&_method[]=DELETE', {}],
    ['GET', '?force=true', { 'x-http-method-override': 'DELETE' }],
    ['HEAD', '?force=true&_method=DELETE', {}],
    ['PUT', '?force=true&_method=DELETE', {}],
    ['PATCH', '?force=true', { 'x-http-method-override': 'DELETE' }],
    ['OPTIONS', '?force=true&_method=DELETE', {}],
  ])('of a %s%s with %j is ignored', async (method, query, headers) => {
    expect((await send(site.url, { method, url: post + query, headers: { authorization, ...headers } })).status).toBe(200);
    expect(site.site.posts.get(101)?.status).toBe('publish');
  });

  it.each([
    ['?_method=HEAD', {}],
    ['?_method=head', {}],
    ['', { 'x-http-method-override': 'HEAD' }],
  ])('to HEAD, by a POST%s with %j, gives a complete response', async (query, headers) => {
    const one = await send(site.url, { method: 'POST', url: post + query, headers });
    expect([one.status, one.text, one.headers['content-length']]).toEqual([200, '', '0']);
    // Two on one connection: the second is answered too, so the first was whole.
    const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const first = `POST ${post}${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${named.join('')}\r\n`;
    const both = await exchange(site.url, `${first}GET ${post} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(both.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it.each([
    ['_method=PUT', 200],
    ['_method=put', 200],
    ['_method=GET', 200],
    ['_method=OPTIONS', 200],
    ['_method=FOO', 404],
    ['_method=constructor', 404],
    ['_method[toString]=1', 200],
    ['_method=', 200],
  ])('of a POST by %s works', async (query, status) => {
    const body = '{"slug":"a"}';
    const headers = { authorization, 'content-type': 'application/json' };
    expect((await send(site.url, { method: 'POST', url: `${post}?${query}`, headers, body })).status).toBe(status);
  });

  it('is not in the log', () => expect(site.log).toEqual([]));
});
