import { describe, expect, it } from 'vitest';
import { block, openBlog } from './blog.ts';

describe('breadcrumbs', () => {
  const items = (html: string): string[] => [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item as string);

  it('show the terms of a post and the parents of a page', async () => {
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

  it('have a separator that is escaped', async () => {
    const { show } = await openBlog();
    expect(show(block('breadcrumbs', { separator: '>' }))).toContain('style="--separator: &quot;&gt;&quot;"');
    expect(show(block('breadcrumbs', { separator: '";color:red' }))).not.toContain('color:red"');
    expect(show(block('breadcrumbs', { separator: 'a&b' }))).toContain('<nav style="" ');
  });
});

describe('a search form', () => {
  it('applies its styles to its parts', async () => {
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

  it('expands its field by a script if it is only a button', async () => {
    const { show } = await openBlog();
    const html = show(block('search', { buttonPosition: 'button-only' }));
    expect(html).toContain('data-wp-interactive="core/search"');
    expect(html).toContain('"inputId":"wp-block-search__input-1"');
    expect(html).toContain('data-wp-on--click="actions.openSearchInput"');
  });

  it('ignores invalid styles', async () => {
    const { show } = await openBlog();
    const html = show(
      block('search', { style: { color: { text: 'red;background:url(javascript:1)' }, border: { width: '"><b>' } } }),
    );
    expect(html).not.toContain('javascript');
    expect(html).not.toContain('<b>');
  });
});

it('an avatar is loaded lazily if it stands alone', async () => {
  const { show, site } = await openBlog();
  expect(show(block('avatar'))).not.toContain('loading=');
  expect(site.dynamicBlocks.showOne('core/avatar', {}, { reader: null, post: 101 })).toContain("loading='lazy'");
  expect(show(block('avatar', { userId: 99 }))).toContain('avatar-default');
});

describe('archives', () => {
  const links = (html: string): string[] =>
    [...html.matchAll(/<a href='(.*?)'>(.*?)<\/a>/g)].map(([, to, label]) => `${to} ${label}`);

  it('can be weekly, list single posts, and ignore unknown types', async () => {
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

describe('the featured image', () => {
  it('can be the first image in the text, with a color overlay', async () => {
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
