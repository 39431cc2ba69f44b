/**
 * How often one write asks the disk to flush before it is answered, counted in the process that writes: `node bench/flushes.mjs DIST
 * FOLDER` prints {create, update, first} as JSON, `first` being the first update of a post, which makes the folder of its revisions.
 */
import * as fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './servers.mjs';

let flushes = 0;
const plain = fs.default;
for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) {
  const own = plain[name];
  plain[name] = (...args) => {
    flushes++;
    return own(...args);
  };
}
let answered = 0;
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (...args) {
  answered = flushes;
  return end.apply(this, args);
};
// Before the program is loaded: what it imports from node:fs is what stands there now.
syncBuiltinESMExports();

const [dist, folder] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(dist, name)).href);
const { openSite, composeSite, createServer } = await load('index.js');
const site = await openSite(folder);
const server = createServer({ site, registry: composeSite(site) });
const base = await server.listen(0, '127.0.0.1');
const headers = { 'content-type': 'application/json', authorization: process.env.BENCH_AUTHORIZATION };

async function send(path, body) {
  const before = flushes;
  const answer = await fetch(`${base}/cms-json/cms/v2/posts${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const { id } = await answer.json();
  return { waited: answered - before, id };
}

const found = { create: [], first: [], update: [] };
for (let at = 0; at < 30; at++) {
  const made = await send('', { title: `Counted ${at}`, content: 'A text.', status: 'publish' });
  found.create.push(made.waited);
  found.first.push((await send(`/${made.id}`, { title: `Changed ${at}` })).waited);
  found.update.push((await send(`/${made.id}`, { title: `Changed again ${at}` })).waited);
}
await server.close();
await site.close();
// The first ones make folders.
console.log(JSON.stringify(Object.fromEntries(Object.entries(found).map(([name, counts]) => [name, median(counts.slice(5))]))));
