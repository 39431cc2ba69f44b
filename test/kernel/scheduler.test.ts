import { expect, it } from 'vitest';
import { createPace, yieldIfBusy, nextTurn } from '../../src/kernel/scheduler.ts';

function busy(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

/** The number of the turn of the event loop, as far as whoever asks is concerned. */
function turns(): { readonly now: () => number; stop(): void } {
  let count = 0;
  let isStopped = false;
  const next = () => {
    count++;
    if (!isStopped) setImmediate(next);
  };
  setImmediate(next);
  return {
    now: () => count,
    stop: () => {
      isStopped = true;
    },
  };
}

it('a stretch ends in time, looks are every few calls, and a call may be worth several', async () => {
  await nextTurn();
  const pace = createPace(2, 4);
  busy(4);
  expect([1, 2, 3, 4].map(() => pace.isDue())).toEqual([false, false, false, true]);
  expect([pace.isDue(3), pace.isDue()]).toEqual([false, true]);
  await pace.rest();
  expect(pace.isDue(4)).toBe(false);
});

it('what one run took of a turn counts for the others in it', async () => {
  await nextTurn();
  const [one, other] = [createPace(8, 1), createPace(8, 1)];
  busy(30);
  expect(one.isDue()).toBe(true);
  const late = createPace(8, 1);
  expect([other.isDue(), late.isDue()]).toEqual([true, true]);
  await late.rest();
  expect(late.isDue()).toBe(false);
});

it('who rests beside a long stretch of another comes in a later turn, but comes', async () => {
  await nextTurn();
  const count = turns();
  const [first, second] = [createPace(8, 1), createPace(8, 1)];
  const came: number[] = [];
  const stretches = (async () => {
    for (let at = 0; at < 20; at++) {
      await first.rest();
      came.push(count.now());
      busy(12);
    }
  })();
  await second.rest();
  const present = count.now();
  expect(present).toBeGreaterThan(came[0] as number);
  expect(came.length).toBeLessThan(10);
  await stretches;
  count.stop();
});

it('there is room at once in a short turn, and in the next one after a long one', async () => {
  await nextTurn();
  expect(yieldIfBusy()).toBeUndefined();
  busy(12);
  const later = yieldIfBusy();
  expect(later).toBeInstanceOf(Promise);
  await later;
  expect(yieldIfBusy()).toBeUndefined();
});
