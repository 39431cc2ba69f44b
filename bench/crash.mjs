#!/usr/bin/env node
/**
 * Kills a server under twenty writers, ten thousand times, with and without workers. Ends with 1 at the first thing that is lost, and
 * keeps the folder then.
 *
 *     npm run build && node bench/crash.mjs [--cycles 10000] [--workers 1,3] [--seed 1] [--within 400]
 *
 * Parts of a long run are shorter ones: `--cycles 1000 --workers 3 --seed 7`. The last line sums each of them up. Nearly all of a
 * cycle is the start of the server, which takes less on Node 22 and newer than on Node 20; `--within` is how many ms at most it then
 * writes, after the first five answers.
 */
import { spawn, execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { crashLoop } from './crash-loop.mjs';
import { readOptions } from './options.mjs';

const { values } = readOptions({
  options: {
    cycles: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '1,3' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    within: { type: 'string', default: '400' },
  },
});
const program = resolve(import.meta.dirname, '../bin/cms.js');
const kinds = values.workers.split(',').map(Number);
console.log(`seed ${values.seed}`);
const random = seeded(Number(values.seed));
const sums = [];

for (const workers of kinds) {
  const folder = mkdtempSync(join(tmpdir(), 'cms-crash-'));
  const dir = join(folder, 'site');
  const env = { ...process.env, CMS_STATE_DIR: join(folder, 'state') };
  const password = execFileSync(process.execPath, [program, 'init', dir], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  appendFileSync(join(dir, 'site.yaml'), 'revisions: 3\n');
  const headers = { authorization: `Basic ${btoa(`admin:${password}`)}` };
  // A process that is killed keeps no compiled code; one that ends by itself does, where Node can (22.1).
  await (await start(dir, workers, env)).stop();
  const cycles = Math.ceil(Number(values.cycles) / kinds.length);
  const began = Date.now();
  let toldAt = began;
  const acknowledged = await crashLoop({
    start: () => start(dir, workers, env),
    dir,
    headers,
    cycles,
    random,
    withinMs: Number(values.within),
    report: ({ cycle, acknowledged }) => {
      if (Date.now() - toldAt < 30_000 && cycle < cycles) return;
      toldAt = Date.now();
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`${workers} worker(s), cycle ${cycle} of ${cycles}, ${seconds} s: ${acknowledged} writes acknowledged`);
    },
  }).catch((error) => {
    console.error(`seed ${values.seed}, ${workers} worker(s): ${error.message}\nthe folder is kept: ${folder}`);
    process.exit(1);
  });
  execFileSync(process.execPath, [program, 'validate', dir], { env, stdio: 'inherit' });
  rmSync(folder, { recursive: true, force: true });
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`${workers} worker(s): ${cycles} kills in ${seconds} s, ${acknowledged} acknowledged writes, none lost`);
  sums.push({ workers, kills: cycles, seconds, acknowledged, lost: 0 });
}
console.log(JSON.stringify({ seed: Number(values.seed), runs: sums }));

async function start(dir, workers, env) {
  const child = spawn(process.execPath, [program, 'serve', dir, '--port', '0', '--workers', String(workers)], {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  let said = '';
  const url = await new Promise((found, fail) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000);
      const at = /serving \S+ at (http:\/\/[\d.:]+)/.exec(said)?.[1];
      if (at) found(at);
    });
    void ended.then(() => fail(new Error(`the server did not start: ${said}`)));
  });
  return {
    url,
    pid: child.pid,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** mulberry32 */
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
