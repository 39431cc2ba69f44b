/**
 * What writes of several resources share: what of the request they pass on, and the answer to what is new.
 */
import { fail } from '../errors.ts';
import type { Extended } from '../extended.ts';
import { type FieldChanges, type Fields, setFields } from '../model/field.ts';
import type { Item } from './item.ts';
import { mergeParams } from './params.ts';
import { type Answer, answer, type Call } from './types.ts';

/** The change of a record that a write asks for, according to the setters of its fields. */
export function changesOf<R>(call: Call, fields: Fields<R, never>, before: R | undefined): FieldChanges<R> {
  const { params, site, request } = call;
  return setFields(fields, params, { before, zone: site.zone, readName: request.dialect.readWord, call });
}

/** What a write changes by fields of modules, for the input of a plan that names its own keys. Nothing where none was sent. */
export function addedChanges<R>(call: Call, { fields }: Extended, before: R | undefined): { readonly added?: FieldChanges<R> } {
  const added = changesOf<R>(call, fields, before);
  return Object.keys(added).length === 0 ? {} : { added };
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

/** @param path  of what was made */
export function created(call: Call, path: string, item: unknown, state?: string): Answer {
  return answer(item, { status: 201, headers: { Location: call.urls.rest(path) }, state });
}

/** Whether an argument that is not in the reference, nor in schemas, is true. */
export function isAsked({ request: { query, form, json } }: Call, name: string): boolean {
  return [true, 'true', '1', 1].includes(mergeParams(query, form, json)[name] as string);
}

/** Of what has no trash. @throws RestError rest_trash_not_supported */
export function requireForce({ params }: Call, what: string): void {
  if (!params.force) fail('rest_trash_not_supported', {}, `${what} do not support trashing. Set 'force=true' to delete.`);
}

/** Permanently removes an item. @returns what clients get: the item as it was */
export async function removed(item: Item, remove: () => Promise<unknown>): Promise<{ deleted: true; previous: unknown }> {
  await item.prepare();
  const previous = item.body;
  await remove();
  return { deleted: true, previous };
}
