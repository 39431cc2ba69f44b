/**
 * A translation agency: jobs go there, and come back when people have translated them. Either a service, or a folder into which both
 * sides put files.
 *
 * Source: reference on languages, 2, 7.
 */
import type { JobRecord, StatusRecord } from '../jobs/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Null: the operator names none. */
    readonly translationAgency: Agency | null;
  }
}

export const agencyStates = ['received', 'waiting_translation', 'translation_ready', 'delivered', 'cancelled'] as const;
export type AgencyState = (typeof agencyStates)[number];

export interface AgencyJob {
  /** Agency id. */
  readonly id: number;
  readonly state: AgencyState;
  /** What the agency says beside, as JSON; ''. */
  readonly tsStatus: string;
}

/** Every call: @throws RestError lang_upstream_unreachable, lang_upstream_timeout, lang_upstream_error */
export interface Agency {
  readonly id: string;
  /** @returns the agency id of the job */
  send(job: JobRecord, status: StatusRecord, xliff: string): Promise<number>;
  states(ids: readonly number[]): Promise<readonly AgencyJob[]>;
  /** The translated document. @throws RestError lang_job_not_ready where there is none */
  fetch(id: number): Promise<string>;
  delivered(id: number): Promise<void>;
  /** Has batches looked through again. @returns those that wait for it */
  syncBatches(ids: readonly number[]): Promise<readonly number[]>;
  queuedBatches(): Promise<readonly number[]>;
}
