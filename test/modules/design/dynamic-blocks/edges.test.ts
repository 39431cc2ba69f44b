/** What blocks show where an attribute is left out, names nothing, or where the block stands outside of what it is about. */
import { describe, expect, it } from 'vitest';
import { block, openBlog } from './blog.ts';

const alone = { reader: null, post: 0 };

describe('query loops', () => {
  const sticky = { 'posts/top.html': '---\nid: 110\ntitle: Top\ndate: 2020-01-01\nsticky: true\nauthor: anna\n---\nT.\n' };
  const loop = (query: object): string =>
    `<!-- wp:query ${JSON.stringify({ query })} --><!-- wp:post-template -->${block('post-title')}<!-- /wp:post-template --><!-- /wp:query -->`;
  const shown = (html: string): string[] => [...html.matchAll(/ post-(\d+) /g)].map(([, id]) => id as string);

  it('start with sticky posts, unless they filter by term or search, or ignore them', async () => {
    const { show } = await openBlog(sticky);
    expect(shown(show(loop({ author: '999' })))).toEqual(['110']);
    expect(shown(show(loop({ perPage: 1 })))).toEqual(['110', '103']);
    expect(shown(show(loop({ author: '999', exclude: [110] })))).toEqual([]);
    expect(shown(show(loop({ perPage: 1, taxQuery: { category: [21] } })))).toEqual(['103']);
    expect(shown(show(loop({ perPage: 1, search: 'Words' })))).not.toContain('110');
    expect(shown(show(loop({ author: '999', sticky: 'ignore' })))).toEqual([]);
  });

  it('of an unknown type list posts', async () => {
    const { show } = await openBlog();
    expect(shown(show(loop({ postType: 'nothing', perPage: 1 })))).toEqual(['103']);
    expect(shown(show(loop({ postType: 'constructor', perPage: 1 })))).toEqual(['103']);
  });
});

describe('the latest posts block', () => {
  it('has a column count only if the block sets one', async () => {
    const { show } = await openBlog();
    expect(show(block('latest-posts', { postLayout: 'grid' }))).toContain('class="wp-block-latest-posts__list is-grid wp-block');
    expect(show(block('latest-posts', { postLayout: 'grid', columns: 5 }))).toContain('is-grid columns-5 ');
  });

  it('accepts a category as a numeric string, and shows none for a word', async () => {
    const { show } = await openBlog();
    expect(show(block('latest-posts', { categories: '22' })).match(/<li>/g)).toHaveLength(1);
    expect(show(block('latest-posts', { categories: 'x' }))).not.toContain('<li>');
    expect(show(block('latest-posts', { categories: [] }))).toContain('<li>');
  });
});

describe('blocks outside their context', () => {
  it('show a comments title and no list of terms', async () => {
    const { site } = await openBlog();
    const one = (name: string): string => site.dynamicBlocks.showOne(name, {}, alone);
    expect(one('core/comments-title')).toBe(
      '<h2 id="comments" class="wp-block-comments-title">0 responses to &#8220;&#8221;</h2>',
    );
    expect(one('core/term-template')).toBe('');
  });

  it('support the comments markup of older texts', async () => {
    const { show } = await openBlog();
    expect(show(block('comments', { legacy: true }))).toBe('<div class="wp-block-post-comments wp-block-comments"></div>');
  });
});

it('the post format is a term', async () => {
  const more = { 'posts/note.html': '---\nid: 111\ntitle: Note\ndate: 2025-01-01\nformat: aside\n---\nN.\n' };
  const { show } = await openBlog(more);
  const shown = '<div class="taxonomy-post_format wp-block-post-terms"><a href="/type/aside/" rel="tag">Aside</a></div>';
  expect(show(block('post-terms', { term: 'post_format' }), { post: 111 })).toBe(shown);
  expect(show(block('post-terms', { term: 'post_format' }))).toBe('');
});

it('the sign-in link returns only if the block says so', async () => {
  const { show } = await openBlog();
  expect(show(block('loginout', { redirectToCurrent: false }))).toContain('href="/wp-login.php"');
});

describe('icons', () => {
  it('use the styles of the block, and are hidden from screen readers unless labeled', async () => {
    const { show } = await openBlog();
    const html = show(block('icon', { icon: 'core/star-filled', textColor: 'contrast', style: { spacing: { padding: '1px' } } }));
    expect(html).toMatch(
      /^<div class="wp-block-icon"><svg aria-hidden="true" class="[^"]*has-contrast-color[^"]*" focusable="false"/,
    );
    expect(html).toContain('style="padding:1px"');
    const named = show(block('icon', { icon: 'core/home', ariaLabel: 'Home "sweet"', rotation: 90, flipHorizontal: true }));
    expect(named).toContain('aria-label="Home &quot;sweet&quot;"');
    expect(named).toContain('style="rotate:90deg;scale:-1 1"');
    expect(named).not.toContain('aria-hidden');
  });

  it('that do not exist are not shown', async () => {
    const { show } = await openBlog();
    for (const icon of ['core/none', 'constructor', '', 7, null]) expect(show(block('icon', { icon }))).toBe('');
  });
});

it('a playlist contains the tracks with a recording, and their titles', async () => {
  const { show } = await openBlog();
  const list = (...tracks: object[]): string =>
    `<!-- wp:playlist --><figure class="wp-block-playlist">${tracks.map((one) => block('playlist-track', one)).join('')}</figure><!-- /wp:playlist -->`;
  expect(show(list())).toBe('');
  expect(show(list({ src: 'https://a.example/1.mp3', title: 'S' }))).toBe('');
  const shown = show(list({ id: 4, src: 'javascript:1', title: 'A <b>', artist: 'B & C' }));
  expect(shown).toContain('A &lt;b&gt; — B &amp; C <audio controls preload="none" src=');
  expect(shown).not.toContain('javascript');
});
