#!/usr/bin/env node
/**
 * What the store costs: writes against the disk's own durable writes, starts, memory, and the time until an edit by hand is seen.
 * Every row runs in a process of its own over a generated folder, which it changes.
 *
 *   node bench/store.mjs [--posts 1000,10000,100000] [--only create,…] [--dist DIR] [--corpus /tmp/corpus-] [--json FILE]
 *
 * `--corpus PREFIX` keeps the folders as PREFIX1000 and so on, and uses those that are there.
 */
import { fork } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { writeCorpus } from './corpus.mjs';
import { readOptions } from './options.mjs';

const fsync = promisify(fs.fsync);
const rename = promisify(fs.rename);
const admin = { id: 1, roles: ['administrator'] };
const body = Array.from(
  { length: 40 },
  (_, line) => `Line ${line} of a text that somebody has just written for the harbour.`,
).join('\n\n');

/** Rows by name. Each gets the folder and the number of posts, and returns what it found: ms, ratios or bytes. */
const rows = {
  /** In turns with the disk's own writes of new files in the same directory. */
  async create({ folder }) {
    const site = await open(folder);
    const found = await inTurns(400, {
      ours: (at) => create(site, `Created ${at}`),
      disk: (at) => durable(recent(folder), `raw-${at}.md`),
    });
    drop(folder);
    return found;
  },
  async update({ folder }) {
    const site = await open(folder);
    const posts = [...site.posts.all()].slice(0, 400);
    const place = dirname(join(folder, posts[0].path));
    for (let at = 0; at < 10; at++) await durable(place, `raw-${at}.md`);
    const found = await inTurns(400, {
      ours: (at) => update(site, posts[at].id, `Updated ${at} ${Math.random()}`),
      disk: (at) => durable(place, `raw-${at % 10}.md`),
    });
    for (let at = 0; at < 10; at++) fs.rmSync(join(place, `raw-${at}.md`));
    drop(folder);
    return found;
  },
  /** 16 clients, each its next write when the last is answered, in turns with one raw writer: writes/s. */
  async create16({ folder }) {
    const site = await open(folder);
    return clients(
      folder,
      (client, at) => create(site, `Client ${client} ${at}`),
      (at) => `raw-${at}.md`,
    );
  },
  async update16({ folder }) {
    const site = await open(folder);
    const ids = [...site.posts.all()].map(({ id }) => id);
    const write = (client, at) => update(site, ids[(client * 50 + (at % 50)) % ids.length], `Client ${at} ${Math.random()}`);
    return clients(folder, write, (at) => `raw-${at % 10}.md`);
  },
  /** Files/s of commits of 200 new files each, against single raw writes. */
  async bulk({ folder }) {
    const site = await open(folder);
    const commits = 10;
    const raw = await times(400, (at) => durable(recent(folder), `raw-${at}.md`));
    const begun = performance.now();
    for (let commit = 0; commit < commits; commit++) {
      await site.commit(
        Array.from({ length: 200 }, (_, at) => ({
          path: `posts/import/${commit}-${at}.md`,
          expect: null,
          data: { id: 5_000_000 + commit * 200 + at, title: `Imported ${commit} ${at}`, date: '2026-03-01T10:00:00' },
          order: ['id', 'title', 'date'],
          body,
        })),
      );
    }
    const rate = (commits * 200 * 1000) / (performance.now() - begun);
    drop(folder);
    const rawRate = 1000 / (raw.reduce((sum, each) => sum + each, 0) / raw.length);
    return { perSecond: Math.round(rate), raw: Math.round(rawRate), ratio: rate / rawRate };
  },
  /** From the start of the process to the first list answered; the snapshot is taken away before. */
  async cold({ folder }) {
    fs.rmSync(join(folder, '.cms', 'cache', 'snapshot'), { recursive: true, force: true });
    return start(folder);
  },
  /** The same with the snapshot that the last process left. */
  async warm({ folder }) {
    return start(folder);
  },
  /** Resident and heap bytes for each post above a site without posts, after start and a first list. */
  async memory({ folder, posts }) {
    const empty = await measured(fs.mkdtempSync(join(tmpdir(), 'cms-bench-empty-')));
    const full = await measured(folder);
    const kib = (key) => Math.round(((full[key] - empty[key]) / posts / 1024) * 100) / 100;
    return { kibPerPost: kib('all'), heapKib: kib('heap'), outsideKib: kib('external'), residentKib: kib('rss') };
  },
  /** From a saved file to its new title in the list of one, and how long a sweep keeps the event loop from turning. */
  async edit({ folder }) {
    const { site, server, ask } = await serve(folder);
    const posts = [...site.posts.all()].slice(0, 500);
    const found = [];
    for (let at = 0; at < 60; at++) {
      const post = posts[(at * 7) % posts.length];
      const file = join(folder, post.path);
      const title = `By hand ${at} ${Math.round(Math.random() * 1e9)}`;
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^title: .*$/m, `title: ${title}`));
      const begun = performance.now();
      while ((await ask(`/cms-json/cms/v2/posts/${post.id}?_fields=title`)).title.rendered !== title) await pause(1);
      found.push(performance.now() - begun);
      await pause(5 + Math.random() * 60);
    }
    const blocked = await longestBlock(() => site.store.sweep());
    const begun = performance.now();
    await site.store.sweep();
    const sweepMs = performance.now() - begun;
    await server.close();
    await site.close();
    return { ...spread(found), sweepMs: round(sweepMs), blockedMs: round(blocked) };
  },
};

const { values: options } = readOptions({
  options: {
    posts: { type: 'string', default: '1000,10000,100000' },
    only: { type: 'string', default: Object.keys(rows).join() },
    dist: { type: 'string', default: fileURLToPath(new URL('../.build-modules', import.meta.url)) },
    corpus: { type: 'string' },
    json: { type: 'string' },
    row: { type: 'string' },
    folder: { type: 'string' },
  },
});
const dist = (file) => import(pathToFileURL(join(resolve(options.dist), file)).href);
if (options.row) {
  const found = await rows[options.row]({ folder: options.folder, posts: Number(options.posts) });
  process.send(found, () => process.exit(0));
} else await main();

async function main() {
  const results = [];
  for (const posts of options.posts.split(',').map(Number)) {
    const folder = options.corpus ? `${options.corpus}${posts}` : fs.mkdtempSync(join(tmpdir(), 'cms-bench-'));
    if (!fs.existsSync(join(folder, 'site.yaml'))) writeCorpus(folder, posts);
    for (const row of options.only.split(',')) {
      const found = await run(row, folder, posts);
      results.push({ row, posts, ...found });
      const cells = Object.entries(found).map(
        ([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`,
      );
      console.log([row.padEnd(10), String(posts).padStart(7), ...cells].join('  '));
    }
    if (!options.corpus) fs.rmSync(folder, { recursive: true });
  }
  if (options.json) fs.writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
}

function run(row, folder, posts) {
  return new Promise((done, failed) => {
    const args = ['--row', row, '--folder', folder, '--posts', String(posts), '--dist', options.dist];
    const child = fork(fileURLToPath(import.meta.url), args, { execArgv: row === 'memory' ? ['--expose-gc'] : [] });
    child.once('message', done);
    child.once('exit', (code) => failed(new Error(`${row} ended with ${code}`)));
  });
}

async function open(folder) {
  const { openSite } = await dist('open-site.js');
  return openSite(folder);
}

async function serve(folder) {
  const { openSite, composeSite } = await dist('open-site.js');
  const { createServer } = await dist('kernel/http/server.js');
  const site = await openSite(folder);
  const server = createServer({ site, registry: composeSite(site) });
  const address = await server.listen(0, '127.0.0.1');
  return { site, server, ask: async (path) => (await fetch(address + path)).json() };
}

async function create(site, title) {
  const { planCreate } = await dist('modules/content/posts/plan.js');
  return site.write(() => planCreate(site, admin, 'post', { title, content: body, status: 'publish' }));
}

async function update(site, id, title) {
  const { planUpdate } = await dist('modules/content/posts/plan.js');
  return site.write(() => planUpdate(site, admin, site.posts.get(id), { title }));
}

/** The disk's own durable write: temporary file, fsync, rename, fsync of the directory. */
async function durable(directory, name) {
  const temporary = join(directory, `.raw-${name}`);
  const file = fs.openSync(temporary, 'wx');
  fs.writeSync(file, body);
  await fsync(file);
  fs.closeSync(file);
  await rename(temporary, join(directory, name));
  const handle = fs.openSync(directory, 'r');
  await fsync(handle);
  fs.closeSync(handle);
}

async function clients(folder, write, rawName) {
  const rounds = [];
  let raws = 0;
  for (let round = 0; round < 6; round++) {
    const raw = await rateOf(1, () => durable(recent(folder), rawName(raws++)));
    const perSecond = await rateOf(16, (client, at) => write(client, round * 10_000 + at));
    rounds.push({ raw, perSecond, ratio: perSecond / raw });
  }
  drop(folder);
  const middle = (key) => rounds.map((round) => round[key]).sort((a, b) => a - b)[3];
  return { perSecond: Math.round(middle('perSecond')), raw: Math.round(middle('raw')), ratio: middle('ratio') };
}

/** Of so many clients for half a second. */
async function rateOf(count, write) {
  const begun = performance.now();
  let written = 0;
  const one = async (_, client) => {
    for (let at = 0; performance.now() < begun + 500; at++, written++) await write(client, at);
  };
  await Promise.all(Array.from({ length: count }, one));
  return (written * 1000) / (performance.now() - begun);
}

/** Where posts of today go. */
function recent(folder) {
  const place = join(folder, 'posts', new Date().toISOString().slice(0, 7).replace('-', '/'));
  fs.mkdirSync(place, { recursive: true });
  return place;
}

async function start(folder) {
  const { openSite, composeSite } = await dist('open-site.js');
  const { createServer } = await dist('kernel/http/server.js');
  const loadedMs = performance.now();
  const site = await openSite(folder);
  const openMs = performance.now();
  const server = createServer({ site, registry: composeSite(site) });
  const port = 20_000 + (process.pid % 20_000);
  const listening = server.listen(port, '127.0.0.1');
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/cms-json/cms/v2/posts`).catch(() => null);
    if (answer?.status === 200 && (await answer.json()).length === 10) break;
    await pause(1);
  }
  const ms = round(performance.now());
  await listening;
  await server.close();
  await site.close();
  return { ms, processMs: round(loadedMs), openMs: round(openMs - loadedMs) };
}

async function measured(folder) {
  const { site, server, ask } = await serve(folder);
  await ask('/cms-json/cms/v2/posts');
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc();
    await pause(50);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  await server.close();
  await site.close();
  return { rss, heap: heapUsed, external, all: heapUsed + external };
}

/** Longest time between two turns of the event loop while `work` runs, ms. */
async function longestBlock(work) {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  running = false;
  return longest;
}

async function inTurns(count, { ours, disk }) {
  const found = { ours: [], disk: [] };
  for (let at = 0; at < count; at++) {
    found.ours.push(...(await times(1, () => ours(at))));
    found.disk.push(...(await times(1, () => disk(at))));
  }
  const [own, raw] = [spread(found.ours.slice(50)), spread(found.disk.slice(50))];
  return { ...own, disk50: raw.p50, disk99: raw.p99, ratio: own.p50 / raw.p50 };
}

async function times(count, work) {
  const found = [];
  for (let at = 0; at < count; at++) {
    const begun = performance.now();
    await work(at);
    found.push(performance.now() - begun);
  }
  return found;
}

function spread(found) {
  const sorted = found.toSorted((a, b) => a - b);
  return { p50: round(sorted[sorted.length >> 1]), p99: round(sorted[Math.floor(sorted.length * 0.99)]) };
}

/** What the rows have added to a folder. */
function drop(folder) {
  for (const path of ['revisions', 'posts/import']) fs.rmSync(join(folder, path), { recursive: true, force: true });
  fs.rmSync(dirname(recent(folder)), { recursive: true, force: true });
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
