/** What getters of terms use: URLs, dialect names, and counts of published items. */
import type { TermRecord, TermView } from './record.ts';
import type { Clause, Records } from '../../../kernel/records/types.ts';
import { spelled, termLink } from '../permalinks/record.ts';
import { metaOf } from '../../../kernel/model/typed-value.ts';
import type { Site } from '../../../kernel/site/site.ts';

/** @param word  spells a name in the dialect */
export function createTermView(site: Site, word: (name: string) => string): TermView {
  return {
    count: (term) => countOf(site, term),
    link: (term) => site.url + spelled(termLink(site, term), word),
    meta: (term) => metaOf(site.meta[term.taxonomy] ?? {}, term.meta),
    word,
  };
}

/** Counts for one state of the posts. */
interface Counts {
  readonly generation: number;
  /** By term id, or ids joined. */
  readonly byTerms: Map<string, number>;
}
const counts = new WeakMap<Records, Counts>();

/**
 * Published items with the term, or one of the given descendants, each counted once; media count if their parent is published. Cost: an intersection
 * of posting lists, once per term and state of the posts.
 */
export function countOf(site: Site, term: TermRecord, below: readonly number[] = []): number {
  const ids = [term.id, ...below];
  const { byTerms } = countsOf(site.records);
  const key = ids.join();
  const known = byTerms.get(key);
  if (known !== undefined) return known;
  const count = countPublished(site, term.taxonomy, ids);
  byTerms.set(key, count);
  return count;
}

/** Ids of all items with the term, in any status. */
export function itemsWith(site: Site, term: TermRecord): readonly number[] {
  const index = termIndex(site, term.taxonomy);
  return index === null ? [] : [...site.posts.with(index, term.id)];
}

/** The index of posts by terms of a taxonomy; null if no type has the taxonomy. */
export function termIndex(site: Pick<Site, 'types' | 'taxonomies'>, name: string): string | null {
  const taxonomy = site.taxonomies.get(name);
  // Formats are values of posts, not terms.
  if (!taxonomy || name === 'post_format' || !taxonomy.types.some((type) => site.types.has(type))) return null;
  return taxonomy.showInRest ? taxonomy.restBase : name;
}

function countsOf(records: Records): Counts {
  const known = counts.get(records);
  const generation = records.generationOf('posts');
  if (known?.generation === generation) return known;
  const fresh: Counts = { generation, byTerms: new Map() };
  counts.set(records, fresh);
  return fresh;
}

function countPublished(site: Site, taxonomy: string, ids: readonly number[]): number {
  const index = termIndex(site, taxonomy);
  if (index === null || ids.every((id) => site.posts.count(index, id) === 0)) return 0;
  const types = site.taxonomies.get(taxonomy)?.types ?? [];
  const having: Clause[] = [
    { kind: 'in', index, values: ids },
    { kind: 'in', index: 'type', values: types },
  ];
  const published = [...having, { kind: 'in' as const, index: 'status', values: ['publish'] }];
  const { total } = site.posts.query({ where: published, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 });
  return total + (types.includes('attachment') ? attached(site, ids, index) : 0);
}

function attached(site: Site, terms: readonly number[], index: string): number {
  let count = 0;
  for (const id of new Set(terms.flatMap((term) => [...site.posts.with(index, term)]))) {
    const post = site.posts.get(id);
    if (post?.type === 'attachment' && post.status === 'inherit' && site.posts.get(post.parent)?.status === 'publish') count++;
  }
  return count;
}
