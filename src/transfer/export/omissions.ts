/**
 * What an export does not include, counted while it is written.
 */
import { fileKeys } from '../../kernel/model/field.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import type { Site } from '../../kernel/site/site.ts';
import { parseEntry, valuesIn } from '../../kernel/yaml/codec.ts';

/** Something of the site that the format does not hold. */
export interface Omission {
  /** `post: draft`, `meta of terms`. */
  readonly what: string;
  readonly count: number;
  readonly reason: string;
}

export interface Omissions {
  add(what: string, reason: string, count?: number): void;
  /** In the order in which they were added. */
  list(): readonly Omission[];
}

export function createOmissions(): Omissions {
  const rows = new Map<string, Omission>();
  return {
    add(what, reason, count = 1) {
      if (count === 0) return;
      rows.set(what, { what, reason, count: (rows.get(what)?.count ?? 0) + count });
    },
    list: () => [...rows.values()],
  };
}

/** Adds what of a post's file is in no field: unknown keys, comments. Cost: one read of the file. */
export async function addOmissionsOf(
  site: Pick<Site, 'store' | 'postFields'>,
  post: PostRecord,
  omissions: Omissions,
): Promise<void> {
  const bytes = post.path === '' ? null : await site.store.readBytes(post.path);
  if (!bytes || !/\.(?:md|html|ya?ml)$/.test(post.path)) return;
  const parsed = parseEntry(post.path, bytes, { size: bytes.length, mtimeMs: 0, etag: post.etag });
  if (!('entry' in parsed)) return;
  const known = new Set([...fileKeys(site.postFields.get(post.type) ?? {}), 'conflict_markers']);
  const unknown = Object.keys(parsed.entry.data).filter((key) => !known.has(key));
  for (const key of unknown) omissions.add(`front matter: ${key}`, 'not a field of the site');
  const text = Buffer.from(bytes).toString('utf8');
  const { start, end } = valuesIn(text, post.path);
  const comments = text.slice(start, end).match(/^[ \t]*#.*$/gm) ?? [];
  omissions.add('front matter: comments', 'WXR does not contain them', comments.length);
}
