/**
 * Schemas of the interface (draft 4 with words of its own) as JSON Schema 2020-12, which OpenAPI 3.1 is made of.
 */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import type { ShownSchema } from './operations.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Formats that others know. Dates have no zone here, which `date-time` would promise. */
const formats: Readonly<Record<string, string>> = table({ uri: 'uri', email: 'email', uuid: 'uuid' });

/** Keywords that mean the same in both. */
const same = (
  'title description type multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties minimum maximum ' +
  'patternProperties additionalProperties items properties anyOf oneOf'
).split(' ');

/**
 * @param way  `in`: what clients send, with what is required and the defaults; `out`: what they get. An answer may be narrowed by
 * `_fields`, so none of its members is required, and an empty map is an empty list there.
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
 * What an answer shows may be null where the schema says so, where nothing is the default, and where the default is none of the values
 * that are allowed. Of `oneOf` several forms may fit, as no format is checked.
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
  // Texts that are shown in several forms are sent as they are, or as the form they are written in.
  if (out.type === 'object' && 'raw' in mapOf(schema.properties)) out.type = ['string', 'object'];
  return out;
}

/** What is fixed for those who write may be otherwise in a file. */
function answered(out: Record<string, unknown>): JsonSchema {
  if (out.type === 'object') return { ...out, type: ['object', 'array'], maxItems: 0 };
  return out;
}

/** `bool` is a word of the reference. */
function typeOf(type: unknown): unknown {
  const types = [type].flat().map((one) => (one === 'bool' ? 'boolean' : one));
  return types.length === 1 ? types[0] : types;
}

/** The same pattern for validators that compile with the flag `u`, which knows no needless escapes. */
export function unicodePattern(pattern: string): string {
  return pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, '$1').replace(/\\_/g, '_');
}
