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
