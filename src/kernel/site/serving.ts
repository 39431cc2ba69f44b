/**
 * What modules answer over HTTP beside the interface, and what tells the server who asks.
 */
import type { RestError } from '../errors.ts';
import type { Actor } from '../model/access.ts';

/** A page outside the interface. */
export interface Page {
  readonly status: number;
  /** Values are made fit for headers. With `ETag` or `Last-Modified` among them, whoever has the page is told so (304). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Who asks for a page, as far as the connection tells. */
export interface Visit {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly client: Peer;
}

/** The other end of a connection. */
export interface Peer {
  /** Undefined when that is not known. */
  readonly ip: string | undefined;
  /** It speaks HTTPS, with this server or with a proxy that is trusted. */
  readonly isHttps: boolean;
  /** Nobody between listens: HTTPS, or a connection within this machine. */
  readonly isPrivate: boolean;
}

/** A form that somebody sends to a page. */
export interface SentForm extends Visit {
  /** Fields by name; of several the last. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Answers a form. One that `writes` content is asked where files are written, and may be sixteen times as long. */
export type FormTaker = ((form: SentForm) => Promise<Page>) & { readonly writes?: true };

/** A file as it goes out. */
export interface Served {
  readonly mime: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly etag: string;
  /** Made of another file: it never changes under its name. */
  readonly derived: boolean;
  /** Absolute path, or the bytes. */
  readonly content: string | Uint8Array;
  /** Whether the file lies where it did, with no link on the way. To be asked once it is open, of what was opened. */
  isStill?(open?: number): boolean;
  /** Beside those that every file has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why there is no file, in words for whoever asked. */
export type RefusedFile = Pick<Page, 'status' | 'headers'> & { readonly message: string };
/** Address with its query, and headers by lower-case names, as they were sent. */
export type AskedFile = Pick<Visit, 'headers'> & { readonly url?: string | undefined };

/** Files under addresses of their own. No path of a request is ever joined to one on disk: they are looked up. */
export interface ServedFiles {
  /** First part of their addresses: `/uploads`. */
  readonly root: string;
  /** @param path  below the root, decoded; null for nothing, or the address elsewhere where the file can be had */
  find(path: string, asked?: AskedFile): Promise<Served | RefusedFile | { readonly location: string } | null>;
}

export interface Authenticated {
  readonly user: Actor | null;
  /** Uuid of the application password. */
  readonly credential?: string;
  readonly refusal?: RestError;
  /** Headers of the answer, by names without the prefix of a dialect: what is to be known of a session, or of wrong credentials. */
  readonly told?: Readonly<Record<string, string>>;
  /** Of a session without a nonce: who it is of, and who asks if a form brings one. */
  readonly session?: { readonly user: Actor; confirm(nonce: string): Authenticated };
}

export interface Authenticator {
  /** The credential of a header that was checked before and still holds: the same at once. Undefined: ask `authenticate`. */
  recall(header: string): string | undefined;
  /** @param headers  by lower-case names. @param nonce  of the address; it counts before that of a header */
  authenticate(headers: Readonly<Record<string, string | undefined>>, client: Peer, nonce?: string): Promise<Authenticated>;
}

export interface AuthenticatorOptions {
  /** Lower-case names of headers that only come with a session; refused without one, unless the request signs in otherwise. */
  readonly nonceHeaders: readonly string[];
  /** Called when what was answered to anybody may hold no longer. */
  changed(): void;
  /** Takes lines for whoever runs the server. */
  log(line: string): void;
}

/** Asked by the program itself. */
export const unvisited: Visit = { headers: {}, client: { ip: undefined, isHttps: false, isPrivate: true } };

/** Where no module knows anybody. */
export const visitorsOnly: Authenticator = {
  recall: () => undefined,
  authenticate: async () => ({ user: null }),
};

/** Scheme and host that a client used; undefined where it named no host that an address can have. */
export function originOf(
  { host }: Readonly<Record<string, string | string[] | undefined>>,
  { isHttps }: Pick<Peer, 'isHttps'>,
): string | undefined {
  return typeof host === 'string' && /^[a-z\d.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(host)
    ? `${isHttps ? 'https' : 'http'}://${host.toLowerCase()}`
    : undefined;
}
