/**
 * Names for the results of queries: two queries have the same name when they ask the same thing in the same words. Written by
 * hand rather than as JSON, since every query is named before anything else is done. Texts and lists begin with their length, so
 * that what stands in them can be nothing else.
 */

import type { Clause, Key, Query, Sort } from './types.ts';

/**
 * Undefined when functions take part in the query.
 * @param clauses  the name of its clauses, where it is known
 */
export function queryKey({ where, sort, offset, limit }: Query, clauses = nameOfClauses(where)): string | undefined {
  const order = clauses === undefined ? undefined : nameOfSort(sort);
  return order === undefined ? undefined : `${clauses}${order}${offset} ${limit}`;
}

/** Undefined when functions take part in them. */
export function nameOfClauses(clauses: readonly Clause[]): string | undefined {
  let name = `${clauses.length}[`;
  for (const clause of clauses) {
    const one = nameOfClause(clause);
    if (one === undefined) return undefined;
    name += one;
  }
  return name;
}

function nameOfClause(clause: Clause): string | undefined {
  switch (clause.kind) {
    case 'in':
      return `${clause.not ? 'x' : 'i'}${word(clause.index)}${list(clause.values)}`;
    case 'all':
      return `a${word(clause.index)}${list(clause.values)}`;
    case 'ids':
      return `${clause.not ? 'o' : 'n'}${list(clause.values)}`;
    case 'range':
      return `${clause.inclusive ? 'R' : 'r'}${word(clause.order)}${word(clause.after)}${word(clause.before)}`;
    case 'search':
      return `${clause.exact ? 'S' : 's'}${list(clause.columns)}${list(clause.words)}${list(clause.without)}`;
    case 'any': {
      const branches = clause.of.map(nameOfClauses);
      return branches.includes(undefined) ? undefined : `y${branches.length}[${branches.join('')}`;
    }
    case 'test':
      return undefined;
  }
}

function nameOfSort({ by, direction, then = [] }: Sort): string | undefined {
  const first = typeof by === 'string' ? word(by) : typeof by === 'function' ? undefined : nameOfOrder(by);
  if (first === undefined) return undefined;
  const further = then.map((each) => `${word(each.by)}${each.direction}`);
  return `${first}${direction}${further.length}[${further.join('')}`;
}

function nameOfOrder(by: Exclude<Sort['by'], string | ((record: never) => number)>): string | undefined {
  if (!('tiers' in by)) return list(by);
  const tiers = by.tiers.map(nameOfClauses);
  return tiers.includes(undefined) ? undefined : `t${tiers.length}[${tiers.join('')}`;
}

function list(keys: readonly Key[]): string {
  let name = `${keys.length}[`;
  for (const key of keys) name += word(key);
  return name;
}

/** A number and the text of its digits are two keys. */
function word(key: Key | undefined): string {
  if (typeof key === 'string') return `${key.length}:${key}`;
  return key === undefined ? '-;' : `#${key};`;
}
