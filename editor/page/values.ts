/**
 * What can be changed of an item, as plain values: what is sent, compared, kept in the browser and merged.
 */
import { mergedText, mergeTexts } from '../markdown/merge.ts';
import { isSame, type Json, type Value, type Values } from './changes.ts';
import type { Item, Taxonomy, Type } from './records.ts';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Members whose own members are changed one by one, each a value: `meta:mood`. */
const nested = ['fields', 'meta'] as const;

/** @param fields  its custom fields as they are stored */
export function valuesOf(item: Item, taxonomies: readonly Taxonomy[], fields: unknown = item.fields): Values {
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
    menu_order: numberIn(item.menu_order),
    template: textIn(item.template),
    comment_status: textIn(item.comment_status),
    ping_status: textIn(item.ping_status),
    password: textIn(item.password),
    sticky: typeof item.sticky === 'boolean' ? item.sticky : undefined,
  };
  for (const { rest_base } of taxonomies) all[rest_base] = (item[rest_base] as readonly number[] | undefined) ?? undefined;
  for (const [kind, held] of [
    ['fields', fields],
    ['meta', item.meta],
  ] as const)
    if (held !== null && typeof held === 'object')
      for (const [name, value] of Object.entries(held)) all[`${kind}:${name}`] = (value ?? null) as Json;
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

/** As routes take them. */
export function bodyOf(values: Values): Readonly<Record<string, Json>> {
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    const kind = nested.find((one) => name.startsWith(`${one}:`));
    if (kind) body[kind] = { ...((body[kind] ?? {}) as object), [name.slice(kind.length + 1)]: value };
    else body[name] = value;
  }
  return body;
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
    else if (isIds(a) && isIds(b)) values[name] = mergeLists(isIds(o) ? o : [], a, b);
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

const isIds = (value: Value | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

function mergeLists(base: readonly number[], mine: readonly number[], theirs: readonly number[]): readonly number[] {
  const gone = base.filter((one) => !mine.includes(one) || !theirs.includes(one));
  return [...new Set([...theirs, ...mine])].filter((one) => !gone.includes(one));
}
