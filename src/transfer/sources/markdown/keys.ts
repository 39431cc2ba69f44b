/**
 * What front matter says, field by field, by the names that `modules/content/front-matter` knows. What no field takes is kept under its own
 * name.
 */
import { postFields } from '../../../modules/content/posts/fields.ts';
import { foldKey as fold, type Name, names } from '../../../modules/content/front-matter/names.ts';
import { standardStatuses } from '../../../modules/types/statuses.ts';
import { standardTaxonomies } from '../../../modules/types/taxonomies.ts';
import { standardTypes } from '../../../modules/types/types.ts';
import type { ImportRemark } from '../../import/items.ts';
import type { Data } from './front-matter.ts';

/** Reports something about a page. */
export type Note = (severity: ImportRemark['severity'], rule: string, message: string, hint?: string) => void;

interface TakenValue {
  /** As the file has it. */
  readonly key: string;
  readonly value: unknown;
}

export interface KeyReader {
  /** The first value of a field that `fits`; its key is then used up. */
  take(name: Name, fits?: (value: unknown) => boolean): TakenValue | undefined;
  /** A key by its own name, used up. */
  takeKey(key: string): unknown;
  /** Gives a key back: it is kept besides. */
  keep(key: string): void;
  /** The same by the name that `takeKey` knows it by. */
  keepKey(key: string): void;
  /** What nobody took. */
  rest(): Data;
}

export function createReader(data: Data): KeyReader {
  const used = new Set<string>();
  const byName = new Map(Object.keys(data).map((key) => [fold(key), key]));
  return {
    take(name, fits = () => true) {
      for (const alias of names[name]) {
        const key = byName.get(alias);
        const value = key === undefined ? null : data[key];
        if (key === undefined || value === null || value === '' || used.has(key) || !fits(value)) continue;
        used.add(key);
        return { key, value };
      }
      return undefined;
    },
    takeKey(key) {
      const own = byName.get(fold(key));
      if (own === undefined || used.has(own)) return undefined;
      used.add(own);
      return data[own];
    },
    keep: (key) => void used.delete(key),
    keepKey: (key) => void used.delete(byName.get(fold(key)) ?? key),
    rest: () => Object.fromEntries(Object.entries(data).filter(([key, value]) => !used.has(key) && value !== null)),
  };
}

/** Keys that posts and pages have here. */
const postKeys: ReadonlySet<string> = new Set(
  standardTypes
    .filter(({ name }) => name === 'post' || name === 'page')
    .flatMap((type) => Object.values(postFields({ type, taxonomies: standardTaxonomies, statuses: standardStatuses, meta: {} })))
    .flatMap(({ file }) => (file ? [file.key] : [])),
);

/** Kept keys, those that mean something else in our files under another name: `source_status`. */
export function keptData(rest: Data): Data {
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [postKeys.has(key) ? `source_${key}` : key, value]));
}

/** Texts of a value: a list, or one text cut by `split`. Numbers count as texts. */
export function textsOf(value: unknown, split: (text: string) => readonly string[]): string[] {
  const parts = Array.isArray(value) ? value.flat(5) : typeof value === 'string' ? split(value) : [value];
  return [
    ...new Set(parts.filter((part) => typeof part === 'string' || typeof part === 'number').map((part) => String(part).trim())),
  ].filter((part) => part !== '');
}

export const byComma = (text: string): readonly string[] => text.split(',');
export const byCommaOrSpace = (text: string): readonly string[] => text.split(text.includes(',') ? ',' : /\s+/);

export function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

/** What a table says of a word of the source; never what every object has (`constructor`). */
export function rowOf<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** A plain value as text; '' for what is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
