/**
 * Short names for values: the beginning of a digest of their JSON, so that what is alike has the same name.
 *
 * Source: behaviour of the reference (7.1), which writes `/` as `\/`, what is not ASCII as `\uXXXX`, and an empty map as a list.
 */
import { createHash } from 'node:crypto';

export function jsonDigest(value: unknown): string {
  const isEmptyMap = (one: unknown): boolean => typeof one === 'object' && one !== null && Object.keys(one).length === 0;
  const text = JSON.stringify(value, (_, one: unknown) => (isEmptyMap(one) ? [] : one))
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return createHash('md5').update(text).digest('hex').slice(0, 8);
}
