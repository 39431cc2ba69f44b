#!/usr/bin/env node
/**
 * Speed as a ratio: the server over a generated folder against a bare `node:http` server that sends the same bytes and
 * headers, measured in turns so that whatever else the machine does falls on both.
 */
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { writeCorpus } from './corpus.mjs';
import { measures } from './measures.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const usage = `usage: node bench/run.mjs [options]
  --posts N         posts in the generated folder (default 1000)
  --rounds N        rounds per measure, each one turn of either server (default 5)
  --seconds N       length of a turn (default 2)
  --connections N   open at a time (default 10)
  --only NAME       only this measure (repeatable): ${measures.map((measure) => measure.name).join(', ')}
  --json FILE       write the results
  --compare FILE    show the ratios of earlier results beside these
  --server CMD      command to measure (default: node bin/cms.js serve {dir} --port {port} --host 127.0.0.1)`;

const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'cms-bench-'));
const children = [];
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
} finally {
  await Promise.all(children.map(stop));
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const chosen = measures.filter((measure) => !options.only || options.only.includes(measure.name));
  if (chosen.length === 0) throw new Error(`no such measure\n${usage}`);
  writeCorpus(folder, options.posts);
  const server = await startServer(chosen[0]);
  console.log(
    `${options.posts} posts, ready after ${server.readyMs} ms; ${options.rounds} rounds of ${options.seconds} s a turn`,
  );
  const answers = {};
  for (const { path, headers } of chosen) answers[path] = await fetchAnswer(server.base + path, headers);
  const raw = await startRaw(answers);

  const rows = [];
  for (const measure of chosen) rows.push(await run(measure, server.base, raw, answers[measure.path]));
  const results = { node: process.version, posts: options.posts, readyMs: server.readyMs, measures: rows };
  printTable(rows, options.compare ? JSON.parse(readFileSync(options.compare, 'utf8')).measures : []);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  return rows.some((row) => row.failures > 0) ? 1 : 0;
}

/** Measures one row. Requests per second are medians over the rounds, `ratio` the median of the ratios within a round. */
async function run(measure, ours, raw, answer) {
  const same = await fetchAnswer(raw + measure.path, measure.headers);
  if (same.body !== answer.body || nameHeaders(same) !== nameHeaders(answer))
    throw new Error(`${measure.name}: the raw answer is not the same`);
  const turn = (base, duration) => load(base + measure.path, measure.headers, duration);
  for (const base of [ours, raw]) await turn(base, 1);
  const rounds = [];
  for (let at = 0; at < options.rounds; at++) {
    const server = await turn(ours, options.seconds);
    rounds.push({ server, raw: await turn(raw, options.seconds) });
  }
  return {
    name: measure.name,
    bytes: Buffer.byteLength(answer.body, 'base64'),
    requests: Math.round(median(rounds.map((round) => round.server.requests))),
    rawRequests: Math.round(median(rounds.map((round) => round.raw.requests))),
    ratio: median(rounds.map((round) => round.server.requests / round.raw.requests)),
    p99: median(rounds.map((round) => round.server.p99)),
    rawP99: median(rounds.map((round) => round.raw.p99)),
    failures: rounds.reduce((sum, round) => sum + round.server.failures + round.raw.failures, 0),
  };
}

/** One turn: requests per second, 99th percentile of latency in ms, answers that were errors or not 2xx. */
async function load(url, headers, duration) {
  const result = await autocannon({ url, headers, duration, connections: options.connections });
  return { requests: result.requests.total / result.duration, p99: result.latency.p99, failures: result.errors + result.non2xx };
}

async function startServer(measure) {
  const port = await freePort();
  const [command, ...args] = options.server
    .split(' ')
    .map((word) => word.replace('{dir}', folder).replace('{port}', String(port)));
  const started = Date.now();
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(command, args, { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-1000);
  });
  child.on('error', (error) => {
    log = error.message;
  });
  const base = `http://127.0.0.1:${port}`;
  while (Date.now() - started < 120_000 && child.exitCode === null && child.pid !== undefined) {
    const answer = await fetchAnswer(base + measure.path, measure.headers).catch(() => null);
    if (answer?.status === 200) return { base, readyMs: Date.now() - started };
    await pause(50);
  }
  throw new Error(`the server did not answer ${measure.path} with 200: ${log}`);
}

async function startRaw(answers) {
  const child = fork(join(project, 'bench', 'raw.mjs'));
  children.push(child);
  const port = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the raw server ended')));
  });
  child.send(answers);
  return `http://127.0.0.1:${await port}`;
}

/** An answer as sent: headers as a flat list without those `node:http` adds by itself, body in base64. */
function fetchAnswer(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, timeout: 30_000 }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const flat = response.rawHeaders.flatMap((name, at, all) =>
          at % 2 === 1 || /^(date|connection|keep-alive)$/i.test(name) ? [] : [name, all[at + 1]],
        );
        resolve({ status: response.statusCode, headers: flat, body: Buffer.concat(chunks).toString('base64') });
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer within 30 s')));
    request.on('error', reject);
  });
}

function nameHeaders(answer) {
  return answer.headers.map((text) => text.toLowerCase()).join('\n');
}

function printTable(rows, earlier) {
  const columns = [
    'measure',
    'bytes',
    'requests/s',
    'raw',
    'ratio',
    'p99 ms',
    'raw p99',
    'failures',
    ...(earlier.length > 0 ? ['before', 'change'] : []),
  ];
  const percent = (value) => `${(value * 100).toFixed(1)} %`;
  const lines = rows.map((row) => {
    const before = earlier.find((other) => other.name === row.name)?.ratio;
    const cells = [row.name, row.bytes, row.requests, row.rawRequests, percent(row.ratio), row.p99, row.rawP99, row.failures];
    if (earlier.length > 0) cells.push(before ? percent(before) : '–', before ? percent(row.ratio / before - 1) : '–');
    return cells.map(String);
  });
  const widths = columns.map((name, at) => Math.max(name.length, ...lines.map((cells) => cells[at].length)));
  for (const cells of [columns, ...lines]) {
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '));
  }
}

async function stop(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(late);
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function readOptions() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      posts: { ...text, default: '1000' },
      rounds: { ...text, default: '5' },
      seconds: { ...text, default: '2' },
      connections: { ...text, default: '10' },
      only: { type: 'string', multiple: true },
      json: text,
      compare: text,
      server: { ...text, default: 'node bin/cms.js serve {dir} --port {port} --host 127.0.0.1' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const counts = Object.fromEntries(
    ['posts', 'rounds', 'seconds', 'connections'].map((key) => [key, Math.max(1, Number.parseInt(values[key], 10) || 1)]),
  );
  return { ...values, ...counts };
}
