/**
 * Dates as people read them: names of months and days in the language of the reader.
 */
import { table } from '../kernel/model/maps.ts';
import { formatDate } from '../kernel/model/dates.ts';

/** Letters of PHP's `date` that are names, and how each is asked for. */
const names: Readonly<Record<string, Intl.DateTimeFormatOptions>> = table({
  F: { month: 'long' },
  M: { month: 'short' },
  l: { weekday: 'long' },
  D: { weekday: 'short' },
});

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * @param format  letters of PHP's `date`
 * @param local  site time, `YYYY-MM-DDTHH:MM:SS`
 * @param locale  `de_DE`; names of one that is not known are English
 */
export function localDate(format: string, local: string, zone: string, locale: string): string {
  if (/^en\b/.test(locale.replace('_', '-'))) return formatDate(format, local, zone);
  // Beside the day, some languages have another form of the month.
  const beside = /(?<!\\)[jd]/.test(format);
  const named = format.replace(/\\[\s\S]|[FMlD]/g, (letter) => {
    const name = letter.length === 1 ? nameOf(letter, local, locale, beside) : undefined;
    return name === undefined ? letter : name.replace(/[\s\S]/g, '\\$&');
  });
  return formatDate(named, local, zone);
}

/** Units of time in seconds, the longest first; of each as many as are nearest. Source: observed. */
const units: readonly (readonly [seconds: number, name: string])[] = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [7 * 86_400, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** How far a time is from the present: `18 years ago`, `2 days from now`. @param local, present  site time, `YYYY-MM-DDTHH:MM:SS` */
export function timeBetween(local: string, present: string): string {
  const seconds = Math.round((Date.parse(`${present}Z`) - Date.parse(`${local}Z`)) / 1000);
  const distance = Math.abs(seconds);
  const [length, name] = units.find(([one]) => distance >= one) ?? ([1, 'second'] as const);
  const count = Math.max(1, Math.round(distance / length));
  return `${count} ${name}${count === 1 ? '' : 's'} ${seconds < 0 ? 'from now' : 'ago'}`;
}

function nameOf(letter: string, local: string, locale: string, beside: boolean): string | undefined {
  const asked = names[letter] as Intl.DateTimeFormatOptions;
  const kind = asked.month ? 'month' : 'weekday';
  const found = formatterOf(locale, asked.month && beside ? { ...asked, day: 'numeric' } : asked);
  return found?.formatToParts(Date.parse(`${local}Z`)).find(({ type }) => type === kind)?.value;
}

/** Undefined where the locale is none. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | undefined {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key);
  if (known) return known;
  const tag = locale.replaceAll('_', '-');
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const made = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  formatters.set(key, made);
  return made;
}
