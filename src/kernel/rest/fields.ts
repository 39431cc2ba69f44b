/**
 * `_fields`: which members of an answer the client wants, by name (`id`) or nested name (`title.rendered`).
 *
 * A producer asks `wants` before it computes a member; `narrow` then cuts what is left to exactly what was named.
 */

export interface FieldFilter {
  /** Whether a member, one above it or one below it was named. Everything is wanted without `_fields`. */
  wants(path: string): boolean;
  names(member: string): boolean;
  /**
   * What tells this filter from others on answers with these members: names that none of them has do not count. Undefined: nothing is
   * narrowed.
   */
  form(members: Members): string | undefined;
  /**
   * The named members of an object, or of each item of a list. Where nothing is left it is `[]`, as the reference prints
   * an empty map. Links of a single item are put on after narrowing, those of listed items before.
   */
  narrow(value: unknown): unknown;
}

/** Members that answers may have, with those inside of them; null for one that may hold anything. */
export interface Members extends ReadonlyMap<string, Members | null> {}

/** Names in a `_fields` parameter. Null when none is named: everything is wanted. */
export function parseFields(value: unknown): readonly string[] | null {
  const names = namesIn(value).map((name) => name.trim());
  return names.length > 0 ? names : null;
}

/** Names in a parameter: parted by commas or blanks, or a list, whatever its keys. */
export function namesIn(value: unknown): readonly string[] {
  const isScalar = (one: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof one);
  if (typeof value === 'object' && value !== null) return Object.values(value).filter(isScalar).map(String);
  if (!isScalar(value)) return [];
  return String(value)
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** @param value  the `_fields` parameter as sent */
export function createFieldFilter(value: unknown): FieldFilter {
  if (value === undefined) return everything;
  if (typeof value !== 'string') return build(value);
  let filter = filters.get(value);
  if (filter === undefined) {
    filter = build(value);
    if (filters.size >= MAX_FILTERS) filters.clear();
    filters.set(value, filter);
  }
  return filter;
}

/** Clients ask for the same few sets of members; a filter depends on nothing but what it was made from. */
const filters = new Map<string, FieldFilter>();
const MAX_FILTERS = 100;

function build(value: unknown): FieldFilter {
  const names = parseFields(value);
  if (!names) return everything;
  const known = new Map<string, boolean>();
  const tree = toTree(names);
  return {
    wants(path) {
      let wanted = known.get(path);
      if (wanted === undefined) {
        wanted = names.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
        known.set(path, wanted);
      }
      return wanted;
    },
    names: (member) => names.includes(member),
    form: (members) => formOf(tree, members),
    narrow: (answer) => (Array.isArray(answer) ? answer.map((item) => cut(item, tree)) : cut(answer, tree)),
  };
}

const everything: FieldFilter = { wants: () => true, names: () => true, form: () => undefined, narrow: (value) => value };

/** Name → true for the whole member, or the names wanted below it. */
type Tree = Map<string, true | Tree>;

/** A tree as text, in one order, with `?` for all names that stand for nothing. */
function formOf(tree: Tree, members: Members | null): string {
  const known: string[] = [];
  for (const [name, below] of tree) {
    if (members !== null && !members.has(name)) continue;
    known.push(below === true ? JSON.stringify(name) : `${JSON.stringify(name)}{${formOf(below, members?.get(name) ?? null)}}`);
  }
  return `${known.sort().join()}`;
}

/**
 * A name below one that is already taken whole ends the reading of the list, as in the reference:
 * of `title,title.rendered,id` only the title is kept.
 */
function toTree(names: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const name of names) {
    const parts = name.split('.');
    const last = parts.pop() as string;
    let branch = root;
    for (const part of parts) {
      const child = branch.get(part) ?? new Map();
      if (child === true) return root;
      branch.set(part, child);
      branch = child;
    }
    branch.set(last, true);
  }
  return root;
}

function cut(value: unknown, tree: Tree): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (below) kept.push([name, below === true ? member : cut(member, below)]);
  }
  const isList = kept.every(([name], at) => name === String(at)) && (Array.isArray(value) || kept.length === 0);
  return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
