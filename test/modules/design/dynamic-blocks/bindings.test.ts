import { describe, expect, it } from 'vitest';
import { openBlog } from './blog.ts';

const bound = (name: string, bindings: unknown, html: string, more: object = {}): string =>
  `<!-- wp:${name} ${JSON.stringify({ metadata: { bindings, ...more } })} -->${html}<!-- /wp:${name} -->`;
const data = (field: string) => ({ source: 'core/post-data', args: { field } });

describe('block bindings', () => {
  it('use the post around the block', async () => {
    const { show } = await openBlog();
    const link = (name: string) => bound('button', { url: data(name) }, '<div><a href="/old">Go</a></div>');
    expect(show(bound('paragraph', { content: data('date') }, '<p class="mine">f <b>x</b></p>'))).toBe(
      '<p class="mine wp-block-paragraph">2025-01-31T23:59:59+00:00</p>',
    );
    expect(show(link('link'))).toBe('<div><a href="/one/">Go</a></div>');
    expect(show(link('password'))).toBe('<div><a href="/old">Go</a></div>');
    expect(show(link('constructor'))).toBe('<div><a href="/old">Go</a></div>');
  });

  it('are ignored if their source is unknown', async () => {
    const { show } = await openBlog();
    const plain = '<p class="wp-block-paragraph">f</p>';
    for (const bindings of [
      'x',
      { content: ['core/post-data'] },
      { content: { source: 'other/source' } },
      { content: { source: 'constructor' } },
      { content: { source: 'core/post-meta' } },
      { content: { source: 'core/post-meta', args: { key: 'unknown' } } },
      { dropCap: data('date') },
      { content: { source: 'core/term-data', args: { field: 'name' } } },
      { __default: { source: 'core/pattern-overrides' } },
    ])
      expect(show(bound('paragraph', bindings, '<p>f</p>'))).toBe(plain);
    expect(show(bound('group', { content: data('date') }, '<div>f</div>'))).toContain('>f</div>');
  });

  it('use the term of a list', async () => {
    const { show } = await openBlog();
    const name = bound('paragraph', { content: { source: 'core/term-data', args: { field: 'name' } } }, '<p>f</p>');
    const html = show(
      `<!-- wp:terms-query --><!-- wp:term-template -->${name}<!-- /wp:term-template --><!-- /wp:terms-query -->`,
    );
    expect(html).toContain('<p class="wp-block-paragraph">News</p>');
  });

  it('use overrides of a synced pattern', async () => {
    const heading = bound('heading', { __default: { source: 'core/pattern-overrides' } }, '<h2>Usual</h2>', { name: 'head' });
    const { show } = await openBlog({ 'blocks/p.html': `---\nid: 401\ntitle: P\n---\n${heading}` });
    const of = (content: object) => show(`<!-- wp:block ${JSON.stringify({ ref: 401, content })} /-->`);
    expect(of({ head: { content: 'Other <em>head</em><script>x</script>' } })).toContain('>Other <em>head</em>x</h2>');
    for (const content of [{}, { other: { content: 'A' } }, { head: 'A' }, { head: {} }])
      expect(of(content)).toContain('>Usual</h2>');
  });

  it('cannot create script URLs', async () => {
    const { show } = await openBlog({
      'posts/evil.html': '---\nid: 107\ntitle: Evil\ndate: 2025-01-01\nmeta:\n  footnotes: "javascript:alert(1)"\n---\nA\n',
    });
    const html = bound(
      'button',
      { url: { source: 'core/post-meta', args: { key: 'footnotes' } } },
      '<div><a href="/old">Go</a></div>',
    );
    expect(show(html, { post: 107 })).not.toContain('alert');
  });
});
