#!/usr/bin/env node
/**
 * What nodes over a database cost, beside a folder on the same disk: each figure beside its bar, in one run. It starts a PostgreSQL of
 * its own, as it is installed, on the bed where writes are measured, and ends with 1 where a bar is missed.
 *
 *     node bench/engine.mjs [--writes 400] [--nodes 3] [--posts 100000] [--only commit,…] [--dir DIR] [--json FILE]
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { build } from '../build/bundle.mjs';
import { makeDiskBed } from './beds.mjs';
import { writeCorpus } from './corpus.mjs';
import { readOptions } from './options.mjs';

const fsync = promisify(fs.fsync);
const { values: options } = readOptions({
  options: {
    writes: { type: 'string', default: '400' },
    nodes: { type: 'string', default: '3' },
    posts: { type: 'string', default: '100000' },
    only: { type: 'string' },
    dir: { type: 'string' },
    json: { type: 'string' },
  },
});
const [writes, nodeCount, posts] = [Number(options.writes), Number(options.nodes), Number(options.posts)];
const dist = resolve(import.meta.dirname, '../.build-engine');
const runBuild = `const [dist, ...args] = process.argv.slice(1);
const { main, processIo } = await import(dist + '/cli/main.js');
process.exitCode = await main(args, processIo);`;
const body = Array.from(
  { length: 40 },
  (_, line) => `Line ${line} of a text that somebody has just written for the harbour.`,
).join('\n\n');

const bed = makeDiskBed(options.dir);
// The user of the database gets in, too.
for (const folder of [dirname(bed.folder), bed.folder]) fs.chmodSync(folder, 0o755);
const env = { ...process.env, CMS_STATE_DIR: join(bed.folder, 'state'), NODE_ENV: 'production' };
const running = [];
const results = [];
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let database = null;
let serial = 0;

try {
  await build(dist, ['engines/postgres/postgres-engine']);
  database = await startDatabase();
  const { fsync: isFlushed, synchronous_commit: isSynchronous, version } = await durability();
  if (isFlushed !== 'on' || isSynchronous !== 'on') throw new Error('the database does not flush what it commits');
  console.log(`disk: ${bed.about}; PostgreSQL ${version}`);
  if (bed.isJournaled === false)
    console.log('without a journal, writes of files tell little: name a folder on another disk with --dir');
  for (const [name, measure] of Object.entries({ commit, rest, reads, lag, join: joins }))
    if (!options.only || options.only.split(',').includes(name)) await measure();
  if (options.json) fs.writeFileSync(options.json, `${JSON.stringify({ disk: bed.about, version, results }, null, 2)}\n`);
  if (results.some(({ isMissed }) => isMissed)) process.exitCode = 1;
} finally {
  await stopAll();
  await database?.stop();
  agent.destroy();
  bed.close();
  fs.rmSync(dist, { recursive: true, force: true });
}

/** @param bar  null: told, and held to nothing */
function say(name, value, unit, bar, about, better = 'less') {
  const isMissed = bar !== null && (better === 'less' ? value > bar : value < bar);
  results.push({ name, value, unit, bar, better, about, isMissed });
  const limit = bar === null ? '' : `  bar ${better === 'less' ? '≤' : '≥'} ${bar}${isMissed ? '  MISSED' : ''}`;
  console.log(`${name.padEnd(52)} ${`${value.toFixed(2)} ${unit}`.padStart(10)}${limit}  (${about})`);
}

/** Commits of one new file, against the disk's own durable writes of one. */
async function commit() {
  const { createPostgresEngine } = await import(join(dist, 'engines/postgres/postgres-engine.js'));
  const engine = createPostgresEngine(database.address('commits'));
  await engine.migrate();
  const place = join(bed.folder, 'writes');
  fs.mkdirSync(place);
  const bytes = Buffer.from(body);
  const ours = () => {
    const name = `${++serial}`;
    return engine.commit({
      id: name,
      seen: 0,
      edits: [{ path: `posts/${name}.md`, expect: null, bytes }],
      claims: [`post ${name}`],
    });
  };
  const disk = () => durable(place, `${++serial}.md`);
  const took = await inTurns(writes, { ours, disk });
  say(
    'engine: a commit, against a durable file',
    took.ours / took.disk,
    '×',
    3,
    `${took.ours.toFixed(2)} and ${took.disk.toFixed(2)} ms`,
  );
  const rates = [];
  for (let round = 0; round < 7; round++) rates.push([await rateOf(16, ours), await rateOf(1, disk)]);
  const [grouped, single] = [median(rates.map(([one]) => one)), median(rates.map(([, one]) => one))];
  const about = `${grouped.toFixed(0)} and ${single.toFixed(0)} a second`;
  say('engine: 16 clients, against single durable files', median(rates.map(([a, b]) => a / b)), '×', 2, about, 'more');
  await engine.close();
}

/** Over REST, a node and a server of a folder in turns. */
async function rest() {
  const { folder, node } = await places();
  const took = await inTurns(writes, { ours: () => create(node), disk: () => create(folder) });
  say(
    'create over REST, against a folder',
    took.ours / took.disk,
    '×',
    1.5,
    `p50 ${took.ours.toFixed(2)} and ${took.disk.toFixed(2)} ms`,
  );
  const rates = [];
  for (let round = 0; round < 7; round++)
    rates.push([await rateOf(16, () => create(node)), await rateOf(16, () => create(folder))]);
  const about = `${median(rates.map(([a]) => a)).toFixed(0)} and ${median(rates.map(([, b]) => b)).toFixed(0)} a second`;
  say('creates of 16 clients, against a folder', median(rates.map(([a, b]) => a / b)), '×', null, about, 'more');
}

async function reads() {
  const { folder, node } = await places();
  for (const at of [folder, node]) while (at.ids.length < 200) at.ids.push((await create(at)).id);
  const one = (at) => at.ids[serial++ % at.ids.length];
  const kinds = {
    'reads of visitors, against a single process': [0.95, (at) => ask(at, 'GET', `/posts/${one(at)}`)],
    'reads of somebody signed in, against a single process': [
      0.95,
      (at) => ask(at, 'GET', `/posts/${one(at)}?context=edit`, true),
    ],
    'lists for somebody signed in, against a single process': [
      0.95,
      (at) => ask(at, 'GET', '/posts?context=edit&per_page=20', true),
    ],
  };
  for (const [name, [bar, read]] of Object.entries(kinds)) {
    for (const clients of [1, 16]) {
      const rates = [];
      for (let round = 0; round < 9; round++)
        rates.push([await rateOf(clients, () => read(node)), await rateOf(clients, () => read(folder))]);
      const about = `${median(rates.map(([a]) => a)).toFixed(0)} and ${median(rates.map(([, b]) => b)).toFixed(0)} a second`;
      // One client alone waits for each answer; a process is full with more.
      const held = clients === 1 ? null : bar;
      say(`${name}, ${clients}`, median(rates.map(([a, b]) => a / b)), '×', held, about, 'more');
    }
  }
}

/** From the answer of one node until visitors of every node see the change. */
async function lag() {
  const { nodes } = await places();
  const took = [];
  for (let at = 0; at < Math.min(writes, 400); at++) {
    const { id } = await create(nodes[at % nodes.length]);
    const answered = performance.now();
    await Promise.all(
      nodes.map(async (node) => {
        // Asked all the time, they would have less for what is measured.
        while ((await ask(node, 'GET', `/posts/${id}`)).status !== 200) await pause(1);
      }),
    );
    took.push(performance.now() - answered);
    // Other writers are not what is measured.
    await pause(5);
  }
  took.sort((a, b) => a - b);
  const about = `${took.length} creates, ${nodes.length} nodes`;
  say('answer → a visitor of every node, p50', took[Math.floor(took.length / 2)], 'ms', 5, about);
  say('answer → a visitor of every node, p99', took[Math.floor(took.length * 0.99)], 'ms', 50, about);
}

/** From the start of a process to its first answer. */
async function joins() {
  await stopAll();
  const folder = join(bed.folder, 'large');
  fs.mkdirSync(folder);
  writeCorpus(folder, posts);
  const engine = { CMS_ENGINE: database.address('large') };
  cms(['engine', 'migrate'], engine);
  cms(['engine', 'push', folder], engine);
  await run('analyze');
  const keeping = { ...engine, CMS_ENGINE_CACHE: join(bed.folder, 'node-cache') };
  await started(() => serve([], keeping));
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    fs.rmSync(join(folder, '.cms/cache'), { recursive: true, force: true });
    const first = await started(() => serve([folder]));
    const node = await started(() => serve([], engine));
    rounds.push([node, first, await started(() => serve([folder])), await started(() => serve([], keeping))]);
  }
  const [node, first, again, kept] = [0, 1, 2, 3].map((at) => median(rounds.map((round) => round[at])));
  const about = (one, other) => `${(one / 1000).toFixed(1)} and ${(other / 1000).toFixed(1)} s`;
  say(`a node joins ${posts} posts, against a folder`, median(rounds.map(([a, b]) => a / b)), '×', 1.5, about(node, first));
  say('the same, against a folder with its snapshot', median(rounds.map(([a, , b]) => a / b)), '×', null, about(node, again));
  say('a node with engine_cache, against one without', median(rounds.map(([a, , , b]) => b / a)), '×', null, about(kept, node));
}

async function started(start) {
  const began = performance.now();
  const at = await start();
  while ((await ask(at, 'GET', '/posts/1000')).status !== 200) await pause(2);
  const took = performance.now() - began;
  // The snapshot is written at the end, too.
  await stop(at.child);
  return took;
}

/** A folder that is served, and the same site served by nodes. */
async function places() {
  if (places.made) return places.made;
  const folder = join(bed.folder, 'site');
  cms(['init', folder, '--title', 'Bench', '--admin', 'admin', '--email', 'admin@example.com']);
  const password = cms(['password', 'create', 'admin', '--dir', folder, '--name', 'bench']).trim();
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const engine = { CMS_ENGINE: database.address('site') };
  cms(['engine', 'migrate'], engine);
  cms(['engine', 'push', folder], engine);
  const alone = await serve([folder]);
  const nodes = [];
  for (let at = 0; at < nodeCount; at++) nodes.push(await serve([], engine));
  for (const place of [alone, ...nodes]) {
    Object.assign(place, { authorization, ids: [] });
    for (let at = 0; at < 20; at++) await create(place);
  }
  places.made = { folder: alone, node: nodes[0], nodes };
  return places.made;
}

async function create(place) {
  const made = await ask(place, 'POST', '/posts', true, { title: `Post ${++serial}`, status: 'publish', content: body });
  if (made.status !== 201) throw new Error(`creating: ${made.status} ${made.text}`);
  return JSON.parse(made.text);
}

function ask({ base, authorization }, method, path, isSigned = false, sent = undefined) {
  return new Promise((done, failed) => {
    const headers = {
      ...(isSigned ? { authorization } : {}),
      ...(sent ? { 'content-type': 'application/json' } : {}),
    };
    const asked = request(`${base}/cms-json/cms/v2${path}`, { agent, method, headers });
    asked.on('error', failed).on('response', async (answer) => {
      let text = '';
      for await (const part of answer.setEncoding('utf8')) text += part;
      done({ status: answer.statusCode, text });
    });
    asked.end(sent && JSON.stringify(sent));
  });
}

async function serve(args, more = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', runBuild, dist, 'serve', ...args, '--port', '0'], {
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let said = '';
  const base = await new Promise((done, failed) => {
    child.stderr.on('data', (part) => {
      said += part;
      const found = /http:\/\/[\d.:]+/.exec(said)?.[0];
      if (found) done(found);
    });
    child.once('exit', () => failed(new Error(said)));
  });
  return { base, child };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

async function stopAll() {
  await Promise.all(running.splice(0).map(stop));
}

function cms(args, more = {}) {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', runBuild, dist, ...args], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

/** As the file driver of any careful program makes a new file. */
async function durable(directory, name) {
  const temporary = join(directory, `.${name}`);
  const file = fs.openSync(temporary, 'wx');
  fs.writeSync(file, body);
  await fsync(file);
  fs.closeSync(file);
  fs.renameSync(temporary, join(directory, name));
  const handle = fs.openSync(directory, 'r');
  await fsync(handle);
  fs.closeSync(handle);
}

/** One after the other in turn, so that whatever else the machine does is in both. @returns medians in ms */
async function inTurns(rounds, works) {
  const took = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds + 20; round++)
    for (const [name, work] of Object.entries(works)) {
      const began = performance.now();
      await work();
      if (round >= 20) took[name].push(performance.now() - began);
    }
  return Object.fromEntries(Object.entries(took).map(([name, all]) => [name, median(all)]));
}

/** Of so many clients for half a second, by the second. */
async function rateOf(clients, work) {
  const began = performance.now();
  let done = 0;
  const one = async () => {
    for (; performance.now() < began + 500; done++) await work();
  };
  await Promise.all(Array.from({ length: clients }, one));
  return (done * 1000) / (performance.now() - began);
}

function median(all) {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
}

async function startDatabase() {
  const root = '/usr/lib/postgresql';
  const version = fs.existsSync(root)
    ? fs.readdirSync(root).find((name) => fs.existsSync(join(root, name, 'bin/initdb')))
    : undefined;
  if (version === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const dir = join(bed.folder, 'database');
  fs.mkdirSync(dir);
  // It refuses to run as root.
  const [, , uid, gid] = (/^postgres:.*$/m.exec(fs.readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':').map(Number);
  const owner = process.getuid() === 0 ? { uid, gid } : {};
  if (owner.uid) fs.chownSync(dir, uid, gid);
  const tool = (name) => join(root, version, 'bin', name);
  const data = join(dir, 'data');
  execFileSync(tool('initdb'), ['-D', data, '-U', 'cms', '-A', 'trust', '--no-locale', '-E', 'UTF8'], {
    ...owner,
    cwd: dir,
    stdio: 'pipe',
  });
  const port = await new Promise((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=80'].flatMap((one) => ['-c', one]);
  const child = spawn(tool('postgres'), ['-D', data, '-p', String(port), '-k', dir, ...settings], {
    ...owner,
    cwd: dir,
    stdio: 'ignore',
  });
  const address = (schema) => `postgres://cms@127.0.0.1:${port}/postgres?schema=${schema}`;
  const made = {
    address,
    port,
    async stop() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGINT');
      await ended;
    },
  };
  database = made;
  for (let tries = 0; ; tries++) {
    const isThere = await run('select 1').then(
      () => true,
      () => false,
    );
    if (isThere) return made;
    if (tries === 200 || child.exitCode !== null) throw new Error('PostgreSQL does not start');
    await pause(100);
  }
}

async function run(sql) {
  const client = new pg.Client({ host: '127.0.0.1', port: database.port, user: 'cms', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

async function durability() {
  const value = async (name) => Object.values((await run(`show ${name}`))[0])[0];
  return {
    fsync: await value('fsync'),
    synchronous_commit: await value('synchronous_commit'),
    version: await value('server_version'),
  };
}
