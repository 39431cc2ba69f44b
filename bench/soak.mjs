#!/usr/bin/env node
/**
 * Hours in minutes: a mix of reads, searches, writes, uploads and edits of files, and what becomes of the server's memory. Ends
 * with 1 when memory goes on growing after the first third, or an answer was wrong. In an hour or more, growing is 1 MB an hour of
 * what is live: each minute the server collects all its waste, and what is left is noted. What the process holds, waste and all, is
 * never to grow by a tenth.
 *
 *     npm run build && node bench/soak.mjs [--minutes 10] [--posts 10000] [--workers 1]
 *
 * What was just written must be what other connections see, and so other workers. With several, memory is that of all processes, and
 * what is live is not told.
 *
 * What it creates it deletes again, and of what it edits so many revisions are kept: the site stays as large as it was. A server that
 * gets too little of the processor refuses writes with 503 after ten seconds: those are failures here, the run wants a quiet machine.
 *
 * It says each minute how far it is. Nothing is drawn at random: the same is asked in the same order in each run.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { firstPostId, rareWord, writeCorpus } from './corpus.mjs';
import { readOptions } from './options.mjs';
import {
  createClient,
  makeAdministrator,
  median,
  memoryMb,
  ownDist,
  processesOf,
  project,
  startServer,
  stopAll,
} from './servers.mjs';

const { values } = readOptions({
  options: {
    minutes: { type: 'string', default: '10' },
    posts: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '1' },
  },
});
const [minutes, posts, workers] = [Number(values.minutes), Number(values.posts), Number(values.workers)];
/** Growth from the second third to the last that is still called none. */
const tolerated = 1.1;
/** MB an hour that what is live in a run of an hour or more may grow by, after its first third. */
const toleratedSlope = 1;
const folder = mkdtempSync(join(tmpdir(), 'cms-soak-'));
process.env.CMS_STATE_DIR = `${folder}-state`;
const liveFile = `${folder}-live`;
process.env.LIVE_MEMORY_FILE = liveFile;
writeFileSync(liveFile, '');
/**
 * Of so many posts, all is read again and again, is cached and stays. Caches that fill and empty all the time would hide a growth of
 * megabytes, and so would caches that have not filled yet, or hold what nobody asks for any more until they let go of it, in one
 * moment of the run: all posts are read once before the first minute, then pushed out, then what the run reads.
 */
const read = Math.min(posts, 1000);
/** What is pushed through the caches: more than the largest of them holds, in answers of a post whose text is so long. */
const [pushedMb, longText] = [200, 'word '.repeat(80_000)];
/**
 * So many posts, as a share of all, come and go before the first minute. A table of a hash map whose keys come and go doubles once,
 * when it is full of removed ones, and never again: at 100,000 posts after 31,000 of them, 4 MB for each table, in one moment.
 */
const comeAndGone = 0.4;
/** So many files are edited, in turns, and so many revisions of each are kept. */
const [edited, revisions] = [200, 3];
const list = '/cms-json/cms/v2/posts';

try {
  process.exitCode = await main();
} finally {
  await stopAll();
  for (const dir of [folder, `${folder}-state`, liveFile]) rmSync(dir, { recursive: true, force: true });
}

async function main() {
  mkdirSync(folder, { recursive: true });
  writeCorpus(folder, posts);
  // The site itself must not grow: an edit leaves a revision.
  appendFileSync(join(folder, 'site.yaml'), `revisions: ${revisions}\n`);
  const authorization = makeAdministrator(folder);
  const preload = workers === 1 ? join(project, 'bench', 'live-memory.mjs') : undefined;
  const server = await startServer(folder, list, ['--workers', String(workers)], ownDist, preload);
  await fillCaches(server, authorization);
  await pushOut(server, authorization);
  await readOnce(server, authorization);
  await comeAndGo(server, authorization);
  const end = Date.now() + minutes * 60_000;
  const counts = { reads: 0, searches: 0, writes: 0, uploads: 0, edits: 0, failures: 0 };
  /** Kind and status → how often. */
  const wrong = {};
  const samples = [];
  const memory = () => processesOf(server.pid).reduce((sum, pid) => sum + memoryMb(pid), 0);
  const sampling = setInterval(() => samples.push(memory()), 1000);
  const note = (what) => {
    counts.failures++;
    wrong[what] = (wrong[what] ?? 0) + 1;
  };
  const parts = () =>
    readFileSync(liveFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ').map(Number));
  const live = () => parts().map(([all]) => all);
  const began = Date.now();
  const telling = setInterval(() => {
    const asked = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
    const held = preload ? `, of which live ${(parts().at(-1) ?? []).map((mib) => mib.toFixed(1)).join(', of that ')} MB` : '';
    console.error(
      `minute ${Math.round((Date.now() - began) / 60_000)} of ${minutes}: ${asked.join(', ')}; ${Math.round(samples.at(-1) ?? 0)} MB${held}`,
    );
    if (preload) process.kill(server.pid, 'SIGUSR2');
  }, 60_000);
  const until = async (kind, step, restMs = 0) => {
    const client = createClient(server.base);
    for (let at = 0; Date.now() < end; at++) {
      const { status, body } = await step(client, at);
      counts[kind]++;
      if (status >= 300) {
        const what = `${kind} ${status}`;
        if (!wrong[what]) console.error(`the first ${what}: ${body.slice(0, 500)}`);
        note(what);
      }
      if (restMs > 0) await pause(restMs);
    }
    client.close();
  };
  const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#4a7' } })
    .jpeg()
    .toBuffer();
  const files = readdirSync(join(folder, 'posts'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .slice(0, edited);
  const json = { authorization, 'content-type': 'application/json' };
  const others = Array.from({ length: workers }, () => createClient(server.base));
  await Promise.all([
    ...[0, 1, 2].map((worker) =>
      until(
        'reads',
        (client, at) => {
          const turn = at * 3 + worker;
          return client.ask(pathOf(turn), { read: true, ...(turn % 2 ? { headers: { authorization } } : {}) });
        },
        5,
      ),
    ),
    until(
      'searches',
      (client, at) => client.ask(`${list}?search=${['harbour', 'antern', rareWord(at % read)][at % 3]}`, { read: true }),
      20,
    ),
    until(
      'writes',
      async (client, at) => {
        const made = await client.ask(list, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ title: `Soak ${at}`, content: 'x '.repeat(2000), status: 'publish' }),
          read: true,
        });
        if (made.status !== 201) return made;
        const { id } = JSON.parse(made.body);
        const change = { method: 'POST', headers: json, body: JSON.stringify({ title: `Changed ${at}` }), read: true };
        const changed = await client.ask(`${list}/${id}`, change);
        if (changed.status >= 300) return changed;
        for (const other of others) {
          const { status, body } = await other.ask(`${list}/${id}`, { read: true });
          if (!body.includes(`Changed ${at}`)) return { status: 600, body: `${status} ${body}` };
        }
        return client.ask(`${list}/${id}?force=true`, { method: 'DELETE', headers: { authorization }, read: true });
      },
      30,
    ),
    until(
      'uploads',
      async (client, at) => {
        const headers = {
          authorization,
          'content-type': 'image/jpeg',
          'content-disposition': `attachment; filename="soak-${at}.jpg"`,
        };
        const made = await client.ask('/cms-json/cms/v2/media', {
          method: 'POST',
          headers,
          body: Buffer.concat([picture, Buffer.from(String(at))]),
          read: true,
        });
        if (made.status !== 201) return made;
        return client.ask(`/cms-json/cms/v2/media/${JSON.parse(made.body).id}?force=true`, {
          method: 'DELETE',
          headers: { authorization },
          read: true,
        });
      },
      500,
    ),
    until(
      'edits',
      (_client, at) => {
        const path = join(folder, 'posts', files[at % files.length]);
        writeFileSync(path, readFileSync(path, 'utf8').replace(/^title: .*/m, `title: Edited ${at}`));
        return { status: 200 };
      },
      100,
    ),
  ]);
  for (const other of others) other.close();
  clearInterval(sampling);
  clearInterval(telling);
  const third = (part) =>
    median(samples.slice(Math.floor((samples.length * part) / 3), Math.floor((samples.length * (part + 1)) / 3)));
  const [first, second, last] = [third(0), third(1), third(2)];
  const [slope, liveSlope] = [slopeOf(afterFirstThird(samples), 60, 60), slopeOf(afterFirstThird(live()), 5, 60 / 5)];
  console.log(
    JSON.stringify({
      minutes,
      posts,
      workers,
      ...counts,
      wrong,
      memoryMb: {
        first: Math.round(first),
        second: Math.round(second),
        last: Math.round(last),
        most: Math.round(samples.reduce((most, one) => Math.max(most, one), 0)),
      },
      slopeMbPerHour: Math.round(slope * 100) / 100,
      liveMb: live().map((one) => Math.round(one * 10) / 10),
      liveSlopeMbPerHour: Math.round(liveSlope * 100) / 100,
    }),
  );
  const isSteady = last <= second * tolerated && (minutes < 60 || liveSlope < toleratedSlope);
  return counts.failures === 0 && isSteady ? 0 : 1;
}

/** Lists of all posts, as visitors and as an administrator have them. */
async function fillCaches(server, authorization) {
  const client = createClient(server.base);
  for (const headers of [{}, { authorization }])
    for (let page = 1; page <= Math.ceil(posts / 100); page++) {
      const { status } = await client.ask(`${list}?per_page=100&page=${page}&_embed`, { read: true, headers });
      if (status !== 200) throw new Error(`page ${page} answered ${status}`);
    }
  client.close();
}

/** A post that changes over and over: an answer of a state that is gone is of no use to anybody, and takes the place of others. */
async function pushOut(server, authorization) {
  const client = createClient(server.base);
  const headers = { authorization, 'content-type': 'application/json' };
  const ask = async (path, method, body) => {
    const answer = await client.ask(path, { method, headers, read: true, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`);
    return answer.body;
  };
  const { id } = JSON.parse(await ask(list, 'POST', { title: 'Long', content: longText, status: 'publish' }));
  for (let bytes = 0, at = 0; bytes < pushedMb * 2 ** 20; at++) {
    await ask(`${list}/${id}`, 'POST', { content: `${at} ${longText}` });
    bytes += (await ask(`${list}/${id}`, 'GET')).length;
  }
  await ask(`${list}/${id}?force=true`, 'DELETE');
  client.close();
}

/** New posts, of four clients, that are deleted at once. */
async function comeAndGo(server, authorization) {
  const headers = { authorization, 'content-type': 'application/json' };
  let left = Math.ceil(posts * comeAndGone);
  const work = async () => {
    const client = createClient(server.base);
    while (left-- > 0) {
      const body = JSON.stringify({ title: `Gone ${left}`, content: 'Gone.', status: 'publish' });
      const made = await client.ask(list, { method: 'POST', headers, body, read: true });
      if (made.status !== 201) throw new Error(`a new post answered ${made.status}`);
      const { status } = await client.ask(`${list}/${JSON.parse(made.body).id}?force=true`, {
        method: 'DELETE',
        headers,
        read: true,
      });
      if (status !== 200) throw new Error(`deleting it answered ${status}`);
    }
    client.close();
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** All that the run reads, as visitors and as an administrator. */
async function readOnce(server, authorization) {
  const client = createClient(server.base);
  for (const headers of [{}, { authorization }])
    for (let turn = 0; turn < 3 * read; turn++) await client.ask(pathOf(turn), { read: true, headers });
  client.close();
}

function pathOf(turn) {
  return [
    `${list}/${firstPostId + ((turn * 7919) % read)}`,
    `${list}?page=${1 + (turn % (read / 10))}`,
    `${list}?tags=${51 + (turn % (read / 20))}&_embed`,
  ][turn % 3];
}

function afterFirstThird(samples) {
  return samples.slice(Math.floor(samples.length / 3));
}

/**
 * MB an hour, by least squares over what a server needs at the least in each stretch: what it uses beyond that is waste to be collected,
 * or work under way.
 * @param perStretch  how many of the samples
 * @param perHour     how many stretches
 */
function slopeOf(samples, perStretch, perHour) {
  const least = [];
  for (let at = 0; at + perStretch <= samples.length; at += perStretch)
    least.push(Math.min(...samples.slice(at, at + perStretch)));
  const middle = (least.length - 1) / 2;
  const mean = least.reduce((sum, one) => sum + one, 0) / least.length;
  const [up, across] = least.reduce(
    ([up, across], one, at) => [up + (at - middle) * (one - mean), across + (at - middle) ** 2],
    [0, 0],
  );
  return across === 0 ? 0 : (up / across) * perHour;
}
