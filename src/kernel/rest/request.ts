/**
 * A request and its answer, without an HTTP server.
 */
import type { Actor } from '../model/access.ts';
import type { Dialect } from './dialect.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
/** Those of requests that change nothing. */
export const readingMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
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

/** Segments before the REST root. */
export interface AddressPrefix {
  /** Those of the address itself, as links have them: `/de`. */
  readonly prefix: string;
  /** Those that links of any answer keep, as they were asked for. */
  readonly kept: string;
  /** The parameters these mean; neither query nor body overrides them. */
  readonly params: Params;
  /** The parameters others mean, which query and body override. */
  readonly defaults: Params;
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
  /** Path and query as they were sent; absent where nobody asked over HTTP. */
  readonly target?: string | undefined;
  /** What modules read in the address before the REST root. */
  readonly address?: AddressPrefix | undefined;
  readonly user: Actor | null;
  /** Application password the request came with. */
  readonly credential?: string | undefined;
  /** Headers of the answer that come of who asks, by names without the prefix of the dialect. */
  readonly told?: Readonly<Record<string, string>> | undefined;
  readonly ip?: string | undefined;
  /** Scheme and host that the client used: `https://example.com`. */
  readonly usedOrigin?: string | undefined;
  /** It came over a connection that others may read. */
  readonly isInsecure?: boolean | undefined;
  /** An error that was known before the route: a bad nonce, a body that is not JSON. */
  readonly refusal?: Error | undefined;
  /** Inside another request (embed, batch, preload): no envelope, no embeds of its own. */
  readonly inner?: boolean | undefined;
  /** The answer goes out as plain JSON: its data may be `SerializedJson`. */
  readonly isPrinted?: boolean | undefined;
}

export interface RestResponse {
  readonly status: number;
  /** Numbers stay numbers inside an envelope. */
  readonly headers: Record<string, string | number>;
  /** A JSON value, bytes to be sent as they are, an `EventStream`, or undefined for an answer without a body. */
  readonly data: unknown;
  /** Writes `data` when it is not to be JSON. */
  readonly form?: Form | undefined;
  /** Validator of the stored content an item was made from. */
  readonly state?: string | undefined;
  /** Headers of the whole answer, which are none of an envelope or a batch. */
  readonly outer?: Readonly<Record<string, string>> | undefined;
  /** For batch and embeds: the refusal behind an error answer. */
  readonly error?: unknown;
}

/** Another way to write answers than JSON. */
export interface Form {
  /** Content type, with its character set. */
  readonly type: string;
  print(data: unknown): string;
}
