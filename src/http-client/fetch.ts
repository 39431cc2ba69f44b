/**
 * The one client for addresses that come from outside: link details, oEmbed, sideloads, upstream services.
 *
 * An address is resolved once, every address it stands for is checked, and the connection goes to those and no others, so
 * that a name cannot lead elsewhere between check and use. Redirects are followed here, each checked like the first. Private
 * networks are refused unless the operator lists them (`CMS_FETCH_ALLOW`), never because of something in the content folder.
 *
 * Source: ports as in the reference.
 */
import { lookup as resolveName } from 'node:dns/promises';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Site } from '../kernel/site/site.ts';
import type { Operator } from '../kernel/model/operator.ts';
import { bare, createAllowList, isPublicAddress } from '../kernel/http/ip-ranges.ts';
import { isUrl } from '../kernel/model/addresses.ts';

interface FetcherOptions {
  /** Hosts (`intranet.example`, `127.0.0.1:4180`) and ranges (`10.0.0.0/8`) that may be asked in spite of all. */
  readonly allow?: readonly string[];
  /** Time for everything, redirects included. Default 10 s. */
  readonly timeoutMs?: number;
  /** Resolves a host name; tests put in their own. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface FetchOptions {
  /** What is beyond it is not read. Default 1 MB. */
  readonly maxBytes?: number;
  /** Credentials and cookies among them only go to the origin of the URL, never where it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins that may be private: the server itself, or what the operator named. */
  readonly own?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

type Sent = Readonly<{ method: string; body?: string | undefined }>;

interface Downloaded {
  /** Bytes written. */
  readonly size: number;
  /** Media type it was sent as, without parameters; '' when it does not say. */
  readonly type: string;
  /** Where it came from, after redirects. */
  readonly url: string;
}

export interface Fetched {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the answer was longer than `maxBytes`. */
  readonly isCut: boolean;
}

export interface Fetcher {
  /**
   * Whether an address may be asked, as far as can be said without resolving its name. The reason when not.
   * Call it before anything that costs.
   */
  refusal(address: string, options?: Pick<FetchOptions, 'own'>): string | null;
  /** @throws FetchError when the address is refused, or nothing comes */
  get(address: string, options?: FetchOptions): Promise<Fetched>;
  /** A request of any kind. A redirect is its answer: what is sent goes nowhere else. @throws FetchError as `get` */
  send(address: string, sent: Sent, options?: FetchOptions): Promise<Fetched>;
  /**
   * Writes what is there into a new file, as it comes. The time is that between two pieces, not of the whole.
   * Default of `maxBytes`: 1 GiB.
   * @throws FetchError when the address is refused, nothing or another status than 200 comes, it is too large or cut short;
   *   Error when the file cannot be written. There is no file then.
   */
  download(address: string, path: string, options?: FetchOptions): Promise<Downloaded>;
}

/** Why nothing came. `refused`: the address may not be asked; else it could not be reached, or answered with `status`. */
export class FetchError extends Error {
  readonly refused: boolean;
  readonly status: number | undefined;
  /** The header of an answer that says when to come again. */
  readonly retryAfter: string | undefined;
  constructor(
    message: string,
    options: {
      readonly refused: boolean;
      readonly status?: number;
      readonly retryAfter?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.refused = options.refused;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
  }
}

const maxRedirects = 5;
const standardPorts: readonly string[] = ['80', '443', '8080'];
const redirects: readonly number[] = [301, 302, 303, 307, 308];

export function createFetcher({ allow = [], timeoutMs = 10_000, resolve = resolveAll }: FetcherOptions = {}): Fetcher {
  const opened = createAllowList(allow);

  /** @returns the parsed address, or why it is refused */
  function check(address: string, own: readonly string[]): URL | string {
    if (!isUrl(address)) return 'not an address';
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'neither http nor https';
    if (url.username !== '' || url.password !== '') return 'a name or password in the address';
    if (own.includes(url.origin) || opened.host(url)) return url;
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    if (!standardPorts.includes(port)) return `port ${port}`;
    const literal = bare(url.hostname);
    return isIP(literal) !== 0 && !isOpen(literal) ? 'not an address of the public internet' : url;
  }

  function isOpen(address: string): boolean {
    return isPublicAddress(address) || opened.range(address);
  }

  async function connect(url: URL, { own = [], headers = {} }: FetchOptions, signal: AbortSignal, sent?: Sent) {
    const host = bare(url.hostname);
    const addresses = isIP(host) !== 0 ? [{ address: host, family: isIP(host) }] : await withSignal(resolve(host), signal);
    const trusted = own.includes(url.origin) || opened.host(url);
    if (addresses.length === 0) throw new FetchError(`${host} has no address`, { refused: true });
    // One private address among public ones is a trick or a mistake: refused as a whole.
    if (!trusted && !addresses.every(({ address }) => isOpen(address))) {
      throw new FetchError(`${host} is not on the public internet`, { refused: true });
    }
    return send(url, addresses, { headers, signal }, sent);
  }

  /** Follows redirects to an answer, and hands over what `take` makes of it. */
  async function follow<T>(
    address: string,
    { own = [], headers = {} }: FetchOptions,
    signal: AbortSignal,
    take: (url: URL, response: IncomingMessage) => Promise<T>,
    sent?: Sent,
  ): Promise<T> {
    let next = address;
    try {
      for (let hops = 0; hops <= maxRedirects; hops++) {
        const url = check(next, own);
        if (typeof url === 'string') throw new FetchError(`${next} is refused: ${url}`, { refused: true });
        const isFirst = url.origin === new URL(address).origin;
        const response = await connect(url, { own, headers: isFirst ? headers : withoutSecrets(headers) }, signal, sent);
        const { location } = response.headers;
        if (!sent && redirects.includes(response.statusCode ?? 0) && location !== undefined && isUrl(location, url.href)) {
          response.destroy();
          next = new URL(location, url).href;
          continue;
        }
        return await take(url, response);
      }
    } catch (error) {
      if (error instanceof FetchError || error instanceof FileProblem) throw error;
      throw new FetchError(`${next} could not be reached`, {
        refused: (error as { code?: string }).code === 'ENOTFOUND',
        cause: error,
      });
    }
    throw new FetchError(`${address} redirects too often`, { refused: false });
  }

  function ask(address: string, sent?: Sent, options: FetchOptions = {}): Promise<Fetched> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])]);
    const take = async ({ href }: URL, response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      return { url: href, status, headers, ...(await read(response, options.maxBytes ?? 1_048_576)) };
    };
    return follow(address, options, signal, take, sent);
  }

  return {
    refusal(address, { own = [] } = {}) {
      const found = check(address, own);
      return typeof found === 'string' ? found : null;
    },
    get: (address, options) => ask(address, undefined, options),
    send: ask,
    async download(address, path, options = {}) {
      const file = await open(path, 'wx');
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), timeoutMs);
      const signal = AbortSignal.any([silence.signal, ...(options.signal ? [options.signal] : [])]);
      let isWhole = false;
      try {
        const done = await follow(address, options, signal, async (url, response) => {
          const size = await save(response, url.href, file, options.maxBytes ?? 2 ** 30, () => timer.refresh());
          const [type = ''] = String(response.headers['content-type'] ?? '').split(';', 1);
          return { size, type: type.trim().toLowerCase(), url: url.href };
        });
        isWhole = true;
        return done;
      } catch (error) {
        throw error instanceof FileProblem ? error.cause : error;
      } finally {
        clearTimeout(timer);
        await file.close();
        if (!isWhole) await rm(path, { force: true });
      }
    },
  };
}

/** The operator's fetcher: only operator settings decide what may be requested. */
export function createOperatorFetcher(
  { fetch_allow: allow }: Pick<Operator, 'fetch_allow'>,
  options: Omit<FetcherOptions, 'allow'> = {},
): Fetcher {
  return createFetcher({ ...options, allow });
}

/**
 * Origins that are this server: where it listens, or the public address the operator gave it. An address that stands in
 * `site.yaml` is not enough: whoever may change settings could name a neighbour there.
 */
export function ownOrigins(site: Pick<Site, 'settings' | 'url'>): readonly string[] {
  return site.settings.stored('url') || !isUrl(site.url) ? [] : [new URL(site.url).origin];
}

/** The text of an answer, by the character set it names, else UTF-8. */
export function textOf({ headers, body }: Pick<Fetched, 'headers' | 'body'>): string {
  const type = String(headers['content-type'] ?? '');
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const charset = named.exec(type)?.[1] ?? named.exec(body.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

async function resolveAll(host: string): Promise<readonly Address[]> {
  return resolveName(host, { all: true });
}

/** One request to the given addresses and no others; answers with the head, the body still to come. */
function send(
  url: URL,
  addresses: readonly Address[],
  { headers, signal }: Required<Pick<FetchOptions, 'headers'>> & { readonly signal: AbortSignal },
  { method, body }: Sent = { method: 'GET' },
): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, options, callback) => {
    const first = addresses[0] as Address;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  // Node says it only for some methods.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options: RequestOptions = {
    signal,
    method,
    agent: false,
    lookup: pinned,
    headers: { 'User-Agent': 'cms', Accept: '*/*', 'Accept-Encoding': 'identity', ...length, ...headers },
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    request.once('error', reject).end(body);
  });
}

/** At most `maxBytes` of the body, unpacked; the rest is not waited for. */
async function read(response: IncomingMessage, maxBytes: number): Promise<Pick<Fetched, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = unpacked(response);
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) break;
  }
  response.destroy();
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes };
}

/** The body into an open file. @returns its size */
async function save(
  response: IncomingMessage,
  url: string,
  file: FileHandle,
  maxBytes: number,
  heard: () => void,
): Promise<number> {
  const status = response.statusCode ?? 0;
  const refuse = (message: string): FetchError => {
    response.destroy();
    return new FetchError(`${url} ${message}`, { refused: false, status, retryAfter: response.headers['retry-after'] });
  };
  if (status !== 200) throw refuse(`answered ${status}`);
  const tooLarge = `is larger than ${maxBytes} bytes`;
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw refuse(tooLarge);
  let size = 0;
  for await (const chunk of unpacked(response)) {
    heard();
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw refuse(tooLarge);
    await file.writeFile(chunk as Buffer).catch((error: unknown) => {
      throw new FileProblem('', { cause: error });
    });
  }
  return size;
}

/** The file is the trouble, not what is sent. */
class FileProblem extends Error {}

function unpacked(response: IncomingMessage): Readable {
  if (String(response.headers['content-encoding'] ?? '').toLowerCase() !== 'gzip') return response;
  const gunzip = createGunzip();
  response.on('error', (error) => gunzip.destroy(error));
  return response.pipe(gunzip);
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));
}

function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}
