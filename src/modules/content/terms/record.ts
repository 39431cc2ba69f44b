import type { Draft, Fields } from '../../../kernel/model/field.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { NamedThings } from '../../../kernel/model/named.ts';
import type { TopLevelFields } from '../../types/index.ts';
import type { Table } from '../../../kernel/records/types.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly terms: Table<TermRecord>;
    /** `taxonomy:slug` → id of terms about to be read, so that parents are found in any order. */
    readonly announcedTerms: Map<string, number>;
    readonly termFields: ReadonlyMap<string, TermFields>;
  }
}

export interface TermRecord {
  readonly id: number;
  readonly taxonomy: string;
  readonly path: string;
  readonly etag: string;
  /** As markup: `Tom &amp; Jerry`. The file has plain text. */
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** 0 for none. */
  readonly parent: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Declared top-level fields of the file. */
  readonly topLevel: TopLevelFields | null;
  readonly aliases: readonly string[];
}

/** A term with default values. */
export function blankTerm(id: number, taxonomy: string): Draft<TermRecord> {
  return {
    id,
    taxonomy,
    path: '',
    etag: '',
    name: '',
    slug: '',
    description: '',
    parent: 0,
    meta: {},
    topLevel: null,
    aliases: [],
  };
}

/** What getters of a term use. */
export interface TermView {
  /** Published items with the term. */
  count(term: TermRecord): number;
  link(term: TermRecord): string;
  meta(term: TermRecord): unknown;
  word(name: string): string;
}

export type TermFields = Fields<TermRecord, TermView>;

/** The term of a taxonomy with a slug (`~slug`: a former one); the lowest id if there are several. */
export function findTerm(terms: Table<TermRecord>, taxonomy: string, slug: string): number | undefined {
  return terms.lowest('slug', `${taxonomy}:${slug}`);
}

/** Lookup of a taxonomy's terms by name (`findNamed`). */
export function termsNamed(terms: Pick<Table<TermRecord>, 'lowest'>, taxonomy: string): NamedThings<number> {
  const known = (slug: string): number | undefined => terms.lowest('slug', `${taxonomy}:${slug}`);
  return { present: known, former: (slug) => known(`~${slug}`) };
}

export function termAt(terms: Table<TermRecord>, path: string): TermRecord | undefined {
  for (const id of terms.with('place', logicalPath(path))) if (terms.get(id)?.path === path) return terms.get(id);
  return undefined;
}

/** A term in the original's raw form, for front ends. */
export function rawTerm(
  { id, name, slug, description }: Pick<TermRecord, 'id' | 'name' | 'slug' | 'description'>,
  own: { readonly taxonomy: string; readonly parent: number; readonly count: number },
) {
  return {
    ...{ term_id: id, name, slug, term_group: 0, term_taxonomy_id: id },
    ...{ taxonomy: own.taxonomy, description, parent: own.parent, count: own.count, filter: 'raw' },
  };
}
