/**
 * The parts of a site while it is put together and in service. They need one another in circles (a commit is ingested, ingesting
 * commits), so all of them stand in one object; `createSite` makes them in this order.
 */
import type { Modules } from '../modules.ts';
import type { Operator } from '../model/operator.ts';
import type { Records } from '../records/types.ts';
import type { Batch, FileChange, Store } from '../store/types.ts';
import type { Amendments } from './amendments.ts';
import type { FirstDates } from './first-dates.ts';
import type { Hooks } from './hooks.ts';
import type { IdRanges } from './id-ranges.ts';
import type { Indexer } from './indexer.ts';
import type { Ingest } from './ingest.ts';
import type { Newcomers } from './newcomers.ts';
import type { Settings } from './settings.ts';
import type { Site } from './site.ts';

export interface SiteParts {
  readonly store: Store;
  readonly operator: Operator;
  readonly clock: () => number;
  readonly log: (line: string) => void;
  /** Told of every batch once memory has taken it in, with the file changes it makes necessary, before those are made. */
  readonly taken: (batch: Batch, wanting: readonly FileChange[]) => void;
  readonly modules: Modules;
  readonly settings: Settings;
  readonly listeners: ((batch: Batch) => void)[];
  /** Files of things that were named before they had one; made once memory has followed. */
  made: FileChange[];
  /** Readings that did more than give a record. */
  effects: number;
  firstDates: FirstDates;
  site: Site;
  hooks: Hooks;
  records: Records;
  indexer: Indexer;
  ids: IdRanges;
  amendments: Amendments;
  newcomers: Newcomers;
  ingest: Ingest;
}

export const noFiles: Batch = { entries: [], blobs: [], removed: [], problems: [] };
