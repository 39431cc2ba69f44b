/**
 * Custom fields: what a site declares, and what items hold of it.
 *
 * A group of fields says where it belongs (`location`); the items there carry the values of its fields under `fields`, in files and
 * answers alike. Files hold stored forms: ids or names of what is referred to, never what is shown of it.
 *
 * Source: reference media-tools-menus-fields C.1 to C.3; decisions, "Where things are kept".
 */
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';

/** What a record holds, by the names of fields; unknown names stay in the file. */
export interface WithFields {
  readonly fields: FieldValues;
}

export type FieldValues = Readonly<Record<string, unknown>>;

export interface FieldGroup {
  readonly key: string;
  readonly title: string;
  /** Any of these lists of rules, each of which must hold. */
  readonly location: readonly (readonly LocationRule[])[];
  readonly fields: readonly FieldDefinition[];
}

/** What rules ask for. */
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
  /** What its type does. */
  readonly kind: FieldType;
  readonly label: string;
  /** May not be emptied. */
  readonly isRequired: boolean;
  /** Whether clients see it, and write it. */
  readonly isShown: boolean;
  readonly isWritable: boolean;
  /** Lists can ask for its values, and be sorted by them. */
  readonly isIndexed: boolean;
  /** Of an options page: whether visitors see it. */
  readonly isPublic: boolean;
  /** What the declaration says besides: `max`, `choices`, `return_format`, … */
  readonly options: Readonly<Record<string, unknown>>;
  /** Members of a group, or of the rows of a repeater. */
  readonly fields: readonly FieldDefinition[];
  /** Members of the rows of flexible content, by layout. */
  readonly layouts: ReadonlyMap<string, readonly FieldDefinition[]>;
}

/** Where a value comes from: clients name what they refer to by id, files by id or name. */
export type Origin = 'client' | 'file';

export interface FieldType {
  /** What its declaration may say besides, with what is wrong with a value of it. */
  readonly options?: Readonly<Record<string, OptionCheck>>;
  /** What clients send and files hold. */
  schema(definition: FieldDefinition): Schema;
  /**
   * The stored form of a value that is not null.
   * @param before  what is stored now; members of groups that are not sent stay
   * @throws ValueFault
   */
  accept(value: unknown, definition: FieldDefinition, from: Origin, before?: unknown): unknown;
  /** As front ends show it. @param stored  what `accept` gave */
  standard(stored: unknown, definition: FieldDefinition, call: FieldCall): unknown;
  /** Stored values, names of things as their ids. Default: as stored. */
  light?(stored: unknown, definition: FieldDefinition, call: FieldCall): unknown;
  references?(stored: unknown, definition: FieldDefinition): readonly FieldReference[];
  /** An empty text is a value of its own, not the lack of one. */
  readonly hasEmptyText?: true;
  /** One of those that a site declares by name and type: shown as it is, also without a value, with links to what it refers to. */
  readonly isPlain?: true;
  /** What lists find and sort a stored value by; absent: they cannot. */
  keyOf?(stored: unknown): string | number;
  /** Of what refers to things by several names: the clauses for those that refer to what has one of the ids. They are not sorted by it. */
  referring?(ids: readonly number[], index: string, definition: FieldDefinition, call: Call): readonly Clause[];
}

/** What is wrong with an option; null: nothing. */
export type OptionCheck = (value: unknown) => string | null;

/** Member of a row of flexible content that names its layout. */
export const layoutKey = 'fields_layout';

/** What a stored value refers to: an id, or the name that a file has for it. */
export interface FieldReference {
  readonly kind: 'post' | 'term' | 'user';
  readonly ref: number | string;
  /** Types or taxonomies it may be of; empty: any. */
  readonly among: readonly string[];
  /** Only pictures. */
  readonly isImage?: boolean;
  /** Where it stands below the value. */
  readonly keys: Keys;
}

export type Keys = readonly (string | number)[];

/** A value that its field cannot have. `keys` lead to it from the value of the field. */
export class ValueFault extends Error {
  readonly keys: Keys;
  constructor(message: string, keys: Keys = []) {
    super(message);
    this.keys = keys;
  }

  /** The same fault, seen from outside. */
  below(key: string | number): ValueFault {
    return new ValueFault(this.message, [key, ...this.keys]);
  }
}

/** Runs for a member of a value, so that its faults say where they are. @throws ValueFault */
export function atMember<T>(key: string | number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ValueFault ? error.below(key) : error;
  }
}

/** Entries of a list whose declaration names no `max`. */
const usualMax = 1000;

/** @param what  the entries are called @throws ValueFault */
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

/** A number, also one that YAML keeps as text; NaN for what is none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i.test(value)
    ? Number(value)
    : Number.NaN;
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
