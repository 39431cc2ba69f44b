/**
 * What other services of translation are to this site: an external editor with its manager service, and an agency. Each is configured by
 * the operator, and asked through one client.
 *
 * Source: reference on languages, 5 to 8, 11 and 13.9.
 */
import type { EditorSettings, TranslationSettings } from './settings.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationUpstream: TranslationUpstream;
  }
}

export interface EditorJob {
  readonly id: number;
  /** Of `editorStatus`. */
  readonly status: number;
  /** Where the translated document is; '' while there is none. */
  readonly url: string;
}

export const editorStatus = {
  created: 0,
  inProgress: 1,
  translated: 6,
  delivering: 7,
  delivered: 8,
  edited: 15,
  cancelled: 20,
  noCredit: 31,
  hidden: 42,
} as const;

/** A page of what the editor says of the jobs it was asked about. */
export interface SyncPage {
  readonly items: readonly { readonly rid: number; readonly job: EditorJob }[];
  /** Token of the pages, and how many there are; null: this is all. */
  readonly next: { readonly token: string; readonly pages: number } | null;
}

/** What is sent with an order. */
interface JobPackage {
  readonly jobs: readonly Readonly<Record<string, unknown>>[];
  readonly [member: string]: unknown;
}

/** The editor. Every call: @throws RestError lang_editor_not_configured, lang_upstream_unreachable, _timeout, _error */
export interface EditorClient {
  readonly isConfigured: boolean;
  /** @returns ids of the editor by rid, and the answer as it came */
  create(order: JobPackage): Promise<{ readonly ids: ReadonlyMap<number, number>; readonly answer: unknown }>;
  /** Null: the editor does not know the job. */
  lookUp(id: number): Promise<EditorJob | null>;
  /** With what is not released yet. */
  preview(id: number): Promise<EditorJob | null>;
  sync(ids: readonly number[]): Promise<SyncPage>;
  /** @param page  from 0 */
  syncPage(token: string, page: number): Promise<SyncPage>;
  confirm(ids: readonly number[]): Promise<void>;
  cancel(ids: readonly number[]): Promise<void>;
  /** The document at an address that the editor named. @throws RestError lang_destination_denied as well */
  download(url: string): Promise<string>;
}

interface TranslationUpstream {
  readonly settings: TranslationSettings;
  readonly editor: EditorClient;
  readonly identity: SiteIdentity;
  readonly outbox: Outbox;
  /** A call of the manager service. */
  manager(method: string, path: ManagerPath, body?: unknown, values?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Any service of the settings: JSON out and in. */
  request(base: string, settings: Pick<EditorSettings, 'auth' | 'timeoutMs'>, call: ServiceCall): Promise<ServiceAnswer>;
}

type ManagerPath = 'website' | 'translators' | 'managers' | 'state' | 'engines';

export interface ServiceCall {
  readonly method: string;
  /** Below the base, with a query if there is one. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** How the site is known to services. Kept in the private mount, and never in an answer. */
export interface SiteIdentity {
  /** Names the site to services. */
  uuid(): Promise<string>;
  /** What the address of a callback has to prove. */
  receiveToken(jobId: number): Promise<string>;
  isReceiveToken(jobId: number, token: string): Promise<boolean>;
  keys(): Promise<ServiceKeys | null>;
  register(keys: ServiceKeys): Promise<void>;
  setActive(): Promise<void>;
  /** After a conflict. */
  renew(): Promise<string>;
}

export interface ServiceKeys {
  readonly shared: string;
  readonly secret: string;
  readonly status: 'enabled' | 'active';
}

/** Calls that have to reach the editor at some time: they are repeated until they do, and kept over restarts. */
export interface Outbox {
  add(kind: OutboxKind, ids: readonly number[]): Promise<void>;
  /** Sends what is due. @returns what is left */
  flush(): Promise<number>;
  pending(): Promise<readonly OutboxEntry[]>;
}

export type OutboxKind = 'cancel' | 'confirm';

export interface OutboxEntry {
  readonly kind: OutboxKind;
  readonly id: number;
  readonly tries: number;
  /** Milliseconds since the epoch before which it is not tried again. */
  readonly dueAt: number;
}
