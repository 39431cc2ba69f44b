/**
 * Values of files as the type that is declared for them. YAML keeps what it is not sure of as text, and a text may look like a
 * number (`isbn: 978`): the declaration decides. What cannot be read as its type is never shown as another one.
 */
import { isMap, table } from './maps.ts';
import { type JsonType, propertiesOf, type Schema } from './schema.ts';

/** A value as its schema's type; undefined if it cannot be read as that, or is not in the schema's enum. */
export function typedValue(schema: Schema, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (schema.type === undefined) return value;
  for (const type of [schema.type].flat()) {
    const read = readers[type]?.(value, schema);
    if (read !== undefined && isAllowed(schema, read)) return read;
  }
  return undefined;
}

/** What clients see of a stored value: as declared, the readable items of a list, else the default, which is null if there is none. */
export function shownValue(schema: Schema, stored: unknown): unknown {
  const { items } = schema;
  const value = stored === null ? undefined : typedValue(schema, stored);
  if (value !== undefined) return value;
  const some = Array.isArray(stored) && items ? stored.flatMap((item) => typedValue(items, item) ?? []) : [];
  return some.length > 0 ? (typedValue(schema, some) ?? schema.default ?? null) : (schema.default ?? null);
}

type Reader = (value: unknown, schema: Schema) => unknown;

const readers: Readonly<Record<JsonType, Reader>> = table({
  string: (value) => (isScalar(value) ? String(value) : undefined),
  integer(value) {
    const number = typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? number : undefined;
  },
  number(value) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  array(value, { items }) {
    if (!Array.isArray(value)) return undefined;
    if (!items) return value;
    const read = value.map((item) => typedValue(items, item));
    return read.includes(undefined) ? undefined : read;
  },
  object(value, schema) {
    if (!isMap(value)) return undefined;
    const declared = Object.entries(propertiesOf(schema)).filter(([name]) => Object.hasOwn(value, name));
    const read = declared.map(([name, property]): [string, unknown] => [name, typedValue(property, value[name])]);
    if (read.some(([, one]) => one === undefined)) return undefined;
    return read.length === 0 ? value : { ...value, ...Object.fromEntries(read) };
  },
  null: (value) => (value === null ? null : undefined),
});

/** Registered meta, each as its declared type, with its defaults; the reference prints an empty map as a list. */
export function metaOf(schemas: Readonly<Record<string, Schema>>, stored: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(schemas);
  return names.length === 0
    ? []
    : Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          name,
          shownValue(schema, Object.hasOwn(stored, name) ? stored[name] : undefined),
        ]),
      );
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isAllowed({ enum: allowed }: Schema, value: unknown): boolean {
  return (
    allowed === undefined || typeof value === 'object' || Object.values(allowed).some((one) => String(one) === String(value))
  );
}
