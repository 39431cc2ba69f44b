/**
 * Preconditions of writes: `If-Match`, and the 412 of a write that names another state than the present one.
 */
import { fail } from '../errors.ts';
import type { Call } from './types.ts';

/**
 * The record to be written: a write that names a state (`If-Match`) applies to that state only. An answer's validator is the state,
 * a dot and a hash of the answer. Source: RFC 9110, 13.1.1.
 * @throws RestError rest_conflict
 */
export function inState<R extends { readonly etag: string }>(call: Call, record: R): R {
  return isStateNamed(call, record.etag) ? record : fail('rest_conflict');
}

/** Whether a write applies to this state. */
export function isStateNamed({ request }: Call, state: string): boolean {
  const wanted = request.headers['if-match'];
  if (!wanted || wanted.trim() === '*') return true;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^"|"$/g, ''));
  return tags.some((tag) => tag === state || tag.startsWith(`${state}.`));
}
