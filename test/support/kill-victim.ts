/**
 * A server that writes, and the disk as it would be if it were killed before each call that changes it: SIGKILL takes a process and
 * leaves what it has written. Run as a process of its own, so that whoever opens these states finds its locks and temporary files
 * those of a process that is gone.
 *
 *     node kill-victim.js <folder for the states> <every>    prints one line of JSON for each scenario
 */
import { failDisk, isWriting, real } from './disk-faults.ts';
import { join } from 'node:path';
import { startSite } from './site.ts';
import { digestsOf, stampOf } from './folder-states.ts';
import { writeScenarios } from './write-scenarios.ts';

/** What each scenario leaves for whoever judges it. */
export interface VictimReport {
  readonly name: string;
  /** The content as it was before, after each commit, and in the end, in order. */
  readonly allowed: readonly (readonly (readonly [path: string, digest: string])[])[];
  /** Numbers of the calls that there is a state of; those from `answeredAt` on were made after the answer. */
  readonly calls: readonly number[];
  readonly answeredAt: number;
  readonly dir: string;
}

const [states = '', chosen = 'all'] = process.argv.slice(2);
const few = new Set([1, 2, 3, 5, 8, 13, 21, 34]);
const isChosen = (call: number): boolean => chosen === 'all' || few.has(call);
const changing = new Set(['write', 'writeFile', 'rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'copyFile', 'ftruncate', 'open']);
const home = process.env.CMS_STATE_DIR as string;

const site = await startSite();
const { store } = site.site;
const allowed: VictimReport['allowed'][number][] = [];
const present = () => [...digestsOf(site.dir)];
const { commit } = store;
Object.assign(store, {
  async commit(...given: Parameters<typeof commit>) {
    const entries = await commit(...given);
    allowed.push(present());
    return entries;
  },
});

for (const [serial, scenario] of writeScenarios.entries()) {
  const write = await scenario.prepare(site, serial + 1, () => void allowed.push(present()));
  await site.site.ingest(await store.sweep());
  allowed.length = 0;
  allowed.push(present());
  const calls: number[] = [];
  let [count, answeredAt, isCopying] = [0, Number.POSITIVE_INFINITY, false];
  const end = failDisk((call, path, flags) => {
    const isOurs = path.startsWith(site.dir) || path.startsWith(home);
    if (isCopying || !isOurs || !changing.has(call) || !isWriting(call, flags)) return undefined;
    count++;
    if (!isChosen(count)) return undefined;
    isCopying = true;
    const to = join(states, String(serial), String(count));
    const stamp = stampOf(site.dir, home);
    real.cpSync(site.dir, join(to, 'site'), { recursive: true, preserveTimestamps: true });
    real.cpSync(home, join(to, 'state'), { recursive: true, preserveTimestamps: true });
    isCopying = false;
    // Calls of other threads may have changed something while it was copied: then it is no state that ever was.
    if (stampOf(site.dir, home) === stamp) calls.push(count);
    else real.rmSync(to, { recursive: true });
    return undefined;
  });
  const { status } = await write();
  answeredAt = count + 1;
  if (status >= 300) throw new Error(`${scenario.name}: ${status}`);
  // What follows an answer: the journal is cleared, the lock is given up.
  await new Promise((resolve) => setTimeout(resolve, 60));
  end();
  allowed.push(present());
  const report: VictimReport = { name: scenario.name, allowed, calls, answeredAt, dir: site.dir };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
// Killed, like those whose states were kept: nothing is cleared up.
process.kill(process.pid, 'SIGKILL');
