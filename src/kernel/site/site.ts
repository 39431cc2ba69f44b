/**
 * A site in service: its content in memory, its files behind it, and the doors between them.
 *
 * Disk changes only through `commit`; memory follows from what was written, read back through the same kinds that a
 * person's edit comes in by. Tables and services are their modules': each adds its own to `Site` where it declares them
 * (`declare module '…/kernel/site/site.ts'`), so that `site.posts` has its type everywhere and the kernel knows none of them.
 */
import type { References } from '../model/field.ts';
import type { AccessControl, Actor } from '../model/access.ts';
import type { Operator } from '../model/operator.ts';
import type { Context } from '../model/schema.ts';
import type { Records } from '../records/types.ts';
import type { Batch, Entry, FileChange, Problem, Store } from '../store/types.ts';
import type { Feed } from './feed.ts';
import type { PathTable } from './path-table.ts';
import type { Authenticator, AuthenticatorOptions, FormTaker, Page, ServedFiles, Visit } from './serving.ts';
import type { Settings } from './settings.ts';
import type { Spare } from './spare.ts';
import type { WriteQueue } from './write-queue.ts';

/** What every site has. */
export interface KernelSite {
  readonly store: Store;
  readonly records: Records;
  readonly settings: Settings;
  /** What only the person who runs the server decides. */
  readonly operator: Operator;
  /** Which files are what. */
  readonly paths: PathTable;
  readonly refs: References;
  /** Who may do what. */
  readonly access: AccessControl;
  /** Address of the site without a trailing slash: `url` of `site.yaml`, else where the server listens. */
  readonly url: string;
  /**
   * Where credentials may be sent: the address that the operator gives, else where the client is already. `url` of `site.yaml` is
   * content, and whoever may change content must not learn passwords by it.
   * @param used  origin of the request, `https://example.com`; undefined where nobody asked
   */
  credentialUrl(used: string | undefined): string;
  /** Where a browser is: the same, but without any stated URL the one that it used. */
  browserUrl(used: string | undefined): string;
  /** Where links in letters lead that let their reader do something: the operator's address, or the server's own; null where only `site.yaml` states one. */
  readonly letterUrl: string | null;
  readonly zone: string;
  /** Changes of memory, numbered. */
  readonly feed: Feed;
  /** Shows of an item what can be shown. */
  readonly spare: Spare;
  /** The present, in site time and GMT (`YYYY-MM-DDTHH:MM:SS`). */
  now(): { readonly local: string; readonly gmt: string };
  /** Milliseconds since the epoch. */
  clock(): number;
  /** The next id of a number space, which nobody else has. Plans of writes take theirs of `PlanningSite`. */
  ownId(table: string): Promise<number>;
  /** Makes changes durable, then visible. @throws Drift when a file is not as its writer expects, BusyError at the deadline */
  commit(...asked: Parameters<Store['commit']>): Promise<readonly Entry[]>;
  /** Who writes which files now. */
  readonly writers: WriteQueue;
  /**
   * Plans against the present state and commits. Writers of one file come one after the other, each planning when its turn comes.
   * When a person changed one of the files meanwhile, their change is taken in first and the plan is made anew, so that both survive.
   * @throws BusyError when others were at it for too long; nothing has been written then
   */
  write<T>(plan: (site: PlanningSite) => WritePlan<T>): Promise<T>;
  /** Takes in what changed on disk. Resolves when the files that this and what was taken in before made necessary are written. */
  ingest(batch: Batch): Promise<void>;
  /** Reads all content again, after a change of what every file depends on (the time zone, the default category). */
  reload(): Promise<void>;
  /** Reads records of a table again whose files say something else now that time has passed. */
  refresh(table: string, ids: readonly number[]): void;
  /** Where the server listens, used when `site.yaml` names no address; or what the operator says it is, whatever the file says. */
  setAddress(address: string, by?: 'server' | 'operator'): void;
  problems(): readonly Problem[];
  /** What is at an address outside the interface; null: nothing. */
  page(url: string, visit?: Visit): Promise<Page | null>;
  form(url: string): FormTaker | null;
  readonly files: readonly ServedFiles[];
  authenticator(options: AuthenticatorOptions): Authenticator;
  /** What an answer holds, as this site lets it out; null where that is as it is. */
  readonly outgoing: ((data: unknown, reader: Audience) => unknown) | null;
  /** Called after every change of memory that came from outside (a person, another process). */
  onChange(listener: (batch: Batch) => void): void;
  close(): Promise<void>;
}

/** What a write changes, planned against the present state. */
export interface WritePlan<T> {
  readonly changes: readonly FileChange[];
  readonly result: T;
  /** Names what must be there once at most: plans of one name run one after the other. */
  readonly once?: string;
  /** Done while the disk is waited for, if it is: what the answer will need and nothing depends on. What it throws counts as not done. */
  readonly meanwhile?: () => void;
}

/** Whom an answer is for. */
export interface Audience {
  readonly user: Actor | null;
  readonly context: Context;
}

/** With what its modules add. */
export interface Site extends KernelSite {}

/** For plans: one whose ids turn out to be another process's is made anew. */
export interface PlanningSite extends Site {
  nextId(table: string): number;
}
