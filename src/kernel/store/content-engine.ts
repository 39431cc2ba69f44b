/**
 * A content engine: where the content of a site is that several equal nodes serve. It holds files by path, changes them by commits in
 * one order, and says what has changed since. It knows neither posts nor YAML. One suite of tests holds for every engine
 * (`test/engines/content-engines.test.ts`).
 */

/** A file as the engine has it. */
export interface StoredFile {
  readonly path: string;
  /** Of its bytes; null: it has been removed. */
  readonly etag: string | null;
  /** Bytes. */
  readonly size: number;
  /** The commit that left it so. */
  readonly seq: number;
  /** When that was, by the engine's clock. */
  readonly timeMs: number;
  /** Null for what has been removed, and for blobs where only texts are asked for. */
  readonly bytes: Uint8Array | null;
}

/** What is known of a file by its path. */
export type Known = Omit<StoredFile, 'path' | 'bytes'>;

/** What has changed since a sequence: the last state of each path, in the order of the commits. */
export interface Changes {
  /** What is here is complete up to this commit. */
  readonly seq: number;
  /** Whether there was no later one. */
  readonly isLatest: boolean;
  readonly files: readonly StoredFile[];
}

/** How those who did not make a change learn of it. */
interface ChangeLog {
  /** Sequence of the last commit; 0 before the first. */
  position(): Promise<number>;
  /** What has changed after `since`, at least one commit of it; null where that is no longer known: everything has to be listed. */
  changes(since: number): Promise<Changes | null>;
  /** Calls back with the sequence of a commit, as far as the engine can tell. Nobody relies on it. @returns ends it */
  hints?(listener: (seq: number) => void): () => void;
}

export interface Edit {
  readonly path: string;
  /** The etag the writer knows; null: there must be nothing. Without one, whatever is there is replaced. */
  readonly expect?: string | null;
  /** Null removes the file. */
  readonly bytes: Uint8Array | null;
}

export interface EngineCommit {
  /** Nobody else's: by it the engine knows whether it has carried the commit out. */
  readonly id: string;
  /** What the writer knew when it planned. */
  readonly seen: number;
  readonly edits: readonly Edit[];
  /**
   * Names that no commit may have claimed that the writer has not seen: slugs it has found free. `everything` is claimed by who does not
   * know what its files claim.
   */
  readonly claims?: readonly string[];
}

export const everything = '*';

export interface Committed {
  readonly seq: number;
  readonly timeMs: number;
}

export interface ContentEngine extends ChangeLog {
  /** For messages: where it is, without secrets. */
  readonly name: string;
  /**
   * Every file as of one commit, in parts; texts with their bytes.
   * @param has  texts that no later commit has left so may come without: who asks may have them. Private documents do not
   * @returns the sequence of that commit
   */
  list(take: (files: readonly StoredFile[]) => void, has?: number): Promise<number>;
  /** Those of the files that there are, with their bytes. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>;
  /**
   * All of a commit, durably, or nothing. A second one of the same id is not carried out again.
   * @throws StaleWriteError when a file or a claim is not as the writer has seen it; BusyError when too many wait; EngineAwayError:
   *         nothing has been changed; UnsettledError: nobody can tell
   */
  commit(commit: EngineCommit): Promise<Committed>;
  /**
   * The next `count` numbers of each space for this process alone, behind what was taken and what is in use.
   * @param above  the highest number in use, by space
   * @returns where they end
   */
  reserve(above: Readonly<Record<string, number>>, count: number): Promise<Readonly<Record<string, number>>>;
  /** Takes or prolongs a lease, for work that one node does at a time. @returns whether `holder` has it for so long now */
  lease(name: string, holder: string, forMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** The engine cannot be reached. Nothing has been changed. */
export class EngineAwayError extends Error {
  /** As the errors of the disk have one. */
  readonly code = 'ENGINE';
}

/** The connection was lost during a commit, and the engine could not be asked since what became of it. */
export class UnsettledError extends Error {
  constructor(cause: unknown) {
    super('the connection to the engine was lost; it is not known whether the change was saved', { cause });
  }
}

/** Whether a place of content is an engine, and no folder. */
export function isEngineAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}
