/**
 * What visitors may not see is in no answer to them: every route that is read, and pages, are asked of a site whose hidden items each
 * hold a word of their own.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const words: string[] = [];
const ids: number[] = [];
const word = (what: string): string => {
  words.push(`canary${what}x`);
  return words.at(-1) as string;
};

beforeAll(async () => {
  site = await startSite();
  const make = async (path: string, body: Record<string, unknown>): Promise<number> => {
    const { status, body: made } = await site.ask('POST', path, { as: 'admin', body });
    expect([path, status]).toEqual([path, 201]);
    ids.push(made.id);
    return made.id;
  };
  const open = await make('/cms/v2/posts', { title: 'Open', content: 'Plain', status: 'publish' });
  for (const type of ['posts', 'pages']) {
    for (const status of ['draft', 'pending', 'private']) {
      const hidden = word(`${type}${status}`);
      await make(`/cms/v2/${type}`, {
        title: `T${hidden}`,
        content: `C${hidden}`,
        excerpt: `E${hidden}`,
        slug: `s-${hidden}`,
        status,
      });
    }
    const future = word(`${type}future`);
    await make(`/cms/v2/${type}`, { title: future, content: future, status: 'future', date: '2199-01-01T00:00:00' });
    const trashed = word(`${type}trash`);
    const id = await make(`/cms/v2/${type}`, { title: trashed, content: trashed, status: 'publish' });
    await site.ask('DELETE', `/cms/v2/${type}/${id}`, { as: 'admin' });
    const locked = word(`${type}locked`);
    await make(`/cms/v2/${type}`, {
      title: 'Locked',
      content: locked,
      excerpt: locked,
      status: 'publish',
      password: word(`${type}key`),
    });
  }
  for (const status of ['hold', 'spam'])
    await make('/cms/v2/comments', { post: open, content: word(`comment${status}`), status });
  const mail = word('mail');
  await signUp(site, word('login'), 'subscriber');
  await make('/cms/v2/users', {
    username: word('author'),
    email: `${mail}@example.org`,
    password: 'Sturdy-pass-91',
    first_name: word('first'),
  });
  await site.ask('POST', `/cms/v2/posts/${open}`, { as: 'admin', body: { content: word('former') } });
  await site.ask('POST', `/cms/v2/posts/${open}`, { as: 'admin', body: { content: 'Plain again' } });
});
afterAll(() => site.close());

/** Addresses of a route: each id for what stands in its path, and the words of types and taxonomies. */
function* addressesOf(path: string): Iterable<string> {
  const parts = path.match(/\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g) ?? [];
  if (parts.length === 0) return yield path;
  const fill = (value: string | number): string => parts.reduce((text, part) => text.replace(part, () => String(value)), path);
  for (const value of [...ids, 1, 'me', 'post', 'page', 'category', 'publish']) yield fill(value);
}

const seen = (text: string): string[] => words.filter((one) => text.toLowerCase().includes(one.toLowerCase()));

it('they are there, for who may see them', async () => {
  const { body } = await site.ask('GET', '/cms/v2/posts?context=edit&status=any&per_page=100', { as: 'admin' });
  expect(seen(JSON.stringify(body)).length).toBeGreaterThan(5);
});

describe('a visitor', () => {
  it('finds nothing hidden at any route, in any context', async () => {
    const found: string[] = [];
    let asked = 0;
    for (const { path, endpoints } of site.server.dispatcher.registry.routes) {
      if (!endpoints.some(({ methods }) => methods.includes('GET'))) continue;
      for (const address of addressesOf(path))
        for (const query of ['', '?context=edit&_embed=1', '?status=any&per_page=100&_embed=1', '?search=canary']) {
          const { status, body } = await site.ask('GET', address + query, {});
          asked++;
          const leaks = seen(JSON.stringify(body));
          if (status >= 500) found.push(`${address}${query}: ${status}`);
          if (leaks.length > 0) found.push(`${address}${query}: ${leaks.join(' ')}`);
        }
    }
    expect(asked).toBeGreaterThan(1000);
    expect(found).toEqual([]);
  });

  it('finds nothing hidden on any page', async () => {
    const found: string[] = [];
    for (const path of [
      '/',
      '/feed/',
      '/comments/feed/',
      '/sitemap.xml',
      '/wp-sitemap.xml',
      '/robots.txt',
      '/?s=canary',
      ...ids.flatMap((id) => [`/?p=${id}`, `/?page_id=${id}`]),
    ]) {
      const { body } = await site.ask('GET', path, { raw: true });
      const leaks = seen(String(body));
      if (leaks.length > 0) found.push(`${path}: ${leaks.join(' ')}`);
    }
    expect(found).toEqual([]);
  });
});
