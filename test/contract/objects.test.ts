/**
 * Objects where a text is expected, and names that every JavaScript object has: in the query, a form and JSON, of every argument of
 * every route, and of the parameters that all routes know. Nothing of it may be a 500.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../src/kernel/rest/body.ts';
import { neutral } from '../../src/kernel/rest/dialect.ts';
import { parseQuery } from '../../src/kernel/rest/params.ts';
import type { Method, Params, RestRequest } from '../../src/kernel/rest/request.ts';
import { send } from '../kernel/http/http.ts';
import { sample } from '../support/sample-site.ts';
import { startSite, type TestSite } from '../support/site.ts';

const names = [
  'toString',
  'valueOf',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  'raw',
  'rendered',
];
const common = [
  '_fields',
  '_embed',
  '_envelope',
  '_pretty',
  '_jsonp',
  '_locale',
  'context',
  'password',
  'preview_nonce',
  'preview_id',
];
const more = ['page', 'per_page', 'search', 'rest_route', '_method', 'lang_language', 'excerpt_length', 'id', 'type'];

/** What is sent in place of a value, as a query or form says it, and as JSON. */
const shapes: readonly (readonly [query: (name: string) => string, json: string])[] = [
  ...names.map((key) => [(name: string) => `${name}[${key}]=1`, `{${JSON.stringify(key)}:"1"}`] as const),
  [(name) => `${name}[raw][toString]=1`, '{"raw":{"toString":1}}'],
  [(name) => `${name}[][toString]=1`, '[{"toString":1}]'],
  [(name) => `${name}[0][0][0]=1`, '[[["1"]]]'],
  [(name) => `${name}=toString`, '"constructor"'],
  [(name) => `${name}=constructor`, '["__proto__","constructor","toString"]'],
  [(name) => `${name}[a]=%00&${name}[b]=%ff`, '{}'],
];

/** Those that no others stand for. */
const telling = shapes.filter(([query]) => /=constructor|\[(?:toString|raw|\]\[toString)\]=|\[raw\]\[/.test(query('x')));

describe('an object in place of a value', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ from: sample });
  });
  afterAll(() => site.close());

  it('never causes a 500, whatever the route and the argument', async () => {
    const { dispatcher } = site.server;
    const failures = new Set<string>();
    let asked = 0;
    for (const route of dispatcher.registry.routes) {
      for (const { methods, args } of route.endpoints) {
        const method = methods[0] as Method;
        const base = { method, route: pathOf(route.path), headers: {}, dialect: neutral, query: {} as Params };
        for (const name of new Set([...Object.keys(args), 'context', 'id', 'author', 'post', 'password'])) {
          for (const user of [null, { id: 1, roles: ['administrator'] }]) {
            // What nobody asked of the site may leave it; what asks elsewhere takes its time.
            if (user && (method === 'DELETE' || /site-health|directory|url-details|proxy/.test(route.path))) continue;
            for (const [query, json] of telling) {
              const read = parseQuery(query(name));
              const required = requiredOf(args, name);
              const ways: RestRequest[] = [{ ...base, user, query: { ...required, ...read } }];
              if (method !== 'GET') {
                const body = await readBody(Buffer.from(`{${JSON.stringify(name)}:${json}}`), 'application/json');
                ways.push(
                  { ...base, user, json: { ...required, ...body.json } },
                  { ...base, user, form: { ...required, ...read } },
                );
              }
              for (const request of ways) {
                asked++;
                const { status, data } = await dispatcher.dispatch(request);
                if (status >= 500 && (data as { code?: string }).code === 'internal_server_error')
                  failures.add(
                    `${method} ${route.path} ${query(name)} ${user ? 'admin' : 'visitor'}: ${site.log.at(-1)?.split('\n').slice(0, 3).join(' ')}`,
                  );
              }
            }
          }
        }
      }
    }
    expect([...failures].slice(0, 40)).toEqual([]);
    expect(asked).toBeGreaterThan(5_000);
  }, 300_000);

  it('never causes a 500 over HTTP on any route that knows the parameter', async () => {
    const routes = ['/', '/cms/v2/posts', '/cms/v2/posts/2', '/cms/v2', '/oembed/1.0/embed', '/nothing', '/cms/v2/users/me'];
    const authorization = `Basic ${btoa(`admin:${site.password}`)}`;
    for (const route of routes)
      for (const name of [...common, ...more])
        for (const [query, json] of telling) {
          const url = `/cms-json${route}?${query(name)}`;
          const body = `{${JSON.stringify(name)}:${json}}`;
          const headers = { 'content-type': 'application/json', authorization };
          expect((await send(site.url, { url })).status, url).toBeLessThan(500);
          expect((await send(site.url, { method: 'OPTIONS', url, headers, body })).status, url).toBeLessThan(500);
        }
    for (const url of [
      '/?p[toString]=1',
      '/?preview_id[toString]=1&preview_nonce[toString]=1',
      '/?rest_route[toString]=/',
      '/?page_id[]=1',
    ])
      expect((await send(site.url, { url })).status, url).toBeLessThan(500);
  }, 120_000);
});

it.each(['%zz', '/x%', '%', '/%ff', '%e0%a4%a', '/%00'])(
  'a URL that cannot be decoded, %j, does not cause a 500 in an edit',
  async (src) => {
    const site = await startSite({ files: { 'media/2024/01/a.png': 'no picture' } });
    const [{ id }] = (await site.ask('GET', '/cms/v2/media')).body;
    for (const given of [src, `http://x.example/uploads/2024/01/${src}`]) {
      const { status, body } = await site.ask('POST', `/cms/v2/media/${id}/edit`, { as: 'admin', body: { src: given } });
      expect([status, body.code]).toEqual([404, 'rest_unknown_attachment']);
    }
    expect(site.log).toEqual([]);
    await site.close();
  },
);

describe('a request URL that cannot be decoded', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { 'theme/assets/a.txt': 'a' } });
  });
  afterAll(() => site.close());

  it.each(['%', '%zz', '%ff', '%e0%a4%a', '%00', '%c0%ae%c0%ae', 'a%2', '%ed%a0%80'])(
    '%j is not found, without a 500',
    async (part) => {
      for (const before of [
        ...['/', '/uploads/', '/uploads/2024/01/a.png?x=', '/theme/assets/', '/category/', '/author/', '/?s=', '/?p=', '/feed/'],
        ...[
          '/cms-json/',
          '/cms-json/cms/v2/posts/',
          '/cms-json/cms/v2/posts?slug=',
          '/?rest_route=/',
          '/cms-admin/',
          '/2024/01/',
        ],
      ]) {
        const { status } = await send(site.url, { url: before + part });
        expect([before + part, status < 500]).toEqual([before + part, true]);
      }
      expect(site.log).toEqual([]);
    },
  );
});

/** A path that meets the route, of things that are there where possible. */
function pathOf(path: string): string {
  const known: Readonly<Record<string, string>> = {
    id: '2',
    parent: '2',
    type: 'post',
    status: 'publish',
    taxonomy: 'category',
    namespace: 'core',
  };
  return path.replace(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, (_, name: string) => known[name] ?? '5');
}

/** The other arguments that a request must have, so that it comes as far as the one that is tried. */
function requiredOf(
  args: Readonly<Record<string, { readonly required?: unknown; readonly type?: unknown }>>,
  name: string,
): Params {
  const rows = Object.entries(args).filter(([other, { required }]) => required === true && other !== name);
  return Object.fromEntries(
    rows.map(([other, { type }]) => [other, type === 'integer' ? 2 : type === 'array' ? [] : type === 'object' ? {} : 'x']),
  );
}
