/**
 * What more workers give and cost: requests of ten connections, writes, memory; with 1, 2 and 3 workers in turns.
 *
 *     node bench/workers.mjs [--posts 2000] [--seconds 3] [--rounds 3] [--program bin/cms.js]
 *
 * The client runs on the same machine: where it has as few processors as workers, they share them with it. What a request costs
 * all workers together is therefore told beside the rate.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { firstPostId, writeCorpus } from './corpus.mjs';
import { readOptions } from './options.mjs';
import { cpuMs, createClient, fetchAnswer, freePort, median, memoryMb, processesOf, project, quantile } from './servers.mjs';

const { values: options } = readOptions({
  options: {
    posts: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    program: { type: 'string', default: join(project, 'bin', 'cms.js') },
  },
});
const posts = Number(options.posts);
const rounds = Number(options.rounds);
const counts = [1, 2, 3];
const api = '/cms-json/cms/v2';
const connections = 10;
const writers = 16;
/** Creates by each server before its writes are measured. */
const warmWrites = 2000;
let serial = 0;
const children = new Set();
// Nothing is left running, however this ends.
process.once('exit', () => children.forEach((child) => void child.kill('SIGTERM')));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const words =
  'harbour tide quay ferry morning lantern rope pilot fog gull winter market basket kettle ledger bridge signal anchor'.split(
    ' ',
  );
/** Four words, others each time. */
const phrase = (at) => [1, 17, 289, 4913].map((step) => words[Math.floor(at / step) % words.length]).join('+');

/** The last one is much work and a short answer: what the client does with answers hardly counts. */
const reads = [
  { name: 'list of 10, repeated', path: () => `${api}/posts` },
  { name: 'items, each address once', path: () => `${api}/posts/${firstPostId + (serial++ % posts)}?_=${serial}` },
  {
    name: 'list of 10, each address once',
    path: () => `${api}/posts?page=${1 + (serial++ % (posts / 10))}&_=${serial}`,
  },
  {
    name: 'search for a phrase, each once',
    path: () => `${api}/posts?search=%22${phrase(serial++)}%22&_fields=id`,
  },
];

const folder = mkdtempSync(join(tmpdir(), 'cms-bench-workers-'));
process.env.CMS_STATE_DIR = join(folder, 'state');
try {
  const corpus = join(folder, 'corpus');
  writeCorpus(corpus, posts);
  const authorization = administratorOf(corpus);
  const servers = [];
  for (const count of counts) {
    const site = join(folder, `site-${count}`);
    cpSync(corpus, site, { recursive: true });
    servers.push(await start(site, count));
  }
  const rows = [];
  for (const read of reads) {
    say(read.name);
    for (const server of servers) await warm(server, read);
    const turns = counts.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, server] of servers.entries()) turns[at].push(await load(server, read, Number(options.seconds)));
    for (const [at, of] of turns.entries())
      rows.push([
        read.name,
        counts[at],
        `${Math.round(median(of.map(({ rate }) => rate)))}/s`,
        `${us(median(of.map(({ cpu }) => cpu)))} CPU`,
        of.reduce((sum, { failures }) => sum + failures, 0),
      ]);
  }
  say('writes');
  for (const server of servers) await writeAtOnce(server, authorization, warmWrites);
  const writes = counts.map(() => []);
  const rates = counts.map(() => []);
  for (let round = 0; round < 2 * rounds; round++)
    for (const [at, server] of inTurn(servers, round)) {
      // What the one before has put off.
      await pause(200);
      writes[at].push(...(await write(server, authorization, 75)));
      rates[at].push(await writeAtOnce(server, authorization, 40 * writers));
    }
  for (const [at, times] of writes.entries())
    rows.push([
      'create, one client',
      counts[at],
      `${quantile(times, 0.5).toFixed(2)} ms p50`,
      `${quantile(times, 0.99).toFixed(2)} ms p99`,
      0,
    ]);
  for (const [at, of] of rates.entries())
    rows.push([`create, ${writers} clients`, counts[at], `${Math.round(median(of))}/s`, `${span(of)}/s`, 0]);
  for (const [at, server] of servers.entries())
    rows.push([
      'memory',
      counts[at],
      processesOf(server.pid)
        .map((pid) => `${Math.round(memoryMb(pid))}`)
        .join(' + '),
      'MiB',
      0,
    ]);
  for (const { stop } of servers) await stop();
  console.log(
    `\n${posts} posts, ${cpus().length} processors (${cpus()[0].model.trim()}) shared with the client, node ${process.versions.node}\n`,
  );
  console.log('| Measure | Workers | | | Failures |\n|---|---|---|---|---|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function start(site, count) {
  const port = await freePort();
  const child = spawn(process.execPath, [options.program, 'serve', site, '--port', String(port), '--workers', String(count)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  let said = '';
  const awaited = count === 1 ? 'serving ' : `all ${count} workers answer`;
  await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes(awaited)) resolve();
    });
    child.once('exit', () => reject(new Error(said)));
  });
  const base = `http://127.0.0.1:${port}`;
  if ((await fetchAnswer(`${base}${api}/posts`)).status !== 200) throw new Error(said);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { base, pid: child.pid, stop: () => child.kill('SIGTERM') && ended };
}

/** Every other time the other way round, so that none always follows the same one. */
function inTurn(servers, round) {
  const all = [...servers.entries()];
  return round % 2 === 0 ? all : all.toReversed();
}

/** Until every worker has made what it keeps: a request has not become cheaper for three seconds. */
async function warm(server, read) {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0, since = 0; at < 30 && since < 3; at++) {
    const { cpu } = await load(server, read, 1);
    since = cpu < least * 0.93 ? 0 : since + 1;
    least = Math.min(least, cpu);
  }
}

/** Ten connections. `cpu`: ms of all processes for a request. */
async function load({ base, pid }, { path }, duration) {
  const pids = processesOf(pid);
  const spent = () => pids.reduce((sum, one) => sum + cpuMs(one), 0);
  const before = spent();
  const requests = [{ setupRequest: (request) => ({ ...request, path: path() }) }];
  const result = await autocannon({ url: base, duration, connections, requests });
  const { total } = result.requests;
  return { rate: total / result.duration, cpu: (spent() - before) / total, failures: result.errors + total - result['2xx'] };
}

/** Times of creates, one after the other; connections to each of the workers in turn. */
async function write({ base }, authorization, count) {
  const clients = Array.from({ length: 6 }, () => createClient(base));
  const times = [];
  for (let at = 0; at < count; at++) times.push((await create(clients[at % clients.length], authorization)).ms);
  for (const client of clients) client.close();
  return times;
}

/** @returns creates a second of all clients together */
async function writeAtOnce({ base }, authorization, count) {
  const clients = Array.from({ length: writers }, () => createClient(base));
  const started = performance.now();
  let left = count;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) await create(client, authorization);
    }),
  );
  const rate = (count / (performance.now() - started)) * 1000;
  for (const client of clients) client.close();
  return rate;
}

async function create(client, authorization) {
  const body = JSON.stringify({ title: `Written ${++serial}`, content: 'A paragraph of text. '.repeat(100), status: 'publish' });
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const answer = await client.ask(`${api}/posts`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`create: ${answer.status}`);
  return answer;
}

function administratorOf(site) {
  const run = (...args) =>
    execFileSync(process.execPath, [options.program, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  run('user', 'create', 'bench-admin', '--role', 'administrator', '--email', 'bench@example.com', '--dir', site);
  const password = run('password', 'create', 'bench-admin', '--dir', site).trim().split('\n').at(-1);
  return `Basic ${Buffer.from(`bench-admin:${password}`).toString('base64')}`;
}

function span(rates) {
  return [Math.min(...rates), Math.max(...rates)].map(Math.round).join('–');
}

function us(ms) {
  return `${Math.round(ms * 1000)} µs`;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
