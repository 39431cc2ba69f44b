import { expect, it } from 'vitest';
import { withoutTrailing } from '../../../src/kernel/model/text-ends.ts';

it.each([
  ['a/b//', '/', 'a/b'],
  ['//', '/', ''],
  ['a/b', '/', 'a/b'],
  ['', '/', ''],
  ['a. .', '. ', 'a'],
  ['a/\n', '/', 'a/\n'],
])('%j without %j at its end is %j', (text, signs, rest) => {
  expect(withoutTrailing(text, signs)).toBe(rest);
});
