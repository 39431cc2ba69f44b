import { describe, expect, it } from 'vitest';
import { href, wrapperAttributes } from '../../src/render/block-wrapper.ts';
import type { LiveBlock } from '../../src/render/live-block.ts';

function wrapper(name: string, attributes: object, more: Record<string, string> = {}): string {
  const block = { name: `core/${name}`, attrs: attributes, innerBlocks: [], innerHTML: '', innerContent: [] };
  return wrapperAttributes({ block, attributes } as unknown as LiveBlock, more);
}

describe('the wrapper of a dynamic block', () => {
  const style = (value: object) => ({ style: value });
  it.each<[what: string, name: string, attributes: object, expected: string]>([
    [
      'named colours',
      'site-title',
      { textColor: 'accent1', backgroundColor: 'x' },
      'class="wp-block-site-title has-text-color has-accent-1-color has-background has-x-background-color"',
    ],
    ['a colour without a name', 'site-title', { textColor: '' }, 'class="wp-block-site-title has-text-color"'],
    [
      'the last part of a preset',
      'site-title',
      style({ color: { text: 'var:preset|color|a|b' } }),
      'class="wp-block-site-title has-text-color has-b-color"',
    ],
    [
      'a colour that is no CSS',
      'site-title',
      style({ color: { background: 'url(javascript:1)' } }),
      'class="wp-block-site-title has-background"',
    ],
    [
      'what its type does not support',
      'post-comments',
      style({ typography: { textDecoration: 'underline', letterSpacing: '2px' } }),
      'style="letter-spacing:2px" class="wp-block-post-comments"',
    ],
    ['what it sees to itself', 'search', { textColor: 'a', fontSize: 'b', borderColor: 'c' }, 'class="wp-block-search"'],
    [
      'texts alone as values',
      'site-title',
      style({ typography: { fontWeight: 700, lineHeight: '1' } }),
      'style="line-height:1" class="wp-block-site-title"',
    ],
    [
      'a font by its variable',
      'site-title',
      style({ typography: { fontFamily: 'var:preset|font-family|a b' } }),
      'style="font-family:var(--wp--preset--font-family--a-b)" class="wp-block-site-title"',
    ],
    [
      'a size by its class',
      'site-title',
      style({ typography: { fontSize: 'var:preset|font-size|X Large2' } }),
      'class="wp-block-site-title has-x-large-2-font-size"',
    ],
    [
      'the alignment of text',
      'post-title',
      style({ typography: { textAlign: 'right' } }),
      'class="wp-block-post-title has-text-align-right"',
    ],
    [
      'a border in pixels',
      'site-title',
      style({ border: { width: 3, radius: '4' } }),
      'style="border-radius:4px;border-width:3px" class="wp-block-site-title"',
    ],
    [
      'sides in their order',
      'site-title',
      style({ border: { left: { style: 'dashed', width: '1px' }, top: { color: 'var:preset|color|a' } } }),
      'style="border-top-color:var(--wp--preset--color--a);border-left-width:1px;border-left-style:dashed" class="wp-block-site-title"',
    ],
    [
      'space on all sides, and on some',
      'site-title',
      style({ spacing: { padding: '1px', margin: { top: 'var:preset|spacing|20' } } }),
      'style="padding:1px;margin-top:var(--wp--preset--spacing--20)" class="wp-block-site-title"',
    ],
    [
      'several features',
      'site-title',
      style({ color: { text: 'red' }, spacing: { padding: '1px' } }),
      'style="color:red;padding:1px" class="wp-block-site-title has-text-color"',
    ],
    ['each class once', 'site-title', { className: '  two   wp-block-site-title ' }, 'class="two wp-block-site-title"'],
    ['an anchor', 'site-title', { anchor: 'a"b' }, 'class="wp-block-site-title" id="a&quot;b"'],
    ['no anchor where there is none', 'pattern', { anchor: 'a' }, 'class="wp-block-pattern"'],
  ])('has %s', (_, name, attributes, expected) => expect(wrapper(name, attributes)).toBe(expected));

  it("has the renderer's attributes before those of its style", () => {
    const more = { id: 'own', class: 'own', style: 'top: 1px; ', 'data-x': '<' };
    expect(wrapper('site-title', { anchor: 'a', style: { color: { text: 'red' } } }, more)).toBe(
      'style="top: 1px;color:red" class="own wp-block-site-title has-text-color" id="a" data-x="&lt;"',
    );
    expect(wrapper('site-title', {}, more)).toContain('id="own"');
  });
});

it.each([
  ['https://a.example/?a=1&b=2', 'https://a.example/?a=1&#038;b=2'],
  [' /a b/ ', '/a%20b/'],
  ['Word & <b>x</b>', 'http://Word%20&#038;%20bx/b'],
  ['https://a.example/"><script>', 'https://a.example/script'],
  ['a.example', 'http://a.example'],
  ['#x', '#x'],
  ['?a[]=1', '?a%5B%5D=1'],
  ['https://[::1]/a[0]', 'https://[::1]/a%5B0%5D'],
  ["/it's/ü", '/it&#039;s/ü'],
  ['javascript:alert(1)', 'alert(1)'],
  ['', ''],
  [undefined, ''],
])('a URL in an attribute: %j', (given, shown) => {
  expect(href(given)).toBe(shown);
});
