#!/usr/bin/env node
/**
 * What media cost: the sizes of a 12-megapixel JPEG as the server makes them against bare sharp making the same sizes one by
 * one, as a ratio of times; and the memory of a server that takes an upload of 100 MB.
 *
 *     npm run build:modules && node bench/media.mjs [--rounds N]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { readOptions } from './options.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = readOptions({
  options: { rounds: { type: 'string', default: '5' }, dist: { type: 'string', default: '.build-modules' } },
});
const { makeSizes } = await import(join(project, values.dist, 'modules/media/files/image.js'));
const { renditions, standardSizes } = await import(join(project, values.dist, 'modules/media/files/sizes.js'));
const folder = mkdtempSync(join(tmpdir(), 'cms-bench-media-'));
process.env.CMS_STATE_DIR = join(folder, 'state');

try {
  await measureSizes();
  await measureUpload();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSizes() {
  const file = join(folder, 'photo.jpg');
  writeFileSync(file, await photo(4000, 3000));
  const wanted = [
    { file: 'photo-scaled.jpg', width: 2560, height: 1920, crop: false },
    ...renditions(standardSizes, { width: 4000, height: 3000 }, 'photo', '.jpg'),
  ];
  sharp.concurrency(1);
  const bare = async () => {
    for (const { width, height, crop } of wanted) {
      await sharp(file)
        .autoOrient()
        .resize(width, height, { fit: crop ? 'cover' : 'fill' })
        .keepIccProfile()
        .jpeg({ quality: 82 })
        .toBuffer();
    }
  };
  const ours = () => makeSizes(file, wanted, { format: 'jpeg' }, async () => {});
  await bare();
  await ours();
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round++) rounds.push([await timed(ours), await timed(bare)]);
  const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  const ratio = median(rounds.map(([own, other]) => own / other));
  const [own, other] = [median(rounds.map(([time]) => time)), median(rounds.map(([, time]) => time))];
  console.log(
    `sizes of 12 megapixels: ${wanted.length} files in ${own.toFixed(0)} ms, bare sharp ${other.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
}

async function measureUpload() {
  const dir = join(folder, 'site');
  const cli = join(project, values.dist, 'cli/main.js');
  const code = `import { main, processIo } from ${JSON.stringify(cli)}; process.exitCode = await main(process.argv.slice(1), processIo);`;
  const password = (await run(code, ['init', dir, '--title', 'Bench', '--admin', 'admin'])).trim().split('\n').pop();
  const port = await freePort();
  const server = spawn(process.execPath, ['--input-type=module', '-e', code, 'serve', dir, '--port', String(port)], {
    stdio: 'ignore',
  });
  try {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    await ready(port);
    // Once small, so that everything is loaded.
    await send(port, authorization, 'small.mp4', 1);
    const before = rss(server.pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, rss(server.pid))), 5);
    for (const megabytes of [100, 250]) {
      const status = await send(port, authorization, 'large.mp4', megabytes);
      console.log(`upload of ${megabytes} MB: ${status}, memory ${before} MB before, ${peak} MB at most`);
    }
    clearInterval(watch);
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    await ended;
  }
}

async function photo(width, height) {
  const noise = Buffer.alloc(width * height * 3);
  for (let at = 0, seed = 1; at < noise.length; at++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    noise[at] = ((at / 3 / width) & 0xff) / 2 + (((at % (width * 3)) / 30) & 0x7f) + (seed >> 26);
  }
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function send(port, authorization, name, megabytes) {
  const chunk = Buffer.alloc(1024 * 1024, 1);
  const first = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isom', 'latin1'), chunk]).subarray(0, chunk.length);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization,
      'content-type': 'video/mp4',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': megabytes * chunk.length,
    };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/cms-json/cms/v2/media', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject);
    let left = megabytes;
    const more = () => {
      while (left > 0) if (!sent.write(left-- === megabytes ? first : chunk)) return void sent.once('drain', more);
      sent.end();
    };
    more();
  });
}

function rss(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}

function run(code, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    child.on('error', reject).on('close', () => resolve(out));
  });
}

async function ready(port) {
  for (let tries = 0; tries < 200; tries++) {
    const status = await fetch(`http://127.0.0.1:${port}/cms-json/`).then(
      ({ status: code }) => code,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server did not start');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
