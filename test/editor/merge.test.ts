/** Two people's changes of one item as one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedText, mergeTexts } from '../../editor/markdown/merge.ts';
import { changesOf } from '../../editor/page/changes.ts';
import { mergeValues } from '../../editor/page/values.ts';

const whole = (base: string, mine: string, theirs: string): string =>
  mergedText(mergeTexts(base, mine, theirs), () => {
    throw new Error('there is something to decide');
  });

describe('a text', () => {
  it('has the blocks that either has changed, added and removed', () => {
    const base = 'One.\n\nTwo.\n\nThree.\n\nFour.';
    expect(whole(base, 'One, mine.\n\nTwo.\n\nThree.\n\nFour.', 'One.\n\nTwo.\n\nFour.\n\nFive.')).toBe(
      'One, mine.\n\nTwo.\n\nFour.\n\nFive.',
    );
  });

  it('keeps white space between blocks, and line ends', () => {
    expect(whole('# A\nOne.\n\n\nTwo.', '# A\nOne.\n\n\nTwo, mine.', '# B\nOne.\n\n\nTwo.')).toBe('# B\nOne.\n\n\nTwo, mine.');
    expect(whole('One.\r\n\r\nTwo.', 'One!\r\n\r\nTwo.', 'One.\r\n\r\nTwo!')).toBe('One!\r\n\r\nTwo!');
  });

  it('asks where both have changed one block, and has whatever is chosen', () => {
    const parts = mergeTexts('One.\n\nTwo.', 'One.\n\nTwo, mine.', 'One.\n\nTwo, theirs.');
    expect(mergedText(parts, ({ mine, theirs }) => mine + theirs)).toBe('One.\n\nTwo, mine.\n\nTwo, theirs.');
    expect(mergedText(parts, ({ theirs }) => theirs)).toBe('One.\n\nTwo, theirs.');
  });

  it('keeps every added block', () => {
    const blocks = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 6 });
    fc.assert(
      fc.property(blocks, blocks, blocks, (base, mine, theirs) => {
        const text = (list: readonly string[]): string => list.join('\n\n');
        const merged = mergedText(mergeTexts(text(base), text(mine), text(theirs)), (part) => part.mine + part.theirs).split(
          /\n+/,
        );
        for (const added of [...mine, ...theirs].filter((one) => !base.includes(one))) expect(merged).toContain(added);
      }),
      { numRuns: 300 },
    );
  });
});

describe('fields', () => {
  const base = { title: 'A', slug: 'a', content: 'One.\n\nTwo.', categories: [1, 2] as readonly number[] };

  it('take the changed value; lists take the additions and removals of both', () => {
    const merged = mergeValues(
      base,
      { ...base, title: 'B', categories: [2, 3], content: 'One!\n\nTwo.' },
      { ...base, slug: 'b', categories: [1, 2, 4], content: 'One.\n\nTwo!' },
    );
    expect(merged.conflicts).toEqual([]);
    expect(merged.resolve([])).toEqual({ title: 'B', slug: 'b', content: 'One!\n\nTwo!', categories: [2, 4, 3] });
  });

  it('that both have changed are asked about, one by one', () => {
    const merged = mergeValues(base, { ...base, title: 'B', slug: 'x' }, { ...base, title: 'C', slug: 'y' });
    expect(merged.conflicts).toEqual([
      { field: 'title', mine: 'B', theirs: 'C' },
      { field: 'slug', mine: 'x', theirs: 'y' },
    ]);
    expect(merged.resolve(['theirs', 'mine'])).toMatchObject({ title: 'C', slug: 'x' });
  });

  it('that are the same are not sent', () => {
    expect(changesOf(base, { ...base, title: 'B', categories: [1, 2] })).toEqual({ title: 'B' });
  });
});
