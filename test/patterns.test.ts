/**
 * No pattern of the source goes back and forth: texts of visitors, and files that anybody may have written, are put to most of them,
 * and a few thousand signs are enough to hold a server up. Patterns that are put together as the program runs are not seen here.
 */
import { describe, expect, it } from 'vitest';
import { patternsOfSource, slowTextOf } from './support/slow-patterns.ts';

/** What stays although it is slow: where and which, and why its texts are short. */
const left: Readonly<Record<string, string>> = {
  'modules/design/dynamic-blocks/markup.ts /\\B(?=(?:\\d{3})+$)/g':
    'It is put to the digits of one number, which are two dozen at most.',
};

/** Enough for the patterns below. */
const fewSigns = 4000;

const patterns = patternsOfSource();
const named = ({ place, pattern, flags }: (typeof patterns)[number]): string =>
  `${place.replace(/:\d+$/, '')} /${pattern}/${flags}`;

describe('patterns', () => {
  it('run in linear time', () => {
    expect(patterns.length).toBeGreaterThan(500);
    const slow = patterns.flatMap((one) => {
      const text = named(one) in left ? undefined : slowTextOf(one);
      return text === undefined ? [] : [`${one.place} /${one.pattern}/${one.flags} for ${text}`];
    });
    expect(slow).toEqual([]);
  });

  it('listed as slow exist', () => {
    const names = new Set(patterns.map(named));
    expect(Object.keys(left).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([
    ['is tried at each place', /\/+$/],
    ['repeats one sign twice', /^ *(?:x)? *$/],
    ['looks for an end that is not there', /\[[^\]]*\]/g],
    ['wants something before it repeats', /^url\(\s*(.*)\s*\)$/],
    ['looks at a run from each of its places', /([\w-]+)\s*=\s*(\S+)/g],
    ['repeats what it repeats', /^(?:a+)+$/],
    ['chooses for each line', /^(?:\s*(?:#.*)?\n)*- /],
  ])('are detected as slow: one that %s', (_, { source, flags }) => {
    expect(slowTextOf({ pattern: source, flags }, fewSigns)).toMatch(/…/);
  });

  it.each([
    ['is tried where a run begins', /(?<!\/)\/+$/],
    ['repeats without a choice', /^ *(?:x *)?$/],
    ['is bound in number', /\[\[[^\]\n]{1,200}\]\]/g],
    ['passes over what has no end', /<!--[\s\S]*?(?:-->|$)/g],
  ])('are detected as fast: one that %s', (_, { source, flags }) => {
    expect(slowTextOf({ pattern: source, flags }, fewSigns)).toBeUndefined();
  });
});
