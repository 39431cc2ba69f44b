import { describe, expect, test } from 'vitest';
import { renderComment, renderMarkup, renderSummary, renderTitle } from '../../src/render/markup.ts';

const options = { smilies: true, typography: true };

describe('renderMarkup', () => {
  test.each([
    // recorded
    ['First line\nsecond line\n\nNext paragraph', '<p>First line<br />\nsecond line</p>\n<p>Next paragraph</p>\n'],
    ['<p>a &lt; b & c &amp; d &copy; 5 x 4</p>', '<p>a &lt; b &#038; c &amp; d &copy; 5 x 4</p>\n'],
    ['<p>Glad :) and (c) (tm)</p>', '<p>Glad 🙂 and (c) &#8482;</p>\n'],
    ['http://plain.example.org/ and text', '<p>http://plain.example.org/ and text</p>\n'],
    ['<p>Before</p>\n<!--more-->\n<p>After</p>', '<p>Before</p>\n<p><!--more--></p>\n<p>After</p>\n'],
    ['<p>ok</p>alert(1)<a href="void(0)" title="t">l</a>', '<p>ok</p>\n<p>alert(1)<a href="void(0)" title="t">l</a></p>\n'],
    ['<p>日本語 and 🌊 waves</p>', '<p>日本語 and 🌊 waves</p>\n'],
    [
      '<div class="c" style="color:red;position:fixed" data-x="1"><img src="http://e.example/i.png" alt="i"></div>',
      '<div class="c" style="color:red;position:fixed" data-x="1"><img decoding="async" src="http://e.example/i.png" alt="i"></div>\n',
    ],
    ['', ''],
    // blocks: no paragraphs are formed, all else happens
    [
      '<!-- wp:paragraph -->\n<p>It\'s "A"</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:spacer {"height":"1px"} /-->\n\nloose\n\ntext :)',
      '\n<p class="wp-block-paragraph">It&#8217;s &#8220;A&#8221;</p>\n\n\n\n\nloose\n\ntext 🙂',
    ],
    ['<!-- cms:image {"id":1} --><img src="a" /><!-- /cms:image -->', '<img decoding="async" src="a" />'],
    // shortcodes stay
    ['[gallery ids="1,2"]\n\ntext', '[gallery ids="1,2"]\n<p>text</p>\n'],
  ])('%j', (raw, html) => expect(renderMarkup(raw, options)).toBe(html));

  test('typography and smilies can be switched off', () => {
    expect(renderMarkup('"a" & :)', { smilies: false, typography: false })).toBe('<p>"a" & :)</p>\n');
  });

  test.each(['<', '"', '\n', '\0', '\ud800'])('handles a megabyte of %j', (unit) => {
    expect(() => renderMarkup(unit.repeat(1_000_000), options)).not.toThrow();
  });
});

describe('renderTitle', () => {
  test.each([
    [`The "big" one -- it's <i>here</i> & now`, 'The &#8220;big&#8221; one &#8212; it&#8217;s <i>here</i> &#038; now'],
    ['Salt & Pepper', 'Salt &#038; Pepper'],
    ['Sun 🌞 rise :)', 'Sun 🌞 rise :)'],
    [' <code>a & b</code> ', '<code>a &#038; b</code>'],
  ])('%j', (raw, html) => expect(renderTitle(raw)).toBe(html));

  test('returns the title without typography, except for lone ampersands', () =>
    expect(renderTitle('"a" & b', { typography: false })).toBe('"a" &#038; b'));
});

describe('renderSummary', () => {
  test.each([
    ['Short "one" & two', '<p>Short &#8220;one&#8221; &#038; two</p>\n'],
    ['<b>e</b>x', '<p><b>e</b>x</p>\n'],
    ['', ''],
  ])('%j', (raw, html) => expect(renderSummary(raw, options)).toBe(html));
});

describe('renderComment', () => {
  test.each([
    ['<p>First <strong>words</strong></p>', '<p>First <strong>words</strong></p>\n'],
    ['A reply', '<p>A reply</p>\n'],
    [
      'an <em>open tag\n\nand http://x.example :)',
      '<p>an <em>open tag</p>\n<p>and <a href="http://x.example" rel="nofollow ugc">http://x.example</a> 🙂</em></p>\n',
    ],
    [`it's <code>a && b</code>`, '<p>it&#8217;s <code>a &#038;&#038; b</code></p>\n'],
  ])('%j', (raw, html) => expect(renderComment(raw, options)).toBe(html));
});
