/** The sample site as git has it: serving a checkout's `content/` writes ids and `.cms` into it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** @param dir  a folder that is not there yet */
export function copySampleSite(dir) {
  const whole = `${resolve(dir)}.checkout`;
  mkdirSync(whole, { recursive: true });
  // Continuous integration may run as another user than the owner of the checkout.
  const git = (args, input) => execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: root, input });
  git(['checkout-index', '-z', '--stdin', `--prefix=${whole}/`], git(['ls-files', '-z', 'content']));
  renameSync(join(whole, 'content'), dir);
  rmSync(whole, { recursive: true });
}
