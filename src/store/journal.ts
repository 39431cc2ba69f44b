/**
 * The journal of a commit of several files: what is about to be renamed and removed, written when every temporary file is on
 * disk. A process that dies in the middle leaves it behind; whoever takes the lock next finishes the commit from it.
 * Before the journal stands nothing has happened, and the temporary files are swept: the commit is undone.
 */

import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { etagOf } from './codec.ts';
import { dropTemporary, flushDirectory, unlinkFile, writeDurably } from './durable.ts';
import type { FilesDriver } from './files.ts';
import { checkPath, kindOf, temporaryPrefix } from './paths.ts';
import type { FileStat } from './scan.ts';

export type Step =
  /** `before` is the etag of what is replaced, null when nothing is. */
  | { readonly write: string; readonly temporary: string; readonly before: string | null }
  | { readonly remove: string; readonly before: string };

/** Stands for a file's content where reading it would take too long. */
export function statTag({ size, mtimeMs, ino }: FileStat): string {
  return `=${size}-${mtimeMs}-${ino}`;
}

export interface Journal {
  /** Durable when it returns. Temporary files as absolute paths. */
  write(steps: readonly Step[]): Promise<void>;
  /** The commit is complete. */
  clear(): Promise<void>;
  /** Finishes what a dead process has begun. Returns the paths touched, [] when there was nothing. */
  recover(files: FilesDriver): Promise<readonly string[]>;
}

/** @param dir  the `.cms` folder */
export function createJournal(dir: string): Journal {
  const file = join(dir, 'journal');

  async function recover(files: FilesDriver): Promise<readonly string[]> {
    const steps = read();
    if (steps === null) return [];
    const touched: string[] = [];
    let isComplete = true;
    for (const step of steps) {
      if (!('write' in step)) continue;
      const temporary = temporaryOf(files, step);
      if (temporary === null || !fs.existsSync(temporary)) continue;
      if (isAsBefore(files, step.write, step.before)) {
        await files.publish(temporary, step.write);
        touched.push(step.write);
      } else {
        // Somebody has written there since: theirs stays, and with it everything this commit would have removed.
        dropTemporary(temporary);
        isComplete = false;
      }
    }
    for (const step of steps) {
      if ('write' in step || !isComplete || !isAsBefore(files, step.remove, step.before)) continue;
      await files.unlink(step.remove);
      touched.push(step.remove);
    }
    await files.flush(touched);
    await clear();
    await flushDirectory(dir);
    return touched;
  }

  function read(): readonly Step[] | null {
    if (!fs.existsSync(file)) return null;
    try {
      const value = JSON.parse(fs.readFileSync(file, 'utf8')) as { steps?: unknown };
      return Array.isArray(value.steps) ? value.steps.filter(isStep) : [];
    } catch {
      return [];
    }
  }

  async function clear(): Promise<void> {
    if (fs.existsSync(file)) await unlinkFile(file);
  }

  return { write: (steps) => writeDurably(file, Buffer.from(JSON.stringify({ steps })), 0o600), clear, recover };
}

/** A journal is a file in the folder like others: a step may only name what a commit could have named. */
function isStep(value: unknown): value is Step {
  const step = value as { write?: unknown; temporary?: unknown; remove?: unknown; before?: unknown } | null;
  try {
    if (typeof step?.write === 'string') return checkPath(step.write) !== '' && typeof step.temporary === 'string';
    return typeof step?.remove === 'string' && checkPath(step.remove) !== '' && typeof step.before === 'string';
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

/** True when the file is what it was before the commit. */
function isAsBefore(files: FilesDriver, path: string, before: string | null): boolean {
  const stat = files.stat(path);
  if (stat === null || stat.refused !== undefined) return stat === null && before === null;
  if (before === statTag(stat)) return true;
  const bytes = kindOf(path) === 'blob' && before?.startsWith('=') ? null : files.read(path);
  return bytes !== null && etagOf(bytes) === before;
}
