#!/usr/bin/env node
/**
 * Measures of the source: `npm run house` prints them.
 *
 * Lines of each folder; the longest files and functions; import circles, imports of types included; and how many files and functions
 * run for one `POST /posts` on a warm server (V8's coverage of the built program; the least of several runs, so that what runs beside
 * it, for its predecessors, is not counted).
 */
import { Session } from 'node:inspector/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { circles, functions, linesByFolder, sourceFiles } from './source.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Files and functions of the built program that run for one `POST /posts`.
 * @returns {files, functions, ran}, `ran` being the names of the functions by file
 */
export async function oneWrite() {
  const load = (name) => import(pathToFileURL(join(root, '.build-modules', name)).href);
  const { composeSite, openSite, createServer } = await load('index.js');
  const { mkdtemp, rm } = await import('node:fs/promises');
  const dir = await mkdtemp(join((await import('node:os')).tmpdir(), 'cms-house-'));
  const { scaffoldSite } = await load('cli/new-site.js');
  const password = await scaffoldSite({
    dir,
    title: 'House',
    timezone: 'UTC',
    admin: 'admin',
    email: 'a@example.com',
    writing: 'auto',
  });
  const site = await openSite(dir);
  const server = createServer({ site, registry: composeSite(site) });
  const url = await server.listen(0, '127.0.0.1');
  const post = async (title) => {
    const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`admin:${password}`)}` };
    const body = JSON.stringify({ title, content: `About ${title}.`, status: 'publish' });
    const { status } = await fetch(`${url}/cms-json/cms/v2/posts`, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`POST /posts answered ${status}`);
  };
  for (let at = 0; at < 5; at++) await post(`warm ${at}`);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const found = [];
  for (let at = 0; at < 8; at++) {
    await pause(50);
    await session.post('Profiler.takePreciseCoverage');
    await post(`counted ${at}`);
    found.push(ranIn((await session.post('Profiler.takePreciseCoverage')).result));
  }
  session.disconnect();
  await server.close();
  await site.close();
  await rm(dir, { recursive: true, force: true });
  return found.reduce((least, one) => (one.functions < least.functions ? one : least));
}

function ranIn(coverage) {
  const dist = `${pathToFileURL(join(root, '.build-modules')).href}/`;
  const ran = new Map();
  for (const { url, functions: all } of coverage) {
    const names = all.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName);
    if (url.startsWith(dist) && names.length > 0) ran.set(url.slice(dist.length), names);
  }
  return { files: ran.size, functions: [...ran.values()].reduce((sum, names) => sum + names.length, 0), ran };
}

async function main() {
  const files = sourceFiles();
  const print = (title, rows) => console.log(`\n${title}\n${rows.map((row) => `  ${row}`).join('\n') || '  none'}`);
  print('Lines', [
    `${files.reduce((sum, { lines }) => sum + lines, 0)}  src`,
    ...linesByFolder(files, 2).map(([name, lines]) => `${lines}  ${name}`),
  ]);
  print(
    'Longest files',
    files.slice(0, 12).map(({ name, lines }) => `${lines}  ${name}`),
  );
  print(
    'Longest functions',
    functions(files)
      .slice(0, 12)
      .map(({ name, place, lines }) => `${lines}  ${name}  ${place}`),
  );
  print(
    'Import circles, types included',
    circles(files).map((group) => group.join(', ')),
  );
  const write = await oneWrite();
  const byFolder = new Map();
  for (const [name, names] of write.ran) {
    const folder = name.split('/').slice(0, 2).join('/');
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + names.length);
  }
  print('One POST /posts', [
    `${write.files} files`,
    `${write.functions} functions`,
    ...[...byFolder].sort((a, b) => b[1] - a[1]).map(([folder, count]) => `  ${count}  ${folder}`),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
