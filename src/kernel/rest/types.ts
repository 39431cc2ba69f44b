/**
 * The words of the REST layer: routes as data, what a handler sees and gives back, and who calls it. They name one another, so they
 * stand in one file.
 */
import type { ErrorCode, RestError } from '../errors.ts';
import type { Context, Schema } from '../model/schema.ts';
import type { Site } from '../site/site.ts';
import type { Args } from './args.ts';
import type { FieldFilter } from './fields.ts';
import type { Form, Method, Params, RestRequest, RestResponse } from './request.ts';
import type { Urls } from './urls.ts';

declare module '../model/field.ts' {
  interface FieldCall extends Call {}
}

/** Why not: a code, or a code with data or its own sentence. */
export type Refusal = ErrorCode | { readonly code: ErrorCode; readonly data?: Params; readonly message?: string };

/** A permission: null allows. Must not change anything; it also answers `Allow` headers and link hints. */
export type AccessRule = (call: Call) => Refusal | null;

/** What a handler sees. */
export interface Call {
  readonly site: Site;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly request: RestRequest;
  /** Checked and coerced; unknown parameters are left as sent. */
  // biome-ignore lint/suspicious/noExplicitAny: the endpoint's arguments were checked against their schemas
  readonly params: Readonly<Record<string, any>>;
  readonly user: RestRequest['user'];
  readonly urls: Urls;
  readonly context: Context;
  readonly fields: FieldFilter;
  can(capability: string, ...args: readonly unknown[]): boolean;
  /** Whether a GET on an inner route would be answered; used by hints and embeds. */
  inner(method: Method, href: string, params?: Params): Promise<RestResponse>;
}

/** A plain value answers 200 with it; `answer()` says more. */
export type Handled = Answer | unknown;

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Record<string, string | number>;
  /** An `Item`, a list of them, or any JSON value. */
  readonly data: unknown;
  readonly state?: string | undefined;
}

/** A call that has met its route. */
export interface MatchedCall extends Call {
  readonly match: Match;
}

export interface Endpoint {
  readonly methods: readonly Method[];
  readonly args: Args;
  readonly allow: AccessRule;
  readonly handle: (call: Call) => Handled | Promise<Handled>;
  /** Of a list: the names by which modules extend its items. Their parameters become arguments; it heeds scope and links. */
  readonly lists?: readonly string[];
  /** Reading does something, as in the name of the site elsewhere: who may only read may not. */
  readonly acts?: true;
  /** The method that scopes are asked of, where that is not the request's: GET, where what it does is requests that are asked one by one. */
  readonly scopedAs?: (asked: Pick<Call, 'site' | 'request'>, url: Params) => Method;
  /** May be called through /batch/v1. */
  readonly batch?: boolean;
}

export interface Route {
  readonly namespace: string;
  /** The catalogue's notation: `/cms/v2/posts/(?P<id>[\d]+)`. */
  readonly path: string;
  /** Absent: always. If false, the route does not exist, in the catalogue either. */
  readonly isServed?: () => boolean;
  /** The same for one request: if false, the route does not exist for it, nor in the catalogue that it gets. */
  readonly isOffered?: ((request: RestRequest) => boolean) | undefined;
  /** Works, but is not in the catalogue: a description of the routes is not one of them. */
  readonly isUnlisted?: true;
  readonly endpoints: readonly Endpoint[];
  /** The form of a request's answer and of its errors, where that is not JSON. */
  readonly form?: (request: RestRequest) => Form | undefined;
  /** Whose files are taken of a visitor who brings a sign of another kind; the handler still has to check it. */
  readonly uploader?: (request: RestRequest) => RestRequest['user'];
  /** Schema shown by OPTIONS. */
  readonly schema?: (call: Call) => Schema & Params;
}

/** Whether a request is shown a route. */
export function isOffered(route: Pick<Route, 'isOffered'>, request: RestRequest): boolean {
  return route.isOffered?.(request) ?? true;
}

export interface Namespace {
  /** `cms/v2`; '' for the root routes. */
  readonly name: string;
  readonly routes: readonly Omit<Route, 'namespace'>[];
  /** Works, but is in no list of namespaces, and has no index. */
  readonly isUnlisted?: true;
}

export interface Match {
  readonly route: Route;
  readonly endpoint: Endpoint;
  /** Parameters in the path. */
  readonly url: Params;
}

export interface Registry {
  /** Namespaces served, in order, without the root. */
  readonly namespaces: readonly string[];
  readonly routes: readonly Route[];
  /** Those that are not in the catalogue. */
  readonly unlisted: readonly Route[];
  /** The endpoint for a method and a neutral route. HEAD finds GET. */
  match(method: Method, route: string): Match | null;
  /** The first route whose path fits, whatever the method. */
  find(route: string): { readonly route: Route; readonly url: Params } | null;
}

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
  /** Null when no route fits. */
  readonly call: MatchedCall | null;
  readonly refusal: RestError | null;
}

/** Answers a value with a status and headers. */
export function answer(
  data: unknown,
  { status = 200, headers = {}, state }: Partial<Omit<Answer, 'kind' | 'data'>> = {},
): Answer {
  return { kind: 'answer', status, headers, data, state };
}

export const anyone: AccessRule = () => null;

/** Users with one of these capabilities. */
export const needs =
  (...capabilities: readonly string[]): AccessRule =>
  (call) =>
    capabilities.some((one) => call.can(one)) ? null : 'rest_forbidden';

export const READ: readonly Method[] = ['GET'];
export const CREATE: readonly Method[] = ['POST'];
export const UPDATE: readonly Method[] = ['POST', 'PUT', 'PATCH'];
export const DELETE: readonly Method[] = ['DELETE'];
