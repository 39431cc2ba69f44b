/**
 * Terms of every taxonomy.
 */
import type { Draft, Fields } from '../../../kernel/model/field.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { NamedThings } from '../../../kernel/model/named.ts';
import type { TopLevelFields } from '../../types/index.ts';
import type { Table } from '../../../kernel/records/types.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly terms: Table<TermRecord>;
    /** `taxonomy:slug` → id of terms whose files are about to be read, so that parents are found in any order. */
    readonly announcedTerms: Map<string, number>;
    /** Field tables by taxonomy. */
    readonly termFields: ReadonlyMap<string, TermFields>;
  }
}

export interface TermRecord {
  readonly id: number;
  readonly taxonomy: string;
  readonly path: string;
  readonly etag: string;
  /** Text as markup: `Tom &amp; Jerry`. The file has it plain. */
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** Term id in the same taxonomy, 0 for none. */
  readonly parent: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Declared fields that the file has beside its other keys. */
  readonly topLevel: TopLevelFields | null;
  /** Former slugs. */
  readonly aliases: readonly string[];
}

/** A term of which nothing is known but what it is. */
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

/** What the getters of a term may ask of the site. */
export interface TermView {
  /** Published items that have the term. */
  count(term: TermRecord): number;
  link(term: TermRecord): string;
  meta(term: TermRecord): unknown;
  word(name: string): string;
}

export type TermFields = Fields<TermRecord, TermView>;

/** The term of a taxonomy with a slug (`~slug`: a former one); the lowest id when several have it. */
export function findTerm(terms: Table<TermRecord>, taxonomy: string, slug: string): number | undefined {
  return terms.lowest('slug', `${taxonomy}:${slug}`);
}

/** How the terms of a taxonomy are found by name (`findNamed`). */
export function termsNamed(terms: Pick<Table<TermRecord>, 'lowest'>, taxonomy: string): NamedThings<number> {
  const known = (slug: string): number | undefined => terms.lowest('slug', `${taxonomy}:${slug}`);
  return { present: known, former: (slug) => known(`~${slug}`) };
}

/** The term or menu that a file holds. */
export function termAt(terms: Table<TermRecord>, path: string): TermRecord | undefined {
  for (const id of terms.with('place', logicalPath(path))) if (terms.get(id)?.path === path) return terms.get(id);
  return undefined;
}

/** A term as front ends of the original read it, raw. */
export function rawTerm(
  { id, name, slug, description }: Pick<TermRecord, 'id' | 'name' | 'slug' | 'description'>,
  own: { readonly taxonomy: string; readonly parent: number; readonly count: number },
) {
  return {
    ...{ term_id: id, name, slug, term_group: 0, term_taxonomy_id: id },
    ...{ taxonomy: own.taxonomy, description, parent: own.parent, count: own.count, filter: 'raw' },
  };
}
