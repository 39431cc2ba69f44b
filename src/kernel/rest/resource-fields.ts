/**
 * Short ways to declare the fields of a resource: the type, the sentence that clients see, and whatever else there is to say.
 */
import type { Field } from '../model/field.ts';
import { embedFirst, everywhere, type JsonType, type Schema } from '../model/schema.ts';

/** Further keywords of the schema, and the other facets. */
type More<R, V> = Omit<Schema, 'description' | 'type'> & Omit<Field<R, V>, 'schema'>;
type Declare = <R, V>(description: string, more?: More<R, V>) => Field<R, V>;

export function field<R, V>(
  type: JsonType | readonly JsonType[],
  description: string,
  { get, set, file, index, ...schema }: More<R, V> = {},
): Field<R, V> {
  return {
    schema: { description, type, ...schema },
    ...(get ? { get } : {}),
    ...(set ? { set } : {}),
    ...(file ? { file } : {}),
    ...(index ? { index } : {}),
  };
}

const ofType =
  (type: JsonType): Declare =>
  (description, more) =>
    field(type, description, more);

export const text = ofType('string');
export const bool = ofType('boolean');
export const integer = ofType('integer');
export const number = ofType('number');
export const list = ofType('array');
export const object = ofType('object');

/** Read-only in every context. */
export const shown = { context: everywhere, readonly: true } as const;
/** Read-only in every context, of resources that state `embed` first. */
export const shownFirst = { context: embedFirst, readonly: true } as const;
