/** Names of months and days by the locale of the reader. */
import { expect, it } from 'vitest';
import { localDate, timeBetween } from '../../src/render/local-date.ts';

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

it.each([
  ['2009-01-01T10:00:00', '18 years ago'],
  ['2026-02-28T12:00:00', '1 year ago'],
  ['2026-09-01T12:00:00', '6 months ago'],
  ['2027-02-10T12:00:00', '3 weeks ago'],
  ['2027-02-27T06:00:00', '2 days ago'],
  ['2027-03-01T11:00:00', '1 hour ago'],
  ['2027-03-01T11:58:31', '1 minute ago'],
  ['2027-03-01T12:00:00', '1 second ago'],
  ['2027-03-03T12:00:00', '2 days from now'],
])('%s is %s', (local, said) => expect(timeBetween(local, '2027-03-01T12:00:00')).toBe(said));
