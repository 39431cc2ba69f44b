/**
 * The meaning of a query, said in the simplest way: look at every record, filter, sort, cut. What the planner must equal.
 */

import { fold } from '../../../src/kernel/records/fold.ts';
import { createRecords } from '../../../src/kernel/records/records.ts';
import type {
  RecordChange,
  Clause,
  Identified,
  Key,
  ResultPage,
  Query,
  Sort,
  TableSpec,
  Tiers,
} from '../../../src/kernel/records/types.ts';
import { type Article, articles } from './article.ts';

export function answer<R extends Identified>(
  spec: TableSpec<R>,
  records: readonly R[],
  { where, sort, offset, limit }: Query,
): ResultPage<R> {
  const found = records.filter((record) => where.every((clause) => holds(spec, record, clause))).sort(comparing(spec, sort));
  return { records: found.slice(offset, limit === undefined ? undefined : offset + limit), total: found.length };
}

function holds<R extends Identified>(spec: TableSpec<R>, record: R, clause: Clause): boolean {
  const valuesOf = (index: string): Key[] => [spec.equal[index]!(record) ?? []].flat() as Key[];
  switch (clause.kind) {
    case 'in':
      return valuesOf(clause.index).some((value) => clause.values.includes(value)) !== (clause.not ?? false);
    case 'all':
      return clause.values.every((value) => valuesOf(clause.index).includes(value));
    case 'ids':
      return clause.values.includes(record.id) !== (clause.not ?? false);
    case 'range': {
      const key = spec.order[clause.order]!(record);
      const least = clause.inclusive ? 0 : 1;
      return (
        (clause.after === undefined || compare(key, clause.after) >= least) &&
        (clause.before === undefined || compare(clause.before, key) >= least)
      );
    }
    case 'search': {
      const texts = clause.columns.map((column) => fold(spec.text[column]!(record)));
      const occurs = (word: string) => texts.some((text) => (clause.exact ? text === fold(word) : text.includes(fold(word))));
      return clause.words.every(occurs) && !clause.without.some(occurs);
    }
    case 'any':
      return clause.of.some((branch) => branch.every((each) => holds(spec, record, each)));
    case 'test':
      return clause.test(record as never);
  }
}

function comparing<R extends Identified>(spec: TableSpec<R>, { by, direction, then = [] }: Sort): (a: R, b: R) => number {
  const sign = direction === 'asc' ? 1 : -1;
  const rank = (list: readonly number[], id: number) => (list.includes(id) ? list.indexOf(id) : list.length);
  const tier = ({ tiers }: Tiers, record: R) =>
    [...tiers, []].findIndex((clauses) => clauses.every((clause) => holds(spec, record, clause)));
  return (a, b) => {
    let order = 0;
    if (typeof by === 'string') order = compare(spec.order[by]!(a), spec.order[by]!(b)) * sign;
    else if (typeof by === 'function') order = compare(by(a as never), by(b as never)) * sign;
    else if ('tiers' in by) order = tier(by, a) - tier(by, b);
    else order = rank(by, a.id) - rank(by, b.id);
    for (const key of then)
      order ||= compare(spec.order[key.by]!(a), spec.order[key.by]!(b)) * (key.direction === 'asc' ? 1 : -1);
    return order || (a.id - b.id) * (Array.isArray(by) ? 1 : sign);
  };
}

function compare(a: Key, b: Key): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A table under test, and the records it should have. */
export function mirrored(options: Parameters<typeof createRecords>[1] = {}) {
  const records = createRecords([articles], options);
  const expected = new Map<number, Article>();
  const apply = (changes: readonly RecordChange[]): void => {
    records.apply(changes);
    for (const each of changes) {
      if ('put' in each) expected.set(each.put.id, each.put as Article);
      else expected.delete(each.remove);
    }
  };
  return { records, table: records.table<Article>('articles'), expected, apply };
}
