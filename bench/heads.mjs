#!/usr/bin/env node
/**
 * What heads of pages cost: lists of ten with `seo_head_json` against the same lists without, per byte of the answer, and `get_head` of a
 * thousand addresses that nobody has asked for before, and again. A thousand others go before them, of a server that has not been asked
 * for heads yet: what they cost is told as well, the bar is for a server that is warm. `node bench/heads.mjs [posts]` (npm run build
 * first; 1000 posts unless told, half of which are asked for in each round then).
 *
 * Beside the time that a client waits stands the processor time of the thread that answers, from one answer to the next: what others on a
 * busy machine take is not in it, what the server does for itself in between is. The bar is held to the smaller of the two.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCorpus } from './corpus.mjs';
import {
  answeringMs,
  cpuMs,
  createClient,
  createLeanClient,
  median,
  quantile,
  settled,
  startServer,
  stopAll,
} from './servers.mjs';

const posts = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'cms-heads-'));
const list = '/cms-json/cms/v2/posts';
const members = 'id,slug,title,excerpt,content,date,author,categories,tags,link';
/** Of a head, at the 99th part of a hundred. */
const barMs = 2;
const pages = Math.min(Math.floor(posts / 10), 100);

try {
  writeCorpus(folder, posts);
  appendFileSync(
    join(folder, 'site.yaml'),
    'deployment: extended\nlang: { default: en, languages: { en: {} }, url: { mode: directory, default_in_directory: false } }\n',
  );
  const server = await startServer(folder, list);
  await settled(server.pid);
  const client = createClient(server.base);
  const paths = (fields) => Array.from({ length: pages }, (_, at) => `${list}?page=${at + 1}&_fields=${fields}`);
  const sets = { without: paths(members), withHeads: paths(`${members},seo_head_json`) };
  // Once for the texts, which are kept.
  for (const set of Object.values(sets)) await cost(set, '');
  const turns = Array.from({ length: 5 }, (_, at) => at);
  const costs = { without: [], withHeads: [] };
  for (const turn of turns) for (const [name, set] of Object.entries(sets)) costs[name].push(await cost(set, `&_=${turn}`));
  const of = (name, pick) => median(costs[name].map(pick));
  const [ms, bytes] = [({ cpu }) => cpu / pages, (one) => one.bytes / pages];
  const perByte = of('withHeads', ms) / of('withHeads', bytes) / (of('without', ms) / of('without', bytes));
  say('list of ten, without', `${of('without', ms).toFixed(2)} ms CPU, ${Math.round(of('without', bytes) / 1024)} KB`);
  say('list of ten, with heads', `${of('withHeads', ms).toFixed(2)} ms CPU, ${Math.round(of('withHeads', bytes) / 1024)} KB`);
  say('per byte', `${perByte.toFixed(2)} × (bar 1.3)`);
  const tooSlow = [];
  const lean = createLeanClient(server.base);
  const asked = Math.min(Math.floor(posts / 2), 1000);
  const rounds = [
    { name: 'get_head, cold server', from: asked, hasBar: false },
    { name: 'get_head, first time', from: 0, hasBar: true },
    { name: 'get_head, again', from: 0, hasBar: true },
  ];
  for (const { name, from, hasBar } of rounds) {
    const [took, worked] = [[], []];
    const before = cpuMs(server.pid);
    let last = answeringMs(server.pid);
    for (let at = from; at < from + asked; at++) {
      const url = encodeURIComponent(`${server.base}/post-${1 + ((at * 7919) % posts)}/`);
      const { ms: one, status } = await lean.ask(`/cms-json/seo/v1/get_head?url=${url}`);
      if (status !== 200) throw new Error(`get_head answered ${status}`);
      took.push(one);
      const present = answeringMs(server.pid);
      worked.push(present - last);
      last = present;
    }
    const each = (cpuMs(server.pid) - before) / took.length;
    if (hasBar && Math.min(quantile(took, 0.99), quantile(worked, 0.99)) > barMs) tooSlow.push(name);
    say(
      name,
      `waited p50 ${quantile(took, 0.5).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms${hasBar ? ` (bar ${barMs} ms)` : ''}`,
    );
    say('', `worked p50 ${quantile(worked, 0.5).toFixed(2)} ms, p99 ${quantile(worked, 0.99).toFixed(2)} ms`);
    say('', `${each.toFixed(2)} ms CPU of all threads, mean of ${took.length} addresses; load ${loadavg()[0].toFixed(1)}`);
  }
  lean.close();
  process.exitCode = perByte > 1.3 || tooSlow.length > 0 ? 1 : 0;

  async function cost(set, more) {
    const before = cpuMs(server.pid);
    let sent = 0;
    for (const path of set) {
      const { status, body } = await client.ask(path + more, { read: true });
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      sent += Buffer.byteLength(body);
    }
    return { cpu: cpuMs(server.pid) - before, bytes: sent };
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function say(name, value) {
  console.log(`${name.padEnd(26)}${value}`);
}
