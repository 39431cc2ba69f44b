/**
 * `dispatch(request) → response`: route → arguments → permission → handler → fields, links, embeds, envelope.
 * Knows no HTTP server; the server, batch, embeds and the tests all call it.
 */
import { dataWithoutActive } from '../../render/active.ts';
import { type ErrorCode, type ErrorRow, errors, RestError } from '../errors.ts';
import type { Site } from '../site/site.ts';
import type { Context } from '../model/schema.ts';
import { createPace, type Pace } from '../store/scheduler.ts';
import { checkArgs, plainParams } from './args.ts';
import type { Dialect } from './dialect.ts';
import { failureOf } from './failures.ts';
import { createFieldFilter, namesIn } from './fields.ts';
import { Item, type CacheKey, type Link, type Links } from './item.ts';
import { mergeParams, parseQuery } from './params.ts';
import { createPrintCache, print, SerializedJson, serializeList, type ResponseVariant } from './serialized-json.ts';
import type { Match, Registry } from './registry.ts';
import type { Answer, Call, Endpoint, Method, Params, Refusal, RestRequest, RestResponse, Route, Rule } from './types.ts';
import { createUrls, type Urls } from './urls.ts';

/** Parameters that show somebody what others do not see. */
export const personalParams: readonly string[] = ['password', 'preview_nonce', 'preview_id'];
/** Bytes of printed items kept. */
const PRINTED_BYTES = 128 * 1024 * 1024;

type How = 'single' | 'listed';

/** How an item is written. */
interface ItemForm {
  readonly embed: Embed | null;
  readonly how: How;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface Dispatcher {
  readonly registry: Registry;
  dispatch(request: RestRequest): Promise<RestResponse>;
  /** Route and arguments only, for callers that must know before anything runs (batch). */
  prepare(request: RestRequest): Prepared;
  run(prepared: Prepared): Promise<RestResponse>;
  /** Methods of the route that the request's user may call now. */
  allowed(request: RestRequest): readonly Method[];
  /** The route of a request, whatever its method, with what the user may do there. */
  describe(request: RestRequest): { readonly route: Route; readonly call: Call; readonly allowed: readonly Method[] } | null;
  /** The refusal that a request meets whatever its body says; null when that cannot be told without the body. */
  refusedUnread(request: RestRequest): RestError | null;
  /** The answer for a request that did not come as far as a route. */
  refused(error: RestError): RestResponse;
}

/** A request that has met its route: ready to run, or refused. */
export interface Prepared {
  readonly request: RestRequest;
  readonly match: Match | null;
  readonly call: Call | null;
  readonly refusal: RestError | null;
}

/** @param log  receives unexpected errors; the client sees a plain 500 */
export function createDispatcher(
  site: Site,
  registry: Registry,
  log: (error: unknown, request: RestRequest) => void,
): Dispatcher {
  const prints = createPrintCache(PRINTED_BYTES);
  const urlsBy = new Map<Dialect, Urls>();
  const dispatcher: Dispatcher = {
    registry,
    dispatch: (request) => dispatcher.run(prepare(request)),
    prepare,
    run,
    allowed: (request) => dispatcher.describe(request)?.allowed ?? [],
    describe(request) {
      const found = registry.find(request.route);
      if (!found) return null;
      const call = createCall(request, { ...found, endpoint: found.route.endpoints[0] as Endpoint }, found.url);
      return { route: found.route, call, allowed: permitted(call) };
    },
    refusedUnread,
    refused: (error) => finishError(error, null),
  };
  return dispatcher;

  function prepare(request: RestRequest): Prepared {
    const match = registry.match(request.method, request.route);
    if (!match) return { request, match, call: null, refusal: new RestError('rest_no_route') };
    const params = merged(request, match);
    try {
      // A body that is no JSON is refused before the arguments are looked at.
      if (request.refusal) throw request.refusal;
      const call = createCall(request, match, checkArgs(match.endpoint.args, params, request));
      return { request, match, call, refusal: null };
    } catch (error) {
      return { request, match, call: createCall(request, match, plainParams(params)), refusal: known(error, request) };
    }
  }

  /** Only that somebody lacks a right: other refusals may come from what is missing. */
  function refusedUnread(request: RestRequest): RestError | null {
    const match = registry.match(request.method, request.route);
    if (!match) return new RestError('rest_no_route');
    const params = plainParams(request.dialect.readNames(mergeParams(request.query, match.url)));
    try {
      const refusal = match.endpoint.allow(createCall(request, match, params));
      const error = refusal && refuse(refusal);
      return error && errors[error.code].status === 'auth' ? error : null;
    } catch {
      return null;
    }
  }

  async function run(prepared: Prepared): Promise<RestResponse> {
    const { request, match, call } = prepared as Prepared & { call: (Call & { match: Match }) | null };
    if (!match || !call || prepared.refusal) return finishError(prepared.refusal as RestError, call);
    try {
      const refusal = match.endpoint.allow(call);
      if (refusal) throw refuse(refusal);
      const result = await match.endpoint.handle(call);
      return await finish(isAnswer(result) ? result : { kind: 'answer', status: 200, headers: {}, data: result }, call);
    } catch (error) {
      return finishError(known(error, request), call);
    }
  }

  function known(error: unknown, request: RestRequest): RestError {
    const failure = failureOf(error, site.store);
    if (failure !== null) return failure;
    log(error, request);
    return new RestError('internal_server_error');
  }

  function createCall(request: RestRequest, match: Match, params: Params): Call & { match: Match } {
    const urls = urlsOf(request.dialect);
    const call = {
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
      can: (capability: string, ...args: readonly unknown[]) => site.access.can(request.user, capability, ...args),
      inner: (method: Method, href: string, extra: Params = {}) => inner(urls, request, method, href, extra),
    };
    return call;
  }

  function urlsOf(dialect: Dialect): Urls {
    const base = site.url;
    const known = urlsBy.get(dialect);
    if (known?.base === base) return known;
    const urls = createUrls(base, dialect);
    urlsBy.set(dialect, urls);
    return urls;
  }

  async function inner(urls: Urls, outer: RestRequest, method: Method, href: string, extra: Params): Promise<RestResponse> {
    const place = urls.route(href);
    if (!place) return finishError(new RestError('rest_no_route'), null);
    return dispatcher.dispatch({
      method,
      route: place.route,
      query: { ...extra, ...parseQuery(place.query) },
      headers: {},
      dialect: outer.dialect,
      user: outer.user,
      credential: outer.credential,
      inner: true,
    });
  }

  function permitted(call: Call & { match: Match }): Method[] {
    const open = new Set<Method>();
    for (const endpoint of call.match.route.endpoints) {
      if (allows(endpoint.allow, call)) for (const method of endpoint.methods) open.add(method);
    }
    return METHODS.filter((method) => open.has(method));
  }

  function hints(href: string, call: Call): readonly Method[] {
    const place = call.urls.route(href);
    return place ? dispatcher.allowed({ ...call.request, route: place.route, query: {}, json: undefined, form: undefined }) : [];
  }

  /** A link with what the caller may do there. Nothing at all is not said, as in the `Allow` header. */
  function hinted(link: Link, call: Call): Link {
    const allow = hints(link.href, call);
    return allow.length > 0 ? { ...link, targetHints: { allow } } : link;
  }

  function finishError(error: RestError, call: Call | null): RestResponse {
    const data = errorBody(error, call?.user ?? null);
    const status =
      data.data === null ? rowStatus(error.code, call?.user ?? null) : ((data.data as { status: number }).status ?? 500);
    const { retryAfter } = { ...(errors[error.code] as ErrorRow), ...secondsIn(error.data) };
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return withAllow({ status, headers, data, error }, call);
  }

  async function finish(result: Answer, call: Call & { match: Match }): Promise<RestResponse> {
    const embed = call.request.inner ? null : embedded(call.request.query._embed);
    let { data } = result;
    if (data instanceof Item) data = await writeItem(data, call, { embed, how: 'single' }, cacheFor(call, embed, 'single'));
    else if (Array.isArray(data) && data.some((one) => one instanceof Item)) {
      const variant = cacheFor(call, embed, 'listed');
      const parts: unknown[] = [];
      const form: ItemForm = { embed, how: 'listed' };
      let pace: Pace | undefined;
      for (const one of data) {
        const known = one instanceof Item ? printedBefore(one, call, form, variant) : filtered(one, call);
        if (known === undefined) {
          // A long list of what nobody has seen yet is rendered with room for others.
          pace ??= createPace(8, 1);
          if (pace.isDue()) await pace.rest();
          const part = writeItem(one, call, form, variant);
          parts.push(part instanceof Promise ? await part : part);
        } else parts.push(known);
      }
      data = parts.every((part) => part instanceof SerializedJson) ? serializeList(parts as SerializedJson[]) : parts;
    } else if (data !== null && typeof data === 'object' && !(data instanceof Uint8Array))
      data = emptyAsList(call.fields.narrow(filtered(data, call)));
    else data = filtered(data, call);
    return withAllow(
      { status: result.status, headers: result.headers, data, state: result.state, error: undefined, form: undefined },
      call,
    );
  }

  /** Texts of files as the operator lets them out. */
  function filtered(data: unknown, { context, user }: Call): unknown {
    if (!site.operator.filter_content) return data;
    return dataWithoutActive(data, user === null ? 'visitor' : context === 'edit' ? 'editor' : 'user');
  }

  /** Where items of this answer's form are kept printed; null when they may not be, or are not asked for. */
  function cacheFor({ request, match, user, context, params }: Call & { match: Match }, embed: Embed | null, how: How) {
    const { query, dialect } = request;
    // Writers get the item in another context than they name.
    if (
      !request.isPrinted ||
      !isReading(request.method) ||
      match.route.form ||
      personalParams.some((name) => query[name] !== undefined)
    )
      return null;
    const fields = query._fields === undefined ? null : [how, query._fields];
    // As JSON: no text of a client can be taken for the next part.
    return prints.variant(JSON.stringify([context, dialect.root, site.url, user?.id, params.excerpt_length, embed, fields]));
  }

  /** The item as it was printed for another answer. */
  function printedBefore(
    { keep }: Item,
    call: Call,
    form: ItemForm,
    variant: ResponseVariant | null,
  ): SerializedJson | undefined {
    return variant && keep?.context === call.context ? variant.get(keep.record, versionOf(keep, form)) : undefined;
  }

  /** What is embedded may come from anywhere. */
  function versionOf({ cacheVersion: stamp }: CacheKey, { embed }: ItemForm): CacheKey['cacheVersion'] {
    return embed ? site.records.generation : stamp;
  }

  function writeItem(item: Item, call: Call, form: ItemForm, variant: ResponseVariant | null): unknown {
    const { keep } = item;
    if (!variant || keep?.context !== call.context) return itemData(item, call, form);
    const stamp = versionOf(keep, form);
    const known = variant.get(keep.record, stamp);
    if (known) return known;
    const printAndKeep = (data: unknown): SerializedJson => {
      const printed = print(data);
      variant.set(keep.record, stamp, printed);
      return printed;
    };
    const data = itemData(item, call, form);
    return data instanceof Promise ? data.then(printAndKeep) : printAndKeep(data);
  }

  /** The item as data; a promise only where something is made ready or embedded. */
  function itemData(item: Item, call: Call, form: ItemForm): unknown {
    const ready = item.prepare();
    return ready === undefined ? preparedData(item, call, form) : ready.then(() => preparedData(item, call, form));
  }

  function preparedData(item: Item, call: Call, { embed, how }: ItemForm): unknown {
    const isLinked = item.keepsLinks || call.fields.wants('_links') || call.fields.wants('_embedded');
    const links = isLinked ? printLinks(item.links, call) : null;
    const own = filtered(item.body, call) as Record<string, unknown>;
    let body: unknown;
    if (how === 'single') {
      body = call.fields.narrow(own);
      if (links) body = { ...(body as object), _links: links };
    } else body = call.fields.narrow(links ? { ...own, _links: links } : own);
    if (!embed || !links || (body as { _links?: unknown })._links === undefined) return emptyAsList(body);
    return embedLinks(item.links, call, embed).then((found) =>
      emptyAsList(found ? { ...(body as object), _embedded: found } : body),
    );
  }

  /** Relations spelled for the dialect, hints on `self`, curies when a prefixed relation is used. */
  function printLinks(links: Links, call: Call): Record<string, readonly Link[]> | null {
    const names = Object.keys(links);
    if (names.length === 0) return null;
    const { dialect } = call.request;
    const out: Record<string, readonly Link[]> = {};
    let prefixed = false;
    for (const name of names) {
      const list = links[name] as readonly Link[];
      if (name.startsWith('cms:') && !unprefixed.has(name)) prefixed = true;
      out[dialect.relation(name)] = name === 'self' ? list.map((link) => hinted(link, call)) : list;
    }
    if (prefixed) out.curies = dialect.curies as unknown as readonly Link[];
    return out;
  }

  async function embedLinks(links: Links, call: Call, embed: Embed): Promise<Record<string, unknown[]> | null> {
    const out: Record<string, unknown[]> = {};
    for (const [rel, list] of Object.entries(links)) {
      const wanted = embed === 'all' || embed.some((name) => call.request.dialect.isEmbedName(name, rel));
      if (!wanted || !list.some((link) => link.embeddable)) continue;
      const found = await Promise.all(
        list.map(async (link) =>
          link.embeddable ? (await call.inner('GET', link.href, { context: 'embed', ...allOf(link.href, call) })).data : [],
        ),
      );
      if (found.some((one) => !Array.isArray(one) || one.length > 0)) out[call.request.dialect.relation(rel)] = found;
    }
    return Object.keys(out).length > 0 ? out : null;
  }

  /** An embedded list is as long as its route allows. */
  function allOf(href: string, call: Call): Params {
    const place = call.urls.route(href);
    const most = place && registry.match('GET', place.route)?.endpoint.args.per_page?.maximum;
    return most ? { per_page: most } : {};
  }

  function withAllow(response: RestResponse, call: Call | null): RestResponse {
    if (!call || call.request.inner) return response;
    const { match } = call as Call & { match: Match };
    const methods = permitted(call as Call & { match: Match });
    const { status, data, state, error } = response;
    const headers = methods.length === 0 ? response.headers : Object.assign({}, response.headers, { Allow: methods.join(', ') });
    return { status, headers, data, state, error, form: match.route.form?.(call.request) };
  }
}

/** The body of an error answer: `{code, message, data: {status, …}}`. */
export function errorBody(error: RestError, user: unknown): { code: string; message: string; data: unknown } {
  const bare = (errors[error.code] as { bare?: boolean }).bare;
  const status = (error.data.status as number | undefined) ?? rowStatus(error.code, user);
  const { additional, others, ...data } = error.data;
  return {
    code: error.code,
    message: error.message,
    // A row without a status of its own takes one from where it is raised.
    data: bare && data.status === undefined ? null : { status, ...data },
    ...(additional === undefined ? {} : { additional_data: additional }),
    ...(others === undefined ? {} : { additional_errors: others }),
  };
}

/** A refusal may know better than its row when to come again. */
function secondsIn({ retry_after }: Params): Pick<ErrorRow, 'retryAfter'> {
  return typeof retry_after === 'number' ? { retryAfter: retry_after } : {};
}

/** A refusal as the error it becomes. */
export function refuse(refusal: Refusal): RestError {
  return typeof refusal === 'string' ? new RestError(refusal) : new RestError(refusal.code, refusal.data ?? {}, refusal.message);
}

function rowStatus(code: ErrorCode, user: unknown): number {
  const { status } = errors[code];
  return status === 'auth' ? (user === null ? 401 : 403) : status;
}

function allows(rule: Rule, call: Call): boolean {
  try {
    return rule(call) === null;
  } catch (error) {
    if (error instanceof RestError) return false;
    throw error;
  }
}

/** Body over query, the path over both: an id in the body never overrides the address. */
function merged({ dialect, method, query, form, json }: RestRequest, match: Match): Params {
  return dialect.readNames(mergeParams(query, method === 'GET' ? null : form, json, match.url));
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && (value as Answer).kind === 'answer';
}

function isReading(method: Method): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The reference prints an empty map as an empty list. */
function emptyAsList(value: unknown): unknown {
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0 ? [] : value;
}

/** Relations that look prefixed to clients, but are their whole name: no curies for them (observed). */
const unprefixed: ReadonlySet<string> = new Set(['cms:action-run']);

type Embed = 'all' | readonly string[];

/** `_embed` alone, empty, `0`, `1` or `true` means all (observed); names, parted as in `_fields`, mean relations. */
function embedded(value: unknown): Embed | null {
  if (value === undefined) return null;
  const names = namesIn(value);
  return names.length === 0 || ['0', '1', 'true'].includes(value as string) ? 'all' : names;
}
