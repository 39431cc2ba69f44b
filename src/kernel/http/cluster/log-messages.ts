/**
 * What the writer and its readers say to one another on the replication log.
 */
import type { Batch } from '../../store/types.ts';
import type { Unwritten } from './unwritten.ts';

export type Change =
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** A private document was written or removed. */
  | { readonly kind: 'document'; readonly key: string }
  | ModuleChange
  /** More has changed than is worth sending: open the folder again. */
  | { readonly kind: 'renew' };

/** State of a module other than records has changed. */
interface ModuleChange {
  readonly kind: 'module';
  readonly name: string;
  readonly change: object;
}

/** State that a reader cannot know from the folder. */
export interface Snapshot {
  readonly kind: 'snapshot';
  readonly seq: number;
  /** Where the server listens. */
  readonly address: string;
  /** Keys of `site.yaml` that are read only at start. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** What is not yet, or will not be, in the files. */
  readonly unwritten: readonly Unwritten[];
  readonly modules: readonly ModuleChange[];
}

export type Message = Snapshot | (Change & { readonly seq: number });

/** What a module of a reader has to say of its requests. */
export interface Report {
  readonly name: string;
  readonly report: object;
}
