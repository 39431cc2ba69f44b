/** Commits of what has changed in the engine, by those who changed it, and of what else differs from the remote. */
import type { Site } from '../../kernel/site/site.ts';
import { authorOf, blobId, commitBytes, messageOf, notedWrites, pendingOf } from '../git/commits/index.ts';
import type { Clone } from './clone.ts';
import { isExchanged, type Pushing, type RemoteBase } from './record.ts';

interface Made extends Omit<Pushing, 'commit'> {
  /** The last of the commits; the base's where there was nothing to commit. */
  readonly head: string | null;
}

/** Of one commit that nobody has asked for, in memory. */
const filesTogether = 10_000;
const bytesTogether = 64 * 1024 * 1024;

type Files = Map<string, Uint8Array | null>;

/** Makes the commits that are due, on top of the base. Nothing of it is visible to anybody. */
export async function makeCommits(
  site: Site,
  clone: Clone,
  base: RemoteBase,
  options: { waitMs: number; above: string },
): Promise<Made> {
  const { store } = site;
  const writes = await notedWrites(store);
  const isQuiet = (at: number): boolean => at + options.waitMs <= Date.now();
  let head = base.commit;
  const tree = head === null ? new Map<string, string>() : await clone.tree(head);
  const left = { ...base.left };
  const settled: string[] = [];
  /** Files whose commit is not due. */
  const waiting = new Set<string>();

  async function commit(
    files: Files,
    by: number | null | undefined,
    at: number,
    written: Parameters<typeof messageOf>[1],
  ): Promise<void> {
    const branch = { repository: clone.repository, head, above: options.above };
    const input = {
      files,
      author: authorOf(site, by),
      at,
      message: (changes: Parameters<typeof messageOf>[0]) => messageOf(changes, written),
    };
    head = (await commitBytes(branch, input, tree)) ?? head;
    for (const [path, bytes] of files) {
      delete left[path];
      if (bytes === null) tree.delete(path);
      else tree.set(path, blobId(bytes, head ?? ''));
    }
  }

  // What is in memory now is what the notes speak of: later writes come with later notes.
  for (const { files, captured, by, at, since, isClosed, seqs } of pendingOf(writes)) {
    if (!isClosed && !isQuiet(since)) {
      for (const path of files.keys()) waiting.add(path);
      continue;
    }
    const contents: Files = new Map();
    for (const path of [...files.keys()].filter(isExchanged))
      contents.set(path, captured.has(path) ? (captured.get(path) ?? null) : await store.readBytes(path));
    await commit(contents, by, at, [...files.values()]);
    settled.push(...seqs.map((one) => (writes[one] as (typeof writes)[number]).key));
  }

  const { changed, seq } = await changedSince(site, base, tree, isQuiet);
  const rest: Files = new Map();
  let restBytes = 0;
  const commitRest = async (): Promise<void> => {
    const written = [...rest.keys()].map((path) => ({ path }));
    if (rest.size > 0) await commit(rest, undefined, Date.now(), written);
    rest.clear();
    restBytes = 0;
  };
  // What was not merged is as it is here, also where only the remote has it.
  for (const path of new Set([...changed, ...base.unmerged.map((one) => one.path)])) {
    // What is not here as it is there stays so, until somebody writes it.
    if (waiting.has(path) || Object.hasOwn(left, path)) continue;
    const bytes = await store.readBytes(path);
    if (bytes === null ? !tree.has(path) : tree.get(path) === blobId(bytes, head ?? '')) continue;
    rest.set(path, bytes);
    restBytes += bytes?.length ?? 0;
    if (rest.size >= filesTogether || restBytes >= bytesTogether) await commitRest();
  }
  await commitRest();
  // A file that waits is looked at again when its turn comes: its note says so.
  return { head, seq, left, settled };
}

/** Files that others than REST writes may have changed, and the commit of the engine that they are complete up to. */
async function changedSince(
  { store }: Site,
  { seq: since }: RemoteBase,
  tree: ReadonlyMap<string, string>,
  isQuiet: (at: number) => boolean,
): Promise<{ readonly changed: ReadonlySet<string>; readonly seq: number }> {
  const changed = new Set<string>();
  let restless = Number.POSITIVE_INFINITY;
  for (let at = since; at > 0; ) {
    const found = await store.shared?.engine?.changes(at);
    if (!found) break;
    for (const { path, seq, timeMs } of found.files) {
      if (!isExchanged(path)) continue;
      if (isQuiet(timeMs)) changed.add(path);
      else restless = Math.min(restless, seq);
    }
    at = found.seq;
    if (found.isLatest) return { changed, seq: Math.min(at, restless - 1) };
  }
  // Nobody knows what has changed: all is compared.
  const { seen } = store.shared as NonNullable<typeof store.shared>;
  const present = new Set<string>();
  const problems = await store.visit(({ path }) => void present.add(path));
  for (const { path } of problems) present.add(path);
  for (const path of [...present, ...tree.keys()]) if (isExchanged(path)) changed.add(path);
  return { changed, seq: seen };
}
