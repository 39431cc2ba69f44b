import { describe, expect, it } from 'vitest';
import { createWriteQueue, type QueuedWriter } from '../../../src/kernel/site/write-queue.ts';
import { BusyError } from '../../../src/kernel/store/types.ts';
import { cpuMs } from '../../support/long-texts.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('writers of one path', () => {
  it('run in order', async () => {
    const queue = createWriteQueue();
    const order: number[] = [];
    const first = queue.begin(1000);
    expect(first.tryLock(['a', 'b'])).toBe(true);
    const others = [1, 2, 3].map(async (number) => {
      const writer = queue.begin(1000);
      expect(writer.tryLock(['b', 'c'])).toBe(false);
      await writer.lock(['b', 'c']);
      order.push(number);
      await turn();
      expect(order.at(-1)).toBe(number);
      writer.end();
    });
    await turn();
    expect(order).toEqual([]);
    first.end();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
    expect(queue.begin(1000).tryLock(['a', 'b', 'c'])).toBe(true);
  });

  it('do not wait for writers of other paths', () => {
    const queue = createWriteQueue();
    expect(queue.begin(1000).tryLock(['a'])).toBe(true);
    expect(queue.begin(1000).tryLock(['b'])).toBe(true);
  });

  it('that skip ahead also take what those behind them wait for', async () => {
    const queue = createWriteQueue();
    const first = queue.begin(1000);
    first.tryLock(['post']);
    const second = queue.begin(1000);
    const third = queue.begin(1000);
    const turns = [second.lock(['post', 'revision 1']), third.lock(['revision 2', 'post'])];
    first.end();
    await turns[0];
    expect(second.tryLock(['revision 2'])).toBe(true);
    second.end();
    await turns[1];
    third.end();
  });

  it('give up at their deadline and leave the queue', async () => {
    const queue = createWriteQueue();
    const first = queue.begin(1000);
    first.tryLock(['a']);
    const late = queue.begin(20);
    const patient = queue.begin(5000);
    const waiting = late.lock(['a', 'b']);
    const turnOfPatient = patient.lock(['b']);
    await expect(waiting).rejects.toBeInstanceOf(BusyError);
    await turnOfPatient;
    first.end();
    expect(late.tryLock(['a'])).toBe(true);
  });

  it('that join a stalled queue give up soon', async () => {
    const queue = createWriteQueue();
    const first = queue.begin(60_000);
    first.tryLock(['a']);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    const started = performance.now();
    await expect(queue.begin(60_000).lock(['a'])).rejects.toBeInstanceOf(BusyError);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('of any paths in any order all finish, never two on one path', async () => {
    const queue = createWriteQueue();
    const held = new Map<string, QueuedWriter>();
    let done = 0;
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const writer = queue.begin(10_000);
        const paths = [at * 7, at * 13 + 1, at * 3].map((number) => `p${number % 11}`);
        if (!writer.tryLock(paths)) await writer.lock(paths);
        const more = `p${(at * 5) % 11}`;
        if (writer.tryLock([more])) paths.push(more);
        for (const path of new Set(paths)) {
          expect(held.get(path)).toBeUndefined();
          held.set(path, writer);
        }
        await turn();
        for (const path of new Set(paths)) held.delete(path);
        writer.end();
        done++;
      }),
    );
    expect(done).toBe(200);
  });
});

describe('slugs not yet in memory', () => {
  const taken =
    (...slugs: string[]) =>
    (slug: string) =>
      slugs.includes(slug);

  it('are avoided, and free again when their writer replans or ends', () => {
    const queue = createWriteQueue();
    const [one, two] = [queue.begin(1000), queue.begin(1000)];
    const pick = () => queue.pickSlug('post', 'tide', taken('tide-2'));
    expect(one.plan(pick)).toBe('tide');
    expect(one.plan(pick)).toBe('tide');
    expect(two.plan(pick)).toBe('tide-3');
    expect(two.plan(() => queue.pickSlug('page', 'tide', taken()))).toBe('tide');
    one.end();
    expect(two.plan(pick)).toBe('tide');
  });

  it('cost one lookup each, however many writers want the same', async () => {
    const queue = createWriteQueue();
    const first = queue.begin(1000);
    let looks = 0;
    const pick = () =>
      queue.pickSlug('post', 'tide', () => {
        looks++;
        return false;
      });
    expect(first.plan(pick)).toBe('tide');
    let slugs: string[] = [];
    const took = await cpuMs(() => {
      slugs = Array.from({ length: 20_000 }, () => queue.begin(1000).plan(pick));
    });
    expect(slugs).toEqual(slugs.map((_, at) => `tide-${at + 2}`));
    expect(looks).toBeLessThan(40_100);
    expect(took).toBeLessThan(10_000);
  });

  it('are not reserved outside of plans', () => {
    const queue = createWriteQueue();
    expect(queue.pickSlug('post', 'tide', taken())).toBe('tide');
    expect(queue.pickSlug('post', 'tide', taken())).toBe('tide');
  });
});
