/**
 * The folder of a static export: what is there already stays untouched, what is gone goes, and nothing that no export wrote is
 * touched at all.
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
import type { Served } from '../../../modules/media/library.ts';
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

/**
 * @param force  writes over files that no export wrote
 * @param dryRun  finds out what would change, and changes nothing
 */
export function openFolder(dir: string, { force = false, dryRun = false } = {}): Folder {
  const spool = dryRun ? mkdtempSync(join(tmpdir(), 'cms-export-')) : join(dir, stateFolder, 'new');
  const list = join(dir, stateFolder, 'state.jsonl');
  rmSync(spool, { recursive: true, force: true });
  makeFolder(spool);
  const before = readRows(list);
  const now = new Map<string, Row>();
  const folders = new Set<string>();
  const written: string[] = [];
  const removed: string[] = [];
  const kept: string[] = [];
  let unchanged = 0;
  let count = 0;

  return {
    put(file, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const row = { file, digest: digestOf(bytes), size: bytes.length };
      const present = read(join(dir, file));
      if (present && Buffer.compare(present, bytes) === 0) return same(row);
      if (present && isForeign(file)) {
        kept.push(file);
        return;
      }
      const temporary = nextTemporary();
      writeFileSync(temporary, bytes);
      place(row, temporary);
    },
    copy(file, served) {
      const known = before.get(file);
      const target = join(dir, file);
      if (known?.version === served.etag && sizeOf(target) === known.size) return same(known);
      const temporary = nextTemporary();
      if (typeof served.content === 'string') copyFileSync(served.content, temporary);
      else writeFileSync(temporary, served.content);
      placeFile({ file, digest: digestOfFile(temporary) ?? '', size: sizeOf(temporary), version: served.etag }, temporary);
    },
    open(file) {
      const temporary = nextTemporary();
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
          placeFile({ file, digest: finishDigest(hash), size }, temporary);
        },
      };
    },
    finish() {
      for (const { file, digest } of before.values()) if (!now.has(file)) drop(file, digest);
      if (!dryRun) {
        const temporary = nextTemporary();
        writeFileSync(temporary, [...now.values()].map((row) => `${JSON.stringify(row)}\n`).join(''));
        renameSync(temporary, list);
      }
      rmSync(spool, { recursive: true, force: true });
      const bytes = [...now.values()].reduce((sum, { size }) => sum + size, 0);
      return { written, unchanged, removed, kept, bytes };
    },
  };

  /** A finished temporary file becomes the file, unless that is the same already. */
  function placeFile(row: Row, temporary: string): void {
    const present = digestOfFile(join(dir, row.file));
    const isSame = present === row.digest;
    if (present !== null && (isSame || isForeign(row.file))) rmSync(temporary);
    else place(row, temporary);
    if (isSame) same(row);
    else if (!now.has(row.file)) kept.push(row.file);
  }

  function place(row: Row, temporary: string): void {
    note(row);
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

  function same(row: Row): void {
    if (!before.has(row.file)) note(row);
    now.set(row.file, row);
    unchanged++;
  }

  function note(row: Row): void {
    if (!dryRun) appendFileSync(list, `${JSON.stringify(row)}\n`);
  }

  function isForeign(file: string): boolean {
    return !force && !before.has(file);
  }

  function drop(file: string, digest: string): void {
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

  /** On the file system of the export, so that putting it in place is one step. */
  function nextTemporary(): string {
    return join(spool, String(count++));
  }
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
