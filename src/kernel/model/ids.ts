/** Ids: integers from 1 to `maxId`. */

/** Clients store ids in signed 32 bits, like the reference's. */
export const maxId = 2 ** 31 - 1;

/** Whether a value can be an id. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxId;
}
