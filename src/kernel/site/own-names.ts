/**
 * What a file that turns out to be a copy does not share with the one it was copied from, beside its id: a slug of its own, and
 * nothing of the addresses that the other one had.
 */
import { uniqueSlug } from '../model/slugs.ts';
import type { FileKind, FileRecord } from './file-kind.ts';

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
export function ownNames(kind: FileKind, record: Named, original: Named | undefined): Readonly<Record<string, unknown>> {
  const { slug = '', aliases = [], guid = '' } = record;
  const isTaken = (name: string): boolean => kind.isSlugTaken?.({ ...record, slug: name } as FileRecord) ?? false;
  const wanted = slug === '' ? '' : uniqueSlug(slug, isTaken);
  const former = new Set(original ? [...(original.aliases ?? []), original.slug] : []);
  const own = aliases.filter((alias) => !former.has(alias));
  return {
    ...(wanted === slug ? {} : { slug: wanted }),
    ...(own.length === aliases.length ? {} : { aliases: own.length === 0 ? undefined : own }),
    ...(guid !== '' && guid === original?.guid ? { guid: undefined } : {}),
  };
}
