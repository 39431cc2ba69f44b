/**
 * The folder of a static export: unchanged files stay untouched, obsolete ones are removed, and files that no export wrote are
 * left alone.
 *
 * `.cms-export/state.jsonl` lists the files of the last export with digests. During a run every file is added to the list before
 * it is put in place, so that an interrupted run leaves nothing that the next one does not know.
 */
import { createHash, type Hash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Served } from '../../../kernel/site/serving.ts';
import { makeFolder } from '../../../kernel/store/folders.ts';

export interface FolderChanges {
  readonly written: readonly string[];
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that no export wrote, or that somebody has changed since: left as they are. */
  readonly kept: readonly string[];
  /** Of all files of the export. */
  readonly bytes: number;
}

export interface Folder {
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
const pieceBytes = 256 * 1024;

/** An export into a folder under way. */
interface FolderState {
  readonly dir: string;
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
  /** Folders that are there. */
  readonly folders: Set<string>;
  readonly written: string[];
  readonly removed: string[];
  readonly kept: string[];
  unchanged: number;
  temporaries: number;
}

export function openFolder(dir: string, { force = false, dryRun = false } = {}): Folder {
  const spool = dryRun ? mkdtempSync(join(tmpdir(), 'cms-export-')) : join(dir, stateFolder, 'new');
  const list = join(dir, stateFolder, 'state.jsonl');
  rmSync(spool, { recursive: true, force: true });
  makeFolder(spool);
  const state: FolderState = {
    dir,
    force,
    dryRun,
    spool,
    list,
    before: readRows(list),
    now: new Map(),
    folders: new Set(),
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
  const present = read(join(state.dir, file));
  if (present && Buffer.compare(present, bytes) === 0) keepSame(state, row);
  else if (present && isForeign(state, file)) state.kept.push(file);
  else {
    const temporary = nextTemporary(state);
    writeFileSync(temporary, bytes);
    place(state, row, temporary);
  }
}

function copy(state: FolderState, file: string, served: Served): void {
  const known = state.before.get(file);
  if (known?.version === served.etag && sizeOf(join(state.dir, file)) === known.size) {
    keepSame(state, known);
    return;
  }
  const temporary = nextTemporary(state);
  if (typeof served.content === 'string') copyFileSync(served.content, temporary);
  else writeFileSync(temporary, served.content);
  placeFile(state, { file, digest: digestOfFile(temporary) ?? '', size: sizeOf(temporary), version: served.etag }, temporary);
}

function openFile(state: FolderState, file: string): ReturnType<Folder['open']> {
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
  const present = digestOfFile(join(state.dir, row.file));
  const isSame = present === row.digest;
  if (present !== null && (isSame || isForeign(state, row.file))) rmSync(temporary);
  else place(state, row, temporary);
  if (isSame) keepSame(state, row);
  else if (!state.now.has(row.file)) state.kept.push(row.file);
}

function place(state: FolderState, row: Row, temporary: string): void {
  const { dir, dryRun, folders, now, written } = state;
  recordRow(state, row);
  const target = join(dir, row.file);
  const parent = dirname(target);
  if (dryRun) rmSync(temporary);
  else {
    if (!folders.has(parent)) makeFolder(parent);
    folders.add(parent);
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

function recordRow({ dryRun, list: path }: FolderState, row: Row): void {
  if (!dryRun) appendFileSync(path, `${JSON.stringify(row)}\n`);
}

function isForeign({ force, before }: FolderState, file: string): boolean {
  return !force && !before.has(file);
}

/** Removes an obsolete file, unless it was changed since it was exported. */
function drop({ dir, dryRun, kept, removed }: FolderState, file: string, digest: string): void {
  const target = join(dir, file);
  const present = digestOfFile(target);
  if (present === null) return;
  if (present !== digest) {
    kept.push(file);
    return;
  }
  removed.push(file);
  if (dryRun) return;
  rmSync(target);
  // The folder above goes with its last file.
  for (let above = dirname(file); above !== '.'; above = dirname(above)) {
    try {
      rmdirSync(join(dir, above));
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
  if (!existsSync(list)) return rows;
  for (const line of readFileSync(list, 'utf8').split('\n')) {
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

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Cost: one read of the file, a piece at a time. */
function digestOfFile(path: string): string | null {
  if (!existsSync(path)) return null;
  const handle = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) hash.update(piece.subarray(0, size));
    return finishDigest(hash);
  } finally {
    closeSync(handle);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

function digestOf(bytes: Uint8Array): string {
  return finishDigest(createHash('sha256').update(bytes));
}

function finishDigest(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22);
}
