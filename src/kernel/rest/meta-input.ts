/**
 * Registered meta of a write.
 */
import { fail } from '../errors.ts';
import { type FieldChanges, same, type SetContext } from '../model/field.ts';
import type { Schema } from '../model/schema.ts';
import { shownValue } from '../model/typed-value.ts';
import { coerceValue } from './coerce.ts';
import { validateValue } from './validate.ts';

interface WithMeta {
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The setter of registered meta. */
export function setMeta(schemas: Readonly<Record<string, Schema>>) {
  return (value: unknown, draft: FieldChanges<WithMeta>, { before, readName }: SetContext<WithMeta>): void => {
    const given = Object.entries(value as object).map(([name, member]) => [readName(name), member]);
    draft.meta = metaInput(schemas, Object.fromEntries(given), before?.meta ?? {});
  };
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
