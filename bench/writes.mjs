#!/usr/bin/env node
/**
 * Writes over HTTP against a bare `node:http` server that writes as durably (`raw-writes.mjs`), in turns on one file system; and
 * one build against another. `npm run bench -- --only writes` has the rows as well.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeDiskBed, makeMemoryBed } from './beds.mjs';
import { firstPostId, writeCorpus } from './corpus.mjs';
import { createWriter, newPost, p50 } from './life.mjs';
import { readOptions } from './options.mjs';
import {
  cpuMs,
  fetchAnswer,
  makeAdministrator,
  median,
  ownDist,
  project,
  startRawWrites,
  startServer,
  stopAll,
} from './servers.mjs';

const usage = `usage: node bench/writes.mjs [options]     (npm run build first)
  --old DIST       another build, measured in the same turns
  --posts N        size of the generated folders (default 1000)
  --rounds N       turns (default 10)
  --warm N         posts made by each server before (default 8000)
  --dir DIR        measure on the file system of this folder
  --only NAME      time, cpu or flushes alone (repeatable)
  --json FILE      write the results`;
const list = '/cms-json/cms/v2/posts';
const clients = 16;

/**
 * @param builds  name → folder of a built program; the first one is measured against the bars
 * @param dir     as `makeDiskBed`
 * @param parts   what is measured
 * @returns rows as `measureHttp` gives them
 */
export async function measureWrites({
  builds = { ours: ownDist },
  posts,
  rounds,
  warm = 8000,
  dir,
  parts = ['time', 'cpu', 'flushes'],
  say,
}) {
  const disk = makeDiskBed(dir);
  const memory = makeMemoryBed();
  try {
    const common = { builds, posts, rounds, warm, say };
    const calm = memory ?? disk;
    const names = Object.keys(builds);
    const onDisk = parts.includes('time') ? await measureBed(disk, { ...common, turn: turnOfTime }) : null;
    const inMemory = parts.includes('cpu') ? await measureBed(calm, { ...common, turn: turnOfCpu }) : null;
    say('flushes');
    const counts = parts.includes('flushes') ? names.map((name) => countFlushes(builds[name], calm, posts)) : null;
    return names.flatMap((name, at) => [
      ...(onDisk ? rowsOfTime(onDisk, name, disk) : []),
      ...(inMemory ? [rowOfCpu(inMemory, name, calm)] : []),
      ...(counts ? [rowOfFlushes(counts[at], name)] : []),
    ]);
  } finally {
    await stopAll();
    memory?.close();
    disk.close();
  }
}

async function measureBed(bed, { builds, posts, rounds, warm, say, turn }) {
  const sides = [];
  for (const [name, dist] of Object.entries(builds)) {
    const folder = makeFolder(bed, posts);
    const authorization = makeAdministrator(folder);
    const server = await startServer(folder, `${list}/${firstPostId}`, [], dist);
    sides.push({ name, server, authorization });
  }
  const [{ server, authorization }] = sides;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetchAnswer(server.base + list, { method: 'POST', headers, body: JSON.stringify(newPost()) });
  if (answer.status !== 201) throw new Error(`${list}: ${answer.status}`);
  sides.push({ name: 'bare', server: await startRawWrites(mkdtempSync(join(bed.folder, 'bare-')), answer) });
  for (const side of sides) {
    side.writers = Array.from({ length: clients }, () => createWriter(side.server, side.authorization ?? ''));
    say(`${bed.about}: ${warm} posts by ${side.name}`);
    await spread(side.writers, warm);
    await side.writers[0].updates(await side.writers[0].creates(300));
  }
  const turns = [];
  for (let round = 0; round < rounds; round++) {
    say(`${bed.about}: turn ${round + 1} of ${rounds}`);
    const found = {};
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      // What the other put off until the disk rests is not this one's work.
      await pause(200);
      found[side.name] = await turn(side);
    }
    turns.push(found);
  }
  for (const { server: one, writers } of sides) {
    for (const writer of writers) writer.close();
    await one.stop();
  }
  return turns;
}

async function turnOfTime({ writers }) {
  const made = await writers[0].creates(60);
  return { create: p50(made), update: p50(await writers[0].updates(made)), rate: await rateOf(writers) };
}

async function turnOfCpu({ server, writers }) {
  const before = cpuMs(server.pid);
  await writers[0].creates(200);
  return { us: ((cpuMs(server.pid) - before) / 200) * 1000 };
}

/** Posts a second of all writers creating at once, so many each that their first ones hardly count. */
async function rateOf(writers) {
  const started = performance.now();
  const count = await spread(writers, 40 * writers.length);
  return (count * 1000) / (performance.now() - started);
}

async function spread(writers, count) {
  await Promise.all(writers.map((writer) => writer.creates(Math.ceil(count / writers.length))));
  return count;
}

function rowsOfTime(turns, name, { about }) {
  const of = (pick) => median(turns.map((turn) => pick(turn[name], turn.bare)));
  const bare = (pick) => median(turns.map((turn) => pick(turn.bare)));
  const kind = name === 'ours' ? '' : `, ${name}`;
  return [
    {
      name: `create${kind}`,
      about: `one client, p50, ${about}`,
      value: of((one, raw) => one.create / raw.create),
      unit: '× bare server',
      better: 'less',
      bar: 2,
      aim: 1.5,
      detail: { ms: of(({ create }) => create), bareMs: bare(({ create }) => create) },
    },
    {
      name: `update${kind}`,
      about: 'one client, p50; keeps a revision',
      value: of((one, raw) => one.update / raw.update),
      unit: '× bare server',
      better: 'less',
      bar: 2,
      aim: 1.5,
      detail: { ms: of(({ update }) => update), bareMs: bare(({ update }) => update) },
    },
    {
      name: `${clients} clients${kind}`,
      about: 'creating at once',
      value: of((one, raw) => one.rate / raw.rate),
      unit: '× bare server',
      better: 'more',
      bar: 0.6,
      aim: 0.8,
      detail: { rate: Math.round(of(({ rate }) => rate)), bareRate: Math.round(bare(({ rate }) => rate)) },
    },
  ];
}

function rowOfCpu(turns, name, { about }) {
  return {
    name: `CPU of a create${name === 'ours' ? '' : `, ${name}`}`,
    about: `one client, ${about}`,
    value: median(turns.map((turn) => turn[name].us / turn.bare.us)),
    unit: '× bare server',
    better: 'less',
    bar: 5,
    aim: 4,
    detail: { cpuUs: median(turns.map((turn) => turn[name].us)), rawCpuUs: median(turns.map((turn) => turn.bare.us)) },
  };
}

function rowOfFlushes({ create, update, first }, name) {
  return {
    name: `flushes of an update${name === 'ours' ? '' : `, ${name}`}`,
    about: `before its answer; first one of a post ${first}, create ${create}`,
    value: update,
    unit: 'flushes',
    better: 'less',
    bar: 1,
    aim: 1,
  };
}

function countFlushes(dist, bed, posts) {
  const folder = makeFolder(bed, posts);
  const env = { ...process.env, BENCH_AUTHORIZATION: makeAdministrator(folder) };
  const program = join(project, 'bench', 'flushes.mjs');
  return JSON.parse(execFileSync(process.execPath, [program, dist, folder], { env, encoding: 'utf8' }));
}

let folders = 0;
function makeFolder(bed, posts) {
  const folder = join(bed.folder, `site-${++folders}`);
  mkdirSync(folder);
  writeCorpus(folder, posts);
  return folder;
}

async function main() {
  const text = { type: 'string' };
  const { values } = readOptions(
    {
      options: {
        old: text,
        posts: text,
        rounds: text,
        warm: text,
        dir: text,
        only: { ...text, multiple: true },
        json: text,
      },
    },
    usage,
  );
  const state = mkdtempSync(join(tmpdir(), 'cms-bench-state-'));
  process.env.CMS_STATE_DIR = state;
  const whole = (one, other) => Math.max(1, Number.parseInt(one, 10) || other);
  const rows = await measureWrites({
    builds: { ours: ownDist, ...(values.old ? { old: values.old } : {}) },
    posts: whole(values.posts, 1000),
    rounds: whole(values.rounds, 10),
    warm: whole(values.warm, 8000),
    dir: values.dir,
    ...(values.only ? { parts: values.only } : {}),
    say: (line) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`),
  }).finally(() => rmSync(state, { recursive: true }));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  for (const { name, value, unit, bar, about, detail = {} } of rows) {
    const cells = Object.entries(detail).map(([key, one]) => `${key} ${one >= 100 ? one.toFixed(0) : one.toFixed(2)}`);
    const bound = bar === undefined ? '' : `(bar ${bar})`;
    console.log([name.padEnd(26), `${value.toFixed(2)} ${unit}`.padEnd(32), bound.padEnd(10), about, ...cells].join('  '));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
