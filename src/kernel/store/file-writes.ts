/**
 * Writing the files of a folder: its directories are made and removed with them, and only flushing waits on the disk.
 */

import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { backgroundMs, chunksOf, paced } from '../scheduler.ts';
import type { DiskPaths } from './disk-paths.ts';
import { type Disk, dropTemporary, type StageOptions, type Temporary } from './durable.ts';
import { makeFolder } from './folders.ts';
import { checkPath } from './paths.ts';
import type { Replaced } from './replaced-files.ts';
import { isAbsent } from './scan.ts';

export interface FileWrites {
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** The steps of `write` apart, for changes of several files: temporary file, rename, flush of the directories. */
  stage(path: string, bytes: Uint8Array, options?: StageFileOptions): Promise<Temporary>;
  /** As `stage`, for a file that is already written elsewhere and is moved. */
  take(path: string, fromFile: string): Promise<Temporary>;
  publish(temporary: string, path: string, replaced?: Replaced): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes the directories that `unlink` has left empty. */
  tidy(): Promise<void>;
  /** Flushes the directories of these files, after `tidy`. */
  flush(paths: Iterable<string>): Promise<void>;
  /** The same with the files themselves, for those that were staged to be flushed later. */
  flushFiles(paths: readonly string[]): Promise<void>;
}

interface StageFileOptions extends Pick<StageOptions, 'isFlushedLater'> {
  /** Nothing is there to take the permissions from. */
  readonly isNew?: boolean;
}

/** What is written, and what is left to do for it. */
interface Writing {
  readonly paths: DiskPaths;
  readonly disk: Disk;
  /** Mode 0600 for files and 0700 for folders. */
  readonly isPrivate: boolean;
  /** Folder that is never made; undefined for none. */
  readonly within: string | undefined;
  /** Directories that removals may have left empty. */
  readonly emptied: Set<string>;
  /** Directories in which others came or went, to be flushed with the files. */
  readonly changed: Set<string>;
}

/** Files or directories that are flushed side by side. */
const atOnce = 32;
/** Of a file that need not be flushed: a link or a directory is in its place, or it has been closed to us. */
const isReplaced: ReadonlySet<unknown> = new Set(['ELOOP', 'EISDIR', 'EACCES', 'EPERM', 'ENOTDIR']);

export function createFileWrites(paths: DiskPaths, disk: Disk, isPrivate: boolean, within?: string): FileWrites {
  const writing: Writing = { paths, disk, isPrivate, within, emptied: new Set(), changed: new Set() };
  return {
    async write(path, bytes) {
      const { temporary } = await stage(writing, path, bytes);
      try {
        await publish(writing, temporary, path);
      } catch (error) {
        dropTemporary(temporary);
        throw error;
      }
      await flush(writing, [path]);
    },
    stage: (path, bytes, options) => stage(writing, path, bytes, options),
    take: (path, fromFile) =>
      inDirectory(writing, dirname(paths.locate(checkPath(path))), (directory) => disk.take(directory, fromFile)),
    publish: (temporary, path, replaced) => publish(writing, temporary, path, replaced),
    unlink: (path) => unlink(writing, path),
    tidy: () => tidy(writing),
    flush: (some) => flush(writing, some),
    async flushFiles(some) {
      const flushOne = (path: string) =>
        disk.flushFile(paths.locate(path)).catch((error: NodeJS.ErrnoException) => {
          if (!isReplaced.has(error.code)) throw error;
        });
      for await (const chunk of paced(chunksOf(some, atOnce), 1, backgroundMs)) await Promise.all(chunk.map(flushOne));
      await flush(writing, some);
    },
  };
}

function stage(
  writing: Writing,
  path: string,
  bytes: Uint8Array,
  { isNew, isFlushedLater = false }: StageFileOptions = {},
): Promise<Temporary> {
  const { paths, disk, isPrivate } = writing;
  const target = paths.locate(checkPath(path));
  const before = isNew ? undefined : fs.lstatSync(target, { throwIfNoEntry: false });
  const mode = before?.isFile() && !isPrivate ? before.mode & 0o777 : isPrivate ? 0o600 : 0o666;
  const isExact = before !== undefined || isPrivate;
  return inDirectory(writing, dirname(target), (directory) => disk.stage(directory, bytes, mode, { isExact, isFlushedLater }));
}

/** Makes the directory if need be and something in it. */
async function inDirectory(
  { paths, isPrivate, within, changed }: Writing,
  directory: string,
  make: (directory: string) => Promise<Temporary>,
): Promise<Temporary> {
  // Twice at most: a neighbour may remove the directory as empty between the two steps.
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0 || !paths.isThere(directory)) {
      paths.guard(nearestExisting(paths.root, directory));
      const mode = isPrivate ? 0o700 : 0o777;
      for (const made of makeFolder(directory, { mode, within })) changed.add(dirname(made));
    }
    try {
      return await make(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt > 0) throw error;
    }
  }
}

/** @throws BlockedPathError when a link has come in the place of a directory since the file was staged */
async function publish({ paths, disk }: Writing, temporary: string, path: string, replaced?: Replaced): Promise<void> {
  const target = paths.locate(path);
  paths.guard(dirname(target));
  await disk.publish(temporary, target, replaced);
}

async function unlink({ paths, disk, emptied }: Writing, path: string): Promise<void> {
  const absolute = paths.locate(checkPath(path));
  try {
    paths.guard(dirname(absolute));
    await disk.unlink(absolute);
    emptied.add(dirname(absolute));
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

async function flush(writing: Writing, paths: Iterable<string>): Promise<void> {
  await tidy(writing);
  const places = new Set(writing.changed);
  writing.changed.clear();
  for (const path of paths) places.add(dirname(writing.paths.locate(path)));
  try {
    for await (const some of paced(chunksOf([...places], atOnce), 1)) await Promise.all(some.map(writing.disk.flushDirectory));
  } catch (error) {
    for (const place of places) writing.changed.add(place);
    throw error;
  }
}

/** With their parents. */
async function tidy({ paths, emptied, changed }: Writing): Promise<void> {
  for await (const one of paced([...emptied], 1)) {
    emptied.delete(one);
    let directory = one;
    while (directory.length > paths.root.length && removeIfEmpty(paths, directory)) directory = dirname(directory);
    changed.add(directory);
  }
}

function nearestExisting(root: string, directory: string): string {
  let place = directory;
  while (place.length > root.length && !fs.existsSync(place)) place = dirname(place);
  return place;
}

function removeIfEmpty(paths: DiskPaths, directory: string): boolean {
  try {
    paths.guard(directory);
    fs.rmdirSync(directory);
    return true;
  } catch (error) {
    return isAbsent(error);
  }
}
