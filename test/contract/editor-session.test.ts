/**
 * What the reference's block editor asks for when it opens a post, edits, autosaves and publishes it, in its own spelling and
 * order. Every answer is one it can work with.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

const root = '/wp-json';
const body =
  '<!-- wp:heading -->\n<h2 class="wp-block-heading">Tide</h2>\n<!-- /wp:heading -->\n\n<!-- wp:paragraph -->\n<p>The quay was wet.</p>\n<!-- /wp:paragraph -->';

describe('a session of the block editor', () => {
  let site: TestSite;
  let id: number;
  const ask = (method: string, path: string, sent?: unknown) =>
    site.ask(method, path, { as: 'admin', root, ...(sent === undefined ? {} : { body: sent }) });

  beforeAll(async () => {
    site = await startSite();
    id = (await ask('POST', '/wp/v2/posts', { title: 'Auto draft', status: 'draft' })).body.id;
  });
  afterAll(() => site.close());

  it('opens: every request of the start page succeeds', async () => {
    const reads: readonly (readonly [string, string])[] = [
      ['GET', '/'],
      ['GET', '/wp/v2/types?context=view'],
      ['GET', '/wp/v2/types?context=edit&per_page=100'],
      ['GET', '/wp/v2/taxonomies?context=view'],
      ['GET', '/wp/v2/taxonomies?per_page=100&context=edit'],
      ['GET', `/wp/v2/posts/${id}?context=edit`],
      ['GET', '/wp/v2/types/post?context=edit'],
      ['GET', '/wp/v2/users/me'],
      ['OPTIONS', '/wp/v2/media'],
      ['OPTIONS', '/wp/v2/blocks'],
      ['OPTIONS', '/wp/v2/settings'],
      ['OPTIONS', `/wp/v2/posts/${id}`],
      ['GET', '/wp/v2/settings'],
      ['GET', '/wp/v2/themes?context=edit&status=active'],
      ['GET', '/wp/v2/templates?context=edit'],
      ['GET', '/wp/v2/template-parts?context=edit'],
      ['GET', '/wp/v2/block-types?_fields=name,api_version,title,category'],
      ['GET', '/wp/v2/block-patterns/patterns'],
      ['GET', '/wp/v2/block-patterns/categories'],
      ['GET', '/wp/v2/wp_pattern_category?per_page=100&_fields=id,name,description,slug'],
      ['GET', '/wp/v2/blocks?context=edit&per_page=100&status=publish'],
      ['GET', '/wp/v2/categories?context=view&per_page=100&orderby=name&order=asc&_fields=id,name,parent'],
      ['GET', '/wp/v2/tags?context=view&per_page=20&search=t'],
      ['GET', '/wp/v2/users?who=authors&per_page=50&_fields=id,name&context=view'],
      ['GET', '/wp/v2/media?context=edit&per_page=20'],
      ['GET', '/wp/v2/menus?context=edit'],
      ['GET', '/wp/v2/navigation?context=edit&status=publish'],
      ['GET', '/wp-block-editor/v1/navigation-fallback'],
      ['GET', '/wp/v2/font-families?context=edit'],
      ['GET', '/wp/v2/font-collections'],
      ['GET', '/wp/v2/search?search=tide&type=post&isInitialSuggestions=1'],
    ];
    const refused: string[] = [];
    for (const [method, path] of reads) {
      const { status } = await ask(method, path);
      if (status !== 200) refused.push(`${method} ${path} ${status}`);
    }
    expect(refused).toEqual([]);
    const themes = (await ask('GET', '/wp/v2/themes?context=edit&status=active')).body;
    expect(themes).toHaveLength(1);
    const styles = new URL(themes[0]._links['wp:user-global-styles'][0].href).pathname.slice(root.length);
    expect((await ask('GET', `${styles}?context=edit`)).status).toBe(200);
    const types = (await ask('GET', '/wp/v2/block-types?_fields=name')).body.map(({ name }: { name: string }) => name);
    expect(types).toEqual(expect.arrayContaining(['core/paragraph', 'core/heading', 'core/image', 'core/list', 'core/query']));
  });

  it("edits and autosaves: the author's draft is saved in place", async () => {
    const saved = await ask('POST', `/wp/v2/posts/${id}/autosaves`, { id, title: 'High water', content: body, excerpt: '' });
    expect([saved.status, saved.body.content.raw]).toEqual([200, body]);
    const { body: post } = await ask('GET', `/wp/v2/posts/${id}?context=edit`);
    expect([post.title.raw, post.content.raw, post.content.block_version]).toEqual(['High water', body, 1]);
  });

  it('publishes: the post is public, and its blocks are in the file as sent', async () => {
    const published = await ask('PUT', `/wp/v2/posts/${id}`, { id, status: 'publish', date: '2026-03-05T10:00:00' });
    expect(published.body).toMatchObject({ status: 'publish', slug: 'high-water', content: { raw: body } });
    const { body: seen } = await site.ask('GET', '/wp/v2/posts?slug=high-water', { root });
    expect(seen[0].content.rendered).toBe(
      '\n<h2 class="wp-block-heading">Tide</h2>\n\n\n\n<p class="wp-block-paragraph">The quay was wet.</p>\n',
    );
    expect(await site.read('posts/2026/03/high-water.html')).toContain(body);
  });

  it('continues: an autosave of a published post is stored separately, with revisions to compare', async () => {
    const saved = await ask('POST', `/wp/v2/posts/${id}/autosaves`, {
      title: 'High water',
      content: `${body}\n\nMore.`,
      excerpt: '',
    });
    expect(saved.body.parent).toBe(id);
    expect((await ask('GET', `/wp/v2/posts/${id}?context=edit`)).body.content.raw).toBe(body);
    const { body: revisions } = await ask(
      'GET',
      `/wp/v2/posts/${id}/revisions?context=edit&per_page=100&orderby=date&_fields=id,date,author,meta,title.raw,excerpt.raw,content.raw`,
    );
    // As on the reference, the autosave is among them.
    expect(revisions.map(({ content }: { content: { raw: string } }) => content.raw)).toEqual([`${body}\n\nMore.`, body]);
  });
});
