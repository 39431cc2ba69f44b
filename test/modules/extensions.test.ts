/** What a module adds to terms, media, people and comments, and to every request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainField, text } from '../../src/kernel/model/field.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import { anyone, READ } from '../../src/kernel/rest/types.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** Shades, which terms and media have, and a say on lists of people and comments. */
const shaded: Extension = {
  fields: {
    shade: plainField<{ readonly shade: string }, 'shade'>(
      'shade',
      text,
      '',
      of('string', 'Its colour.', { context: everywhere }),
      {
        index: true,
      },
    ),
  },
  params: {
    shade: {
      ...of('string', 'Limit result set to a shade.'),
      where: (value) => [{ kind: 'in', index: 'shade', values: [value as string] }],
    },
  },
  links: {
    shade: { title: 'The shade of the item.', route: '/shades/v1/shades/{shade}', of: ({ shade }) => shade },
    dark: {
      title: 'Where nothing is shown.',
      route: '/shades/v1/dark/{id}',
      of: ({ id }, { params }) => (params.nobody ? id : null),
    },
  },
};
const unnamed: Extension = {
  params: {
    at_most: {
      ...of('integer', 'Limit result set to low ids.'),
      where: (value) => [{ kind: 'test', test: ({ id }: { id: number }) => id <= Number(value) }],
    },
  },
  links: { twin: { title: 'The item in the mirror.', route: '/shades/v1/twins/{id}', of: ({ id }) => [id, -id] } },
  scope: ({ params }) => (params.nobody ? [{ kind: 'ids', values: [] }] : []),
};
const shades: Module = {
  name: 'shades',
  args: { nobody: of('boolean', 'Shows nothing.') },
  address: { read: (segment) => (segment === 'mirror' ? { mirrored: 'yes' } : null) },
  namespaces: () => [
    {
      name: 'shades/v1',
      routes: [
        {
          path: '/shades/v1/params',
          endpoints: [{ methods: READ, args: {}, allow: anyone, handle: ({ params }) => ({ ...params }) }],
        },
      ],
    },
  ],
  extend: {
    term: shaded,
    attachment: shaded,
    user: unnamed,
    comment: unnamed,
    '*': { scope: ({ params }) => (params.nobody ? [{ kind: 'ids', values: [] }] : []) },
  },
};

describe('a module that extends terms, media, people and comments', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      modules: [shades],
      files: {
        'terms/tag/sea.yaml': 'id: 70\nname: Sea\nshade: blue\n',
        'terms/tag/sun.yaml': 'id: 71\nname: Sun\n',
        'media/2026/03/a.txt': 'Text',
        'media/2026/03/a.txt.yaml': 'id: 50\nshade: red\n',
        'posts/one.md': '---\nid: 60\ntitle: One\ndate: 2026-03-05T10:00:00\n---\nText\n',
        'comments/60/1.html': '---\nid: 1\nname: Ben\n---\nYes\n',
        'comments/60/2.html': '---\nid: 2\nname: Eve\n---\nNo\n',
      },
    });
  });
  afterAll(() => site.close());
  const idsOf = async (path: string): Promise<readonly number[]> =>
    (await site.ask('GET', path, { as: 'admin' })).body.map(({ id }: { id: number }) => id);

  it.each([
    ['/cms/v2/tags/70', 'blue', 'terms/tag/sea.yaml'],
    ['/cms/v2/media/50', 'red', 'media/2026/03/a.txt.yaml'],
  ])('has its field, its filter and its link at %s', async (path, shade, file) => {
    const { body } = await site.ask('GET', path);
    expect([body.shade, body._links.shade]).toEqual([shade, [{ href: `${site.url}/cms-json/shades/v1/shades/${shade}` }]]);
    const list = path.replace(/\/\d+$/, '');
    expect(await idsOf(`${list}?shade=${shade}`)).toEqual([body.id]);
    expect(await idsOf(`${list}?nobody=1`)).toEqual([]);
    const { body: options } = await site.ask('OPTIONS', path);
    const href = `${site.url}/cms-json/shades/v1/shades/{shade}`;
    expect(options.schema.links).toContainEqual({ rel: 'shade', title: 'The shade of the item.', href });
    const changed = await site.ask('POST', path, { as: 'admin', body: { shade: 'green' } });
    expect([changed.status, changed.body.shade]).toEqual([200, 'green']);
    expect(await site.read(file)).toContain('shade: green\n');
  });

  it('makes terms with its field', async () => {
    const { status, body } = await site.ask('POST', '/cms/v2/categories', { as: 'admin', body: { name: 'Wind', shade: 'grey' } });
    expect([status, body.shade]).toEqual([201, 'grey']);
    expect(await site.read('terms/category/wind.yaml')).toContain('shade: grey\n');
  });

  it.each([
    ['/cms/v2/users', 1],
    ['/cms/v2/comments', 1],
  ])('has its filter, its links and its scope at %s', async (list, id) => {
    expect(await idsOf(`${list}?at_most=1`)).toEqual([id]);
    expect(await idsOf(`${list}?nobody=1`)).toEqual([]);
    expect((await site.ask('GET', `${list}?nobody=1`)).headers.get('x-cms-total')).toBe('0');
    const { body } = await site.ask('GET', `${list}/${id}`, { as: 'admin' });
    expect(body._links.twin.map(({ href }: { href: string }) => href)).toEqual(
      [id, -id].map((one) => `${site.url}/cms-json/shades/v1/twins/${one}`),
    );
    const { body: options } = await site.ask('OPTIONS', list);
    expect(options.schema.links).toEqual([
      { rel: 'twin', title: 'The item in the mirror.', href: `${site.url}/cms-json/shades/v1/twins/{id}` },
    ]);
    expect(options.endpoints[0].args.at_most.type).toBe('integer');
  });

  it('has what its segment says among the parameters of a request, though no argument names it', async () => {
    const ask = async (path: string) => (await site.ask('GET', path, { raw: true, as: 'admin' })).body;
    expect(await ask('/mirror/cms-json/shades/v1/params')).toEqual({ mirrored: 'yes' });
    expect(await ask('/mirror/?rest_route=/shades/v1/params&mirrored=no')).toEqual({ mirrored: 'yes' });
    expect(await ask('/cms-json/shades/v1/params')).toEqual([]);
    for (const root of ['/cms-json', '/mirror/cms-json', '/cms-json', '/mirror/cms-json', '/mirror/wp-json'])
      expect((await ask(`${root}/${root.includes('wp') ? 'wp' : 'cms'}/v2/tags/71`))._links.collection).toEqual([
        { href: `${site.url}${root}/${root.includes('wp') ? 'wp' : 'cms'}/v2/tags` },
      ]);
    const requests = [{ method: 'POST', path: '/cms/v2/tags/71', body: { name: 'Sun!' } }];
    const batch = await site.ask('POST', '/mirror/cms-json/batch/v1', { raw: true, as: 'admin', body: { requests } });
    expect(batch.body.responses[0].body._links.collection[0].href).toBe(`${site.url}/mirror/cms-json/cms/v2/tags`);
  });

  it('has links that its argument decides, whatever was printed before', async () => {
    const dark = async (query: string) =>
      Object.hasOwn((await site.ask('GET', `/cms/v2/tags/71${query}`, { as: 'admin' })).body._links, 'dark');
    expect([await dark(''), await dark('?nobody=1'), await dark(''), await dark('?nobody=1')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('has a scope on every list with *', async () => {
    for (const list of ['/cms/v2/posts', '/cms/v2/pages', '/cms/v2/menu-items', '/cms/v2/menus', '/cms/v2/search'])
      expect([list, await idsOf(`${list}?nobody=1`)]).toEqual([list, []]);
    expect(await idsOf('/cms/v2/posts')).toEqual([60]);
  });
});
