/**
 * What a file that turns out to be a copy does not share with the one it was copied from, beside its id: a slug of its own, and
 * nothing of the addresses that the other one had.
 */
import type { PostRecord } from '../../modules/posts/record.ts';
import { uniqueSlug } from '../model/slugs.ts';
import type { TermRecord } from '../../modules/terms/record.ts';
import { isDraft, isTaken } from '../../modules/posts/slugs.ts';
import type { FileRecord } from './file-kind.ts';
import type { Site } from './site.ts';

interface Named extends FileRecord {
  readonly slug?: string;
  readonly aliases?: readonly string[];
  readonly guid?: string;
}

/**
 * Front matter to be written into a copy.
 * @param record  the copy as its file has it, under its own id
 * @param original  undefined when that is not in service
 */
export function ownNames(
  site: Site,
  record: Named,
  original: Named | undefined,
  table: string,
): Readonly<Record<string, unknown>> {
  const { slug = '', aliases = [], guid = '' } = record;
  const wanted = slug === '' ? '' : uniqueSlug(slug, (name) => isOthers(site, { ...record, slug: name }, table));
  const former = new Set(original ? [...(original.aliases ?? []), original.slug] : []);
  const own = aliases.filter((alias) => !former.has(alias));
  return {
    ...(wanted === slug ? {} : { slug: wanted }),
    ...(own.length === aliases.length ? {} : { aliases: own.length === 0 ? undefined : own }),
    ...(guid !== '' && guid === original?.guid ? { guid: undefined } : {}),
  };
}

function isOthers(site: Site, record: Named, table: string): boolean {
  const { id, slug = '' } = record;
  if (table === 'posts') {
    const post = record as PostRecord;
    if (post.type !== 'attachment') return !isDraft(post.status) && isTaken(site, post);
    return [...site.posts.with('slug', slug)].some((other) => other !== id && site.posts.get(other)?.slug === slug);
  }
  if (table === 'terms') {
    const { taxonomy } = record as unknown as TermRecord;
    return [...site.terms.with('slug', `${taxonomy}:${slug}`)].some((other) => other !== id);
  }
  return table === 'users' && [...site.users.with('slug', slug)].some((other) => other !== id);
}
