/**
 * The words of the REST layer: a request without an HTTP server, routes as data, what a handler sees and gives back.
 */
import type { ErrorCode } from '../errors.ts';
import type { Actor } from '../../modules/accounts/capabilities.ts';
import type { Site } from '../site/site.ts';
import type { Context, Schema } from '../model/schema.ts';
import type { Args } from './args.ts';
import type { Dialect } from './dialect.ts';
import type { Dispatcher } from './dispatch.ts';
import type { FieldFilter } from './fields.ts';
import type { Item } from './item.ts';
import type { Registry } from './registry.ts';
import type { Urls } from './urls.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type Params = Readonly<Record<string, unknown>>;

/** An uploaded part of a form, or the raw body of an upload: a file that is gone when the request is answered. */
export interface Upload {
  /** Of the form's field; '' for a raw body. */
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  /** Absolute path. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

export interface RestRequest {
  readonly method: Method;
  /** Neutral spelling, leading slash, no trailing one: `/cms/v2/posts/7`. */
  readonly route: string;
  readonly query: Params;
  readonly json?: Params | undefined;
  readonly form?: Params | undefined;
  readonly files?: readonly Upload[] | undefined;
  /** A body that is neither JSON nor a form. */
  readonly upload?: Upload | undefined;
  /** The bytes of JSON and url-encoded forms as sent. */
  readonly raw?: Uint8Array | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly dialect: Dialect;
  readonly user: Actor | null;
  /** Application password the request came with. */
  readonly credential?: string | undefined;
  readonly ip?: string | undefined;
  /** A refusal that was known before the route: a bad nonce, a body that is no JSON. */
  readonly refusal?: Error | undefined;
  /** Inside another request (embed, batch, preload): no envelope, no embeds of its own. */
  readonly inner?: boolean | undefined;
  /** The answer goes out as plain JSON: its data may be `Printed`. */
  readonly isPrinted?: boolean | undefined;
}

export interface RestResponse {
  readonly status: number;
  /** Numbers stay numbers inside an envelope. */
  readonly headers: Record<string, string | number>;
  /** A JSON value, bytes to be sent as they are, or undefined for an answer without a body. */
  readonly data: unknown;
  /** Writes `data` when it is not to be JSON. */
  readonly form?: Form | undefined;
  /** Validator of the stored content an item was made from. */
  readonly state?: string | undefined;
  /** For batch and embeds: the refusal behind an error answer. */
  readonly error?: unknown;
}

/** Another way to write answers than JSON. */
export interface Form {
  /** Content type, with its character set. */
  readonly type: string;
  print(data: unknown): string;
}

/** Why not: a code, or a code with data or its own sentence. */
export type Refusal = ErrorCode | { readonly code: ErrorCode; readonly data?: Params; readonly message?: string };

/** A permission: null allows. Must not change anything; it also answers `Allow` headers and link hints. */
export type Rule = (call: Call) => Refusal | null;

/** What a handler sees. */
export interface Call {
  readonly site: Site;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly request: RestRequest;
  /** Checked and coerced; unknown parameters are left as sent. */
  // biome-ignore lint/suspicious/noExplicitAny: the endpoint's arguments were checked against their schemas
  readonly params: Readonly<Record<string, any>>;
  readonly user: Actor | null;
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
  readonly data: Item | readonly Item[] | unknown;
  readonly state?: string | undefined;
}

export interface Endpoint {
  readonly methods: readonly Method[];
  readonly args: Args;
  readonly allow: Rule;
  readonly handle: (call: Call) => Handled | Promise<Handled>;
  /** Of a list: the names by which modules extend its items. Their parameters become arguments; it heeds scope and links. */
  readonly lists?: readonly string[];
  /** May be called through /batch/v1. */
  readonly batch?: boolean;
  /** Some routes are listed without an `args` map when they have none. */
  readonly bare?: boolean;
}

export interface Route {
  readonly namespace: string;
  /** The catalogue's notation: `/cms/v2/posts/(?P<id>[\d]+)`. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** The form of a request's answer and of its errors, where that is not JSON. */
  readonly form?: (request: RestRequest) => Form | undefined;
  /** Schema shown by OPTIONS. */
  readonly schema?: (call: Call) => Schema & Params;
}

/** Answers a value with a status and headers. */
export function answer(
  data: unknown,
  { status = 200, headers = {}, state }: Partial<Omit<Answer, 'kind' | 'data'>> = {},
): Answer {
  return { kind: 'answer', status, headers, data, state };
}

export const anyone: Rule = () => null;

export const READ: readonly Method[] = ['GET'];
export const CREATE: readonly Method[] = ['POST'];
export const UPDATE: readonly Method[] = ['POST', 'PUT', 'PATCH'];
export const DELETE: readonly Method[] = ['DELETE'];
