/**
 * Nothing that is kept, printed items or whole answers, is ever shown for another state than the one it was made from.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../src/kernel/rest/dialect.ts';
import { parseQuery } from '../../src/kernel/rest/params.ts';
import {
  createPrintCache,
  type ResponseVariant,
  print,
  SerializedJson,
  serializeList,
} from '../../src/kernel/rest/serialized-json.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** Changes of everything that an item of another record shows. */
const changes: Readonly<Record<string, (site: TestSite, value: string) => Promise<unknown>>> = {
  'title of a post': (site, title) => write(site, '/cms/v2/posts/101', { title }),
  'slug of a post': (site, slug) => write(site, '/cms/v2/posts/102', { slug }),
  'status of a post': (site, value) => write(site, '/cms/v2/posts/102', { status: value.length % 2 ? 'draft' : 'publish' }),
  'text of a post, which makes a revision': (site, content) => write(site, '/cms/v2/posts/103', { content }),
  'slug of a parent page': (site, slug) => write(site, '/cms/v2/pages/110', { slug: `p-${slug}` }),
  'name of a term': (site, name) => write(site, '/cms/v2/categories/50', { name }),
  'slug of a term': (site, slug) => write(site, '/cms/v2/categories/50', { slug: `c-${slug}` }),
  'name of the writer': (site, name) => write(site, '/cms/v2/users/1', { name }),
  'image of a post': (site, value) => write(site, '/cms/v2/posts/101', { featured_media: value.length % 2 ? 120 : 0 }),
  'text of an image': (site, alt_text) => write(site, '/cms/v2/media/120', { alt_text }),
  'a comment': (site, content) => write(site, '/cms/v2/comments', { post: 101, content }),
  'a new post': (site, title) => write(site, '/cms/v2/posts', { title, status: 'publish', categories: [50] }),
  'a setting': (site, value) => write(site, '/cms/v2/settings', { use_smilies: value.length % 2 === 0 }),
  'password of a post': (site, value) => write(site, '/cms/v2/posts/103', { password: value.length % 2 ? 'open' : '' }),
};

const reads = [
  '/cms/v2/posts',
  '/cms/v2/posts?_embed',
  '/cms/v2/posts?_fields=id,title,_links',
  '/cms/v2/posts?categories=50&orderby=title',
  '/cms/v2/posts/101',
  '/cms/v2/posts/101?_embed=author,cms:featuredmedia',
  '/cms/v2/posts/103?password=open',
  '/cms/v2/posts?context=embed&excerpt_length=3',
  '/cms/v2/pages',
  '/cms/v2/media',
  '/cms/v2/categories',
  '/cms/v2/users',
  '/cms/v2/posts?context=edit',
];

const file = (title: string, more = ''): string =>
  `---\ntitle: ${title}\ncategories: [harbour]\n${more}---\nText of ${title} :-)\n`;

describe('the response cache', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      files: {
        'terms/category/harbour.yaml': 'id: 50\nname: Harbour\n',
        'posts/2024/01/a.md': `---\nid: 101${file('A', 'sticky: true\n').slice(3)}`,
        'posts/2024/01/b.md': `---\nid: 102${file('B').slice(3)}`,
        'posts/2024/01/c.md': `---\nid: 103${file('C').slice(3)}`,
        'pages/about/index.md': '---\nid: 110\ntitle: About\n---\nx\n',
        'pages/about/team.md': '---\nid: 111\ntitle: Team\n---\nx\n',
        'media/2024/01/note.txt': 'text',
        'media/2024/01/note.txt.yaml': 'id: 120\n',
      },
    });
  });
  afterAll(() => site.close());

  it('returns the same bytes as an uncached response', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.constantFrom('x', 'yy', 'tide', 'Fog & Rain'), fc.nat())),
        async (steps) => {
          for (const [name, value, at] of steps) {
            await changes[name]?.(site, value);
            for (const path of [reads[at % reads.length], reads[(at + 3) % reads.length]] as string[])
              for (const as of [undefined, 'admin', undefined, 'admin'])
                expect(await (await get(site, path, as)).text(), `${path} after ${name}`).toBe(await fresh(site, path, as));
          }
        },
      ),
      { numRuns: 40, seed: Number(process.env.FC_SEED ?? 7) },
    );
    expect(site.log).toEqual([]);
  });

  it('answers 304 without a body when the ETag matches', async () => {
    for (const as of [undefined, undefined, 'admin', 'admin']) {
      const etag = (await get(site, '/cms/v2/posts', as)).headers.get('etag') as string;
      const again = await get(site, '/cms/v2/posts', as, { 'if-none-match': etag });
      expect(again.status).toBe(304);
      expect(again.headers.get('content-type')).toBeNull();
      expect(await again.text()).toBe('');
    }
    expect((await get(site, '/cms/v2/posts', undefined, { 'if-none-match': '"else"' })).status).toBe(200);
  });

  it('forgets a password as soon as it is revoked', async () => {
    const made = await site.ask('POST', '/cms/v2/users/1/application-passwords', { as: 'admin', body: { name: 'short-lived' } });
    const password = `admin:${made.body.password}`;
    for (let at = 0; at < 3; at++) expect((await site.ask('GET', '/cms/v2/users/me', { as: password })).status).toBe(200);
    await site.ask('DELETE', `/cms/v2/users/1/application-passwords/${made.body.uuid}`, { as: 'admin' });
    expect((await site.ask('GET', '/cms/v2/users/me', { as: password })).status).toBe(401);
    expect((await site.ask('GET', '/cms/v2/users/me', { as: 'admin' })).status).toBe(200);
  });

  it('returns the origin of each request in CORS headers', async () => {
    for (const origin of ['https://a.example', 'https://b.example', 'https://a.example'])
      expect((await get(site, '/cms/v2/posts', undefined, { origin })).headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('serialized items', () => {
  it('serialize to the same JSON as their values', () => {
    const values = [{ id: 1, name: 'ä "quoted"' }, [], { deep: [1, null, 'x'] }];
    const list = serializeList(values.map(print));
    expect(JSON.stringify({ list })).toBe(JSON.stringify({ list: values }));
    expect(list.bytes.toString()).toBe(JSON.stringify(values));
    expect(serializeList([]).bytes.toString()).toBe('[]');
  });

  it('stay within the byte limit, the most recently used ones longest', () => {
    const cache = createPrintCache(100_000);
    const records = Array.from({ length: 1000 }, (_, id) => ({ id }));
    const variant = cache.variant('view') as ResponseVariant;
    const often = records[0] as object;
    for (const record of records) {
      variant.set(record, 1, new SerializedJson(Buffer.alloc(1000), ''));
      if (variant.get(often, 1) === undefined) variant.set(often, 1, new SerializedJson(Buffer.alloc(1000), ''));
    }
    const left = records.filter((record) => variant.get(record, 1)).length;
    expect(left).toBeGreaterThan(30);
    expect(left).toBeLessThan(80);
    expect(variant.get(often, 2)).toBeUndefined();
    expect(cache.variant('edit')?.get(records.at(-1) as object, 1)).toBeUndefined();
  });
});

async function write(site: TestSite, path: string, body: unknown): Promise<void> {
  const answer = await site.ask('POST', path, { as: 'admin', body });
  expect(answer.status, `${path} ${JSON.stringify(body)} ${JSON.stringify(answer.body)}`).toBeLessThan(409 + 1);
}

function get(site: TestSite, path: string, as?: string, headers: Record<string, string> = {}): Promise<Response> {
  const basic = as && `Basic ${Buffer.from(`${as}:${site.password}`).toString('base64')}`;
  return fetch(`${site.url}/cms-json${path}`, { headers: { ...headers, ...(basic ? { authorization: basic } : {}) } });
}

/** The body as it is now, with nothing kept. */
async function fresh(site: TestSite, path: string, as?: string): Promise<string> {
  const [route, query = ''] = path.split('?') as [string, string?];
  const account = as === undefined ? null : site.site.accounts.byLogin(as);
  const user = account ? { id: account.id, roles: account.roles, capabilities: account.capabilities } : null;
  const { data } = await site.server.dispatcher.dispatch({
    method: 'GET',
    route,
    query: parseQuery(query),
    headers: {},
    dialect: dialects[0] as (typeof dialects)[number],
    user,
  });
  return JSON.stringify(data);
}
