/**
 * Where the files of a folder lie on disk: absolute paths by their paths in the folder, and that no link is on the way there.
 */

import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BlockedPathError } from './paths.ts';
import { isAbsent } from './scan.ts';

export interface DiskPaths {
  /** The folder, absolute and without links. */
  readonly root: string;
  /** Paths in NFC whose name on disk is written otherwise, as the scans find them. */
  names: Map<string, string>;
  /** Absolute path of a file, there or not; a name not in NFC on disk is found through the last scan. */
  locate(path: string): string;
  /** @throws BlockedPathError when a directory on the way is a link; NodeJS.ErrnoException when it is not there */
  guard(directory: string): void;
  /** @throws BlockedPathError when it is reached through a link */
  isThere(directory: string): boolean;
  /** Runs work in which each directory is checked once to be no link. */
  group<T>(work: () => Promise<T>): Promise<T>;
}

/** @param dir  the folder; it need not be there */
export function createDiskPaths(dir: string): DiskPaths {
  const root = realRoot(resolve(dir));
  /** Directories found to be real in this turn of the event loop, or in this group of commits. */
  const guarded = new Set<string>();
  let groups = 0;

  function forgetGuarded(): void {
    if (groups === 0) guarded.clear();
  }

  const paths: DiskPaths = {
    root,
    names: new Map(),
    locate(path) {
      const { names } = paths;
      if (names.size === 0) return join(root, path);
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const onDisk = names.get(path.slice(0, end));
        if (onDisk !== undefined) return join(root, onDisk + path.slice(end));
      }
      return join(root, path);
    },
    guard(directory) {
      if (directory.length <= root.length || guarded.has(directory)) return;
      const real = fs.realpathSync.native(directory);
      if (real !== directory) throw new BlockedPathError(`a link on the way, not followed: ${directory.slice(root.length + 1)}`);
      if (guarded.size === 0 && groups === 0) setImmediate(forgetGuarded);
      guarded.add(directory);
    },
    isThere(directory) {
      try {
        paths.guard(directory);
        return true;
      } catch (error) {
        if (!isAbsent(error)) throw error;
        return false;
      }
    },
    async group(work) {
      groups++;
      try {
        return await work();
      } finally {
        groups--;
        forgetGuarded();
      }
    },
  };
  return paths;
}

/** The folder's path without links; for one that is not there yet, that of its nearest parent. */
function realRoot(dir: string): string {
  if (fs.existsSync(dir)) return fs.realpathSync.native(dir);
  return join(realRoot(dirname(dir)), basename(dir));
}
