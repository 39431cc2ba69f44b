/**
 * Answers to repeated GETs, kept as written: those of visitors, and for each application password its own. One is good for
 * the state of records and accounts it was made from, and for a minute at most (the index tells the time). Bounded by bytes;
 * the oldest go first.
 *
 * Whatever takes part in an answer is in its key, or the request is not kept: target, host, credential and origin are the key; a request
 * with a body, a password or a preview token is not kept (`isKeepable`). Nor is an answer whose route says `Cache-Control: no-store`:
 * asking does something, or what it depends on is no record.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAskedAgain } from '../records/asked-again.ts';
import { personalParams } from '../rest/item-writer.ts';
import type { RestRequest, RestResponse } from '../rest/request.ts';
import { headerOf, matches, notModified, type Written } from './respond.ts';

export interface FrontCache {
  /**
   * What names the answer to a request, or null when it is one that is not kept.
   * @param who  whose answer: a credential, '' of visitors; null when it is not known yet
   */
  keyOf(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, who: string | null): string | null;
  /** Whether there is an answer, which may be too old by the time it is sent. */
  has(key: string): boolean;
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
  /** Gives bytes that may be kept for those of an answer. */
  own(bytes: Uint8Array): Uint8Array;
}

const MAX_AGE_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Overhead of an entry: key, headers, the map's own. */
const OVERHEAD_BYTES = 1024;

interface Kept {
  readonly headers: string[];
  /** Those of a 304. */
  readonly known: string[];
  readonly etag: string | undefined;
  readonly body: Uint8Array;
  readonly until: number;
  readonly bytes: number;
}

export function createFrontCache({ generation, clock, personal, own }: FrontCacheOptions): FrontCache {
  const kept = new Map<string, Kept>();
  const special = ['cookie', ...personal];
  /** With the generation, a number that rises with each. */
  let clearings = 0;
  /** Of this state. */
  const isAskedAgain = createAskedAgain();
  let state = generation();
  let total = 0;
  let hits = 0;
  return {
    keyOf({ method, url, headers }, who) {
      if (who === null || method !== 'GET' || url === undefined || special.some((name) => headers[name] !== undefined))
        return null;
      if (hasBody(headers)) return null;
      // Some answers name the host that was used.
      return `${url}\n${headers.host ?? ''}\n${who}\n${headers.origin ?? ''}`;
    },
    has: (key) => kept.has(key),
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
      if (written.status !== 200 || written.body === null || (!isAskedAgain(key) && !kept.has(key))) return;
      const body = typeof written.body === 'string' ? Buffer.from(written.body) : own(written.body);
      const bytes = body.length + key.length * 2 + OVERHEAD_BYTES;
      if (bytes > MAX_BYTES / 8) return;
      total += bytes - (kept.get(key)?.bytes ?? 0);
      kept.delete(key);
      const { headers } = written;
      const [known, etag] = [notModified(headers), headerOf(headers, 'ETag')];
      kept.set(key, { headers, known, etag, body, until: clock() + MAX_AGE_MS, bytes });
      for (const [oldest, { bytes: freed }] of kept) {
        if (total <= MAX_BYTES) break;
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

  function empty(): void {
    kept.clear();
    isAskedAgain.clear();
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
