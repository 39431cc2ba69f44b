/**
 * The field kit. A field is declared once and has up to five facets, each read by its own layer:
 * `schema` (what clients see), `file` (how the file holds it), `index` (how it is found and sorted),
 * `get` (record → public value), `set` (public value → record). `R` is the record, `V` what a getter may ask of the site.
 */
import { fileDatePattern } from './dates.ts';
import { maxId } from './ids.ts';
import { isMap } from './maps.ts';
import type { Context, Schema, Schemas } from './schema.ts';

export type Draft<R> = { -readonly [K in keyof R]: R[K] };

/** What a file facet may use while a file is read or printed. References resolve to ids; unknown ones are created or 0. */
export interface FileContext {
  /** Below the content folder. */
  readonly path: string;
  /** Last change of the file on disk, milliseconds since the epoch. */
  readonly mtimeMs: number;
  /** Current time, milliseconds since the epoch, if dates depend on it. */
  readonly nowMs?: number | undefined;
  /** The site's time zone. */
  readonly zone: string;
  readonly refs: References;
}

/**
 * Between what files name and what records hold. Strings are slugs (or paths), numbers are ids.
 * A term or author that has no file yet is made when first seen; other unknown references are 0.
 */
export interface References {
  termId(taxonomy: string, ref: string | number): number;
  termRef(taxonomy: string, id: number): string | number;
  userId(ref: string | number): number;
  userRef(id: number): string | number;
  /**
   * A post by id or by its path below the folder of `type` ('': the content folder), without the extension. Media keep theirs.
   * @param reader  id of the post that is read, to be read again once there is a medium where it names one
   */
  postId(type: string, ref: string | number, reader?: number): number;
  postRef(type: string, id: number): string | number;
  defaultTerm(taxonomy: string): number;
  /** Absent if no module uses marks in file names. */
  readonly marks?: FileMarks;
}

/** Marks in file names, besides slugs: `de` in `about.de.md`. */
export interface FileMarks {
  /** '' for none. */
  of(path: string): string;
  /** The path without it. */
  plain(path: string): string;
}

export interface FileFacet<R> {
  readonly key: string;
  /** The schema for editors; `read` may accept more. */
  readonly form?: Schema;
  /** Sets the value in the draft; `raw` is undefined if the key is missing, `data` is the whole front matter. @throws FieldProblem */
  read(raw: unknown, draft: Draft<R>, cx: FileContext, data?: Readonly<Record<string, unknown>>): void;
  /** The value for the file, or undefined for the default, which is not written. */
  print(record: R, cx: FileContext): unknown;
}

export interface IndexFacet<R> {
  readonly unique?: (record: R) => string | undefined;
  readonly equal?: (record: R) => string | number | readonly (string | number)[] | undefined;
  readonly order?: (record: R) => string | number;
  readonly text?: (record: R) => string;
  /** A common filter: sorted lists are kept per value. */
  readonly inViews?: true;
}

/** The call of the REST layer, declared there. */
// biome-ignore lint/suspicious/noEmptyInterface: `rest/types.ts` adds to it
export interface FieldCall {}

/** @param call  if the value depends on the user */
type Getter<R, V> = (record: R, view: V, call: FieldCall) => unknown;

/** What a setter may use. */
export interface SetContext<R> {
  /** The stored record; undefined for a new one. */
  readonly before: R | undefined;
  /** The site's time zone. */
  readonly zone: string;
  /** The neutral name for a client's name. */
  readName(name: string): string;
  /** The writer. */
  readonly call: FieldCall;
}

/** Changed properties of a record. */
export type FieldChanges<R> = { -readonly [K in keyof R]?: R[K] | undefined };

/**
 * Puts a public value that was sent, and has passed its argument's schema, into the draft of a change. Null comes only to fields whose
 * type has it.
 * @throws RestError
 */
export type Setter<R> = (value: unknown, draft: FieldChanges<R>, cx: SetContext<R>) => void;

export interface Field<R, V> {
  readonly schema?: Schema;
  /** A function, or one per property, so that only requested ones are computed. */
  readonly get?: Getter<R, V> | Readonly<Record<string, Getter<R, V>>>;
  /** Only returned if `_fields` names it as a whole. */
  readonly isWhole?: true;
  /** Loads what `get` needs; undefined if nothing has to be awaited. */
  prepare?(record: R, call: FieldCall): Promise<void> | undefined;
  /** Without one, the field is read-only over REST. */
  set?(value: unknown, draft: FieldChanges<R>, cx: SetContext<R>): void;
  readonly file?: FileFacet<R>;
  /** Under the field's own name in the table's indexes. */
  readonly index?: IndexFacet<R>;
  readonly inMeta?: MetaFacet<R>;
}

/** Members of `meta` with the field's value, without a schema. */
export interface MetaFacet<R> {
  /** Additional members of `meta` in a response; undefined: none. */
  get(record: R, call: FieldCall): Readonly<Record<string, unknown>> | undefined;
  /** @param given  `meta` as sent; unknown members are ignored. @throws RestError */
  set(given: Readonly<Record<string, unknown>>, draft: FieldChanges<R>, cx: SetContext<R>): void;
}

export type Fields<R, V> = Readonly<Record<string, Field<R, V>>>;

/** An invalid value in a file. The store adds the position. */
export class FieldProblem extends Error {
  readonly key: string;
  readonly hint: string | undefined;
  constructor(key: string, message: string, hint?: string) {
    super(message);
    this.key = key;
    this.hint = hint;
  }
}

/** A reference: a slug, a path or an id. @throws FieldProblem */
export function referenceOf(raw: unknown, key: string): string | number {
  if (typeof raw === 'string' || typeof raw === 'number') return raw;
  throw new FieldProblem(key, `${key} must name something by its slug or id, not ${JSON.stringify(raw)}`);
}

export const forms = {
  text: { type: ['string', 'number', 'boolean', 'null'] },
  id: { description: 'Its number; given when the file is first seen.', type: 'integer', minimum: 1, maximum: maxId },
  /** A slug or path, or an id. */
  reference: { type: ['string', 'integer', 'null'] },
  references: { type: ['array', 'string', 'integer', 'null'], items: { type: ['string', 'integer'] } },
  date: { type: ['string', 'null'], pattern: fileDatePattern },
} as const satisfies Readonly<Record<string, Schema>>;

/** A value and its form in a file. `parse(print(x))` equals x. */
export interface Scalar<T> {
  readonly form?: Schema;
  parse(raw: unknown, key: string): T;
  print(value: T): unknown;
}

export const text: Scalar<string> = {
  form: forms.text,
  parse(raw, key) {
    if (raw === null) return '';
    if (typeof raw === 'object')
      throw new FieldProblem(key, `${key} must be a text`, 'write it on one line, in quotes if need be');
    return String(raw);
  },
  print: (value) => value,
};

function readAsItIs<T>(type: 'integer' | 'boolean', what: string): Scalar<T> {
  return {
    form: { type },
    parse(raw, key) {
      if (typeof raw === (type === 'integer' ? 'number' : type)) return raw as T;
      throw new FieldProblem(key, `${key} must be ${what}, not ${show(raw)}`);
    },
    print: (value) => value,
  };
}

export const integer = readAsItIs<number>('integer', 'a whole number');
export const flag = readAsItIs<boolean>('boolean', 'true or false');

/** An enumeration. */
export function word<T extends string>(allowed: readonly T[]): Scalar<T> {
  return {
    form: { type: 'string', enum: allowed },
    parse(raw, key) {
      const found = allowed.find((name) => name === String(raw));
      if (found !== undefined) return found;
      throw new FieldProblem(key, `${show(raw)} is not a valid ${key}`, `one of ${allowed.join(', ')}`);
    },
    print: (value) => value,
  };
}

/** A list of strings; a single string counts as a list of one. */
export const texts: Scalar<readonly string[]> = {
  form: { type: ['array', 'string', 'number', 'boolean', 'null'], items: { type: ['string', 'number', 'boolean', 'null'] } },
  parse: (raw, key) => (raw === null ? [] : Array.isArray(raw) ? raw : [raw]).map((item) => text.parse(item, key)),
  print: (value) => value,
};

/** A map, unchanged. */
export const map: Scalar<Readonly<Record<string, unknown>>> = {
  form: { type: ['object', 'null'] },
  parse(raw, key) {
    if (raw === null) return {};
    if (typeof raw === 'object' && !Array.isArray(raw)) return raw as Record<string, unknown>;
    throw new FieldProblem(key, `${key} must be a map of names and values, not ${show(raw)}`);
  },
  print: (value) => value,
};

/** A file facet for a plain property, with its default. */
export function inFile<R, K extends keyof R & string>(
  prop: K,
  kind: Scalar<NonNullable<R[K]>>,
  fallback: R[K] | ((cx: FileContext) => R[K]),
  key: string = prop,
): FileFacet<R> {
  const absent = (cx: FileContext): R[K] =>
    typeof fallback === 'function' ? (fallback as (cx: FileContext) => R[K])(cx) : fallback;
  return {
    key,
    ...(kind.form ? { form: kind.form } : {}),
    read(raw, draft, cx) {
      draft[prop] = raw === undefined ? absent(cx) : kind.parse(raw, key);
    },
    print(record, cx) {
      const value = record[prop];
      return value === undefined || value === null || same(value, absent(cx))
        ? undefined
        : kind.print(value as NonNullable<R[K]>);
    },
  };
}

/** A field for one property, with one name in the file and for clients. `index`: whether lists can filter by it. */
export function plainField<R, K extends keyof R & string>(
  prop: K,
  kind: Scalar<NonNullable<R[K]>>,
  fallback: R[K],
  schema: Schema,
  { index = false } = {},
): Field<R, unknown> {
  return {
    schema,
    get: (record) => record[prop],
    ...(schema.readonly ? {} : { set: toRecord(prop) }),
    file: inFile(prop, kind, fallback),
    ...(index ? { index: { equal: (record: R) => record[prop] as Key } } : {}),
  };
}

type Key = string | number | readonly (string | number)[] | undefined;

/** The id, which is known before the fields are read. */
export const idFile: FileFacet<{ readonly id: number }> = { key: 'id', form: forms.id, read: () => {}, print: ({ id }) => id };

/** Reads all fields of a file into a draft. @throws FieldProblem for the first invalid value */
export function readFields<R>(
  fields: Fields<R, never>,
  data: Readonly<Record<string, unknown>>,
  draft: Draft<R>,
  cx: FileContext,
): void {
  for (const field of Object.values(fields)) field.file?.read(data[field.file.key], draft, cx, data);
}

/** A record with its path. */
export interface Placed<R> {
  readonly record: R;
  readonly cx: FileContext;
}

/** The front-matter changes from `before` to `after`; without `before`, everything but defaults. */
export function printFields<R>(fields: Fields<R, never>, after: Placed<R>, before?: Placed<R>): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const { file } of Object.values(fields)) {
    if (!file) continue;
    const value = file.print(after.record, after.cx);
    if (before ? !same(value, file.print(before.record, before.cx)) : value !== undefined) data[file.key] = value;
  }
  return data;
}

export function toRecord<R, K extends keyof R>(prop: K): Setter<R> {
  return (value, draft) => {
    draft[prop] = value as R[K];
  };
}

/** The changes in a write's parameters. @throws RestError of a setter */
export function setFields<R>(
  fields: Fields<R, never>,
  params: Readonly<Record<string, unknown>>,
  cx: SetContext<R>,
): FieldChanges<R> {
  const draft: FieldChanges<R> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = params[name];
    if (field.set && value !== undefined && (value !== null || field.schema?.type?.includes('null'))) field.set(value, draft, cx);
    if (field.inMeta && isMap(params.meta)) field.inMeta.set(params.meta, draft, cx);
  }
  return draft;
}

const keysOf = new WeakMap<object, readonly string[]>();

export function fileKeys<R>(fields: Fields<R, never>): readonly string[] {
  const known = keysOf.get(fields);
  if (known) return known;
  const keys = Object.values(fields).flatMap((field) => (field.file ? [field.file.key] : []));
  keysOf.set(fields, keys);
  return keys;
}

/** The public schema of a table of fields. */
export function schemasOf<R>(fields: Fields<R, never>): Schemas {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, { schema }]) => (schema ? [[name, schema]] : [])));
}

/** Whether a value is returned in a context; without contexts always. */
export function shownIn(schema: Schema, context: Context): boolean {
  return schema.context === undefined || schema.context.includes(context);
}

/** Structural equality of JSON-like values. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

function show(raw: unknown): string {
  return JSON.stringify(raw) ?? 'nothing';
}
