/**
 * Private documents of a folder that others write: a document counts only as this machine has written it.
 *
 * Each document is kept twice: in the state directory, outside the folder, and as a copy in `.cms/private`. The first is what is
 * read; of the copy only one thing matters, whether it is there: who deletes it deletes the document. So a document that a merge or
 * an archive brings, changes, or puts back as it once was, has no effect; it is told by `inspect` and taken over by `adopt`, which a
 * person asks for. The copy makes a backup of the folder whole, and survives the loss of the state directory.
 *
 * Order of the two: a new document is kept first and copied then, a change likewise, a removal the other way round; so what is kept
 * without a copy is always on its way to be nothing. Changes are made under a lock. While one is made, a note says what the copy was:
 * after a crash, a copy that still is that is made anew; any other would be somebody's.
 *
 * A folder that is not known by its path, but holds exactly the documents of one that is, is a copy of it (or has been moved), and
 * its documents count; not when git tracks them.
 */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Disk } from './durable.ts';
import { type FilesDriver, filesDriver } from './files.ts';
import { createLock } from './lock.ts';
import { checkPath } from './paths.ts';
import { problemOf } from './problems.ts';
import { trackedOwn } from './repositories.ts';
import { makeStateFolder, siteState } from './state.ts';
import { type Problem, ReadOnlyError, type Stamp, type TrustedDocuments } from './types.ts';

interface TrustedOptions {
  /** The content folder, without links. */
  readonly folder: string;
  /** The copies: `.cms/private` of the folder. */
  readonly copies: FilesDriver;
  /** The state directory. */
  readonly state: string;
  readonly disk: Disk;
  readonly readOnly: boolean;
}

/** Documents in the way of new ones are put here, so that nothing is lost. */
const aside = 'set-aside/';
const about = 'about.json';
const changing = 'changing.json';

/** Opens them; what is left over of documents that were deleted is cleared. @throws StateError */
export async function openTrusted({ folder, copies, state, disk, readOnly }: TrustedOptions): Promise<TrustedDocuments> {
  let home = siteState(state, folder);
  const keys = await copyKeys(copies);
  if (keys.length > 0 && !fs.existsSync(join(home, about))) {
    const origin = await findOrigin(dirname(home), copies, keys);
    if (origin !== null && !(await isTracked(folder))) {
      if (readOnly) home = origin;
      else await takeOver(origin, home, folder, disk);
    }
  }
  const kept = filesDriver({ dir: join(home, 'private'), private: true, disk });
  const lock = createLock({ dir: home });

  const documents: TrustedDocuments = {
    async get(key) {
      const path = checkPath(key);
      const bytes = kept.read(path);
      if (copies.stat(path) !== null) return bytes;
      if (bytes !== null && !readOnly && fs.existsSync(copies.root)) await clear(path);
      return null;
    },
    set: (key, bytes) => update(key, () => bytes),
    remove: (key) => update(key, () => null),
    update,
    async keys(prefix = '') {
      const paths = (await copyKeys(kept)).filter((path) => path.startsWith(prefix));
      return paths.filter((path) => copies.stat(path) !== null).sort();
    },
    stamp(key): Stamp | null {
      try {
        return fs.lstatSync(copies.locate(key), { throwIfNoEntry: false }) ?? null;
      } catch {
        return null;
      }
    },
    async inspect() {
      return (await copyKeys(copies)).sort().flatMap((path) => strangeness(path, kept, copies) ?? []);
    },
    async adopt(some) {
      if (readOnly) throw new ReadOnlyError('private');
      await makeHome();
      await lock.withLock(async () => {
        for (const key of some) {
          const bytes = copies.stat(checkPath(key))?.refused === undefined ? copies.read(key) : null;
          // Both: whoever runs sees by the copy that there is something new.
          if (bytes !== null) await write(key, bytes);
        }
      });
    },
  };

  if (!readOnly) {
    if (fs.existsSync(join(home, changing))) await lock.withLock(finish);
    if (fs.existsSync(kept.root)) await kept.sweepTemporary();
    for (const path of await copyKeys(kept)) if (copies.stat(path) === null) await clear(path);
  }
  return documents;

  async function update(key: string, alter: Parameters<NonNullable<TrustedDocuments['update']>>[1]): Promise<void> {
    const path = checkPath(key);
    if (readOnly) throw new ReadOnlyError(`private/${path}`);
    await makeHome();
    await lock.withLock(async () => {
      const before = copies.stat(path) === null ? null : kept.read(path);
      const after = alter(before);
      if (after === undefined || (after === null && before === null)) return;
      if (before === null) await setAside(path);
      if (after !== null) return write(path, after);
      await copies.remove(path);
      await kept.remove(path);
    });
  }

  /** Both, or none: what cannot be copied is as it was. */
  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const before = kept.read(path);
    const note = join(home, changing);
    if (before !== null) fs.writeFileSync(note, JSON.stringify({ path, before: digestOf(before) }), { mode: 0o600 });
    await kept.write(path, bytes);
    try {
      await copies.write(path, bytes);
    } catch (error) {
      if (before === null) await kept.remove(path);
      else await kept.write(path, before);
      throw error;
    } finally {
      fs.rmSync(note, { force: true });
    }
  }

  /** Copies what a process that died has changed and not copied. */
  async function finish(): Promise<void> {
    const note = join(home, changing);
    const { path, before } = noteIn(note);
    const [bytes, copy] = [kept.read(path), copies.stat(path)?.refused === undefined ? copies.read(path) : null];
    if (bytes !== null && copy !== null && digestOf(copy) === before) await copies.write(path, bytes);
    fs.rmSync(note, { force: true });
  }

  /** A file that does not count and is in the way. */
  async function setAside(path: string): Promise<void> {
    const bytes = copies.stat(path)?.refused === undefined ? copies.read(path) : null;
    if (bytes === null) return;
    const name = `${aside}${path}`;
    const number = digestOf(bytes).slice(0, 8);
    await copies.write(copies.stat(name) === null ? name : `${name}.${number}`, bytes);
  }

  /** Kept without a copy: somebody deleted it. Under the lock, because one that is being made looks the same. */
  async function clear(path: string): Promise<void> {
    await lock.withLock(async () => {
      if (copies.stat(path) === null) await kept.remove(path);
    });
  }

  async function makeHome(): Promise<void> {
    makeStateFolder(home);
    if (!fs.existsSync(join(home, about))) await disk.write(join(home, about), aboutOf(folder), 0o600);
  }
}

/** A note that is gone or was not finished says nothing: nothing is left to do, or nothing had been changed yet. */
function noteIn(file: string): { readonly path: string; readonly before: string } {
  try {
    const { path, before } = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly path: string; readonly before: string };
    return { path: checkPath(path), before };
  } catch {
    return { path: about, before: '' };
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Why a copy is not what counts; null when it is. */
function strangeness(path: string, kept: FilesDriver, copies: FilesDriver): Problem | null {
  const report = (message: string): Problem =>
    problemOf(`.cms/private/${path}`, {
      rule: 'not-read-private',
      message,
      hint: 'when it is yours: cms adopt; else delete it',
    });
  const mine = kept.read(path);
  if (copies.stat(path)?.refused !== undefined) return report('is no file; the document made on this machine stays in force');
  if (mine === null) return report('was not made on this machine and has no effect');
  const copy = copies.read(path);
  if (copy === null || Buffer.compare(copy, mine) === 0) return null;
  return report('was changed by others; the document made on this machine stays in force');
}

/** Paths of all documents; links and other special files among them. */
async function copyKeys(files: FilesDriver): Promise<string[]> {
  if (!fs.existsSync(files.root)) return [];
  const keys: string[] = [];
  await files.sweep(({ path }) => void (path.startsWith(aside) || keys.push(path)));
  return keys;
}

function aboutOf(folder: string): Buffer {
  return Buffer.from(`${JSON.stringify({ folder })}\n`);
}

/** The known site all of whose documents these are, byte for byte. One that cannot be guessed must be among them. */
async function findOrigin(sites: string, copies: FilesDriver, keys: readonly string[]): Promise<string | null> {
  if (!keys.some((key) => /^accounts\/|\.key$/.test(key))) return null;
  for (const name of fs.existsSync(sites) ? fs.readdirSync(sites) : []) {
    if (!fs.existsSync(join(sites, name, about))) continue;
    const files = filesDriver({ dir: join(sites, name, 'private'), private: true });
    const isSame = keys.every((key) => {
      const [bytes, copy] = [files.read(key), copies.stat(key)?.refused === undefined ? copies.read(key) : null];
      return bytes !== null && copy !== null && Buffer.compare(bytes, copy) === 0;
    });
    if (isSame) return join(sites, name);
  }
  return null;
}

/** The state of one folder becomes that of another; of one that is gone nothing stays behind. */
async function takeOver(origin: string, home: string, folder: string, disk: Disk): Promise<void> {
  makeStateFolder(home);
  const [from, to] = [origin, home].map((dir) => filesDriver({ dir: join(dir, 'private'), private: true, disk }));
  for (const key of await copyKeys(from as FilesDriver)) {
    const bytes = (from as FilesDriver).read(key);
    if (bytes !== null) await (to as FilesDriver).write(key, bytes);
  }
  await disk.write(join(home, about), aboutOf(folder), 0o600);
  const before = JSON.parse(fs.readFileSync(join(origin, about), 'utf8')) as { readonly folder: string };
  if (!fs.existsSync(before.folder)) fs.rmSync(origin, { recursive: true, force: true });
}

/** Whether git has something of `.cms`; true when that cannot be told. */
async function isTracked(folder: string): Promise<boolean> {
  return trackedOwn(folder).then(
    (paths) => paths.length > 0,
    () => true,
  );
}
