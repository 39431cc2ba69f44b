#!/usr/bin/env node
/**
 * Measures of the source: `npm run house` prints them, `test/house.test.ts` holds those that have a bound.
 *
 * Lines of each folder; files over 350 lines and functions over 120; import circles, imports of types included; and how many files
 * and functions run for one `POST /posts` on a warm server (V8's coverage of the built program; the least of several, so that what
 * runs beside it, for its predecessors, is not counted).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

export const bounds = { fileLines: 350, functionLines: 120 };
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');

/** Source files with their lines, longest first. */
export function sourceFiles() {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.d.ts'),
  );
  const files = names.map((name) => {
    const text = readFileSync(join(src, name), 'utf8');
    return { name, text, lines: text.split('\n').length - 1 };
  });
  return files.sort((a, b) => b.lines - a.lines);
}

/** Lines below each folder of `src` to a depth, largest first. */
export function linesByFolder(files, depth = 1) {
  const out = new Map();
  for (const { name, lines } of files) {
    const parts = name.split('/');
    const folder = parts.slice(0, Math.min(depth, parts.length - 1)).join('/') || '.';
    out.set(folder, (out.get(folder) ?? 0) + lines);
  }
  return [...out].sort((a, b) => b[1] - a[1]);
}

/** Functions by their own lines, longest first: `{name, place: 'file:line', lines}`. */
export function functions(files) {
  const out = [];
  for (const { name, text } of files) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    const lineOf = (offset) => {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= offset) low = middle;
        else high = middle;
      }
      return low + 1;
    };
    visit(parseAst(text, { lang: 'ts' }), (node, parent) => {
      if (!/Function/.test(node.type) || !node.body || /^TS/.test(node.type)) return;
      const first = lineOf(node.start);
      const known = node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? '(anonymous)';
      out.push({ name: known, place: `${name}:${first}`, lines: lineOf(node.end - 1) - first + 1 });
    });
  }
  return out.sort((a, b) => b.lines - a.lines);
}

function visit(node, see, parent = null) {
  if (Array.isArray(node)) for (const child of node) visit(child, see, parent);
  else if (node && typeof node.type === 'string') {
    see(node, parent);
    for (const key in node) if (key !== 'type') visit(node[key], see, node);
  }
}

/** Groups of files that import one another, directly or around a corner. */
export function circles(files) {
  const known = new Set(files.map(({ name }) => name));
  const arrows = new Map(
    files.map(({ name, text }) => {
      const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
      return [
        name,
        targets.map(([, target]) => relative(src, resolve(src, dirname(name), target))).filter((one) => known.has(one)),
      ];
    }),
  );
  // Tarjan's strongly connected components.
  const [index, low, stack, groups] = [new Map(), new Map(), [], []];
  const walk = (name) => {
    index.set(name, index.size);
    low.set(name, index.get(name));
    stack.push(name);
    for (const target of arrows.get(name)) {
      if (!index.has(target)) walk(target);
      if (stack.includes(target)) low.set(name, Math.min(low.get(name), low.get(target)));
    }
    if (low.get(name) !== index.get(name)) return;
    const group = stack.splice(stack.indexOf(name));
    if (group.length > 1) groups.push(group.sort());
  };
  for (const { name } of files) if (!index.has(name)) walk(name);
  return groups;
}

/**
 * Files and functions of the built program that run for one `POST /posts`.
 * @returns {files, functions, ran}, `ran` being the names of the functions by file
 */
export async function oneWrite() {
  const load = (name) => import(pathToFileURL(join(root, 'dist', name)).href);
  const { composeSite, openSite, createServer } = await load('index.js');
  const { mkdtemp, rm } = await import('node:fs/promises');
  const dir = await mkdtemp(join((await import('node:os')).tmpdir(), 'cms-house-'));
  const { scaffoldSite } = await load('cli/scaffold.js');
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
  const dist = `${pathToFileURL(join(root, 'dist')).href}/`;
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
    `Files over ${bounds.fileLines} lines`,
    files.filter(({ lines }) => lines > bounds.fileLines).map(({ name, lines }) => `${lines}  ${name}`),
  );
  print(
    `Functions over ${bounds.functionLines} lines`,
    functions(files)
      .filter(({ lines }) => lines > bounds.functionLines)
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
