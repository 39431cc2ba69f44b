/** Files that have another name since: by the id in their front matter, and there as git sees it too. */
import { paced } from '../../kernel/scheduler.ts';
import type { Site } from '../../kernel/site/site.ts';
import { kindOf } from '../../kernel/store/paths.ts';
import { maxTextBytes, parseEntry } from '../../kernel/yaml/codec.ts';
import type { Clone } from './clone.ts';
import { isExchanged } from './record.ts';

/** Files of a commit: path → id of the bytes. */
export type CommitTree = ReadonlyMap<string, string>;

interface Commit {
  readonly id: string;
  readonly tree: CommitTree;
}

/** What the remote has renamed between two commits: path before → path after. */
export async function renamedThere(clone: Clone, before: Commit, after: Commit): Promise<ReadonlyMap<string, string>> {
  // A site cannot do without its settings under their name.
  const only = (one: CommitTree, other: CommitTree): string[] =>
    [...one.keys()].filter((path) => !other.has(path) && isExchanged(path) && path !== 'site.yaml');
  const [gone, come] = [only(before.tree, after.tree), only(after.tree, before.tree)];
  const out = new Map<string, string>();
  if (gone.length === 0 || come.length === 0) return out;
  // It compares many with many, and may give up: then the ids tell.
  const seen = await clone.renames(before.id, after.id).catch(() => new Map<string, string>());
  const [was, is] = [await itemsOf(clone, gone, before.tree), await itemsOf(clone, come, after.tree)];
  const places = new Map([...is].map(([path, item]) => [item, path]));
  const taken = new Set<string>();
  for (const from of gone) {
    const item = was.get(from);
    const to = (item === undefined ? undefined : places.get(item)) ?? seen.get(from);
    if (to === undefined || taken.has(to) || kindOf(to) !== kindOf(from)) continue;
    // Texts that are alike are two where both say who they are.
    if (item !== undefined && is.has(to) && is.get(to) !== item) continue;
    taken.add(to);
    out.set(from, to);
  }
  return out;
}

/** Where the item of a file is here; null: there is none, or nobody can tell. */
export function placeHere(site: Site, path: string, bytes: Uint8Array): string | null {
  const [space, id] = itemOf(path, bytes)?.split(' ') ?? [];
  const table = space === '' ? site.posts : space === 'terms' ? site.terms : null;
  const place = table?.get(Number(id))?.path;
  return place !== undefined && place !== path && kindOf(place) === kindOf(path) ? place : null;
}

/** What a file is, wherever it is; null: it does not say. Ids of posts and of terms are two rows. */
export function itemOf(path: string, bytes: Uint8Array): string | null {
  const parsed = kindOf(path) === 'blob' ? null : parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if (parsed === null || !('entry' in parsed)) return null;
  const { id } = parsed.entry.data;
  return Number.isInteger(id) ? `${/^(terms|users|menus|comments|revisions|plugins)\//.exec(path)?.[1] ?? ''} ${id}` : null;
}

async function itemsOf(clone: Clone, paths: readonly string[], tree: CommitTree): Promise<ReadonlyMap<string, string>> {
  const out = new Map<string, string>();
  const texts = paths.filter((path) => kindOf(path) !== 'blob');
  const idOf = (path: string): string => tree.get(path) as string;
  for await (const { some, found } of clone.readFor(texts, (path) => [idOf(path)], maxTextBytes)) {
    for await (const path of paced(some, 1)) {
      const item = itemOf(path, found.get(idOf(path)) ?? Buffer.alloc(0));
      if (item !== null) out.set(path, item);
    }
  }
  return out;
}
