import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editYaml } from '../../../src/kernel/yaml/edit.ts';
import { parseYaml } from '../../../src/kernel/yaml/parse.ts';
import { plain } from '../../../src/kernel/model/plain.ts';
import { isSame, printMap, toStored } from '../../../src/kernel/yaml/print.ts';
import { anyText, anyValue } from '../store/generators.ts';

const source = `# The head comment
title:   Hello  # shown in lists
date: 2026-03-01
# about the tags
tags: # two of them
  - a # first
  # between
  - b

# about the text
text: |  # literal
  one
  two

"q k": "quoted"
folded: word
  more words # end
empty:
noted: # nothing yet
seo:
  # the title of the page
  title: T # short
  robots: noindex
  # below seo
flow: [a,
  b] # list
zero:
- x
- y
last: 'it''s'
`;

interface Row {
  readonly name: string;
  readonly changes: Record<string, unknown>;
  readonly order?: readonly string[];
  /** Lines of the source that go, and lines that come in their place. */
  readonly minus: string;
  readonly plus: string;
}

const rows: readonly Row[] = [
  { name: 'nothing', changes: {}, minus: '', plus: '' },
  { name: 'equal values', changes: { title: 'Hello', tags: ['a', 'b'], empty: null, last: "it's" }, minus: '', plus: '' },
  {
    name: 'a plain scalar keeps its comment and gap',
    changes: { title: 'New' },
    minus: 'title:   Hello  # shown in lists\n',
    plus: 'title:   New  # shown in lists\n',
  },
  {
    name: 'a date stays plain',
    changes: { date: plain('2026-04-02T10:00:00') },
    minus: 'date: 2026-03-01\n',
    plus: 'date: 2026-04-02T10:00:00\n',
  },
  {
    name: 'a scalar becomes a list',
    changes: { title: ['a'] },
    minus: 'title:   Hello  # shown in lists\n',
    plus: 'title:  # shown in lists\n  - a\n',
  },
  { name: 'an item appended', changes: { tags: ['a', 'b', 'c'] }, minus: '  - b\n', plus: '  - b\n  - c\n' },
  { name: 'an item in front', changes: { tags: ['0', 'a', 'b'] }, minus: '  - a # first\n', plus: "  - '0'\n  - a # first\n" },
  { name: 'an item removed', changes: { tags: ['b'] }, minus: '  - a # first\n', plus: '' },
  {
    name: 'a list emptied',
    changes: { tags: [] },
    minus: 'tags: # two of them\n  - a # first\n  # between\n  - b\n',
    plus: 'tags: [] # two of them\n',
  },
  {
    name: 'block text',
    changes: { text: 'three\n' },
    minus: 'text: |  # literal\n  one\n  two\n',
    plus: 'text: |  # literal\n  three\n',
  },
  {
    name: 'block text to a word',
    changes: { text: 'w' },
    minus: 'text: |  # literal\n  one\n  two\n',
    plus: 'text: w  # literal\n',
  },
  { name: 'a quoted key', changes: { 'q k': 'no' }, minus: '"q k": "quoted"\n', plus: '"q k": "no"\n' },
  {
    name: 'folded text',
    changes: { folded: 'short' },
    minus: 'folded: word\n  more words # end\n',
    plus: 'folded: short # end\n',
  },
  { name: 'an empty value filled', changes: { empty: 5 }, minus: 'empty:\n', plus: 'empty: 5\n' },
  {
    name: 'an empty value with a comment',
    changes: { noted: 'x' },
    minus: 'noted: # nothing yet\n',
    plus: 'noted: x # nothing yet\n',
  },
  {
    name: 'inside a map',
    changes: { seo: { title: 'U', robots: 'noindex' } },
    minus: '  title: T # short\n',
    plus: '  title: U # short\n',
  },
  {
    name: 'a key added to a map',
    changes: { seo: { title: 'T', robots: 'noindex', image: 3 } },
    minus: '  robots: noindex\n',
    plus: '  robots: noindex\n  image: 3\n',
  },
  {
    name: 'a key removed from a map',
    changes: { seo: { title: 'T' } },
    minus: '  robots: noindex\n  # below seo\n',
    plus: '  # below seo\n',
  },
  { name: 'a flow list', changes: { flow: ['c'] }, minus: 'flow: [a,\n  b] # list\n', plus: 'flow: [c] # list\n' },
  { name: 'an unindented list keeps its indent', changes: { zero: ['x', 'z'] }, minus: '- y\n', plus: '- z\n' },
  {
    name: 'deleting leaves the comment above',
    changes: { tags: undefined },
    minus: 'tags: # two of them\n  - a # first\n  # between\n  - b\n',
    plus: '',
  },
  {
    name: 'deleting a map takes its comments',
    changes: { seo: undefined },
    minus: 'seo:\n  # the title of the page\n  title: T # short\n  robots: noindex\n  # below seo\n',
    plus: '',
  },
  { name: 'deleting what is not there', changes: { nothing: undefined }, minus: '', plus: '' },
  { name: 'a new key last', changes: { fresh: 'x' }, minus: "last: 'it''s'\n", plus: "last: 'it''s'\nfresh: x\n" },
  {
    name: 'a new key after its forerunner',
    changes: { status: 'draft' },
    order: ['title', 'status', 'date'],
    minus: 'date: 2026-03-01\n',
    plus: 'status: draft\ndate: 2026-03-01\n',
  },
  {
    name: 'a new key before its successor and its comment',
    changes: { id: 7 },
    order: ['id', 'tags'],
    minus: '# about the tags\n',
    plus: 'id: 7\n# about the tags\n',
  },
  {
    name: 'two new keys in order',
    changes: { b: 2, a: 1 },
    order: ['date', 'a', 'b'],
    minus: 'date: 2026-03-01\n',
    plus: 'date: 2026-03-01\na: 1\nb: 2\n',
  },
  {
    name: 'a new key after a deleted one',
    changes: { date: undefined, at: 1 },
    order: ['date', 'at'],
    minus: 'date: 2026-03-01\n',
    plus: 'at: 1\n',
  },
];

describe('edits touch only the lines of their keys', () => {
  for (const { name, changes, order = [], minus, plus } of rows) {
    for (const [ending, eol] of [
      ['LF', '\n'],
      ['CRLF', '\r\n'],
    ] as const) {
      it(`${name} (${ending})`, () => {
        const expected = minus === '' ? source : source.replace(minus, () => plus);
        expect(minus === '' || source.includes(minus)).toBe(true);
        const edited = editYaml(source.replaceAll('\n', eol), changes, order, eol);
        expect(edited).toBe(expected.replaceAll('\n', eol));
      });
    }
  }

  it.each([
    ['a: 1\nb: 2', { b: 3 }, 'a: 1\nb: 3'],
    ['a: 1\nb: 2', { c: 3 }, 'a: 1\nb: 2\nc: 3'],
    ['a: 1\nb: 2', { b: undefined }, 'a: 1'],
    ['a: 1\nb: 2', { b: undefined, c: 3 }, 'a: 1\nc: 3'],
    ['a:\n  - 1\n  - 2', { a: [1] }, 'a:\n  - 1'],
    ['a:\n  - 1\n  - 2', { a: [1, 2, 3] }, 'a:\n  - 1\n  - 2\n  - 3'],
    ['', { a: 1 }, 'a: 1\n'],
    ['# only\n', { a: 1 }, '# only\na: 1\n'],
    ['{a: 1, b: 2}\n', { a: 3 }, 'a: 3\nb: 2\n'],
    ['? a\n: 1\n', { a: 3 }, 'a: 3\n'],
    ['a: &x 1\nb: *x\n', { b: 1 }, 'a: &x 1\nb: *x\n'],
    ['a: &x 1\nb: *x\n', { b: 2 }, 'a: &x 1\nb: 2\n'],
    ['a: &x 1\nb: *x\n', { a: 2 }, 'a: 2\nb: 1\n'],
    ['a: &x 1\nb: *x\n', { a: undefined }, 'b: 1\n'],
    ['  a: 1\n  b: 2\n', { c: 3 }, '  a: 1\n  b: 2\n  c: 3\n'],
    ['a: 1.5\n', { a: 1.5 }, 'a: 1.5\n'],
  ])('%j with %j', (text, changes, expected) => {
    expect(editYaml(text, changes, [], '\n')).toBe(expected);
  });
});

it('any sequence of edits reads back as intended, and repeating it changes nothing', () => {
  const keys = [
    'title',
    'date',
    'tags',
    'text',
    'q k',
    'folded',
    'empty',
    'noted',
    'seo',
    'flow',
    'zero',
    'last',
    'fresh',
    'new one',
  ];
  const change = fc.dictionary(fc.constantFrom(...keys), fc.oneof(anyValue, fc.constant(undefined)), { maxKeys: 4 });
  const order = fc.shuffledSubarray(keys);
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      order,
      fc.constantFrom('\n', '\r\n'),
      anyText,
      (changes, order, eol, extra) => {
        let text = source.replaceAll('\n', eol);
        let wanted = parseYaml(text);
        for (const edit of [...changes, { fresh: extra }]) {
          text = editYaml(text, edit, order, eol);
          wanted = { ...wanted };
          for (const [key, value] of Object.entries(edit)) {
            if (value === undefined) delete wanted[key];
            else wanted[key] = toStored(value);
          }
          expect(isSame(parseYaml(text), wanted)).toBe(true);
          expect(editYaml(text, edit, order, eol)).toBe(text);
          expect(eol === '\n' || !/(?<!\r)\n/.test(text)).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe('a string in our own style', () => {
  const order = ['id', 'title', 'date', 'modified', 'rows', 'seo', 'last'];
  const sorted = (all: Record<string, unknown>) =>
    Object.fromEntries([...order, 'other'].flatMap((key) => (Object.hasOwn(all, key) ? [[key, all[key]]] : [])));
  const print = (data: Record<string, unknown>): string =>
    printMap(sorted(data))
      .map((line) => `${line}\n`)
      .join('');
  const date = plain('2026-03-01T10:00:00');
  const data = { id: 1, title: "it's", date, rows: [{ id: 1, at: [0, 5] }, { id: 2 }], seo: { title: 'T', robots: 'no' } };
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['new keys in their places', { last: 'x', title: 'New' }, { ...data, title: 'New', last: 'x' }],
    ['keys that go', { title: undefined }, { id: 1, date, rows: data.rows, seo: data.seo }],
    [
      'members',
      { rows: [{ id: 1, at: [0, 5], state: 'x' }, { id: 2 }, { id: 3 }] },
      { ...data, rows: [{ ...data.rows[0], state: 'x' }, { id: 2 }, { id: 3 }] },
    ],
    ['dates', { date: plain('2026-04-01'), modified: date }, { ...data, date: plain('2026-04-01'), modified: date }],
    ['a date that stays', { date: '2026-03-01T10:00:00', title: 'New' }, { ...data, title: 'New' }],
    ['words for a date', { date: 'soon' }, { ...data, date: 'soon' }],
    // The file says in which order the keys of a map stand.
    ['maps in another order', { seo: { robots: 'yes', title: 'T' } }, { ...data, seo: { title: 'T', robots: 'yes' } }],
    ['keys that no order has', { other: 'x' }, { ...data, other: 'x' }],
  ])('keeps its style with %s', (_, changes, after) => {
    const text = print(data);
    expect(editYaml(text, changes, order, '\n')).toBe(print(after));
    // A comment is kept, whatever is printed around it.
    const commented = text.replace('rows:', '# rows\nrows:');
    expect(editYaml(commented, changes, order, '\n')).toBe(print(after).replace('rows:', '# rows\nrows:'));
  });

  it('reads back as intended', () => {
    const value = fc.oneof(
      anyText,
      fc.integer(),
      fc.array(fc.dictionary(fc.constantFrom('id', 'at', 'to'), anyText), { maxLength: 3 }),
    );
    const map = fc.record({ id: value, title: value, rows: value, last: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(map, map, (before, changes) => {
        const text = print(before);
        const edited = editYaml(text, changes, order, '\n');
        expect(isSame(parseYaml(edited), toStored({ ...before, ...changes }))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

it('a date in a reprinted text is plain', () => {
  const order = ['id', 'title', 'date', 'tags'];
  const text = 'id: 50\ntitle: Tide\n';
  expect(editYaml(text, { date: plain('2026-03-01T10:00:00'), tags: ['a'] }, order, '\n')).toBe(
    `${text}date: 2026-03-01T10:00:00\ntags:\n  - a\n`,
  );
});
