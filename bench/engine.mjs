#!/usr/bin/env node
/**
 * Writes over a database that several nodes share, beside those of a folder, and how soon the other nodes know them.
 *
 *     npm run build && node bench/engine.mjs --engine postgres://cms@127.0.0.1:5432/cms [--writes 400] [--nodes 3]
 *
 * The schema `cms_bench` of the database is dropped and made anew.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values } = parseArgs({
  options: { engine: { type: 'string' }, writes: { type: 'string', default: '400' }, nodes: { type: 'string', default: '3' } },
});
if (!values.engine) throw new Error('--engine is missing');
const [writes, count] = [Number(values.writes), Number(values.nodes)];
const url = new URL(values.engine);
const client = new pg.Client({ connectionString: url.href });
await client.connect();
await client.query('drop schema if exists cms_bench cascade');
await client.end();
url.searchParams.set('schema', 'cms_bench');

const folder = mkdtempSync(join(tmpdir(), 'cms-bench-engine-'));
const env = { ...process.env, CMS_STATE_DIR: join(folder, 'state') };
const cms = (args, more = {}) =>
  execFileSync(process.execPath, [resolve('bin/cms.js'), ...args], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: 'pipe',
  }).toString();
const running = [];
const agent = new Agent({ keepAlive: true });
let places = [];
const ids = new Map();
let serial = 0;

try {
  cms(['init', 'site', '--title', 'Bench', '--admin', 'admin', '--email', 'admin@example.com']);
  const password = cms(['password', 'create', 'admin', '--dir', 'site', '--name', 'bench']).trim();
  const engine = { CMS_ENGINE: url.href };
  cms(['engine', 'migrate'], engine);
  cms(['engine', 'push', 'site'], engine);
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const alone = await serve(['site']);
  const nodes = [];
  for (let at = 0; at < count; at++) nodes.push(await serve([], engine));
  places = [alone, nodes[0]];
  for (const at of places) {
    await burst(at, authorization, 10, 1);
    ids.set(at, (await ask(at, 'GET', '/posts', authorization)).body[0].id);
  }
  // One after the other in turn, so that whatever else the machine does is in both.
  await compared('create, one client', writes, (at) => burst(at, authorization, 1, 1));
  await compared('create, 16 clients at once', writes / 16, (at) => burst(at, authorization, 16, 16));
  await compared('read of an item, signed in', writes, (at) => reads(at, authorization, 1));
  const lags = await lag(nodes, authorization, Math.min(writes, 200));
  console.log(`${'answer → a visitor of every node'.padEnd(36)} p50 ${lags.p50.toFixed(2)} ms  p99 ${lags.p99.toFixed(2)} ms`);
} finally {
  for (const child of running) child.kill('SIGTERM');
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}

async function serve(args, more = {}) {
  const child = spawn(process.execPath, [resolve('bin/cms.js'), 'serve', ...args, '--port', '0'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let said = '';
  for await (const part of child.stderr) {
    said += part;
    const address = /http:\/\/[\d.:]+/.exec(said)?.[0];
    if (address) return address;
  }
  throw new Error(said);
}

function ask(address, method, path, authorization, body) {
  return new Promise((done, failed) => {
    const sent = request(`${address}/cms-json/cms/v2${path}`, {
      agent,
      method,
      headers: { ...(authorization ? { authorization } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    });
    sent.on('error', failed).on('response', async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      done({ status: answer.statusCode, body: JSON.parse(text) });
    });
    sent.end(body && JSON.stringify(body));
  });
}

/** @param work  gives how long it took */
async function compared(name, rounds, work) {
  const took = places.map(() => []);
  for (let round = 0; round < rounds; round++) for (const [at, place] of places.entries()) took[at].push(await work(place));
  const [folder, engine] = took.map(percentiles);
  const shown = ({ p50, p99 }) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  console.log(`${name}: folder ${shown(folder)}; engine ${shown(engine)}; ${(engine.p50 / folder.p50).toFixed(2)} times`);
}

function burst(address, authorization, total, clients) {
  return timed(total, clients, async () => {
    const body = { title: `Post ${serial++}`, status: 'publish', content: 'Text.' };
    const { status } = await ask(address, 'POST', '/posts', authorization, body);
    if (status !== 201) throw new Error(`creating: ${status}`);
  });
}

function reads(address, authorization, total) {
  return timed(total, 1, () => ask(address, 'GET', `/posts/${ids.get(address)}?context=edit`, authorization));
}

/** @returns milliseconds for all */
async function timed(total, clients, work) {
  let left = total;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return performance.now() - began;
}

/** From the answer of one node until visitors of all others see the change. */
async function lag(nodes, authorization, total) {
  const took = [];
  for (let at = 0; at < total; at++) {
    const { body } = await ask(nodes[at % nodes.length], 'POST', '/posts', authorization, {
      title: `Lag ${at}`,
      status: 'publish',
    });
    const answered = performance.now();
    await Promise.all(
      nodes.map(async (node) => {
        while ((await ask(node, 'GET', `/posts/${body.id}`)).status !== 200);
      }),
    );
    took.push(performance.now() - answered);
  }
  return percentiles(took);
}

function percentiles(took) {
  const sorted = took.sort((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length / 2)], p99: sorted[Math.floor(sorted.length * 0.99)] };
}
