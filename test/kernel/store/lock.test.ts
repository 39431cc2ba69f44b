import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createLock, LockError } from '../../../src/kernel/store/lock.ts';
import { temporaryFolder } from './folder.ts';

const held = (folder: { dir: string }) =>
  JSON.parse(readFileSync(`${folder.dir}/lock`, 'utf8')) as { fence: number; pid: number };
const holder = (over: object) =>
  JSON.stringify({ pid: 1, host: hostname(), started: 0, fence: 7, expires: Date.now() + 60_000, ...over });

describe('one process', () => {
  it('runs in order, one at a time, with rising fences', async () => {
    const folder = temporaryFolder();
    const locks = [createLock({ dir: folder.dir }), createLock({ dir: folder.dir })];
    let inside = 0;
    const fences: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        locks[index % 2]?.withLock(async (lease) => {
          expect(++inside).toBe(1);
          expect(held(folder).fence).toBe(lease.fence);
          await new Promise((resolve) => setImmediate(resolve));
          fences.push(lease.fence);
          inside--;
        }),
      ),
    );
    expect(fences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(existsSync(folder.at('lock'))).toBe(false);
  });

  it('releases the lock after a failure and rethrows it', async () => {
    const folder = temporaryFolder();
    const lock = createLock({ dir: folder.dir });
    await expect(lock.withLock(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(existsSync(folder.at('lock'))).toBe(false);
    expect(await lock.withLock(async () => 'next')).toBe('next');
  });
});

it.each([
  ['one that looks as seldom', 8],
  ['one that looks less often', 1],
])('yields to %s when it commits in a loop', async (_, pollMs) => {
  const folder = temporaryFolder();
  const greedy = createLock({ dir: folder.dir, pollMs });
  let isWaiting = true;
  let rounds = 0;
  const loop = (async () => {
    while (isWaiting) {
      rounds++;
      await greedy.withLock(() => new Promise((resolve) => setTimeout(resolve, 3)));
    }
  })();
  await createLock({ dir: folder.dir, waitMs: 3000 }).withLock(async () => undefined);
  isWaiting = false;
  await loop;
  expect(rounds).toBeLessThan(60);
  expect(existsSync(folder.at('lock.waiting'))).toBe(false);
});

describe('an existing lock', () => {
  it.each([
    ['of a dead process', holder({ pid: 2 ** 22 + 1 })],
    ['of an earlier process with our id', holder({ pid: process.pid, started: 12345 })],
    ['whose lease has run out, on another host', holder({ host: 'elsewhere', expires: Date.now() - 1 })],
  ])('%s is taken over', async (_, content) => {
    const folder = temporaryFolder({ lock: content, fence: '7' });
    expect(await createLock({ dir: folder.dir, waitMs: 1000 }).withLock(async (lease) => lease.fence)).toBe(8);
  });

  it.each([
    ['of a living process', holder({})],
    ['of another host', holder({ host: 'elsewhere', pid: 2 ** 22 + 1 })],
    ['half written, just now', '{"pid":'],
  ])('%s is respected', async (_, content) => {
    const folder = temporaryFolder({ lock: content });
    await expect(createLock({ dir: folder.dir, waitMs: 40 }).withLock(async () => undefined)).rejects.toThrow(LockError);
    expect(folder.read('lock')).toBe(content);
  });
});

describe('the lease', () => {
  it('is extended by checks, and lost when another process took over', async () => {
    const folder = temporaryFolder();
    let now = Date.now();
    const lock = createLock({ dir: folder.dir, leaseMs: 1000, clock: () => now });
    await lock.withLock(async (lease) => {
      now += 800;
      lease.check();
      now += 800;
      lease.check();
      now += 1500;
      folder.write('lock', holder({ fence: lease.fence + 1 }));
      expect(() => lease.check()).toThrow(LockError);
    });
    expect(held(folder).pid).toBe(1);
  });
});

it('two processes never hold the lock together, and a killed one does not keep it', async () => {
  const folder = temporaryFolder();
  // Stands for another process of ours: takes the lock as `lock.ts` does, says so, and is killed while it holds it.
  folder.write(
    'other.mjs',
    `import fs from 'node:fs'; import os from 'node:os';
     const file = ${JSON.stringify(folder.at('lock'))};
     fs.writeFileSync(file, JSON.stringify({ pid: process.pid, host: os.hostname(), started: Date.now() - process.uptime() * 1000, fence: 41, expires: Date.now() + 60000 }), { flag: 'wx' });
     fs.writeFileSync(${JSON.stringify(folder.at('fence'))}, '41');
     process.send('held'); setInterval(() => {}, 1000);`,
  );
  const other = fork(folder.at('other.mjs'));
  await new Promise((resolve) => other.once('message', resolve));
  const order: string[] = [];
  const mine = createLock({ dir: folder.dir }).withLock(async (lease) => order.push(`mine ${lease.fence}`));
  await expect(createLock({ dir: folder.dir, waitMs: 30 }).withLock(async () => order.push('never'))).rejects.toThrow(
    `process ${other.pid}`,
  );
  order.push('killed');
  other.kill('SIGKILL');
  await mine;
  expect(order).toEqual(['killed', 'mine 42']);
});
