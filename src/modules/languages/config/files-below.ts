/** Files of programs below a folder that is not content and not watched. Links are not followed. */
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Store } from '../../../kernel/store/types.ts';

interface BroughtFile {
  /** Below the content folder. */
  readonly path: string;
  readonly size: number;
}

/** Sorted by path; none without the folder, or if the store has no files. */
export async function filesBelow({ name, git }: Pick<Store, 'name' | 'git'>, folder: string): Promise<readonly BroughtFile[]> {
  if (git === null) return [];
  const found: BroughtFile[] = [];
  const entries = await readdir(join(name, folder), { recursive: true, withFileTypes: true }).catch(nothingThere);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const { size } = await stat(file);
    found.push({ path: relative(name, file).split(sep).join('/').normalize('NFC'), size });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function nothingThere(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
