/** Index records: every route by every role, batches, what is found missing, and records that are true whatever happens. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PostType } from '../../../../src/modules/types/record.ts';
import { openSite } from '../../../../src/open-site.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { refusals, roles } from '../editors/access.ts';

const v1 = '/seo/v1';
const yaml =
  'name: Quay\ntimezone: Europe/Berlin\ndeployment: extended\ntypes:\n  book: { label: Books }\n' +
  'lang:\n  url: { mode: directory, default_in_directory: false }\n';
const post = (id: number, body: string, rest = '') =>
  `---\nid: ${id}\ntitle: P${id}\ndate: 2026-01-02T10:00:00\n${rest}---\n${body}\n`;
const routes = [
  ...['posts', 'terms', 'post-type-archives', 'general', 'prepare', 'indexables-complete', 'complete'].map(
    (name) => `indexing/${name}`,
  ),
  ...['posts', 'terms'].map((name) => `link-indexing/${name}`),
];
const none = { objects: [], next_url: false };
const hand = {
  'posts/one.md': post(1, '[Two](/two/), [again](/two/?x=1#y), [out](https://elsewhere.example/two/), [me](/one/), [top](#top)'),
  'posts/two.md': post(2, 'Text.', 'status: draft\n'),
};

describeApi('indexing', { files: { 'site.yaml': yaml, ...hand }, users: [...roles] }, [
  ...routes.flatMap((name) => refusals('edit_posts', `POST ${v1}/${name}`)),
  {
    name: 'includes existing items',
    who: 'contributor',
    does: `POST ${v1}/indexing/posts`,
    gets: [200, { objects: [{ object_id: 1 }, { object_id: 2 }], next_url: false }],
  },
  { name: 'is complete after that', who: 'author', does: `POST ${v1}/indexing/posts`, gets: [200, none] },
  {
    name: 'includes terms',
    who: 'author',
    does: `POST ${v1}/indexing/terms`,
    gets: [200, { objects: [{ object_type: 'term', object_sub_type: 'category' }], next_url: false }],
  },
  { name: 'includes no archives', who: 'editor', does: `POST ${v1}/indexing/post-type-archives`, gets: [200, none] },
  {
    name: 'includes pages, one batch at a time',
    who: 'admin',
    does: `POST ${v1}/indexing/general`,
    gets: [
      200,
      {
        objects: [
          { object_type: 'system-page', object_sub_type: '404', is_robots_noindex: true, version: 1 },
          { object_type: 'system-page', object_sub_type: 'search-result' },
          { object_type: 'date-archive', permalink: null },
          { object_type: 'home-page', permalink: '{url}/', version: 2 },
        ],
        next_url: '{rest}/seo/v1/indexing/general',
      },
    ],
  },
  { name: 'is complete after one more batch', who: 'admin', does: `POST ${v1}/indexing/general`, gets: [200, none] },
  {
    name: 'reads the links of published items',
    who: 'admin',
    does: `POST ${v1}/link-indexing/posts`,
    gets: [200, { objects: [{ object_id: 1, link_count: 2 }], next_url: false }],
  },
  {
    name: 'reads the links of terms',
    who: 'admin',
    does: `POST ${v1}/link-indexing/terms`,
    gets: [200, { objects: [{ link_count: 0 }], next_url: false }],
  },
  ...routes.slice(4, 7).map((name) => ({
    name: `${name} stores its progress`,
    who: 'contributor',
    does: `POST ${v1}/${name}`,
    gets: [200, none] as const,
  })),
]);

describe('index records', () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  const start = async (files: Readonly<Record<string, string>>) => {
    site = await startSite({ files: { 'site.yaml': yaml, ...files } });
    return site;
  };
  const ask = async (name: string) => (await site?.ask('POST', `${v1}/${name}`, { as: 'admin' }))?.body;
  const ids = async (name: string) => (await ask(name)).objects.map((one: { object_id: unknown }) => one.object_id);
  /** The record of a post as it is now: the index is asked, because routes tell of what was missing. */
  const record = async (id: number) => {
    await site?.site.seoIndex.refresh();
    return (await site?.site.seoIndex.show([`post:${id}`]))?.[0];
  };

  it('have every column, with current values', async () => {
    const { url } = await start({
      'posts/one.md': post(
        1,
        'A <!--nextpage--> B',
        'seo: { title: "%%title%%", keyphrase: tide, score: 40, noindex: true, noarchive: true, card_title: C, image: https://cdn.example/a.png }\n',
      ),
    });
    const [one] = (await ask('indexing/posts')).objects;
    const permalink = `${url}/one/`;
    expect(one).toMatchObject({
      ...{ id: 1, object_id: 1, object_type: 'post', object_sub_type: 'post', permalink, post_status: 'publish' },
      permalink_hash: `${permalink.length}:${createHash('md5').update(permalink).digest('hex')}`,
      ...{
        title: '%%title%%',
        description: null,
        breadcrumb_title: 'P1',
        number_of_pages: 2,
        is_public: false,
        is_protected: false,
      },
      ...{ primary_focus_keyword: 'tide', primary_focus_keyword_score: 40, is_robots_noindex: true, is_robots_noarchive: true },
      ...{
        is_robots_nosnippet: null,
        twitter_title: 'C',
        open_graph_image: 'https://cdn.example/a.png',
        open_graph_image_source: 'set-by-user',
      },
      ...{ object_published_at: '2026-01-02 09:00:00', version: 2, link_count: null, blog_id: 1 },
    });
    expect(Object.keys(one)).toHaveLength(53);
  });

  it('come in batches of 25, with one empty batch if the number fits', async () => {
    const files = Array.from({ length: 50 }, (_, at) => [`posts/p${at}.md`, post(at + 1, 'Text.')]);
    const { url } = await start(Object.fromEntries(files));
    const next = `${url}/cms-json/seo/v1/indexing/posts`;
    const seen = [await ask('indexing/posts'), await ask('indexing/posts'), await ask('indexing/posts')];
    expect(seen.map(({ objects, next_url }) => [objects.length, objects[0]?.object_id, next_url])).toEqual([
      [25, 1, next],
      [25, 26, next],
      [0, undefined, false],
    ]);
    expect(await ids('link-indexing/posts')).toEqual([1, 2, 3, 4, 5]);
  });

  it('exist for types with an archive', async () => {
    const { url } = await start({});
    const types = site?.site.types as Map<string, PostType>;
    types.set('book', { ...(types.get('book') as PostType), hasArchive: 'library' });
    expect((await ask('indexing/post-type-archives')).objects).toMatchObject([
      {
        object_type: 'post-type-archive',
        object_sub_type: 'book',
        breadcrumb_title: types.get('book')?.label,
        permalink: `${url}/library/`,
      },
    ]);
    expect(await ask('indexing/post-type-archives')).toEqual(none);
  });

  it('exclude items without pages, and media unless they have pages', async () => {
    await start({
      'posts/one.md': post(1, 'Text.'),
      'media/2026/03/a.txt': 'a',
      'media/2026/03/a.txt.yaml': 'id: 7\n',
    });
    expect(await ids('indexing/posts')).toEqual([1]);
    await site?.write('site.yaml', `${yaml}seo:\n  attachment: { disabled: false }\n`);
    await until(() => site?.site.seo.options().attachmentDisabled === false);
    expect(await ids('indexing/posts')).toEqual([7]);
  });

  it('are updated on every save, by a client or by hand', async () => {
    const { write, ask } = await start({ 'posts/one.md': post(1, 'Text.') });
    const content = '<a href="/one/">x</a>';
    const { body } = await ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'New', content, status: 'publish' } });
    expect(await ids('indexing/posts')).toEqual([1]);
    expect(await ids('link-indexing/posts')).toEqual([1]);
    expect(await record(1)).toMatchObject({ incoming_link_count: 1 });
    expect(await record(body.id)).toMatchObject({ link_count: 1, title: null });
    await write('posts/three.md', post(30, 'Text.'));
    await until(() => site?.site.posts.get(30));
    expect(await ids('indexing/posts')).toEqual([]);
  });

  it('are right after an edit, a rename and a deletion', async () => {
    await start({ 'posts/one.md': post(1, '[a](/two/) [b](/three/)'), 'posts/two.md': post(2, 'Text.') });
    await ask('indexing/posts');
    await ask('link-indexing/posts');
    const before = await record(1);
    expect([before?.link_count, (await record(2))?.incoming_link_count]).toEqual([2, 1]);
    await site?.ask('POST', '/cms/v2/posts/2', { as: 'admin', body: { slug: 'three' } });
    expect(await record(2)).toMatchObject({ permalink: `${site?.url}/three/`, incoming_link_count: 1 });
    await site?.write('posts/one.md', post(1, 'Nothing.', 'seo: { title: T }\n'));
    await until(async () => (await record(1))?.title === 'T');
    expect(await record(1)).toMatchObject({ id: before?.id, created_at: before?.created_at, link_count: 0 });
    expect(await record(2)).toMatchObject({ incoming_link_count: 0 });
    await site?.ask('DELETE', '/cms/v2/posts/1?force=true', { as: 'admin' });
    expect(await record(1)).toBeUndefined();
  });

  it('survive a restart, with their ids', async () => {
    await start({ 'posts/one.md': post(1, '[a](/two/)'), 'posts/two.md': post(2, 'Text.') });
    await ask('indexing/posts');
    await ask('link-indexing/posts');
    await site?.server.close();
    await site?.site.close();
    const again = await openSite(site?.dir ?? '');
    again.setAddress(site?.url ?? '');
    await again.seoIndex.refresh();
    expect(await again.seoIndex.show(['post:1', 'post:2'])).toMatchObject([
      { id: 1, link_count: 1 },
      { id: 2, incoming_link_count: 1 },
    ]);
    again.seoIndex.make('date');
    expect(await again.seoIndex.show(['date'])).toMatchObject([{ id: 3 }]);
    await again.close();
  });

  it.each(['while the server runs', 'before a start'])('that were deleted %s are detected and created again', async (when) => {
    await start({ 'posts/one.md': post(1, '[a](/two/)'), 'posts/two.md': post(2, 'Text.') });
    await ask('indexing/posts');
    const folder = join(site?.dir ?? '', '.cms/cache/seo');
    if (when === 'while the server runs') {
      await rm(folder, { recursive: true });
      expect(await ids('indexing/posts')).toEqual([1, 2]);
      expect(await ids('indexing/posts')).toEqual([]);
      return;
    }
    await site?.server.close();
    await site?.site.close();
    await rm(folder, { recursive: true });
    const again = await openSite(site?.dir ?? '');
    await again.seoIndex.refresh();
    expect(again.seoIndex.has('post:1')).toBe(false);
    await again.close();
  });

  it('that cannot be read are detected', async () => {
    await start({ 'posts/one.md': post(1, 'Text.') });
    await ask('indexing/posts');
    await site?.server.close();
    await site?.site.close();
    await site?.write('.cms/cache/seo/index/post-0.json', '{"post:1": {"id": "x"}');
    const again = await openSite(site?.dir ?? '');
    await again.seoIndex.refresh();
    expect(again.seoIndex.has('post:1')).toBe(false);
    await again.close();
  });

  it('report the progress of indexing', async () => {
    await start({});
    const state = () => site?.site.seoIndex.state();
    expect(await state()).toMatchObject({ indexing_first_time: true, indexing_started: null });
    await ask('indexing/prepare');
    await ask('indexing/indexables-complete');
    expect(await state()).toMatchObject({
      indexing_first_time: false,
      indexing_started: expect.any(Number),
      indexables_indexing_completed: true,
    });
    await ask('indexing/complete');
    expect(await state()).toMatchObject({ indexing_started: null, indexing_reason: '' });
  });

  it('are not in the content folder', async () => {
    await start({ 'posts/one.md': post(1, 'Text.') });
    const before = await site?.read('site.yaml');
    for (const name of routes) await ask(name);
    expect(await site?.read('site.yaml')).toBe(before);
  });
});
