/**
 * Icons with their collections, and how editors list what there is: rights, wrong input, and that drawings are drawings alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { icons } from '../../src/modules/design/icons/icons.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const people = new Map([['admin', 'admin']]);
const get = (path: string, as?: string, root?: string) =>
  site.ask('GET', path, { ...(as ? { as: people.get(as) as string } : {}), ...(root ? { root } : {}) });

beforeAll(async () => {
  site = await startSite({ files: { 'patterns/hero.html': '---\ncategories: [seaside]\n---\n<p>Hi</p>\n' } });
  for (const role of ['contributor', 'author', 'subscriber']) people.set(role, (await signUp(site, role, role)).as);
});
afterAll(() => site.close());

describe('icons', () => {
  it('are visible only to users who can edit something', async () => {
    for (const path of ['/cms/v2/icons', '/cms/v2/icons/core', '/cms/v2/icons/core/home', '/cms/v2/icon-collections']) {
      expect((await get(path)).status, path).toBe(401);
      const refused = await get(path, 'subscriber');
      expect([refused.status, refused.body.code], path).toEqual([403, 'rest_cannot_view']);
      expect((await get(path, 'contributor')).status, path).toBe(200);
    }
  });

  it('are listed and can be searched', async () => {
    const all = (await get('/cms/v2/icons?per_page=1', 'admin')).body;
    expect(all).toHaveLength(icons.size);
    const found = (await get('/cms/v2/icons?search=%20STAR%20', 'admin')).body;
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['core/star-empty', 'core/star-filled', 'core/star-half']);
    expect((await get('/cms/v2/icons/core?search=no-such-thing', 'admin')).body).toEqual([]);
  });

  it.each([
    ['/cms/v2/icons/core/constructor', 404, 'rest_icon_not_found'],
    ['/cms/v2/icons/none/home', 404, 'rest_icon_collection_not_found'],
    ['/cms/v2/icons/none', 404, 'rest_icon_collection_not_found'],
    ['/cms/v2/icon-collections/__proto__', 404, 'rest_no_route'],
    ['/cms/v2/icons/core/-x', 404, 'rest_no_route'],
    ['/cms/v2/icons?collection=Bad%20Name', 400, 'rest_invalid_param'],
    ['/cms/v2/icons?page=0', 400, 'rest_invalid_param'],
    ['/cms/v2/icons?search[]=a', 400, 'rest_invalid_param'],
  ])('return %s with %i', async (path, status, code) => {
    const { status: got, body } = await get(path, 'admin');
    expect([got, body.code]).toEqual([status, code]);
  });

  it('contain only drawings', () => {
    for (const { name, content } of icons.values()) {
      expect(name).toMatch(/^core\/[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(content, name).toMatch(/^<svg [^<>]*>(?:<(?:path|circle|rect|line|polyline|polygon|ellipse) [^<>]*\/>)+<\/svg>$/);
    }
  });
});

describe('view-config', () => {
  const of = (kind: string, name: string) => `/cms/v2/view-config?kind=${kind}&name=${name}`;

  it.each([
    ['postType', 'post', 'contributor', 200],
    ['postType', 'page', 'contributor', 403],
    ['postType', 'post', 'subscriber', 403],
    ['postType', 'post', undefined, 401],
    ['taxonomy', 'category', 'author', 403],
    ['taxonomy', 'category', 'admin', 200],
    ['root', 'site', 'author', 403],
    ['anything', 'else', 'contributor', 200],
    ['postType', 'revision', undefined, 404],
    ['postType', 'constructor', 'admin', 404],
    ['taxonomy', '__proto__', undefined, 404],
  ])('for %s %s returns %s with %i', async (kind, name, as, status) => {
    expect((await get(of(kind, name), as)).status).toBe(status);
  });

  it('requires both arguments, as strings', async () => {
    expect((await get('/cms/v2/view-config', 'admin')).body.data.params).toEqual(['kind', 'name']);
    expect((await get('/cms/v2/view-config?kind[]=a&name=b', 'admin')).body.data.params).toHaveProperty('kind');
  });

  it('names types like the root, in either dialect', async () => {
    for (const name of ['cms_block', 'wp_block']) {
      expect((await get(of('postType', name), 'admin')).body.name).toBe('cms_block');
      expect((await get(of('postType', name), 'admin', '/wp-json')).body.name).toBe('wp_block');
    }
  });

  it('offers the pattern categories of the site', async () => {
    const { body } = await get(of('postType', 'cms_block'), 'admin');
    expect(body.view_list).toContainEqual({ title: 'Seaside', slug: 'seaside' });
  });

  it('matches its schema', async () => {
    const { schema } = (await site.ask('OPTIONS', '/cms/v2/view-config', { as: 'admin' })).body;
    for (const name of ['post', 'page', 'cms_block', 'cms_template', 'cms_template_part']) {
      const { body } = await get(of('postType', name), 'admin');
      expect(Object.keys(body)).toEqual(Object.keys(schema.properties));
      for (const layout of Object.keys(body.default_layouts))
        expect(schema.properties.default_layouts.properties).toHaveProperty(layout);
      for (const member of Object.keys(body.default_view))
        expect(schema.properties.default_view.properties).toHaveProperty(member);
    }
  });
});
