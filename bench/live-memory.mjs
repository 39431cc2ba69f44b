/**
 * Loaded into a server before its program (`node --import`): what is live, in MiB, when it is asked for with SIGUSR2, is added as a line to the
 * file that LIVE_MEMORY_FILE names: all of it, on the heap, and in buffers. A full collection comes first: what a process holds besides is waste that nobody has collected.
 */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mib = [heapUsed + external, heapUsed, arrayBuffers].map((bytes) => bytes / 2 ** 20);
  appendFileSync(process.env.LIVE_MEMORY_FILE, `${mib.join(' ')}\n`);
});
