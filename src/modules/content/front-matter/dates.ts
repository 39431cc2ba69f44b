/** Dates in the formats found in front matter: our own, slashes, month names, mail dates, Unix timestamps. */
import { table } from '../../../kernel/model/maps.ts';
import { printGmt } from '../../../kernel/model/dates.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Time zone abbreviations as offsets. */
const letters: Readonly<Record<string, string>> = table({
  UTC: '+00:00',
  GMT: '+00:00',
  Z: '+00:00',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
  BST: '+01:00',
  JST: '+09:00',
});
const clock = '(?:,?[T ]+(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:\\.\\d+)?)?)?\\s*(Z|[A-Z]{2,4}|[+-]\\d\\d:?\\d\\d)?';
const yearFirst = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${clock}$`);
const monthFirst = new RegExp(`^([A-Za-z]{3,9})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})${clock}$`);
const dayFirst = new RegExp(`^(?:[A-Za-z]{3,9},? )?(\\d{1,2})(?:st|nd|rd|th)?\\.? ([A-Za-z]{3,9})\\.?,? (\\d{4})${clock}$`);

function epoch(value: number): string {
  const ms = value > 1e11 ? value : value > 1e8 ? value * 1000 : Number.NaN;
  return Number.isNaN(ms) || ms > 8e15 ? '' : `${printGmt(ms)}Z`;
}

/** A text or number as one of our file dates; null if it is not a date. */
export function usualDate(raw: unknown): string | null {
  const text = typeof raw === 'number' ? epoch(raw) : typeof raw === 'string' ? raw.trim().replace(/\s+/g, ' ') : '';
  const year = yearFirst.exec(text);
  if (year) return join(year[1], year[2], year[3], year.slice(4));
  const month = monthFirst.exec(text);
  if (month) return join(month[3], numberOf(month[1]), month[2], month.slice(4));
  const day = dayFirst.exec(text);
  return day ? join(day[3], numberOf(day[2]), day[1], day.slice(4)) : null;
}

function join(
  year = '',
  month = '',
  day = '',
  [hour, minute, second, zone]: readonly (string | undefined)[] = [],
): string | null {
  const offset = zone === undefined ? '' : /^[A-Z]/.test(zone) ? letters[zone] : zone;
  if (month === '' || offset === undefined) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return hour === undefined ? date : `${date}T${hour.padStart(2, '0')}:${minute}:${second ?? '00'}${offset}`;
}

function numberOf(name = ''): string {
  const at = months.indexOf(name.slice(0, 3).toLowerCase());
  return at === -1 ? '' : String(at + 1);
}
