/**
 * A folder as an archive sees it: every regular file but git's and the server's own, sorted, and folders that are empty.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, read, readFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openInPlace } from '../../kernel/store/file-reads.ts';
import { isElsewhere, listInPlace } from '../listing.ts';
import { isReservedName, Names, refusalOf } from './members.ts';

export interface TreeFile {
  /** Below the folder, `/` between segments, as it is written on disk. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly isExecutable: boolean;
}

const readSome = promisify(read);
const notAFile = 'a link or device, not a file';
const pieceBytes = 256 * 1024;

export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export interface FileTree {
  /** Sorted by path. */
  readonly files: readonly TreeFile[];
  /** Folders with nothing in them. */
  readonly empty: readonly string[];
  /** What is there and is no file an archive can hold. */
  readonly leftOut: readonly LeftOut[];
}

/** @param root  absolute, without links. @throws NodeJS.ErrnoException when a folder cannot be listed */
export async function readTree(root: string): Promise<FileTree> {
  const files: TreeFile[] = [];
  const empty: string[] = [];
  const leftOut: LeftOut[] = [];
  const names = new Names();

  async function walk(folder: string): Promise<void> {
    let entries: ReturnType<typeof listInPlace>;
    try {
      entries = listInPlace(join(root, folder));
    } catch (error) {
      if (folder === '' || !isElsewhere(error)) throw error;
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') leftOut.push({ path: folder, reason: notAFile });
      return;
    }
    if (entries.length === 0 && folder !== '') empty.push(folder);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isReservedName(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const reason = refusalOf(path) ?? (entry.isDirectory() || entry.isFile() ? names.add(path, entry.isFile()) : notAFile);
      if (reason !== null) leftOut.push({ path, reason });
      else if (entry.isDirectory()) await walk(path);
      else await fileAt(root, path).then((file) => file && files.push(file));
    }
  }

  await walk('');
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), empty: empty.sort(), leftOut: leftOut.sort(byPath) };
}

/** Whether two readings saw the same. */
export function isSameTree(a: FileTree, b: FileTree): boolean {
  return changesBetween(a, b).length === 0 && a.empty.join('\n') === b.empty.join('\n');
}

/** Paths of files that are not in both as they are in one. */
export function changesBetween(a: FileTree, b: FileTree): string[] {
  const before = new Map(a.files.map((file) => [file.path, stateOf(file)]));
  const changed: string[] = [];
  for (const file of b.files) {
    if (before.get(file.path) !== stateOf(file)) changed.push(file.path);
    before.delete(file.path);
  }
  return [...changed, ...before.keys()].sort();
}

/** A small file at once: cheaper here than through the thread pool. @param path  absolute, without links. @throws as `openInPlace` */
export function bytesOf(path: string): Buffer {
  const file = openInPlace(path);
  try {
    // A device never ends.
    return fstatSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0);
  } finally {
    closeSync(file);
  }
}

/** Pieces of a file, none of it held longer than needed. @param path  absolute, without links. @throws as `openInPlace` */
export async function* piecesOf(path: string): AsyncGenerator<Buffer, undefined> {
  const file = openInPlace(path);
  try {
    for (;;) {
      // A new buffer each time: the receiver may keep it.
      const { bytesRead, buffer } = await readSome(file, Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    closeSync(file);
  }
}

/** SHA-256 of a file, hexadecimal. @param path  absolute, without links. @throws as `openInPlace` */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(path)) hash.update(piece);
  return hash.digest('hex');
}

/** @returns null when it has gone since its folder was listed */
async function fileAt(root: string, path: string): Promise<TreeFile | null> {
  try {
    const { size, mtimeMs, mode } = await lstat(join(root, path));
    return { path, size, mtimeMs, isExecutable: (mode & 0o111) !== 0 };
  } catch (error) {
    if (isElsewhere(error)) return null;
    throw error;
  }
}

function stateOf({ size, mtimeMs, isExecutable }: TreeFile): string {
  return `${size} ${mtimeMs} ${isExecutable}`;
}
