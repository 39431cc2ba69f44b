/**
 * Values from outside where a text or a number is expected. An object is neither: turning one into a text would call what it says of
 * itself (`toString`), and throws where it has no prototype.
 */

/** A string, number or boolean as text; '' otherwise. */
export function scalarText(value: unknown): string {
  return isScalar(value) ? String(value) : '';
}

/** A number, also from a string, a boolean or null; NaN otherwise. */
export function scalarNumber(value: unknown): number {
  return isScalar(value) || value === null ? Number(value) : Number.NaN;
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
