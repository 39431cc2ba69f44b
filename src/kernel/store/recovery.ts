/** What processes that died have left half done in a folder: a commit of several files, and temporary files. */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from 'unstorage';
import { dropTemporary, isAbandoned } from './durable.ts';
import { isFilesDriver } from './files.ts';
import { makeFolder } from './folders.ts';
import type { Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import type { Engine } from './mounts.ts';
import { temporaryPrefix } from './paths.ts';

interface Folder {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly journal: Journal | null;
  readonly lock: Lock;
  /** Absolute path of the content folder. */
  readonly root: string;
}

export function createRecovery({ engine, storage, journal, lock, root }: Folder) {
  /** Where uploads wait. */
  const spool = join(root, '.cms', 'tmp');
  const finish = async () => (engine.files === null ? [] : journal?.recover(engine.files));
  return {
    /** Finishes or undoes the commit that the journal tells of; under the lock. @returns the paths it may have changed */
    finish,
    /** A path in it, for a new file. */
    spoolFile(): string {
      makeFolder(spool, { mode: 0o700, within: root });
      return join(spool, `${temporaryPrefix}${process.pid}-${randomBytes(9).toString('base64url')}`);
    },
    /** The journal of a commit nobody will finish, and temporary files outside the content. */
    recover: () =>
      lock.withLock(async () => {
        await finish();
        for (const name of ['private', 'cache']) {
          const { driver } = storage.getMount(`${name}:`);
          if (isFilesDriver(driver)) await driver.sweepTemporary();
        }
        for (const name of existsSync(spool) ? readdirSync(spool) : [])
          if (name.startsWith(temporaryPrefix) && isAbandoned(join(spool, name))) dropTemporary(join(spool, name));
      }),
    /** Temporary files in the content that nobody will finish: the load has come by them. A journal may still name them. */
    async tidy() {
      const left = engine.files?.abandoned() ?? [];
      if (left.length === 0) return;
      await lock.withLock(async () => {
        await finish();
        for (const file of left) dropTemporary(file);
      });
    },
  };
}
