/**
 * Custom fields declared in `site.yaml`, as registered meta. Declarations are untrusted: invalid ones are dropped here, so that no request meets
 * them.
 */
import { type MetaSchemas, DeclarationError } from './record.ts';
import { isMap, isObjectWord, mapOf, table } from '../../kernel/model/maps.ts';
import type { JsonType, Schema } from '../../kernel/model/schema.ts';
import { didYouMean } from '../../kernel/model/remark.ts';
import { nearest } from '../../kernel/model/spelling.ts';
import { faultOf } from '../../kernel/model/value-fault.ts';
import { typedValue } from '../../kernel/model/typed-value.ts';

const maxFields = 200;
const fieldTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object'];
const formats = ['date-time', 'uri', 'email', 'ip', 'uuid', 'hex-color', 'text-field', 'textarea-field'];

const emptyOf: Readonly<Partial<Record<JsonType, unknown>>> = table({
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
});

/** Custom fields as registered meta; a word means a type. @param report  receives invalid ones, which are dropped */
export function declaredFields(fields: unknown, report: (error: DeclarationError) => void): MetaSchemas {
  if (fields !== undefined && fields !== null && !isMap(fields))
    report(new DeclarationError(['fields'], 'fields must be a map of names and types'));
  const entries = Object.entries(mapOf(fields));
  if (entries.length > maxFields) report(new DeclarationError(['fields'], `there are more than ${maxFields} fields`));
  return Object.fromEntries(
    entries.slice(0, maxFields).flatMap(([name, raw]) => {
      try {
        return [[name, fieldOf(name, raw)]];
      } catch (error) {
        if (!(error instanceof DeclarationError)) throw error;
        report(error);
        return [];
      }
    }),
  );
}

function fieldOf(name: string, raw: unknown): Schema {
  if (isObjectWord(name) || !/^[^_\p{C}]\P{C}{0,254}$/u.test(name))
    throw new DeclarationError(
      ['fields', name],
      `a field cannot be called ${JSON.stringify(name)}: names with "_" in front are not the site's to declare`,
    );
  const row = typeof raw === 'string' ? { type: raw } : mapOf(raw);
  const type = typeOf(row.type ?? 'string', name, typeof raw === 'string' ? [] : ['type']);
  const said = Object.entries(sayable).flatMap(([key, isFit]): [string, unknown][] => {
    const value = Object.hasOwn(row, key) ? row[key] : undefined;
    if (value === undefined) return [];
    if (!isFit(value))
      throw new DeclarationError(['fields', name, key], `field "${name}" cannot have ${key}: ${JSON.stringify(value)}`);
    return [[key, value]];
  });
  const items =
    row.items === undefined ? {} : { items: { type: typeOf(isMap(row.items) ? row.items.type : row.items, name, ['items']) } };
  const { enum: allowed, ...others } = Object.fromEntries(said);
  const list = Array.isArray(allowed) ? { enum: allowed.flatMap((value) => typedValue({ type }, value) ?? []) } : {};
  const schema: Schema = { title: '', type, ...others, ...list, ...items };
  const stated = Object.hasOwn(row, 'default') ? row.default : undefined;
  const given = typedValue(schema, stated) ?? stated;
  const fault = given === undefined || given === null ? null : faultOf('default', schema, given);
  if (fault) throw new DeclarationError(['fields', name, 'default'], `field "${name}": ${fault.message}`);
  return { ...schema, default: given ?? emptyOf[type] };
}

function typeOf(given: unknown, name: string, below: readonly string[]): JsonType {
  const type = fieldTypes.find((one) => one === given);
  if (type === undefined)
    throw new DeclarationError(
      ['fields', name, ...below],
      `field "${name}" cannot have type ${JSON.stringify(given)}`,
      didYouMean(meant(String(given)), `types are ${fieldTypes.join(', ')}`),
    );
  return type;
}

/** Type names of other programs. */
const otherNames = new Map<string, JsonType>(
  Object.entries({
    text: 'string',
    date: 'string',
    url: 'string',
    int: 'integer',
    float: 'number',
    bool: 'boolean',
    list: 'array',
    map: 'object',
  } as const),
);

const meant = (word: string): string | undefined => otherNames.get(word.toLowerCase()) ?? nearest(word, fieldTypes);

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 2000;
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Allowed keys of a field. No patterns: a regular expression from a content file could stop the server. */
const sayable: Readonly<Record<string, (value: unknown) => boolean>> = {
  description: isText,
  title: isText,
  enum: (value) => Array.isArray(value) && value.length <= 1000 && value.every(isScalar),
  format: (value) => formats.some((one) => one === value),
  minimum: (value) => typeof value === 'number',
  maximum: (value) => typeof value === 'number',
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
};
