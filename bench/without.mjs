/**
 * One build against another, each over its own copy of a folder, in turns: what a feature of the program is worth, and what has become
 * slower since an earlier build.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from '../build/bundle.mjs';
import { firstPostId, words } from './corpus.mjs';
import { inTurns } from './growth.mjs';
import { headerOf, load, sequence } from './http.mjs';
import { createWriter, p50, warmUp } from './life.mjs';
import { measuresFor } from './measures.mjs';
import { cpuMs, createClient, fetchAnswer, median, memoryMb, ownDist, project, settled, startServer } from './servers.mjs';

/** Each is taken out by replacing `code` in one module of `src`; `measures` are those it is there for. */
export const features = {
  'buffer-pool': {
    file: 'kernel/http/server.ts',
    code: 'const chunks = createChunks();',
    instead: 'const chunks = { take: (length) => Buffer.allocUnsafe(length), own: (bytes) => bytes, give() {} };',
    measures: ['list of 100', 'deep pages', '_embed', 'first views'],
  },
  'word-pairs': {
    file: 'kernel/records/text-index.ts',
    code: 'if (part.liveDocs >= choosingAt && !part.pairs.ready) chooseCommon(texts, part);',
    instead: '',
    measures: ['phrase of two', 'phrase of three', 'phrase again', 'memory'],
  },
  'remembered-looks': {
    file: 'kernel/records/search.ts',
    code: 'texts.looks.remembering(term, columns)',
    instead: 'texts.looks.matcher(term, columns)',
    measures: ['phrase of two', 'phrase of three', 'phrase again', 'memory'],
  },
  'render-ahead': {
    file: 'kernel/site/write.ts',
    code: 'writer.claims() }), meanwhile)',
    instead: 'writer.claims() }), undefined)',
    measures: ['create', 'update'],
  },
  'fast-yaml': {
    file: 'kernel/yaml/fast.ts',
    code: 'if (unusual.test(text)) return undefined;',
    instead: 'if (text !== undefined) return undefined;',
    measures: ['start without snapshot', 'create', 'update'],
  },
  'record-cache': {
    file: 'kernel/site/record-cache.ts',
    code: 'return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));',
    instead: 'return null;',
    measures: ['start with snapshot'],
  },
  snapshot: {
    file: 'kernel/store/snapshot.ts',
    code: 'const bytes = readOwn(file);',
    instead: 'const bytes = null;',
    measures: ['start with snapshot'],
  },
  'front-cache': {
    file: 'kernel/http/front-cache.ts',
    code: 'if (hasBody(headers)) return null;',
    instead: 'if (headers) return null;',
    measures: ['item', 'list of 10', '304', 'signed in'],
  },
  'plain-excerpts': {
    file: 'render/excerpt.ts',
    code: 'isBeginning && !options.filtered ? plainBeginning',
    instead: 'false ? plainBeginning',
    measures: ['first lists', 'first views'],
  },
};

const list = '/cms-json/cms/v2/posts';

/** @returns folder of a build without the feature, to be removed */
export async function buildWithout(name) {
  const { file, code, instead } = features[name];
  let found = 0;
  const dist = join(project, `.build-without-${name}`);
  const leaveOut = {
    name: 'leave-out',
    transform(text, id) {
      if (!id.endsWith(`${sep}src${sep}${file.split('/').join(sep)}`)) return null;
      found += text.split(code).length - 1;
      return text.replace(code, instead);
    },
  };
  await build(dist, [], [leaveOut]);
  if (found !== 1) throw new Error(`${name} is to be found once in ${file}, and is there ${found} times`);
  return dist;
}

/**
 * @param folders  two that are alike, each with its administrator; they are changed
 * @returns rows: how many times what it costs with the feature it costs without it
 */
export async function measureWithout(name, folders, options) {
  const { only, say } = options;
  const wanted = only ?? features[name].measures;
  say(`building without ${name}`);
  const without = await buildWithout(name);
  try {
    return await measureBuilds([ownDist, without], folders, wanted, { ...options, about: 'with it and without' });
  } finally {
    rmSync(without, { recursive: true, force: true });
  }
}

/**
 * @param old      folder of an earlier build
 * @param folders  as above
 * @returns rows: how many times what it costs with that build it costs with this one
 */
export function measureAgainst(old, folders, options) {
  const reads = measuresFor(options.posts, firstPostId).map(({ name }) => name);
  const wanted = options.only ?? [...reads, ...new Set(Object.values(features).flatMap(({ measures }) => measures))];
  return measureBuilds([old, ownDist], folders, wanted, { ...options, about: 'before and now' });
}

async function measureBuilds(dists, folders, wanted, options) {
  const sides = folders.map((side, at) => ({ ...side, dist: dists[at] }));
  const starts = wanted.filter((one) => one.startsWith('start '));
  const rows = starts.length < wanted.length ? await measureServers(sides, wanted, options) : [];
  return [...rows, ...(starts.length > 0 ? await measureStarts(sides, starts, options) : [])];
}

async function measureServers(sides, wanted, { posts, rounds, seconds, say, about }) {
  for (const side of sides) side.server = await startServer(side.folder, `${list}/${firstPostId}`, [], side.dist);
  say('waiting until both servers rest');
  for (const { server } of sides) await settled(server.pid);
  const rows = [];
  const add = (name, unit, pairs) => void rows.push(rowOf(name, unit, pairs, about));
  if (wanted.includes('memory')) add('memory at rest, before a search', 'MiB', [sides.map(({ server }) => memoryMb(server.pid))]);
  if (wanted.includes('first lists')) {
    say('first lists');
    const pages = Array.from(
      { length: Math.min(40, Math.ceil(posts / 100)) },
      (_, at) => `${list}?per_page=100&page=${at + 1}&_fields=excerpt`,
    );
    const turns = await onceThrough(sides, pages, 1);
    // The first ones are slow for what has not run yet.
    add(
      'first lists',
      'ms',
      turns.slice(2).map((pair) => pair.map((us) => us / 1000)),
    );
  }
  // What is asked for the first time goes before what has the same posts in it.
  const isFirst = ({ kind }) => kind === 'first';
  const reads = measuresFor(posts, firstPostId).filter(({ name }) => wanted.includes(name));
  for (const { name, paths } of reads.filter(isFirst)) {
    say(name);
    add(name, 'µs', await onceThrough(sides, paths, 20));
  }
  for (const measure of reads.filter((one) => !isFirst(one))) {
    say(measure.name);
    add(measure.name, 'µs', await repeated(sides, measure, rounds * seconds));
  }
  for (const [name, length] of [
    ['phrase of two', 2],
    ['phrase of three', 3],
  ]) {
    if (!wanted.includes(name)) continue;
    say(name);
    add(name, 'ms', await searches(sides, length, rounds * seconds));
  }
  const writers = sides.map(({ server, authorization }) => createWriter(server, authorization));
  if (wanted.includes('phrase again')) {
    say('phrase again');
    add('phrase again', 'ms', await searchesAgain(sides, writers, rounds * 2));
  }
  if (wanted.includes('memory')) add('memory after these', 'MiB', [sides.map(({ server }) => memoryMb(server.pid))]);
  if (wanted.includes('create') || wanted.includes('update')) {
    say('writes');
    for (const writer of writers) await warmUp(writer);
    const turns = await inTurns(rounds * 4, async (side) => {
      await pause(200);
      const made = await writers[side].creates(40);
      return { create: p50(made), update: p50(await writers[side].updates(made)) };
    });
    for (const name of ['create', 'update'])
      add(
        name,
        'ms',
        turns.map((pair) => pair.map((one) => one[name])),
      );
  }
  for (const writer of writers) writer.close();
  for (const { server } of sides) await server.stop();
  return rows;
}

function rowOf(name, unit, pairs, about) {
  return {
    name,
    about: `${about}, ${pairs.length} pairs`,
    unit: '×',
    value: median(pairs.map(([one, other]) => other / one)),
    better: 'less',
    detail: { unit, small: median(pairs.map(([one]) => one)), large: median(pairs.map(([, other]) => other)) },
  };
}

/** Paths that nobody has asked for, some at a time. @returns pairs of processor time for a request, µs */
async function onceThrough(sides, paths, at) {
  const next = [0, 0];
  return inTurns(Math.floor(paths.length / at), async (side) => {
    const some = paths.slice(next[side], next[side] + at);
    next[side] += at;
    return (await sequence(sides[side].server, some, {})).cpu * 1000;
  });
}

async function repeated(sides, { kind, paths, conditional, signedIn }, rounds) {
  const turns = sides.map(({ server, authorization }) => async () => {
    if (kind !== 'repeated') return (await sequence(server, paths, { ms: 200 })).cpu * 1000;
    const headers = signedIn ? { authorization } : {};
    if (conditional) headers['if-none-match'] = headerOf(await fetchAnswer(server.base + paths[0]), 'etag');
    return (await load(server, paths[0], headers, 0.5)).cpu * 1000;
  });
  for (const turn of turns) for (let at = 0; at < 3; at++) await turn();
  return inTurns(rounds * 2, (side) => turns[side]());
}

/** Phrases of so many common words that nobody has searched for. @returns pairs of processor time for a search, ms */
async function searches(sides, length, rounds) {
  const next = [0, 0];
  const turn = (side) =>
    search(
      sides[side].server,
      Array.from({ length: 5 }, () => phrase(next[side]++, length)),
    );
  for (const side of [0, 1]) await turn(side);
  return inTurns(rounds * 2, turn);
}

/** The same phrases, each time after a post has changed. */
async function searchesAgain(sides, writers, rounds) {
  const made = [];
  for (const writer of writers) made.push(await writer.creates(1));
  const phrases = [phrase(1, 3), phrase(2, 3), phrase(3, 4)];
  const turn = async (side) => {
    await writers[side].updates(made[side]);
    return search(sides[side].server, phrases);
  };
  for (const side of [0, 1]) await turn(side);
  return inTurns(rounds, turn);
}

let serial = 0;
async function search({ base, pid }, phrases) {
  const client = createClient(base);
  const before = cpuMs(pid);
  for (const text of phrases) {
    const { status } = await client.ask(`${list}?search=%22${text}%22&_fields=id&_=${++serial}`);
    if (status !== 200) throw new Error(`search ${text}: ${status}`);
  }
  client.close();
  return (cpuMs(pid) - before) / phrases.length;
}

function phrase(at, length) {
  return Array.from({ length }, (_, place) => words[(at * 7 + place * (11 + at)) % words.length]).join('+');
}

async function measureStarts(sides, wanted, { posts, rounds, say, about }) {
  say('starts');
  const path = `${list}/${firstPostId + posts - 1}`;
  const found = { 'start with snapshot': [], 'start without snapshot': [] };
  for (let round = 0; round < Math.min(3, rounds); round++) {
    const pairs = await inTurns(1, async (side) => {
      const { folder, dist } = sides[side];
      const cache = join(folder, '.cms', 'cache');
      for (const name of readdirSync(cache)) if (name !== 'sequences.json') rmSync(join(cache, name), { recursive: true });
      const took = {};
      for (const name of ['start without snapshot', 'start with snapshot']) {
        const server = await startServer(folder, path, [], dist);
        took[name] = server.readyMs;
        // The snapshot is written some seconds after a start.
        if (name === 'start without snapshot') await pause(6000).then(() => settled(server.pid));
        await server.stop();
      }
      return took;
    });
    for (const name of wanted) found[name].push(pairs[0].map((took) => took[name]));
  }
  return wanted.map((name) => rowOf(name, 'ms', found[name], about));
}
