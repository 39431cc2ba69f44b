import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { cpuMs } from '../support/long-texts.ts';

const plain = (body: string) => renderMarkdown(body, { typography: false });

describe('titles of alerts', () => {
  const titleIn = (language: string | undefined, kind = 'NOTE') =>
    /alert-title">([^<]*)</.exec(
      renderMarkdown(`> [!${kind}]\n> a`, { typography: false, ...(language === undefined ? {} : { language }) }),
    )?.[1];

  test.each([
    [undefined, 'Note'],
    ['en_GB', 'Note'],
    ['de', 'Hinweis'],
    ['de_AT', 'Hinweis'],
    ['pt-br', 'Nota'],
    ['fr_FR', 'Remarque'],
    ['ja', 'Note'],
    ['', 'Note'],
    ['constructor', 'Note'],
  ])('in %j', (language, expected) => {
    expect(titleIn(language)).toBe(expected);
  });

  test('of every kind', () => {
    const kinds = ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'];
    expect(kinds.map((kind) => titleIn('de_DE', kind))).toEqual(['Hinweis', 'Tipp', 'Wichtig', 'Warnung', 'Vorsicht']);
  });
});

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
    ['## Parts {#parts}', '<h2 id="parts">Parts</h2>\n'],
    ['## Teile {#größe-2 .wide .x} ##', '<h2 id="größe-2" class="wide x">Teile</h2>\n'],
    ['Parts {#a_b_c}\n---', '<h2 id="a_b_c">Parts</h2>\n'],
    ['# **a** {#b}', '<h1 id="b"><strong>a</strong></h1>\n'],
    ['# a \\{#b}', '<h1>a {#b}</h1>\n'],
    ['# a `{#b}`', '<h1>a <code>{#b}</code></h1>\n'],
    ['# {#b}', '<h1>{#b}</h1>\n'],
    ['# a {#b"c}', '<h1>a {#b"c}</h1>\n'],
    ['a {#b}', '<p>a {#b}</p>\n'],
    ['Term\n: *what* it is\n: or else', '<dl>\n<dt>Term</dt>\n<dd><em>what</em> it is</dd>\n<dd>or else</dd>\n</dl>\n'],
    [
      'Term\n\n: what\n\n  more\n\nOther\n: that',
      '<dl>\n<dt>Term</dt>\n<dd>\n<p>what</p>\n<p>more</p>\n</dd>\n<dt>Other</dt>\n<dd>that</dd>\n</dl>\n',
    ],
    ['a\n:b', '<p>a\n:b</p>\n'],
    [
      '> [!NOTE]\n> a *b*\n> c\n>\n> - d',
      '<div class="markdown-alert markdown-alert-note">\n<p class="markdown-alert-title">Note</p>\n<p>a <em>b</em>\nc</p>\n<ul>\n<li>d</li>\n</ul>\n</div>\n',
    ],
    [
      '> [!warning]\n>\n> a\n> > b',
      '<div class="markdown-alert markdown-alert-warning">\n<p class="markdown-alert-title">Warning</p>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</div>\n',
    ],
    [
      '> a\n>\n> > [!TIP]\n> > b',
      '<blockquote>\n<p>a</p>\n<div class="markdown-alert markdown-alert-tip">\n<p class="markdown-alert-title">Tip</p>\n<p>b</p>\n</div>\n</blockquote>\n',
    ],
    ['> [!NOTE]', '<blockquote>\n<p>[!NOTE]</p>\n</blockquote>\n'],
    ['> [!NOTE] a\n> b', '<blockquote>\n<p>[!NOTE] a\nb</p>\n</blockquote>\n'],
    ['> [!INFO]\n> b', '<blockquote>\n<p>[!INFO]\nb</p>\n</blockquote>\n'],
    ['> [!constructor]\n> b', '<blockquote>\n<p>[!constructor]\nb</p>\n</blockquote>\n'],
    ['[!NOTE]\na', '<p>[!NOTE]\na</p>\n'],
    [
      '| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
      '<table>\n<thead>\n<tr>\n<th style="text-align:left">a</th>\n<th style="text-align:center">b</th>\n<th style="text-align:right">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align:left">1</td>\n<td style="text-align:center">2</td>\n<td style="text-align:right">3</td>\n</tr>\n</tbody>\n</table>\n',
    ],
  ])('%j', (body, html) => expect(plain(body)).toBe(html));

  test('uses the same typography as other content', () => {
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
    ': x',
    ': x\n',
    'a\n: ',
    'a\n: b\n\n',
    '> [!NOTE]\n',
    '> [!NOTE]\n> a\n\n',
    '# a {#',
    '# a {#b}\n',
    '{#',
  ])('stays fast on 100 kB of %j', async (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    expect(await cpuMs(() => renderMarkdown(text, { typography: true }))).toBeLessThan(10_000);
  });
});

test('lines of a paragraph are joined where readers would break them, and nowhere else', () => {
  const text = 'a\nb  \nc\n\n```\nd\ne\n```\n\n- f\n  g';
  expect(renderMarkdown(text, { typography: false, joinsLines: true })).toBe(
    '<p>a b<br>\nc</p>\n<pre><code>d\ne\n</code></pre>\n<ul>\n<li>f g</li>\n</ul>\n',
  );
  expect(renderMarkdown(text, { typography: false })).toContain('<p>a\nb');
});
