import { mkdirSync } from 'node:fs';
import { createDisk } from '../../../src/kernel/store/durable.ts';
import { type CommitLog, createLog, type LogOptions } from '../../../src/kernel/store/log.ts';
import { openSeal, stateDirectory } from '../../../src/kernel/store/state.ts';
import type { Folder } from './folder.ts';

/** The log of a folder, read. */
export function logIn(folder: Folder, options: Partial<LogOptions> = {}): CommitLog {
  mkdirSync(folder.at('.cms'), { recursive: true });
  const log = createLog({
    dir: folder.at('.cms'),
    seal: openSeal(stateDirectory()),
    disk: createDisk(),
    durability: 'log',
    clock: Date.now,
    flush: async () => undefined,
    alone: (work) => work(),
    background: () => undefined,
    ...options,
  });
  log.sync();
  return log;
}
