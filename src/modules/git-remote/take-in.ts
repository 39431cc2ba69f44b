/**
 * What was pushed to the remote, on its way into the engine: each changed file merged with what it has become here, and the base moved in
 * the same commit. What does not merge stays as it is here; a branch of the remote keeps what was pushed, and a revision of the item shows
 * it to writers.
 */
import { chunksOf, paced } from '../../kernel/scheduler.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Edit } from '../../kernel/store/engine/content-engine.ts';
import { isPath, kindOf } from '../../kernel/store/paths.ts';
import { etagOf, parseEntry } from '../../kernel/yaml/codec.ts';
import { mergeEntry, mergeLines } from '../content/merging/index.ts';
import { planOther } from '../content/revisions/index.ts';
import { blobId } from '../git/commits/index.ts';
import { type Clone, unmergedPrefix } from './clone.ts';
import { baseKey, printDocument, type RemoteBase, type Unmerged } from './record.ts';

/** Of one commit of the engine; the base moves with the last one. */
const filesAtOnce = 256;
const bytesAtOnce = 16 * 1024 * 1024;
const megabyte = 1024 * 1024;

type Bytes = Uint8Array | null;
/** Undefined: nothing to do. */
type Outcome = { readonly bytes: Bytes } | { readonly reason: string; readonly isUsable: boolean } | undefined;

export interface Taken {
  readonly base: RemoteBase;
  /** Files that were changed here. */
  readonly count: number;
  readonly unmerged: readonly Unmerged[];
  /** The remote does not have what was pushed to it before. */
  readonly isRewritten: boolean;
}

/**
 * @param stored  the document of `base`; null: there is none
 * @param head    of the remote
 * @throws StaleWriteError when a file or the base is not as it was: to be done again
 */
export async function takeIn(site: Site, clone: Clone, base: RemoteBase, stored: Bytes, head: string): Promise<Taken> {
  if (!(await clone.fetch(head))) throw new Error(`the remote does not give its commit ${head}`);
  const isKnown = base.commit !== null && (await clone.fetch(base.commit));
  const common = isKnown ? await clone.mergeBase(base.commit as string, head) : null;
  const isRewritten = base.commit !== null && common !== base.commit;
  const [before, after] = [common === null ? new Map<string, string>() : await clone.tree(common), await clone.tree(head)];
  // What was left out is looked at again only when it is pushed again.
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && isPath(path) && kindOf(path) !== null,
  );
  const branch = `${unmergedPrefix}${head.slice(0, 12)}`;
  const left: Record<string, string | null> = { ...base.left };
  const unmerged: Unmerged[] = [];
  const edits: Edit[] = [];
  for (const some of chunksOf(paths, filesAtOnce / 4)) {
    const files = await Promise.all(some.map(async (path) => ({ path, ours: await site.store.readBytes(path) })));
    const differing = files.flatMap((file) => {
      const [was, is] = [
        Object.hasOwn(left, file.path) ? (left[file.path] as string | null) : before.get(file.path),
        after.get(file.path),
      ];
      delete left[file.path];
      const isSame = file.ours === null ? is === undefined : is === blobId(file.ours, head);
      return isSame ? [] : [{ ...file, was: was ?? null, is: is ?? null }];
    });
    const found = await clone.read(differing.flatMap(({ was, is }) => [was, is].flatMap((id) => id ?? [])));
    for await (const { path, ours, was, is } of paced(differing, 1)) {
      const sides = { path, base: bytesOf(found, was), ours, theirs: bytesOf(found, is) };
      const outcome = await merged(sides, site.operator.engine_media_limit * megabyte);
      if (outcome === undefined) continue;
      if ('bytes' in outcome) {
        edits.push({ path, expect: ours && etagOf(ours), bytes: outcome.bytes });
        continue;
      }
      unmerged.push({ path, branch, commit: head, reason: outcome.reason });
      if (!outcome.isUsable) left[path] = was;
      else if (sides.theirs !== null) await keepRevision(site, path, sides.theirs, await clone.authorOf(head, path));
    }
  }
  if (unmerged.length > 0 && !(await clone.push(head, branch))) throw new Error(`the remote has another branch ${branch}`);
  const next: RemoteBase = {
    commit: head,
    // What the remote has lost is compared whole.
    seq: isRewritten ? 0 : base.seq,
    pushing: [],
    unmerged: [...base.unmerged.filter((one) => !paths.includes(one.path)), ...unmerged],
    left,
  };
  const chunks = chunked(edits);
  for (const [at, files] of chunks.entries()) {
    const isLast = at === chunks.length - 1;
    const documents = isLast ? [{ key: baseKey, before: stored, bytes: printDocument(next) }] : [];
    await site.store.shared?.replace({ files, documents });
  }
  return { base: next, count: edits.length, unmerged, isRewritten };
}

interface Sides {
  readonly path: string;
  readonly base: Bytes;
  readonly ours: Bytes;
  readonly theirs: Bytes;
}

async function merged({ path, base, ours, theirs }: Sides, mostBytes: number): Promise<Outcome> {
  const unmerged = (reason: string) => ({ reason, isUsable: true });
  const isBlob = kindOf(path) === 'blob';
  if (isEqual(ours, theirs) || isEqual(theirs, base)) return undefined;
  if (theirs === null && path === 'site.yaml') return { reason: 'a site cannot do without it', isUsable: false };
  if (theirs === null) return isEqual(ours, base) ? { bytes: null } : unmerged('it was removed there, and changed here');
  const fault = isBlob ? sizeFault(theirs, mostBytes) : faultOf(path, theirs);
  if (fault !== null) return { reason: fault, isUsable: false };
  if (isEqual(ours, base)) return { bytes: theirs };
  if (ours === null) return unmerged('it was changed there, and removed here');
  if (isBlob) return unmerged('both sides changed it');
  const versions = { base: Buffer.from(base ?? []), ours: Buffer.from(ours), theirs: Buffer.from(theirs) };
  const { bytes, conflicts } = await mergeEntry(path, versions, mergeLines);
  return conflicts.length === 0 ? { bytes } : unmerged(`both sides changed ${conflicts.join(', ')}`);
}

function sizeFault({ length }: Uint8Array, mostBytes: number): string | null {
  return length > mostBytes ? `it is larger than ${mostBytes / megabyte} MB (engine_media_limit)` : null;
}

/** Why a file cannot be read; null: it can. */
function faultOf(path: string, bytes: Uint8Array): string | null {
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if ('entry' in parsed) return null;
  const { line, message } = parsed.problem;
  return `it cannot be read: line ${line}: ${message}`;
}

async function keepRevision(site: Site, path: string, bytes: Uint8Array, email: string): Promise<void> {
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if (!('entry' in parsed) || email === '') return;
  const author = site.accounts.all().find((one) => one.email.toLowerCase() === email.toLowerCase());
  await site.write((planning) => planOther(planning, parsed.entry, author?.id ?? 0));
}

const isEqual = (a: Bytes, b: Bytes): boolean => (a === null || b === null ? a === b : Buffer.compare(a, b) === 0);

const bytesOf = (found: ReadonlyMap<string, Buffer>, id: string | null): Bytes => (id === null ? null : (found.get(id) ?? null));

/** At least one. */
function chunked(edits: readonly Edit[]): (readonly Edit[])[] {
  const chunks: Edit[][] = [[]];
  let bytes = 0;
  for (const edit of edits) {
    const size = edit.bytes?.length ?? 0;
    if ((chunks.at(-1) as Edit[]).length === filesAtOnce || bytes + size > bytesAtOnce) {
      chunks.push([]);
      bytes = 0;
    }
    (chunks.at(-1) as Edit[]).push(edit);
    bytes += size;
  }
  return chunks;
}
