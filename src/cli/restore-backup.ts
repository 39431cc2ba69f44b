/**
 * `cms restore BACKUP DIR`: a folder from a backup. All of it is unpacked and checked beside the folder before anything is replaced, and what is
 * replaced is put aside, not deleted.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { flushDirectory } from '../kernel/store/durable.ts';
import { createStore } from '../kernel/store/store.ts';
import { decryptFile, isEncrypted } from '../transfer/archive/encryption.ts';
import { restoreArchive } from '../transfer/archive/restore.ts';
import { SourceError } from '../transfer/import/items.ts';
import { passphraseOf } from './backup.ts';
import { failed, misuse } from './failure.ts';
import { createProgress, type Io } from './io.ts';

export interface BackupOptions {
  readonly force?: true;
  readonly adopt?: true;
  readonly passphraseFile?: string;
  readonly json?: true;
}

type Restored = Awaited<ReturnType<typeof restoreArchive>>;

/** @param file  that `cms backup` wrote. @param dir  content folder: new, empty, or with `force` one that is there */
export async function restoreBackup(file: string, dir: string, options: BackupOptions, io: Io): Promise<void> {
  const present = await stat(file).catch(() => null);
  if (!present?.isFile()) misuse(`"${relative(io.cwd, file)}" is not a file`);
  const parent = dirname(dir);
  const sealed = await isEncrypted(file);
  const passphrase = sealed ? await passphraseOf(options, io) : '';
  const work = existsSync(parent) ? await mkdtemp(join(parent, '.cms-restore-')) : null;
  if (work === null) return misuse(`"${relative(io.cwd, parent)}" does not exist`);
  try {
    let archive = file;
    if (sealed) {
      archive = join(work, 'backup.tar.gz');
      await decryptFile(file, archive, passphrase);
    }
    const { restored, aside } = await place(archive, dir, work, options, io);
    const adopted = options.adopt ? await adoptAll(dir) : 0;
    tell({ restored, aside, adopted, dir }, options, io);
  } catch (error) {
    if (error instanceof SourceError) failed(error.message, error.hint, error);
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Unpacks beside the folder where that holds something, and lets both change places. */
async function place(
  archive: string,
  dir: string,
  work: string,
  { force }: BackupOptions,
  io: Io,
): Promise<{ readonly restored: Restored; readonly aside: string | null }> {
  const progress = createProgress(io, 'restoring bytes');
  const unpack = (into: string): Promise<Restored> => restoreArchive({ file: archive, into, progress: progress.update });
  try {
    if (!force || !existsSync(dir)) {
      const restored = await unpack(dir).catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.hint !== 'name a new folder') throw error;
        return failed(error.message, 'name a new folder, or replace this one with --force', error);
      });
      return { restored, aside: null };
    }
    const fresh = join(work, basename(dir));
    const restored = await unpack(fresh);
    const aside = `${dir}.before-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    await rename(dir, aside);
    try {
      await rename(fresh, dir);
    } catch (error) {
      await rename(aside, dir);
      throw error;
    }
    // A backup has nothing of git: its history goes on, and shows what the restore changed.
    if (existsSync(join(aside, '.git'))) await rename(join(aside, '.git'), join(dir, '.git'));
    await flushDirectory(dirname(dir));
    return { restored, aside };
  } finally {
    progress.end();
  }
}

/** @returns how many private documents count from now on that did not before */
async function adoptAll(dir: string): Promise<number> {
  const store = await createStore({ dir });
  try {
    const found = (await store.private.inspect?.()) ?? [];
    await store.private.adopt?.(found.map(({ path }) => path.replace(/^\.cms\/private\//, '')));
    return found.length - ((await store.private.inspect?.()) ?? []).length;
  } finally {
    await store.close();
  }
}

interface Told {
  readonly restored: Restored;
  readonly aside: string | null;
  readonly adopted: number;
  readonly dir: string;
}

function tell({ restored, aside, adopted, dir }: Told, { json, adopt }: BackupOptions, io: Io): void {
  const shown = relative(io.cwd, dir) || '.';
  if (json) {
    const { result, name, files, bytes, private: isPrivate } = restored;
    io.out(JSON.stringify({ dir, result, name, files, bytes, private: isPrivate, adopted, aside }, null, 2));
    return;
  }
  if (restored.result === 'unchanged') io.out(`${shown} already is what the backup holds`);
  else io.out(`restored ${shown}: ${restored.files} files, ${(restored.bytes / 1024 / 1024).toFixed(1)} MB`);
  if (aside) io.out(`what was there: ${relative(io.cwd, aside)}`);
  if (adopted > 0) io.out(`adopted ${adopted} private document${adopted === 1 ? '' : 's'}`);
  else if (restored.private && !adopt) io.err(`  to adopt its accounts and keys on this machine: cms adopt ${shown}`);
}
