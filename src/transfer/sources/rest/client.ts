/**
 * Asks a live site, one request at a time and a few files beside it, and gives way when it is busy: what it says in Retry-After is
 * kept to by all of them, everything else that may pass is tried again after growing pauses. Credentials go to the origin of its
 * interface and nowhere else, and stand in no message.
 */
import { FetchError, type Fetcher, type Fetched, textOf } from '../../../http-client/fetch.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { MediaFile } from '../../import/items.ts';
import { SourceError } from '../../import/items.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { parseAnswer } from './answer-text.ts';

export interface SourceAnswer {
  readonly status: number;
  /** Parsed JSON; undefined where there is none, or it is longer than may be. */
  readonly body: unknown;
  /** Items of the whole list, where a header says so. */
  readonly total: number | undefined;
  /** Where it was asked, for reports. */
  readonly url: string;
}

export interface RestClient {
  /** Address of a route in the spelling of the source, `/…/v2/posts`. */
  address(route: string, params?: RestParams): string;
  /**
   * One answer, whatever its status; those that may pass (429, 502 …) only after all patience.
   * @param options.isAgain  what is asked for has failed before: an error of the source is taken as it is
   * @throws SourceError when nothing comes at all
   */
  get(route: string, params?: RestParams, options?: { readonly isAgain?: boolean }): Promise<SourceAnswer>;
  /** The bytes of a media file, without credentials. @throws SourceError */
  download(media: MediaFile, into: string): Promise<void>;
  /** Answers that had notices of a program around them, which were skipped. */
  readonly noticed: number;
}

export type RestParams = Readonly<Record<string, string | number>>;

interface ClientOptions {
  readonly fetcher: Fetcher;
  /** Address of the interface's root, as discovered. */
  readonly root: string;
  /** Origins that may be private: those the user named. */
  readonly origins: readonly string[];
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((line: string) => void) | undefined;
  /** Waits; tests put in their own. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const maxAnswerBytes = 64 * 1024 * 1024;
const maxMediaBytes = 4 * 1024 ** 3;
/** Pauses before the second try and so on; doubled each time, give or take a half. */
const firstPauseMs = 1000;
const patience: Readonly<Record<number, number>> = { 0: 5, 429: 8, 500: 1, 502: 5, 503: 8, 504: 3 };
/** Beyond it nobody waits: the next run goes on. */
const longestPauseMs = 10 * 60_000;

export function createClient(options: ClientOptions): RestClient {
  const { fetcher, root, origins: own, authorization, signal, say, sleep = pause } = options;
  let noticed = 0;
  const isQuery = new URL(root).searchParams.has('rest_route');
  /** Host → a pause that it asked for: what one request was told goes for those beside it. */
  const quiet = new Map<string, Promise<unknown>>();

  function address(route: string, params: RestParams = {}): string {
    const url = new URL(root);
    if (isQuery) url.searchParams.set('rest_route', route);
    else url.pathname = withoutTrailing(url.pathname, '/') + route;
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
    return url.href;
  }

  /** Tries until the status is none that passes. @throws what the last try threw */
  async function patiently<T>(
    url: string,
    attempt: () => Promise<T>,
    statusOf: (done: T) => number,
    retryAfter: (done: T) => unknown,
    allowed = patience,
  ): Promise<T> {
    const host = isUrl(url) ? new URL(url).host : '';
    for (let tries = 0; ; tries++) {
      await quiet.get(host);
      signal?.throwIfAborted();
      let status = 0;
      let asked: number | undefined;
      let why: string;
      try {
        const done = await attempt();
        status = statusOf(done);
        if (tries >= (allowed[status] ?? 0)) return done;
        asked = secondsOf(retryAfter(done));
        why = `responded with ${status}`;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof FetchError) || error.refused || tries >= (allowed[error.status ?? 0] ?? 0)) throw error;
        asked = secondsOf(error.retryAfter);
        why = error.message;
      }
      const ms = asked === undefined ? firstPauseMs * 2 ** tries * (0.5 + Math.random()) : asked * 1000;
      if (ms > longestPauseMs) throw new SourceError(`asks to retry in ${Math.ceil(ms / 60_000)} minutes`, { source: url }, goOn);
      say?.(`${host} ${why}; trying again in ${Math.ceil(ms / 1000)} s`);
      const over = sleep(ms, signal);
      if (asked !== undefined) quiet.set(host, Promise.allSettled([quiet.get(host), over]));
      await over;
    }
  }

  function jsonOf(answer: Fetched): unknown {
    if (answer.isCut) return undefined;
    const { value, hasNotice } = parseAnswer(textOf({ ...answer, headers: {} }));
    if (hasNotice) noticed++;
    return value;
  }

  return {
    address,
    get noticed() {
      return noticed;
    },
    async get(route, params, { isAgain = false } = {}) {
      const url = address(route, params);
      const headers = {
        Accept: 'application/json',
        'Accept-Encoding': 'gzip',
        'User-Agent': 'cms import',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      };
      try {
        const answer = await patiently(
          url,
          () => fetcher.get(url, { own, headers, maxBytes: maxAnswerBytes, signal }),
          ({ status }) => status,
          (done) => done.headers['retry-after'],
          isAgain ? { ...patience, 500: 0 } : patience,
        );
        if (new URL(answer.url).origin !== new URL(root).origin)
          throw new SourceError(
            `redirects to ${new URL(answer.url).origin}`,
            { source: url },
            { hint: 'import from that address' },
          );
        return { status: answer.status, body: jsonOf(answer), total: totalOf(answer), url };
      } catch (error) {
        throw problemOf(error, url);
      }
    },
    async download(media, into) {
      const url = media.url ?? '';
      try {
        await patiently(
          url,
          () => fetcher.download(url, into, { own, maxBytes: maxMediaBytes, signal }),
          () => 200,
          () => undefined,
        );
      } catch (error) {
        throw problemOf(error, url);
      }
    },
  };
}

/** `Basic …` of `login:password`. @throws SourceError when it is not of that form */
export function authorizationOf(credentials: string): string {
  if (!/^[^:]+:.+$/.test(credentials)) {
    throw new SourceError(
      'the credentials must have the form login:password',
      { source: '' },
      { hint: 'use an application password created on the source site' },
    );
  }
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
}

const goOn = { hint: 'run the same command again: it continues where it stopped', stops: true } as const;

function problemOf(error: unknown, url: string): unknown {
  if (!(error instanceof FetchError)) return error;
  const cause = (error.cause as { message?: string } | undefined)?.message;
  return new SourceError(
    cause === undefined ? error.message : `${error.message} (${cause})`,
    { source: url },
    error.refused ? { hint: 'allow private addresses with CMS_FETCH_ALLOW' } : goOn,
  );
}

/** Retry-After in seconds: a number, or a date. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** The header in either spelling. */
function totalOf({ headers }: Fetched): number | undefined {
  const name = Object.keys(headers).find((one) => /^x-\w+-total$/.test(one));
  const value = name === undefined ? undefined : headers[name];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
