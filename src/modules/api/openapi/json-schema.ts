/** Converts schemas of the API (draft 4 with extensions) to JSON Schema 2020-12, for OpenAPI 3.1. */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import type { ShownSchema } from './operations.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Standard formats. Dates have no zone here, so they are not `date-time`. */
const formats: Readonly<Record<string, string>> = table({ uri: 'uri', email: 'email', uuid: 'uuid' });

/** Keywords with the same meaning in both. */
const same = (
  'title description type multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties minimum maximum ' +
  'patternProperties additionalProperties items properties anyOf oneOf'
).split(' ');

/**
 * @param way  `in`: input, with required members and defaults; `out`: output. `_fields` may omit any member, and an empty map is an empty list there.
 */
export function toJsonSchema(given: ShownSchema, way: 'in' | 'out'): JsonSchema {
  const inner = (one: unknown): unknown => (isMap(one) ? toJsonSchema(one, way) : one);
  const schema = way === 'out' ? asShown(given) : given;
  const out: Record<string, unknown> = {};
  for (const key of same) if (schema[key] !== undefined) out[key] = schema[key];
  if (out.title === '') delete out.title;
  if (out.description === '') delete out.description;
  if (schema.type !== undefined) out.type = typeOf(schema.type);
  if (isMap(schema.items)) out.items = inner(schema.items);
  if (isMap(schema.additionalProperties)) out.additionalProperties = inner(schema.additionalProperties);
  for (const key of ['properties', 'patternProperties'])
    if (key in out) out[key] = Object.fromEntries(Object.entries(mapOf(schema[key])).map(([name, one]) => [name, inner(one)]));
  for (const key of ['anyOf', 'oneOf']) if (Array.isArray(schema[key])) out[key] = (schema[key] as unknown[]).map(inner);
  if (schema.enum !== undefined) out.enum = [...new Set(Object.values(schema.enum as object))];
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const)
    if (schema[exclusive] === true && out[bound] !== undefined) {
      out[exclusive] = out[bound];
      delete out[bound];
    }
  const format = formats[schema.format as string];
  if (format) out.format = format;
  if (typeof schema.pattern === 'string') out.pattern = unicodePattern(schema.pattern);
  if (schema.readonly === true) out.readOnly = true;
  if (Array.isArray(schema.context)) out['x-context'] = schema.context;
  return way === 'in' ? sent(schema, out) : answered(out);
}

/**
 * Output may be null if the schema says so, if null is the default, or if the default is not an allowed value. `oneOf` becomes `anyOf`, as formats
 * are not checked.
 */
export function asShown({ oneOf, ...schema }: ShownSchema): ShownSchema {
  const { type, enum: allowed, default: standard } = schema;
  const types = [type ?? []].flat();
  const values = isMap(allowed) || Array.isArray(allowed) ? Object.values(allowed) : null;
  const isNullable =
    types.includes('null') || standard === null || (values !== null && standard !== undefined && !values.includes(standard));
  const forms = oneOf === undefined ? {} : { anyOf: oneOf };
  if (!isNullable || types.length === 0) return { ...schema, ...forms };
  return {
    ...schema,
    ...forms,
    type: [...new Set([...types, 'null'])],
    ...(values === null ? {} : { enum: [...new Set([...values, null])] }),
  };
}

function sent(schema: ShownSchema, out: Record<string, unknown>): JsonSchema {
  const required = Object.entries(mapOf(schema.properties)).flatMap(([name, one]) =>
    mapOf(one).required === true ? [name] : [],
  );
  const named = Array.isArray(schema.required) ? (schema.required as string[]) : required;
  if (named.length > 0) out.required = named;
  if (schema.default !== undefined) out.default = schema.default;
  // Texts with several forms are sent as a string, or as the raw form.
  if (out.type === 'object' && 'raw' in mapOf(schema.properties)) out.type = ['string', 'object'];
  return out;
}

/** A fixed value for writers may differ in a file. */
function answered(out: Record<string, unknown>): JsonSchema {
  if (out.type === 'object') return { ...out, type: ['object', 'array'], maxItems: 0 };
  return out;
}

/** `bool` is an alias in the reference. */
function typeOf(type: unknown): unknown {
  const types = [type].flat().map((one) => (one === 'bool' ? 'boolean' : one));
  return types.length === 1 ? types[0] : types;
}

/** The same pattern with flag `u`, which does not allow needless escapes. */
export function unicodePattern(pattern: string): string {
  return pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, '$1').replace(/\\_/g, '_');
}
