/**
 * What the routes of the external editor share: who holds the lock, what the editor said last, and the work itself, which runs beside
 * requests as well.
 *
 * Source: reference on languages, 5.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { AppliedResult, JobRecord, StatusRecord } from '../jobs/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationEditor: TranslationEditor;
  }
}

/** A job as answers of synchronisation have it. */
export interface SyncedJob {
  readonly ateJobId: number;
  readonly url: string;
  readonly ateStatus: number;
  readonly jobId: number;
  readonly status: number;
}

export interface SyncAnswer {
  /** Null: somebody else has it. */
  readonly lockKey: string | null;
  readonly ateToken: string | null;
  readonly nextPage: number | null;
  readonly numberOfPages: number | null;
  readonly downloadQueueSize: number;
  readonly jobs: readonly SyncedJob[];
}

export interface SyncRequest {
  readonly lockKey: string;
  readonly token: string;
  /** From 1. */
  readonly page: number;
  readonly numberOfPages: number;
  readonly withManual: boolean;
}

export interface TranslationEditor {
  readonly lock: SyncLock;
  /** Sends jobs; those that cannot be sent fail, as far as they are automatic. @returns ids of the editor by rid, null for what was not taken */
  send(jobs: readonly JobRecord[], by: Actor | null, kind: SendKind): Promise<ReadonlyMap<number, number | null>>;
  /** One job as the editor gets it. */
  packageOf(job: JobRecord, status: StatusRecord, by: Actor | null): Promise<Readonly<Record<string, unknown>>>;
  sync(request: SyncRequest): Promise<SyncAnswer>;
  /** What the editor said of a job last; undefined: it was not asked. */
  seen(editorJobId: number): SyncedJob | undefined;
  /** Fetches a document and applies it to the job. @throws RestError */
  fetch(job: JobRecord, url: string, by: Actor | null): Promise<AppliedResult>;
  /** Says that results have arrived, now or later. */
  confirm(editorJobIds: readonly number[]): Promise<void>;
}

/** Why jobs are sent, as the editor counts it. */
export const sendKinds = table({ manual: 1, automatic: 3, retry: 5 } as const);
export type SendKind = keyof typeof sendKinds;

/** One at a time: whoever has the key goes on, others wait until it lapses. */
export interface SyncLock {
  /** @param key  '' to begin. @returns the key; null: another one holds it */
  take(key: string): string | null;
}
