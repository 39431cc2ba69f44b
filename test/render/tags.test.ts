import { describe, expect, test } from 'vitest';
import { attributeOf, openingTag, tagsFrom, withAttributes, withClasses } from '../../src/render/tags.ts';

describe('tags', () => {
  test('are found like in a browser', () => {
    const html = '<!-- <a> --><P x="<b>">1 < 2<script>"<i>"</script></p><em';
    expect([...tagsFrom(html)].map(({ name, isClosing }) => (isClosing ? '/' : '') + name)).toEqual([
      'p',
      'script',
      '/script',
      '/p',
    ]);
  });

  test('are changed in place', () => {
    const html = `<a class='x&amp;y  z' href=q>`;
    const tag = openingTag(html);
    if (!tag) throw new Error('no tag');
    expect(attributeOf(html, tag, 'class')).toBe('x&y  z');
    expect(withClasses(html, tag, ['z', 'w'])).toBe('<a class="x&amp;y  z w" href=q>');
    expect(withAttributes(html, tag, { id: '"', hidden: true, href: 'r' })).toBe(
      `<a hidden id="&quot;" class='x&amp;y  z' href="r">`,
    );
    expect(withAttributes(html, tag, { style: "a:'b'" }, ['w'])).toBe(`<a style="a:&apos;b&apos;" class="x&amp;y  z w" href=q>`);
  });
});
