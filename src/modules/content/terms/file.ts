/**
 * Terms on disk: `terms/<taxonomy folder>/<slug>.yaml`.
 */
import { readFields } from '../../../kernel/model/field.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import { slugOfName } from '../posts/record.ts';
import { termKeys } from './fields.ts';
import { blankTerm, type TermFields, type TermRecord } from './record.ts';
import type { Blob, Entry, Write } from '../../../kernel/store/types.ts';
import { contextOf, writeRecord } from '../../../kernel/site/record-file.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { FileKind } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';
import { atTopLevel, topLevelNames, underMeta } from '../../types/index.ts';
import type { Taxonomy } from '../../types/record.ts';

/** Terms of every taxonomy except menus, which have their own files. */
export function termPaths(
  taxonomies: Iterable<Pick<Taxonomy, 'name' | 'folder'>>,
  fields: ReadonlyMap<string, TermFields>,
): PathRow[] {
  return [...taxonomies].map(({ name, folder }) => ({
    pattern: `terms/${folder}/*.{yaml,yml}`,
    kind: 'term',
    type: name,
    space: 'terms',
    fields: (fields.get(name) ?? null) as PathRow['fields'],
    scope: () => `term:${name}`,
  }));
}

export function createTermKind(
  site: Pick<Site, 'taxonomies' | 'termFields' | 'terms' | 'announcedTerms' | 'refs' | 'zone'>,
): FileKind<TermRecord> {
  const { announcedTerms: announced } = site;
  const byFolder = new Map([...site.taxonomies.values()].map((taxonomy) => [taxonomy.folder, taxonomy.name]));
  const taxonomyOf = (path: string): string => byFolder.get(path.split('/')[1] as string) as string;
  return {
    name: 'terms',
    table: 'terms',
    isNamedByAll: true,
    keys: ['id', 'name'],
    paths: termPaths(site.taxonomies.values(), site.termFields),
    isSlugTaken: (term) => isTermSlugTaken(site, term),
    announce(source: Entry | Blob, id) {
      // A batch is read synchronously; after it the records are in the table.
      if (announced.size === 0) queueMicrotask(() => announced.clear());
      const { slug: stated, aliases } = 'data' in source ? source.data : {};
      const slug = slugify(String(stated ?? '')) || slugOfName({ path: source.path, refs: site.refs });
      const taxonomy = taxonomyOf(source.path);
      announced.set(`${taxonomy}:${slug}`, id);
      for (const alias of Array.isArray(aliases) ? aliases : []) announced.set(`${taxonomy}:~${slugify(String(alias))}`, id);
    },
    read(source, id) {
      const { path, etag, mtimeMs, data } = source as Entry;
      const taxonomy = taxonomyOf(path);
      const fields = site.termFields.get(taxonomy) ?? {};
      const found = underMeta(data, topLevelNames(fields, taxonomy));
      const draft = Object.assign(blankTerm(id, taxonomy), { path, etag, topLevel: found.fields });
      readFields(fields, found.data, draft, contextOf(site, path, mtimeMs));
      if (draft.slug === '') draft.slug = slugify(draft.name) || String(id);
      return draft;
    },
  };
}

function isTermSlugTaken({ terms }: Pick<Site, 'terms'>, { id, taxonomy, slug }: TermRecord): boolean {
  return [...terms.with('slug', `${taxonomy}:${slug}`)].some((other) => other !== id);
}

/** The file change from `before` (none: a new file) to `after`. */
export function writeTerm(site: Pick<Site, 'termFields' | 'refs' | 'zone'>, after: TermRecord, before?: TermRecord): Write {
  const write = writeRecord(site, site.termFields.get(after.taxonomy) ?? {}, after, before, termKeys);
  return { ...write, data: atTopLevel(write.data, before?.topLevel ?? null) };
}

/** The path of a term's file; if the name is taken, the id is appended (and the slug is then in the file). */
export function termPath(site: Pick<Site, 'taxonomies' | 'terms'>, term: TermRecord): string {
  const place = `terms/${site.taxonomies.get(term.taxonomy)?.folder}/${fileNameOf(term.slug)}`;
  const isTaken = [...site.terms.with('place', place)].some((other) => other !== term.id);
  return isTaken ? `${place}-${term.id}.yaml` : `${place}.yaml`;
}
