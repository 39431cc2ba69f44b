/**
 * The journal of commits of several files: what is about to be renamed and removed, written when every temporary file is on
 * disk. A process that dies in the middle leaves it behind; whoever takes the lock next finishes the commits from it.
 * Before the journal stands nothing has happened, and the temporary files are swept: the commits are undone.
 * It also carries small new files that are flushed only after their commit has been answered.
 *
 * One file is written over in place, again and again: a new one each time would cost the disk several times as much. It carries a code
 * under the key of this machine: one that came with the content would name what is to be replaced or removed.
 */

import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { etagOf } from '../yaml/codec.ts';
import { createDisk, type Disk, dropTemporary, readOwn } from './durable.ts';
import type { FilesDriver } from './files.ts';
import { checkPath, kindOf, temporaryPrefix } from './paths.ts';
import { statTag } from './commit-plan.ts';
import { openSeal, type Seal, stateDirectory } from './state.ts';

interface WriteStep {
  readonly write: string;
  readonly temporary: string;
  /** The etag of what is replaced; null when nothing is. */
  readonly before: string | null;
  /** Of the temporary file, and of the target once it is there. */
  readonly ino: number;
  /** The etag of what is written; of a file that is moved, its size. For file systems whose inode numbers do not last. */
  readonly after?: string | number;
  /** All of a new file that is not flushed yet. */
  readonly text?: string;
}

export type Step = WriteStep | { readonly remove: string; readonly before: string };

export interface Journal {
  /** The steps of each commit. Durable when it returns. Temporary files as absolute paths. */
  write(commits: readonly (readonly Step[])[]): Promise<void>;
  /** The commits are complete. */
  clear(): void;
  /** Names the commits that have begun and are not complete: a process is at it, or has died. Null for none. Reads only. */
  pending(): string | null;
  /** Finishes what a dead process has begun. Returns the paths touched, [] when there was nothing. */
  recover(files: FilesDriver): Promise<readonly string[]>;
}

const mark = 'journal';
/** The beginning of a journal whose commits are complete; the next one is written over it. */
const cleared = '-\n';

/** @param dir  the `.cms` folder */
export function createJournal(dir: string, seal: Seal = openSeal(stateDirectory()), disk: Disk = createDisk()): Journal {
  const file = join(dir, 'journal');

  const read = (): string | undefined => readOwn(file)?.toString('utf8');

  async function recover(files: FilesDriver): Promise<readonly string[]> {
    const text = read();
    if (text === undefined) {
      // A link, say.
      fs.rmSync(file, { recursive: true, force: true });
      return [];
    }
    if (text.startsWith(cleared)) return [];
    const touched: string[] = [];
    for (const steps of parse(text)) touched.push(...(await finish(files, steps)));
    if (touched.length > 0) await files.flush(touched);
    await disk.unlink(file);
    await disk.flushDirectory(dir);
    return touched;
  }

  function parse(text: string): readonly (readonly Step[])[] {
    const head = new RegExp(`^${mark} (\\d{1,12}) ([\\w-]{43})\\n`).exec(text);
    if (head === null) return [];
    const bytes = Buffer.from(text.slice(head[0].length)).subarray(0, Number(head[1]));
    // Torn: nothing of it had begun. Or not ours.
    if (!seal.matches(head[2] as string, mark, bytes)) return [];
    const commits = JSON.parse(bytes.toString('utf8')) as unknown;
    return Array.isArray(commits) ? commits.map((steps) => (Array.isArray(steps) ? steps.filter(isStep) : [])) : [];
  }

  return {
    async write(commits) {
      const bytes = Buffer.from(JSON.stringify(commits));
      const isNew = !fs.existsSync(file);
      await disk.writeInPlace(
        file,
        Buffer.concat([Buffer.from(`${mark} ${bytes.length} ${seal.of(mark, bytes)}\n`), bytes]),
        0o600,
      );
      if (isNew) await disk.flushDirectory(dir);
    },
    clear() {
      // Whoever had the lock meanwhile may have finished the commits.
      if (!fs.existsSync(file)) return;
      const handle = fs.openSync(file, fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0));
      try {
        fs.writeSync(handle, cleared, 0);
      } finally {
        fs.closeSync(handle);
      }
    },
    pending() {
      const text = read() ?? cleared;
      return parse(text).some((steps) => steps.length > 0) ? text.slice(0, text.indexOf('\n')) : null;
    },
    recover,
  };
}

/**
 * Finishes one commit. When none of its files is in place and some temporary file is gone, it was refused at the last moment (or
 * undone), and what is left of it goes. Where somebody has written since, theirs stays, and with it all that would have been removed.
 */
async function finish(files: FilesDriver, steps: readonly Step[]): Promise<readonly string[]> {
  const touched: string[] = [];
  const writes = steps.flatMap((step) => {
    const temporary = 'write' in step && step.text === undefined ? temporaryOf(files, step) : null;
    if (!('write' in step) || temporary === null) return [];
    const isReady = fs.existsSync(temporary);
    return [{ step, temporary, isReady, isLost: !isReady && !isInPlace(files, step) }];
  });
  let isComplete = writes.every(({ isLost }) => !isLost);
  const isUndone = !isComplete && writes.every(({ isReady, isLost }) => isReady || isLost);
  for (const { step, temporary, isReady } of writes) {
    if (!isReady) continue;
    if (!isUndone && isAsBefore(files, step.write, step.before)) {
      await files.publish(temporary, step.write);
      touched.push(step.write);
    } else {
      dropTemporary(temporary);
      isComplete = false;
    }
  }
  for (const step of steps)
    if ('write' in step && step.text !== undefined && (await restore(files, step, isUndone))) touched.push(step.write);
  for (const step of steps) {
    if ('write' in step || !isComplete || !isAsBefore(files, step.remove, step.before)) continue;
    await files.unlink(step.remove);
    touched.push(step.remove);
  }
  return touched;
}

/** Writes a file anew that was not flushed: it may be missing, or torn by a power cut. What others have made of it since stays. */
async function restore(files: FilesDriver, step: WriteStep, isUndone: boolean): Promise<boolean> {
  const temporary = temporaryOf(files, step);
  if (temporary !== null) dropTemporary(temporary);
  const stat = files.stat(step.write);
  if (stat === null ? isUndone : stat.ino !== step.ino) return false;
  const text = Buffer.from(step.text ?? '');
  const found = stat === null ? null : files.read(step.write);
  if (found !== null && !isTorn(found, text)) return false;
  await files.write(step.write, text);
  return true;
}

/** Whether these are the bytes, with zeros for what never reached the disk. */
function isTorn(found: Uint8Array, bytes: Uint8Array): boolean {
  return found.length <= bytes.length && found.every((byte, at) => byte === bytes[at] || byte === 0);
}

/** A journal is a file in the folder like others: a step may only name what a commit could have named. */
function isStep(value: unknown): value is Step {
  const step = value as Partial<Record<'write' | 'temporary' | 'text' | 'remove' | 'before', unknown>> | null;
  const isText = (text: unknown): boolean => typeof text === 'string';
  try {
    if (typeof step?.write === 'string') return checkPath(step.write) !== '' && isText(step.temporary) && isText(step.text ?? '');
    return typeof step?.remove === 'string' && checkPath(step.remove) !== '' && isText(step.before);
  } catch {
    return false;
  }
}

/** The temporary file as it must be called, in the target's own folder. */
function temporaryOf(files: FilesDriver, step: { readonly write: string; readonly temporary: string }): string | null {
  const name = basename(step.temporary);
  const directory = dirname(files.locate(step.write));
  if (!name.startsWith(temporaryPrefix) || dirname(step.temporary) !== directory) return null;
  try {
    return fs.realpathSync.native(directory) === directory ? step.temporary : null;
  } catch {
    return null;
  }
}

/** True when the target is what the commit has put there. */
function isInPlace(files: FilesDriver, { write, ino, before, after }: WriteStep): boolean {
  const { ino: now, size } = files.stat(write) ?? {};
  if (now === ino || typeof after === 'number') return now === ino || (size === after && !isAsBefore(files, write, before));
  return after !== undefined && isAsBefore(files, write, after);
}

/** True when the file is what it was before the commit. */
function isAsBefore(files: FilesDriver, path: string, before: string | null): boolean {
  const stat = files.stat(path);
  if (stat === null || stat.refused !== undefined) return stat === null && before === null;
  if (before === statTag(stat)) return true;
  const bytes = kindOf(path) === 'blob' && before?.startsWith('=') ? null : files.read(path);
  return bytes !== null && etagOf(bytes) === before;
}
