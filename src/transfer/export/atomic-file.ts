/**
 * An export in one file: written beside its place and moved there when it is whole, so that what was there stays until then.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../kernel/store/folders.ts';

export interface AtomicFile {
  write(text: string): void;
  /** Puts the file in its place. @returns its size in bytes */
  done(): number;
  /** Takes away what was written; nothing after `done`. */
  undo(): void;
}

const flushAt = 64 * 1024;

/** @param mode  of the new file; 0o600 for what is for its owner alone */
export function openAtomicFile(path: string, mode: number): AtomicFile {
  makeFolder(dirname(path));
  // One name, so that what an interrupted run left is replaced by the next.
  const temporary = join(dirname(path), `.${basename(path)}.part`);
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', mode);
  let waiting: string[] = [];
  let length = 0;
  let size = 0;
  let isOpen = true;
  const flush = (): void => {
    const bytes = Buffer.from(waiting.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    size += bytes.length;
    waiting = [];
    length = 0;
  };
  return {
    write(text) {
      waiting.push(text);
      length += text.length;
      if (length >= flushAt) flush();
    },
    done() {
      flush();
      fsyncSync(handle);
      closeSync(handle);
      isOpen = false;
      renameSync(temporary, path);
      return size;
    },
    undo() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(handle);
      rmSync(temporary, { force: true });
    },
  };
}
