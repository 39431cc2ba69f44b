/** What is in a folder: every regular file with its size and times, and what is refused with the reason. */

import * as fs from 'node:fs';
import { sep } from 'node:path';
import { createPace } from './pace.ts';
import { isNameReadable, isPassedOver, maxDepth } from './paths.ts';

/** Why something in the folder is not read. */
export type Refusal = 'link' | 'special' | 'name' | 'depth' | 'unreadable';

export interface FileStat {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly refused?: Refusal;
}

export interface Directory {
  /** '' is the folder itself. */
  readonly path: string;
  readonly absolute: string;
  readonly ino: number;
}

export interface Scan {
  readonly files: FileStat[];
  readonly directories: Directory[];
  /** Paths in NFC → as written on disk, where that differs. */
  readonly names: Map<string, string>;
}

const maxScannedPath = 2000;

/**
 * Lists a folder without following links. Gives way to the event loop every few milliseconds.
 * @param root  absolute, without links
 * @throws NodeJS.ErrnoException when the folder itself cannot be listed
 * Cost: about 2 µs a file on a warm cache.
 */
export async function scanFolder(root: string): Promise<Scan> {
  const scan: Scan = { files: [], directories: [], names: new Map() };
  const pace = createPace();
  const stack = [{ path: '', onDisk: '', depth: 0 }];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    const { depth } = here;
    const absolute = here.onDisk === '' ? root : `${root}${sep}${here.onDisk}`;
    const items = list(absolute, here.path, scan);
    const prefix = here.path === '' ? '' : `${here.path}/`;
    const diskPrefix = here.onDisk === '' ? '' : `${here.onDisk}/`;
    for (const item of items) {
      const { name } = item;
      if (isPassedOver(name, depth)) continue;
      const proper = isAscii(name) ? name : name.normalize('NFC');
      const path = prefix + proper;
      if (!isNameReadable(name) || (proper !== name && fs.existsSync(`${absolute}${sep}${proper}`))) {
        scan.files.push(refusal(path, 'name'));
        continue;
      }
      if (proper !== name) scan.names.set(path, diskPrefix + name);
      if (item.isDirectory()) {
        if (depth + 2 > maxDepth || path.length > maxScannedPath) scan.files.push(refusal(path, 'depth'));
        else stack.push({ path, onDisk: diskPrefix + name, depth: depth + 1 });
        continue;
      }
      const stats = lstat(`${absolute}${sep}${name}`);
      if (stats === null) scan.files.push(refusal(path, 'unreadable'));
      else if (stats !== undefined) scan.files.push(toStat(path, stats));
      if (pace.isDue()) await pace.rest();
    }
  }
  return scan;
}

/** The stat of something that is no directory: of a regular file, or its refusal. */
export function toStat(path: string, stats: fs.Stats): FileStat {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  if (stats.isFile()) return { path, size, mtimeMs, ctimeMs, ino };
  return refusal(path, stats.isSymbolicLink() ? 'link' : 'special');
}

export function refusal(path: string, refused: Refusal): FileStat {
  return { path, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, refused };
}

/** True for the errors that say a file is not there. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The directory's items; [] for one that vanished or cannot be listed, which is then among the refused. */
function list(absolute: string, path: string, scan: Scan): fs.Dirent[] {
  try {
    const items = fs.readdirSync(absolute, { withFileTypes: true });
    scan.directories.push({ path, absolute, ino: fs.lstatSync(absolute).ino });
    return items;
  } catch (error) {
    if (path === '') throw error;
    if (!isAbsent(error)) scan.files.push(refusal(path, 'unreadable'));
    return [];
  }
}

/** Undefined when it vanished meanwhile, null when it cannot be looked at. */
function lstat(absolute: string): fs.Stats | undefined | null {
  try {
    return fs.lstatSync(absolute, { throwIfNoEntry: false });
  } catch (error) {
    return isAbsent(error) ? undefined : null;
  }
}

function isAscii(name: string): boolean {
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) > 127) return false;
  return true;
}
