/**
 * Terms on disk: `terms/<taxonomy folder>/<slug>.yaml`.
 */
import { type Draft, type FileContext, type Placed, printFields, readFields } from '../../model/field.ts';
import { fileNameOf, slugify } from '../../model/slugs.ts';
import { slugOfPath } from '../../model/post.ts';
import { type TermRecord, termKeys } from '../../model/term.ts';
import type { Blob, Entry, Write } from '../../store/types.ts';
import type { Site } from '../site.ts';
import type { Shelf } from '../shelf.ts';

/** @param announced  filled with `taxonomy:slug` → id while a batch is read, so that parents are found in any order */
export function createTermShelf(
  site: Pick<Site, 'taxonomies' | 'termFields' | 'refs' | 'zone'>,
  announced: Map<string, number>,
): Shelf<TermRecord> {
  const byFolder = new Map([...site.taxonomies.values()].map((taxonomy) => [taxonomy.folder, taxonomy.name]));
  const taxonomyOf = (path: string): string => byFolder.get(path.split('/')[1] as string) as string;
  return {
    name: 'terms',
    table: 'terms',
    keys: ['id', 'name'],
    owns: (path) => /^terms\/[^/]+\/[^/]+\.ya?ml$/.test(path) && byFolder.has(path.split('/')[1] as string),
    announce(source: Entry | Blob, id) {
      // A batch is read in one go. After it the records speak for themselves, and an entry must not outlive its term.
      if (announced.size === 0) queueMicrotask(() => announced.clear());
      const slug =
        'data' in source && source.data.slug !== undefined ? slugify(String(source.data.slug)) : slugOfPath(source.path);
      announced.set(`${taxonomyOf(source.path)}:${slug}`, id);
    },
    read(source, id) {
      const entry = source as Entry;
      const taxonomy = taxonomyOf(entry.path);
      const cx: FileContext = { path: entry.path, mtimeMs: entry.mtimeMs, zone: site.zone, refs: site.refs };
      const draft: Draft<TermRecord> = {
        id,
        taxonomy,
        path: entry.path,
        etag: entry.etag,
        name: '',
        slug: '',
        description: '',
        parent: 0,
        meta: {},
        aliases: [],
      };
      readFields(site.termFields.get(taxonomy) ?? {}, entry.data, draft, cx);
      return draft;
    },
  };
}

/** The file change that turns the file of `before` (none: a new file) into that of `after`. */
export function writeTerm(site: Pick<Site, 'termFields' | 'refs' | 'zone'>, after: TermRecord, before?: TermRecord): Write {
  const fields = site.termFields.get(after.taxonomy) ?? {};
  const placed = (record: TermRecord): Placed<TermRecord> => ({
    record,
    cx: { path: record.path, mtimeMs: 0, zone: site.zone, refs: site.refs },
  });
  return {
    path: after.path,
    ...(before && before.path !== after.path ? { from: before.path } : {}),
    expect: before ? before.etag : null,
    data: printFields(fields, placed(after), before && placed(before)),
    order: termKeys,
  };
}

/** Where the file of a term belongs; a name that another term's file has gets the id behind it (the slug is then in the file). */
export function termPath(site: Pick<Site, 'taxonomies' | 'terms'>, term: TermRecord): string {
  const place = `terms/${site.taxonomies.get(term.taxonomy)?.folder}/${fileNameOf(term.slug)}`;
  for (const other of site.terms.all()) {
    if (other.id !== term.id && other.path.replace(/\.ya?ml$/, '') === place) return `${place}-${term.id}.yaml`;
  }
  return `${place}.yaml`;
}
