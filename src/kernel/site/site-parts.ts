/**
 * The parts of a site while it is put together and in service. They need one another in circles (a commit is ingested, ingesting
 * commits), so all of them stand in one object; `createSite` makes them in this order.
 */
import type { Modules } from '../compose-modules.ts';
import type { Operator } from '../model/operator.ts';
import type { Records } from '../records/types.ts';
import type { Batch, FileChange, Store } from '../store/types.ts';
import type { Amendments } from './amendments.ts';
import type { OwnFeed } from './feed.ts';
import type { FirstDates } from './first-dates.ts';
import type { AfterExternal, Hooks } from './hooks.ts';
import type { IdRanges } from './id-ranges.ts';
import type { Indexer, IngestOptions } from './indexer.ts';
import type { Newcomers } from './newcomers.ts';
import type { Settings } from './settings.ts';
import type { PlanningSite } from './site.ts';

export interface SiteParts {
  readonly store: Store;
  readonly operator: Operator;
  readonly clock: () => number;
  readonly log: (line: string) => void;
  readonly modules: Modules;
  readonly settings: Settings;
  readonly listeners: ((batch: Batch) => void)[];
  /** Files of things that were named before they had one; made once memory has followed. */
  made: FileChange[];
  /** Readings that did more than give a record. */
  effects: number;
  feed: OwnFeed;
  firstDates: FirstDates;
  site: PlanningSite;
  hooks: Hooks;
  records: Records;
  indexer: Indexer;
  ids: IdRanges;
  amendments: Amendments;
  newcomers: Newcomers;
  ingest: Ingest;
}

export interface Ingest {
  /** What others changed, with what it replaces cached. */
  external(found: Batch): Promise<void>;
  /**
   * Large batches in portions. Ids that any of the files state are given to no other in the meantime.
   */
  chunked(found: Batch, origin?: BatchOrigin): Promise<void>;
  whole(found: Batch, options?: BatchOptions): Promise<void>;
  /** Resolves when nothing is being ingested. */
  idle(): Promise<void>;
}

/** Whose change it was: a write of this site, others, or nobody's that is known, as at the start. */
export type BatchOrigin = 'own' | 'others' | 'unknown';

export interface BatchOptions extends Omit<IngestOptions, 'keepers'> {
  /** False for a part of a larger one. */
  readonly isWhole?: boolean;
  readonly origin?: BatchOrigin;
  /** What else this makes necessary, once memory follows: written in one commit with the rest. */
  readonly after?: readonly AfterExternal[];
  readonly keepers?: ReturnType<Newcomers['keepers']> | ReadonlyMap<string, string>;
}

export const noFiles: Batch = { entries: [], blobs: [], removed: [], problems: [] };
