import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/kernel/records/fold.ts';
import { createRecords } from '../../../src/kernel/records/records.ts';
import { hasBit } from '../../../src/kernel/records/sets.ts';
import { createDeltaLists, createVocabulary, hashStep } from '../../../src/kernel/records/vocabulary.ts';
import { type Article, article, articles } from './article.ts';
import { answer } from './oracle.ts';

it.each([
  ['Éclair', 'eclair'],
  ['e\u0301', 'e'],
  ['Straße', 'straße'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İstanbul', 'istanbul'],
  ['が', 'か'],
  ['한글', '한글'],
  ['हिन्दी', 'हिन्दी'],
  ['“It’s”', '“it’s”'],
])('folds %s to %s', (text, folded) => expect(fold(text)).toBe(folded));

describe('search', () => {
  const bodies = [
    'The cat sat.',
    'Concatenate <strong>all</strong>',
    'no house',
    'the big house',
    'house, the big',
    `data:${'x'.repeat(300)}cat`,
  ];
  const records = createRecords([articles]);
  const table = records.table<Article>('articles');
  records.apply(Array.from({ length: 600 }, (_, i) => ({ table: 'articles', put: article(i + 1, { body: bodies[i % 6]! }) })));
  const count = (words: string[], own: { without?: string[]; exact?: boolean; columns?: string[] } = {}) =>
    table.query({
      where: [
        {
          kind: 'search',
          columns: own.columns ?? ['title', 'body'],
          words,
          without: own.without ?? [],
          exact: own.exact ?? false,
        },
      ],
      sort: { by: 'id', direction: 'asc' },
      offset: 0,
      limit: 5,
    }).total;

  it.each<[string, number, number]>([
    ['a word, inside words too, and inside data too long for the index', count(['CAT']), 300],
    ['every word', count(['big', 'house']), 200],
    ['a phrase', count(['big house']), 100],
    ['a piece across words', count(['t s']), 100],
    ['markup as it is stored', count(['<strong>']), 100],
    ['signs alone', count(['.']), 100],
    ['without a word', count(['house'], { without: ['no'] }), 200],
    ['only without', count([], { without: ['house'] }), 300],
    ['one column', count(['article'], { columns: ['body'] }), 0],
    ['a whole column', count(['NO HOUSE'], { exact: true }), 100],
    ['not part of a column, when exact', count(['house'], { exact: true }), 0],
    ['a word that is nowhere', count(['zeppelin']), 0],
  ])('finds %s', (_, found, expected) => expect(found).toBe(expected));

  it('follows changes of the text, and does not touch the index for other fields', () => {
    while (!records.warm(100));
    records.apply([
      { table: 'articles', put: article(1, { body: 'A dog.' }) },
      { table: 'articles', remove: 7 },
    ]);
    expect([count(['the cat']), count(['dog']), count(['big house'])]).toEqual([98, 1, 100]);
    const bodyOf = (id: number) => (id === 5 ? 'A big house' : 'A house, big.');
    records.apply([4, 5, 10].map((id) => ({ table: 'articles', put: article(id, { body: bodyOf(id) }) })));
    expect(count(['big house'])).toBe(99);
    // A search indexes for so many milliseconds of the clock, in which a busy machine may do nothing.
    while (!records.warm(100));
    records.apply([{ table: 'articles', put: article(1, { body: 'A dog.', status: 'draft' }) }]);
    expect(records.warm(0)).toBe(true);
    expect(count(['dog'])).toBe(1);
  });

  it.each([
    [true, false],
    [false, true],
  ])('is prepared ahead of time for visitors: %s', (isSearched, isReady) => {
    const fresh = createRecords([{ ...articles, isSearched }]);
    fresh.apply(Array.from({ length: 600 }, (_, i) => ({ table: 'articles', put: article(i + 1, { body: bodies[i % 6]! }) })));
    expect(fresh.warm(0)).toBe(isReady);
    while (!fresh.warm(100));
  });

  it('stays exact after more changes than the index holds', () => {
    for (let round = 0; round < 30; round++) {
      records.apply(
        Array.from({ length: 600 }, (_, i) => ({
          table: 'articles',
          put: article(i + 1, { body: `round${round} ${i % 2 ? 'odd' : 'even'}` }),
        })),
      );
      expect([count([`round${round}`]), count(['odd']), count(['round'])]).toEqual([600, 300, 600]);
    }
  });
});

it('finds any part of any text, whatever the script', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }));
  const rows = fc.array(text, { minLength: 70, maxLength: 90 });
  const piece = fc.record({ row: fc.nat(69), from: fc.nat(20), length: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(rows, fc.array(piece, { minLength: 5, maxLength: 10 }), (bodies, pieces) => {
      const records = createRecords([articles]);
      const list = bodies.map((body, i) => article(i + 1, { body }));
      records.apply(list.map((put) => ({ table: 'articles', put })));
      for (const { row, from, length } of pieces) {
        const word = bodies[row]!.slice(from, from + length);
        const where = [{ kind: 'search' as const, columns: ['title', 'body'], words: [word], without: [] }];
        const query = { where, sort: { by: 'id', direction: 'asc' as const }, offset: 0 };
        expect(records.table('articles').query(query)).toEqual(answer(articles, list, query));
      }
    }),
    { numRuns: 60 },
  );
});

it('finds phrases of common words, with and without word pairs', () => {
  const word = fc.constantFrom('the', 'harbour', 'bathe', 'and', 'e', 'fog', 'Thé', 'rare');
  const sign = fc.constantFrom(' ', ' ', ' ', '-', '. ', '\n', "'");
  const text = fc.array(fc.tuple(word, sign), { maxLength: 7 }).map((parts) => parts.flat().join(''));
  const bodies = fc.sample(text, { numRuns: 1800, seed: 3 });
  const records = createRecords([articles]);
  const list = bodies.map((body, i) => article(i + 1, { body, title: bodies[(i * 7) % 1800]! }));
  const put = (from: number, to: number) => records.apply(list.slice(from, to).map((each) => ({ table: 'articles', put: each })));
  const asked = [
    ...[
      'the harbour',
      'e fog',
      'the and',
      'the-h',
      "fog'e",
      'harbour. ',
      'and\nfog',
      'the bathe e',
      'e the fog a',
      'é rare',
      'x y',
    ],
    ...fc
      .sample(fc.tuple(fc.nat(1799), fc.nat(9), fc.integer({ min: 4, max: 14 })), { numRuns: 60, seed: 5 })
      .map(([at, from, length]) => bodies[at]!.slice(from, from + length)),
  ];
  const compare = (to: number, columns: string[]) => {
    for (const phrase of asked) {
      const where = [{ kind: 'search' as const, columns, words: [phrase], without: ['fog and'] }];
      const query = { where, sort: { by: 'id', direction: 'asc' as const }, offset: 0 };
      const ids = (records: readonly Article[]) => records.map(({ id }) => id);
      const { records: found } = records.table<Article>('articles').query(query);
      expect(ids(found), phrase).toEqual(ids(answer(articles, list.slice(0, to), query).records));
    }
  };
  put(0, 500);
  while (!records.warm(100));
  compare(500, ['title', 'body']);
  put(500, 1700);
  compare(1700, ['body']);
  while (!records.warm(100));
  compare(1700, ['title', 'body']);
  put(1700, 1800);
  while (!records.warm(100));
  compare(1800, ['title']);
  compare(1800, ['body']);
});

describe('vocabulary and delta lists', () => {
  it('store each word once and find it by any part, including word boundaries', () => {
    const vocabulary = createVocabulary();
    const words = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7919).toString(36)}`);
    const intern = (word: string) =>
      vocabulary.intern(
        word,
        0,
        word.length,
        [...word].reduce((hash, c) => hashStep(hash, c.charCodeAt(0)), 0),
      );
    expect(words.map(intern)).toEqual(words.map((_, i) => i));
    expect(words.map(intern)).toEqual(words.map((_, i) => i));
    const having = (piece: RegExp) => words.flatMap((word, i) => (piece.test(word) ? [i] : []));
    const containing = (needle: string) =>
      Array.from({ length: vocabulary.segments }, (_, segment) => vocabulary.containing(needle, segment)).flat();
    expect(containing('a1')).toEqual(having(/a1/));
    expect(containing('1\n')).toEqual(having(/1$/));
    expect(containing('\nw1')).toEqual(having(/^w1/));
    expect(containing(`\n${words[123]}\n`)).toEqual([123]);
    expect(containing('')).toHaveLength(20_000);
    expect(createVocabulary().segments).toBe(0);
    intern('another');
    expect(containing('another')).toEqual([20_000]);
  });

  it('return what was appended, over many blocks and wide gaps', () => {
    const lists = createDeltaLists();
    const steps = [1, 1, 127, 128, 3, 70_000];
    const expected: number[][] = [];
    for (let n = 0, value = 1; n < 60_000; n++, value += steps[n % 6]! % 200) {
      const list = n < 3000 ? n : n % 3 === 0 ? 2999 : (n * 31) % 2900;
      if (n < 3000) expect(lists.begin(value)).toBe(expected.push([value]) - 1);
      lists.append(list, value);
      lists.append(list, value);
      if (expected[list]!.at(-1) !== value) expected[list]!.push(value);
    }
    for (const [list, values] of expected.entries()) {
      if (list % 500 !== 0 && list < 2990) continue;
      const bits = new Int32Array(200_000);
      expect(lists.count(list)).toBe(values.length);
      expect(lists.mark(list, bits)).toBe(values.length);
      expect(values.every((value) => hasBit(bits, value))).toBe(true);
      expect(lists.mark(list, bits)).toBe(0);
    }
  });
});
