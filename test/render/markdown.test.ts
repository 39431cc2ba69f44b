import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { cpuMs } from '../support/long-texts.ts';

const plain = (body: string) => renderMarkdown(body, { typography: false });

describe('renderMarkdown', () => {
  test.each([
    ['# Head\n\nText', '<h1>Head</h1>\n<p>Text</p>\n'],
    ['a **b** *c* `d` ~~e~~', '<p>a <strong>b</strong> <em>c</em> <code>d</code> <s>e</s></p>\n'],
    [
      '| a |\n|---|\n| b |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    [
      '- [ ] a\n- [x] b',
      '<ul>\n<li><input type="checkbox" disabled="" /> a</li>\n<li><input type="checkbox" checked="" disabled="" /> b</li>\n</ul>\n',
    ],
    ['- [ ]a', '<ul>\n<li>[ ]a</li>\n</ul>\n'],
    [
      'https://x.example/a and <https://y.example>',
      '<p><a href="https://x.example/a">https://x.example/a</a> and <a href="https://y.example">https://y.example</a></p>\n',
    ],
    [
      'www.x.example/a?b. me@x.example',
      '<p><a href="http://www.x.example/a?b">www.x.example/a?b</a>. <a href="mailto:me@x.example">me@x.example</a></p>\n',
    ],
    ['see readme.md', '<p>see readme.md</p>\n'],
    ['<div class="x">\n\n*a*\n\n</div>\n', '<div class="x">\n<p><em>a</em></p>\n</div>\n'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>\n'],
    ['"a" & <b>', '<p>"a" &amp; <b></p>\n'],
    ['![a](b.png "c")', '<p><img src="b.png" alt="a" title="c"></p>\n'],
    ['', ''],
  ])('%j', (body, html) => expect(plain(body)).toBe(html));

  test('has the same typography as everything else', () => {
    expect(renderMarkdown(`It's "a" -- *b*... \`"c"\``, { typography: true })).toBe(
      '<p>It&#8217;s &#8220;a&#8221; &#8212; <em>b</em>&#8230; <code>&quot;c&quot;</code></p>\n',
    );
  });

  test.each([
    '[',
    '![',
    '](',
    '*a ',
    '**a *b ',
    '_',
    '`',
    '> ',
    '- ',
    '<',
    '~~',
    '[a](',
    '|',
    '&',
    '"',
    'http://a/(',
    '\0',
    '\ud800',
  ])('stays fast on 100 kB of %j', async (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    expect(await cpuMs(() => renderMarkdown(text, { typography: true }))).toBeLessThan(10_000);
  });
});

test('lines of a paragraph are joined for readers that would break at each, and nowhere else', () => {
  const text = 'a\nb  \nc\n\n```\nd\ne\n```\n\n- f\n  g';
  expect(renderMarkdown(text, { typography: false, joinsLines: true })).toBe(
    '<p>a b<br>\nc</p>\n<pre><code>d\ne\n</code></pre>\n<ul>\n<li>f g</li>\n</ul>\n',
  );
  expect(renderMarkdown(text, { typography: false })).toContain('<p>a\nb');
});
