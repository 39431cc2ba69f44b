import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFlatYaml } from '../../../src/kernel/yaml/fast.ts';
import { parseYaml } from '../../../src/kernel/yaml/parse.ts';
import { printMap } from '../../../src/kernel/yaml/print.ts';
import { anyMap } from '../store/generators.ts';

const usual = `id: 12
title: Hello, world (again)
date: 2026-03-05T10:00:00 # site time
# a comment
author: 'anna'
quoted: "x y"
single: 'it''s a \\ "sign"'
empty:
sticky: false

categories:
  - news
  - "two words"
  - 42
tags: [a, b-c, 'd e', 7]
none: []
zero:
- x
- -3
emoji: 😀 yes
url: https://example.com/a?b=c#d
last: ~
`;

const nested = `id: 20
locations:
  - primary
items:
  - page: about
    id: 30

    items:
      - page: about/team
        classes: [a, b]
# a comment
        # another
      - page: 'about/history'
        items:
        - url: https://example.com/x
  -   title: Three blanks
      meta:
          a: 1
          b:
            - x
      empty:
  - url: https://example.com/#y
last: 1
`;

it('parses nested maps and lists', () => {
  for (const text of [nested, nested.replaceAll('\n', '\r\n'), nested.trimEnd()]) {
    expect(parseFlatYaml(text)).toEqual(parseYaml(text));
    expect(parseFlatYaml(text)?.items).toEqual([
      {
        page: 'about',
        id: 30,
        items: [
          { page: 'about/team', classes: ['a', 'b'] },
          { page: 'about/history', items: [{ url: 'https://example.com/x' }] },
        ],
      },
      { title: 'Three blanks', meta: { a: 1, b: ['x'] }, empty: null },
      { url: 'https://example.com/#y' },
    ]);
  }
});

it('supports the nesting depth of the full parser, and no more', () => {
  const deep = (levels: number): string =>
    Array.from({ length: levels }, (_, at) => `${'  '.repeat(at)}items:\n${'  '.repeat(at)}- id: ${at}\n`).join('');
  expect(parseFlatYaml(deep(50))).toEqual(parseYaml(deep(50)));
  expect(parseFlatYaml(deep(50))).toBeDefined();
  expect(parseFlatYaml(deep(60))).toBeUndefined();
});

it('parses typical front matter', () => {
  for (const text of [usual, usual.replaceAll('\n', '\r\n'), usual.trimEnd()]) {
    expect(parseFlatYaml(text)).toEqual(parseYaml(text));
    expect(parseFlatYaml(text)).toMatchObject({
      id: 12,
      sticky: false,
      empty: null,
      categories: ['news', 'two words', 42],
      none: [],
      zero: ['x', -3],
      last: '~',
    });
  }
});

it.each([
  'a: b: c',
  'a: b\n c',
  'a: *x',
  'a: |\n  b',
  '? a',
  'a:\n  b: 1\n c: 2',
  'a:\n  b: 1\n    c: 2',
  'a:\n  b: c\n   d',
  'a:\n  - b: 1\n   c: 2',
  'a:\n  - b: 1\n - c: 2',
  'a:\n  - - b',
  'a:\n  b: 1\n  b: 2',
  'a:\n  __proto__: 1',
  ' a: 1',
  'a: 1\na: 2',
  "a: 'it's'",
  'a: "\\n"',
  'a: {b: 1}',
  '- a',
  'text',
  'a: [b, [c]]',
  'a:\tb',
  '%YAML 1.2',
  '__proto__: 1',
  'a: !!str 1',
  '...',
  'a: b\n...',
  'a: [b,]',
  'a:\n  - b\n - c',
  'a:\n  - b\n  c',
  'a: >',
  'a: ...',
])('leaves %j to the full parser', (text) => expect(parseFlatYaml(text)).toBeUndefined());

const pieces = [
  'a',
  'b:',
  'key: ',
  'title: x',
  '\n',
  '\n',
  '\n  ',
  '- ',
  '  - ',
  '-',
  ': ',
  ':',
  ' #',
  '#',
  "'",
  '"',
  '[',
  ']',
  ', ',
  ',',
  '{',
  '}',
  '&x ',
  '*x',
  '!t ',
  '|',
  '>',
  '%',
  '@',
  '`',
  '~',
  '?',
  '? ',
  '...',
  '---',
  '\t',
  ' ',
  '  ',
  '1',
  '-3',
  '007',
  'true',
  '\r\n',
  '\r',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  '😀',
  '<<: ',
  '=',
  '\\',
];

/** Equal to the full parser wherever it answers at all. */
function agree(text: string): void {
  const flat = parseFlatYaml(text);
  if (flat !== undefined) expect(flat).toEqual(parseYaml(text));
}

it('agrees with the full parser on generated documents', () => {
  fc.assert(
    fc.property(anyMap, (map) => agree(printMap(map).join('\n'))),
    { numRuns: 1000 },
  );
});

it('agrees with the full parser on damaged documents', () => {
  const damage = fc.array(fc.record({ at: fc.nat(usual.length), cut: fc.nat(3), put: fc.constantFrom(...pieces, '') }), {
    minLength: 1,
    maxLength: 4,
  });
  const lines = usual.split('\n');
  const whole = nested.split('\n');
  fc.assert(
    fc.property(fc.oneof(fc.shuffledSubarray(lines), fc.subarray(whole), fc.shuffledSubarray(whole)), damage, (some, changes) => {
      let text = some.join('\n');
      for (const { at, cut, put } of changes) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + put + text.slice(place + cut);
      }
      agree(text);
    }),
    { numRuns: 6000 },
  );
});

it('agrees with the full parser on strings of syntax', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => agree(parts.join(''))),
    { numRuns: 15000 },
  );
});
