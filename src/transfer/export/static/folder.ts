/**
 * The folder of a static export: unchanged files stay untouched, obsolete ones are removed, and files that no export wrote are
 * left alone. No link below the folder is followed.
 *
 * `.cms-export/state.jsonl` lists the files of the last export with digests. During a run every file is added to the list before
 * it is put in place, so that an interrupted run leaves nothing that the next one does not know.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Served } from '../../../kernel/site/serving.ts';
import { createDiskPaths, type DiskPaths } from '../../../kernel/store/disk-paths.ts';
import { readOwn } from '../../../kernel/store/durable.ts';
import { openInPlace } from '../../../kernel/store/file-reads.ts';
import { makeFolder } from '../../../kernel/store/folders.ts';
import { isElsewhere } from '../../listing.ts';
import { digestAt, digestOf, digestOfFile, finishDigest, isThere, piecesOf, read, refuse, sizeOf } from './present-files.ts';

export interface FolderChanges {
  readonly written: readonly string[];
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that no export wrote, or that somebody has changed since: left as they are. */
  readonly kept: readonly string[];
  /** Of all files of the export. */
  readonly bytes: number;
}

export interface ExportFolder {
  put(file: string, content: string | Uint8Array): void;
  /** A file of the media library; its bytes are read only when it is another one than last time. */
  copy(file: string, served: Served): void;
  /** A file that is written in pieces. */
  open(file: string): { write(text: string): void; close(): void };
  /** Removes what earlier exports wrote and this one did not, and keeps the list. */
  finish(): FolderChanges;
}

interface Row {
  readonly file: string;
  readonly digest: string;
  readonly size: number;
  /** Of what it was copied from. */
  readonly version?: string;
}

const stateFolder = '.cms-export';

/** An export into a folder under way. */
interface FolderState {
  readonly dir: string;
  readonly paths: DiskPaths;
  /** Overwrites files that no export wrote. */
  readonly force: boolean;
  /** Finds out what would change, and changes nothing. */
  readonly dryRun: boolean;
  /** Folder of temporary files, on the file system of the export so that putting them in place is one step. */
  readonly spool: string;
  readonly list: string;
  /** Files of the last export, and of this one. */
  readonly before: ReadonlyMap<string, Row>;
  readonly now: Map<string, Row>;
  readonly written: string[];
  readonly removed: string[];
  readonly kept: string[];
  unchanged: number;
  temporaries: number;
}

/** @throws SourceError, also later, when a link is in the way */
export function openFolder(out: string, { force = false, dryRun = false } = {}): ExportFolder {
  const paths = createDiskPaths(out);
  const dir = paths.root;
  if (lstatSync(join(dir, stateFolder), { throwIfNoEntry: false })?.isSymbolicLink()) refuse(dir, stateFolder);
  const spool = dryRun ? mkdtempSync(join(tmpdir(), 'cms-export-')) : join(dir, stateFolder, 'new');
  const list = join(dir, stateFolder, 'state.jsonl');
  rmSync(spool, { recursive: true, force: true });
  makeFolder(spool);
  // A link may lead to a file of anybody's.
  if (!dryRun && readOwn(list) === null) rmSync(list, { force: true });
  const state: FolderState = {
    dir,
    paths,
    force,
    dryRun,
    spool,
    list,
    before: readRows(list),
    now: new Map(),
    written: [],
    removed: [],
    kept: [],
    unchanged: 0,
    temporaries: 0,
  };
  return {
    put: (file, content) => put(state, file, content),
    copy: (file, served) => copy(state, file, served),
    open: (file) => openFile(state, file),
    finish: () => finish(state),
  };
}

function put(state: FolderState, file: string, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const row = { file, digest: digestOf(bytes), size: bytes.length };
  const present = read(state.paths, file);
  if (present !== null && present !== 'other' && Buffer.compare(present, bytes) === 0) keepSame(state, row);
  else if (present && isForeign(state, file)) state.kept.push(file);
  else {
    const temporary = nextTemporary(state);
    writeFileSync(temporary, bytes);
    place(state, row, temporary);
  }
}

function copy(state: FolderState, file: string, served: Served): void {
  const known = state.before.get(file);
  if (
    known?.version === served.etag &&
    isThere(state.paths, dirname(join(state.dir, file))) &&
    sizeOf(join(state.dir, file)) === known.size
  ) {
    keepSame(state, known);
    return;
  }
  const temporary = nextTemporary(state);
  if (!save(served, temporary)) return;
  placeFile(state, { file, digest: digestOfFile(temporary), size: sizeOf(temporary), version: served.etag }, temporary);
}

/** @returns whether the file was still there: what a link leads to since is none of it */
function save({ content, isStill }: Served, temporary: string): boolean {
  if (typeof content !== 'string') {
    writeFileSync(temporary, content);
    return true;
  }
  let file: number;
  try {
    file = openSync(content, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isElsewhere(error)) return false;
    throw error;
  }
  try {
    if (isStill?.(file) === false || !fstatSync(file).isFile()) return false;
    const copy = openSync(temporary, 'w');
    for (const piece of piecesOf(file)) writeFileSync(copy, piece);
    closeSync(copy);
    return true;
  } finally {
    closeSync(file);
  }
}

function openFile(state: FolderState, file: string): ReturnType<ExportFolder['open']> {
  const temporary = nextTemporary(state);
  const handle = openSync(temporary, 'w');
  const hash = createHash('sha256');
  let size = 0;
  return {
    write(text) {
      hash.update(text);
      size += writeSync(handle, text);
    },
    close() {
      closeSync(handle);
      placeFile(state, { file, digest: finishDigest(hash), size }, temporary);
    },
  };
}

function finish(state: FolderState): FolderChanges {
  const { before, now, dryRun, spool, list, written, unchanged, removed, kept } = state;
  for (const { file, digest } of before.values()) if (!now.has(file)) drop(state, file, digest);
  if (!dryRun) {
    const temporary = nextTemporary(state);
    writeFileSync(temporary, [...now.values()].map((row) => `${JSON.stringify(row)}\n`).join(''));
    renameSync(temporary, list);
  }
  rmSync(spool, { recursive: true, force: true });
  const bytes = [...now.values()].reduce((sum, { size }) => sum + size, 0);
  return { written, unchanged, removed, kept, bytes };
}

/** A finished temporary file becomes the file, unless that is the same already. */
function placeFile(state: FolderState, row: Row, temporary: string): void {
  const present = digestAt(state.paths, row.file);
  const isSame = present === row.digest;
  if (present !== null && (isSame || isForeign(state, row.file))) rmSync(temporary);
  else place(state, row, temporary);
  if (isSame) keepSame(state, row);
  else if (!state.now.has(row.file)) state.kept.push(row.file);
}

function place(state: FolderState, row: Row, temporary: string): void {
  const { dir, paths, dryRun, now, written } = state;
  recordRow(state, row);
  const target = join(dir, row.file);
  const parent = dirname(target);
  if (dryRun) rmSync(temporary);
  else {
    if (!isThere(paths, parent)) makeFolder(parent);
    if (!isThere(paths, parent)) refuse(dir, row.file);
    renameSync(temporary, target);
  }
  now.set(row.file, row);
  written.push(row.file);
}

function keepSame(state: FolderState, row: Row): void {
  if (!state.before.has(row.file)) recordRow(state, row);
  state.now.set(row.file, row);
  state.unchanged++;
}

function recordRow({ dryRun, list }: FolderState, row: Row): void {
  if (dryRun) return;
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const file = openInPlace(list, O_WRONLY | O_APPEND | O_CREAT);
  try {
    writeFileSync(file, `${JSON.stringify(row)}\n`);
  } finally {
    closeSync(file);
  }
}

function isForeign({ force, before }: FolderState, file: string): boolean {
  return !force && !before.has(file);
}

/** Removes an obsolete file, unless it was changed since it was exported. */
function drop(state: FolderState, file: string, digest: string): void {
  const { dir, paths, dryRun, kept, removed } = state;
  const present = digestAt(state.paths, file);
  if (present === null) return;
  if (present !== digest) {
    kept.push(file);
    return;
  }
  removed.push(file);
  if (dryRun || !isThere(paths, dirname(join(dir, file)))) return;
  rmSync(join(dir, file), { force: true });
  // The folder above goes with its last file.
  for (let above = dirname(file); above !== '.'; above = dirname(above)) {
    try {
      if (isThere(paths, join(dir, above))) rmdirSync(join(dir, above));
    } catch {
      return;
    }
  }
}

function nextTemporary(state: FolderState): string {
  return join(state.spool, String(state.temporaries++));
}

/** Later lines win; a last line that was cut short by an interruption says nothing. */
function readRows(list: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  const text = readOwn(list)?.toString('utf8') ?? '';
  for (const line of text.split('\n')) {
    try {
      const row = JSON.parse(line) as Row;
      if (isBelow(row.file)) rows.set(row.file, row);
    } catch {}
  }
  return rows;
}

/** The list decides what is deleted, and anyone who may write the folder may write the list. */
function isBelow(file: unknown): boolean {
  return typeof file === 'string' && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
