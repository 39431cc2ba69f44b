/** Blocks that depend on the address that a text is asked for at: pages of loops, and forms. */
import { describe, expect, it } from 'vitest';
import { askedAddress } from '../../../../src/modules/design/dynamic-blocks/asked-address.ts';
import { block, openBlog } from './blog.ts';

const anna = { id: 7, roles: ['administrator'] };
const loop = (query: object, inner: string, more: object = {}): string =>
  `<!-- wp:query ${JSON.stringify({ queryId: 3, query: { postType: 'post', perPage: 1, inherit: false, ...query }, ...more })} --><div class="wp-block-query"><!-- wp:post-template -->${block('post-title')}<!-- /wp:post-template -->${inner}</div><!-- /wp:query -->`;
const pages = (attributes: object = {}): string =>
  `<!-- wp:query-pagination ${JSON.stringify(attributes)} -->${block('query-pagination-previous')}${block('query-pagination-numbers', { midSize: 1 })}${block('query-pagination-next')}<!-- /wp:query-pagination -->`;
const titles = (html: string): string[] => [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title as string);
const links = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to, text]) => `${text} ${to}`);

describe('the current URL', () => {
  it('keeps no personal parameters, and points nowhere else', () => {
    const at = (target: string | undefined, home = 'https://a.example') => askedAddress(home, target).with('p', 2);
    expect(at(undefined)).toBe('?p=2');
    expect(at('/x/?a=b%20c&p=9&d[]=1')).toBe('/x/?a=b+c&p=2&d%5B0%5D=1');
    expect(at('/x/?password=secret&_wpnonce=1&preview_nonce=2&preview_id=3&a=1')).toBe('/x/?a=1&p=2');
    expect(at('/x/', 'https://a.example/blog')).toBe('/blog/x/?p=2');
    expect(at('//evil.example/x')).toBe('/evil.example/x?p=2');
    expect(at('/\\evil.example')).toBe('/evil.example?p=2');
    expect(at('https://evil.example/')).toBe('?p=2');
    expect(at(`/${'x'.repeat(5000)}`)).toBe('?p=2');
    expect(askedAddress('https://a.example', '/x?constructor=1&__proto__=2').text('toString')).toBe('');
  });
});

describe('a query loop', () => {
  it('shows the page in the URL, with links to the others', async () => {
    const { show } = await openBlog();
    const text = loop({}, pages() + block('query-total', { displayType: 'range-display' }));
    expect(titles(show(text))).toEqual(['Three <b>']);
    expect(links(show(text))).toEqual(['2 ?query-3-page=2', '4 ?query-3-page=4', 'Next Page ?query-3-page=2']);
    const second = show(text, { address: '/one/?query-3-page=2&x=y' });
    expect(titles(second)).toEqual(['Two']);
    expect(second).toContain('<span aria-current="page" class="page-numbers current">2</span>');
    expect(second).toContain('Displaying 2 of 4');
    expect(links(second)).toEqual([
      'Previous Page /one/?query-3-page=1&#038;x=y',
      '1 ?cst&#038;x=y',
      '3 ?query-3-page=3&#038;cst&#038;x=y',
      '4 ?query-3-page=4&#038;cst&#038;x=y',
      'Next Page /one/?query-3-page=3&#038;x=y',
    ]);
    const last = show(text, { address: '/one/?query-3-page=4' });
    expect(links(last).map((link) => link.split(' ')[0])).toEqual(['Previous', '1', '3']);
    expect(last).toContain('<span class="page-numbers dots">&hellip;</span>');
  });

  it('shows nothing beyond the last page, and the first page for an invalid number', async () => {
    const { show } = await openBlog();
    const text = loop({ pages: 2 }, `${pages()}<!-- wp:query-no-results --><p>None</p><!-- /wp:query-no-results -->`);
    const behind = show(text, { address: '/?query-3-page=99' });
    expect([titles(behind), behind.includes('<p>None</p>')]).toEqual([[], true]);
    expect(links(behind)).toEqual(['1 ?cst', '2 ?query-3-page=2&#038;cst']);
    for (const page of ['0', '-2', 'x', '', '1e9', '99999999999'])
      expect(titles(show(text, { address: `/?query-3-page=${page}` }))).toEqual(['Three <b>']);
    // Of another loop.
    expect(titles(show(text, { address: '/?query-4-page=2&query-page=2' }))).toEqual(['Three <b>']);
    expect(titles(show(text, { address: '/?query-3-page[]=2' }))).toEqual(['Three <b>']);
  });

  it('has the markup its script needs for paging', async () => {
    const { show } = await openBlog();
    const html = show(loop({ pages: 3 }, pages(), { enhancedPagination: true }), { address: '/?query-3-page=2' });
    expect(html).toContain(
      '<a data-wp-key="query-pagination-previous" data-wp-on--click="core/query::actions.navigate" data-wp-on--mouseenter="core/query::actions.prefetch" data-wp-watch="core/query::callbacks.prefetch" href="/?query-3-page=1" class="wp-block-query-pagination-previous">Previous Page</a>',
    );
    expect(html).toContain(
      '<a data-wp-key="index-0" data-wp-on--click="core/query::actions.navigate" class="page-numbers" href="?cst">1</a>\n<span data-wp-key="index-1" aria-current="page" class="page-numbers current">2</span>',
    );
  });

  it('links to its target', async () => {
    const { show } = await openBlog();
    const html = show(loop({}, pages({ paginationArrow: 'arrow', showLabel: false })), { address: '/?query-3-page=2' });
    expect(html).toContain(
      " aria-label=\"Previous Page\"><span class='wp-block-query-pagination-previous-arrow is-arrow-arrow' aria-hidden='true'>←</span></a>",
    );
  });

  it('ignores injected parameters', async () => {
    const { show } = await openBlog();
    const html = show(loop({}, pages()), { address: '/"><script>x</script>?a="><script>&query-3-page=2' });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('"">');
  });
});

describe('the comment form', () => {
  const open = { 'site.yaml': 'name: Kit\nurl: https://kit.example\nanonymous_comments: true\n' };
  const form = block('post-comments-form', { textAlign: 'center' });

  it('is shown where comments are allowed', async () => {
    const { show } = await openBlog({
      ...open,
      'posts/shut.html': '---\nid: 120\ntitle: Shut\ndate: 2025-01-01\ncomments: closed\n---\n',
    });
    const html = show(form, { address: '/one/?a=1' });
    expect(html).toMatch(/^\t<div id="respond" class="comment-respond has-text-align-center wp-block-post-comments-form">\n/);
    expect(html).toContain('<form action="/wp-comments-post.php" method="post" id="commentform" class="comment-form">');
    expect(html).toContain('href="/one/?a=1#respond" style="display:none;">Cancel reply</a>');
    expect(html).toContain("<input type='hidden' name='comment_post_ID' value='101' id='comment_post_ID' />");
    expect(html).toContain('name="email"');
    expect(show(form)).toBe('');
    expect(show(form, { address: '/x/', post: 120 })).toBe('');
    expect(show(form, { address: '/x/', post: 106 })).toBe('');
  });

  it('replies to the comment in the URL if it is visible and on this post', async () => {
    const { show } = await openBlog(open);
    const html = show(form, { address: '/one/?replytocom=1&a=1' });
    expect(html).toContain('Leave a Reply to <a href="#comment-1">Ben</a> <small><a rel="nofollow"');
    expect(html).toContain('href="/one/?a=1#respond">Cancel reply</a>');
    expect(html).toContain("id='comment_parent' value='1'");
    for (const [address, post] of [
      ['/one/?replytocom=3', 101],
      ['/two/?replytocom=1', 102],
    ] as const)
      expect(show(form, { address, post })).toContain("id='comment_parent' value='0'");
  });

  it('does not ask signed-in users for a name, and asks others to sign in if required', async () => {
    const { show } = await openBlog();
    expect(show(form, { address: '/one/' })).toContain(
      '<p class="must-log-in">You must be <a href="/wp-login.php?redirect_to=%2Fone%2F">logged in</a> to post a comment.</p>',
    );
    const html = show(form, { address: '/one/', reader: anna });
    expect(html).toContain('<p class="logged-in-as">Logged in as Anna. ');
    expect(html).not.toContain('name="email"');
  });
});

it('a sign-in form returns to the page of the text', async () => {
  const { show } = await openBlog();
  const html = show(block('loginout', { displayLoginAsForm: true }));
  expect(html).toMatch(
    /^<div class="logged-out has-login-form wp-block-loginout"><form name="loginform" id="loginform" action="\/wp-login\.php" method="post">/,
  );
  expect(html).toContain('<input type="hidden" name="redirect_to" value="/one/" />');
  expect(show(block('loginout', { displayLoginAsForm: true }), { reader: anna })).toBe(
    '<div class="logged-in wp-block-loginout"><a href="/wp-login.php?action=logout&#038;redirect_to=%2Fone%2F">Log out</a></div>',
  );
});
