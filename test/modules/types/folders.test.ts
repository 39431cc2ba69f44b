/** Types whose files are in folders that `site.yaml` names. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import { locate } from '../../../src/kernel/store/locate.ts';
import { declaredBy, standardTaxonomies, standardTypes } from '../../../src/modules/types/index.ts';
import type { Finding } from '../../../src/validate/finding.ts';
import { contentOf, findings, said } from '../../validate/findings.ts';

const jekyll = {
  'site.yaml':
    'name: Quay\ntimezone: UTC\nrevisions: 0\ntypes:\n  post: { folder: [_posts, _drafts, harbour/_posts] }\n  page: { folder: docs }\n',
  '_posts/2026-03-05-hello.md': '---\nid: 70\ntitle: Hello\n---\n[Idea](../_drafts/idea.md)\n',
  '_posts/deep/2026-03-06-deep.md': '---\nid: 71\ntitle: Deep\n---\nText\n',
  'harbour/_posts/2026-03-07-quay.markdown': '---\nid: 72\ntitle: Quay\n---\nText\n',
  '_drafts/idea.md': '---\nid: 73\ntitle: Idea\n---\nText\n',
  '_drafts/loud.md': '---\nid: 74\ntitle: Loud\nstatus: publish\npublished: true\n---\nText\n',
  'posts/unread.md': '---\nid: 75\ntitle: Unread\n---\nText\n',
  'docs/guide/index.md': '---\nid: 76\ntitle: Guide\ndate: 2026-03-01\n---\nText\n',
  'docs/guide/start.md': '---\nid: 77\ntitle: Start\ndate: 2026-03-01\n---\nText\n',
};

describe('folders of posts and pages', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: jekyll, clock: () => Date.parse('2026-03-10T12:00:00Z') });
  });
  afterAll(() => site.close());
  const change = (id: number, body: object) => site.ask('POST', `/cms/v2/posts/${id}`, { as: 'admin', body });
  const pathOf = (id: number): string | undefined => site.site.posts.get(id)?.path;

  it('are read, and no others', async () => {
    const slugs = async (path: string, as?: string) =>
      (await site.ask('GET', path, as ? { as } : {})).body.map(({ slug }: { slug: string }) => slug).sort();
    expect(await slugs('/cms/v2/posts')).toEqual(['deep', 'hello', 'quay']);
    expect(await slugs('/cms/v2/posts?status=draft', 'admin')).toEqual(['idea', 'loud']);
    const [start] = (await site.ask('GET', '/cms/v2/pages?path=/guide/start/')).body;
    expect(start).toMatchObject({ id: 77, parent: 76, link: expect.stringMatching(/\/guide\/start\/$/) });
    expect(site.site.posts.get(75)).toBeUndefined();
  });

  it('keep a renamed or redated post in its folder, with a name of the same form', async () => {
    await change(70, { slug: 'good-day' });
    expect(pathOf(70)).toBe('_posts/2026-03-05-good-day.md');
    expect(await site.read('_posts/2026-03-05-good-day.md')).toContain('aliases');
    await change(70, { date: '2026-02-01T08:00:00' });
    expect(pathOf(70)).toBe('_posts/2026-02-01-good-day.md');
    await change(71, { slug: 'deeper' });
    expect(pathOf(71)).toBe('_posts/deep/2026-03-06-deeper.md');
    await change(72, { slug: 'pier' });
    expect(pathOf(72)).toMatch(/^harbour\/_posts\/2026-03-07-pier\./);
  });

  it('move a draft when it is published, and back', async () => {
    await change(73, { status: 'publish' });
    expect(pathOf(73)).toBe('_posts/2026-03-10-idea.md');
    expect(await site.read('_posts/2026-03-10-idea.md')).not.toMatch(/^(?:status|draft):/m);
    expect((await site.ask('GET', '/cms/v2/posts/73')).body).toMatchObject({ status: 'publish', slug: 'idea' });
    await change(73, { status: 'draft' });
    expect(pathOf(73)).toBe('_drafts/idea.md');
    await change(74, { status: 'pending' });
    expect(pathOf(74)).toBe('_drafts/loud.md');
    expect((await site.ask('GET', '/cms/v2/posts/74', { as: 'admin' })).body.status).toBe('pending');
    await change(74, { status: 'publish' });
    expect(pathOf(74)).toBe('_posts/2026-03-10-loud.md');
    expect((await site.ask('GET', '/cms/v2/posts/74')).body.status).toBe('publish');
  });

  it('are followed when a person moves a file between them', async () => {
    await site.write('_drafts/later.md', '---\nid: 90\ntitle: Later\n---\nText\n');
    await until(async () => pathOf(90) !== undefined);
    expect(site.site.posts.get(90)?.status).toBe('draft');
    await site.write('_posts/2026-03-09-later.md', await site.read('_drafts/later.md'));
    const { rm } = await import('node:fs/promises');
    await rm(join(site.dir, '_drafts/later.md'));
    await until(async () => site.site.posts.get(90)?.status === 'publish');
    expect(pathOf(90)).toBe('_posts/2026-03-09-later.md');
  });

  it('are the same after a restart', async () => {
    const before = [...site.site.posts.all()].map(({ id, path, slug, status, date }) => ({ id, path, slug, status, date }));
    const again = await openSite(site.dir, { readOnly: true, clock: () => Date.parse('2026-03-10T12:00:00Z') });
    const after = [...again.posts.all()].map(({ id, path, slug, status, date }) => ({ id, path, slug, status, date }));
    await again.close();
    const byId = (rows: typeof before) => rows.sort((a, b) => a.id - b.id);
    expect(byId(after)).toEqual(byId(before));
    expect(await readFile(join(site.dir, 'posts/unread.md'), 'utf8')).toBe(jekyll['posts/unread.md']);
  });
});

describe('a folder', () => {
  /** What is wrong with declarations below `types:`, the first on line 2. */
  async function problems(types: string): Promise<string[]> {
    const text = `types:\n  ${types}\n`;
    const [entry] = contentOf({ 'site.yaml': text }).entries;
    const found = declaredBy(entry, standardTypes, standardTaxonomies).problems as readonly Finding[];
    return said(await locate(found, async () => Buffer.from(text)));
  }
  const refused: readonly (readonly [types: string, at: string])[] = [
    ['post: { folder: ../elsewhere }', '2:19'],
    ['post: { folder: /etc }', '2:19'],
    ['post: { folder: a/../../b }', '2:19'],
    ['post: { folder: .cms/private }', '2:19'],
    ['post: { folder: a//b }', '2:19'],
    ['post: { folder: "" }', '2:19'],
    ['post: { folder: users }', '2:19'],
    ['post: { folder: media/posts }', '2:19'],
    ['post: { folder: plugins }', '2:19'],
    ['post: { folder: pages }', '2:19'],
    ['post: { folder: 7 }', '2:19'],
    ['post: { folder: [] }', '2:19'],
    ['post: { folder: [a, a/] }', '2:19'],
    ['post: { folder: _drafts }', '2:19'],
    ['post: { folder: a, file_name: "{slug}/../x" }', '2:33'],
    ['post: { folder: a, file_name: "{id}" }', '2:33'],
    ['post: { folder: a, file_name: "{year}" }', '2:33'],
    ['post: { file_name: "{slug}" }', '2:22'],
    ['post: { folder: a, plural: Articles }', '2:30'],
    ['page: { folder: a, file_name: "{slug}" }', '2:33'],
    ['book: { folder: pages }', '2:19'],
    ['attachment: { folder: users }', '2:25'],
  ];
  it.each(refused)('is rejected: %s', async (types, at) => {
    expect(await problems(types)).toEqual([`site.yaml ${at} error declaration`]);
  });

  it('belongs to one type', async () => {
    const both = 'post: { folder: texts }\n  book: { folder: texts }';
    expect(await problems(both)).toEqual(['site.yaml 3:19 error declaration']);
    expect(await problems('post: { folder: book }\n  book: {}')).toEqual(['site.yaml 3:3 error declaration']);
    expect(
      await problems('post: { folder: content/posts }\n  page: { folder: content }\n  book: { folder: content/posts/books }'),
    ).toEqual([]);
    expect(await problems('page: { folder: [src/pages, _pages] }\n  attachment: { folder: [static, media] }')).toEqual([]);
  });

  it('inside another one has its own files', async () => {
    const found = await findings({
      'site.yaml':
        'name: Quay\nurl: https://quay.example\ntypes:\n  post: { folder: content/posts }\n  page: { folder: content }\n',
      'users/anna.yaml': 'id: 1\nname: Anna\n',
      'terms/category/news.yaml': 'id: 1\nname: News\n',
      'content/posts/one.md':
        '---\nid: 30\ntitle: One\ndate: 2026-01-01\nauthor: anna\ncategories: [news]\nsticky: true\n---\nText\n',
      'content/posts/_index.md': '---\nid: 31\ntitle: All\ndate: 2026-01-01\nauthor: anna\n---\nText\n',
      'content/two.md':
        '---\nid: 32\ntitle: Two\ndate: 2026-01-01\nauthor: anna\norder: 2\n---\n[All](/posts/) and [one](/one/)\n',
      'menus/main.yaml':
        'id: 4\nname: Main\nitems:\n  - page: two\n    id: 20\n  - page: posts\n    id: 21\n  - post: one\n    id: 22\n',
    });
    expect(said(found)).toEqual([]);
  });
});
