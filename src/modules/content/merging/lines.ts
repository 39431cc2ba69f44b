/** Merging line by line, by git itself. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../../kernel/environment.ts';
import type { LineMerge } from './entry.ts';

/** git could not be asked. */
export class MergeError extends Error {}

/** As git merges texts that no driver is set up for. @throws MergeError */
export const mergeLines: LineMerge = (versions) => {
  const dir = mkdtempSync(join(tmpdir(), 'cms-merge-'));
  try {
    const names = ['ours', 'base', 'theirs'] as const;
    for (const name of names) writeFileSync(join(dir, name), versions[name]);
    const labels = names.flatMap((name) => ['-L', name]);
    // Not the repository that the folder of temporary files may lie in, nor anybody's settings.
    const env = {
      PATH: environment.PATH ?? '',
      LC_ALL: 'C',
      GIT_DIR: dir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const { status: code, stdout, error } = spawnSync('git', ['merge-file', '-p', ...labels, ...names], { cwd: dir, env });
    // The number of conflicts, or of an error.
    if (error || code === null || code > 127) throw new MergeError(`git merge-file failed (${error?.message ?? code})`);
    return { bytes: stdout, hasConflicts: code > 0 };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
