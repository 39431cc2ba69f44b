import { describe, expect, test } from 'vitest';
import { decodeEntities, namedEntities, plainText, trimSpace, withoutParts, withoutTags } from '../../src/render/text.ts';
import { escapeHtml, escapeOnce } from '../../src/kernel/model/escape.ts';
import { dropElements, stripTags } from '../../src/kernel/model/tags.ts';

describe('text', () => {
  test.each([
    ['<p>a <b title="x > y">b</b></p>', 'a b'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['a<!-- > -->b', 'ab'],
    ['a<?php echo 1 > 2 ?>b', 'ab'],
    ['a<b', 'a'],
    ['a <', 'a '],
    ['a<b <c> d>e', 'ae'],
    ["it's", "it's"],
    ['a<b <!-- c --> d> e > f', 'a d e > f'],
    ['a<!-->b', 'ab'],
    ['a<b "x<!-- y --> c', 'a'],
    ['a<!DOCTYPE html>b <?xml version="1.0"?>c', 'ab c'],
    ['a<3 b <i>c</i>d', 'a'],
  ])('stripTags %j', (html, text) => expect(stripTags(html)).toBe(text));

  test.each([
    [' <p>a</p><script>var b</script><STYLE x>c{}</style> ', 'a'],
    ['a<script>b', 'ab'],
    ['<script>1</script>a<script>2</script>b', 'ab'],
    ['\u00a0a\u00a0', '\u00a0a\u00a0'],
  ])('plainText %j', (html, text) => expect(plainText(html)).toBe(text));

  test.each([
    ['&lt;b&gt; &amp; &#8217;&#x1F600; &euml;', '<b> & ’😀 ë'],
    ['&nope; &amp &#xD800; &#0; &', '&nope; &amp &#xD800; &#0; &'],
    ['&Alpha;&omega;&sup2;&diams;&yuml;', 'Αω²♦ÿ'],
  ])('decodeEntities %j', (from, to) => expect(decodeEntities(from)).toBe(to));

  test('HTML 4 has 252 named entities', () => expect(namedEntities.size).toBe(253));

  test('escaping', () => {
    expect(escapeHtml(`<a href="x">'&amp;'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#039;&amp;amp;&#039;&lt;/a&gt;');
    expect(escapeOnce(`"&amp;" & '&#38;' <`)).toBe('&quot;&amp;&quot; &amp; &#039;&#38;&#039; &lt;');
  });

  test('trimSpace', () => expect(trimSpace('\n\t a b \0 ')).toBe('a b'));

  test('dropElements', () => expect(dropElements('a<pre x>1</pre>b<pre>2', ['pre'])).toBe('ab<pre>2'));

  test('withoutTags', () => {
    expect(withoutTags('a<b title="x">c</b\n>d <<e> > f < g')).toBe('acd  > f < g');
    expect(withoutParts('a<!-->b-->c<!--d', '<!--', '-->', ' ')).toBe('a c<!--d');
  });
});
