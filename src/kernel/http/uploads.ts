/**
 * Files that modules serve over HTTP (`/uploads/…`), with ranges and validators, and nothing else of the folder.
 *
 * Source: RFC 9110, sections 13 (conditions) and 14 (ranges).
 */
import { table } from '../model/maps.ts';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Served, ServedFiles } from '../site/serving.ts';
import type { Site } from '../site/site.ts';
import { BlockedPathError } from '../store/paths.ts';
import { headerValue, matches } from './respond.ts';
import { decodedPath } from '../model/slugs.ts';

interface Uploads {
  owns(incoming: Pick<IncomingMessage, 'url'>): boolean;
  /** Answers; never rejects. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
}

type Range = readonly [firstByte: number, lastByte: number];

/** Types that could run something in the site's name: shown in a page of their own, without scripts. */
const active = /^(?:image\/svg\+xml|text\/css|application\/(?:ttaf\+xml|java))$/;

export function createUploads(site: Pick<Site, 'files' | 'store'>, log: (line: string) => void): Uploads {
  return {
    owns: (incoming) => filesAt(site, incoming) !== undefined,
    async serve(incoming, outgoing) {
      try {
        await answer(filesAt(site, incoming) as ServedFiles, incoming, outgoing);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const isGone = code === 'ENOENT' || code === 'ELOOP' || error instanceof BlockedPathError;
        const isFault = !isGone && site.store.faults.report(error) !== null;
        if (!isGone && !isFault && code !== 'ERR_STREAM_PREMATURE_CLOSE')
          log(`${incoming.url?.replace(/\?.*$/s, '')}: ${String(error)}`);
        if (outgoing.headersSent) outgoing.destroy();
        else if (isFault) refuse(outgoing, 503, { 'Retry-After': 10 });
        else refuse(outgoing, isGone ? 404 : 500);
      }
    },
  };
}

/** The files that an address is one of. */
function filesAt({ files }: Pick<Site, 'files'>, { url = '/' }: Pick<IncomingMessage, 'url'>): ServedFiles | undefined {
  return files.find(({ root }) => url.startsWith(`${root}/`));
}

/** The path of an address below the root of its files, as it was sent. */
function pathBelow(root: string, url: string): string {
  return url.slice(root.length + 1).replace(/[?#].*$/s, '');
}

async function answer(files: ServedFiles, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = incoming;
  if (method !== 'GET' && method !== 'HEAD') return refuse(outgoing, 405, { Allow: 'GET, HEAD' });
  const path = pathOf(pathBelow(files.root, incoming.url ?? ''));
  const served = path === null ? null : await files.find(path, incoming);
  if (!served) return refuse(outgoing, 404);
  if ('status' in served) return refuse(outgoing, served.status, served.headers, served.message);
  if ('location' in served)
    return void outgoing.writeHead(302, { Location: headerValue(served.location), 'Cache-Control': 'no-cache' }).end();
  const common = headersOf(served);
  if (isUnchanged(headers, served)) return void outgoing.writeHead(304, common).end();
  const range = method === 'GET' && mayBeRange(headers, served) ? readRange(headers.range, served.size) : null;
  if (range === 'none') return refuse(outgoing, 416, { 'Content-Range': `bytes */${served.size}` });
  const [start, end] = range ?? [0, served.size - 1];
  const begin = (): ServerResponse =>
    outgoing.writeHead(range ? 206 : 200, {
      ...common,
      'Content-Type': served.mime.startsWith('text/') ? `${served.mime}; charset=UTF-8` : served.mime,
      'Content-Length': end - start + 1,
      ...(range ? { 'Content-Range': `bytes ${start}-${end}/${served.size}` } : {}),
    });
  if (method === 'HEAD' || served.size === 0) return void begin().end();
  if (typeof served.content !== 'string') return void begin().end(served.content.subarray(start, end + 1));
  const file = await open(served.content, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (served.isStill?.(file.fd) === false) return refuse(outgoing, 404);
    await pipeline(file.createReadStream({ start, end, autoClose: false }), begin());
  } finally {
    await file.close();
  }
}

/** A path decoded once; null for one that could mean another place. */
function pathOf(raw: string): string | null {
  const path = decodedPath(raw);
  if (path === undefined) return null;
  const isPlain = path.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isPlain && !/[\\\u0000-\u001f]/.test(path) ? path : null;
}

function headersOf({ mtimeMs, etag, derived, mime, headers }: Served): OutgoingHttpHeaders {
  return {
    ...headers,
    ETag: etag,
    'Last-Modified': new Date(mtimeMs).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': derived ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // Fonts and pictures drawn on a canvas are asked for by other origins.
    'Access-Control-Allow-Origin': '*',
    ...(active.test(mime)
      ? { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" }
      : {}),
  };
}

function isUnchanged(headers: IncomingMessage['headers'], { etag, mtimeMs }: Served): boolean {
  if (headers['if-none-match'] !== undefined) return matches(headers['if-none-match'], etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(mtimeMs / 1000) * 1000 <= since;
}

/** A range is of the state that the client has the rest of. */
function mayBeRange(headers: IncomingMessage['headers'], { etag, mtimeMs }: Served): boolean {
  const condition = headers['if-range'];
  if (condition === undefined) return true;
  if (typeof condition === 'string' && condition.startsWith('"')) return condition.trim() === etag;
  return Date.parse(String(condition)) === Math.floor(mtimeMs / 1000) * 1000;
}

/** One range of bytes; null for none, several, or another unit: then all is sent. 'none': beyond the end. */
function readRange(header: string | undefined, size: number): Range | null | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s/g, '') ?? '');
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : [size - length, size - 1];
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  if (start >= size) return 'none';
  return [start, to === '' ? size - 1 : Math.min(Number(to), size - 1)];
}

const words: Readonly<Record<number, string>> = table({
  404: 'Not found',
  405: 'Method not allowed',
  416: 'Range not satisfiable',
});

function refuse(outgoing: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}, message = words[status]): void {
  const body = Buffer.from(`${message ?? 'Error'}\n`);
  const common = { 'Content-Type': 'text/plain; charset=UTF-8', 'Content-Length': body.length };
  outgoing.writeHead(status, { ...common, ...headers }).end(outgoing.req.method === 'HEAD' ? undefined : body);
}
