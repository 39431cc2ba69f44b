/**
 * An archive back into a folder: new, or there and empty. All is unpacked and checked first, beside a new folder or within an
 * empty one, and then takes its place by renaming; an interruption leaves nothing that looks like a site.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flushDirectory, isAbandoned } from '../../kernel/store/durable.ts';
import { realPath } from '../../kernel/store/disk-paths.ts';
import { isInPlace } from '../../kernel/store/file-reads.ts';
import { makeFolder } from '../../kernel/store/folders.ts';
import { temporaryPrefix } from '../../kernel/store/paths.ts';
import { SourceError } from '../import/items.ts';
import type { Manifest } from './members.ts';
import { type Member, type ArchiveContents, readMembers } from './reading.ts';
import { digestOf, readTree } from './tree.ts';

interface RestoreOptions {
  /** The archive. */
  readonly file: string;
  /** The folder: not there yet, empty, or already what the archive holds. */
  readonly into: string;
  /** Bytes of the archive read, of all. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Restored {
  /** `unchanged`: the folder held it all before, nothing was written. */
  readonly result: 'restored' | 'unchanged';
  /** Name of the site. */
  readonly name: string;
  /** Files of the folder and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Whether accounts came with it; without them nobody can sign in yet. */
  readonly private: boolean;
}

/**
 * @throws SourceError when the archive is damaged, altered or hostile (naming the member), or the folder is something else;
 *   NodeJS.ErrnoException when a file cannot be written. Nothing is in the folder then.
 */
export async function restoreArchive({ file, into, progress, signal }: RestoreOptions): Promise<Restored> {
  const target = realPath(into);
  const isThere = existsSync(target);
  if (isThere && (await isFilled(target))) return compare(file, target, { progress, signal });
  const parent = dirname(target);
  const [made] = isThere ? [] : makeFolder(parent);
  if (!isThere) await clearAbandoned(parent, `.${basename(target)}${temporaryPrefix}`);
  const own = `${temporaryPrefix}${process.pid}-${randomBytes(6).toString('hex')}`;
  const staging = isThere ? join(target, own) : join(parent, `.${basename(target)}${own}`);
  let isDone = false;
  try {
    await mkdir(staging);
    const read = await readMembers(file, {
      begin: (manifest) => refuseWithoutRoom(staging, manifest, file),
      take: (member, bytes) => unpack(staging, member, bytes),
      progress,
      signal,
    });
    await flushAll(staging);
    signal?.throwIfAborted();
    if (isThere) await moveUp(staging, target);
    else await rename(staging, target);
    isDone = true;
    await flushDirectory(isThere ? target : parent);
    return reportOf('restored', read);
  } finally {
    if (!isDone) {
      await rm(staging, { recursive: true, force: true });
      if (made !== undefined) await removeEmpty(parent, made);
    }
  }
}

async function unpack(staging: string, member: Member, bytes: AsyncIterable<Buffer>): Promise<void> {
  const { path, isPrivate, isFolder, isExecutable, mtime } = member;
  const target = isPrivate ? join(staging, '.cms', 'private', path) : join(staging, path);
  makeFolder(isFolder ? target : dirname(target), { mode: isPrivate ? 0o700 : 0o777 });
  if (isFolder) return;
  const handle = await open(target, 'wx', isPrivate ? 0o600 : isExecutable ? 0o777 : 0o666);
  try {
    if (!isInPlace(handle.fd, target)) throw new SourceError('a folder became a link while it was restored', { source: path });
    for await (const piece of bytes) await handle.writeFile(piece);
    if (!isPrivate) await handle.utimes(mtime, mtime);
  } finally {
    await handle.close();
  }
}

/** Says that the folder already is what the archive holds. @throws SourceError at the first difference */
async function compare(file: string, target: string, options: Pick<RestoreOptions, 'progress' | 'signal'>): Promise<Restored> {
  const executable = new Map<string, boolean>();
  const secrets = new Map<string, string>();
  const read = await readMembers(file, {
    begin: () => undefined,
    async take({ path, isPrivate, isExecutable }, bytes) {
      const hash = createHash('sha256');
      for await (const piece of bytes) hash.update(piece);
      if (isPrivate) secrets.set(path, hash.digest('hex'));
      else executable.set(path, isExecutable);
    },
    ...options,
  });
  const differs = (what: string): SourceError =>
    new SourceError(
      `${target} is neither empty nor identical to the archive: ${what}`,
      { source: file },
      { hint: 'name a new folder' },
    );
  const tree = await readTree(target);
  for (const { path, isExecutable } of tree.files) {
    const digest = read.digests.get(path);
    if (digest === undefined || digest !== (await digestOf(join(target, path))) || executable.get(path) !== isExecutable)
      throw differs(path);
  }
  const found = new Set([...tree.files.map(({ path }) => path), ...tree.empty]);
  for (const path of [...read.digests.keys(), ...read.folders]) if (!found.has(path)) throw differs(path);
  for (const [path, digest] of secrets) {
    const here = await digestOf(join(target, '.cms', 'private', path)).catch(() => '');
    if (here !== digest) throw differs(`accounts (${path})`);
  }
  return reportOf('unchanged', read);
}

function reportOf(result: Restored['result'], { manifest, digests, bytes }: ArchiveContents): Restored {
  return { result, name: manifest.name, files: digests.size, bytes, private: manifest.private };
}

/** Whether there is more than what an earlier, interrupted restore left; that is removed. */
async function isFilled(target: string): Promise<boolean> {
  await clearAbandoned(target, temporaryPrefix);
  return (await readdir(target)).length > 0;
}

async function clearAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && isAbandoned(path)) await rm(path, { recursive: true, force: true });
  }
}

/** One renaming per name; the settings come last, without which a folder is no site. */
async function moveUp(staging: string, target: string): Promise<void> {
  const names = (await readdir(staging)).sort((a, b) => Number(a === 'site.yaml') - Number(b === 'site.yaml'));
  for (const name of names) await rename(join(staging, name), join(target, name));
  await rmdir(staging);
}

async function refuseWithoutRoom(staging: string, { bytes }: Manifest, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(staging);
  if (bytes > bavail * bsize)
    throw new SourceError(`the archive needs ${bytes} bytes, but only ${bavail * bsize} are available`, { source: file });
}

/** Makes everything durable: many files at a time, which a disk does nearly as fast as one. */
async function flushAll(staging: string): Promise<void> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const rest = files.values();
  const flush = async (): Promise<void> => {
    for (const path of rest) {
      const handle = await open(path, 'r+');
      await handle.sync().finally(() => handle.close());
    }
  };
  await Promise.all(Array.from({ length: 16 }, flush));
  for (const entry of entries) if (entry.isDirectory()) await flushDirectory(join(entry.parentPath, entry.name));
  await flushDirectory(staging);
}

/** Folders made for nothing, from the innermost up to `made`. */
async function removeEmpty(innermost: string, made: string): Promise<void> {
  try {
    for (let folder = innermost; folder.length >= made.length; folder = dirname(folder)) await rmdir(folder);
  } catch {
    // Somebody put something there.
  }
}
