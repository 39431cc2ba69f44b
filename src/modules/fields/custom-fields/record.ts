/**
 * Custom fields: declarations and values.
 *
 * A group of fields has a `location`; items there have values under `fields`, in files and responses. Files contain stored forms: ids or names of
 * references, never their content.
 *
 * Source: reference media-tools-menus-fields C.1 to C.3; decisions, "Where things are kept".
 */
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Keys } from '../../../kernel/model/remark.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';

/** Values by field name; unknown names stay in the file. */
export interface WithFields {
  readonly fields: FieldValues;
}

export type FieldValues = Readonly<Record<string, unknown>>;

export interface FieldGroup {
  readonly key: string;
  readonly title: string;
  /** Alternatives of rules that must all match. */
  readonly location: readonly (readonly LocationRule[])[];
  readonly fields: readonly FieldDefinition[];
}

export const locationParams = ['type', 'template', 'parent', 'id', 'taxonomy', 'user_role', 'comment', 'options_page'] as const;
export type LocationParam = (typeof locationParams)[number];

export interface LocationRule {
  readonly param: LocationParam;
  /** False: `!=`. */
  readonly isEqual: boolean;
  readonly value: string;
}

export interface FieldDefinition {
  /** Unique over the site. */
  readonly key: string;
  /** Unique in its group, or among the members of a field. */
  readonly name: string;
  readonly type: string;
  readonly kind: FieldType;
  readonly label: string;
  /** Cannot be cleared. */
  readonly isRequired: boolean;
  /** Whether clients can read and write it. */
  readonly isShown: boolean;
  readonly isWritable: boolean;
  /** Lists can filter and sort by it. */
  readonly isIndexed: boolean;
  /** Of an options page: whether visitors see it. */
  readonly isPublic: boolean;
  /** Other options: `max`, `choices`, `return_format`, … */
  readonly options: Readonly<Record<string, unknown>>;
  /** Members of a group, or of a repeater's rows. */
  readonly fields: readonly FieldDefinition[];
  /** Members of flexible content, by layout. */
  readonly layouts: ReadonlyMap<string, readonly FieldDefinition[]>;
}

/** The origin of a value: clients send references as ids, files contain ids or names. */
export type Origin = 'client' | 'file';

export interface FieldType {
  /** Allowed options, with their validation. */
  readonly options?: Readonly<Record<string, OptionCheck>>;
  /** What clients send and files contain. */
  schema(definition: FieldDefinition): Schema;
  /**
   * The stored form of a non-null value.
   * @param before  the current value; missing members of groups are kept
   * @throws ValueFault
   */
  accept(value: unknown, definition: FieldDefinition, from: Origin, before?: unknown): unknown;
  /** The standard format. @param stored  from `accept` */
  standard(stored: unknown, definition: FieldDefinition, call: FieldCall): unknown;
  /** The light format, with ids for names. Default: as stored. */
  light?(stored: unknown, definition: FieldDefinition, call: FieldCall): unknown;
  references?(stored: unknown, definition: FieldDefinition): readonly FieldReference[];
  /** An empty string is a value. */
  readonly hasEmptyText?: true;
  /** A plain type: always returned, with links to references. */
  readonly isPlain?: true;
  /** Key of a stored value in lists; absent: not indexed. */
  keyOf?(stored: unknown): string | number;
  /** Clauses for values that refer to one of the ids, under any name. Such fields cannot be sorted by. */
  referring?(ids: readonly number[], index: string, definition: FieldDefinition, call: Call): readonly Clause[];
}

/** The error of an option; null if valid. */
export type OptionCheck = (value: unknown) => string | null;

/** Member of a flexible content row with its layout. */
export const layoutKey = 'fields_layout';

/** A reference in a value: an id, or a name in a file. */
export interface FieldReference {
  readonly kind: 'post' | 'term' | 'user';
  readonly ref: number | string;
  /** Allowed types or taxonomies; empty: any. */
  readonly among: readonly string[];
  /** Only images. */
  readonly isImage?: boolean;
  /** Its position below the value. */
  readonly keys: Keys;
}

/** An invalid value. `keys` is the path within the field's value. */
export class ValueFault extends Error {
  readonly keys: Keys;
  constructor(message: string, keys: Keys = []) {
    super(message);
    this.keys = keys;
  }

  /** The same error, one level up. */
  below(key: string | number): ValueFault {
    return new ValueFault(this.message, [key, ...this.keys]);
  }
}

/** Runs for a member, and adds its path to errors. @throws ValueFault */
export function atMember<T>(key: string | number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ValueFault ? error.below(key) : error;
  }
}

/** Default maximum of entries. */
const usualMax = 1000;

/** @param what  name of the entries @throws ValueFault */
export function checkCount({ length }: readonly unknown[], { options: { min, max } }: FieldDefinition, what: string): void {
  const most = max === undefined || Number(max) === 0 ? usualMax : Number(max);
  if (length > most) throw new ValueFault(`must have at most ${most} ${what}`);
  if (min !== undefined && length > 0 && length < Number(min)) throw new ValueFault(`must have at least ${min} ${what}`);
}

/** `fields[address][zip]`, as clients write it. */
export function memberName(name: string, keys: Keys): string {
  return ['fields', ...[name, ...keys].map((key) => `[${key}]`)].join('');
}

export const anyNumber: OptionCheck = (value) => (Number.isFinite(numberOf(value)) ? null : 'must be a number');
export const anyCount: OptionCheck = (value) =>
  Number.isInteger(value) && Number(value) >= 0 ? null : 'must be a whole number from 0';
export const anyFlag: OptionCheck = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
export const anyText: OptionCheck = (value) =>
  typeof value !== 'object' && String(value).length <= 2000 ? null : 'must be a text';
export const oneOf =
  (...words: readonly string[]): OptionCheck =>
  (value) =>
    words.includes(String(value)) ? null : `must be one of ${words.join(', ')}`;

/** A number, also from a YAML string; NaN if invalid. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i.test(value)
    ? Number(value)
    : Number.NaN;
}

/** A value in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
