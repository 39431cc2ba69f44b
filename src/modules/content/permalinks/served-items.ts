/** Items with a URL or a name in use, by their files. */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Entry } from '../../../kernel/store/types.ts';
import type { PostRecord } from '../posts/record.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { type Former, type AddressedItem, itemOf } from './alias-plan.ts';

interface ServedItem {
  readonly table: Former['table'];
  readonly item: AddressedItem;
}

type NamedItems = ReadonlyMap<string, ServedItem>;

/** Terms and users among a list of paths. There are few, so their files have no index. */
export function namedItems(site: Site, paths: readonly string[]): NamedItems {
  const out = new Map<string, ServedItem>();
  for (const table of ['terms', 'users'] as const) {
    if (!paths.some((path) => path.startsWith(`${table}/`))) continue;
    for (const item of site[table].all()) out.set(item.path, { table, item });
  }
  return out;
}

export function servedFrom(site: Site, path: string, named: NamedItems): readonly ServedItem[] {
  const one = named.get(path);
  return one ? [one] : postsAt(site, path).map((item) => ({ table: 'posts', item }));
}

export function postsAt(site: Site, path: string): readonly PostRecord[] {
  return [...site.posts.with('place', logicalPath(path))]
    .flatMap((id) => site.posts.get(id) ?? [])
    .filter((post) => post.path === path);
}

/** The item with the id that a file states, which may still be served from another file. Reads the front matter. */
export function statedItem(site: Site, table: Former['table'], { data: { id } }: Entry): AddressedItem | undefined {
  return typeof id === 'number' ? itemOf(site, { table, id }) : undefined;
}

/** The table of the item in a file; null if it has no URL. */
export function tableOf({ paths }: Pick<Site, 'paths'>, path: string): Former['table'] | null {
  const tables: Readonly<Record<string, Former['table']>> = table({ post: 'posts', term: 'terms', user: 'users' });
  return tables[paths.find(path)?.kind ?? ''] ?? null;
}

/** Descendants of a post. */
export function* descendantsOf(site: Site, id: number): Generator<PostRecord> {
  const seen = new Set([id]);
  const above = [id];
  for (let parent = above.pop(); parent !== undefined; parent = above.pop())
    for (const child of site.posts.with('parent', parent)) {
      const post = site.posts.get(child);
      if (!post || seen.has(child) || post.type === 'attachment') continue;
      seen.add(child);
      above.push(child);
      yield post;
    }
}
