/**
 * Goes through an archive and believes nothing: every member's name, kind and size is checked before it is handed on, and at
 * the end all digests. Whoever takes the members puts them in place only when this has returned.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Header } from 'tar-stream';
import { SourceError } from '../import/items.ts';
import {
  contentPrefix,
  digestsName,
  lineOf,
  type Manifest,
  manifestName,
  maxManifestBytes,
  Names,
  privatePrefix,
  readManifest,
  refusalOf,
} from './members.ts';

export interface Member {
  /** Below the content folder or the private mount. */
  readonly path: string;
  readonly isPrivate: boolean;
  /** An empty folder; files bring the folders they are in. */
  readonly isFolder: boolean;
  readonly isExecutable: boolean;
  readonly mtime: Date;
}

interface ReadMembersOptions {
  /** Before the first member. Throws when there is no room for it. */
  begin(manifest: Manifest): Promise<void> | void;
  /** Takes a member; what it does not read of the bytes is read after it. */
  take(member: Member, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Bytes of the archive read, of all. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ArchiveContents {
  readonly manifest: Manifest;
  /** SHA-256 by path, of the files below the content folder. */
  readonly digests: ReadonlyMap<string, string>;
  /** Members below the content folder that are empty folders. */
  readonly folders: readonly string[];
  /** Of the content folder, bytes. */
  readonly bytes: number;
}

/** What may be above the declared bytes: files of a site in service grow between being counted and being read. */
const slackBytes = 64 * 1024 * 1024;
/** What a member may take up in the archive beside its bytes: headers, a long name, its line in the digests. */
const overheadBytes = 16 * 1024;

/** @throws SourceError naming the member that is refused, or saying that the archive is damaged; AbortError */
export async function readMembers(file: string, { begin, take, progress, signal }: ReadMembersOptions): Promise<ArchiveContents> {
  const total = (await stat(file)).size;
  let read = 0;
  let unpacked = 0;
  /** Of the unpacked bytes: nothing that was not declared is even looked at. */
  let allowed = 1024 * 1024;
  const extract = createExtract();
  const flow = pipeline(
    createReadStream(file, { highWaterMark: 256 * 1024 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        read += chunk.length;
        progress?.(read, total);
      }
    },
    createGunzip(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        unpacked += chunk.length;
        if (unpacked > allowed) throw refused('more than the archive declares');
        yield chunk;
      }
    },
    extract,
    signal ? { signal } : {},
  ).catch((error: unknown) => error);

  const refused = (message: string): SourceError => new SourceError(message, { source: file });
  const lines: string[] = [];
  const digests = new Map<string, string>();
  const folders: string[] = [];
  const names = new Names();
  let manifest: Manifest | null = null;
  let bytes = 0;
  let content = 0;
  let isWhole = false;

  async function each(header: Header, body: AsyncIterable<Buffer>): Promise<void> {
    const { name, size } = header;
    if (isWhole) throw refused(`${show(name)} comes after the end`);
    if (manifest === null) {
      if (name !== manifestName || header.type !== 'file' || size > maxManifestBytes)
        throw refused('does not begin with a manifest');
      const text = await textOf(body);
      const found = readManifest(text.toString('utf8'));
      if (typeof found === 'string') throw refused(found);
      manifest = found;
      allowed += found.bytes + slackBytes + (found.files + found.folders + 16) * overheadBytes;
      lines.push(lineOf(createHash('sha256').update(text).digest('hex'), name));
      return begin(found);
    }
    if (name === digestsName) {
      if (size > allowed) throw refused(`${digestsName} is too long`);
      const problem = differenceOf(lines, (await textOf(body)).toString('utf8').split(/(?<=\n)/));
      if (problem !== null) throw refused(`${show(problem)} does not match its digest: the archive has been altered`);
      isWhole = true;
      return;
    }
    const member = memberOf(header, manifest);
    if (typeof member === 'string') throw refused(`${show(name)} is refused: ${member}`);
    const twice = names.add((member.isPrivate ? privatePrefix : contentPrefix) + member.path, !member.isFolder);
    if (twice !== null) throw refused(`${show(name)} is refused: ${twice}`);
    bytes += size;
    if (bytes > manifest.bytes + slackBytes) throw refused(`${show(name)} is refused: more than the archive declares`);
    if (lines.length + folders.length > manifest.files + manifest.folders)
      throw refused(`${show(name)} is refused: more members than declared`);
    if (member.isFolder) {
      folders.push(member.path);
      return take(member, body);
    }
    const hash = createHash('sha256');
    await take(member, hashed(body, hash));
    const digest = hash.digest('hex');
    lines.push(lineOf(digest, name));
    if (member.isPrivate) return;
    digests.set(member.path, digest);
    content += size;
  }

  try {
    for await (const source of extract) await each(source.header, source as unknown as AsyncIterable<Buffer>);
  } catch (error) {
    extract.destroy();
    const before = await flow;
    throw problemOf(error instanceof SourceError || isLocalFailure(error) ? error : (before ?? error), file);
  }
  const problem = await flow;
  if (problem !== undefined) throw problemOf(problem, file);
  if (manifest === null || !isWhole) throw refused('the archive is truncated');
  return { manifest, digests, folders, bytes: content };
}

/** @returns the member, or why it is refused */
function memberOf({ name, type, mode, mtime, size }: Header, manifest: Manifest): Member | string {
  if (type !== 'file' && type !== 'directory') return `not a file or folder but a ${type}`;
  const isPrivate = name.startsWith(privatePrefix);
  if (!isPrivate && !name.startsWith(contentPrefix)) return 'not below content/';
  if (isPrivate && !manifest.private) return 'the archive declares no private files';
  const isFolder = type === 'directory';
  if (isFolder && (isPrivate || size > 0)) return 'invalid folder entry';
  const path = name.slice(isPrivate ? privatePrefix.length : contentPrefix.length).replace(isFolder ? /\/$/ : /(?!)/, '');
  const reason = refusalOf(path);
  return reason ?? { path, isPrivate, isFolder, isExecutable: ((mode ?? 0) & 0o111) !== 0, mtime };
}

/** Hands the bytes on and reads the rest when they are not wanted. */
async function* hashed(body: AsyncIterable<Buffer>, hash: { update(piece: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    hash.update(piece);
    yield piece;
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @returns the first name whose lines differ; null when all are the same */
function differenceOf(expected: readonly string[], found: readonly string[]): string | null {
  const nameIn = (line: string | undefined): string => line?.slice(66).trimEnd() ?? '';
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    if (expected[i] !== found[i]) return nameIn(expected[i]) || nameIn(found[i]) || digestsName;
  }
  return null;
}

/** Errors of the system when files are written, and a wish to stop. */
function isLocalFailure(error: unknown): boolean {
  const { syscall, name } = error as NodeJS.ErrnoException;
  return syscall !== undefined || name === 'AbortError';
}

function problemOf(error: unknown, file: string): unknown {
  if (error instanceof SourceError || isLocalFailure(error)) return error;
  return new SourceError(`not a site archive, or damaged: ${(error as Error).message}`, { source: file }, { cause: error });
}

function show(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
