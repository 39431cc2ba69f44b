#!/usr/bin/env node
/**
 * Speed as ratios: the server over generated folders against a bare `node:http` server that sends the same bytes, and against
 * one that writes as durably, in one interleaved run.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { firstPostId, writeCorpus } from './corpus.mjs';
import { measureGrowth } from './growth.mjs';
import { measureHttp } from './http.mjs';
import { measureLanguages, writeLanguages } from './languages.mjs';
import { measureEdits, measureStart, measureUpload, memoryRow } from './life.mjs';
import { readOptions } from './options.mjs';
import { makeAdministrator, memoryMb, project, settled, startServer, stopAll } from './servers.mjs';
import { features, measureAgainst, measureWithout } from './without.mjs';
import { measureWrites } from './writes.mjs';

const usage = `usage: node bench/run.mjs [options]     (npm run build first)
  --posts N,N      sizes of the generated folders (default 1000)
  --rounds N       turns of either server for each measure (default 5)
  --seconds N      length of a turn (default 2)
  --only NAME      only this measure (repeatable); search, stall, sitemaps, writes, edits, upload, start, memory, growth (the largest
                   folder against the smallest) and languages (a site in three against one in one) are some, too
  --without NAME   instead, what a feature is worth: this build against the same one without it, over equal folders, in turns (repeatable):
                   ${Object.keys(features).join(', ')}
  --old DIST       instead, this build against an earlier one, likewise: everything, or what --only names
  --dir DIR        where the folders are made (default: the system's temporary folder), and the disk that writes are measured on
                   (default: a journaled ext4 in a file, where one may be mounted)
  --json FILE      write the results
  --compare FILE   show the values of earlier results beside these
  --write          write docs/performance.md, the part between the marks`;

const marks = ['<!-- bench: start -->', '<!-- bench: end -->'];
const options = chosenOptions();
const base = mkdtempSync(join(options.dir ?? tmpdir(), 'cms-bench-'));
process.env.CMS_STATE_DIR = join(base, 'state');
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error.stack}`);
  process.exitCode = 2;
} finally {
  await stopAll();
  rmSync(base, { recursive: true, force: true });
}

async function main() {
  const results = {
    node: process.version,
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    sizes: [],
    growth: [],
    languages: [],
    without: [],
  };
  if (options.without || options.old) return measureBuilds(results);
  const earlier = options.compare ? JSON.parse(readFileSync(options.compare, 'utf8')) : null;
  const emptyMb = wants('memory') ? await emptyServer() : 0;
  // Nothing of a size is wanted when comparisons are all that is.
  for (const posts of options.only?.every((name) => name === 'growth' || name === 'languages') ? [] : options.posts) {
    const rows = await measureSize(posts, emptyMb);
    results.sizes.push({ posts, rows });
    printRows(`${posts} posts`, rows, earlier?.sizes.find((size) => size.posts === posts)?.rows);
  }
  if (options.posts.length > 1 && wants('growth')) {
    // Folders of their own: writes and uploads have made others of those above.
    const sizes = [Math.min(...options.posts), Math.max(...options.posts)];
    const folders = sizes.map((posts, at) => ({ posts, folder: makeFolder(posts, ['small', 'large'][at]) }));
    results.growth = await measureGrowth(folders, { ...options, say });
    say('');
    printRows(`${sizes[1]} posts against ${sizes[0]}`, results.growth, earlier?.growth);
  }
  if (wants('languages')) {
    const posts = Math.min(...options.posts);
    const folders = [['en'], ['en', 'de', 'fr']].map((codes) => {
      const folder = join(base, `languages-${codes.length}`);
      mkdirSync(folder);
      writeLanguages(folder, posts, codes);
      return folder;
    });
    results.languages = await measureLanguages(folders, { ...options, posts, say });
    say('');
    printRows(`${posts} posts in each of three languages against as many in one`, results.languages, earlier?.languages);
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  if (options.write) writePage(results);
  const rows = [...results.sizes.flatMap((size) => size.rows), ...results.growth, ...results.languages];
  return rows.some((row) => row.detail?.failures > 0) ? 1 : 0;
}

async function measureBuilds(results) {
  for (const posts of options.posts) {
    const folders = ['one', 'other'].map((side) => {
      const folder = makeFolder(posts, `${posts}-${side}`);
      return { folder, authorization: makeAdministrator(folder) };
    });
    for (const name of options.without ?? [null]) {
      const at = { ...options, posts, say };
      const rows =
        name === null ? await measureAgainst(resolve(options.old), folders, at) : await measureWithout(name, folders, at);
      results.without.push({ name, posts, rows });
      say('');
      printRows(name === null ? `${posts} posts, now against before` : `${posts} posts without ${name}`, rows);
      if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
    }
    for (const { folder } of folders) rmSync(folder, { recursive: true });
  }
  return 0;
}

async function measureSize(posts, emptyMb) {
  const folder = makeFolder(posts, String(posts));
  const authorization = makeAdministrator(folder);
  const at = {
    posts,
    first: firstPostId,
    authorization,
    rounds: options.rounds,
    seconds: options.seconds,
    only: options.only,
    say,
  };
  const rows = [];
  const server = await startServer(folder, `/cms-json/cms/v2/posts/${firstPostId}`);
  say('waiting until the server rests');
  await settled(server.pid);
  if (wants('memory')) rows.push(memoryRow(emptyMb, server, posts, 'at rest'));
  rows.push(...(await measureHttp(server, at)));
  if (wants('memory')) rows.push(memoryRow(emptyMb, server, posts, 'after these requests'));
  if (wants('edits')) rows.push(...(await measureEdits(server, folder, at)));
  if (wants('upload')) rows.push(...(await measureUpload(server, folder, at)));
  await server.stop();
  if (wants('start')) rows.push(...(await measureStart(folder, { ...at, rounds: Math.min(3, options.rounds) })));
  rmSync(folder, { recursive: true });
  if (wants('writes')) rows.push(...(await measureWrites({ ...at, dir: options.dir })));
  say('');
  return rows;
}

function makeFolder(posts, name) {
  const folder = join(base, name);
  mkdirSync(folder);
  say(`writing ${posts} posts`);
  writeCorpus(folder, posts);
  return folder;
}

function wants(name) {
  return !options.only || options.only.includes(name);
}

async function emptyServer() {
  const folder = makeFolder(1, 'empty');
  const server = await startServer(folder, '/cms-json/cms/v2/posts');
  const mb = memoryMb(server.pid);
  await server.stop();
  return mb;
}

function printRows(title, rows, earlier) {
  const head = ['measure', 'value', 'bar', 'aim', 'detail', ...(earlier ? ['before', 'change'] : [])];
  const cells = rows.map((row) => {
    const before = earlier?.find(({ name }) => name === row.name)?.value;
    const drift = before === undefined ? '–' : `${((row.value / before - 1) * 100).toFixed(1)} %`;
    return [
      row.name,
      `${show(row)}${mark(row)}`,
      number(row.bar),
      number(row.aim),
      detail(row),
      ...(earlier ? [number(before), drift] : []),
    ];
  });
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at].length)));
  console.log(`\n${title}`);
  for (const line of [head, ...cells])
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    );
}

function show({ value, unit }) {
  return `${number(value)} ${unit}`;
}

function mark({ value, bar, aim, better }) {
  if (bar === undefined) return '';
  const reaches = (limit) => (better === 'less' ? value <= limit : value >= limit);
  return reaches(aim) ? ' ++' : reaches(bar) ? ' +' : ' –';
}

function detail({ about, detail: found = {} }) {
  const { requests, rawRequests, cpuUs, rawCpuUs, p50, p99, ms, bareMs, rate, bareRate, readMs, failures } = found;
  return [
    about,
    ...(found.small === undefined ? [] : [`${number(found.small)} ${found.unit} and ${number(found.large)}`]),
    ...(cpuUs === undefined ? [] : [`${cpuUs.toFixed(0)} µs, raw ${rawCpuUs.toFixed(0)}`]),
    ...(requests === undefined ? [] : [`${requests}/s, raw ${rawRequests}`]),
    ...(p99 === undefined ? [] : [`p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`]),
    ...(p99 === undefined && p50 !== undefined ? [`p50 ${p50.toFixed(2)} ms`] : []),
    ...(ms === undefined ? [] : [`${ms.toFixed(2)} ms, bare server ${bareMs.toFixed(2)}`]),
    ...(rate === undefined ? [] : [`${rate}/s, bare server ${bareRate}`]),
    ...(readMs === undefined ? [] : [`reading and parsing the files alone ${readMs.toFixed(0)} ms`]),
    ...(failures ? [`${failures} FAILED`] : []),
  ].join('; ');
}

function number(value) {
  return value === undefined ? '–' : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** Puts the tables into the page; the words around them are written by hand. */
function writePage(results) {
  const path = join(project, 'docs', 'performance.md');
  const page = readFileSync(path, 'utf8');
  const [start, end] = marks.map((one) => page.indexOf(one));
  if (start < 0 || end < start) throw new Error(`${path} has no place for the tables`);
  const told = (row) => `${number(row.value)}${mark(row)}`;
  const table = (parts) => {
    const [{ rows: first }] = parts;
    const limits = parts.at(-1).rows;
    return [
      `| Measure | ${parts.map(({ name }) => name).join(' | ')} | Bar | Aim |`,
      `|${'---|'.repeat(parts.length + 3)}`,
      ...first.map(({ name, unit }, at) => {
        const cells = parts.map(({ rows }) => told(rows[at]));
        return `| ${name}, ${unit} | ${cells.join(' | ')} | ${number(limits[at].bar)} | ${number(limits[at].aim)} |`;
      }),
    ];
  };
  const sizes = results.sizes.map(({ posts, rows }) => ({ name: `${posts.toLocaleString('en')} posts`, rows }));
  const more = (title, rows) => (rows.length > 0 ? ['', `### ${title}`, '', ...table([{ name: 'Value', rows }])] : []);
  const parts = [
    marks[0],
    `Measured on ${results.date}: ${results.machine}, Node ${results.node}. \`++\` reaches the aim, \`+\` the bar, \`–\` neither.`,
    ...(sizes.length > 0 ? ['', ...table(sizes)] : []),
    ...more('The largest against the smallest', results.growth),
    ...more('Three languages against one', results.languages),
    marks[1],
  ];
  writeFileSync(path, page.slice(0, start) + parts.join('\n') + page.slice(end + marks[1].length));
}

function machine() {
  const [first] = cpus();
  return `${cpus().length} cores (${first.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

function say(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

function chosenOptions() {
  const text = { type: 'string' };
  const { values } = readOptions(
    {
      options: {
        posts: { ...text, default: '1000' },
        rounds: { ...text, default: '5' },
        seconds: { ...text, default: '2' },
        only: { type: 'string', multiple: true },
        without: { type: 'string', multiple: true },
        old: text,
        dir: text,
        json: text,
        compare: text,
        write: { type: 'boolean' },
      },
    },
    usage,
  );
  const unknown = (values.without ?? []).find((name) => !Object.hasOwn(features, name));
  if (unknown !== undefined) {
    console.error(`bench: no feature is called "${unknown}", but ${Object.keys(features).join(', ')}`);
    process.exit(2);
  }
  if (values.without && values.old) {
    console.error('bench: --without and --old are two runs');
    process.exit(2);
  }
  const whole = (one) => Math.max(1, Number.parseInt(one, 10) || 1);
  return {
    ...values,
    posts: values.posts.split(',').map(whole),
    rounds: whole(values.rounds),
    seconds: Math.max(0.2, Number(values.seconds) || 2),
  };
}
