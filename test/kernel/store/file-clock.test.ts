import { expect, it } from 'vitest';
import { createFileClock } from '../../../src/kernel/store/file-clock.ts';

/** Writes every 1.37 ms on a file system that notes times as `noted` says. */
function observed(noted: (present: number) => number, count = 64): boolean {
  const clock = createFileClock();
  const start = Date.now() - 1000;
  for (let at = 0; at < count; at++) {
    const present = start + at * 1.37;
    clock.observe(noted(present), Math.floor(present));
  }
  return clock.isExact();
}

it.each([
  ['the very moment', (present: number) => present, true],
  ['ticks of 1 ms', (present: number) => Math.floor(present), false],
  ['ticks of 1 ms, a little late', (present: number) => Math.floor(present - 0.3) + 0.3, false],
  ['ticks of 4 ms', (present: number) => Math.floor(present / 4) * 4, false],
  ['ticks of 10 ms', (present: number) => Math.floor(present / 10) * 10, false],
  ['whole seconds', (present: number) => Math.floor(present / 1000) * 1000, false],
  ['another clock, ahead', (present: number) => present + 5000, false],
])('a file system that notes %s', (_, noted, isExact) => {
  expect(observed(noted)).toBe(isExact);
});

it('is not exact before enough has been observed, nor after one time that is too early', () => {
  expect(observed((present) => present, 31)).toBe(false);
  let count = 0;
  expect(observed((present) => (++count === 60 ? present - 2 : present))).toBe(false);
});
