/**
 * From a request to its answer as written: read, dispatched, kept in the front cache where it may be.
 */
import type { IncomingMessage } from 'node:http';
import { RestError } from '../errors.ts';
import { describeOptions } from '../rest/describe.ts';
import { failureOf } from '../rest/failures.ts';
import { createFieldFilter } from '../rest/fields.ts';
import type { Dispatcher } from '../rest/types.ts';
import { readingMethods, type RestRequest, type RestResponse } from '../rest/request.ts';
import { yieldIfBusy } from '../scheduler.ts';
import type { Site } from '../site/site.ts';
import type { Address } from './address.ts';
import type { Chunks } from './buffer-pool.ts';
import { type FrontCache, isKeepable } from './front-cache.ts';
import type { RequestReader } from './request.ts';
import { isCallback, type Written, writeResponse } from './respond.ts';

export interface AnswerOptions {
  readonly site: Site;
  readonly dispatcher: Dispatcher;
  readonly requests: RequestReader;
  readonly front: FrontCache;
  /** The front cache's name for the answer to a request, as far as it is known who asks. */
  readonly keyOf: (incoming: IncomingMessage) => string | null;
}

/**
 * The answer as written, and kept where it may be.
 * @param asked     the front cache's name for it, where that is known
 * @param allocate  memory for it
 */
export type AnswerOf = (
  incoming: IncomingMessage,
  address: Address,
  asked?: string | null,
  allocate?: Chunks['take'],
) => Promise<Written>;

/** Preflight response for browsers, which only read headers. Chromium caches it for two hours at most. */
const preflight: RestResponse = { status: 204, headers: { 'Access-Control-Max-Age': '7200' }, data: undefined };
const preflighted = 'access-control-request-method';

export function createAnswers({ site, dispatcher, requests, front, keyOf }: AnswerOptions): AnswerOf {
  const trusted = new Set(site.operator.cors_origins);
  return answerOf;

  async function answerOf(
    incoming: IncomingMessage,
    address: Address,
    asked: string | null = null,
    allocate?: Chunks['take'],
  ): Promise<Written> {
    const state = front.state();
    const { request, isUnread, release } = await requests.read(incoming, address);
    let response: RestResponse;
    try {
      response = await respond(request);
    } finally {
      await site.store.faults.background('uploads', release);
    }
    // What comes now cannot be cut: a turn of its own, if it took long to come here.
    const others = yieldIfBusy();
    if (others !== undefined) await others;
    const written = writeResponse(request, response, {
      home: site.url,
      trusted,
      requestHeaders: site.modules.requestHeaders,
      hsts: site.operator.hsts,
      allocate,
    });
    if (!readingMethods.has(request.method) && written.status < 400)
      written.headers.push(request.dialect.header('Seq'), String(site.feed.order.written));
    // Nobody reads what is still to come.
    if (isUnread || written.status === 413) written.headers.push('Connection', 'close');
    if (!isKeepable(request, response)) return written;
    // Who signs in is known now.
    const key = asked ?? keyOf(incoming);
    if (key !== null) front.set(key, written, state);
    return written;
  }

  async function respond(request: RestRequest): Promise<RestResponse> {
    if (request.user && request.query._jsonp !== undefined) return failed(new RestError('rest_callback_disabled'));
    if (!isCallback(request.query._jsonp)) return failed(new RestError('rest_callback_invalid'));
    if (request.method === 'OPTIONS') return request.headers[preflighted] === undefined ? options(request) : preflight;
    if (request.refusal && !(request.refusal instanceof RestError && request.refusal.code === 'rest_invalid_json'))
      return failed(request.refusal);
    return dispatcher.dispatch(request);
  }

  function failed(error: Error): RestResponse {
    return dispatcher.refused(failureOf(error, site.store) ?? new RestError('internal_server_error'));
  }

  function options(request: RestRequest): RestResponse {
    const found = dispatcher.describe(request);
    if (!found) return { status: 200, headers: {}, data: [] };
    const data = createFieldFilter(request.query._fields).narrow(describeOptions(found.route, found.call));
    return { status: 200, headers: found.allowed.length > 0 ? { Allow: found.allowed.join(', ') } : {}, data };
  }
}
