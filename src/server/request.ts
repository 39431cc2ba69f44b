/**
 * From an HTTP request to one of the dispatcher: who asks, by which method, with which parameters and body.
 */
import type { IncomingMessage } from 'node:http';
import type { Authenticated, Authenticator } from '../domain/people/authenticate.ts';
import type { Site } from '../domain/site.ts';
import { RestError } from '../errors.ts';
import { BodyError, type BodyLimits, defaultLimits, maxBodyBytes, readBody, typeOfNamed } from '../rest/body.ts';
import type { Method, Params, RestRequest } from '../rest/types.ts';
import type { Address } from './address.ts';
import { hasBody } from './front-cache.ts';

export type RequestReader = (incoming: IncomingMessage, address: Address) => Promise<RestRequest>;

export interface RequestReaderOptions {
  readonly site: Site;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** Lower-case names of headers that come with a session. */
  readonly nonceHeaders: readonly string[];
  /** Where a request came from. */
  readonly ipOf: (incoming: IncomingMessage) => string | undefined;
}

const visitor: Authenticated = { user: null };
/** Parameters by which an answer is written otherwise than as plain JSON. */
const unprinted = ['_envelope', '_pretty', '_jsonp'];

export function createRequestReader({ site, authenticator, nonceHeaders, ipOf }: RequestReaderOptions): RequestReader {
  return async (incoming, { dialect, route, query }) => {
    const headers = incoming.headers as Readonly<Record<string, string | undefined>>;
    const ip = ipOf(incoming);
    const method = methodOf(incoming.method ?? 'GET', query, headers);
    const isVisitor = headers.authorization === undefined && !nonceHeaders.some((name) => headers[name] !== undefined);
    const who: Authenticated = isVisitor ? visitor : await authenticator.authenticate(headers, ip);
    const isWithBody = hasBody(headers);
    // Parameters in a body take part in an item, and not in what names its printed form.
    const isPrinted = !isWithBody && unprinted.every((name) => query[name] === undefined);
    const base = { method, route, query, headers, dialect, user: who.user, credential: who.credential, ip, isPrinted };
    if (who.refusal) return { ...base, refusal: who.refusal };
    if (!isWithBody) return base;
    const type = headers['content-disposition'] === undefined ? headers['content-type'] : typeOfNamed(headers['content-type']);
    const limits: BodyLimits = { ...defaultLimits, maxUploadBytes: site.operator.upload_limit * 1024 * 1024 };
    try {
      if (Number(headers['content-length'] ?? 0) > maxBodyBytes(type, limits)) throw new BodyError(413, 'The body is too large.');
      const mayKeep = !site.store.readOnly && site.access.can(who.user, 'upload_files');
      const body = await readBody(incoming, type, limits, mayKeep ? site.store.spool : null);
      return { ...base, ...body };
    } catch (error) {
      return { ...base, refusal: bodyRefusal(error) };
    }
  };
}

/**
 * The method a request is carried out by: its own, or for a POST the one that `_method` or the override header names. One that nobody
 * knows finds no route. A GET stays a GET: what only reads must not delete.
 */
function methodOf(own: string, query: Params, headers: Readonly<Record<string, string | undefined>>): Method {
  const asked = typeof query._method === 'string' ? query._method : headers['x-http-method-override'];
  return (own === 'POST' && asked ? asked.toUpperCase() : own) as Method;
}

function bodyRefusal(error: unknown): Error {
  if (error instanceof BodyError) return new RestError(error.status === 413 ? 'rest_body_too_large' : 'rest_body_malformed');
  return error instanceof Error ? error : new Error(String(error));
}
