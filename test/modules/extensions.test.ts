/** What a module adds to terms, media, people, comments, menus and their items, and to every request. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainField, text } from '../../src/kernel/model/field.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import { anyone, READ } from '../../src/kernel/rest/types.ts';
import { modulesOf } from '../../src/deployments.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { composeSite, openSite } from '../../src/open-site.ts';
import { exportJson } from '../../src/transfer/export/json.ts';
import { exportWxr } from '../../src/transfer/export/wxr.ts';
import { fileSchemas } from '../../src/validate/file-schemas.ts';
import { validate } from '../../src/validate/validate.ts';
import { declare } from '../../src/validate/declarations.ts';
import { locate } from '../../src/kernel/store/locate.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

/** Shades, which all items have, and a say on lists of people and comments. */
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
    user: { ...unnamed, fields: shaded.fields },
    comment: { ...unnamed, fields: shaded.fields },
    nav_menu_item: { fields: shaded.fields },
    '*': { scope: ({ params }) => (params.nobody ? [{ kind: 'ids', values: [] }] : []) },
  },
};

describe('a module that extends terms, media, people and comments', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      modules: [shades],
      files: {
        'users/una.yaml': 'id: 80\nname: Una\nshade: amber\n',
        'menus/main.yaml':
          'id: 90\nname: Main\nshade: dim\nitems:\n  - id: 91\n    url: https://a.example\n    title: A\n    shade: pale\n    own: 1\n',
        'terms/tag/sea.yaml': 'id: 70\nname: Sea\nshade: blue\n',
        'terms/tag/sun.yaml': 'id: 71\nname: Sun\n',
        'media/2026/03/a.txt': 'Text',
        'media/2026/03/a.txt.yaml': 'id: 50\nshade: red\n',
        'posts/one.md': '---\nid: 60\ntitle: One\ndate: 2026-03-05T10:00:00\n---\nText\n',
        'comments/60/1.html': '---\nid: 1\nname: Ben\nshade: teal\n---\nYes\n',
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
  ])('has its field, filter and link at %s', async (path, shade, file) => {
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

  it.each([
    ['/cms/v2/users/80', 'amber', 'users/una.yaml'],
    ['/cms/v2/comments/1', 'teal', 'comments/60/1.html'],
    ['/cms/v2/menus/90', 'dim', 'menus/main.yaml'],
    ['/cms/v2/menu-items/91', 'pale', 'menus/main.yaml'],
  ])('has its field at %s: served, written, reset, edited by hand, described', async (path, shade, file) => {
    const shadeOf = async () => (await site.ask('GET', path, { as: 'admin' })).body.shade;
    expect(await shadeOf()).toBe(shade);
    const text = await site.read(file);
    const changed = await site.ask('POST', path, { as: 'admin', body: { shade: 'green' } });
    expect([changed.status, changed.body.shade]).toEqual([200, 'green']);
    expect(await site.read(file)).toBe(text.replace(`shade: ${shade}`, 'shade: green'));
    const wrong = await site.ask('POST', path, { as: 'admin', body: { shade: ['x'] } });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_param']);
    expect((await site.ask('POST', path, { body: { shade: 'black' } })).status).toBe(401);
    const reset = await site.ask('POST', path, { as: 'admin', body: { shade: '' } });
    expect([reset.status, reset.body.shade]).toEqual([200, '']);
    expect(await site.read(file)).not.toContain('green');
    await site.write(file, text);
    await site.site.reload();
    expect(await shadeOf()).toBe(shade);
    const { body: options } = await site.ask('OPTIONS', path);
    expect(options.schema.properties.shade).toMatchObject({ type: 'string', description: 'Its colour.' });
    expect(options.endpoints[1].args.shade).toMatchObject({ type: 'string', description: 'Its colour.' });
    const { routes } = (await site.ask('GET', '/')).body;
    expect(routes[path.replace(/\/\d+$/, '')].endpoints[1].args.shade.type).toBe('string');
  });

  it.each([
    ['/cms/v2/categories', { name: 'Wind' }, 'terms/category/wind.yaml'],
    ['/cms/v2/users', { username: 'vera', email: 'vera@a.example', password: 'a long one to remember' }, 'users/vera.yaml'],
    ['/cms/v2/comments', { post: 60, content: 'Perhaps' }, 'comments/60/3.html'],
    ['/cms/v2/menus', { name: 'Foot' }, 'menus/foot.yaml'],
    ['/cms/v2/menu-items', { title: 'B', url: 'https://b.example', menus: 90 }, 'menus/main.yaml'],
  ])('creates items with its field at %s', async (path, more, file) => {
    const { status, body } = await site.ask('POST', path, { as: 'admin', body: { ...more, shade: 'grey' } });
    expect([status, body.shade]).toEqual([201, 'grey']);
    expect(await site.read(file)).toContain('shade: grey\n');
    expect((await site.ask('GET', `${path}/${body.id}`, { as: 'admin' })).body.shade).toBe('grey');
  });

  it('stores its field for users without a profile by creating one', async () => {
    const { id } = await signUp(site, 'nell', 'author');
    await site.site.commit([{ remove: site.site.users.get(id)?.path as string }]);
    const path = `/cms/v2/users/${id}`;
    expect((await site.ask('GET', path, { as: 'admin' })).body.shade).toBe('');
    const { body } = await site.ask('POST', path, { as: 'admin', body: { shade: 'rose' } });
    expect(body.shade).toBe('rose');
    expect(await site.read('users/nell.yaml')).toContain('shade: rose\n');
  });

  it('is part of the exports', async () => {
    const json: string[] = [];
    await exportJson({ site: site.site, registry: composeSite(site.site), write: (text) => void json.push(text) });
    const exported = JSON.parse(json.join(''));
    const shadeIn = (kind: string, id: number) => exported[kind].find((one: { id: number }) => one.id === id).shade;
    expect([shadeIn('users', 80), shadeIn('comments', 1), shadeIn('menus', 90)]).toEqual(['amber', 'teal', 'dim']);
    const wxr: string[] = [];
    const out = new Writable({ write: (chunk, _, done) => done(void wxr.push(String(chunk)) as undefined) });
    const report = await exportWxr(site.site, { out });
    for (const [kind, shade] of [
      ['comment', 'teal'],
      ['post', 'pale'],
    ])
      expect(wxr.join('')).toContain(
        `<wp:${kind}meta><wp:meta_key><![CDATA[shade]]></wp:meta_key><wp:meta_value><![CDATA[${shade}]]></wp:meta_value>`,
      );
    expect(JSON.stringify(report)).toContain('shade of users');
  });

  it.each([
    ['/cms/v2/users', 1],
    ['/cms/v2/comments', 1],
  ])('has its filter, links and scope at %s', async (list, id) => {
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

  it('gets its URL segment as a parameter, without declaring an argument', async () => {
    const ask = async (path: string) => (await site.ask('GET', path, { raw: true, as: 'admin' })).body;
    expect(await ask('/mirror/cms-json/shades/v1/params')).toEqual({ mirrored: 'yes' });
    const byParameter = { mirrored: 'yes', rest_route: '/shades/v1/params' };
    expect(await ask('/mirror/?rest_route=/shades/v1/params&mirrored=no')).toEqual(byParameter);
    expect(await ask('/cms-json/shades/v1/params')).toEqual([]);
    for (const root of ['/cms-json', '/mirror/cms-json', '/cms-json', '/mirror/cms-json', '/mirror/wp-json'])
      expect((await ask(`${root}/${root.includes('wp') ? 'wp' : 'cms'}/v2/tags/71`))._links.collection).toEqual([
        { href: `${site.url}${root}/${root.includes('wp') ? 'wp' : 'cms'}/v2/tags` },
      ]);
    const requests = [{ method: 'POST', path: '/cms/v2/tags/71', body: { name: 'Sun!' } }];
    const batch = await site.ask('POST', '/mirror/cms-json/batch/v1', { raw: true, as: 'admin', body: { requests } });
    expect(batch.body.responses[0].body._links.collection[0].href).toBe(`${site.url}/mirror/cms-json/cms/v2/tags`);
  });

  it('has links that depend on its argument, despite cached responses', async () => {
    const dark = async (query: string) =>
      Object.hasOwn((await site.ask('GET', `/cms/v2/tags/71${query}`, { as: 'admin' })).body._links, 'dark');
    expect([await dark(''), await dark('?nobody=1'), await dark(''), await dark('?nobody=1')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('adds a scope to every list with *', async () => {
    for (const list of ['/cms/v2/posts', '/cms/v2/pages', '/cms/v2/menu-items', '/cms/v2/menus', '/cms/v2/search'])
      expect([list, await idsOf(`${list}?nobody=1`)]).toEqual([list, []]);
    expect(await idsOf('/cms/v2/posts')).toEqual([60]);
  });
});

describe('code that reads files without a site', () => {
  const model = declare({ modules: [...modulesOf('basic'), shades] });

  it('has the field in JSON Schemas', () => {
    const schemas = new Map(fileSchemas(model).map(({ name, schema }) => [name, schema]));
    const shade = { description: 'Its colour.' };
    for (const name of ['user', 'comment', 'menu', 'tag', 'media'])
      expect(schemas.get(name)?.properties).toMatchObject({ shade });
    expect(schemas.get('menu')?.definitions).toMatchObject({ items: { items: { properties: { shade } } } });
  });

  it('validates its values', async () => {
    const folder = temporaryFolder({
      'users/una.yaml': 'name: Una\nshade: [1]\n',
      'posts/one.md': '---\nid: 60\ntitle: One\n---\n',
      'comments/60/1.html': '---\nname: Ben\nshade: [2]\n---\nYes\n',
      'menus/main.yaml': 'name: Main\nshade: [3]\nitems:\n  - url: https://a.example\n    title: A\n    shade: [4]\n',
      'menus/foot.yaml': 'name: Foot\nshade: dim\nitems:\n  - url: https://a.example\n    title: A\n    shade: pale\n',
    });
    const store = await createStore({ dir: folder.dir, readOnly: true });
    const found = await locate(validate(await store.load(), model, { clock: Date.now() }), store.readBytes);
    await store.close();
    expect(found.filter(({ rule }) => rule === 'field:shade').map(({ path, line }) => `${path}:${line}`)).toEqual([
      'comments/60/1.html:3',
      'menus/main.yaml:2',
      'menus/main.yaml:6',
      'users/una.yaml:2',
    ]);
    expect(
      found.filter(({ rule, path, severity }) => rule === 'unknown-key' || (path === 'menus/foot.yaml' && severity !== 'note')),
    ).toEqual([]);
  });
});

describe('a module with fields named in site.yaml', () => {
  /** `tones: { post: [mood] }`: fields of types. */
  const tones: Module = {
    name: 'tones',
    settings: [{ key: 'tones', group: '', schema: of('object', 'Fields of types.'), default: {} }],
    extend: (settings) =>
      Object.fromEntries(
        Object.entries(settings.value('tones') as Record<string, readonly string[]>).map(([type, names]) => [
          type,
          {
            fields: Object.fromEntries(
              names.map((name) => [name, plainField<any, any>(name, text, '', of('string', `Its ${name}.`))]),
            ),
          },
        ]),
      ),
  };
  const settings = 'name: Site\ntones:\n  page: [pitch]\n  user: [voice]\n  nothing: [like-this]\n';
  const files = {
    'site.yaml': settings,
    'pages/a.md': '---\nid: 40\ntitle: A\npitch: high\n---\nText\n',
    'users/una.yaml': 'id: 80\nname: Una\nvoice: alto\n',
  };

  it('has them, and starts although site.yaml names unknown items', async () => {
    const site = await startSite({ modules: [tones], files });
    expect((await site.ask('GET', '/cms/v2/pages/40')).body.pitch).toBe('high');
    expect((await site.ask('GET', '/cms/v2/users/80', { as: 'admin' })).body.voice).toBe('alto');
    expect((await site.ask('GET', '/cms/v2/posts')).body).toEqual([]);
    const { body } = await site.ask('POST', '/cms/v2/pages/40', { as: 'admin', body: { pitch: 'low' } });
    expect(body.pitch).toBe('low');
    expect(await site.read('pages/a.md')).toContain('\npitch: low\n');
    expect(site.site.problems()).toEqual([]);
    await site.write('site.yaml', (await site.read('site.yaml')).replace('pitch', 'tempo'));
    await site.site.reload();
    expect(site.site.problems()).toEqual([
      expect.objectContaining({
        path: 'site.yaml',
        keys: ['tones'],
        message: 'tones has changed: not in force yet',
        hint: 'restart the server',
      }),
    ]);
    await site.close();
  });

  it('has them in schemas and checks', async () => {
    const folder = temporaryFolder({ ...files, 'pages/b.md': '---\ntitle: B\npitch: [1]\n---\n' });
    const store = await createStore({ dir: folder.dir, readOnly: true });
    const batch = await store.load();
    const entry = batch.entries.find(({ path }) => path === 'site.yaml');
    const model = declare({ modules: [...modulesOf('basic'), tones], entry });
    expect(fileSchemas(model).find(({ name }) => name === 'page')?.schema.properties).toHaveProperty('pitch');
    const rules = validate(batch, model, { clock: Date.now() }).map(({ rule, path }) => `${path} ${rule}`);
    expect(rules).toContain('pages/b.md field:pitch');
    await store.close();
  });

  it('is reloaded when the settings change, whatever the snapshot contains', async () => {
    const pages = Array.from({ length: 520 }, (_, at) => [
      `pages/p${at}.md`,
      `---\nid: ${1000 + at}\ntitle: T${at}\nauthor: una\ndate: 2026-03-01T10:00:00\npitch: p\ntempo: t\n---\nText\n`,
    ]);
    const folder = temporaryFolder({ ...files, ...Object.fromEntries(pages) });
    const open = async () => {
      const site = await openSite(folder.dir, { modules: [tones], clock: () => Date.now() + 60_000 });
      await site.close();
      return site.posts.get(1003) as unknown as Record<string, unknown>;
    };
    for (let start = 0; start < 2; start++) expect(await open()).toMatchObject({ pitch: 'p' });
    folder.write('site.yaml', settings.replace('pitch', 'tempo'));
    const page = await open();
    expect(page).toMatchObject({ tempo: 't' });
    expect(page).not.toHaveProperty('pitch');
  });
});

describe('a field with a different name in each dialect', () => {
  const field = plainField<{ readonly remark: string }, 'remark'>(
    'remark',
    text,
    '',
    of('string', 'A remark.', { context: everywhere }),
  );
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [{ name: 'remarks', extend: { post: { fields: { fields: field } } } }] });
  });
  afterAll(() => site.close());

  it('is written and returned under the name of the dialect', async () => {
    const post = { title: 'A', status: 'publish', fields: 'short', acf: 'other' };
    const made = await site.ask('POST', '/wp/v2/posts', { root: '/wp-json', as: 'admin', body: post });
    expect([made.status, made.body.acf, 'fields' in made.body]).toEqual([201, 'short', false]);
    const path = `/posts/${made.body.id}`;
    expect((await site.ask('GET', `/wp/v2${path}?_fields=id,acf`, { root: '/wp-json' })).body).toEqual({
      id: made.body.id,
      acf: 'short',
    });
    expect((await site.ask('GET', `/cms/v2${path}?_fields=fields,acf`)).body).toEqual({ fields: 'short' });
    const { schema, endpoints } = (await site.ask('OPTIONS', '/wp/v2/posts', { root: '/wp-json' })).body;
    expect([schema.properties.acf.type, 'fields' in schema.properties]).toEqual(['string', false]);
    expect(endpoints[1].args.fields.type).toBe('string');
  });
});

describe('a field with revisions', () => {
  const shade = plainField<{ readonly shade: string }, 'shade'>(
    'shade',
    text,
    '',
    of('string', 'Its colour.', { context: everywhere }),
  );
  const remember: Module = {
    name: 'remember',
    extend: { post: { fields: { shade } }, revision: { fields: { shade } } },
  };
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [remember] });
  });
  afterAll(() => site.close());

  it('is stored with each revision, even if nothing else has changed', async () => {
    const post = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'A', shade: 'red', status: 'publish' } });
    const path = `/cms/v2/posts/${post.body.id}`;
    for (const body of [{ title: 'B' }, { shade: 'blue' }, { shade: 'blue' }])
      await site.ask('POST', path, { as: 'admin', body });
    const { body } = await site.ask('GET', `${path}/revisions?_fields=title.raw,shade&context=edit`, { as: 'admin' });
    expect(body).toEqual([
      { title: { raw: 'B' }, shade: 'blue' },
      { title: { raw: 'B' }, shade: 'red' },
    ]);
    const saved = await site.ask('POST', `${path}/autosaves`, { as: 'admin', body: { title: 'C', shade: 'green' } });
    expect([saved.body.title.raw, saved.body.shade]).toEqual(['C', 'green']);
    expect((await site.ask('GET', `${path}?_fields=shade`, { as: 'admin' })).body).toEqual({ shade: 'blue' });
  });
});
