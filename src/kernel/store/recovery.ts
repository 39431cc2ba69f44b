/** What processes that died have left half done in a folder: a commit of several files, and temporary files. */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, dropTemporary, isAbandoned } from './durable.ts';
import { type FilesDriver, filesDriver } from './files.ts';
import { makeFolder } from './folders.ts';
import type { CommitLog } from './log.ts';
import type { Lock } from './lock.ts';
import type { Mounts } from './mounts.ts';
import { temporaryPrefix } from './paths.ts';
import { planReplay } from './replay.ts';

interface Folder {
  readonly engine: FilesDriver;
  /** Private and cached documents. */
  readonly documents: Mounts['files'];
  readonly log: CommitLog;
  readonly disk: Disk;
  readonly lock: Lock;
  /** Absolute path of the content folder. */
  readonly root: string;
  /** Called with what somebody should know. */
  failed(error: unknown): void;
}

export function createRecovery({ engine, documents, log, disk, lock, root, failed }: Folder) {
  /** Where uploads wait. */
  const spool = join(root, '.cms', 'tmp');
  const aside = filesDriver({ dir: join(root, '.cms', 'set-aside'), within: root, private: true, disk });

  async function finish(): Promise<void> {
    const unfinished = log.sync();
    if (unfinished === null) return;
    const changed = await planReplay(engine, unfinished).run(async (path, seq, { bytes, temporary }) => {
      const kept = `${seq}/${path}`;
      const content = bytes ?? (temporary !== undefined && existsSync(temporary) ? readFileSync(temporary) : null);
      if (content === null) return;
      await aside.write(kept, content);
      failed(
        new Error(
          `${path} was changed by others before a write of it was carried out; what was written is in .cms/set-aside/${kept}`,
        ),
      );
    });
    await log.finish(changed);
  }
  return {
    /** Carries out what the log holds and the files do not; under the lock. */
    finish,
    /** A path in it, for a new file. */
    spoolFile(): string {
      makeFolder(spool, { mode: 0o700, within: root });
      return join(spool, `${temporaryPrefix}${process.pid}-${randomBytes(9).toString('base64url')}`);
    },
    /** What is in the log, and temporary files outside the content. */
    recover: () =>
      lock.withLock(async () => {
        await finish();
        for (const files of [documents.private, documents.cache]) await files.sweepTemporary();
        for (const name of existsSync(spool) ? readdirSync(spool) : [])
          if (name.startsWith(temporaryPrefix) && isAbandoned(join(spool, name))) dropTemporary(join(spool, name));
      }),
    /** Temporary files in the content that nobody will finish: the load has come by them. The log may still name them. */
    async tidy() {
      const left = engine.abandoned();
      if (left.length === 0) return;
      await lock.withLock(async () => {
        await finish();
        for (const file of left) dropTemporary(file);
      });
    },
  };
}
