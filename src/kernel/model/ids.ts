/** Ids: whole numbers from 1 to `maxId`, whatever they are ids of. */

/** The highest id. Clients keep ids in 32 bits with a sign, as the reference's do. */
export const maxId = 2 ** 31 - 1;

/** Whether a value of a file, a source or a client can be an id. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxId;
}
