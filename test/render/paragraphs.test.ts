import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paragraphs } from '../../src/render/paragraphs.ts';
import { unwrapShortcodes } from '../../src/render/shortcodes.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';

describe('paragraphs', () => {
  test.each([
    // recorded
    ['First line\nsecond line\n\nNext paragraph', '<p>First line<br />\nsecond line</p>\n<p>Next paragraph</p>\n'],
    ['<ul>\n<li>One</li>\n<li>Two</li>\n</ul>', '<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n'],
    ['<summary>More</summary>\nText below', '<summary>More</summary>\n<p>Text below</p>\n'],
    ['<h2>Head</h2>\nText below', '<h2>Head</h2>\n<p>Text below</p>\n'],
    ['<pre>a\n\n  b "c"</pre>', '<pre>a\n\n  b "c"</pre>\n'],
    ['<p>Before</p>\n<!--more-->\n<p>After</p>', '<p>Before</p>\n<p><!--more--></p>\n<p>After</p>\n'],
    [
      '<p onclick="x()">ok</p><script>alert(1)</script><iframe src="http://e.example/"></iframe>',
      '<p onclick="x()">ok</p>\n<p><script>alert(1)</script><iframe src="http://e.example/"></iframe></p>\n',
    ],
    ['<div class="c"><img src="i.png"></div>', '<div class="c"><img src="i.png"></div>\n'],
    // tags behind a sign that begins none
    ['<div>1 < 2</div>after', '<div>1 < 2</div>\n<p>after</p>\n'],
    ['<blockquote>a < b</blockquote>c', '<blockquote><p>a < b</p></blockquote>\n<p>c</p>\n'],
    ['a <<p>b</p>', '<p>a <\n\n<p>b</p>\n'],
    ['a < b<br>\nc', '<p>a < b<br />\nc</p>\n'],
    ['a<!-- <div>b</div> -->c', '<p>a<!-- \n\n<div>b</div>\n\n -->c</p>\n'],
    ['a</pre>b <pre>c</pre>', '<p>ab </p>\n<pre>c</pre>\n'],
    ['a</figcaption>\nb', '<p>a</figcaption>\n<p>b</p>\n'],
    // lines
    ['a\r\nb\r\rc', '<p>a<br />\nb</p>\n<p>c</p>\n'],
    ['a  \n  b', '<p>a<br />\n  b</p>\n'],
    ['a<br>\nb', '<p>a<br />\nb</p>\n'],
    ['a<br/><br />b', '<p>a</p>\n<p>b</p>\n'],
    ['a\n\n\n\n \n\nb', '<p>a</p>\n<p>b</p>\n'],
    [' \n\n ', ''],
    ['', ''],
    // blocks
    ['a<hr />b', '<p>a</p>\n<hr />\n<p>b</p>\n'],
    ['<div>text</div>', '<div>text</div>\n'],
    ['<div>one\n\ntwo</div>', '<div>one</p>\n<p>two</p></div>\n'],
    ['<blockquote>one\n\ntwo</blockquote>', '<blockquote><p>one</p>\n<p>two</p></blockquote>\n'],
    ['<blockquote><p>q</p></blockquote>', '<blockquote>\n<p>q</p>\n</blockquote>\n'],
    ['<ol>\n<li>a\nb</li>\n</ol>', '<ol>\n<li>a<br />\nb</li>\n</ol>\n'],
    ['<table><tr><td>a</td>\n<td>b</td></tr></table>', '<table>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</table>\n'],
    [
      '<figure><img src="x" />\n<figcaption>c</figcaption>\n</figure>',
      '<figure><img src="x" /><figcaption>c</figcaption></figure>\n',
    ],
    ['text <em>a</em>\n<h3>h</h3>\ntext', '<p>text <em>a</em></p>\n<h3>h</h3>\n<p>text</p>\n'],
    ['<video>\n<source src="a">\n</video>', '<p><video><source src="a"></video></p>\n'],
    [
      '<select>\n<option>a</option>\n<option>b</option>\n</select>',
      '<p><select><option>a</option><option>b</option></select></p>\n',
    ],
    // what is never closed takes the last line end
    ['a << b', '<p>a << b\n</p>\n'],
    ['<b\nc', '<p><b\nc\n</p>\n'],
    ['<![CDATA[ a > b\n\nc ]]>\ntext', '<p><![CDATA[ a > b\n\nc ]]><br />\ntext</p>\n'],
    // space is swallowed only where an object is
    ['<iframe></iframe> <embed src="/x">', '<p><iframe></iframe> <embed src="/x"></p>\n'],
    ['<object>\n<param name="a">\n<embed src="/x">\n</object>', '<p><object><param name="a"><embed src="/x"></object></p>\n'],
    // line ends of their own, cut up all the same
    [
      '<script>\nif (a) {\n\n  b("<p>x</p>")\n}\n</script>',
      '<p><script>\nif (a) {</p>\n<p>  b("</p>\n<p>x</p>\n<p>")\n}\n</script></p>\n',
    ],
    ['<textarea>a\n\nb</textarea>', '<p><textarea>a</p>\n<p>b</textarea></p>\n'],
    ['<style>a{}\n\nb{}</style>', '<style>a{}</p>\n<p>b{}</style>\n'],
    ['<script>\na\n</script>\nb\nc', '<p><script>\na\n</script><br />\nb<br />\nc</p>\n'],
    ['<script>\na\nb', '<p><script><br />\na<br />\nb</p>\n'],
    ['a\n<pre>x\r\ny</pre>\nb', '<p>a</p>\n<pre>x\r\ny</pre>\n<p>b</p>\n'],
    ['<a\nhref="x">y</a>', '<p><a\nhref="x">y</a></p>\n'],
    ['<!-- a\n\nb -->', '<p><!-- a\n\nb --></p>\n'],
    ['<pre>open', '<pre>open</p>\n'],
  ])('%j', (from, to) => expect(paragraphs(from)).toBe(to));

  const bits = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\n\n',
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<li>',
    '</li>',
    '<br />',
    '<b>',
    '</b>',
    '<pre>',
    '</pre>',
    '<blockquote>',
    '</blockquote>',
    '<',
    '>',
    '"',
    '<!--',
    '-->',
    '\0',
    '\ud800',
  );

  test('words and inline markup stay in order, and nothing throws', () => {
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const bare = (html: string) => html.replace(/<br \/>|<\/?p>|<\/pre>|[ \t\n\v\f\r]/g, '');
        const body = /^[ \t\n\r\0\v]*$/.test(text) ? '' : text;
        expect([...bare(paragraphs(body))].sort().join('')).toBe([...bare(body)].sort().join(''));
      }),
    );
  });

  test.each(['<', '"', '\n', ' ', '<p>', '<br> ', '<pre>', '<p><li>', 'x\n\n', ' \n', '<!--'])(
    'stays fast on a quarter of a megabyte of %j',
    async (unit) => {
      const text = long(unit);
      expect(await cpuMs(() => paragraphs(text))).toBeLessThan(maxLongMs);
    },
  );
});

test('a lone shortcode gets no paragraph', () => {
  expect(unwrapShortcodes('<p> [gallery /]&nbsp;</p>\n<p>\n[audio]x[/audio] </p>')).toBe('[gallery /]\n[audio]x[/audio]');
  expect(unwrapShortcodes('<p>[gallery ids="1"]</p>\n<p>a [gallery]</p>\n<p>[other]</p>\n')).toBe(
    '[gallery ids="1"]\n<p>a [gallery]</p>\n<p>[other]</p>\n',
  );
});
