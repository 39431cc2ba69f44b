import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/records/fold.ts';
import { createRecords } from '../../src/records/records.ts';
import { createDeltaLists, createVocabulary, hashStep } from '../../src/records/terms.ts';
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

  it('follows changes of the text, and leaves the index alone when other fields change', () => {
    expect(records.warm('articles', 1000)).toBe(true);
    records.apply([
      { table: 'articles', put: article(1, { body: 'A dog.' }) },
      { table: 'articles', remove: 7 },
    ]);
    expect([count(['the cat']), count(['dog'])]).toEqual([98, 1]);
    records.apply([{ table: 'articles', put: article(1, { body: 'A dog.', status: 'draft' }) }]);
    expect(records.warm('articles', 0)).toBe(true);
    expect(count(['dog'])).toBe(1);
  });

  it('stays exact over more changes than the index keeps', () => {
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

it('finds any piece of any text, whatever the script', () => {
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

describe('vocabulary and delta lists', () => {
  it('number words once and find them by any piece, with the edges of words', () => {
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
    expect(vocabulary.containing('a1')).toEqual(having(/a1/));
    expect(vocabulary.containing('1\n')).toEqual(having(/1$/));
    expect(vocabulary.containing('\nw1')).toEqual(having(/^w1/));
    expect(vocabulary.containing(`\n${words[123]}\n`)).toEqual([123]);
    expect(vocabulary.containing('')).toHaveLength(20_000);
    expect(createVocabulary().containing('a')).toEqual([]);
  });

  it('give back what was appended, over many blocks and with wide gaps', () => {
    const lists = createDeltaLists();
    const steps = [1, 1, 127, 128, 3, 70_000];
    const expected = Array.from({ length: 3000 }, () => [] as number[]);
    for (let n = 0, value = 1; n < 60_000; n++, value += steps[n % 6]! % 200) {
      const list = n % 3 === 0 ? 2999 : (n * 31) % 3000;
      lists.append(list, value);
      lists.append(list, value);
      if (expected[list]!.at(-1) !== value) expected[list]!.push(value);
    }
    for (const [list, values] of expected.entries()) {
      if (list % 500 !== 0 && list !== 2999) continue;
      const marks = new Uint8Array(5_000_000);
      expect(lists.count(list)).toBe(values.length);
      expect(lists.mark(list, marks)).toBe(new Set(values).size);
      expect(values.every((value) => marks[value] === 1)).toBe(true);
      expect(lists.mark(list, marks)).toBe(0);
    }
  });
});
