/**
 * What the store hands up and takes down: files as parsed entries, and changes to files.
 */

import type { ContentEngine, Edit } from './content-engine.ts';
import type { Faults } from './faults.ts';
import type { GitState } from './git-state.ts';

/** How a file is read: front matter with a Markdown or HTML body, or a whole YAML document. */
export type EntryKind = 'md' | 'html' | 'yaml';

/**
 * A readable file of the content folder.
 *
 * Scalars in `data` are lossless: only canonical decimal integers (`0`, `-3`, `42`) are numbers and only `true`/`false`
 * are booleans; an empty value is null; everything else, `no`, `1e3`, `12:30`, `2026-03-01`, `007`, is the text as written.
 */
export interface Entry {
  /** Relative to the content folder, `/` between segments, NFC. */
  readonly path: string;
  readonly kind: EntryKind;
  /** Read from the file when it is asked for: ask for the path first, since a start from the snapshot reads no text. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What stands after the front matter, byte for byte, without the final line end of the file; '' for YAML files. */
  readonly body: string;
  /** Strong validator of the file's bytes. */
  readonly etag: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Forgets the values in `data`; they are read again when they are asked for. */
  release?(): void;
}

/** A file that is not text the store parses: an image, a PDF. */
export interface Blob {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export type ProblemSeverity = 'error' | 'warning';

/** Something a person should know about a file. `line` and `column` count from 1. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Leads to the value that is meant, where its line is not looked up yet. */
  readonly keys?: readonly (string | number)[];
  /** The key itself is meant, not its value. */
  readonly onKey?: true;
  readonly severity: ProblemSeverity;
  /** Stable word for scripts: `yaml-syntax`, `conflict-marker`, `duplicate-id`, … */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  /** The line of the file the problem is in. */
  readonly source?: string;
}

/** Writes an entry: sets or deletes front-matter keys, replaces the body, moves the file. Untouched lines stay as they are. */
export interface Write {
  readonly path: string;
  /** Where the file is now, when it moves. */
  readonly from?: string;
  /** The etag the writer knows; null when the file must not exist yet. Another state on disk is a Drift. */
  readonly expect: string | null;
  /** Values by key; `undefined` deletes the key. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Order in which keys are placed when they are new. */
  readonly order: readonly string[];
  /** Without the final line end, which the file gets. */
  readonly body?: string;
}

/** Writes bytes as they are (an upload). */
export interface WriteBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The etag the writer knows; null when there must be nothing yet. Without one, what is there is replaced. */
  readonly expect?: string | null;
}

/** Takes over a finished file from elsewhere (a large upload): it is moved into place and gone from where it was. */
export interface TakeFile {
  readonly path: string;
  /** Absolute; best of `spoolFile`, from where moving is only renaming. */
  readonly fromFile: string;
  readonly expect?: null;
}

/** Removes a file. `expect` as for Write; undefined removes whatever is there. */
export interface Remove {
  readonly remove: string;
  readonly expect?: string | null;
}

export type FileChange = Write | WriteBytes | TakeFile | Remove;

/** What happened on disk since the last report. */
export interface Batch {
  readonly entries: readonly Entry[];
  readonly blobs: readonly Blob[];
  readonly removed: readonly string[];
  /** Files that could not be read; their last good version stays in service. */
  readonly problems: readonly Problem[];
  /** Another node has committed them, and sees to what follows from it: ids, revisions, files of things that are named. */
  readonly isSettled?: true;
  /** Keys of private documents that other nodes have changed. */
  readonly documents?: readonly string[];
  /** What modules of other workers have told of what they keep in memory. */
  readonly messages?: readonly ModuleMessage[];
}

/** State of a module beside records has changed. JSON, which only the module that sends it reads. */
export interface ModuleMessage {
  readonly name: string;
  readonly change: object;
}

/** What a plan relies on that the files it changes do not say, where others commit as well. */
export interface Basis {
  /** What memory held when it was made. See `Shared`. */
  readonly seen: number;
  /** Names that it found free, and takes. */
  readonly claims: readonly string[];
  /** Private documents that become so in the same commit. */
  readonly documents?: readonly DocumentEdit[];
  /** What the other workers are told with it. */
  readonly messages?: readonly ModuleMessage[];
}

/** A private document of a shared store, as part of a commit. */
export interface DocumentEdit {
  readonly key: string;
  /** Null removes it. */
  readonly bytes: Uint8Array | null;
  /** The bytes that the writer knows; null: there must be none. Absent: whatever is there is replaced. */
  readonly before?: Uint8Array | null;
}

/** Files and documents byte for byte, each expected as the writer knows it, by etag. */
export interface Replacement {
  readonly files: readonly Edit[];
  readonly documents: readonly DocumentEdit[];
}

/** A store whose content several nodes change. */
export interface Shared extends Pick<ContentEngine, 'reserve'> {
  /** The name of this node; it has it again after a restart. */
  readonly node: string;
  /** All commits up to this one are in memory. No two commits ever have the same sequence, whatever is restarted. */
  readonly seen: number;
  /** The last commit of files that any change of memory can be due to. It rises before memory changes, and may be ahead of `seen`. */
  readonly changed: number;
  /** Numbers of events begin here, on all nodes: above those that were given by processes that shared no sequence. */
  readonly numbersFrom: number;
  /** Calls back in the turn in which `seen` rises. @returns ends it */
  follow(listener: () => void): () => void;
  /** Resolves when everything is in memory that anybody had committed when it was called. @throws EngineAwayError */
  fresh(): Promise<void>;
  /** Whether this node is the one that does some work now. It asks again before the lease runs out. */
  lease(name: string, forMs: number): Promise<boolean>;
  /** Runs what checks and then writes, on one node at a time, with everything in memory that others have done. @throws BusyError */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Where the content is in an engine. */
  readonly engine?: SharedEngine;
  /** Where the nodes are workers of one server, over one folder. */
  readonly workers?: WorkerNews;
}

interface SharedEngine extends Pick<ContentEngine, 'changes'> {
  /**
   * Changes files and documents in one commit, without reading them: memory follows when they are read again.
   * @throws StaleWriteError, BusyError, EngineAwayError, UnsettledError
   */
  replace(replacement: Replacement): Promise<void>;
}

/** What workers of one server tell one another beside commits. */
interface WorkerNews {
  /** Whether anybody has told something that is not in memory yet. Takes about a microsecond. */
  isBehind(): boolean;
  /** Memory has taken in what neither workers nor nodes have written. @param wanting  what that makes necessary */
  tellOfOthers(batch: Batch, wanting: readonly FileChange[]): void;
  tell(message: ModuleMessage): void;
  /** The site is open. */
  attach(modules: ModulesInMemory): void;
}

/** What modules keep in memory beside records. */
export interface ModulesInMemory {
  /** A document of the cache was written or removed. */
  cached(key: string): void;
  /** The media file of a sidecar. */
  mediaOf(sidecar: string): Blob | undefined;
  /** What a worker that starts cannot know from the folder. */
  snapshots(): readonly ModuleMessage[];
}

/** The file on disk is not in the state the writer expected. The writer reloads and tries again. */
export class StaleWriteError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`${path} has changed on disk`);
    this.path = path;
  }
}

/** What a write would leave in a file is more than is read back: nothing of it has been done. */
export class TooLargeError extends Error {}

/** A write that could not begin in time: others were at it. Nothing of it has been done. */
export class BusyError extends Error {}

/** A write to a store that was opened to be read. */
export class ReadOnlyError extends Error {
  constructor(what: string) {
    super(`read-only: ${what} cannot be changed`);
  }
}

/** How memory follows the disk. Times by the clock of `performance.now`. */
export interface Following {
  /** `events`: the system tells of changes; `sweeps`: they are looked for alone; null: nobody watches. */
  readonly by: 'events' | 'sweeps' | null;
  /** Changes that are known of and not yet taken in, and looks at the disk under way. */
  readonly pending: number;
  /** Since when there have been any; null: there are none. */
  readonly since: number | null;
  /** Sweeps of everything that have ended, the milliseconds they took together, and when the last one began. */
  readonly sweeps: number;
  readonly sweptMs: number;
  readonly sweptAt: number | null;
  /** Files that are known. */
  readonly files: number;
}

export interface Store {
  /** Absolute path of the content folder, or the name of the engine. */
  readonly name: string;
  readonly readOnly: boolean;
  /** Another process of this folder decides what files get; this one is told. */
  readonly follows?: true;
  /** Where several nodes serve the content, each with a memory of its own. */
  readonly shared?: Shared;
  /** Everything readable, and what is gone since it was last reported. `progress` is called with files done and files in all. */
  load(progress?: (done: number, total: number) => void): Promise<Batch>;
  /**
   * Goes through everything readable, in the same order each time, and keeps nothing: memory is that of one directory whatever
   * the folder's size. The next file waits for the promise that `take` may return. Sweeps and reports go on as if nothing was read.
   * @param progress  called with files done and files in all; the folder is counted for it first
   * @returns  problems of the files that cannot be read
   * @throws  what `take` throws; NodeJS.ErrnoException when the folder itself cannot be listed
   */
  visit(
    take: (file: Entry | Blob) => void | Promise<void>,
    progress?: (done: number, total: number) => void,
  ): Promise<readonly Problem[]>;
  /**
   * Makes the changes durable, in order, under the lock, and returns the entries as they now are on disk (one per Write).
   * @param deadlineMs  by the clock of `performance.now`; a commit that has not begun by then is dropped
   * @param basis       of a shared store
   * @throws Drift when a file is not as expected, BusyError at the deadline; nothing has been written then.
   */
  commit(changes: readonly FileChange[], deadlineMs?: number, basis?: Basis): Promise<readonly Entry[]>;
  /** Runs `work`, which must commit nothing, while no process commits. @throws LockError, ReadOnlyError */
  alone<T>(work: () => Promise<T>): Promise<T>;
  following(): Following;
  /** Looks at the disk now and reports what differs from what was last reported or committed. */
  sweep(): Promise<Batch>;
  /** Re-reads single paths whatever their mtime says; used after a Drift. */
  reread(paths: readonly string[]): Promise<Batch>;
  /** Reports changes made by others until the returned function is called. */
  watch(listener: (batch: Batch) => void | Promise<void>): Promise<() => Promise<void>>;
  /** Reports nothing from now on. Resolves when the listeners that were called are done. */
  stopWatching(): Promise<void>;
  /**
   * What of a batch is still so, to be asked when it is taken in: batches may be handed out, or taken in, in another order
   * than they were read. What is left out has been read or written again since, and comes or came with that.
   */
  current(batch: Batch): Batch;
  /** Whether there is a file, readable or not, as far as the store has seen. */
  knows(path: string): boolean;
  /** Every unreadable file known now. */
  problems(): readonly Problem[];
  readBytes(path: string): Promise<Uint8Array | null>;
  /** Absolute path of a regular file of the content folder; null when there is none, or the engine has no files. */
  locate(path: string): string | null;
  /** A path, absolute, for a new file on its way into the content; its folder is made. @throws NodeJS.ErrnoException */
  spoolFile(): string;
  /** Small documents that must not be public: accounts, keys. Mode 0600. Keys as paths: `accounts/1.json`. */
  readonly private: TrustedDocuments;
  /** Things that can be made again: snapshot, sequences, derived images. */
  readonly cache: Documents;
  /** Null where nothing is kept between starts. */
  readonly derived: Derived | null;
  /** Null where the engine has no files. */
  readonly git: GitState | null;
  /** What is wrong with the disk now, and work in the background. */
  readonly faults: Faults;
  close(): Promise<void>;
}

/** What is made of the content and kept beside the store's own snapshot of it. */
export interface Derived {
  /** What an earlier process of this very program has left, whole; null without that. */
  read(): Promise<Uint8Array | null>;
  /** `make` is called whenever a snapshot is written, and gives bytes in parts. It should give way to the event loop. */
  provide(make: () => Promise<readonly Uint8Array[]>): void;
  /** What is kept is worth writing anew, however few files have changed. */
  expire(): void;
}

/** Named byte documents of a mount, durable like content files. */
export interface Documents {
  get(key: string): Promise<Uint8Array | null>;
  set(key: string, bytes: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
  keys(prefix?: string): Promise<string[]>;
}

/** What the disk says of a file, to see whether it has changed. */
export interface Stamp {
  readonly ino: number;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Documents that count only as this machine has written them, where they are files. */
export interface TrustedDocuments extends Documents {
  /** Cheap, and another one whenever the document has been written by anybody; null without a document. Absent: not told. */
  stamp?(key: string): Stamp | null;
  /**
   * Changes a document as it is now, alone among all processes. `alter` gets its bytes, null without one, and returns the new ones,
   * null to remove it, undefined to leave it.
   */
  update?(key: string, alter: (bytes: Uint8Array | null) => Uint8Array | null | undefined): Promise<void>;
  /** What lies in their place and does not count. */
  inspect?(): Promise<readonly Problem[]>;
  /** Takes over documents as they lie there, because a person says that they are theirs. */
  adopt?(keys: readonly string[]): Promise<void>;
}
