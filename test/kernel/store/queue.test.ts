/** Work that is shared by those who ask for it: nobody is told that it is done by a run that began before they asked, or that has not ended. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createJoin } from '../../../src/kernel/store/queue.ts';

it('whoever calls gets a run that begins after the call, and no two run at once', async () => {
  let [runs, underWay, done] = [0, 0, 0];
  const join = createJoin(async () => {
    const run = ++runs;
    expect(++underWay).toBe(1);
    await turn();
    underWay--;
    done = run;
  });
  const ask = async (): Promise<void> => {
    const before = runs;
    await join();
    expect(done).toBeGreaterThan(before);
  };
  for (let round = 0; round < 50; round++) {
    const first = ask();
    const second = ask();
    // In every moment between the end of one run and the beginning of the next.
    const later = Array.from({ length: 6 }, async (_, ticks) => {
      await first;
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      await ask();
    });
    await Promise.all([first, second, ...later]);
  }
});

it('a run that fails does so for those who share it', async () => {
  let fails = true;
  const join = createJoin(async () => {
    await turn();
    if (fails) throw new Error('no');
  });
  const both = await Promise.allSettled([join(), join()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  await join();
});
