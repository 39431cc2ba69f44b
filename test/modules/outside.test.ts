/**
 * What a module can bring, shown by one that lives here and changes nothing in `src`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modulesOf } from '../../src/deployments.ts';
import { composeSite, openSite } from '../../src/open-site.ts';
import { collectionPath } from '../../src/kernel/collections.ts';
import { plainField, text } from '../../src/kernel/model/field.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import { ModuleError } from '../../src/kernel/modules.ts';
import { anyone, READ } from '../../src/kernel/rest/types.ts';
import { hash } from '../../src/kernel/store/bytes.ts';
import { readerVersion } from '../../src/kernel/store/snapshot.ts';
import { openSeal, stateDirectory } from '../../src/kernel/store/state.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { exportJson } from '../../src/transfer/export/json.ts';
import { exportWxr } from '../../src/transfer/export/wxr.ts';
import { fileSchemas } from '../../src/validate/file-schemas.ts';
import { declare, locate, validate } from '../../src/validate/validate.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';
import { outside } from './outside.ts';

const modules = [...modulesOf('basic'), outside];

describe('a module from outside', () => {
  let site: TestSite;
  const ids: Record<string, number> = {};
  const fileOf = (mood: string): string => site.site.posts.get(ids[mood] as number)?.path as string;

  beforeAll(async () => {
    site = await startSite({
      modules: [outside],
      files: { 'moods/glad.yaml': 'label: Glad at heart\nsecret: shown to editors\n' },
    });
    for (const mood of ['glad', 'furious', '']) {
      const body = { title: `Mood ${mood}`, mood, status: 'publish' };
      const { status, body: post } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body });
      expect(status).toBe(201);
      ids[mood] = post.id;
    }
  });
  afterAll(() => site.close());

  it('has a field that is served, written, in the front matter, and gone with its default', async () => {
    const path = `/cms/v2/posts/${ids.glad}`;
    expect((await site.ask('GET', path)).body.mood).toBe('glad');
    expect((await site.ask('GET', `${path}?context=embed`)).body).not.toHaveProperty('mood');
    expect(await site.read(fileOf('glad'))).toContain('\nmood: glad\n');
    expect(await site.read(fileOf(''))).not.toContain('mood');
    const changed = await site.ask('POST', path, { as: 'admin', body: { mood: 'merry' } });
    expect([changed.status, changed.body.mood]).toEqual([200, 'merry']);
    expect(await site.read(fileOf('glad'))).toContain('\nmood: merry\n');
    await site.ask('POST', path, { as: 'admin', body: { mood: 'glad' } });
    const page = await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title: 'P', mood: 'glad' } });
    expect(page.body.mood).toBe('glad');
    expect((await site.ask('POST', path, { as: 'admin', body: { mood: ['x'] } })).body.code).toBe('rest_invalid_param');
    expect((await site.ask('GET', '/cms/v2/media')).status).toBe(200);
  });

  it('has a field whose change by hand is served', async () => {
    const text = await site.read(fileOf('furious'));
    await site.write(fileOf('furious'), text.replace('mood: furious', 'mood: cross'));
    await site.site.reload();
    expect((await site.ask('GET', `/cms/v2/posts/${ids.furious}`)).body.mood).toBe('cross');
    await site.write(fileOf('furious'), text);
    await site.site.reload();
  });

  it('has the field in OPTIONS and the catalogue', async () => {
    const { body } = await site.ask('OPTIONS', '/cms/v2/posts');
    expect(body.schema.properties.mood).toMatchObject({ type: 'string', description: 'How its author felt.' });
    expect(body.endpoints[1].args.mood).toMatchObject({ type: 'string', description: 'How its author felt.' });
    const { routes, namespaces } = (await site.ask('GET', '/')).body;
    expect(routes['/cms/v2/posts/(?P<id>[\\d]+)'].endpoints[1].args.mood.type).toBe('string');
    expect(namespaces).toContain('moods/v1');
    expect(Object.keys((await site.ask('GET', '/moods/v1')).body.routes)).toEqual([
      '/moods/v1',
      '/moods/v1/moods',
      '/moods/v1/moods/(?P<slug>[a-z-]+)',
      '/moods/v1/house',
    ]);
  });

  it('has a list filter with its totals, checked like any other', async () => {
    const list = await site.ask('GET', '/cms/v2/posts?mood=glad');
    expect(list.body.map(({ id }: { id: number }) => id)).toEqual([ids.glad]);
    expect(list.headers.get('x-cms-total')).toBe('1');
    expect((await site.ask('GET', '/cms/v2/posts?mood=A9')).body.code).toBe('rest_invalid_param');
    const { body } = await site.ask('OPTIONS', '/cms/v2/posts');
    expect(body.endpoints[0].args.mood).toMatchObject({ pattern: '^[a-z-]+$', required: false });
  });

  it('has a link in items and their schema, which embeds follow', async () => {
    const { body } = await site.ask('GET', `/cms/v2/posts/${ids.glad}?_embed=mood`);
    expect(body._links.mood).toEqual([{ embeddable: true, href: `${site.url}/cms-json/moods/v1/moods/glad` }]);
    expect(body._embedded.mood[0]).toMatchObject({ label: 'Glad at heart' });
    expect((await site.ask('GET', `/cms/v2/posts/${ids['']}`)).body._links).not.toHaveProperty('mood');
    const { body: options } = await site.ask('OPTIONS', '/cms/v2/posts');
    const href = `${site.url}/cms-json/moods/v1/moods/{slug}`;
    expect(options.schema.links).toContainEqual({ rel: 'mood', title: 'The mood of the item.', href });
  });

  it('has files that are records, which get ids and are served and written', async () => {
    const { body } = await site.ask('GET', '/moods/v1/moods/glad');
    expect(body).toMatchObject({ id: 1, slug: 'glad', label: 'Glad at heart' });
    expect(body).not.toHaveProperty('secret');
    expect(await site.read('moods/glad.yaml')).toContain('id: 1\n');
    const made = await site.ask('POST', '/moods/v1/moods', { as: 'admin', body: { slug: 'merry', label: 'Merry' } });
    expect(made.body).toMatchObject({ id: 2, slug: 'merry', label: 'Merry' });
    expect(await site.read('moods/merry.yaml')).toBe('id: 2\nlabel: Merry\n');
    expect((await site.ask('GET', '/moods/v1/moods')).headers.get('x-cms-total')).toBe('2');
  });

  it('has an error code, a capability, and a setting of site.yaml', async () => {
    const { status, body } = await site.ask('GET', '/moods/v1/moods/nobody');
    expect([status, body]).toEqual([404, { code: 'moods_unknown', message: 'There is no such mood.', data: { status: 404 } }]);
    const [author, reader] = [await signUp(site, 'ann', 'author'), await signUp(site, 'sam', 'subscriber')];
    const merry = { slug: 'sober', label: 'Sober' };
    expect((await site.ask('POST', '/moods/v1/moods', { as: reader.as, body: merry })).status).toBe(403);
    expect((await site.ask('POST', '/moods/v1/moods', { as: author.as, body: merry })).status).toBe(200);
    expect((await site.ask('GET', '/moods/v1/house')).body).toEqual({ mood: 'calm' });
    await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { mood: 'busy' } });
    expect((await site.ask('GET', '/moods/v1/house')).body).toEqual({ mood: 'busy' });
    expect(await site.read('site.yaml')).toContain('\nmood: busy\n');
    expect((await site.ask('OPTIONS', '/cms/v2/settings')).body.schema.properties.mood.description).toBe(
      'The mood of the house.',
    );
  });

  it('has an argument on every route, and clauses in every list of posts', async () => {
    const routes = Object.values((await site.ask('GET', '/')).body.routes) as { endpoints: { args: object }[] }[];
    const without = routes.flatMap(({ endpoints }) => endpoints).filter(({ args }) => !('calm' in args));
    expect(without).toEqual([]);
    expect((await site.ask('GET', '/cms/v2/types?calm=perhaps')).body.code).toBe('rest_invalid_param');
    const all = await site.ask('GET', '/cms/v2/posts');
    const calm = await site.ask('GET', '/cms/v2/posts?calm=1');
    expect(calm.body).toHaveLength(all.body.length - 1);
    expect(Number(calm.headers.get('x-cms-total'))).toBe(Number(all.headers.get('x-cms-total')) - 1);
    const found = async (query: string) => (await site.ask('GET', `/cms/v2/search?search=furious${query}`)).body.length;
    expect([await found(''), await found('&calm=1')]).toEqual([1, 0]);
  });

  it.each([
    ['/calm/cms-json/cms/v2/posts?per_page=1', 'cms-json'],
    ['/calm/wp-json/wp/v2/posts?per_page=1', 'wp-json'],
    ['/calm/?rest_route=/cms/v2/posts&per_page=1', 'cms-json'],
    ['/calm?rest_route=/cms/v2/posts&per_page=1', 'cms-json'],
    ['/calm/index.php?rest_route=/wp/v2/posts&per_page=1', 'wp-json'],
  ])('is asked by a segment before the root: %s', async (path, root) => {
    // Twice: the second answer comes from memory.
    for (const _ of [1, 2, 3]) {
      const { status, headers, body } = await site.ask('GET', path, { raw: true });
      expect(status).toBe(200);
      expect(body.map(({ mood }: { mood: string }) => mood)).not.toContain('furious');
      const total = headers.get(root === 'cms-json' ? 'x-cms-total' : 'x-wp-total');
      const plain = await site.ask('GET', path.replace('/calm', path.startsWith('/calm?') ? '/' : ''), { raw: true });
      expect(Number(plain.headers.get(root === 'cms-json' ? 'x-cms-total' : 'x-wp-total'))).toBe(Number(total) + 1);
      expect(headers.get('link')).toContain(`<${site.url}/calm/${root}/`);
      expect(plain.headers.get('link')).toContain(`<${site.url}/${root}/`);
    }
  });

  it('cannot be overridden by the query where the address has spoken, and other segments are no address', async () => {
    const { headers } = await site.ask('GET', '/calm/cms-json/cms/v2/posts?calm=0', { raw: true });
    expect(headers.get('x-cms-total')).toBe((await site.ask('GET', '/cms/v2/posts?calm=1')).headers.get('x-cms-total'));
    expect((await site.ask('GET', '/wild/cms-json/cms/v2/posts', { raw: true })).status).toBe(404);
    expect((await site.ask('GET', '/calm/calm/cms-json/cms/v2/posts', { raw: true })).status).toBe(404);
  });

  it('keeps printed items of the segment apart from the others', async () => {
    const self = async (root: string) => {
      const { body } = await site.ask('GET', `/cms/v2/posts/${ids.glad}`, { root, as: 'admin' });
      return body._links.self[0].href;
    };
    for (const root of ['/cms-json', '/calm/cms-json', '/cms-json', '/calm/cms-json'])
      expect(await self(root)).toBe(`${site.url}${root}/cms/v2/posts/${ids.glad}`);
  });

  it('is in JSON Schemas of files', () => {
    const schemas = fileSchemas(declare({ modules }));
    const propertiesOf = (name: string) => schemas.find((one) => one.name === name)?.schema.properties as Record<string, object>;
    expect(propertiesOf('post').mood).toMatchObject({ description: 'How its author felt.' });
    expect(propertiesOf('page')).toHaveProperty('mood');
    expect(propertiesOf('media')).not.toHaveProperty('mood');
    expect(propertiesOf('site').mood).toMatchObject({ default: 'calm' });
    expect(Object.keys(propertiesOf('moods'))).toEqual(['id', 'slug', 'label', 'secret']);
    expect(schemas.find((one) => one.name === 'moods')?.files).toEqual([
      collectionPath({ name: 'moods', title: '', fields: {} }).pattern.replace('{yaml,yml}', 'yaml'),
    ]);
  });

  it('is read by validate: values of its keys, files of its folder, its own check', async () => {
    const folder = temporaryFolder({
      'posts/wrong.md': '---\ntitle: Wrong\nmood: [1, 2]\n---\n',
      'posts/lost.md': '---\ntitle: Lost\nmood: lost\n---\n',
      'posts/good.md': '---\ntitle: Good\nmood: glad\n---\n',
      'moods/glad.yaml': 'label: Glad\n',
      'moods/bad.yaml': 'label: {}\n',
    });
    const store = await createStore({ dir: folder.dir, readOnly: true });
    const content = await store.load();
    const findings = await locate(validate(content, declare({ modules }), { clock: Date.now() }), store.readBytes);
    const said = findings.map(({ path, line, rule, severity, message }) => [path, line, severity, rule, message]);
    expect(said).toContainEqual(['posts/wrong.md', 3, 'error', 'field:mood', 'mood must be a text']);
    expect(said).toContainEqual(['moods/bad.yaml', 1, 'error', 'field:label', 'label must be a text']);
    expect(said).toContainEqual(['posts/lost.md', 3, 'warning', 'mood-unknown', 'no file of moods/ is called lost']);
    expect(said.filter(([path, , severity]) => severity !== 'note' && /good|glad/.test(String(path)))).toEqual([]);
    await store.close();
  });

  it('goes into the JSON and WXR exports', async () => {
    const json: string[] = [];
    await exportJson({ site: site.site, registry: composeSite(site.site), write: (text) => void json.push(text) });
    const { items } = JSON.parse(json.join(''));
    expect(items.post.find(({ id }: { id: number }) => id === ids.glad).mood).toBe('glad');
    const wxr: string[] = [];
    const report = await exportWxr(site.site, {
      out: new Writable({
        write(chunk, _, done) {
          wxr.push(String(chunk));
          done();
        },
      }),
    });
    expect(wxr.join('')).toContain('<wp:meta_key><![CDATA[mood]]></wp:meta_key><wp:meta_value><![CDATA[glad]]></wp:meta_value>');
    expect(JSON.stringify(report)).not.toContain('front matter: mood');
  });
});

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

describe('the snapshot', () => {
  it('keeps the values of fields that modules add, for sites with the same modules', async () => {
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n', 'users/anna.yaml': 'id: 2\nname: Anna\n' });
    const later = (): number => Date.now() + 60_000;
    for (let at = 0; at < 520; at++)
      folder.write(
        `posts/2026/03/p${at}.md`,
        `---\nid: ${1000 + at}\ntitle: T${at}\nauthor: anna\ndate: 2026-03-01T10:00:00\nmood: m${at}\n---\nText\n`,
      );
    const open = async (modules: readonly Module[], readOnly = false) => {
      const site = await openSite(folder.dir, { clock: later, modules, readOnly });
      await site.close();
      return site;
    };
    const moodOf = (site: Site): unknown => (site.posts.get(1003) as { mood?: string } | undefined)?.mood;
    for (let start = 0; start < 2; start++) await open([outside]);
    // What was kept says something else than the file: where it is seen, the file was not read.
    const derived = folder.at('.cms/cache/snapshot/derived');
    const bytes = readFileSync(derived);
    const changed = Buffer.from(bytes.toString('latin1', bytes.indexOf(10) + 1).replace(/m3(?=m30)/, 'x3'), 'latin1');
    const code = openSeal(stateDirectory()).of('derived', hash(changed));
    writeFileSync(derived, Buffer.concat([Buffer.from(`${readerVersion()} ${code}\n`), changed]));
    expect(moodOf(await open([outside], true))).toBe('x3');
    expect(moodOf(await open([{ ...outside, version: '2' }], true))).toBe('m3');
  });
});

describe('modules that cannot be', () => {
  const field = outside.extend?.post?.fields?.mood as NonNullable<Module['extend']>[string];
  const silent = {
    schema: { type: 'string', readonly: true },
    get: () => '',
    file: { key: 'x', read: () => {}, print: () => '' },
  } as const;
  const other: Module = { ...outside, name: 'others' };
  it.each<[string, readonly Module[], string]>([
    ['two of one name', [outside, outside], 'the module "moods" comes from two modules: moods and moods'],
    [
      'a setting twice',
      [outside, { ...other, errors: {}, collections: [] }],
      'the setting (key) "mood" comes from two modules: moods and others',
    ],
    [
      'a setting of the house',
      [{ name: 'a', settings: [{ key: 'name', group: '', schema: {}, default: '' }] }],
      'the setting (key) "name" comes from two modules: settings and a',
    ],
    [
      'an error code twice',
      [outside, { name: 'b', errors: { moods_unknown: { status: 400, message: 'x' } } }],
      'the error code "moods_unknown" comes from two modules: moods and b',
    ],
    [
      'an error code of the house',
      [{ name: 'a', errors: { rest_no_route: { status: 400, message: 'x' } } }],
      'module a: the error code "rest_no_route" means "No route was found matching the URL and request method." already',
    ],
    [
      'a field twice',
      [outside, { name: 'b', extend: { post: { fields: { mood: field } } } } as Module],
      'the fields of post: "mood" comes from two modules: moods and b',
    ],
    [
      'a field of the house',
      [{ name: 'a', extend: { post: { fields: { title: field } } } } as Module],
      'post has a field "title" already',
    ],
    [
      'a key of the house',
      [
        {
          name: 'a',
          extend: {
            post: {
              fields: {
                x: {
                  ...silent,
                  file: {
                    ...silent.file,
                    key: 'title',
                    read: (_: unknown, draft: any) => {
                      draft.x = '';
                    },
                  },
                },
              },
            },
          },
        },
      ],
      'files of post have a key "title" already',
    ],
    [
      'a field that a snapshot loses',
      [{ name: 'a', extend: { post: { fields: { x: silent } } } }],
      'module a: post.x leaves the record as it is when the file has no x',
    ],
    [
      'a field that is written for nothing',
      [{ name: 'a', extend: { post: { fields: { x: { schema: { type: 'string' }, get: () => '' } } } } }],
      'module a: post.x can be written and has no set; its schema may say readonly',
    ],
    [
      'items that are not there',
      [{ name: 'a', extend: { pots: { fields: {} } } }],
      'module a: there are no items called "pots" that take fields',
    ],
    [
      'fields of what takes none',
      [{ name: 'a', extend: { user: { fields: {} } } }],
      'module a: there are no items called "user" that take fields',
    ],
    [
      'a parameter of the house',
      [{ name: 'a', extend: { post: { params: { page: { where: () => [] } } } } }],
      '/cms/v2/posts has an argument "page" already',
    ],
    ['an argument of the house', [{ name: 'a', args: { context: {} } }], '/ has an argument "context" already'],
    [
      'routes of a type twice',
      [{ name: 'a', typeRoutes: { attachment: () => [] } }],
      'the routes of the type "attachment" comes from two modules: media and a',
    ],
  ])('%s: the site does not start', async (_, some, message) => {
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n' });
    const start = async (): Promise<void> => {
      const site = await openSite(folder.dir, { modules: some, readOnly: true });
      try {
        composeSite(site);
      } finally {
        await site.close();
      }
    };
    await expect(start()).rejects.toThrow(new ModuleError(message));
  });
});
