/**
 * A value of a file against the schema of its setting or custom field.
 */
import { isMap, table } from './maps.ts';
import type { Schema } from './schema.ts';
import { nearest } from './spelling.ts';
import { didYouMean, type Remark, sayer, valueRules } from './remark.ts';
import { isUrl } from './addresses.ts';

const say = sayer(valueRules);

/** Why a value does not fit; null if it does. Any scalar is accepted as a text. */
export function faultOf(key: string, schema: Schema, value: unknown): Remark | null {
  const { type, minimum, maximum, minLength, maxLength, pattern, format } = schema;
  const shown = JSON.stringify(value);
  const fault = (message: string, hint?: string): Remark => say(`field:${key}`, message, hint);
  const types = [type ?? []].flat();
  if (types.length > 0 && !types.some((one) => fits[one](value))) {
    return fault(
      `${key} must be ${types.map((one) => words[one]).join(' or ')}, not ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`,
    );
  }
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && minimum !== undefined && Number(value) < minimum) return fault(`${key} must be at least ${minimum}`);
  if (isNumber && maximum !== undefined && Number(value) > maximum) return fault(`${key} must be at most ${maximum}`);
  if (typeof value === 'string' && minLength !== undefined && value.length < minLength)
    return fault(`${key} must have at least ${minLength} characters`);
  if (typeof value === 'string' && maxLength !== undefined && value.length > maxLength)
    return fault(`${key} must have at most ${maxLength} characters`);
  const allowed = schema.enum === undefined ? undefined : Object.values(schema.enum).map(String);
  if (allowed && !allowed.includes(String(value))) {
    return fault(`${shown} is not a valid ${key}`, didYouMean(nearest(String(value), allowed), `one of ${allowed.join(', ')}`));
  }
  if (format === 'uri' && value !== '' && !(/^https?:/i.test(String(value)) && isUrl(String(value)))) {
    return fault(`${shown} is not an address`, 'write it with its scheme: https://example.com');
  }
  if (pattern !== undefined && !new RegExp(pattern).test(String(value))) return fault(`${key} does not have the form ${pattern}`);
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const item of value) {
      const inner = item === null ? null : faultOf(key, schema.items, item);
      if (inner) return inner;
    }
  }
  return null;
}

type Word = NonNullable<Exclude<Schema['type'], readonly unknown[]>>;

const fits: Readonly<Record<Word, (value: unknown) => boolean>> = table({
  string: (value) => typeof value !== 'object',
  integer: (value) => typeof value === 'number',
  number: (value) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isMap,
  null: (value) => value === null,
});

const words: Readonly<Record<Word, string>> = table({
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of names and values',
  null: 'empty',
});
