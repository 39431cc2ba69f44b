/** Names of months and days by the locale of the reader. */
import { expect, it } from 'vitest';
import { localDate } from '../../src/render/local-date.ts';

it.each([
  ['F j, Y', 'en_US', 'March 5, 2026'],
  ['j. F Y', 'de_DE', '5. März 2026'],
  ['l', 'de_DE', 'Donnerstag'],
  ['j F', 'pl_PL', '5 marca'],
  ['F Y', 'pl_PL', 'marzec 2026'],
  ['\\F\\l\\D j', 'de_DE', 'FlD 5'],
  ['Y-m-d H:i', 'fr_FR', '2026-03-05 16:07'],
  ['F', 'xx_not a locale', 'March'],
  ['F', '', 'March'],
])('%s in %s', (format, locale, shown) => {
  expect(localDate(format, '2026-03-05T16:07:09', 'Europe/Berlin', locale)).toBe(shown);
});
