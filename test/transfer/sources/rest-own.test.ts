import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/modules/people/accounts/accounts.ts';
import { makeAdministrator } from '../../../src/cli/new-site.ts';
import { decodeEntities } from '../../../src/render/text.ts';
import { createFetcher } from '../../../src/http-client/fetch.ts';
import { createRestImporter } from '../../../src/transfer/sources/rest.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import type {
  CommentItem,
  SourceItem,
  MenuLinkItem,
  PostItem,
  SiteItem,
  TermItem,
  UserItem,
} from '../../../src/transfer/import/items.ts';
import { sample } from '../../support/sample-site.ts';
import { startSite, type TestSite } from '../../support/site.ts';

let folder: string;
let site: TestSite;
let password: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-rest-'));
  const dir = join(folder, 'site');
  await cp(sample, dir, { recursive: true });
  const store = await createStore({ dir });
  const admin = { id: 90, login: 'admin', email: 'admin@example.com', passwordName: 'test' };
  password = await makeAdministrator(await createAccounts(store.private), admin);
  await store.close();
  site = await startSite({ from: dir });
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await site.ask(method, path, { as: `admin:${password}`, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  await ask('POST', '/cms/v2/comments', {
    post: 11,
    status: 'approved',
    content: 'First!',
    author_name: 'Ole',
    author_email: 'ole@example.com',
  });
  const spam = await ask('POST', '/cms/v2/comments', {
    post: 11,
    content: 'Buy.',
    author_name: 'X',
    author_email: 'x@example.com',
  });
  await ask('POST', `/cms/v2/comments/${spam.id}`, { status: 'spam' });
  await ask('POST', '/cms/v2/posts', { title: 'Thrown away', content: 'x', status: 'draft', slug: 'gone' }).then(({ id }) =>
    ask('DELETE', `/cms/v2/posts/${id}`, {}),
  );
  await ask('POST', '/cms/v2/posts', { title: 'Behind a door', content: 'secret text', password: 'sesame', status: 'publish' });
  await ask('POST', '/cms/v2/blocks', {
    title: 'Reused',
    content: '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->',
    status: 'publish',
  });
  await ask('POST', '/cms/v2/navigation', { title: 'Nav', content: '<!-- wp:page-list /-->', status: 'publish' });
  await ask('POST', '/cms/v2/templates', { slug: 'single', theme: 'site', title: 'Single', content: '<p>t</p>' });
});

afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

let scratches = 0;
async function read(
  address: string,
  credentials?: string,
  scratch = join(folder, `scratch-${scratches++}`),
): Promise<SourceItem[]> {
  const importer = createRestImporter({ fetcher: createFetcher() });
  const source = await importer.open({ source: address, path: null, scratch, keepGoing: false, credentials });
  const items: SourceItem[] = [];
  for await (const item of source.items('scan')) items.push(item);
  const again: SourceItem[] = [];
  for await (const item of source.items('write')) again.push(item);
  expect(again).toEqual(items);
  await source.close();
  return items;
}

const of = <T extends SourceItem>(items: readonly SourceItem[], kind: T['kind']): T[] =>
  items.filter((item): item is T => item.kind === kind);
const posts = (items: readonly SourceItem[], type: string) => of<PostItem>(items, 'post').filter((post) => post.type === type);

describe.each([
  ['the address of the site', ''],
  ['the neutral interface', '/cms-json'],
  ['the original interface', '/wp-json/'],
])('our own server with a password, by %s', (_, path) => {
  let items: SourceItem[];
  beforeAll(async () => {
    items = await read(site.url + path, `admin:${password}`);
  });

  it('returns every post, whatever its status, with its source', async () => {
    for (const record of site.site.posts.all()) {
      // Styles nobody has changed are none.
      if (['nav_menu_item', 'cms_template', 'cms_global_styles'].includes(record.type)) continue;
      const found = posts(items, record.type).find(({ id }) => id === record.id);
      expect(found, `${record.type} ${record.id}`).toMatchObject({
        key: String(record.id),
        title: record.title,
        status: record.status,
        slug: record.status === 'trash' ? 'gone' : record.slug,
      });
      expect(found?.excerpt ?? '').toBe(record.excerpt);
      expect([found?.sticky ?? false, found?.password ?? '', Number(found?.featuredMedia ?? 0), found?.order ?? 0]).toEqual([
        record.sticky,
        record.password,
        record.featuredMedia,
        record.order,
      ]);
      expect(Number(found?.parent ?? 0)).toBe(record.parent);
      if (record.type === 'post' || record.type === 'page') {
        expect(found?.content).toBe(record.content);
        expect([record.id, found?.markup]).toEqual([record.id, record.kind === 'md' ? 'md' : 'html']);
      }
      expect(
        Object.fromEntries(
          Object.entries(found?.terms ?? {}).map(([name, keys]) => [name, keys.map(Number).sort((a, b) => a - b)]),
        ),
      ).toEqual(
        Object.fromEntries(
          Object.entries(record.terms)
            .filter(([, ids]) => ids.length > 0)
            .map(([name, ids]) => [name, ids.toSorted((a, b) => a - b)]),
        ),
      );
    }
    expect(posts(items, 'post').map(({ status }) => status)).toEqual(
      expect.arrayContaining(['draft', 'private', 'future', 'trash']),
    );
  });

  it('returns media with their files', async () => {
    const media = posts(items, 'attachment');
    expect(media.map((item) => item.media?.path).sort()).toEqual([
      '2026/03/ferry.png',
      '2026/03/harbour.png',
      '2026/03/lighthouse.png',
      '2026/04/market.png',
    ]);
    const market = media.find((item) => item.media?.path === '2026/04/market.png');
    expect(market).toMatchObject({ excerpt: 'Fruit, fish, bread. In that order, since 1961.', content: '' });
    expect(market?.media?.alt).toMatch(/^Three market stalls/);
    const importer = createRestImporter({ fetcher: createFetcher() });
    const source = await importer.open({ source: site.url, path: null, scratch: join(folder, 'fetch'), keepGoing: false });
    const into = join(folder, `bytes-${scratches++}`);
    await source.fetch?.(market?.media as never, into);
    expect(await readFile(into)).toEqual(await readFile(join(sample, 'media/2026/04/market.png')));
  });

  it('returns users, terms, menus and comments', () => {
    expect(of<UserItem>(items, 'user').find(({ login }) => login === 'admin')).toMatchObject({
      id: 90,
      email: 'admin@example.com',
      roles: ['administrator'],
    });
    expect(of<UserItem>(items, 'user').find(({ slug }) => slug === 'anna')).toMatchObject({
      name: 'Anna Petersen',
      firstName: 'Anna',
    });
    const terms = of<TermItem>(items, 'term');
    for (const record of site.site.terms.all())
      expect(
        terms.find(({ id }) => id === record.id),
        record.slug,
      ).toMatchObject({ taxonomy: record.taxonomy, slug: record.slug, name: decodeEntities(record.name) });
    expect(terms.find(({ slug }) => slug === 'food')?.parent).toBe('5');
    expect(terms.find(({ taxonomy, slug }) => taxonomy === 'nav_menu' && slug === 'main')).toMatchObject({
      locations: ['primary'],
    });
    const links = of<MenuLinkItem>(items, 'menu-link');
    expect(links).toHaveLength([...site.site.posts.all()].filter(({ type }) => type === 'nav_menu_item').length);
    expect(links.find(({ object, target }) => object === 'page' && target === '2')).toMatchObject({
      title: '',
      itemType: 'post_type',
    });
    expect(links.filter(({ title }) => title !== '').map(({ title }) => title)).not.toHaveLength(0);
    const comments = of<CommentItem>(items, 'comment');
    expect(comments.map(({ content, status, email }) => [content, status, email])).toEqual([
      ['First!', 'approved', 'ole@example.com'],
      ['Buy.', 'spam', 'x@example.com'],
    ]);
  });

  it('returns the site', () => {
    const [found] = of<SiteItem>(items, 'site');
    expect(found?.settings).toMatchObject({
      name: 'Harbour Notes',
      timezone: 'Europe/Berlin',
      posts_per_page: 8,
      permalink: '/{slug}/',
      menu_locations: { primary: 'Header', footer: 'Footer' },
    });
    expect(found?.settings).not.toHaveProperty('email');
    expect(found?.addresses).toEqual([site.url]);
    expect(found?.uploads).toEqual([`${site.url}/uploads`]);
    expect(found?.remarks).toBeUndefined();
    expect(posts(items, 'cms_template')).toMatchObject([{ slug: 'single', content: '<p>t</p>', meta: { theme: 'site' } }]);
    expect(posts(items, 'cms_block')).toMatchObject([{ title: 'Reused' }]);
    expect(items.filter(({ kind }) => kind === 'lost')).toMatchObject([{ what: 'revisions' }]);
    expect(JSON.stringify(items)).not.toContain(password);
  });
});

describe('our own server for a visitor', () => {
  it('returns public items, and reports that once', async () => {
    const items = await read(site.url);
    const found = posts(items, 'post');
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['publish']));
    expect(found.find(({ id }) => id === 11)).toMatchObject({
      title: 'Hello, harbour',
      markup: 'html',
      featuredMedia: '7',
      author: '2',
    });
    expect(found.find(({ id }) => id === 11)?.content).toMatch(/^<p>The light comes up/);
    expect(found.find(({ title }) => title === 'Behind a door')?.remarks).toMatchObject([{ rule: 'protected-content' }]);
    expect(of<SiteItem>(items, 'site')[0]?.remarks).toMatchObject([{ rule: 'as-visitor' }]);
    expect(of<SiteItem>(items, 'site')[0]?.settings).toMatchObject({
      permalink: '/{slug}/',
      name: 'Harbour Notes',
      timezone: 'Europe/Berlin',
    });
    expect(of<CommentItem>(items, 'comment').map(({ content, email }) => [content.trim(), email])).toEqual([
      ['<p>First!</p>', undefined],
    ]);
  });

  it('does not treat a wrong password as no password', async () => {
    await expect(read(site.url, 'admin:wrong')).rejects.toThrow(/rejects this login/);
    await expect(read(site.url, 'admin')).rejects.toThrow(/login:password/);
    await expect(read(site.url.replace('//', '//admin:wrong@'))).rejects.toThrow(/the URL contains/);
  });
});
