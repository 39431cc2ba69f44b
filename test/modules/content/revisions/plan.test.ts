import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAlike } from '../../../../src/modules/content/revisions/plan.ts';

/** The rule in the words of the reference. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/\r/g, '\n')
    .replace(/\n+/g, '\n')
    .replace(/[ \t]+/g, ' ');

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r', '\u00a0'), maxLength: 12 });

it('texts are equal if they differ only in spaces and line endings', () => {
  expect(isAlike('  One\ttwo\r\n\r\nthree ', 'One   two\nthree')).toBe(true);
  expect(isAlike('One two', 'Onetwo')).toBe(false);
  expect(isAlike('One', 'One two')).toBe(false);
  fc.assert(
    fc.property(text, text, (a, b) => isAlike(a, b) === (plain(a) === plain(b))),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(text, fc.nat(12), fc.constantFrom(' ', '\t', '\n', '\r\n'), (a, at, put) => {
      const b = a.slice(0, at) + put + a.slice(at);
      return isAlike(a, b) === (plain(a) === plain(b));
    }),
    { numRuns: 5000 },
  );
});
