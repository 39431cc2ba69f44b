/**
 * `dispatch(request) → response`: route → arguments → permission → handler → data. Knows no HTTP server; the server, batch, embeds
 * and the tests all call it.
 */
import { errorRow, RestError } from '../errors.ts';
import type { Context } from '../model/schema.ts';
import type { Site } from '../site/site.ts';
import { writingWithin } from '../site/write-limits.ts';
import { innerAddress, prefixOf } from './address-prefix.ts';
import { checkArgs, plainParams } from './args.ts';
import { errorResponse, refuse } from './error-response.ts';
import { failureOf } from './failures.ts';
import { createFieldFilter } from './fields.ts';
import { createItemWriter, type ItemWriter } from './item-writer.ts';
import { mergeParams, parseQuery } from './params.ts';
import type { Method, Params, RestRequest, RestResponse } from './request.ts';
import {
  type Answer,
  type Call,
  type Dispatcher,
  type Endpoint,
  isOffered,
  type Match,
  type MatchedCall,
  type Prepared,
  type Registry,
  type AccessRule,
} from './types.ts';
import { createUrls, type Urls } from './urls.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What the parts of a dispatcher share. */
interface Dispatch {
  readonly site: Site;
  readonly registry: Registry;
  readonly log: (error: unknown, request: RestRequest) => void;
  readonly writer: ItemWriter;
  /** By the address of the root. */
  readonly urls: Map<string, Urls>;
  /** Itself, for requests within requests. */
  readonly dispatcher: Dispatcher;
}

/** @param log  receives unexpected errors; the client sees a plain 500 */
export function createDispatcher(site: Site, registry: Registry, log: Dispatch['log']): Dispatcher {
  const dispatcher: Dispatcher = {
    registry,
    dispatch: (request) => run(own, prepare(own, request)),
    prepare: (request) => prepare(own, request),
    run: (prepared) => run(own, prepared),
    allowed: (request) => dispatcher.describe(request)?.allowed ?? [],
    describe(request) {
      const found = registry.find(request.route);
      if (!found || !isOffered(found.route, request)) return null;
      const call = createCall(own, request, { ...found, endpoint: found.route.endpoints[0] as Endpoint }, found.url);
      return { route: found.route, call, allowed: permitted(call) };
    },
    refusedUnread: (request) => refusedUnread(own, request),
    refused: (error) => errorResponse(error, null, site.modules.errors),
  };
  const own: Dispatch = { site, registry, log, writer: createItemWriter(), urls: new Map(), dispatcher };
  return dispatcher;
}

function prepare(own: Dispatch, request: RestRequest): Prepared {
  const match = own.registry.match(request.method, request.route);
  if (!match || !isOffered(match.route, request)) return { request, call: null, refusal: new RestError('rest_no_route') };
  const params = merged(request, match);
  try {
    // A body that is not JSON is rejected before the arguments are checked.
    if (request.refusal) throw request.refusal;
    const { endpoint, url } = match;
    const method = endpoint.acts ? 'POST' : (endpoint.scopedAs?.({ site: own.site, request }, url) ?? request.method);
    if (request.user?.refuses?.(method, request.route, params)) throw new RestError('rest_insufficient_scope');
    const call = createCall(own, request, match, checkArgs(match.endpoint.args, params, request, own.site));
    return { request, call, refusal: null };
  } catch (error) {
    const call = createCall(own, request, match, plainParams(params, match.endpoint.args));
    return { request, call, refusal: asRestError(own, error, request) };
  }
}

/** Body over query, the path over both: an id in the body never overrides the address. */
function merged({ dialect, method, query, form, json, address }: RestRequest, match: Match): Params {
  const sent = method === 'GET' ? null : form;
  return dialect.readNames(mergeParams(address?.defaults, query, sent, json, address?.params, match.url));
}

/** Only that somebody lacks a right: other refusals may come from what is missing. */
function refusedUnread(own: Dispatch, request: RestRequest): RestError | null {
  const match = own.registry.match(request.method, request.route);
  if (!match || !isOffered(match.route, request)) return new RestError('rest_no_route');
  const params = plainParams(merged({ ...request, form: undefined, json: undefined }, match), match.endpoint.args);
  try {
    const refusal = match.endpoint.allow(createCall(own, request, match, params));
    const error = refusal && refuse(refusal);
    return error && errorRow(error.code, own.site.modules.errors)?.status === 'auth' ? error : null;
  } catch {
    return null;
  }
}

async function run(own: Dispatch, { request, call, refusal }: Prepared): Promise<RestResponse> {
  if (!call) return own.dispatcher.refused(refusal as RestError);
  if (refusal) return withAllow(errorResponse(refusal, call.user, own.site.modules.errors), call);
  try {
    const refused = call.match.endpoint.allow(call);
    if (refused) throw refuse(refused);
    const { handle } = call.match.endpoint;
    const handled = await writingWithin(call.user?.mayWrite, () => handle(call));
    const { status, headers, data, state } = isAnswer(handled)
      ? handled
      : { status: 200, headers: {}, data: handled, state: undefined };
    const written = await own.writer.write(data, call);
    return withAllow({ status, headers, data: written, state, error: undefined, form: undefined }, call);
  } catch (error) {
    return withAllow(errorResponse(asRestError(own, error, request), call.user, own.site.modules.errors), call);
  }
}

function asRestError({ site, log }: Dispatch, error: unknown, request: RestRequest): RestError {
  const failure = failureOf(error, site.store);
  if (failure !== null && errorRow(failure.code, site.modules.errors)) return failure;
  log(failure ? new Error(`no module of the site has an error code "${failure.code}"`, { cause: error }) : error, request);
  return new RestError('internal_server_error');
}

function createCall(own: Dispatch, request: RestRequest, match: Match, params: Params): MatchedCall {
  const { site, registry, dispatcher } = own;
  const urls = urlsOf(own, request, params);
  return {
    match,
    site,
    registry,
    dispatcher,
    request,
    params,
    user: request.user,
    urls,
    context: (params.context as Context | undefined) ?? 'view',
    fields: createFieldFilter(params._fields),
    can: (capability, ...args) => site.access.can(request.user, capability, ...args),
    inner: (method, href, extra = {}) =>
      inner(dispatcher, urls, { ...request, address: innerAddress(site, request, params) }, method, href, extra),
  };
}

function urlsOf({ site, urls }: Dispatch, { dialect, address }: RestRequest, params: Params): Urls {
  const base = site.url;
  const prefix = address ? prefixOf(site, address.kept, params) : '';
  const root = prefix === '' ? dialect.root : prefix + dialect.root;
  const known = urls.get(root);
  if (known?.base === base) return known;
  const fresh = createUrls(base, dialect, prefix);
  // What was asked for may be spelled in any number of ways.
  if (!address?.kept) urls.set(root, fresh);
  return fresh;
}

/** A request within another: without an envelope, and without embeds of its own. */
async function inner(
  dispatcher: Dispatcher,
  urls: Urls,
  { dialect, address, target, user, credential }: RestRequest,
  method: Method,
  href: string,
  extra: Params,
): Promise<RestResponse> {
  const place = urls.route(href);
  if (!place) return dispatcher.refused(new RestError('rest_no_route'));
  const query = { ...extra, ...parseQuery(place.query) };
  const own = { dialect, address, target, user, credential };
  return dispatcher.dispatch({ method, route: place.route, query, headers: {}, ...own, inner: true });
}

function withAllow(response: RestResponse, call: MatchedCall): RestResponse {
  if (call.request.inner) return response;
  const { status, data, state, error } = response;
  const allowed = permitted(call);
  const headers = allowed.length === 0 ? response.headers : Object.assign({}, response.headers, { Allow: allowed.join(', ') });
  const added = call.site.modules.headers;
  const outer = added.length === 0 ? undefined : Object.assign({}, ...added.map((headersOf) => headersOf(call)));
  return { status, headers, data, state, error, form: call.match.route.form?.(call.request), outer };
}

/** Methods of the call's route that its user may call now. */
function permitted(call: MatchedCall): Method[] {
  const open = new Set<Method>();
  for (const endpoint of call.match.route.endpoints) {
    const asked = endpoint.acts ? 'POST' : endpoint.scopedAs?.(call, call.match.url);
    const refuses = (method: Method) => call.user?.refuses?.(asked ?? method, call.request.route, {});
    if (allows(endpoint.allow, call)) for (const method of endpoint.methods) if (!refuses(method)) open.add(method);
  }
  return methods.filter((method) => open.has(method));
}

function allows(rule: AccessRule, call: Call): boolean {
  try {
    return rule(call) === null;
  } catch (error) {
    if (error instanceof RestError) return false;
    throw error;
  }
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && (value as Answer).kind === 'answer';
}
