/** Merging line by line, by git itself, beside whatever else the process does. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { environment } from '../../../kernel/environment.ts';
import type { LineMerge } from './entry.ts';

/** git could not be asked. */
export class MergeError extends Error {}

/** Longer than any text takes. */
const timeoutMs = 60_000;

/** As git merges texts that no driver is set up for. @throws MergeError */
export const mergeLines: LineMerge = async (versions) => {
  // git refuses what it takes for no text, as in its own merges: ours stays, for a person to look at.
  if (Object.values(versions).some(isBinary)) return { bytes: versions.ours, hasConflicts: true };
  const dir = await mkdtemp(join(tmpdir(), 'cms-merge-'));
  try {
    const names = ['ours', 'base', 'theirs'] as const;
    for (const name of names) await writeFile(join(dir, name), versions[name]);
    const labels = names.flatMap((name) => ['-L', name]);
    // Not the repository that the folder of temporary files may lie in, nor anybody's settings.
    const env = {
      PATH: environment.PATH ?? '',
      LC_ALL: 'C',
      GIT_DIR: dir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const child = spawn('git', ['merge-file', '-p', ...labels, ...names], {
      ...{ cwd: dir, env, timeout: timeoutMs },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<number | string>((done) => {
      child.once('error', ({ message }) => done(message)).once('close', (code, signal) => done(code ?? signal ?? ''));
    });
    const [bytes, code] = await Promise.all([buffer(child.stdout), ended]);
    // The number of conflicts, or of an error.
    if (typeof code !== 'number' || code > 127) throw new MergeError(`git merge-file failed (${code})`);
    return { bytes, hasConflicts: code > 0 };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/** As git tells it. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);
