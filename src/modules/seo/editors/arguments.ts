/**
 * Values that clients of these routes send in more ways than one.
 */
import type { RestRequest } from '../../../kernel/rest/request.ts';

/** Whether a value counts as true: in JSON whatever is not empty, in a form or an address also not the word. */
export function readTruth(value: unknown, { json }: Pick<RestRequest, 'json'>, name: string): boolean {
  return json && Object.hasOwn(json, name) ? isTruthy(value) : readSwitch(value);
}

/** The same, where the word counts in JSON too. */
export function readSwitch(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'false' ? false : isTruthy(value);
}

/** Empty texts, lists and maps, 0 and `"0"` are not (observed). */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== '0' && Boolean(value);
}
