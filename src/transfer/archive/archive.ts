/**
 * A site as one file, from which it comes back byte for byte: a compressed tar of the folder with a digest of every file.
 *
 * The order of members, owners, modes (only the exec bit is told) and times (to the second: a post without a date has that of
 * its file) are fixed, so the same folder gives the same archive. Writing and restoring stream; no file is held in memory.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gunzipSync } from 'node:zlib';
import { pack as createPack, type Header, type Pack } from 'tar-stream';
import { flushDirectory } from '../../kernel/store/durable.ts';
import { temporaryPrefix } from '../../kernel/store/paths.ts';
import type { Store } from '../../kernel/store/types.ts';
import { parseYaml } from '../../kernel/yaml/parse.ts';
import {
  contentPrefix,
  digestsName,
  lineOf,
  type Manifest,
  manifestName,
  printManifest,
  privatePrefix,
  readManifest,
} from './members.ts';
import { bytesOf, changesBetween, isSameTree, type LeftOut, piecesOf, readTree, type FileTree, type TreeFile } from './tree.ts';
import { SourceError } from '../import/items.ts';
import { isElsewhere } from '../listing.ts';

interface ArchiveOptions {
  /** A store over a folder. */
  readonly store: Pick<Store, 'name' | 'private'>;
  /** Path of the archive; what is there is replaced when the new one is whole. Not inside the folder. */
  readonly out: string;
  /** With accounts, passwords (as hashes) and what only moderators see of commenters; the file is readable for its owner alone. */
  readonly private: boolean;
  /** Bytes read of all. */
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Keeps servers from writing, for the last attempt: before that, nobody waits. */
  readonly alone?: Store['alone'];
}

export interface Archived {
  /** Files of the folder in it, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Documents of the private mount in it. */
  readonly private: number;
  /** Size of the archive, bytes. */
  readonly size: number;
  /** What an archive cannot hold. */
  readonly leftOut: readonly LeftOut[];
  /** Files that changed while they were read, when the folder never held still: each is whole, but not all of one moment. */
  readonly unsteady: readonly string[];
}

const attempts = 3;
/** Files up to this size are read at once. */
const smallBytes = 1024 * 1024;

/**
 * Writes an archive of the folder. When the folder changes meanwhile it begins anew, a few times.
 * @throws SourceError when the folder cannot be archived; NodeJS.ErrnoException when a file cannot be read or written. Nothing
 *   is left at `out` then but what was there.
 */
export async function writeArchive({ store, out, progress, signal, alone, ...options }: ArchiveOptions): Promise<Archived> {
  const root = await folderOf(store);
  const target = join(await realpath(dirname(resolve(out))), basename(out));
  const inside = relative(root, target);
  if (!inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
    throw new SourceError('an archive cannot be inside the folder it contains', { source: out });
  }
  const temporary = join(dirname(target), `${temporaryPrefix}${process.pid}-${process.hrtime.bigint().toString(36)}`);
  try {
    for (let attempt = 1; ; attempt++) {
      const read = async () => {
        const before = await readTree(root);
        const written = await writeMembers({ root, tree: before, store, temporary, progress, signal, ...options });
        return { before, written, after: await readTree(root) };
      };
      const { before, written, after } = await (alone && attempt === attempts ? alone(read) : read());
      if (written === null && attempt === attempts) {
        throw new SourceError(
          'the folder keeps changing while it is being read',
          { source: root },
          { hint: 'stop whatever writes to it' },
        );
      }
      if (written === null) continue;
      const { missed, ...archived } = written;
      if (attempt < attempts && (missed.length > 0 || !isSameTree(before, after))) continue;
      await rename(temporary, target);
      await flushDirectory(dirname(target));
      const unsteady = [...new Set([...changesBetween(before, after), ...missed])].sort();
      return { ...archived, leftOut: before.leftOut, unsteady };
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Whether a file is such an archive. Cheap: reads its beginning. */
export async function isArchive(path: string): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      const head = gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH });
      const size = Number.parseInt(head.toString('latin1', 124, 136), 8);
      const isNamed = head.toString('latin1', 0, manifestName.length + 1) === `${manifestName}\0`;
      // Also one of a newer version is an archive.
      return isNamed && !/JSON|not that of/.test(String(readManifest(head.toString('utf8', 512, 512 + size))));
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

type HeaderOf = Pick<Header, 'name' | 'type' | 'mode' | 'mtime'>;

interface Writing extends Pick<ArchiveOptions, 'store' | 'private' | 'progress' | 'signal'> {
  readonly root: string;
  readonly tree: FileTree;
  readonly temporary: string;
}

interface Written extends Omit<Archived, 'leftOut' | 'unsteady'> {
  /** Files that had gone, or had a link on the way to them, when they were to be read. */
  readonly missed: readonly string[];
}

/** @returns null when a file changed under the hands in a way that a tar cannot follow */
async function writeMembers(writing: Writing): Promise<Written | null> {
  const { root, tree, store, temporary, progress, signal } = writing;
  const total = sumOf(tree);
  const secrets = writing.private ? (await store.private.keys()).sort() : [];
  const pack = createPack();
  const abort = new AbortController();
  const gone = pipeline(pack, createGzip(), createWriteStream(temporary, { mode: writing.private ? 0o600 : 0o666, flags: 'w' }), {
    signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]),
  });
  const digests: string[] = [];
  const missed: string[] = [];
  const none = Buffer.alloc(0);
  let isFinished = false;
  let files = 0;
  let bytes = 0;

  async function put(header: HeaderOf, body: Buffer): Promise<void> {
    if (header.type === 'file') digests.push(lineOf(createHash('sha256').update(body).digest('hex'), header.name));
    await entry(pack, header, body);
  }

  async function members(): Promise<boolean> {
    const manifest = { name: await nameOf(root), private: writing.private, ...(await counted(tree, secrets, store)) };
    await put(fileHeader(manifestName, 0), Buffer.from(printManifest(manifest)));
    for (const path of tree.empty) await put({ ...fileHeader(`${contentPrefix}${path}/`, 0, true), type: 'directory' }, none);
    for (const file of tree.files) {
      const read = await putFile(pack, root, file);
      if (read === 'changed') return false;
      if (read === 'gone') {
        missed.push(file.path);
        continue;
      }
      digests.push(lineOf(read.digest, contentPrefix + file.path));
      files++;
      bytes += read.size;
      progress?.(bytes, Math.max(total, bytes));
    }
    for (const key of secrets) {
      const body = await store.private.get(key);
      if (body) await put({ ...fileHeader(privatePrefix + key, 0), mode: 0o600 }, Buffer.from(body));
    }
    await entry(pack, fileHeader(digestsName, 0), Buffer.from(digests.join('')));
    pack.finalize();
    isFinished = true;
    return true;
  }

  const work = members().finally(() => {
    if (!pack.destroyed && !isFinished) abort.abort();
  });
  const [sent, made] = await Promise.allSettled([gone, work]);
  if (made.status === 'fulfilled' && !made.value) return null;
  // Of two failures the one that came first: members cannot be written when the file cannot.
  if (sent.status === 'rejected' && !abort.signal.aborted) throw sent.reason;
  if (made.status === 'rejected') throw made.reason;
  return { files, bytes, private: secrets.length, size: await flushed(temporary), missed };
}

/** @returns what was read; `gone`: there is no such file any more, or a link; `changed`: it became shorter while it was read */
async function putFile(pack: Pack, root: string, file: TreeFile): Promise<{ digest: string; size: number } | 'gone' | 'changed'> {
  const path = join(root, file.path);
  const header = fileHeader(contentPrefix + file.path, file.mtimeMs, file.isExecutable);
  const hash = createHash('sha256');
  try {
    if (file.size <= smallBytes) {
      const body = bytesOf(path);
      await entry(pack, header, body);
      return { digest: hash.update(body).digest('hex'), size: body.length };
    }
    const pieces = piecesOf(path);
    // Opened before its header is out, which cannot be taken back.
    let next = await pieces.next();
    let size = 0;
    await pipeline(
      async function* () {
        for (; next.value !== undefined; next = await pieces.next()) {
          const wanted = next.value.subarray(0, file.size - size);
          size += wanted.length;
          hash.update(wanted);
          yield wanted;
          if (size === file.size) return;
        }
      },
      pack.entry({ ...header, size: file.size }),
    )
      .catch((error: unknown) => {
        if (size === file.size || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      })
      .finally(() => pieces.return(undefined));
    return size === file.size ? { digest: hash.digest('hex'), size } : 'changed';
  } catch (error) {
    if (isElsewhere(error)) return 'gone';
    throw error;
  }
}

function entry(pack: Pack, header: HeaderOf, body: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    if (header.type === 'directory') pack.entry(header, (error) => (error ? fail(error) : done()));
    else pack.entry(header, body, (error) => (error ? fail(error) : done()));
  });
}

function fileHeader(name: string, mtimeMs: number, isExecutable = false): HeaderOf {
  return {
    name,
    type: 'file',
    mode: isExecutable ? 0o755 : 0o644,
    mtime: new Date(Math.max(0, Math.floor(mtimeMs / 1000)) * 1000),
  };
}

/** Flushes a finished file. @returns its size */
async function flushed(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

async function folderOf(store: Pick<Store, 'name'>): Promise<string> {
  try {
    return await realpath(resolve(store.name));
  } catch {
    throw new SourceError('only a folder can be archived', { source: store.name });
  }
}

function sumOf(tree: FileTree): number {
  return tree.files.reduce((sum, { size }) => sum + size, 0);
}

async function counted(
  tree: FileTree,
  secrets: readonly string[],
  store: Pick<Store, 'private'>,
): Promise<Pick<Manifest, 'files' | 'folders' | 'bytes'>> {
  let bytes = sumOf(tree);
  for (const key of secrets) bytes += (await store.private.get(key))?.length ?? 0;
  return { files: tree.files.length + secrets.length, folders: tree.empty.length, bytes };
}

/** Name of the site as its settings have it; '' where they cannot be read. */
async function nameOf(root: string): Promise<string> {
  try {
    return String(parseYaml(bytesOf(join(root, 'site.yaml')).toString('utf8')).name ?? '');
  } catch {
    return '';
  }
}
