/**
 * Folders that a user names, made with those above them. Not by `mkdir` with `recursive`: in Node 20 that never returns where a folder
 * is there and nothing can be made in it, as in `/proc`.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * @param mode  of the new folders
 * @returns the topmost folder that was made; undefined when all were there
 * @throws NodeJS.ErrnoException
 */
export function makeFolder(dir: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(dir); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.push(folder);
  for (const folder of [...missing].reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Somebody else has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
    }
  }
  return missing.at(-1);
}
