/**
 * Loaded into a server before its program (`node --import`): what is live, in MiB, when it is asked for with SIGUSR2, is added as a line to the
 * file that LIVE_MEMORY_FILE names. A full collection comes first: what a process holds besides is waste that nobody has collected.
 */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(process.env.LIVE_MEMORY_FILE, `${(heapUsed + external) / 2 ** 20}\n`);
});
