#!/usr/bin/env node
/**
 * Writes over HTTP against a bare `node:http` server that writes as durably (`raw-writes.mjs`), in turns on one file system; one
 * build against another, and several workers beside one process. `npm run bench -- --only writes` has the rows of this build as well.
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
  allCpuMs,
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
  --workers N      this build with so many workers, likewise (default 2; 1 leaves it out)
  --posts N        size of the generated folders (default 1000)
  --rounds N       turns (default 10)
  --warm N         posts made by each server before (default 8000)
  --dir DIR        measure on the file system of this folder
  --only NAME      time, cpu or flushes alone (repeatable)
  --json FILE      write the results`;
const list = '/cms-json/cms/v2/posts';
const clients = 16;
/** What a server puts off is done by then. */
const putOffMs = 1200;

/**
 * @param builds  name → {dist, workers} of a built program; the first one is measured against the bars
 * @param dir     as `makeDiskBed`
 * @param parts   what is measured
 * @returns rows as `measureHttp` gives them
 */
export async function measureWrites({
  builds = { ours: { dist: ownDist, workers: 1 } },
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
    const counted = names.filter((name) => builds[name].workers === 1);
    const onDisk = parts.includes('time') ? await measureBed(disk, { ...common, turn: turnOfTime }) : null;
    const inMemory = parts.includes('cpu') ? await measureBed(calm, { ...common, turn: turnOfCpu }) : null;
    say('flushes');
    const counts = parts.includes('flushes')
      ? new Map(counted.map((name) => [name, countFlushes(builds[name].dist, calm, posts)]))
      : null;
    return names.flatMap((name) => [
      ...(onDisk ? rowsOfTime(onDisk, name, disk) : []),
      ...(inMemory ? rowsOfCpu(inMemory, name, calm) : []),
      ...(counts?.has(name) ? rowsOfFlushes(counts.get(name), name) : []),
    ]);
  } finally {
    await stopAll();
    memory?.close();
    disk.close();
  }
}

async function measureBed(bed, { builds, posts, rounds, warm, say, turn }) {
  const sides = [];
  for (const [name, { dist, workers }] of Object.entries(builds)) {
    const folder = makeFolder(bed, posts);
    const authorization = makeAdministrator(folder);
    const several = workers > 1 ? ['--workers', String(workers)] : [];
    const server = await startServer(folder, `${list}/${firstPostId}`, several, dist);
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
  const each = 40;
  const costOf = async (work) => {
    const before = allCpuMs(server.pid);
    const done = await Promise.all(writers.map(work));
    await pause(putOffMs);
    return { done, us: ((allCpuMs(server.pid) - before) / (each * writers.length)) * 1000 };
  };
  const created = await costOf((writer) => writer.creates(each));
  const updated = await costOf((writer, at) => writer.updates(created.done[at]));
  return { create: created.us, update: updated.us };
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

/** A row of one side: `measure` names it in the table, `cell` is what stands there beside the ratio. */
function rowOf(name, measure, about, value, unit, { cell = '', ...more }) {
  return { name: name === 'ours' ? measure : `${measure}, ${name}`, measure, side: name, about, value, unit, cell, ...more };
}

function rowsOfTime(turns, name, { about }) {
  const of = (pick) => median(turns.map((turn) => pick(turn[name], turn.bare)));
  const bare = (pick) => median(turns.map((turn) => pick(turn.bare)));
  const timed = (measure, said) => {
    const detail = { ms: of((one) => one[measure]), bareMs: bare((one) => one[measure]) };
    const more = { better: 'less', bar: 2, aim: 1.5, cell: `${detail.ms.toFixed(2)} ms`, detail };
    return rowOf(
      name,
      measure,
      said,
      of((one, raw) => one[measure] / raw[measure]),
      '× bare server',
      more,
    );
  };
  const detail = { rate: Math.round(of(({ rate }) => rate)), bareRate: Math.round(bare(({ rate }) => rate)) };
  const more = { better: 'more', bar: 0.6, aim: 0.8, cell: `${detail.rate}/s`, detail };
  return [
    timed('create', `one client, p50, ${about}`),
    timed('update', 'one client, p50; keeps a revision'),
    rowOf(
      name,
      `${clients} clients`,
      'creating at once',
      of((one, raw) => one.rate / raw.rate),
      '× bare server',
      more,
    ),
  ];
}

function rowsOfCpu(turns, name, { about }) {
  return [
    { measure: 'create', bar: 5, aim: 4 },
    { measure: 'update', bar: 5, aim: 4 },
  ].map(({ measure, bar, aim }) => {
    const of = (pick) => median(turns.map((turn) => pick(turn[name][measure], turn.bare[measure])));
    const detail = { cpuUs: of((us) => us), rawCpuUs: of((_, us) => us) };
    const more = { better: 'less', bar, aim, cell: `${detail.cpuUs.toFixed(0)} µs`, detail };
    const article = measure === 'create' ? 'a' : 'an';
    return rowOf(
      name,
      `CPU of ${article} ${measure}`,
      `${clients} clients, ${about}`,
      of((us, bare) => us / bare),
      '× bare server',
      more,
    );
  });
}

function rowsOfFlushes({ create, update, first }, name) {
  const common = { better: 'less', bar: 1, aim: 1 };
  return [
    rowOf(name, 'flushes of a create', 'before its answer', create, 'flushes', common),
    rowOf(name, 'flushes of an update', `before its answer; first one of a post ${first}`, update, 'flushes', common),
  ];
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
        workers: text,
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
  const workers = whole(values.workers, 2);
  const rows = await measureWrites({
    builds: {
      ours: { dist: ownDist, workers: 1 },
      ...(values.old ? { old: { dist: values.old, workers: 1 } } : {}),
      ...(workers > 1 ? { [`${workers} workers`]: { dist: ownDist, workers } } : {}),
    },
    posts: whole(values.posts, 1000),
    rounds: whole(values.rounds, 10),
    warm: whole(values.warm, 8000),
    dir: values.dir,
    ...(values.only ? { parts: values.only } : {}),
    say: (line) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`),
  }).finally(() => rmSync(state, { recursive: true }));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  printTable(rows);
}

/** A line for each measure, a column for each side. */
function printTable(rows) {
  const sides = [...new Set(rows.map(({ side }) => side))];
  const cellOf = (row) => (row ? [row.value.toFixed(2), row.cell && `(${row.cell})`].filter(Boolean).join(' ') : '');
  const lines = [...new Set(rows.map(({ measure }) => measure))].map((measure) => {
    const of = rows.filter((row) => row.measure === measure);
    const [{ unit, about, bar }] = of;
    const cells = sides.map((side) => cellOf(of.find((row) => row.side === side)));
    return [`${measure}, ${unit}`, ...cells, bar, about];
  });
  const head = ['', ...sides, 'bar', ''];
  for (const cells of [head, head.map(() => '---'), ...lines]) console.log(`| ${cells.join(' | ')} |`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
