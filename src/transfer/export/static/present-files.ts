/**
 * What lies in the folder of a static export already. Links below it are not followed: whoever may write the folder could lead an
 * export to files of whoever runs it.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DiskPaths } from '../../../kernel/store/disk-paths.ts';
import { openInPlace } from '../../../kernel/store/file-reads.ts';
import { BlockedPathError } from '../../../kernel/store/paths.ts';
import { SourceError } from '../../import/items.ts';

const pieceBytes = 256 * 1024;

/** Whether a folder is there. @throws SourceError when a link is on the way to it */
export function isThere({ root, isThere: isReal }: DiskPaths, folder: string): boolean {
  try {
    return isReal(folder);
  } catch (error) {
    if (!(error instanceof BlockedPathError)) throw error;
    return refuse(root, folder.slice(root.length + 1));
  }
}

export function refuse(dir: string, file: string): never {
  throw new SourceError(
    `a link on the way to ${file}, which is not followed`,
    { source: dir },
    { hint: 'put a folder in its place, or choose another output folder' },
  );
}

/** What is at a path of the export: null for nothing, `other` for what is no file. */
function openAt(paths: DiskPaths, file: string): number | 'other' | null {
  const path = join(paths.root, file);
  if (!isThere(paths, dirname(path))) return null;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isFile() ? openInPlace(path) : 'other';
}

/** Content; null for nothing, `other` for what is no file. */
export function read(paths: DiskPaths, file: string): Buffer | 'other' | null {
  const opened = openAt(paths, file);
  if (opened === null || opened === 'other') return opened;
  try {
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Digest; null for nothing, `other` for what is no file. Cost: one read of the file, a piece at a time. */
export function digestAt(paths: DiskPaths, file: string): string | null {
  const opened = openAt(paths, file);
  if (opened === null || opened === 'other') return opened;
  try {
    return digestOfOpen(opened);
  } finally {
    closeSync(opened);
  }
}

export function digestOfFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    return digestOfOpen(file);
  } finally {
    closeSync(file);
  }
}

function digestOfOpen(file: number): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(file)) hash.update(piece);
  return finishDigest(hash);
}

/** Each is written over by the next. */
export function* piecesOf(file: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) yield piece.subarray(0, size);
}

export function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : -1;
}

export function digestOf(bytes: Uint8Array): string {
  return finishDigest(createHash('sha256').update(bytes));
}

export function finishDigest(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22);
}
