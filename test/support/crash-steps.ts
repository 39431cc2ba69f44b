/**
 * What a process leaves behind when it is killed, for every step at once: before each of its calls that change something on the disk,
 * the folders of the site are copied as they are. That is what SIGKILL at that moment would leave, and one process is enough for all.
 *
 * A commit is finished by the numbers of its files (inodes), so each file is linked beside its copy: put back is the file itself, as far
 * as nobody has written into it since.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteState, stateDirectory } from '../../src/kernel/store/state.ts';
import { builtProgram } from './program-build.ts';

/** Copies the folders before each change, or ends the process before the change of the number `KILL_AT`. */
const prelude = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
const { STEPS_INTO: into, KILL_AT: killAt } = process.env;
const folders = JSON.parse(process.env.STEPS_OF);
let steps = 0;
let isCopying = false;
const isContent = (target) =>
  typeof target === 'number' ? target > 2 : typeof target !== 'string' || (folders.some((one) => target.startsWith(one)) && !target.includes('/.cms/cache'));
function step(target) {
  if (isCopying || !isContent(target)) return;
  steps++;
  if (killAt && steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  if (killAt) return;
  isCopying = true;
  // Calls of other threads go on: what vanishes in between is copied again.
  for (let attempt = 1; ; attempt++)
    try {
      const place = join(into, String(steps));
      fs.rmSync(place, { recursive: true, force: true });
      for (const [at, folder] of folders.entries())
        keep(folder, join(place, 'copies', String(at)), join(place, 'files', String(at)));
      break;
    } catch (error) {
      if (attempt === 20) throw error;
    }
  isCopying = false;
}
function keep(folder, copies, files) {
  for (const one of [copies, files]) fs.mkdirSync(one, { recursive: true });
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const [from, copy, file] = [folder, copies, files].map((one) => join(one, entry.name));
    if (from.endsWith('/.cms/cache')) continue;
    if (entry.isDirectory()) keep(from, copy, file);
    else {
      fs.copyFileSync(from, copy);
      fs.linkSync(from, file);
    }
  }
}
const watched = (holder, names) => {
  for (const name of names) {
    const real = holder[name];
    if (real) holder[name] = function (target, ...rest) {
      step(typeof this?.fd === 'number' ? this.fd : target);
      return real.call(this, target, ...rest);
    };
  }
};
const changing = ['rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'write', 'writev', 'writeFile', 'appendFile', 'truncate', 'ftruncate', 'link', 'symlink', 'copyFile', 'fsync', 'fdatasync'];
const probe = await fs.promises.open(process.execPath);
watched(Object.getPrototypeOf(probe), ['write', 'writev', 'writeFile', 'appendFile', 'truncate', 'sync', 'datasync']);
await probe.close();
watched(fs, changing.flatMap((name) => [name, name + 'Sync']));
watched(fs.promises, changing);
syncBuiltinESMExports();
`;

export interface TracedProcess {
  readonly process: ChildProcess;
  /** What it says on standard error. */
  said(): string;
  /** Its exit status; null when it was killed. */
  readonly ended: Promise<number | null>;
}

export interface Traced extends TracedProcess {
  /**
   * Puts the site back as each step left it, where it was; steps that left the same are one.
   * @param check  with the number of the step
   * @returns how many different states there were
   */
  each(check: (step: number) => Promise<void>): Promise<number>;
}

/** The command line on a site, all its steps kept. */
export async function trace(dir: string, line: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Traced> {
  const into = await mkdtemp(join(tmpdir(), 'cms-steps-'));
  const folders = foldersOf(dir);
  const started = await startProgram(dir, line, { ...env, STEPS_INTO: into });
  return {
    ...started,
    async each(check) {
      const steps = (await readdir(into)).map(Number).sort((a, b) => a - b);
      const seen = new Set<string>();
      for (const step of steps) {
        const place = join(into, String(step));
        const digest = await digestOf(join(place, 'copies'));
        if (seen.has(digest)) continue;
        seen.add(digest);
        for (const [at, folder] of folders.entries()) {
          await rm(folder, { recursive: true, force: true });
          await putBack(join(place, 'copies', String(at)), join(place, 'files', String(at)), folder);
        }
        await check(step);
      }
      await rm(into, { recursive: true });
      return seen.size;
    },
  };
}

/** The command line on a site, killed before the change of this number. */
export async function kill(dir: string, line: readonly string[], at: number): Promise<number | null> {
  return (await startProgram(dir, line, { KILL_AT: String(at) })).ended;
}

/** Content and what this machine keeps of it beside. */
function foldersOf(dir: string): readonly string[] {
  return [dir, siteState(stateDirectory(), dir)];
}

async function startProgram(dir: string, line: readonly string[], env: Readonly<Record<string, string>>): Promise<TracedProcess> {
  const { main } = await builtProgram();
  const program = join(await mkdtemp(join(tmpdir(), 'cms-steps-')), 'program.mjs');
  await writeFile(
    program,
    `${prelude}\nconst { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const all = { ...process.env, ...env, STEPS_OF: JSON.stringify(foldersOf(dir)) };
  const child = spawn(process.execPath, [program, ...line], { cwd: dir, env: all, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString('utf8');
  });
  return {
    process: child,
    said: () => said,
    ended: new Promise((resolve, reject) => child.on('close', (status) => resolve(status)).on('error', reject)),
  };
}

async function putBack(copies: string, files: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(copies, { withFileTypes: true })) {
    const [copy = '', file = '', to = ''] = [copies, files, folder].map((one) => join(one, entry.name));
    if (entry.isDirectory()) await putBack(copy, file, to);
    else if ((await readFile(copy)).equals(await readFile(file))) await link(file, to);
    else await copyFile(copy, to);
  }
}

async function digestOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash('sha256');
  for (const path of paths.sort()) digest.update(`${path.slice(folder.length)}\n`).update(await readFile(path));
  return digest.digest('hex');
}
