/** Footnotes: what is read as one, where notes end up, and what hostile texts cost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterHtml } from '../../src/render/filter.ts';
import { withoutAnchor, withoutNotes } from '../../src/render/footnotes.ts';
import { markdownBlocks, renderMarkdown } from '../../src/render/markdown.ts';
import { cpuMs } from '../support/long-texts.ts';
import '../support/seed.ts';

const plain = (body: string) => renderMarkdown(body, { typography: false });

const mark = (number: number, nth = 1) =>
  `<sup class="footnote-ref"><a href="#fn-${number}" id="fnref-${number}${nth > 1 ? `-${nth}` : ''}" role="doc-noteref">${number}</a></sup>`;
const back = (number: number, nth = 1) =>
  ` <a href="#fnref-${number}${nth > 1 ? `-${nth}` : ''}" class="footnote-backref" role="doc-backlink">\u21a9\ufe0e</a>`;
const notes = (...items: string[]) =>
  `<section class="footnotes" role="doc-endnotes">\n<ol>\n${items
    .map((item, at) => `<li id="fn-${at + 1}">\n${item}</li>\n`)
    .join('')}</ol>\n</section>\n`;

describe('footnotes', () => {
  test.each<[string, string, string]>([
    ['a note', 'a[^1]\n\n[^1]: note', `<p>a${mark(1)}</p>\n${notes(`<p>note${back(1)}</p>\n`)}`],
    [
      'numbers follow the text, not the labels',
      'a[^z] b[^y]\n\n[^y]: Y\n[^z]: Z',
      `<p>a${mark(1)} b${mark(2)}</p>\n${notes(`<p>Z${back(1)}</p>\n`, `<p>Y${back(2)}</p>\n`)}`,
    ],
    [
      'two references to one note',
      'a[^n] b[^n]\n\n[^n]: N',
      `<p>a${mark(1)} b${mark(1, 2)}</p>\n${notes(`<p>N${back(1)}${back(1, 2)}</p>\n`)}`,
    ],
    ['labels in any case', 'a[^Note]\n\n[^nOTE]: N', `<p>a${mark(1)}</p>\n${notes(`<p>N${back(1)}</p>\n`)}`],
    ['of two with one label the first', 'a[^1]\n\n[^1]: A\n\n[^1]: B', `<p>a${mark(1)}</p>\n${notes(`<p>A${back(1)}</p>\n`)}`],
    [
      'several blocks',
      'a[^1]\n\n[^1]: A\n\n    B\n\n        c\n\nd',
      `<p>a${mark(1)}</p>\n<p>d</p>\n${notes(`<p>A</p>\n<p>B</p>\n<pre><code>c\n</code></pre>\n${back(1)}`)}`,
    ],
    [
      'a note in a note',
      'a[^1]\n\n[^2]: B\n[^1]: A[^2]',
      `<p>a${mark(1)}</p>\n${notes(`<p>A${mark(2)}${back(1)}</p>\n`, `<p>B${back(2)}</p>\n`)}`,
    ],
    [
      'one that leads to itself',
      'a[^1]\n\n[^1]: A[^1]',
      `<p>a${mark(1)}</p>\n${notes(`<p>A${mark(1, 2)}${back(1)}${back(1, 2)}</p>\n`)}`,
    ],
    [
      'what no text leads to is not shown',
      'a[^1]\n\n[^1]: A\n[^2]: B[^3]\n[^3]: C',
      `<p>a${mark(1)}</p>\n${notes(`<p>A${back(1)}</p>\n`)}`,
    ],
    ['nothing leads to any', 'a\n\n[^1]: A', '<p>a</p>\n'],
    ['no note, no mark', 'a[^1]', '<p>a[^1]</p>\n'],
    ['in code', '`[^1]` \\[^1]\n\n[^1]: A', '<p><code>[^1]</code> [^1]</p>\n'],
    ['in a picture', '![a[^1]](b.png)\n\n[^1]: A', '<p><img src="b.png" alt="a"></p>\n'],
    ['an address in brackets is a link', 'a[^1](/x)\n\n[^1]: A', '<p>a<a href="/x">^1</a></p>\n'],
    ['inline notes are none', 'a^[b]', '<p>a^[b]</p>\n'],
    [
      'words of objects',
      'a[^constructor] b[^__proto__]\n\n[^__proto__]: P',
      `<p>a[^constructor] b${mark(1)}</p>\n${notes(`<p>P${back(1)}</p>\n`)}`,
    ],
    ['an empty note', 'a[^1]\n\n[^1]:\n\nb', `<p>a${mark(1)}</p>\n<p>b</p>\n${notes(back(1))}`],
    [
      'in cells and headings',
      '# a[^1]\n\n| b[^1] |\n|---|\n\n[^1]: A',
      `<h1>a${mark(1)}</h1>\n<table>\n<thead>\n<tr>\n<th>b${mark(1, 2)}</th>\n</tr>\n</thead>\n</table>\n${notes(`<p>A${back(1)}${back(1, 2)}</p>\n`)}`,
    ],
    [
      'in lists and quotes',
      '- a[^1]\n\n  [^1]: A\n\n> b[^2]\n>\n> [^2]: B',
      `<ul>\n<li>\n<p>a${mark(1)}</p>\n</li>\n</ul>\n<blockquote>\n<p>b${mark(2)}</p>\n</blockquote>\n${notes(`<p>A${back(1)}</p>\n`, `<p>B${back(2)}</p>\n`)}`,
    ],
  ])('%s', (_, body, html) => expect(plain(body)).toBe(html));

  test('have the ids of their text', () => {
    const [seven, eight, remark] = [{ postId: 7 }, { postId: 8 }, { postId: 7, anchor: 'c3' }].map((of) =>
      renderMarkdown('a[^1] b[^1]\n\n[^1]: A', { typography: false, ...of }),
    );
    expect(seven).toContain('<a href="#fn-7-1" id="fnref-7-1-2"');
    expect(remark).toContain('<li id="fn-c3-1">');
    const ids = [seven, eight, remark].flatMap((html = '') => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(withoutAnchor(seven ?? '')).toBe(plain('a[^1] b[^1]\n\n[^1]: A'));
  });

  test('of authors without unfiltered_html are unchanged', () => {
    const html = plain('a[^1] b[^1]\n\n# c {#d .e}\n\n> [!NOTE]\n> f\n\ng\n: h\n\n| i |\n|:-:|\n\n[^1]: A');
    expect(filterHtml(html, 'post')).toBe(html);
    expect(renderMarkdown('a[^1]\n\n[^1]: A', { typography: false, filtered: true })).toBe(plain('a[^1]\n\n[^1]: A'));
  });

  test('do not change a text without them', () => {
    expect(withoutNotes(plain('a[^1] b[^1]\n\n[^1]: A'))).toBe('<p>a b</p>\n');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '[^1]', '[^2]', '\n\n', '[^1]: b', ' *c* ', '\n'), { maxLength: 20 }),
        (parts) => {
          const html = withoutNotes(plain(parts.join('')));
          expect(html).not.toMatch(/footnote|doc-/);
        },
      ),
    );
  });

  test('report blocks in text order, with the notes they show', () => {
    const { blocks, notes: found } = markdownBlocks('[^1]: A\n\nb[^1]\n\n[^2]: C');
    expect(blocks.map(({ content, lines }) => [content, lines[0]])).toEqual([
      ['A', 0],
      ['b[^1]', 2],
    ]);
    expect(Array.from(found, ([label, { number }]) => [label, number])).toEqual([
      ['1', 1],
      ['2', 0],
    ]);
  });

  test.each<[string, string]>([
    ['references to one note', '[^1]: a\n\n#'.replace('#', '[^1]'.repeat(25_000))],
    ['definitions in a line', '[^a]: '.repeat(17_000)],
    ['definitions in lines', '[^a]: b\n'.repeat(13_000)],
    ['many notes', Array.from({ length: 7_000 }, (_, n) => `[^${n}]: b\n\n[^${n}]\n\n`).join('')],
    ['notes of notes', `[^0]\n\n${Array.from({ length: 7_000 }, (_, n) => `[^${n}]: [^${n + 1}]\n\n`).join('')}`],
    ['labels without an end', `[^1]: a\n\n${'[^'.repeat(50_000)}`],
    ['labels without an end, far apart', `[^1]: a\n\n${`[^${'a'.repeat(300)}`.repeat(330)}`],
    ['notes in quotes', '> [^a]: '.repeat(12_000)],
    ['nested notes', Array.from({ length: 440 }, (_, n) => `${'    '.repeat(n % 60)}[^${n}]: a[^${n + 1}]\n\n`).join('')],
  ])('stay fast on 100 kB of %s', async (_, text) => {
    expect(await cpuMs(() => renderMarkdown(text, { typography: true }))).toBeLessThan(3000);
  });
});
