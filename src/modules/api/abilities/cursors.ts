/**
 * Long answers in parts: a cursor says where the next one begins. Whoever asks passes it back as it is.
 */
import { fail } from '../../../kernel/errors.ts';
import type { Schema } from '../../../kernel/model/schema.ts';

export const cursor: Schema = {
  type: 'string',
  description: '`next` of the answer before, for what follows it.',
  maxLength: 200,
};
export const next: Schema = { type: 'string', description: 'The cursor for what follows. Absent at the end.' };

export function toCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Numbers of a cursor; zeros without one. @throws RestError ability_invalid_input */
export function fromCursor(sent: string | undefined, size: number): number[] {
  if (sent === undefined || sent === '') return Array<number>(size).fill(0);
  try {
    const read: unknown = JSON.parse(Buffer.from(sent, 'base64url').toString('utf8'));
    if (Array.isArray(read) && read.length === size && read.every((one) => Number.isSafeInteger(one) && one >= 0)) return read;
  } catch {
    // Said below.
  }
  return fail('ability_invalid_input', {}, 'The cursor is not one of an earlier answer.');
}

/** A part of a list, with the cursor for the next. @param limit  undefined: all of it */
export function pageOf<T>(
  all: readonly T[],
  sent: string | undefined,
  limit = all.length,
): readonly [part: readonly T[], next: { readonly next?: string }] {
  const [from = 0] = fromCursor(sent, 1);
  const end = from + limit;
  return [all.slice(from, end), end < all.length ? { next: toCursor([end]) } : {}];
}
