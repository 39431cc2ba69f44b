/**
 * What can be changed of an item, as plain values: what is sent, compared, kept in the browser and merged.
 */
import { mergedText, mergeTexts } from '../markdown/merge.ts';
import type { Item, Taxonomy, Type } from './records.ts';

export type Value = string | number | boolean | readonly number[];
export type Values = Readonly<Record<string, Value>>;

export function valuesOf(item: Item, taxonomies: readonly Taxonomy[]): Values {
  const all: Record<string, Value | undefined> = {
    title: item.title?.raw,
    content: item.content?.raw,
    excerpt: item.excerpt?.raw,
    slug: item.slug,
    // What is scheduled is published, at a time to come.
    status: item.status === 'future' ? 'publish' : item.status,
    date: item.date ?? '',
    author: item.author,
    featured_media: item.featured_media,
    parent: item.parent,
    password: typeof item.password === 'string' ? item.password : undefined,
    sticky: typeof item.sticky === 'boolean' ? item.sticky : undefined,
  };
  for (const { rest_base } of taxonomies) all[rest_base] = (item[rest_base] as readonly number[] | undefined) ?? undefined;
  return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, Value] => pair[1] !== undefined));
}

export function emptyValues({ supports }: Type, taxonomies: readonly Taxonomy[]): Values {
  return {
    ...(supports.title ? { title: '' } : {}),
    ...(supports.editor ? { content: '' } : {}),
    ...(supports.excerpt ? { excerpt: '' } : {}),
    slug: '',
    status: 'draft',
    date: '',
    ...(supports.thumbnail ? { featured_media: 0 } : {}),
    ...Object.fromEntries(taxonomies.map(({ rest_base }) => [rest_base, [] as readonly number[]])),
  };
}

const isSame = (a: Value | undefined, b: Value | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What has changed. */
export function changesOf(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}

/** A field, or a place in the text, that two people have changed. */
export interface Conflict {
  readonly field: string;
  readonly mine: Value;
  readonly theirs: Value;
  /** Of a text: which part. */
  readonly part?: number;
}

export interface MergedValues {
  readonly conflicts: readonly Conflict[];
  /** @param choices  of each conflict */
  resolve(choices: readonly Choice[]): Values;
}

export type Choice = 'mine' | 'theirs' | 'both';

export function mergeValues(base: Values, mine: Values, theirs: Values): MergedValues {
  const values: Record<string, Value> = {};
  const conflicts: Conflict[] = [];
  const texts = new Map<string, ReturnType<typeof mergeTexts>>();
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [o, a, b] = [base[name], mine[name], theirs[name]];
    const isLost = a === undefined || isSame(a, o);
    if (isLost || isSame(a, b) || b === undefined || isSame(b, o)) values[name] = (isLost && b !== undefined ? b : a) as Value;
    else if (Array.isArray(a) && Array.isArray(b)) values[name] = mergeLists((o ?? []) as readonly number[], a, b);
    else if (name === 'content') {
      const parts = mergeTexts(String(o ?? ''), String(a), String(b));
      texts.set(name, parts);
      parts.forEach((part, at) => {
        if ('mine' in part) conflicts.push({ field: name, part: at, mine: part.mine, theirs: part.theirs });
      });
    } else conflicts.push({ field: name, mine: a, theirs: b });
  }
  return {
    conflicts,
    resolve(choices) {
      const chosen = (field: string, part?: number): Choice =>
        choices[conflicts.findIndex((one) => one.field === field && one.part === part)] ?? 'mine';
      const resolved: Record<string, Value> = { ...values };
      for (const { field, part, mine: own, theirs: other } of conflicts)
        if (part === undefined) resolved[field] = chosen(field) === 'theirs' ? other : own;
      for (const [field, parts] of texts)
        resolved[field] = mergedText(parts, (part, at) => {
          const choice = chosen(field, at);
          return choice === 'both' ? part.mine + part.theirs : part[choice];
        });
      return resolved;
    },
  };
}

function mergeLists(base: readonly number[], mine: readonly number[], theirs: readonly number[]): readonly number[] {
  const gone = base.filter((one) => !mine.includes(one) || !theirs.includes(one));
  return [...new Set([...theirs, ...mine])].filter((one) => !gone.includes(one));
}
