/**
 * One folder for everything a run of the tests writes: temporary sites, the state directory of the machine, the built program, a
 * copy of the sample site. It is
 * taken away after the run, so tests leave nothing behind in the home of whoever runs them.
 *
 * Without `TMPDIR` it lies in memory where there is room: what the tests show of the disk they show by its calls, and waiting for a
 * real one to flush takes a third of the time.
 */
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { copySampleSite } from '../../bench/sample-site.mjs';

const memory = '/dev/shm';
const enoughBytes = 2 * 1024 ** 3;

/** Where the program is built: inside the repository, where its packages are found. @param run  the folder of the run */
export const buildFolder = (run: string): string => resolve(import.meta.dirname, `../../.build-${basename(run)}`);

/** Called for each project of the configuration: the first one makes the folder. */
export default function setup(): (() => void) | undefined {
  if (process.env.CMS_TEST_RUN !== undefined) return undefined;
  const dir = mkdtempSync(join(process.env.TMPDIR ?? (hasRoom(memory) ? memory : tmpdir()), 'cms-tests-'));
  process.env.CMS_TEST_RUN = dir;
  process.env.TMPDIR = dir;
  process.env.CMS_STATE_DIR = join(dir, 'state');
  mkdirSync(process.env.CMS_STATE_DIR);
  copySampleSite(join(dir, 'sample'));
  return () => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    rmSync(buildFolder(dir), { recursive: true, force: true });
  };
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > enoughBytes;
  } catch {
    return false;
  }
}
