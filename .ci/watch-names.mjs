/**
 * Loaded before a server (`node --import`): looks through every answer of the interface for names of the spelling it is not in. Writes a line
 * an answer to the file that CONFORMANCE_NAMES says: empty, or what was found and where.
 */
import { appendFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { foreign } from '../bench/fuzz/spelling.mjs';

const { writeHead, end } = ServerResponse.prototype;
const heads = new WeakMap();

ServerResponse.prototype.writeHead = function (status, ...rest) {
  heads.set(this, JSON.stringify(rest));
  return writeHead.call(this, status, ...rest);
};

ServerResponse.prototype.end = function (body, ...rest) {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  look(this, isText ? Buffer.from(body).toString() : '');
  return end.call(this, body, ...rest);
};

function look(response, body) {
  const { method, url } = response.req;
  const root = /\/(wp|cms)-json/.exec(url)?.[1];
  if (root === undefined) return;
  const pattern = root === 'wp' ? foreign.original : foreign.neutral;
  const found = [heads.get(response) ?? '', body].map((text) => snippet(text, pattern.exec(text))).find(Boolean);
  appendFileSync(process.env.CONFORMANCE_NAMES, found ? `${method} ${url}: …${found}…\n` : '\n');
}

function snippet(text, found) {
  return found && text.slice(Math.max(0, found.index - 40), found.index + 60).replace(/\s+/g, ' ');
}
