/**
 * Answers to repeated GETs, kept as written: those of visitors, and for each application password its own. One is good for
 * the state of records and accounts it was made from, and for a minute at most (the index tells the time). Bounded by bytes;
 * the oldest go first.
 *
 * Whatever takes part in an answer is in its key, or the request is not kept: target, credential and origin are the key; a request
 * with a body, a password or a preview token is not kept (`isKeepable`). Nor is an answer whose route says `Cache-Control: no-store`:
 * asking does something, or what it depends on is no record.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { personalParams } from '../rest/item-writer.ts';
import type { RestRequest, RestResponse } from '../rest/request.ts';
import { headerOf, matches, notModified, type Written } from './respond.ts';

export interface FrontCache {
  /**
   * What names the answer to a request, or null when it is one that is not kept.
   * @param who  whose answer: a credential, '' of visitors; null when it is not known yet
   */
  keyOf(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, who: string | null): string | null;
  /** Sends the kept answer, if there is one; 304 to those who have it. */
  serve(key: string, request: Pick<IncomingMessage, 'headers'>, response: ServerResponse): boolean;
  /** The state that an answer is made from which is begun now. */
  state(): number;
  /** Keeps an answer to a request that `isKeepable`, unless that state has passed. */
  set(key: string, written: Written, state: number): void;
  /** Forgets everything, answers that are being made included. */
  clear(): void;
  /** Answers given from here since the start, and what is kept now. */
  stats(): { readonly hits: number; readonly entries: number; readonly bytes: number };
}

export interface FrontCacheOptions {
  /** Rises with every change of what answers are made from. */
  generation(): number;
  /** Milliseconds since the epoch. */
  clock(): number;
  /** Lower-case names of headers that make a request somebody's own. */
  readonly personal: readonly string[];
  readonly maxBytes?: number;
  /** Gives bytes that may be kept for those of an answer. */
  own(bytes: Uint8Array): Uint8Array;
}

const MAX_AGE_MS = 60_000;
/** What an entry costs beside its text: key, headers, the map's own. */
const OVERHEAD_BYTES = 1024;

/** Addresses remembered as asked for once; a power of two. */
const MAX_ASKED = 1 << 14;

interface Kept {
  readonly headers: string[];
  /** Those of a 304. */
  readonly known: string[];
  readonly etag: string | undefined;
  readonly body: Uint8Array;
  readonly until: number;
  readonly bytes: number;
}

export function createFrontCache({
  generation,
  clock,
  personal,
  own,
  maxBytes = 64 * 1024 * 1024,
}: FrontCacheOptions): FrontCache {
  const kept = new Map<string, Kept>();
  const special = ['cookie', ...personal];
  /** With the generation, a number that rises with each. */
  let clearings = 0;
  /**
   * Digests of what was asked for once in this state, each where its last bits point to. Two addresses of one digest are rare
   * and do no harm: one is kept a request too early. Addresses themselves would be held for nothing.
   */
  const asked = new Int32Array(MAX_ASKED);
  let hasAsked = false;
  let state = generation();
  let total = 0;
  let hits = 0;
  return {
    keyOf({ method, url, headers }, who) {
      if (who === null || method !== 'GET' || url === undefined || special.some((name) => headers[name] !== undefined))
        return null;
      if (hasBody(headers)) return null;
      return who === '' && headers.origin === undefined ? url : `${url}\n${who}\n${headers.origin ?? ''}`;
    },
    serve(key, { headers }, response) {
      if (state !== generation()) empty();
      const found = kept.get(key);
      if (!found || found.until <= clock()) return false;
      hits++;
      const wanted = headers['if-none-match'];
      if (wanted !== undefined && matches(wanted, found.etag)) response.writeHead(304, found.known).end();
      else response.writeHead(200, found.headers).end(found.body);
      return true;
    },
    state: now,
    set(key, written, since) {
      if (since !== now()) return;
      if (state !== generation()) empty();
      if (written.status !== 200 || written.body === null || !isAskedAgain(key)) return;
      const body = typeof written.body === 'string' ? Buffer.from(written.body) : own(written.body);
      const bytes = body.length + key.length * 2 + OVERHEAD_BYTES;
      if (bytes > maxBytes / 8) return;
      total += bytes - (kept.get(key)?.bytes ?? 0);
      kept.delete(key);
      const { headers } = written;
      const [known, etag] = [notModified(headers), headerOf(headers, 'ETag')];
      kept.set(key, { headers, known, etag, body, until: clock() + MAX_AGE_MS, bytes });
      for (const [oldest, { bytes: freed }] of kept) {
        if (total <= maxBytes) break;
        kept.delete(oldest);
        total -= freed;
      }
    },
    clear() {
      clearings++;
      empty();
    },
    stats: () => ({ hits, entries: kept.size, bytes: total }),
  };

  function now(): number {
    return generation() + clearings;
  }

  /** Most addresses are asked for once; keeping those would only push out the others. */
  function isAskedAgain(key: string): boolean {
    const digest = digestOf(key);
    const place = digest & (MAX_ASKED - 1);
    if (asked[place] === digest || kept.has(key)) return true;
    asked[place] = digest;
    hasAsked = true;
    return false;
  }

  function empty(): void {
    kept.clear();
    if (hasAsked) asked.fill(0);
    hasAsked = false;
    total = 0;
    state = generation();
  }
}

/**
 * Whether the answer to a request, as it was read, follows from what is in the key. What opens something for one reader alone is not
 * kept either, in whatever spelling it came.
 */
export function isKeepable({ raw, upload, files, refusal, query }: RestRequest, { headers }: RestResponse): boolean {
  if (headers['Cache-Control'] === 'no-store') return false;
  return !raw && !upload && !files && !refusal && personalParams.every((name) => query[name] === undefined);
}

/** Whether a request comes with a body, whatever its method. */
export function hasBody({
  'content-length': length,
  'transfer-encoding': encoding,
}: Pick<IncomingMessage['headers'], 'content-length' | 'transfer-encoding'>): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Never 0. */
function digestOf(key: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) digest = Math.imul(digest ^ key.charCodeAt(at), 0x01000193);
  return (digest ^ (digest >>> 15)) | 0 || 1;
}
