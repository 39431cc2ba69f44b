/**
 * A site in service: its content in memory, its files behind it, and the doors between them.
 *
 * Disk changes only through `commit`; memory follows from what was written, read back through the same kinds that a
 * person's edit comes in by.
 */
import type { References } from '../model/field.ts';
import type { Operator } from '../model/operator.ts';
import type { CommentRecord } from '../../modules/comments/record.ts';
import type { MetaSchemas, PostFields, PostRecord } from '../../modules/posts/record.ts';
import type { RevisionRecord } from '../../modules/revisions/record.ts';
import type { Status } from '../../modules/types/statuses.ts';
import type { Taxonomy } from '../../modules/terms/taxonomies.ts';
import type { TermFields, TermRecord } from '../../modules/terms/record.ts';
import type { PostType } from '../../modules/types/types.ts';
import type { UserRecord } from '../../modules/users/record.ts';
import type { Records, Table } from '../records/types.ts';
import type { Batch, Entry, FileChange, Problem, Store } from '../store/types.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { SignInLimit } from '../../modules/accounts/sign-in-limit.ts';
import type { Access } from '../../modules/accounts/capabilities.ts';
import type { Commenters } from '../../modules/comments/commenters.ts';
import type { Media } from '../../modules/media/library.ts';
import type { DesignRecord } from '../../modules/design/record.ts';
import type { MenuIndex } from '../../modules/menus/file.ts';
import type { Previews } from '../../modules/posts/preview.ts';
import type { Redirects } from '../../modules/permalinks/redirects.ts';
import type { Renames } from '../../modules/permalinks/renames.ts';
import type { Settings } from './settings.ts';
import type { WriteQueue } from './write-queue.ts';

export interface Site {
  readonly store: Store;
  readonly records: Records;
  readonly posts: Table<PostRecord>;
  readonly terms: Table<TermRecord>;
  readonly users: Table<UserRecord>;
  readonly revisions: Table<RevisionRecord>;
  readonly design: Table<DesignRecord>;
  readonly comments: Table<CommentRecord>;
  /** Files under `media/` and what is derived from them. */
  readonly media: Media;
  /** What only moderators see of who commented. */
  readonly commenters: Commenters;
  readonly accounts: Accounts;
  /** Wrong passwords, and who has to wait for them. */
  readonly signIns: SignInLimit;
  readonly settings: Settings;
  /** What only the person who runs the server decides. */
  readonly operator: Operator;
  readonly types: ReadonlyMap<string, PostType>;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  readonly statuses: readonly Status[];
  readonly access: Access;
  readonly previews: Previews;
  /** Menus with their items. */
  readonly menus: MenuIndex;
  /** Former addresses of files that others move. */
  readonly renames: Renames;
  /** What `redirects.yaml` says. */
  readonly redirects: Redirects;
  readonly refs: References;
  /** Field tables by type and by taxonomy. */
  readonly postFields: ReadonlyMap<string, PostFields>;
  readonly termFields: ReadonlyMap<string, TermFields>;
  /** Registered meta by type, taxonomy, `user` and `comment`. */
  readonly meta: Readonly<Record<string, MetaSchemas>>;
  /** Address of the site without a trailing slash: `url` of `site.yaml`, else where the server listens. */
  readonly url: string;
  readonly zone: string;
  /** The present, in site time and GMT (`YYYY-MM-DDTHH:MM:SS`). */
  now(): { readonly local: string; readonly gmt: string };
  /** Milliseconds since the epoch. */
  clock(): number;
  nextId(table: string): number;
  /** Makes changes durable, then visible. @throws Drift when a file is not as its writer expects, BusyError at the deadline */
  commit(changes: readonly FileChange[], deadlineMs?: number): Promise<readonly Entry[]>;
  /** Who writes which files now. */
  readonly writers: WriteQueue;
  /**
   * Plans against the present state and commits. Writers of one file come one after the other, each planning when its turn comes.
   * When a person changed one of the files meanwhile, their change is taken in first and the plan is made anew, so that both survive.
   * A plan that makes what must be there once at most names that in `once`: plans of one name run one after the other as well.
   * @throws BusyError when others were at it for too long; nothing has been written then
   */
  write<T>(plan: () => { readonly changes: readonly FileChange[]; readonly result: T; readonly once?: string }): Promise<T>;
  /** Takes in what changed on disk. Resolves when the files that this and what was taken in before made necessary are written. */
  ingest(batch: Batch): Promise<void>;
  /** Reads all content again, after a change of what every file depends on (the time zone, the default category). */
  reload(): Promise<void>;
  /** Reads posts again whose files say something else now that time has passed. */
  refresh(ids: readonly number[]): void;
  /** Where the server listens, used when `site.yaml` names no address; or what the operator says it is, whatever the file says. */
  setAddress(address: string, by?: 'server' | 'operator'): void;
  problems(): readonly Problem[];
  /** Called after every change of memory that came from outside (a person, another process). */
  onChange(listener: (batch: Batch) => void): void;
  close(): Promise<void>;
}
