/**
 * Validation of one value against a schema: the reference's checks, in its order and with its codes.
 *
 * What a query string can only say as text counts as what it stands for: `"5"` is an integer, `"1,2"` a list,
 * `"true"` a boolean, `""` an empty object. The readers of such values are shared with `coerce.ts`.
 * Source: behaviour of the reference 6.9.
 */
import { table } from '../model/maps.ts';
import { isIP } from 'node:net';
import { parseDateTime } from '../model/dates.ts';
import { type JsonType, propertiesOf, type Schema } from '../model/schema.ts';
import { isUnsafeKey } from './params.ts';

/** Why a value does not fit, as `details` shows it. */
export interface Invalid {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * The first thing wrong with a value, or null.
 *
 * @param param  name of the value in messages and data; members are `param[0]`, `param[name]`
 */
export function validateValue(value: unknown, schema: Schema, param: string): Invalid | null {
  const match = matchSchema(value, schema, param);
  if (match && 'code' in match) return match;
  const declared = schema.type ?? match?.type;
  const type = typeof declared === 'object' ? bestType(value, declared) : declared;
  if (type === null) return notOfType(param, declared);
  const wrong = type === undefined ? null : checks[type](value, schema, param);
  if (wrong) return wrong;
  const allowed = Object.values(schema.enum ?? {});
  if (allowed.length > 0) {
    const read = JSON.stringify(stable(readAs(value, type)));
    if (!allowed.some((one) => JSON.stringify(stable(one)) === read)) {
      return invalid('rest_not_in_enum', `${param} is not ${allowed.length === 1 ? '' : 'one of '}${list(allowed)}.`);
    }
  }
  const format = type === undefined || type === 'string' ? formats[schema.format ?? ''] : undefined;
  return format && !format.fits(String(value)) ? invalid(format.code, format.message(param)) : null;
}

/**
 * The member of `anyOf` or `oneOf` that a value fits, with the outer type when it has none of its own.
 *
 * @returns  null when the schema has neither; why when nothing fits, or more than one of `oneOf`
 */
export function matchSchema(value: unknown, schema: Schema, param: string): Schema | Invalid | null {
  const choices = schema.oneOf ?? schema.anyOf;
  if (!choices) return null;
  const failures: Failure[] = [];
  const fitting: { readonly member: Schema; readonly position: number }[] = [];
  for (const [position, choice] of choices.entries()) {
    const member = choice.type === undefined && schema.type !== undefined ? { ...choice, type: schema.type } : choice;
    const wrong = validateValue(value, member, param);
    if (wrong) failures.push({ wrong, member, position });
    else fitting.push({ member, position });
  }
  if (fitting.length === 0) return noMatch(value, param, failures);
  if (fitting.length === 1 || !schema.oneOf) return fitting[0]?.member ?? null;
  const titles = fitting.flatMap(({ member }) => member.title ?? []);
  const names = titles.length === fitting.length ? list(titles) : 'more than one of the expected formats';
  const positions = fitting.map(({ position }) => position);
  return invalid('rest_one_of_multiple_matches', `${param} matches ${names}, but should match only one.`, { positions });
}

/** The first of the types that a value can be read as, or null. Empty text is text wherever text is allowed. */
export function bestType(value: unknown, types: readonly JsonType[]): JsonType | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => isOfType[type](value)) ?? null;
}

/** A value as a list: itself, the words of a text separated by commas or spaces, a map with numbers as keys; else null. */
export function readList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).every((key) => /^-?\d+$/.test(key)) ? Object.values(value) : null;
  if (typeof value === 'boolean') return value ? ['1'] : [];
  return value === null || value === undefined
    ? null
    : String(value)
        .split(/[\s,]+/)
        .filter((word) => word !== '');
}

/** A value as a map, without unsafe names; a list has its indexes as names. Else null. */
export function readObject(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (value === '') return [];
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).filter(([name]) => !isUnsafeKey(name));
}

export function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : null;
}

export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null;
}

/** The schema of a member of an object: declared, by pattern, or for all others; undefined when free, false when forbidden. */
export function memberSchema(schema: Schema, name: string): Schema | false | undefined {
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, name)) return properties[name];
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) if (fitsPattern(pattern, name)) return member;
  return schema.additionalProperties === true ? undefined : schema.additionalProperties;
}

export function invalid(code: string, message: string, data: Invalid['data'] = null): Invalid {
  return { code, message, data };
}

type Check = (value: unknown, schema: Schema, param: string) => Invalid | null;

const checks: Readonly<Record<JsonType, Check>> = table({
  null: (value, _schema, param) => (value === null ? null : notOfType(param, 'null')),
  boolean: (value, _schema, param) => (readBoolean(value) === null ? notOfType(param, 'boolean') : null),
  string: checkString,
  number: checkNumber,
  integer: (value, schema, param) =>
    checkNumber(value, schema, param) ?? (Number.isInteger(readNumber(value)) ? null : notOfType(param, 'integer')),
  array: checkArray,
  object: checkObject,
});

const isOfType: Readonly<Record<JsonType, (value: unknown) => boolean>> = table({
  null: (value) => value === null,
  boolean: (value) => readBoolean(value) !== null,
  string: (value) => typeof value === 'string',
  number: (value) => readNumber(value) !== null,
  integer: (value) => Number.isInteger(readNumber(value)),
  array: (value) => readList(value) !== null,
  object: (value) => readObject(value) !== null,
});

function checkString(value: unknown, schema: Schema, param: string): Invalid | null {
  if (typeof value !== 'string') return notOfType(param, 'string');
  const { minLength, maxLength, pattern } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...value].length;
    if (length < (minLength ?? 0)) return invalid('rest_too_short', `${param} must be at least ${minLength} characters long.`);
    if (length > (maxLength ?? length)) return invalid('rest_too_long', `${param} must be at most ${maxLength} characters long.`);
  }
  if (pattern === undefined || fitsPattern(pattern, value)) return null;
  return invalid('rest_invalid_pattern', `${param} does not match pattern ${pattern}.`);
}

function checkNumber(value: unknown, schema: Schema, param: string): Invalid | null {
  const number = readNumber(value);
  if (number === null) return notOfType(param, 'number');
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (multipleOf && !isMultiple(number, multipleOf))
    return invalid('rest_invalid_multiple', `${param} must be a multiple of ${multipleOf}.`);
  const fits =
    (exclusiveMinimum ? number > minimum : number >= minimum) && (exclusiveMaximum ? number < maximum : number <= maximum);
  if (fits) return null;
  const bounds = [
    ...(schema.minimum === undefined ? [] : [`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`]),
    ...(schema.maximum === undefined ? [] : [`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`]),
  ];
  return invalid('rest_out_of_bounds', `${param} must be ${bounds.join(' and ')}.`);
}

function checkArray(value: unknown, schema: Schema, param: string): Invalid | null {
  const items = readList(value);
  if (!items) return notOfType(param, 'array');
  const { items: member, minItems, maxItems, uniqueItems } = schema;
  for (let at = 0; member && at < items.length; at++) {
    const wrong = validateValue(items[at], member, `${param}[${at}]`);
    if (wrong) return wrong;
  }
  if (items.length < (minItems ?? 0)) return invalid('rest_too_few_items', `${param} must have at least ${minItems} items.`);
  if (items.length > (maxItems ?? Infinity))
    return invalid('rest_too_many_items', `${param} must have at most ${maxItems} items.`);
  if (!uniqueItems) return null;
  const type = typeof member?.type === 'string' ? member.type : undefined;
  const distinct = new Set(items.map((item) => JSON.stringify(stable(readAs(item, type)))));
  return distinct.size < items.length ? invalid('rest_duplicate_items', `${param} has duplicate items.`) : null;
}

function checkObject(value: unknown, schema: Schema, param: string): Invalid | null {
  const members = readObject(value);
  if (!members) return notOfType(param, 'object');
  const names = new Set(members.map(([name]) => name));
  for (const name of requiredNames(schema)) {
    if (!names.has(name)) return invalid('rest_property_required', `${name} is a required property of ${param}.`);
  }
  for (const [name, member] of members) {
    const declared = memberSchema(schema, name);
    if (declared === undefined) continue;
    if (declared === false)
      return invalid('rest_additional_properties_forbidden', `${name} is not a valid property of ${param}.`);
    const wrong = validateValue(member, declared, `${param}[${name}]`);
    if (wrong) return wrong;
  }
  const { minProperties = 0, maxProperties = Infinity } = schema;
  if (names.size < minProperties)
    return invalid('rest_too_few_properties', `${param} must have at least ${minProperties} properties.`);
  if (names.size > maxProperties)
    return invalid('rest_too_many_properties', `${param} must have at most ${maxProperties} properties.`);
  return null;
}

/** A list on the object, or the flag on each property. */
function requiredNames(schema: Schema): readonly string[] {
  if (typeof schema.required === 'object') return schema.required;
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => (property.required === true ? name : []));
}

const formats: Readonly<Record<string, { code: string; message: (param: string) => string; fits: (text: string) => boolean }>> =
  table({
    'hex-color': {
      code: 'rest_invalid_hex_color',
      message: () => 'Invalid hex color.',
      fits: (text) => /^#(?:[\da-f]{3}){1,2}$/i.test(text),
    },
    'date-time': { code: 'rest_invalid_date', message: () => 'Invalid date.', fits: (text) => parseDateTime(text) !== null },
    email: { code: 'rest_invalid_email', message: () => 'Invalid email address.', fits: isEmail },
    ip: {
      code: 'rest_invalid_ip',
      message: (param) => `${param} is not a valid IP address.`,
      fits: (text) => isIP(text) > 0 && !text.includes('%'),
    },
    uuid: {
      code: 'rest_invalid_uuid',
      message: (param) => `${param} is not a valid UUID.`,
      fits: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text),
    },
  });

/** The reference's idea of an address: at least six characters, a dotted host of letters, digits and inner hyphens. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (text.length < 6 || at < 1) return false;
  const labels = text.slice(at + 1).split('.');
  const isHost = labels.length > 1 && labels.every((label) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(label));
  return isHost && /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(text.slice(0, at));
}

interface Failure {
  readonly wrong: Invalid;
  readonly member: Schema;
  readonly position: number;
}

/** When one member was meant (the only one, the only one of the type, the one whose properties occur most), its reason. */
function noMatch(value: unknown, param: string, failures: readonly Failure[]): Invalid {
  const meant = findMeant(value, param, failures);
  if (meant) {
    const format =
      meant.member.title === undefined ? 'does not match the expected format' : `is not a valid ${meant.member.title}`;
    return invalid('rest_no_matching_schema', `${param} ${format}. Reason: ${meant.wrong.message}`, { position: meant.position });
  }
  const titles = failures.flatMap(({ member }) => member.title ?? []);
  const format =
    titles.length === failures.length ? `is not a valid ${list(titles, 'and')}` : 'does not match any of the expected formats';
  return invalid('rest_no_matching_schema', `${param} ${format}.`);
}

function findMeant(value: unknown, param: string, failures: readonly Failure[]): Failure | undefined {
  if (failures.length === 1) return failures[0];
  const typed = failures.filter(({ wrong }) => wrong.code !== 'rest_invalid_type' || wrong.data?.param !== param);
  if (typed.length === 1) return typed[0];
  const members = typed.length > 1 ? readObject(value) : null;
  let best: Failure | undefined;
  let most = 0;
  for (const failure of members ? typed : []) {
    const properties = propertiesOf(failure.member);
    const count = (members ?? []).filter(([name]) => Object.hasOwn(properties, name)).length;
    if (count > most) [best, most] = [failure, count];
  }
  return best;
}

function notOfType(param: string, type: Schema['type']): Invalid {
  return invalid('rest_invalid_type', `${param} is not of type ${list([type].flat())}.`, { param });
}

function readAs(value: unknown, type: JsonType | undefined): unknown {
  if (type === 'integer' || type === 'number') return readNumber(value);
  if (type === 'boolean') return readBoolean(value);
  if (type === 'array') return readList(value);
  return value;
}

/** With the keys of objects in one order, so that equal values print alike. */
function stable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(stable);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, stable(member)]),
  );
}

/** Decimal steps as people mean them: 0.3 is a multiple of 0.1. */
function isMultiple(number: number, step: number): boolean {
  const quotient = number / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Patterns come from declarations, so there are few of them. */
const patterns = new Map<string, RegExp>();

function fitsPattern(pattern: string, text: string): boolean {
  // The reference's patterns escape signs that need none (`\\%`), which is an error here.
  const compiled = patterns.get(pattern) ?? new RegExp(looseEnds(pattern).replace(/\\([%<>@"'#&~`!:;=,])/g, '$1'), 'u');
  patterns.set(pattern, compiled);
  return compiled.test(text);
}

/** Without `.*` at its ends, which changes no match: only how often a long text is gone over to find that there is none. */
function looseEnds(pattern: string): string {
  return pattern.replace(/^\.\*/, '').replace(/(?<!\\)\.\*$/, '');
}

function list(values: readonly unknown[], last = 'or'): string {
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
