/**
 * Local copies of objects, for code that needs files, within the operator's limit; least recently used ones are removed. Deleting the folder is safe.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, rename, rm, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { makeFolder } from '../../../kernel/store/folders.ts';

export interface Copies {
  /** The file of one state of an object, downloaded by `save` if needed. @returns null if there is none */
  bring(name: string, save: (file: string) => Promise<boolean>): Promise<string | null>;
  /** Keeps an existing file as a copy. It is moved, or copied from another disk. */
  take(name: string, file: string): Promise<void>;
}

interface Copy {
  readonly size: number;
  usedMs: number;
}

/** Recently returned files may still be opened. */
const inUseMs = 60_000;
const partial = '.part-';

/** @param within  a folder that must exist */
export function createCopies(folder: string, maxBytes: number, within: string): Copies {
  const coming = new Map<string, Promise<string | null>>();
  let kept: Map<string, Copy> | undefined;

  /** Copies of earlier processes, oldest first. */
  function copies(): Map<string, Copy> {
    if (kept) return kept;
    makeFolder(folder, { mode: 0o700, within });
    const found = readdirSync(folder).flatMap((name): [string, Copy][] => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return stat?.isFile() && !name.startsWith(partial) ? [[name, { size: stat.size, usedMs: stat.mtimeMs }]] : [];
    });
    kept = new Map(found.sort(([, a], [, b]) => a.usedMs - b.usedMs));
    return kept;
  }

  function fileOf(name: string): string {
    return `${createHash('sha256').update(name).digest('hex').slice(0, 40)}${extname(name).slice(0, 10)}`;
  }

  function isHere(file: string): boolean {
    const copy = copies().get(file);
    if (!existsSync(join(folder, file))) {
      copies().delete(file);
      return false;
    }
    const now = Date.now();
    // Another process downloaded it.
    keep(file, copy?.size ?? statSync(join(folder, file)).size);
    if (now - (copy?.usedMs ?? 0) > inUseMs) void utimes(join(folder, file), now / 1000, now / 1000).catch(() => undefined);
    return true;
  }

  function keep(file: string, size: number): void {
    copies().delete(file);
    copies().set(file, { size, usedMs: Date.now() });
  }

  async function makeRoom(): Promise<void> {
    let total = 0;
    for (const { size } of copies().values()) total += size;
    for (const [file, { size, usedMs }] of copies()) {
      if (total <= maxBytes || Date.now() - usedMs < inUseMs) break;
      copies().delete(file);
      await rm(join(folder, file), { force: true });
      total -= size;
    }
  }

  /** Writes atomically. */
  async function place(name: string, write: (part: string) => Promise<boolean>): Promise<string | null> {
    makeFolder(folder, { mode: 0o700, within });
    const file = fileOf(name);
    const part = join(folder, `${partial}${process.pid}-${randomBytes(9).toString('base64url')}`);
    try {
      if (!(await write(part))) return null;
      const { size } = statSync(part);
      await rename(part, join(folder, file));
      keep(file, size);
    } finally {
      await rm(part, { force: true });
    }
    await makeRoom();
    return join(folder, file);
  }

  return {
    bring(name, save) {
      const file = fileOf(name);
      if (isHere(file)) return Promise.resolve(join(folder, file));
      const task = coming.get(file) ?? place(name, save).finally(() => coming.delete(file));
      coming.set(file, task);
      return task;
    },
    async take(name, from) {
      await place(name, async (part) => {
        await rename(from, part).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EXDEV') throw error;
          await copyFile(from, part);
          await rm(from);
        });
        return true;
      });
    },
  };
}
