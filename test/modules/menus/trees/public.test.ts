/** Menus as trees on the basic deployment, where the site says so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

const files = {
  'pages/about.md': '---\nid: 40\ntitle: About us\n---\nWe.\n',
  'pages/about/team.md': '---\nid: 41\ntitle: The team\n---\nAll.\n',
  'pages/secret.md': '---\nid: 42\ntitle: A secret\nstatus: draft\n---\nNo.\n',
  'menus/main.yaml': `id: 30
name: Main
locations: [header]
items:
  - page: about
    id: 60
    items:
      - page: about/team
        id: 61
  - page: secret
    id: 62
  - url: https://example.org/
    title: Elsewhere
    id: 63
`,
};
const settings = (more: string) =>
  `name: Example\ntimezone: Europe/Berlin\nmenu_locations: {header: At the top, footer: At the bottom}\n${more}`;

describe('public menus', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { ...files, 'site.yaml': settings('menus: {public: true}\n') } });
  });
  afterAll(() => site.close());

  it.each(['menus/main', 'menus/30', 'menus/header', 'locations/header'])('are returned in one request: %s', async (path) => {
    const { status, body } = await site.ask('GET', `/menus/v1/${path}`);
    const shown = (items: any[]): unknown[] =>
      items.map(({ title, url, child_items = [] }) => [title, url.replace(site.url, ''), ...shown(child_items)]);
    expect([status, body.slug, shown(body.items)]).toEqual([
      200,
      'main',
      [
        ['About us', '/about/', ['The team', '/about/team/']],
        ['Elsewhere', 'https://example.org/'],
      ],
    ]);
  });

  it('are listed, and so are their locations', async () => {
    expect((await site.ask('GET', '/menus/v1/menus')).body).toMatchObject([{ slug: 'main' }]);
    expect((await site.ask('GET', '/menus/v1/locations')).body).toMatchObject({ header: { menu: { slug: 'main' } } });
    expect((await site.ask('GET', '/')).body.namespaces).toContain('menus/v1');
    const missing = await site.ask('GET', '/menus/v1/menus/nowhere');
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
  });

  it('exist in both dialects, match their schemas, and are current', async () => {
    const ask = (headers = {}) => site.ask('GET', '/menus/v1/menus/main', { headers });
    const etag = (await ask()).headers.get('etag') as string;
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await site.ask('GET', '/menus/v1/menus/main', { root: '/wp-json' })).status).toBe(200);
    await site.ask('POST', '/cms/v2/pages/41', { as: 'admin', body: { title: 'The crew' } });
    const changed = await ask({ 'if-none-match': etag });
    expect([changed.status, changed.body.items[0].child_items[0].title]).toEqual([200, 'The crew']);
  });
});

describe('menus that are not public', () => {
  it.each(['', 'menus: {}\n', 'menus: {public: false}\n', 'menus: {public: maybe}\n'])('are not found: %j', async (more) => {
    const site = await startSite({ files: { ...files, 'site.yaml': settings(more) } });
    try {
      expect((await site.ask('GET', '/menus/v1/menus/main')).body.code).toBe('rest_no_route');
      expect((await site.ask('GET', '/')).body.namespaces).not.toContain('menus/v1');
      expect(site.site.problems().map(({ path }) => path)).toEqual(more.includes('maybe') ? ['site.yaml'] : []);
    } finally {
      await site.close();
    }
  });
});
