/**
 * From an HTTP request to one of the dispatcher: who asks, by which method, with which parameters and body.
 */
import { table } from '../model/maps.ts';
import type { IncomingMessage } from 'node:http';
import { type Authenticated, type Authenticator, type Peer, originOf } from '../site/serving.ts';
import type { Site } from '../site/site.ts';
import { type ErrorCode, RestError } from '../errors.ts';
import { dropFiles, isFile, largeBytes, maxBodyBytes, readBody, typeOfNamed } from '../rest/body.ts';
import { type BodyLimits, defaultLimits } from '../rest/body-limits.ts';
import { BodyError } from '../rest/body-error.ts';
import { dialects } from '../rest/dialect.ts';
import type { Dispatcher } from '../rest/types.ts';
import { type Method, type Params, readingMethods, type RestRequest } from '../rest/request.ts';
import type { Address } from './address.ts';
import { createBodyRoom } from './body-room.ts';
import { hasBody } from './front-cache.ts';

/** A request, with what it holds until it is answered. */
export interface Received {
  readonly request: RestRequest;
  /** Whether the client may still be sending: its connection cannot be used again. */
  readonly isUnread: boolean;
  /** Removes its files and gives back its memory. */
  release(): Promise<void>;
}

export interface RequestReader {
  read(incoming: IncomingMessage, address: Address): Promise<Received>;
  /** Resolves when no request holds files any more, and after `limitMs` in any case. */
  released(limitMs: number): Promise<void>;
}

export interface RequestReaderOptions {
  readonly site: Site;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly dispatcher: Pick<Dispatcher, 'refusedUnread' | 'registry'>;
  /** Lower-case names of headers that come with a session. */
  readonly nonceHeaders: readonly string[];
  readonly clientOf: (incoming: IncomingMessage) => Peer;
}

const visitor: Authenticated = { user: null };
const unconfirmed = (): Authenticated => ({ user: null, refusal: new RestError('rest_cookie_invalid_nonce') });
const nonceNames = dialects.map((dialect) => dialect.wireName('_cms_nonce'));
/** Parameters by which an answer is written otherwise than as plain JSON. */
const unprinted = ['_envelope', '_pretty', '_jsonp'];
/** Capabilities, one of which allows sending more than `largeBytes`. */
const writing = ['edit_posts', 'edit_pages', 'upload_files', 'edit_theme_options', 'manage_options'];
/** Of a body that is refused: the client may finish sending it, so that it reads the answer. */
const drained = { bytes: 64 * 1024 * 1024, ms: 5000 };

export function createRequestReader(options: RequestReaderOptions): RequestReader {
  const { site, authenticator, dispatcher, nonceHeaders, clientOf } = options;
  const room = createBodyRoom();
  let holding = 0;
  let waiting: (() => void)[] = [];
  return {
    read,
    released(limitMs) {
      if (holding === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const late = setTimeout(resolve, limitMs);
        waiting.push(() => {
          clearTimeout(late);
          resolve();
        });
      });
    },
  };

  function letGo(): void {
    holding--;
    if (holding > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  async function read(
    incoming: IncomingMessage,
    { dialect, route, query, address, refusal: unknown }: Address,
  ): Promise<Received> {
    const headers = incoming.headers as Readonly<Record<string, string | undefined>>;
    const client = clientOf(incoming);
    const nonce = nonceIn(query);
    const method = methodOf(incoming.method ?? 'GET', query, headers);
    const isNamed = headers.authorization !== undefined || headers.cookie !== undefined || nonce !== undefined;
    const isVisitor = !isNamed && !nonceHeaders.some((name) => headers[name] !== undefined);
    if (!isVisitor || !readingMethods.has(method)) await site.store.shared?.fresh();
    const who: Authenticated = isVisitor ? visitor : await authenticator.authenticate(headers, client, nonce);
    const isWithBody = hasBody(headers);
    // Parameters in a body take part in an item, and not in what names its printed form.
    const isPrinted = !isWithBody && unprinted.every((name) => query[name] === undefined);
    const from = { ip: client.ip, isInsecure: !client.isPrivate, usedOrigin: originOf(incoming.headers, client) };
    const base = { method, route, query, headers, dialect, address, target: incoming.url, ...from, isPrinted, ...asking(who) };
    const refusal = unknown ?? who.refusal;
    if (!isWithBody) return { request: refusal ? { ...base, refusal } : base, isUnread: false, release: nothing };
    if (refusal) return refused(base, refusal);
    return receive(base);

    async function receive(base: RestRequest): Promise<Received> {
      const type = headers['content-disposition'] === undefined ? headers['content-type'] : typeOfNamed(headers['content-type']);
      const uploader = base.user ?? who.session?.user ?? dispatcher.registry.find(route)?.route.uploader?.(base) ?? null;
      const mayKeep = !site.store.readOnly && site.access.can(uploader, 'upload_files');
      // A user who may not upload is rejected without looking at the file.
      if (isFile(type) && !mayKeep) return refused(base);
      const isTrusted = writing.some((capability) => site.access.can(base.user, capability));
      const limits = limitsOf(site, isTrusted, mayKeep);
      const claim = room.open(isTrusted);
      holding++;
      try {
        checkBefore(base, type, limits);
        const body = await readBody(incoming, type, limits, mayKeep ? site.store.spoolFile : null, claim);
        const release = async (): Promise<void> => {
          claim.close();
          if (body.files || body.upload) await dropFiles(body);
          letGo();
        };
        const sent = base.user || !body.form ? undefined : nonceIn(body.form);
        const asked = sent === undefined ? base : { ...base, ...asking(who.session?.confirm(sent) ?? unconfirmed()) };
        return { request: { ...asked, ...body }, isUnread: false, release };
      } catch (error) {
        claim.close();
        letGo();
        if (!(error instanceof BodyError)) return { ...(await refused(base, error as Error)), isUnread: false };
        const isSize = error.status === 413;
        return refused(base, (isSize ? dispatcher.refusedUnread(base) : null) ?? new RestError(codes[error.status]));
      }
    }

    /** What can be known without the body. @throws RestError, BodyError */
    function checkBefore(base: RestRequest, type: string | undefined, limits: BodyLimits): void {
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new BodyError(415, `No ${encoding} is read.`);
      const length = Number(headers['content-length'] ?? 0);
      if (length > maxBodyBytes(type, limits)) throw new BodyError(413, 'The body is too large.');
      const refusal = length > largeBytes ? dispatcher.refusedUnread(base) : null;
      if (refusal) throw refusal;
    }

    async function refused(base: RestRequest, refusal?: Error): Promise<Received> {
      const isUnread = !(await drain(incoming));
      return { request: refusal ? { ...base, refusal } : { ...base, raw: new Uint8Array() }, isUnread, release: nothing };
    }
  }
}

function asking({
  user,
  credential,
  told,
  refusal,
}: Authenticated): Pick<RestRequest, 'user' | 'credential' | 'told' | 'refusal'> {
  return refusal ? { user, credential, told, refusal } : { user, credential, told };
}

function nonceIn(params: Params): string | undefined {
  for (const name of nonceNames) if (params[name] !== undefined) return String(params[name]);
  return undefined;
}

const nothing = async (): Promise<void> => undefined;

const codes = table({
  400: 'rest_body_malformed',
  413: 'rest_body_too_large',
  415: 'rest_body_encoding',
  503: 'rest_overloaded',
} as const satisfies Record<BodyError['status'], ErrorCode>);

function limitsOf(site: Site, isTrusted: boolean, mayKeep: boolean): BodyLimits {
  const { maxBytes, maxValues } = isTrusted ? defaultLimits : { maxBytes: largeBytes, maxValues: 10_000 };
  const maxUploadBytes = mayKeep ? site.operator.upload_limit * 1024 * 1024 : maxBytes;
  return { ...defaultLimits, maxBytes, maxValues, maxUploadBytes };
}

/** Lets a client finish what it sends, within bounds. @returns whether it has */
function drain(incoming: IncomingMessage): Promise<boolean> {
  if (incoming.complete && incoming.readableLength === 0) return Promise.resolve(true);
  if (Number(incoming.headers['content-length'] ?? 0) > drained.bytes) return Promise.resolve(false);
  return new Promise((resolve) => {
    let left = drained.bytes;
    const late = setTimeout(end, drained.ms, false);
    const done = (): void => end(incoming.complete);
    const count = (chunk: Uint8Array): void => {
      left -= chunk.length;
      if (left < 0) end(false);
    };
    incoming.on('data', count).once('end', done).once('close', done).resume();
    function end(isWhole: boolean): void {
      clearTimeout(late);
      incoming.off('data', count).off('end', done).off('close', done);
      resolve(isWhole);
    }
  });
}

/**
 * The method a request is carried out by: its own, or for a POST the one that `_method` or the override header names. One that nobody
 * knows finds no route. A GET stays a GET: what only reads must not delete.
 */
function methodOf(own: string, query: Params, headers: Readonly<Record<string, string | undefined>>): Method {
  const asked = typeof query._method === 'string' ? query._method : headers['x-http-method-override'];
  return (own === 'POST' && asked ? asked.toUpperCase() : own) as Method;
}
