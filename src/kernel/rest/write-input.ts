/**
 * What writes of several resources share: the state they name, what of the request they pass on, and the answer to what is new.
 */
import { fail } from '../errors.ts';
import { same } from '../model/field.ts';
import type { Schema } from '../model/schema.ts';
import { shownValue } from '../model/typed-value.ts';
import { coerceValue } from './coerce.ts';
import { type Answer, answer, type Call } from './types.ts';
import { validateValue } from './validate.ts';

/**
 * The record to be written: a write that names a state (`If-Match`) applies to that state only. An answer's validator is the state,
 * a dot and a hash of the answer. Source: RFC 9110, 13.1.1.
 * @throws RestError rest_conflict
 */
export function inState<R extends { readonly etag: string }>({ request }: Call, record: R): R {
  const wanted = request.headers['if-match'];
  if (!wanted || wanted.trim() === '*') return record;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^"|"$/g, ''));
  return tags.some((tag) => tag === record.etag || tag.startsWith(`${record.etag}.`)) ? record : fail('rest_conflict');
}

/** The parameters that say something, by the key each has in the input of the domain. */
export function inputFrom<I>(params: Call['params'], keys: Readonly<Record<string, keyof I & string>>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(keys)) if (isGiven(params[name])) input[key] = params[name];
  return input;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Registered meta of a request over what is stored; null takes a value away; unregistered names are passed over.
 * @throws RestError the code of the schema's check, with `additional_data`
 */
export function metaInput(
  schemas: Readonly<Record<string, Schema>>,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...stored };
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (value === null) {
      delete next[name];
      continue;
    }
    const problem = validateValue(value, schema, `meta.${name}`);
    if (problem)
      fail(problem.code as never, { status: 400, ...(problem.data ? { additional: [problem.data] } : {}) }, problem.message);
    const clean = coerceValue(value, schema, `meta.${name}`);
    // What the file has and shows as this stays as it is written there: 978 for "978", or what cannot be read.
    if (Object.hasOwn(stored, name) && same(clean, shownValue(schema, stored[name]))) continue;
    if (clean === schema.default) delete next[name];
    else next[name] = clean;
  }
  return next;
}

/** @param path  of what was made */
export function created(call: Call, path: string, item: unknown, state?: string): Answer {
  return answer(item, { status: 201, headers: { Location: call.urls.rest(path) }, state });
}
