import { describe, expect, it } from 'vitest';
import { chunksOf, createPace, drain, nextTurn, paced, runTask, type Task, yieldIfBusy } from '../../src/kernel/scheduler.ts';

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

it('a slice ends on time, and the clock is read every few calls', async () => {
  await nextTurn();
  const pace = createPace(2, 4);
  busy(4);
  expect([1, 2, 3, 4].map(() => pace.isDue())).toEqual([false, false, false, true]);
  expect([1, 2, 3, 4].map(() => pace.isDue())).toEqual([false, false, false, true]);
  await pace.rest();
  expect([1, 2, 3, 4].map(() => pace.isDue())).toEqual([false, false, false, false]);
});

it('time used by one run counts for others in the same turn', async () => {
  await nextTurn();
  const [one, other] = [createPace(8, 1), createPace(8, 1)];
  busy(30);
  expect(one.isDue()).toBe(true);
  const late = createPace(8, 1);
  expect([other.isDue(), late.isDue()]).toEqual([true, true]);
  await late.rest();
  expect(late.isDue()).toBe(false);
});

it('a task waiting beside a long slice runs in a later turn, but it does run', async () => {
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

it('there is room at once in a short turn, and in the next one after a long turn', async () => {
  await nextTurn();
  expect(yieldIfBusy()).toBeUndefined();
  busy(12);
  const later = yieldIfBusy();
  expect(later).toBeInstanceOf(Promise);
  await later;
  expect(yieldIfBusy()).toBeUndefined();
});

it('a paced loop visits every item in order, and yields in between', async () => {
  await nextTurn();
  const count = turns();
  const first = count.now();
  const seen: number[] = [];
  for await (const item of paced([1, 2, 3, 4, 5], 1)) {
    seen.push(item);
    busy(5);
  }
  const last = count.now();
  count.stop();
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(last - first).toBeGreaterThanOrEqual(2);
});

it('a paced loop closes its source when it ends early', async () => {
  let isClosed = false;
  function* items() {
    try {
      yield* [1, 2];
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of paced(items())) break;
  expect(isClosed).toBe(true);
});

it('lists and growing stacks are processed completely', () => {
  expect([...chunksOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  const stack = [3];
  const seen: number[] = [];
  for (const item of drain(stack)) {
    seen.push(item);
    if (item > 1) stack.push(item - 2, item - 1);
  }
  expect(seen).toEqual([3, 2, 1, 0, 1]);
});

describe('a task', () => {
  function* counting(steps: number): Task<number> {
    for (let step = 0; step < steps; step++) {
      busy(1);
      yield;
    }
    return steps;
  }

  it('runs at once if it is short', async () => {
    // In a turn that others have not used up: one of many is.
    let isDone = false;
    for (let turn = 0; turn < 1000 && !isDone; turn++) {
      await nextTurn();
      let here = true;
      void runTask(
        function* (): Task<void> {
          yield* counting(1);
          isDone ||= here;
        },
        () => 0,
      );
      here = false;
    }
    expect(isDone).toBe(true);
  });

  it('yields if it is long, also next to others', async () => {
    const count = turns();
    const first = count.now();
    expect(
      await Promise.all(
        [10, 10].map((steps) =>
          runTask(
            () => counting(steps),
            () => 0,
            2,
          ),
        ),
      ),
    ).toEqual([10, 10]);
    const last = count.now();
    count.stop();
    expect(last - first).toBeGreaterThanOrEqual(3);
  });

  it('restarts when its input changes', async () => {
    let version = 0;
    let starts = 0;
    const result = runTask(
      function* (): Task<number> {
        starts++;
        const read = version;
        yield* counting(5);
        return read;
      },
      () => version,
      2,
    );
    version = 1;
    expect([await result, starts]).toEqual([1, 2]);
  });

  it('rejects when it fails', async () => {
    const failing = function* (): Task<void> {
      yield;
      throw new Error('on purpose');
    };
    await expect(runTask(failing, () => 0)).rejects.toThrow('on purpose');
  });
});
