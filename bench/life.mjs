/**
 * What is not reading: a client that writes, edits of files, uploads, starting, memory.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { createClient, memoryMb, median, quantile, settled, startServer } from './servers.mjs';

const list = '/cms-json/cms/v2/posts';
const text = `${'The light comes up behind the warehouses, and for ten minutes the whole basin is the colour of apricots. '.repeat(30)}\n`;

let serial = 0;
export const newPost = () => ({ title: `Written ${++serial}`, content: text, status: 'publish' });

/** Creates and changes posts over a connection of its own, each with another title. */
export function createWriter({ base }, authorization) {
  const client = createClient(base);
  const headers = { authorization, 'content-type': 'application/json' };
  const send = async (path, body) => {
    const answer = await client.ask(path, { method: 'POST', headers, body: JSON.stringify(body), read: true });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return { ms: answer.ms, id: JSON.parse(answer.body).id };
  };
  return {
    /** @returns {ms, id} of each */
    async creates(count) {
      const made = [];
      for (let at = 0; at < count; at++) made.push(await send(list, newPost()));
      return made;
    },
    /** @param made  what `creates` gave */
    async updates(made) {
      const changed = [];
      for (const { id } of made) changed.push(await send(`${list}/${id}`, { title: `Changed ${id} ${++serial}` }));
      return changed;
    },
    close: client.close,
  };
}

/** What a server has not done yet it does slowly: its code is compiled as it is used. */
export async function warmUp(writer) {
  await writer.updates(await writer.creates(2000));
}

/** Median ms of what a writer did. */
export function p50(answers) {
  return median(answers.map(({ ms }) => ms));
}

/** From a saved file to the new title in an answer. */
export async function measureEdits({ base }, folder, { first, say }) {
  say('edits');
  const client = createClient(base);
  const files = readdirSync(join(folder, 'posts'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const times = [];
  for (let at = 0; at < 40; at++) {
    const path = join(folder, 'posts', files[(at * 7919) % files.length]);
    const source = readFileSync(path, 'utf8');
    const id = Number(/^id: (\d+)/m.exec(source)[1]);
    if (id < first) continue;
    const title = `Edited by hand ${at}`;
    writeFileSync(path, source.replace(/^title: .*/m, `title: ${title}`));
    const started = performance.now();
    for (;;) {
      const { body } = await client.ask(`${list}/${id}?_fields=title`, { read: true });
      if (JSON.parse(body).title?.rendered === title) break;
      if (performance.now() - started > 30_000) throw new Error(`${dirname(path)}: an edit was not seen within 30 s`);
      await pause(1);
    }
    times.push(performance.now() - started);
    await pause(20);
  }
  client.close();
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return [
    {
      name: 'edit, p50',
      about: 'a saved file until it is in an answer',
      value: p50,
      unit: 'ms',
      better: 'less',
      bar: 100,
      aim: 20,
      detail: {},
    },
    {
      name: 'edit, p99',
      about: `of ${times.length} edits`,
      value: p99,
      unit: 'ms',
      better: 'less',
      bar: 300,
      aim: 60,
      detail: {},
    },
  ];
}

/** A picture sent in, until all of its sizes can be had, in turns with bare sharp making the same sizes from the same file. */
export async function measureUpload({ base }, folder, { authorization, rounds, say }) {
  say('uploads');
  const [width, height] = [1632, 1224];
  const client = createClient(base);
  const noise = Buffer.alloc(width * height * 3);
  for (let at = 0, seed = 7; at < noise.length; at++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    noise[at] = ((at / 3 / width) & 0xff) / 2 + (((at % (width * 3)) / 30) & 0x7f) + (seed >> 26);
  }
  const picture = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const file = join(folder, 'bench.jpg');
  writeFileSync(file, picture);
  sharp.concurrency(1);
  const turns = [];
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now();
    const headers = {
      authorization,
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="bench-${round}.jpg"`,
    };
    const body = Buffer.concat([picture, Buffer.from(String(round))]);
    const answer = await client.ask('/cms-json/cms/v2/media', { method: 'POST', headers, body, read: true });
    const sizes = Object.values(JSON.parse(answer.body).media_details.sizes).filter((size) => size.width !== width);
    for (const { source_url } of sizes) {
      const { status } = await client.ask(new URL(source_url).pathname);
      if (status !== 200) throw new Error(`${source_url}: ${status}`);
    }
    const ours = performance.now() - started;
    const bareStart = performance.now();
    for (const { width: wide, height: high } of sizes) {
      await sharp(file)
        .autoOrient()
        .resize(wide, high, { fit: wide === high ? 'cover' : 'fill' })
        .jpeg({ quality: 82 })
        .toBuffer();
    }
    // The first one loads what is needed.
    if (round > 0) turns.push({ ours, bare: performance.now() - bareStart, count: sizes.length });
  }
  client.close();
  rmSync(file);
  const of = (pick) => median(turns.map(pick));
  return [
    {
      name: 'upload',
      about: `2 megapixels, until its ${turns[0].count} sizes are there; bare sharp ${of(({ bare }) => bare).toFixed(0)} ms`,
      value: of(({ ours, bare }) => ours / bare),
      unit: '× bare sharp',
      better: 'less',
      bar: 2,
      aim: 1.3,
      detail: {},
    },
  ];
}

/** Starts with and without what earlier runs have kept, to the first right answer. */
export async function measureStart(folder, { posts, first, rounds, say }) {
  say('starts');
  const path = `${list}/${first + posts - 1}`;
  const times = { with: [], without: [] };
  const reading = [];
  const [bars, aims] =
    posts >= 100_000
      ? [
          [3000, 8000],
          [2000, 5000],
        ]
      : posts >= 10_000
        ? [
            [800, 1500],
            [500, 1000],
          ]
        : [[], []];
  for (let round = 0; round < rounds; round++) {
    // What the server can make again; the numbers it has given out stay.
    for (const name of readdirSync(join(folder, '.cms', 'cache'))) {
      if (name !== 'sequences.json') rmSync(join(folder, '.cms', 'cache', name), { recursive: true });
    }
    for (const kind of ['without', 'with']) {
      const server = await startServer(folder, path);
      times[kind].push(server.readyMs);
      // The snapshot is written some seconds after a start.
      if (kind === 'without') await pause(6000).then(() => settled(server.pid));
      await server.stop();
      // What no start without a snapshot can do without, of files the server has just had the system read.
      if (kind === 'without') reading.push(readAll(folder));
    }
  }
  return ['with', 'without'].map((kind, at) => ({
    name: `start ${kind} snapshot`,
    about: 'until the first right answer',
    value: median(times[kind]),
    unit: 'ms',
    better: 'less',
    bar: bars[at],
    aim: aims[at],
    detail: kind === 'without' ? { readMs: median(reading) } : {},
  }));
}

/** Reads the content's texts one after the other and splits their front matter at its lines. @returns ms */
function readAll(folder) {
  const started = performance.now();
  const kept = [];
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'revisions') walk(path);
      if (entry.isFile() && /\.(md|html|yaml)$/.test(entry.name)) kept.push(split(readFileSync(path, 'utf8')));
    }
  };
  const split = (source) => {
    const end = source.startsWith('---\n') ? source.indexOf('\n---\n', 3) : -1;
    const lines = (end < 0 ? source : source.slice(4, end)).split('\n');
    const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    return { data: Object.fromEntries(pairs), body: end < 0 ? '' : source.slice(end + 5) };
  };
  walk(folder);
  return performance.now() - started;
}

/** Memory of a server beyond that of an empty one, for each post. */
export function memoryRow(emptyMb, server, posts, about) {
  const mb = memoryMb(server.pid);
  const value = ((mb - emptyMb) * 1024) / posts;
  const counts = posts >= 100_000 ? { bar: 12, aim: 8 } : {};
  return {
    name: `memory ${about}`,
    about: `${Math.round(mb)} MiB, empty ${Math.round(emptyMb)}`,
    value,
    unit: 'KiB a post',
    better: 'less',
    ...counts,
    detail: {},
  };
}
