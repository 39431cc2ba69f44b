import { describe, expect, it } from 'vitest';
import { block, openBlog } from './blog.ts';

describe('breadcrumbs', () => {
  const items = (html: string): string[] => [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item as string);

  it('lead through the terms of a post, and through the pages above one', async () => {
    const { show } = await openBlog();
    expect(show(block('breadcrumbs'))).toBe(
      '<nav style="--separator: &quot;/&quot;" class="wp-block-breadcrumbs" aria-label="Breadcrumbs"><ol><li><a href="/">Home</a></li><li><a href="/category/news/">News</a></li><li><a href="/category/news/local/">Local</a></li><li><span aria-current="page">One</span></li></ol></nav>',
    );
    expect(items(show(block('breadcrumbs'), { post: 51 }))).toEqual([
      '<a href="/">Home</a>',
      '<a href="/x/">X</a>',
      '<span aria-current="page">Y</span>',
    ]);
    expect(
      items(show(block('breadcrumbs', { showHomeItem: false, showCurrentItem: false, prefersTaxonomy: true }), { post: 51 })),
    ).toEqual([]);
  });

  it('are parted by a text that may not be more than a text', async () => {
    const { show } = await openBlog();
    expect(show(block('breadcrumbs', { separator: '>' }))).toContain('style="--separator: &quot;&gt;&quot;"');
    expect(show(block('breadcrumbs', { separator: '";color:red' }))).not.toContain('color:red"');
    expect(show(block('breadcrumbs', { separator: 'a&b' }))).toContain('<nav style="" ');
  });
});

describe('a form to search', () => {
  it('shares its looks among its parts', async () => {
    const { show } = await openBlog();
    const looks = {
      fontSize: 'small',
      borderColor: 'a',
      style: { border: { width: '2px', radius: '6px' }, color: { text: '#111' }, typography: { lineHeight: '1' } },
    };
    const html = show(block('search', { label: 'L', ...looks }));
    expect(html).toContain('for="wp-block-search__input-1"  style="line-height: 1">L</label>');
    expect(html).toContain('<div class="wp-block-search__inside-wrapper" >');
    expect(html).toContain('required  style="border-width: 2px;border-radius: 6px;line-height: 1"/>');
    expect(html).toContain('style="border-width: 2px;border-radius: 6px;color: #111;line-height: 1">Search</button>');
    const inside = show(block('search', { buttonPosition: 'button-inside', ...looks }));
    expect(inside).toContain(
      '<div class="wp-block-search__inside-wrapper has-border-color has-a-border-color"  style="border-width: 2px;border-radius: calc(6px + 4px)">',
    );
  });

  it('opens its field by a script where there is a button alone', async () => {
    const { show } = await openBlog();
    const html = show(block('search', { buttonPosition: 'button-only' }));
    expect(html).toContain('data-wp-interactive="core/search"');
    expect(html).toContain('"inputId":"wp-block-search__input-1"');
    expect(html).toContain('data-wp-on--click="actions.openSearchInput"');
  });

  it('says nothing of a style that would be more than one', async () => {
    const { show } = await openBlog();
    const html = show(
      block('search', { style: { color: { text: 'red;background:url(javascript:1)' }, border: { width: '"><b>' } } }),
    );
    expect(html).not.toContain('javascript');
    expect(html).not.toContain('<b>');
  });
});

it('the picture of a user is loaded late where it stands alone', async () => {
  const { show, site } = await openBlog();
  expect(show(block('avatar'))).not.toContain('loading=');
  expect(site.dynamicBlocks.showOne('core/avatar', {}, { reader: null, post: 101 })).toContain("loading='lazy'");
  expect(show(block('avatar', { userId: 99 }))).toContain('avatar-default');
});

describe('archives', () => {
  const links = (html: string): string[] =>
    [...html.matchAll(/<a href='(.*?)'>(.*?)<\/a>/g)].map(([, to, label]) => `${to} ${label}`);

  it('are of weeks, of posts one by one, and of nothing that has no name', async () => {
    const { show } = await openBlog();
    // Weeks begin on Monday.
    expect(links(show(block('archives', { type: 'weekly' })))).toEqual([
      '/?m=2025&#038;w=10 March 3, 2025&#8211;March 9, 2025',
      '/?m=2025&#038;w=9 February 24, 2025&#8211;March 2, 2025',
      '/?m=2025&#038;w=5 January 27, 2025&#8211;February 2, 2025',
      '/?m=2024&#038;w=9 February 26, 2024&#8211;March 3, 2024',
    ]);
    expect(links(show(block('archives', { type: 'postbypost' })))).toEqual([
      '/three/ Three ',
      '/two/ Two',
      '/one/ One',
      '/locked/ Locked',
    ]);
    expect(links(show(block('archives', { type: 'alpha' })))[0]).toBe('/locked/ Locked');
    for (const type of ['constructor', 'x', '']) expect(show(block('archives', { type }))).toContain('No archives to show.');
  });
});

describe('the picture of a post', () => {
  it('may be the first in its text, with a colour over it', async () => {
    const { show } = await openBlog({
      'posts/pic.html':
        '---\nid: 108\ntitle: Pic\ndate: 2025-01-01\n---\n<p><img class="c" src="https://a.example/b.jpg" alt="B"></p>\n',
    });
    const of = (attributes: object) => show(block('post-featured-image', attributes), { post: 108 });
    expect(of({})).toBe('');
    expect(of({ useFirstImageFromPost: true, dimRatio: 40, overlayColor: 'base' })).toBe(
      '<figure class="wp-block-post-featured-image"><img alt="B" class="c" src="https://a.example/b.jpg" style="object-fit:cover;"><span class="wp-block-post-featured-image__overlay has-background-dim has-background-dim-40 has-base-background-color" style="" aria-hidden="true"></span></figure>',
    );
    expect(of({ useFirstImageFromPost: true, aspectRatio: '1', width: 'x&y' })).toContain(
      'style="aspect-ratio:1;width:100%;height:auto;;object-fit:cover;"',
    );
  });
});
