/**
 * Values of a file that two branches have changed, merged field by field. Lists of names are merged as sets, lists of items by their ids;
 * of two dates of a change the later counts. What both changed to something else is a conflict.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import { isSame } from '../../../kernel/yaml/print.ts';
import { laterChange } from '../front-matter/record.ts';

type Values = Readonly<Record<string, unknown>>;

interface MergedValues {
  /** The merged values; of a field in conflict, ours. Undefined: the field goes. */
  readonly values: Values;
  /** Names of fields that both sides changed to something else. */
  readonly conflicts: readonly string[];
}

type Merged = { readonly value: unknown } | null;

/** @param base  what both began with; empty where each has made the file anew */
export function mergeValues(base: Values, ours: Values, theirs: Values): MergedValues {
  const conflicts: string[] = [];
  const entries = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].map((key): [string, unknown] => {
    const merged = mergeValue(key, stated(base, key), stated(ours, key), stated(theirs, key));
    if (merged === null) conflicts.push(key);
    return [key, merged === null ? stated(ours, key) : merged.value];
  });
  return { values: Object.fromEntries(entries), conflicts };
}

const stated = (map: Values, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Null where it takes a person. */
function mergeValue(key: string, base: unknown, ours: unknown, theirs: unknown): Merged {
  if (isSame(ours, theirs) || isSame(theirs, base)) return { value: ours };
  if (isSame(ours, base)) return { value: theirs };
  if (isMap(ours) && isMap(theirs)) {
    const { values, conflicts } = mergeValues(isMap(base) ? base : {}, ours, theirs);
    if (conflicts.length > 0) return null;
    return { value: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) return mergeLists(Array.isArray(base) ? base : [], ours, theirs);
  // Each branch gave an id to a file without one: both take the same of the two.
  if (key === 'id' && base === undefined && typeof ours === 'number' && typeof theirs === 'number')
    return { value: Math.min(ours, theirs) };
  const later = laterChange(key, ours, theirs);
  return later === null ? null : { value: later };
}

function mergeLists(base: readonly unknown[], ours: readonly unknown[], theirs: readonly unknown[]): Merged {
  if ([...ours, ...theirs].every((item) => !isMap(item) && !Array.isArray(item))) {
    const has = (list: readonly unknown[], item: unknown): boolean => list.some((one) => isSame(one, item));
    const left = ours.filter((item) => has(theirs, item) || !has(base, item));
    return { value: [...left, ...theirs.filter((item) => !has(base, item) && !has(left, item))] };
  }
  return mergeItems(base, ours, theirs);
}

interface Item extends Values {
  readonly id?: unknown;
}

/** Items of a menu, say. One that both branches added under the same id loses it on their side, and is given another when it is read. */
function mergeItems(base: readonly unknown[], ours: readonly unknown[], theirs: readonly unknown[]): Merged {
  if (![...base, ...ours, ...theirs].every(isMap)) return null;
  const find = (list: readonly unknown[], item: Item): Item | undefined =>
    (list as readonly Item[]).find((one) => (item.id === undefined ? isSame(one, item) : one.id === item.id));
  const out: Item[] = [];
  for (const item of ours as readonly Item[]) {
    const [before, other] = [find(base, item), find(theirs, item)];
    if (!before || !other) {
      // What they removed goes, unless it was changed here.
      if (before && isSame(before, item)) continue;
      if (before) return null;
      out.push(item);
      continue;
    }
    const merged = mergeValue('', before, item, other);
    if (merged === null) return null;
    out.push(merged.value as Item);
  }
  for (const [at, item] of (theirs as readonly Item[]).entries()) {
    const before = find(base, item);
    const here = find(ours, item);
    if (before) {
      if (!here && !isSame(before, item)) return null;
      continue;
    }
    if (here && isSame(here, item)) continue;
    const { id: _, ...unnumbered } = item;
    const previous = at === 0 ? -1 : out.findIndex((one) => isSame(one, find(out, theirs[at - 1] as Item)));
    out.splice(at > 0 && previous < 0 ? out.length : previous + 1, 0, here ? unnumbered : item);
  }
  return { value: out };
}
