import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Files share processes, so that each process reads the sources once. Those that change the process they run in, or measure it, have
 * one of their own.
 */
const alone = [
  'test/contract/disk-faults.test.ts',
  'test/contract/write-faults.test.ts',
  'test/contract/odd-disks.test.ts',
  'test/contract/media.test.ts',
  'test/modules/git-commits/disk-faults.test.ts',
  'test/modules/git-commits/faults.test.ts',
  'test/kernel/store/store.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/run-folder.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Machines of others may stand still for seconds. The report says which test needed a second try.
    retry: process.env.CI ? 1 : 0,
    // A hint of a changed file may be lost: then the sweep brings it, every five seconds and later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Much of what is shown is shown by waiting for it: a file that waits leaves its core to another.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
