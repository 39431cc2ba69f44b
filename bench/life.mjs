/**
 * What is not reading: writes against the disk's own speed, edits of files, starting, memory.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { createClient, memoryMb, median, quantile, settled, startServer } from './servers.mjs';

const list = '/cms-json/cms/v2/posts';
const text = `${'The light comes up behind the warehouses, and for ten minutes the whole basin is the colour of apricots. '.repeat(30)}\n`;

/**
 * The disk's own durable writes: write + fsync + rename + fsync of the directory, one after the other, in the directory where the
 * server writes; under names that it passes over.
 * @param replaced  how many files there are to be replaced; 0 for new ones
 * @returns ms of each
 */
export function diskWrites(directory, count, replaced = 0) {
  const place = (name) => join(directory, `.bench-${name}`);
  const write = (name) => {
    const started = performance.now();
    const file = openSync(place('temporary'), 'w');
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(place('temporary'), place(name));
    const handle = openSync(directory, 'r');
    fsyncSync(handle);
    closeSync(handle);
    return performance.now() - started;
  };
  const names = Array.from({ length: replaced || count }, (_, at) => at);
  if (replaced > 0) names.forEach(write);
  const times = Array.from({ length: count }, (_, at) => write(names[at % names.length]));
  for (const name of names) rmSync(place(name));
  return times;
}

/** Creating and updating posts one by one, and by 16 clients at once, each in turns with the disk alone. */
export async function measureWrites({ base }, folder, { authorization, rounds, say }) {
  const headers = { authorization, 'content-type': 'application/json' };
  const send = async (client, path, body) => {
    const answer = await client.ask(path, { method: 'POST', headers, body: JSON.stringify(body), read: true });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return { ms: answer.ms, id: JSON.parse(answer.body).id };
  };
  const one = createClient(base);
  const many = Array.from({ length: 16 }, () => createClient(base));
  const turns = [];
  say('writes');
  let serial = 0;
  const create = (client) => send(client, list, { title: `Written ${++serial}`, content: text, status: 'publish' });
  const update = (id) => send(one, `${list}/${id}`, { title: `Changed ${id} ${++serial}` });
  // What a server has not done yet it does slowly: its code is compiled as it is used.
  const warmed = [];
  for (let at = 0; at < 2000; at++) warmed.push((await create(one)).id);
  for (const id of warmed) await update(id);
  const directory = dirname(newest(join(folder, 'posts')));
  for (let round = 0; round < rounds; round++) {
    const disk = diskWrites(directory, 40);
    const replacing = diskWrites(directory, 40, 20);
    await pause(200);
    const made = [];
    for (let at = 0; at < 40; at++) made.push(await create(one));
    const changed = [];
    for (const { id } of made) changed.push(await update(id));
    const started = performance.now();
    await Promise.all(
      many.map(async (client) => {
        for (let at = 0; at < 12; at++) await create(client);
      }),
    );
    turns.push({
      disk: median(disk),
      replacing: median(replacing),
      create: median(made.map(({ ms }) => ms)),
      update: median(changed.map(({ ms }) => ms)),
      rate: (many.length * 12 * 1000) / (performance.now() - started),
    });
  }
  for (const client of [one, ...many]) client.close();
  const of = (pick) => median(turns.map(pick));
  const row = (name, about, ratio, unit, better, bar, aim, detail) => ({
    name,
    about,
    value: of(ratio),
    unit,
    better,
    bar,
    aim,
    detail,
  });
  const diskMs = of(({ disk }) => disk);
  return [
    row('create', 'one client, p50', ({ create: ms, disk }) => ms / disk, '× a durable write', 'less', 3, 2, {
      ms: of(({ create: ms }) => ms),
      diskMs,
    }),
    row(
      'update',
      'one client, p50; keeps a revision',
      ({ update: ms, replacing }) => ms / replacing,
      '× a durable replacement',
      'less',
      3,
      2,
      { ms: of(({ update: ms }) => ms), diskMs: of(({ replacing }) => replacing) },
    ),
    row('16 clients', 'creating at once', ({ rate, disk }) => (rate * disk) / 1000, '× durable writes/s', 'more', 1, 1.5, {
      rate: Math.round(of(({ rate }) => rate)),
      diskRate: Math.round(1000 / diskMs),
    }),
  ];
}

/** The file that was changed last. */
function newest(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const changed = (name) => statSync(join(folder, name)).mtimeMs;
  const found = files.reduce((a, b) => (changed(a) >= changed(b) ? a : b));
  return join(folder, found);
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
    detail: {},
  }));
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
