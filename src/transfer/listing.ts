/**
 * What lies in a folder that others may change meanwhile: the entries of that very folder, never of one that a link leads to.
 */
import { closeSync, constants, type Dirent, readdirSync } from 'node:fs';
import { isInPlace, openInPlace } from '../kernel/store/file-reads.ts';
import { BlockedPathError } from '../kernel/store/paths.ts';
import { isAbsent } from '../kernel/store/scan.ts';

/**
 * @param folder  absolute, without links
 * @throws BlockedPathError when a link is in its place or on the way; NodeJS.ErrnoException
 */
export function listInPlace(folder: string): Dirent[] {
  const open = openInPlace(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    // By its name it could be another one by now.
    if (process.platform === 'linux') return readdirSync(`/proc/self/fd/${open}`, { withFileTypes: true });
    const found = readdirSync(folder, { withFileTypes: true });
    if (!isInPlace(open, folder)) throw new BlockedPathError(`a link on the way, not followed: ${folder}`);
    return found;
  } finally {
    closeSync(open);
  }
}

/** Whether an error says that something is not there, or that a link is there or on the way. */
export function isElsewhere(error: unknown): boolean {
  return isAbsent(error) || (error as NodeJS.ErrnoException).code === 'ELOOP' || error instanceof BlockedPathError;
}
