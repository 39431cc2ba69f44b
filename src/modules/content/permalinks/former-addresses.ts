/** Items whose files changed since the last snapshot, for renames while no server ran. */
import { bodilessPost, type PostRecord } from '../posts/record.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Batch } from '../../../kernel/store/types.ts';
import { type Former, formerOf } from './alias-plan.ts';
import { segmentsOf } from './record.ts';
import type { RecordCache } from '../../../kernel/site/record-cache.ts';
import type { Site } from '../../../kernel/site/site.ts';

export async function keptAddresses(site: Site, kept: RecordCache, { entries }: Batch): Promise<readonly Former[]> {
  const etags = new Map(entries.map(({ path, etag }) => [path, etag]));
  const changed: PostRecord[] = [];
  const rows = new Map<number, number>();
  for await (const row of paced(Array(kept.size).keys())) {
    const path = kept.path(row);
    rows.set(kept.id(row), row);
    const etag = etags.get(path);
    const found = etag !== undefined && kept.row(path, etag) === row ? undefined : site.paths.find(path);
    if (found?.kind === 'post') changed.push(recordOf(kept, row, found.type));
  }
  return changed.flatMap((post) => {
    const former = formerOf(site, 'posts', post);
    if (!former) return [];
    return [
      site.types.get(post.type)?.hierarchical
        ? { ...former, address: segmentsOf(site, post) + pathOf(post, kept, rows) }
        : former,
    ];
  });
}

function recordOf(kept: RecordCache, row: number, type: string): PostRecord {
  const draft = Object.assign(bodilessPost(kept.id(row), type), { path: kept.path(row) });
  kept.fill(row, draft as unknown as Record<string, unknown>);
  return draft as PostRecord;
}

/** The URL path of a hierarchical item, with its parents' slugs at that time. */
function pathOf(post: PostRecord, kept: RecordCache, rows: ReadonlyMap<number, number>): string {
  const slugs = [post.slug];
  const seen = new Set([post.id]);
  for (let parent = post.parent; parent > 0 && !seen.has(parent); ) {
    seen.add(parent);
    const row = rows.get(parent);
    if (row === undefined) break;
    const above = recordOf(kept, row, post.type);
    slugs.unshift(above.slug);
    parent = above.parent;
  }
  return `/${[...(post.type === 'page' ? [] : [post.type]), ...slugs].join('/')}/`;
}
