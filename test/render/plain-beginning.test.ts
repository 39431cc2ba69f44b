/**
 * Texts of which the beginning is read without a parser: it must be the one that the parser finds, or none.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderExcerpt } from '../../src/render/excerpt.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { plainBeginning } from '../../src/render/plain-beginning.ts';
import '../support/seed.ts';

const options = { smilies: true, typography: true };

/** By the parser, whatever stands there. */
function byParser(raw: string, words: number, typography: boolean): string {
  const of = { ...options, typography };
  return renderExcerpt({
    excerpt: '',
    raw,
    kind: 'md',
    words,
    options: of,
    rendered: () => renderMarkdown(raw, of),
    isRendered: true,
  });
}

describe('without a parser', () => {
  test.each([
    ['One *two* three.\nFour, **five.** Six', 'One two three.\nFour, five. Six\n'],
    ['# Head, and more\n\n\n- one\n- two 3\n\n> three\n> four\n', 'Head, and more\none\ntwo 3\nthree\nfour\n'],
    [
      'See [the "label"](https://example.com/a_b?c=1&d) (_here_), it\'s -- so...',
      'See the &#8220;label&#8221; (here), it&#8217;s &#8212; so&#8230;\n',
    ],
    ['Äpfel – „Birnen“ €5', 'Äpfel – „Birnen“ €5\n'],
    ['', ''],
  ])('%j', (body, text) => expect(plainBeginning(body, 100, true)).toBe(text));

  test('reads no more than requested', () => {
    expect(plainBeginning('one two\n\nthree\n\n<div>four</div>', 2, true)).toBe('one two\nthree\n');
    expect(plainBeginning('one two\n\nthree\n\n<div>four</div>', 3, true)).toBe(null);
  });
});

describe('with a parser', () => {
  test.each([
    'a\n---',
    'a\n===',
    '1. one',
    '10) ten',
    '- [x] done',
    '- one\n  two',
    '- one\n\n  two',
    '    code',
    '\tcode',
    'a | b\n--|--\nc | d',
    '![alt](/a.png)',
    'a [by label][one]',
    '[one]: https://example.com/',
    'https://example.com/',
    'www.example.com',
    'WWW.example.com',
    'me@example.com',
    'a `code`',
    'a &amp; b',
    'a \\* b',
    'a <b>c</b>',
    '<!--more-->',
    '~~gone~~',
    '***both***',
    '**a *b* c**',
    'snake_case_word',
    'in*tra*word',
    '** a **',
    '**a',
    'hard  \nbreak',
    'no\u00a0break',
    'soft\u00adhyphen',
    'carriage\r\nreturn',
    '# Head #',
    '# Head\nText',
    '> quote\nlazy',
    '> # quoted head',
    '[gallery ids="1"]',
    '[x](javascript:no)',
    '[x](/a "title")',
    '# Head {#id}',
    'note[^1]',
    '[^1]: note',
    'term\n: what',
    '> [!NOTE]\n> text',
  ])('%j', (body) => expect(plainBeginning(body, 100, true)).toBe(null));
});

/** What has no other meaning, where it stands well. */
const plainWords =
  "one two Three, four. it's \"quoted\" 'single' so... a-b -- --- - x9 3x4 6' 7\" (tm) :) ;-) \"a #3 Äpfel 日本語 🙂 – “a” 'tis '99";
const marks = '*soft* **bold** **Bold.** _so_ **bold**, (*so*) [label](/to) [label](https://a.de/x_y*z)';
const risky = [
  ...'8) :lol: a 1. 2) * _ ** [ ] ! \\ < > & @ | ~ ` = + / *so*! **a b** **a**b a_b_c ***x*** [one] [a][one] ![a](/b.png) [a](b)'.split(
    ' ',
  ),
  ...[
    'www.a.de',
    'http://a.de',
    'a@b.de',
    '&amp;',
    '<b>',
    '</b>',
    '<!--more-->',
    '[gallery]',
    '\u00a0',
    '  ',
    '\t',
    '*c "b* d"',
    '[c "b](/x) d"',
    '[^1]',
    '{#id}',
    '{#id}\n\n',
  ],
];

test('the excerpt is the same either way', () => {
  const word = fc.oneof(
    { weight: 120, arbitrary: fc.constantFrom(...plainWords.split(' ')) },
    { weight: 12, arbitrary: fc.constantFrom(...marks.split(' ')) },
    { weight: 1, arbitrary: fc.constantFrom(...risky) },
  );
  const line = fc
    .tuple(
      fc.constantFrom(
        ...['', '', '', '', '', '', '', '', '', '# ', '## ', '- ', '- ', '* ', '> ', '> '],
        ...['1. ', '  ', '> > ', '-', '+ ', '| ', ': ', '[^1]: ', '> [!NOTE]\n> '],
      ),
      fc.array(word, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...Array<string>(30).fill(''), ' ', '  ', '\\', ' #', '\r'),
    )
    .map(([start, words, end]) => start + words.join(' ') + end);
  const between = fc.constantFrom(...Array<string>(16).fill('\n\n'), '\n', '\n', '\n\n\n', '\n \n', '\n---\n');
  const body = fc.array(fc.tuple(line, between), { maxLength: 6 }).map((lines) => lines.flat().join(''));
  let read = 0;
  fc.assert(
    fc.property(body, fc.integer({ min: 0, max: 20 }), fc.boolean(), (raw, words, typography) => {
      const given = { excerpt: '', raw, kind: 'md', words, options: { ...options, typography } } as const;
      expect(renderExcerpt(given)).toBe(byParser(raw, words, typography));
      if (raw !== '' && plainBeginning(raw, words, typography) !== null) read++;
    }),
    { numRuns: 600 },
  );
  expect(read).toBeGreaterThan(60);
});
