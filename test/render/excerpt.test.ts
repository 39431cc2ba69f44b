import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstWords, renderExcerpt } from '../../src/render/excerpt.ts';
import { renderBeginning, renderMarkdown } from '../../src/render/markdown.ts';
import '../support/seed.ts';
import { someMarkdown } from './some-markdown.ts';

const options = { smilies: true, typography: true };
const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at + 1}`).join(' ');

describe('a generated excerpt', () => {
  test.each([
    // recorded
    ['First line\nsecond line\n\nNext paragraph', '<p>First line second line Next paragraph</p>\n'],
    ['<ul>\n<li>One</li>\n<li>Two</li>\n</ul>', '<p>One Two</p>\n'],
    ['<h2>Head</h2>\nText below', '<p>Head Text below</p>\n'],
    ['<pre>a\n\n  b "c"</pre>', '<p>a b &#8220;c&#8221;</p>\n'],
    ['<p>Before</p>\n<!--more-->\n<p>After</p>', '<p>Before</p>\n'],
    [`<p>${words(70)}</p>`, `<p>${words(55)} [&hellip;]</p>\n`],
    ['<p>a &lt; b & c &amp; d &copy; 5 x 4</p>', '<p>a &lt; b &#038; c &amp; d &copy; 5 x 4</p>\n'],
    ['<p onclick="x()">ok</p><script>alert(1)</script><iframe src="http://e.example/"></iframe>', '<p>ok</p>\n'],
    ['<div><img src="x" alt="i"></div>', ''],
    ['', ''],
    // pages, hidden blocks, declarations
    ['page one<!--nextpage-->page two', '<p>page one</p>\n'],
    ['<!--nextpage-->one<!--nextpage-->two', '<p>one</p>\n'],
    [
      '<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --><!-- wp:nextpage --><!--nextpage--><!-- /wp:nextpage --><!-- wp:paragraph --><p>B</p><!-- /wp:paragraph -->',
      '<p>A</p>\n',
    ],
    [
      '<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>no</p><!-- /wp:paragraph --><!-- wp:paragraph --><p>yes</p><!-- /wp:paragraph -->',
      '<p>yes</p>\n',
    ],
    ['<![CDATA[ x ]]>\ntext', '<p>text</p>\n'],
    ['[[caption width="3"]x[/caption]] [[gallery]]', '<p>x</p>\n'],
    // more tag, shortcodes, footnotes
    ['<p>Before <b>bold<!--more Read on--> it</b></p>', '<p>Before bold</p>\n'],
    ['a [caption width="1"]<img src="x" /> c[/caption] b [gallery] c [other]', '<p>a  b  c [other]</p>\n'.replace(/ {2}/g, ' ')],
    ['a<sup data-fn="1" class="fn"><a href="#1" id="1-link">1</a></sup> b', '<p>a b</p>\n'],
    // blocks
    [
      '<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --><!-- wp:code --><pre>no</pre><!-- /wp:code -->\n\nloose',
      '<p>A</p>\n'.replace('A', 'A loose'),
    ],
    [
      '<!-- wp:group --><div><!-- wp:heading --><h2>H</h2><!-- /wp:heading --><!-- wp:embed -->no<!-- /wp:embed --></div><!-- /wp:group -->',
      '<p>H</p>\n',
    ],
    [
      '<!-- wp:group --><div><!-- wp:quote --><blockquote><!-- wp:paragraph --><p>Said</p><!-- /wp:paragraph --><cite>Who</cite></blockquote><!-- /wp:quote --></div><!-- /wp:group -->',
      '<p>Said</p>\n',
    ],
    [
      '<!-- wp:group --><div><!-- wp:quote --><blockquote><!-- wp:quote --><!-- wp:paragraph --><p>Deep</p><!-- /wp:paragraph --><!-- /wp:quote --></blockquote><!-- /wp:quote --></div><!-- /wp:group -->',
      '<p>Deep</p>\n',
    ],
    [
      '<!-- wp:quote --><blockquote><!-- wp:paragraph --><p>Q</p><!-- /wp:paragraph --></blockquote><!-- /wp:quote -->',
      '<p>Q</p>\n',
    ],
    ['<!-- wp:list --><ul><!-- wp:embed -->no<!-- /wp:embed --></ul><!-- /wp:list -->', ''],
    [
      '<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --><!-- wp:more --><!--more--><!-- /wp:more --><!-- wp:paragraph --><p>B</p><!-- /wp:paragraph -->',
      '<p>A</p>\n',
    ],
  ])('%j', (raw, html) => expect(renderExcerpt({ excerpt: '', raw, kind: 'html', options })).toBe(html));

  test.each([
    [3, '<p>one two three [&hellip;]</p>\n'],
    [6, '<p>one two three four five six</p>\n'],
    [0, '<p> [&hellip;]</p>\n'],
  ])('has %d words', (count, html) => {
    expect(renderExcerpt({ excerpt: '', raw: '<p>one two three four five six</p>', kind: 'html', words: count, options })).toBe(
      html,
    );
  });

  test('works for Markdown', () => {
    const raw = '# Head\n\n*One* "two"\n\n<!--more-->\n\nthree';
    expect(renderExcerpt({ excerpt: '', raw, kind: 'md', options })).toBe('<p>Head One &#8220;two&#8221;</p>\n');
  });

  test.each([
    ['one[^1] two\n\n[^1]: three', '<p>one two</p>\n'],
    ['## One {#a}\n\n> [!NOTE]\n> two\n\nthree\n: four', '<p>One two three four</p>\n'],
  ])('omits footnote marks and notes: %j', (raw, html) => {
    expect(renderExcerpt({ excerpt: '', raw, kind: 'md', options })).toBe(html);
  });

  test('is the same from the first blocks of Markdown as from all of them', () => {
    let begun = 0;
    fc.assert(
      fc.property(someMarkdown, fc.integer({ min: 1, max: 60 }), (raw, count) => {
        const source = { excerpt: '', raw, kind: 'md', words: count, options } as const;
        const rendered = () => renderMarkdown(raw, options);
        expect(renderExcerpt(source)).toBe(renderExcerpt({ ...source, rendered, isRendered: true }));
        const beginning = renderBeginning(raw, options, count * 16);
        if (beginning === null) return;
        expect(rendered().startsWith(beginning)).toBe(true);
        begun++;
      }),
      { numRuns: 100 },
    );
    expect(begun).toBeGreaterThan(20);
  });

  test('handles deep nesting', () => {
    expect(() => renderExcerpt({ excerpt: '', raw: '<!-- wp:group -->'.repeat(50_000), kind: 'html', options })).not.toThrow();
  });
});

describe('a given excerpt', () => {
  test.each([
    ['Short "one" & two', '<p>Short &#8220;one&#8221; &#038; two</p>\n'],
    ['<p>Short words.</p>', '<p>Short words.</p>\n'],
    ['given\n\nin two :)', '<p>given</p>\n<p>in two 🙂</p>\n'],
  ])('%j', (excerpt, html) => expect(renderExcerpt({ excerpt, raw: '<p>x</p>', kind: 'html', options })).toBe(html));

  test('of white space is ignored', () =>
    expect(renderExcerpt({ excerpt: ' \n', raw: 'x', kind: 'html', options })).toBe('<p>x</p>\n'));
});

test('firstWords', () =>
  expect([firstWords(' a\n b\tc ', 2), firstWords('a b', 2), firstWords('', 2)]).toEqual(['a b [&hellip;]', 'a b', '']));
