/** A module whose segment before the root stands for a parameter: links of an answer follow the parameter, wherever it was said. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import { plainField, text } from '../../src/kernel/model/field.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import { anyone, READ } from '../../src/kernel/rest/types.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { outside } from './outside.ts';

interface Toned {
  readonly pitch: string;
}

const toned: Extension = {
  fields: {
    pitch: plainField<Toned, 'pitch'>('pitch', text, '', of('string', 'Its tone.', { context: everywhere })),
  },
};

const tonesOf = (site: Site): string[] => String(site.settings.value('tones')).split(' ');

const tones: Module = {
  name: 'tones',
  settings: [
    {
      key: 'tones',
      name: 'tones',
      group: 'writing',
      schema: of('string', 'Tones, the usual first.'),
      default: 'low high',
    },
  ],
  args: {
    tone: (site) => ({
      type: 'string',
      description: 'The tone of the answer.',
      get enum() {
        return tonesOf(site);
      },
    }),
  },
  address: {
    read: (segment, site) => (tonesOf(site).includes(segment) ? { tone: segment } : null),
    write: ({ tone }, site) => String(tone ?? tonesOf(site)[0]),
    of: (record, site) => ({ tone: (record as Toned).pitch || tonesOf(site)[0] }),
  },
  extend: { post: toned, page: toned, category: toned },
  // The high form of a page is called like the low one, and `-high`.
  setup: (site) => ({
    site: {
      counterpart(table, id, { tone }) {
        const slug = table === 'posts' && tone === 'high' ? `${site.posts.get(id)?.slug}-high` : '';
        return [...site.posts.with('slug', slug)][0] ?? id;
      },
    },
  }),
  namespaces: () => [
    {
      name: 'tones/v1',
      routes: [
        {
          path: '/tones/v1/tone',
          endpoints: [
            {
              methods: READ,
              args: {},
              allow: anyone,
              handle: ({ params, urls }) => ({ tone: params.tone ?? null, root: urls.root }),
            },
          ],
        },
      ],
    },
  ],
};

describe('a URL segment that links in responses follow', () => {
  let site: TestSite;
  let post: number;
  beforeAll(async () => {
    site = await startSite({ modules: [tones, outside] });
    const { body } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'A', status: 'publish' } });
    post = body.id;
  });
  afterAll(() => site.close());

  const get = (path: string) => site.ask('GET', path, { raw: true });

  it.each([
    ['/cms-json/tones/v1/tone', null, '/low/cms-json'],
    ['/high/cms-json/tones/v1/tone', 'high', '/high/cms-json'],
    ['/low/wp-json/tones/v1/tone', 'low', '/low/wp-json'],
    ['/high/index.php?rest_route=/tones/v1/tone', 'high', '/high/cms-json'],
    ['/high/?rest_route=/tones/v1/tone', 'high', '/high/cms-json'],
    ['/index.php?rest_route=/tones/v1/tone', null, '/low/cms-json'],
    ['/high/cms-json/tones/v1/tone?tone=low', 'low', '/low/cms-json'],
    ['/cms-json/tones/v1/tone?tone=high', 'high', '/high/cms-json'],
    ['/calm/high/cms-json/tones/v1/tone', 'high', '/high/calm/cms-json'],
    ['/high/calm/cms-json/tones/v1/tone?tone=low', 'low', '/low/calm/cms-json'],
  ])('%s is requested in %s, and links to %s', async (path, tone, root) => {
    for (const _ of [1, 2, 3]) {
      const { status, body } = await get(path);
      expect([status, body]).toEqual([200, { tone, root: site.url + root }]);
    }
  });

  it.each(['/shrill/cms-json', '/shrill/wp-json/wp/v2/posts', '/shrill/index.php?rest_route=/', '/HIGH/cms-json'])(
    '%s is not a route',
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body.code]).toEqual([404, 'rest_no_route']);
      const written = await site.ask('POST', path, { raw: true, as: 'admin', body: { title: 'B' } });
      expect([written.status, written.body.code]).toEqual([404, 'rest_no_route']);
    },
  );

  it('rejects invalid values before checking rights and items', async () => {
    for (const path of ['/cms/v2/users/me', '/cms/v2/posts/99999', '/high/cms-json/cms/v2/settings'].map(
      (one) => `${one}?tone=shrill`,
    )) {
      const { status, body } = await site.ask('GET', path, path.startsWith('/high') ? { raw: true } : {});
      expect([status, body.code, body.data.details.tone.code]).toEqual([400, 'rest_invalid_param', 'rest_not_in_enum']);
    }
  });

  it('applies to links, pagination, Location and embeds', async () => {
    const { headers, body } = await get('/high/cms-json/cms/v2/posts?per_page=1&_embed=author');
    expect(body[0]._links.self[0].href).toBe(`${site.url}/high/cms-json/cms/v2/posts/${post}`);
    expect(body[0]._embedded.author[0]._links.self[0].href).toBe(`${site.url}/high/cms-json/cms/v2/users/1`);
    expect(headers.get('link')).toContain(`<${site.url}/high/cms-json/>; rel="https://api.cms.example/"`);
    const asked = await get(`/cms-json/cms/v2/posts/${post}?tone=high&_embed=author`);
    expect(asked.body._embedded.author[0]._links.self[0].href).toBe(`${site.url}/high/cms-json/cms/v2/users/1`);
    expect(asked.headers.get('link')).toContain(`<${site.url}/low/cms-json/>`);
    const made = await site.ask('POST', '/cms/v2/posts?per_page=1', {
      as: 'admin',
      body: { title: 'C', status: 'publish', tone: 'high' },
    });
    expect(made.headers.get('location')).toBe(`${site.url}/high/cms-json/cms/v2/posts/${made.body.id}`);
    const { headers: paged } = await get('/low/cms-json/cms/v2/posts?per_page=1&tone=high');
    expect(paged.get('link')).toContain(`<${site.url}/high/cms-json/cms/v2/posts?per_page=1&tone=high&page=2>; rel="next"`);
  });

  it('applies to batched requests that do not set it', async () => {
    const { body } = await site.ask('POST', '/batch/v1?tone=high', {
      as: 'admin',
      body: {
        requests: [
          { path: '/cms/v2/posts', body: { title: 'D' } },
          { path: '/cms/v2/posts', body: { title: 'E', tone: 'low' } },
          { path: '/cms/v2/posts?tone=low', body: { title: 'F' } },
          { path: '/cms/v2/posts?tone=shrill', body: { title: 'G' } },
          { path: '/cms/v2/posts', body: { title: 'H' } },
        ],
      },
    });
    const roots = body.responses.map(({ headers, status }: { headers: Record<string, string>; status: number }) =>
      status === 201 ? String(headers.Location).slice(site.url.length).split('/')[1] : status,
    );
    expect(roots).toEqual(['high', 'low', 'low', 400, 'high']);
  });

  it('follows the setting while the server runs, in the catalogue too', async () => {
    const tonesIn = async () => (await site.ask('GET', '/')).body.routes['/'].endpoints[0].args.tone.enum;
    expect(await tonesIn()).toEqual(['low', 'high']);
    await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { tones: 'soft low high' } });
    expect(await tonesIn()).toEqual(['soft', 'low', 'high']);
    expect((await get('/soft/cms-json/tones/v1/tone')).body.root).toBe(`${site.url}/soft/cms-json`);
    expect((await get('/cms-json/tones/v1/tone')).body.root).toBe(`${site.url}/soft/cms-json`);
  });
});

describe('the segment of an item', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      modules: [tones],
      files: {
        'site.yaml': 'name: Tones\nurl: https://tones.example\nfront: page\nfront_page: start\n',
        'posts/deep.md': '---\nid: 11\ntitle: Deep\ndate: 2026-01-01\n---\n',
        'posts/shrill.md': '---\nid: 12\ntitle: Shrill\npitch: high\ndate: 2026-01-02\naliases: [piercing, /old/way/]\n---\n',
        'posts/draft.md': '---\nid: 13\ntitle: Draft\npitch: high\nstatus: draft\ndate: 2026-01-02\n---\n',
        'pages/start.md': '---\nid: 14\ntitle: Start\ndate: 2026-01-02\n---\n',
        'pages/start-high.md': '---\nid: 15\ntitle: High start\npitch: high\ndate: 2026-01-02\n---\n',
        'pages/start/below.md': '---\nid: 16\ntitle: Below\npitch: high\ndate: 2026-01-02\n---\n',
        'terms/category/loud.yaml': 'id: 31\nname: Loud\npitch: high\n',
        'redirects.yaml': '- { from: /high/gone/, to: /high/shrill/ }\n',
      },
    });
  });
  afterAll(() => site.close());

  const url = 'https://tones.example';
  const headersOf = (path: string) => fetch(site.url + path, { redirect: 'manual' });

  it.each([
    ['posts/11', '/low/deep/'],
    ['posts/12', '/high/shrill/'],
    ['posts/13', '/high/?p=13'],
    ['pages/14', '/low/'],
    ['pages/15', '/high/'],
    ['pages/16', '/high/start/below/'],
    ['categories/31', '/high/category/loud/'],
  ])('%s is at %s, whatever segment is requested', async (route, link) => {
    for (const root of ['/cms-json', '/low/cms-json', '/high/cms-json'])
      expect((await site.ask('GET', `/cms/v2/${route}?_fields=link`, { root, as: 'admin' })).body).toEqual({ link: url + link });
  });

  it.each([
    ['/low/deep/', 200, null],
    ['/high/shrill/', 200, null],
    ['/high/start/below/', 200, null],
    ['/high/', 200, null],
    ['/', 200, null],
    // Addresses of a site that had no segments yet.
    ['/deep/', 301, '/low/deep/'],
    ['/shrill/', 301, '/high/shrill/'],
    ['/?p=12', 301, '/high/shrill/'],
    ['/high/deep/', 404, null],
    ['/high/piercing/', 301, '/high/shrill/'],
    ['/low/piercing/', 404, null],
    ['/old/way/', 301, '/high/shrill/'],
    ['/high/old/way/', 301, '/high/shrill/'],
    ['/high/gone/', 301, '/high/shrill/'],
    ['/shrill/shrill/', 404, null],
  ])('%s returns %i', async (path, status, to) => {
    const response = await headersOf(path);
    expect([response.status, response.headers.get('location')]).toEqual([status, to && url + to]);
  });

  it('is used in embeds of the item', async () => {
    const { body } = await site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(`${url}/high/shrill/`)}`);
    expect(body).toMatchObject({ title: 'Shrill', provider_url: `${url}/high/` });
    const wrong = await site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(`${url}/low/shrill/`)}`);
    expect(wrong.status).toBe(404);
    const front = await site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(`${url}/high/`)}`);
    expect(front.body.title).toBe('High start');
  });

  it('is not part of the alias that a rename leaves', async () => {
    const moved = await site.ask('POST', '/cms/v2/pages/16', { as: 'admin', body: { slug: 'under', parent: 15 } });
    expect(moved.body.link).toBe(`${url}/high/start-high/under/`);
    const file = await site.read(site.site.posts.get(16)?.path as string);
    expect(file).toContain('\naliases:\n  - below\n  - /start/below/\n');
    const response = await headersOf('/high/start/below/');
    expect([response.status, response.headers.get('location')]).toEqual([301, `${url}/high/start-high/under/`]);
  });

  it('allows the same slug in another segment', async () => {
    const { body } = await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title: 'Shrill', status: 'publish' } });
    expect(body.slug).toBe('shrill');
  });
});

describe('a module that changes the whole API', () => {
  const rules: Module = {
    name: 'rules',
    index: { show_on_front: null, home: ({ urls }) => `${urls.root}/home`, mascot: () => 'owl' },
    reshape: (route) => ({
      ...route,
      endpoints: route.endpoints.map(({ batch: _, ...endpoint }) => ({
        ...endpoint,
        ...(['/cms/v2/posts', '/cms/v2/types'].includes(route.path) ? { batch: true } : {}),
      })),
    }),
    headers: ({ params }) => ({ 'X-Page': String(params.page ?? 'none') }),
  };
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [rules] });
  });
  afterAll(() => site.close());

  it('changes, removes and adds members of the index', async () => {
    const { body } = await site.ask('GET', '/');
    expect([body.home, body.mascot, 'show_on_front' in body, 'page_on_front' in body]).toEqual([
      `${site.url}/cms-json/home`,
      'owl',
      false,
      true,
    ]);
    expect((await site.ask('GET', '/?_fields=mascot,show_on_front')).body).toEqual({ mascot: 'owl' });
  });

  it('decides which routes batches may call', async () => {
    const { routes } = (await site.ask('GET', '/')).body;
    const marked = Object.entries(routes as Record<string, { endpoints: { allow_batch?: object }[] }>)
      .filter(([, { endpoints }]) => endpoints.some((one) => one.allow_batch))
      .map(([path]) => path);
    expect(marked.sort()).toEqual(['/cms/v2/posts', '/cms/v2/types']);
    const requests = ['/cms/v2/posts', '/cms/v2/pages', '/cms/v2/types'].map((path) => ({ path, body: { title: 'A' } }));
    const { body } = await site.ask('POST', '/batch/v1', { as: 'admin', body: { requests } });
    const said = body.responses.map(({ status, body: { code } }: { status: number; body: { code?: string } }) => [status, code]);
    expect(said).toEqual([
      [201, undefined],
      [400, 'rest_batch_not_allowed'],
      [404, 'rest_no_route'],
    ]);
  });

  it('adds headers to responses, errors and cached responses, but not to internal ones', async () => {
    for (const _ of [1, 2, 3]) expect((await site.ask('GET', '/cms/v2/posts?page=1')).headers.get('x-page')).toBe('1');
    expect((await site.ask('GET', '/cms/v2/posts/99')).headers.get('x-page')).toBe('none');
    const { headers, body } = await site.ask('GET', '/cms/v2/posts?page=1&_envelope');
    expect([headers.get('x-page'), 'X-Page' in body.headers]).toEqual(['1', false]);
    const batched = await site.ask('POST', '/batch/v1', { as: 'admin', body: { requests: [{ path: '/cms/v2/posts' }] } });
    expect('X-Page' in batched.body.responses[0].headers).toBe(false);
  });
});
