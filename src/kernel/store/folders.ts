/**
 * Folders made with those above them. Not by `mkdir` with `recursive`: in Node 20 that never returns where a folder is there and
 * nothing can be made in it, as in `/proc`; and it makes the content folder anew while its disk is away.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

interface FolderOptions {
  /** Of the new folders. */
  readonly mode?: number;
  /** A folder that must be there: neither it nor one above it is made. */
  readonly within?: string | undefined;
}

/**
 * @returns the folders that were made, topmost first
 * @throws NodeJS.ErrnoException; ENOENT when `within` is not there
 */
export function makeFolder(dir: string, { mode = 0o777, within }: FolderOptions = {}): readonly string[] {
  const missing: string[] = [];
  const isOver = (folder: string): boolean => folder === within || existsSync(folder) || dirname(folder) === folder;
  for (let folder = resolve(dir); !isOver(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Somebody else has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
    }
  }
  return missing;
}
