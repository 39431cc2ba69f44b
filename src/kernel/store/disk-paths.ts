/**
 * Where the files of a folder are on disk: absolute paths by their paths in the folder, without a symbolic link on the way.
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
  /**
   * Asks the disk each time: who pulls may put a link in the place of a directory at any moment. To be called right before a name is
   * changed; of what is opened, `openInPlace` asks afterwards.
   * @throws BlockedPathError when a directory on the way is a link; NodeJS.ErrnoException when it is not there
   */
  guard(directory: string): void;
  /** The same once in a turn of the event loop, for what is only looked at. */
  guardOnce(directory: string): void;
  /** @throws BlockedPathError when it is reached through a link */
  isThere(directory: string): boolean;
}

/** @param dir  the folder; it need not be there */
export function createDiskPaths(dir: string): DiskPaths {
  const root = realPath(dir);
  /** Directories found to be real in this turn of the event loop. */
  const guarded = new Set<string>();

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
      if (directory.length > root.length && fs.realpathSync.native(directory) !== directory)
        throw new BlockedPathError(`a link on the way, not followed: ${directory.slice(root.length + 1)}`);
      if (guarded.size === 0) setImmediate(() => guarded.clear());
      guarded.add(directory);
    },
    guardOnce(directory) {
      if (!guarded.has(directory)) paths.guard(directory);
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
  };
  return paths;
}

/** Absolute and without links; of what is not there yet, through its nearest parent. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  if (fs.existsSync(absolute)) return fs.realpathSync.native(absolute);
  return dirname(absolute) === absolute ? absolute : join(realPath(dirname(absolute)), basename(absolute));
}
