import { describe, expect, it } from 'vitest';
import { blockTypes } from '../../../../src/render/block-types.ts';
import { dropdownScript } from '../../../../src/render/dropdown-script.ts';
import { renderers } from '../../../../src/modules/design/dynamic-blocks/showing.ts';
import { savedBlocks } from '../../../../src/render/saved-blocks.ts';
import { block, type Blog, openBlog } from './blog.ts';

const anna = { id: 7, roles: ['administrator'] };

describe('site blocks', () => {
  /** [block, attributes, markup] */
  const rows: readonly (readonly [name: string, attributes: object, html: string])[] = [
    ['site-title', {}, '<h1 class="wp-block-site-title"><a href="" target="_self" rel="home">Kit &amp; Co</a></h1>'],
    [
      'site-title',
      { level: 0, isLink: false, textAlign: 'center' },
      '<p class="has-text-align-center wp-block-site-title">Kit &amp; Co</p>',
    ],
    [
      'site-tagline',
      { textColor: 'accent1' },
      '<p class="wp-block-site-tagline has-text-color has-accent-1-color">Small things</p>',
    ],
    ['site-logo', {}, ''],
    [
      'home-link',
      {},
      '<li class="wp-block-navigation-item wp-block-home-link"><a class="wp-block-home-link__content wp-block-navigation-item__content" href="" rel="home" >Home</a></li>',
    ],
    [
      'navigation-link',
      { label: 'One', url: 'https://one.example/?a=1&b=2' },
      '<li class="wp-block-navigation-item wp-block-navigation-link"><a class="wp-block-navigation-item__content"  href="https://one.example/?a=1&#038;b=2"><span class="wp-block-navigation-item__label">One</span></a></li>',
    ],
    ['navigation-link', { label: 'Draft', kind: 'post-type', id: 105 }, ''],
    ['navigation-link', { url: '/' }, ''],
    ['loginout', {}, '<div class="logged-out wp-block-loginout"><a href="/wp-login.php?redirect_to=%2Fone%2F">Log in</a></div>'],
    [
      'rss',
      { feedURL: '' },
      '<div class="components-placeholder"><div class="notice notice-error">An error has occurred, which probably means the feed is down. Try again later.</div></div>',
    ],
    [
      'social-link',
      { url: 'GitHub.example/a b', service: 'github', rel: 'me' },
      '<li class="wp-social-link wp-social-link-github wp-block-social-link"><a rel="me" href="https://GitHub.example/a%20b" class="wp-block-social-link-anchor"><svg/><span class="wp-block-social-link-label screen-reader-text">GitHub</span></a></li>',
    ],
    [
      'social-link',
      { url: 'ann@site.example', service: '<x>', label: ' Write <b> ' },
      '<li class="wp-social-link wp-social-link-&lt;x&gt; wp-block-social-link"><a href="mailto:ann@site.example" class="wp-block-social-link-anchor"><svg/><span class="wp-block-social-link-label screen-reader-text">Write &lt;b&gt;</span></a></li>',
    ],
    ['social-link', { url: '', service: 'x' }, ''],
    [
      'widget-group',
      { title: 'A & B' },
      '<h2 class="widget-title">A &amp; B</h2><div class="wp-widget-group__inner-blocks"></div>',
    ],
    ['query', {}, ''],
    ['pattern', { slug: 'site/nothing' }, ''],
    ['template-part', { slug: 'nothing' }, ''],
    ['block', { ref: 4 }, ''],
    ['acme/unknown', {}, ''],
  ];
  it('are rendered with their attributes', async () => {
    const { show } = await openBlog();
    const withoutIcons = (html: string): string => html.replace(/<svg[^>]*><path[^>]*(?:\/>|><\/path>)<\/svg>/g, '<svg/>');
    for (const [name, attributes, html] of rows)
      expect([
        name,
        name === 'social-link' ? withoutIcons(show(block(name, attributes))) : show(block(name, attributes)),
      ]).toEqual([name, html]);
  });

  it('link to profiles as their parent block says', async () => {
    const { show } = await openBlog();
    const around = {
      openInNewTab: true,
      showLabels: true,
      iconColor: 'base',
      iconColorValue: '#fff',
      iconBackgroundColorValue: 'red;x:expression(1)',
    };
    const inner = block('social-link', { url: '//x.example', service: 'x' });
    const html = show(`<!-- wp:social-links ${JSON.stringify(around)} --><ul>${inner}</ul><!-- /wp:social-links -->`);
    expect(html).toContain(
      '<li style="color:#fff;background-color:red" class="wp-social-link wp-social-link-x has-base-color wp-block-social-link"><a rel="noopener nofollow" target="_blank" href="//x.example"',
    );
    expect(html).toContain('<span class="wp-block-social-link-label">X</span>');
  });

  it('give each search field its own id', async () => {
    const { show } = await openBlog();
    const html = show(block('search', { label: 'Find', buttonUseIcon: true }) + block('search', { buttonPosition: 'no-button' }));
    expect(html).toContain('<label class="wp-block-search__label" for="wp-block-search__input-1" >Find</label>');
    expect(html).toContain('class="wp-block-search__button-outside wp-block-search__icon-button wp-block-search"');
    expect(html).toContain('id="wp-block-search__input-2"');
    expect(html.match(/<button/g)).toHaveLength(1);
  });
});

it('every dynamic block is rendered, except those with static text', () => {
  const dynamic = [...blockTypes.values()].filter(({ isDynamic }) => isDynamic).map(({ name }) => name);
  const shown = [...Object.keys(renderers), ...Object.keys(savedBlocks)];
  expect(dynamic.filter((name) => !shown.includes(name))).toEqual(['core/legacy-widget', 'core/video']);
});

describe('design blocks', () => {
  const paragraph = '<!-- wp:paragraph --><p>Up here</p><!-- /wp:paragraph -->';
  const design = {
    'patterns/hero.html': `---\ntitle: Hero\n---\n${paragraph}<!-- wp:pattern {"slug":"site/hero"} /-->`,
    'template-parts/top.html': `---\nid: 80\ndate: 2025-01-01\nmeta:\n  area: header\n---\n${block('site-title', { isLink: false })}`,
    'template-parts/idle.html': `---\nid: 81\ndate: 2025-01-01\nstatus: draft\n---\n${paragraph}`,
  };

  it('render patterns, nested ones once', async () => {
    const { show } = await openBlog(design);
    expect(show(block('pattern', { slug: 'site/hero' }))).toBe('<p class="wp-block-paragraph">Up here</p>');
    expect(show(block('pattern', { slug: 'hero' }))).toBe('');
  });

  it('render published template parts, in the requested or default element', async () => {
    const { show } = await openBlog(design);
    const title = '<h1 class="wp-block-site-title">Kit &amp; Co</h1>';
    expect(show(block('template-part', { slug: 'top' }))).toBe(`<header class="wp-block-template-part">${title}</header>`);
    expect(show(block('template-part', { slug: 'top', theme: 'other' }))).toBe('');
    expect(show(block('template-part', { slug: 'top', tagName: 'nav onclick=x' }))).toContain('<header class');
    expect(show(block('template-part', { slug: 'top', tagName: 'aside' }))).toContain('<aside class');
    expect(show(block('template-part', { slug: 'idle' }))).toBe('');
  });
});

describe('blocks with the featured image', () => {
  const media = {
    'media/2025/01/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    'media/2025/01/a.svg.yaml': 'id: 90\ndate: 2025-01-01T00:00:00\nalt: A "shape"\n',
    'posts/pictured.html': '---\nid: 107\ntitle: P\ndate: 2025-05-01\nfeatured_media: 90\n---\nx\n',
  };
  const cover = (attributes: object): string =>
    `<!-- wp:cover ${JSON.stringify(attributes)} --><div class="wp-block-cover"><div class="wp-block-cover__inner-container"></div></div><!-- /wp:cover -->`;
  const beside = (attributes: object): string =>
    `<!-- wp:media-text ${JSON.stringify(attributes)} --><div class="wp-block-media-text is-image-fill"><figure class="wp-block-media-text__media"></figure></div><!-- /wp:media-text -->`;

  it('show it behind or next to their text', async () => {
    const { show } = await openBlog(media);
    const of = { post: 107 };
    expect(show(cover({ useFeaturedImage: true, focalPoint: { x: 0.25, y: 1 } }), of)).toContain(
      'class="wp-block-cover__image-background wp-post-image" alt="A &quot;shape&quot;" data-object-fit="cover" data-object-position="25% 100%" style="object-position:25% 100%;" /><div class="wp-block-cover__inner',
    );
    expect(show(cover({ useFeaturedImage: true, hasParallax: true }), of)).toMatch(
      /<div aria-label="A &quot;shape&quot;" class="wp-block-cover__image-background wp-image-90 has-parallax" role="img" style="background-position:50% 50%;background-image:url\([^)]+a\.svg\);"><\/div>/,
    );
    expect(show(beside({ useFeaturedImage: true, imageFill: true }), of)).toMatch(
      /<div class="wp-block-media-text is-image-fill-element"><figure {2}class="wp-block-media-text__media"><img alt="A &quot;shape&quot;" src="[^"]+a\.svg" style="object-position:50% 50%;" class="wp-image-90 size-full"><\/figure>/,
    );
  });

  it('show their own image otherwise', async () => {
    const { show } = await openBlog(media);
    for (const markup of [cover({}), cover({ useFeaturedImage: true, backgroundType: 'video' }), beside({})])
      expect(show(markup, { post: 107 })).not.toContain('a.svg');
    expect(show(cover({ useFeaturedImage: true }))).toBe(show(cover({})));
  });
});

describe('term blocks', () => {
  it('list used terms, as a tree if requested', async () => {
    const { show } = await openBlog();
    const item = (id: number, path: string, name: string, more = '') =>
      `\t<li class="cat-item cat-item-${id}"><a href="/category/${path}/">${name}</a>${more}`;
    expect(show(block('categories', { showPostCounts: true }))).toContain(
      `wp-block-categories-list wp-block-categories-taxonomy-category wp-block-categories">${item(22, 'news/local', 'Local', ' (1)\n</li>\n')}${item(21, 'news', 'News', ' (2)\n</li>\n')}`,
    );
    expect(show(block('categories', { showHierarchy: true, showPostCounts: true }))).toContain(
      `${item(21, 'news', 'News', " (3)\n<ul class='children'>\n")}${item(22, 'news/local', 'Local', ' (1)\n</li>\n')}</ul>\n</li>\n`,
    );
    expect(show(block('categories', { showEmpty: true, showOnlyTopLevel: true }))).toMatch(/Empty.*News/s);
    expect(show(block('categories', { taxonomy: 'nothing' }))).toBe('');
    expect(show(block('categories', { displayAsDropdown: true }))).toContain(
      '<option class="level-0" value="news">News</option>',
    );
  });

  it('show a cloud of the most used ones, or say that there are none', async () => {
    const { show } = await openBlog();
    expect(show(block('tag-cloud'))).toBe(
      '<p class="wp-block-tag-cloud"><a href="/tag/blue/" class="tag-cloud-link tag-link-32 tag-link-position-1" style="font-size: 8pt;" aria-label="Blue (1 item)">Blue</a>\n' +
        '<a href="/tag/red/" class="tag-cloud-link tag-link-31 tag-link-position-2" style="font-size: 22pt;" aria-label="Red (2 items)">Red</a></p>',
    );
    expect(show(block('tag-cloud', { taxonomy: 'nav_menu' }))).toBe(
      '<p class="wp-block-tag-cloud">There&#8217;s no content to show here yet.</p>',
    );
  });

  it('repeat a layout for each term', async () => {
    const { show } = await openBlog();
    const template = `<!-- wp:term-template -->${block('term-name', { isLink: true })}${block('term-count')}<!-- /wp:term-template -->`;
    const html = show(
      `<!-- wp:terms-query {"termQuery":{"taxonomy":"post_tag","order":"desc"}} --><div>${template}</div><!-- /wp:terms-query -->`,
    );
    expect(html).toMatch(/term-31 post_tag.*Red.*\(2\).*term-32 post_tag.*Blue.*\(1\)/);
  });
});

describe('post blocks', () => {
  const titles = (html: string): string[] => [...html.matchAll(/post-title"[^>]*>([^<]+)/g)].map(([, title]) => title as string);

  it('list the latest public posts', async () => {
    const { show } = await openBlog();
    expect(titles(show(block('latest-posts')))).toEqual(['Three ', 'Two', 'One', 'Protected: Locked']);
    expect(titles(show(block('latest-posts', { categories: [{ id: 21 }], order: 'asc' })))).toEqual(['Two', 'Three ']);
    expect(titles(show(block('latest-posts'), { reader: anna }))).not.toContain('Secret');
    const html = show(
      block('latest-posts', { displayAuthor: true, displayPostDate: true, displayPostContent: true, postsToShow: 4 }),
    );
    expect(html).toContain(
      '<div class="wp-block-latest-posts__post-author">by Anna</div><time datetime="2025-03-01T00:00:00+00:00" class="wp-block-latest-posts__post-date">March 1, 2025</time>',
    );
    expect(html).toContain('This content is password protected.');
    expect(html).not.toContain('Hidden words');
  });

  it('show a page tree', async () => {
    const { show } = await openBlog();
    expect(show(block('page-list')).replace(/ class="[^"]*"/g, '')).toBe(
      '<ul><li><a href="/x/">X</a><ul><li><a href="/x/y/">Y</a></li></ul></li><li><a href="/w/">W</a></li></ul>',
    );
    expect(show(block('page-list', { parentPageID: 50 })).replace(/<[^>]*>/g, '')).toBe('Y');
  });

  it('lead on from excerpts of no words', async () => {
    const { show } = await openBlog();
    const said = show(block('latest-posts', { displayPostContent: true, excerptLength: 0, postsToShow: 9 }));
    expect(said).toMatch(/__post-excerpt">… <a class="[^"]*__read-more"/);
    expect(said).not.toContain('hellip');
  });

  it('show fields of the surrounding post, and nothing without one', async () => {
    const { show } = await openBlog();
    const rows: readonly (readonly [string, object, string])[] = [
      ['post-title', { isLink: true, level: 3 }, '<h3 class="wp-block-post-title"><a href="/two/" target="_self" >Two</a></h3>'],
      ['post-date', {}, '<div class="wp-block-post-date"><time datetime="2025-03-01T00:00:00+00:00">March 1, 2025</time></div>'],
      [
        'post-date',
        { datetime: '2020-01-02T03:04:05Z', format: 'Y' },
        '<div class="wp-block-post-date"><time datetime="2020-01-02T03:04:05Z">2020</time></div>',
      ],
      [
        'post-excerpt',
        { excerptLength: 1 },
        '<div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">Words&hellip; </p></div>',
      ],
      [
        'post-terms',
        { term: 'post_tag', prefix: 'In ' },
        '<div class="taxonomy-post_tag wp-block-post-terms"><span class="wp-block-post-terms__prefix">In </span><a href="/tag/blue/" rel="tag">Blue</a><span class="wp-block-post-terms__separator">, </span><a href="/tag/red/" rel="tag">Red</a></div>',
      ],
      ['post-author-name', {}, '<div class="wp-block-post-author-name">Anna</div>'],
      ['post-author-biography', {}, '<div class="wp-block-post-author-biography">She writes.</div>'],
      [
        'read-more',
        {},
        '<a class="wp-block-read-more" href="/two/" target="_self">Read more<span class="screen-reader-text">: Two</span></a>',
      ],
      ['post-comments-count', {}, '<div class="wp-block-post-comments-count">0</div>'],
      ['post-time-to-read', { displayAsRange: false }, '<div class="wp-block-post-time-to-read">1 minute</div>'],
      ['post-featured-image', {}, ''],
      ['footnotes', {}, ''],
    ];
    for (const [name, attributes, html] of rows) {
      expect([name, show(block(name, attributes), { post: 102 })]).toEqual([name, html]);
      expect([name, show(block(name, attributes), { post: 0 })]).toEqual([name, '']);
    }
    expect(show(block('avatar'), { post: 102 })).toContain("alt='Anna Avatar'");
    expect(show(block('post-author'), { post: 102 })).toContain('<p class="wp-block-post-author__name">Anna</p>');
  });
});

describe('a query loop', () => {
  const template = `<!-- wp:post-template -->${block('post-title')}${block('post-content')}<!-- /wp:post-template -->`;
  const loop = (query: object, inner = template): string =>
    `<!-- wp:query ${JSON.stringify({ queryId: 1, query: { inherit: false, ...query } })} --><div class="wp-block-query">${inner}</div><!-- /wp:query -->`;

  it('renders its template for each post the reader may see', async () => {
    const { show } = await openBlog();
    const html = show(loop({ perPage: 2, order: 'asc' }));
    expect(html).toContain(
      '<ul class="wp-block-post-template is-layout-flow wp-block-post-template-is-layout-flow"><li class="wp-block-post post-106 post type-post',
    );
    expect(html).toContain('<div class="wp-block-query is-layout-flow wp-block-query-is-layout-flow">');
    expect(html).toContain('Words of One.');
    expect(html).not.toContain('Hidden');
    expect(show(loop({ search: 'Secret' }))).not.toContain('Secret');
    expect(show(loop({ search: 'Secret' }), { reader: anna })).toContain('Secret');
    expect(show(loop({ taxQuery: { post_tag: [32] } }))).toContain('Two');
    expect(show(loop({ exclude: [102, 103, 101, 106] }))).not.toContain('<li');
  });

  it('shows the total, and links to the next page', async () => {
    const { show } = await openBlog();
    const pages = `<!-- wp:query-pagination -->${block('query-pagination-previous')}${block('query-pagination-numbers')}${block('query-pagination-next')}<!-- /wp:query-pagination -->`;
    const html = show(loop({ perPage: 1 }, `${block('query-total')}${pages}`));
    expect(html).toContain('4 results found');
    expect(html).toContain('<a class="page-numbers" href="?query-1-page=2">2</a>');
    expect(html).toContain('<a href="?query-1-page=2" class="wp-block-query-pagination-next">Next Page</a>');
    const none = '<!-- wp:query-no-results --><p>None</p><!-- /wp:query-no-results -->';
    expect(show(loop({ search: 'xyzzy' }, none))).toContain('<p>None</p>');
    expect(show(loop({}, none))).not.toContain('None');
  });

  it('does not render a text within itself forever', async () => {
    const body = loop({ perPage: 100 });
    const { show, site } = await openBlog({ 'posts/loop.html': `---\nid: 110\ntitle: Loop\ndate: 2025-05-01\n---\n${body}\n` });
    const html = show(body, { post: 110 });
    expect(html.match(/Loop/g)?.length).toBe(2);
    expect(site.posts.get(110)).toBeDefined();
  });
});

describe('comments', () => {
  const comments = `<!-- wp:comments --><div>${block('comments-title')}<!-- wp:comment-template -->${block('comment-author-name')}${block('comment-content')}${block('comment-date', { isLink: false })}<!-- /wp:comment-template --></div><!-- /wp:comments -->`;

  it('of a post are shown as threads', async () => {
    const { show } = await openBlog();
    const html = show(comments);
    expect(html).toContain('<h2 id="comments" class="wp-block-comments-title">2 responses to &#8220;One&#8221;</h2>');
    expect(html).toContain('<li id="comment-1" class="comment even thread-even depth-1">');
    expect(html).toContain('<ol><li id="comment-2" class="comment byuser comment-author-anna bypostauthor odd alt depth-2">');
    expect(html).toContain('<a rel="external nofollow ugc" href="https://ben.example" target="_self" >Ben</a>');
    expect(html).not.toContain('Buy');
    expect(show(comments, { post: 103 })).toBe('<div></div>');
  });

  it('of a post that takes no more are shown as long as there are some', async () => {
    const closed = (id: number) => `---\nid: ${id}\ntitle: Closed\ncomments: closed\ndate: 2025-05-01\n---\nWords.\n`;
    const { show } = await openBlog({
      'posts/closed.md': closed(111),
      'posts/silent.md': closed(112),
      'comments/111/9.html': '---\nid: 9\nname: Ben\ndate: 2025-06-01T10:00:00\n---\nA last word.\n',
    });
    expect(show(comments, { post: 111 })).toContain('A last word.');
    expect(show(comments, { post: 112 })).toBe('');
  });

  it('of the site are listed, latest first', async () => {
    const { show } = await openBlog();
    expect(show(block('latest-comments')).match(/comment-author"[^>]*>([^<]+)/g)?.length).toBe(2);
    expect(
      show(block('latest-comments', { displayAvatar: false, displayDate: false, displayContent: 'none', commentsToShow: 1 })),
    ).toContain(
      'Anna</a> on <a class="wp-block-latest-comments__comment-link" href="/one/#comment-2">One</a></footer></article></li></ol>',
    );
  });
});

describe('embedded texts', () => {
  const pattern = (id: number, body: string): string => `---\nid: ${id}\ntitle: P\n---\n${body}\n`;
  const more = {
    'blocks/mine.html': pattern(201, `<!-- wp:paragraph --><p>Shared</p><!-- /wp:paragraph -->${block('block', { ref: 202 })}`),
    'blocks/other.html': pattern(202, `<p>Other</p>${block('block', { ref: 201 })}${block('block', { ref: 202 })}`),
    'navigation/main.html': pattern(203, `${block('navigation-link', { label: 'One', url: '/' })}${block('page-list')}`),
  };

  it('are rendered once each, however they nest', async () => {
    const { show } = await openBlog(more);
    expect(show(block('block', { ref: 201 })).replace(/\s/g, '')).toBe('<pclass="wp-block-paragraph">Shared</p><p>Other</p>');
    expect(show(block('block', { ref: 101 }))).toBe('');
    expect(show(block('block', { ref: '201' }))).toContain('Shared');
  });

  it('can be navigation menus', async () => {
    const { show } = await openBlog(more);
    const html = show(block('navigation', { ref: 203, overlayMenu: 'never' }));
    expect(html).toContain('<nav class="wp-block-navigation is-layout-flex wp-block-navigation-is-layout-flex" aria-label="P">');
    expect(html).toContain('<span class="wp-block-navigation-item__label">One</span>');
    expect(html).toContain('class="wp-block-pages-list__item__link wp-block-navigation-item__content"');
    expect(show(block('navigation', { ref: 203 }))).toContain('id="modal-1"');
  });
});

describe('any attributes', () => {
  const odd: readonly unknown[] = [
    null,
    true,
    -1,
    1e300,
    '',
    '"><script>x</script>',
    [],
    ['a'],
    {},
    { color: { text: '}<script>' } },
    { toString: 1 },
  ];
  const broken = /<script|onerror|\[object|undefined|NaN/;

  async function tryAll({ show }: Blog, of: object): Promise<void> {
    for (const { name, attributes, isDynamic } of blockTypes.values()) {
      if (!isDynamic) continue;
      for (const value of odd) {
        const all = Object.fromEntries(Object.keys(attributes).map((key) => [key, value]));
        const html = show(`<!-- wp:${name} ${JSON.stringify(all)} --><div class="x"></div><!-- /wp:${name} -->`, of);
        // Lists that lead to what is chosen have the server's own script.
        const foreign = html.replace(/<script[^>]*>/, '').includes(dropdownScript)
          ? html.replace(/<script(?: data-home="[^"<>]*")?>/, '')
          : html;
        expect([name, value, broken.exec(foreign)?.[0]]).toEqual([name, value, undefined]);
      }
    }
  }

  it('are rendered safely', async () => {
    const blog = await openBlog();
    await tryAll(blog, {});
    await tryAll(blog, { post: 0, reader: anna });
  });
});
