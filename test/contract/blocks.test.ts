/**
 * Patterns, block menus and pattern categories: posts and terms with a shape of their own.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let block: any;
let menu: any;
let kind: any;

beforeAll(async () => {
  site = await startSite({ writing: 'markup' });
  const made = async (path: string, body: object) => (await site.ask('POST', `/cms/v2/${path}`, { as: 'admin', body })).body;
  kind = await made('cms_pattern_category', { name: 'Heroes' });
  const meta = { wp_pattern_sync_status: 'unsynced' };
  block = await made('blocks', {
    title: 'Hero',
    content: '<!-- cms:paragraph --><p>Hi</p><!-- /cms:paragraph -->',
    status: 'publish',
    meta,
    cms_pattern_category: [kind.id],
  });
  menu = await made('navigation', { title: 'Top', content: '<p>Links</p>', status: 'publish' });
});
afterAll(() => site.close());

const get = (path: string, as?: string) => site.ask('GET', `/cms/v2/${path}`, as ? { as } : {});

describe('patterns', () => {
  test('return their stored markup, with the sync status at the top level', async () => {
    const { body } = await get(`blocks/${block.id}`, 'admin');
    expect(body).toMatchObject({
      title: { raw: 'Hero' },
      wp_pattern_sync_status: 'unsynced',
      meta: { footnotes: '' },
      cms_pattern_category: [kind.id],
    });
    expect(body.title).toEqual({ raw: 'Hero' });
    expect(Object.keys(body.content)).toEqual(['raw', 'protected']);
    expect(body.meta).toEqual({ footnotes: '' });
    expect(body).not.toHaveProperty('author');
  });

  test('have an empty title when embedded', async () => {
    expect((await get(`blocks/${block.id}?context=embed`, 'admin')).body).toMatchObject({
      title: [],
      wp_pattern_sync_status: '',
    });
  });

  test('are hidden from visitors, in lists too', async () => {
    expect(await get(`blocks/${block.id}`)).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
    const { status, body, headers } = await get('blocks');
    expect([status, body, headers.get('x-cms-total')]).toEqual([200, [], '0']);
  });

  test('are files like posts', async () => {
    const text = await site.read('blocks/hero.html');
    expect(text).toContain('wp_pattern_sync_status: unsynced');
    expect(text).toContain('cms_pattern_category:\n  - heroes\n');
  });

  test('use the names of the other dialect', async () => {
    const { body } = await site.ask('POST', '/wp/v2/blocks', {
      as: 'admin',
      root: '/wp-json',
      body: { title: 'Other', status: 'publish', meta: { wp_pattern_sync_status: 'partial' }, wp_pattern_category: [kind.id] },
    });
    expect(body).toMatchObject({ type: 'wp_block', wp_pattern_sync_status: 'partial', wp_pattern_category: [kind.id] });
    expect(body._links['wp:term'][0].href).toContain(`/wp/v2/wp_pattern_category?post=${body.id}`);
    expect(JSON.stringify(body._links)).not.toContain('cms_');
    const { body: described } = await site.ask('OPTIONS', '/wp/v2/blocks', { as: 'admin', root: '/wp-json' });
    expect(JSON.stringify(described.schema.links)).not.toContain('cms_');
    const found = await site.ask('GET', `/wp/v2/blocks?wp_pattern_category=${kind.id}&_fields=id,wp_pattern_category`, {
      as: 'admin',
      root: '/wp-json',
    });
    expect(found.body).toContainEqual({ id: body.id, wp_pattern_category: [kind.id] });
  });

  test('have revisions and autosaves', async () => {
    await site.ask('PUT', `/cms/v2/blocks/${block.id}`, { as: 'admin', body: { title: 'Hero 2' } });
    const { body: revisions } = await get(`blocks/${block.id}/revisions`, 'admin');
    expect(revisions[0].title).toEqual({ raw: 'Hero 2', rendered: 'Hero 2' });
    const saved = await site.ask('POST', `/cms/v2/blocks/${block.id}/autosaves`, { as: 'admin', body: { title: 'Hero 3' } });
    expect(saved.body).toMatchObject({ title: { raw: 'Hero 3' }, parent: block.id });
  });
});

describe('block menus', () => {
  test('are public, and complete when embedded', async () => {
    const { body } = await get(`navigation/${menu.id}?context=embed`);
    expect(body).toMatchObject({
      title: { raw: 'Top', rendered: 'Top' },
      content: { raw: '<p>Links</p>', block_version: 0 },
      status: 'publish',
    });
    expect((await get(`navigation/${menu.id}`)).body).not.toHaveProperty('meta');
  });

  test('can be edited by users who may design the site', async () => {
    expect(await site.ask('POST', '/cms/v2/navigation', { body: { title: 'x' } })).toMatchObject({
      status: 401,
      body: { code: 'rest_cannot_create' },
    });
  });

  test('have revisions with the fields of other types', async () => {
    await site.ask('PUT', `/cms/v2/navigation/${menu.id}`, { as: 'admin', body: { title: 'Top 2' } });
    expect((await get(`navigation/${menu.id}/revisions`, 'admin')).body[0]).toMatchObject({
      title: { rendered: 'Top 2' },
      meta: [],
    });
  });
});

test('pattern categories count published patterns', async () => {
  expect((await get(`cms_pattern_category/${kind.id}`)).body).toMatchObject({
    name: 'Heroes',
    taxonomy: 'cms_pattern_category',
    count: expect.any(Number),
  });
  expect(await site.read('terms/pattern-category/heroes.yaml')).toContain('name: Heroes');
});
