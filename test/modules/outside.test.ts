/**
 * What a module can bring, shown by one that lives here and changes nothing in `src`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modulesOf } from '../../src/deployments.ts';
import { composeSite, openSite } from '../../src/open-site.ts';
import { collectionPath } from '../../src/kernel/collections.ts';
import type { Module } from '../../src/kernel/module.ts';
import { hash } from '../../src/kernel/store/bytes.ts';
import { readerVersion } from '../../src/kernel/store/snapshot.ts';
import { openSeal, stateDirectory } from '../../src/kernel/store/state.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { exportJson } from '../../src/transfer/export/json.ts';
import { exportWxr } from '../../src/transfer/export/wxr.ts';
import { fileSchemas } from '../../src/validate/file-schemas.ts';
import { validate } from '../../src/validate/validate.ts';
import { declare } from '../../src/validate/declarations.ts';
import { locate } from '../../src/kernel/store/locate.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';
import { outside } from './outside.ts';

const modules = [...modulesOf('basic'), outside];

describe('an external module', () => {
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

  it('has a field that is served, written to front matter, and removed at its default', async () => {
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

  it('serves hand edits of its field', async () => {
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

  it('has a validated list filter with totals', async () => {
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

  it('has files as records, which get ids and are served and written', async () => {
    const { body } = await site.ask('GET', '/moods/v1/moods/glad');
    expect(body).toMatchObject({ id: 1, slug: 'glad', label: 'Glad at heart' });
    expect(body).not.toHaveProperty('secret');
    expect(await site.read('moods/glad.yaml')).toContain('id: 1\n');
    const made = await site.ask('POST', '/moods/v1/moods', { as: 'admin', body: { slug: 'merry', label: 'Merry' } });
    expect(made.body).toMatchObject({ id: 2, slug: 'merry', label: 'Merry' });
    expect(await site.read('moods/merry.yaml')).toBe('id: 2\nlabel: Merry\n');
    expect((await site.ask('GET', '/moods/v1/moods')).headers.get('x-cms-total')).toBe('2');
  });

  it('has an error code, a capability, and a setting in site.yaml', async () => {
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
  ])('gets a segment before the root: %s', async (path, root) => {
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

  it('ignores the query if the URL has its segment, and accepts no other segments', async () => {
    const { headers } = await site.ask('GET', '/calm/cms-json/cms/v2/posts?calm=0', { raw: true });
    expect(headers.get('x-cms-total')).toBe((await site.ask('GET', '/cms/v2/posts?calm=1')).headers.get('x-cms-total'));
    expect((await site.ask('GET', '/wild/cms-json/cms/v2/posts', { raw: true })).status).toBe(404);
    expect((await site.ask('GET', '/calm/calm/cms-json/cms/v2/posts', { raw: true })).status).toBe(404);
  });

  it('caches responses per segment', async () => {
    const self = async (root: string) => {
      const { body } = await site.ask('GET', `/cms/v2/posts/${ids.glad}`, { root, as: 'admin' });
      return body._links.self[0].href;
    };
    for (const root of ['/cms-json', '/calm/cms-json', '/cms-json', '/calm/cms-json'])
      expect(await self(root)).toBe(`${site.url}${root}/cms/v2/posts/${ids.glad}`);
  });

  it('is part of the JSON Schemas of files', () => {
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

  it('is checked by validate: values of its keys, files of its folder, its own check', async () => {
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

  it('is part of the JSON and WXR exports', async () => {
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

describe('the snapshot', () => {
  it('keeps values of module fields for sites with the same modules', async () => {
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
