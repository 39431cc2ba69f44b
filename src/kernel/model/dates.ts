/**
 * Dates: site time ↔ GMT, the forms clients send, the form files hold, and the site's display formats.
 *
 * A moment is a pair of texts `YYYY-MM-DDTHH:MM:SS`, one in site time and one in GMT, neither with a suffix.
 * A zone is a name (`Europe/Berlin`) or a fixed offset (`+02:00`, `UTC+2`, `UTC-3.5`, `UTC`).
 */
import { table } from './maps.ts';
import { fail } from '../errors.ts';
import { DAY, HOUR, MINUTE, offsetAt, resolveLocal, type Zone, zoneOf } from './zones.ts';

/** An instant, in site time and in GMT. */
export interface Moment {
  readonly local: string;
  readonly gmt: string;
}

/** Whether a time zone is supported. */
export function isZone(zone: string): boolean {
  try {
    zoneOf(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * GMT of a site time. The hour skipped in spring counts as one hour later; of the hour repeated in autumn it is the second.
 *
 * @throws RangeError for an unknown zone or a text of another form
 */
export function toGmt(local: string, zone: string): string {
  return printGmt(resolveLocal(read(local), zoneOf(zone)));
}

/** Site time of a GMT time. @throws RangeError for an unknown zone or a text of another form */
export function toLocal(gmt: string, zone: string): string {
  const at = read(gmt);
  return printGmt(at + offsetAt(zoneOf(zone), at));
}

/** A valid site time: one skipped in spring is an hour later. @throws RangeError as `toGmt` */
export function shownLocal(local: string, zone: string): string {
  const place = zoneOf(zone);
  const at = read(local);
  const gmt = resolveLocal(at, place);
  const shown = gmt + offsetAt(place, gmt);
  return shown === at ? local : printGmt(shown);
}

/** Offset of the zone in hours at an instant (milliseconds since the epoch): 2, 5.5, -3. */
export function offsetHours(zone: string, at: number): number {
  return offsetAt(zoneOf(zone), at) / HOUR;
}

/** An instant (milliseconds since the epoch) as GMT, without fractions. */
export function printGmt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** Year and month of a date as folders: `2026/03`. */
export function monthOf(date: string): string {
  return `${date.slice(0, 4)}/${date.slice(5, 7)}`;
}

/** An instant (milliseconds since the epoch), without fractions. */
export function now(zone: string, ms: number): Moment {
  return momentAt(Math.floor(ms / 1000) * 1000, zoneOf(zone));
}

/** The zero date: it is before all others, and nothing can have it (observed). */
export const beforeAll = '-000001-11-30T00:00:00';
const CLIENT_FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::\d\d)?)?$/;

/**
 * Reads a date as clients send it: seconds are required, a fraction is dropped, `Z`, `+HH` and `+HH:MM` are understood.
 * Days past the end of a month roll over (`2023-02-29` is 1 March); what no month or clock has is null.
 *
 * @returns  the time as written, normalised, and its offset in minutes, null when none was given
 * Source: behaviour of the reference 6.9.
 */
export function parseDateTime(text: string): { readonly local: string; readonly offsetMinutes: number | null } | null {
  const found = CLIENT_FORM.exec(text);
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  // Fast path: days and times that always exist.
  if (found[7] === undefined && month > 0 && day > 0 && day < 29 && hour < 24 && second < 60)
    return { local: `${text.slice(0, 10)}T${text.slice(11, 19)}`, offsetMinutes: null };
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, second);
  const offsetMinutes = found[7] === undefined ? null : readOffset(found[7]);
  const isKnown = at.getUTCFullYear() <= 9999 && (found[7] === undefined || offsetMinutes !== null);
  return isKnown ? { local: at.getUTCFullYear() < 0 ? beforeAll : printGmt(at.getTime()), offsetMinutes } : null;
}

/**
 * The moment a write asks for by `date` and `date_gmt`; `date` wins, an offset in either is honoured.
 *
 * @returns  null when one of them is null: back to no date of its own; undefined when neither says anything
 * Source: behaviour of the reference 6.9.
 */
export function resolveDates(
  dates: { readonly date?: unknown; readonly date_gmt?: unknown },
  zone: string,
): Moment | null | undefined {
  if (dates.date === null || dates.date_gmt === null) return null;
  const given = dates.date ? dates.date : dates.date_gmt;
  const parsed = typeof given === 'string' && given !== '' ? parseDateTime(given) : null;
  if (!parsed) return undefined;
  if (parsed.local === beforeAll) fail('invalid_date');
  const place = zoneOf(zone);
  const written = read(parsed.local);
  const isLocal = parsed.offsetMinutes === null && Boolean(dates.date);
  const moment = momentAt(isLocal ? resolveLocal(written, place) : written - (parsed.offsetMinutes ?? 0) * MINUTE, place);
  // Years have four digits.
  return /^(?!0000)\d/.test(moment.local) && /^(?!0000)\d/.test(moment.gmt) ? moment : fail('invalid_date');
}

/** A date in a file: site time, with an offset only if the zone is ambiguous. */
export function printFileDate(local: string, gmt: string, zone: string): string {
  if (toGmt(local, zone) === gmt) return local;
  const minutes = (read(local) - read(gmt)) / MINUTE;
  return Number.isInteger(minutes) && Math.abs(minutes) < 24 * 60 ? local + printOffset(minutes) : local;
}

/** The pattern of `parseFileDate`, as far as possible. */
export const fileDatePattern =
  '^\\s*\\d{4}-\\d\\d-\\d\\d(([Tt]|[ \\t]+)\\d\\d:\\d\\d(:\\d\\d)?(\\.\\d+)?[ \\t]*([Zz]|[+-]\\d\\d(:?\\d\\d)?)?)?\\s*$';
const FILE_FORM = /^(\d{4}-\d\d-\d\d)(?:(?:[Tt]|[ \t]+)(\d\d:\d\d)(:\d\d)?(?:\.\d+)?[ \t]*([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Reads a date of a file: `2026-03-05`, `2026-03-05 10:00`, with seconds, with an offset; `T` or blanks between.
 * Stricter than what clients may send: a day the month does not have is null, so that a slip of the pen is reported.
 */
export function parseFileDate(text: string, zone: string): Moment | null {
  const found = FILE_FORM.exec(text.trim());
  if (!found) return null;
  const local = `${found[1]}T${found[2] ?? '00:00'}${found[3] ?? ':00'}`;
  const written = Date.parse(`${local}Z`);
  // An invalid day is parsed as one of the next month, 24:00 as the next day.
  if (Number.isNaN(written) || new Date(written).getUTCDate() !== Number(local.slice(8, 10))) return null;
  const place = zoneOf(zone);
  if (found[4] === undefined) {
    const at = resolveLocal(written, place);
    // Avoids printing, which is the slow part: most dates are already normalized.
    return at + offsetAt(place, at) === written ? { local, gmt: at === written ? local : printGmt(at) } : momentAt(at, place);
  }
  const minutes = readOffset(found[4].toUpperCase());
  return minutes === null ? null : momentAt(written - minutes * MINUTE, place);
}

/**
 * A site time in a display format: the letters of PHP's `date`, backslash escapes, English names.
 *
 * @param local  site time, `YYYY-MM-DDTHH:MM:SS`
 */
export function formatDate(format: string, local: string, zone: string): string {
  const face: Face = { at: new Date(read(local)), zone, gmt: resolveLocal(read(local), zoneOf(zone)) };
  return format.replace(
    /\\([\s\S])|[a-zA-Z]/g,
    (letter, escaped: string | undefined) => escaped ?? letters[letter]?.(face) ?? letter,
  );
}

const read = (text: string): number => Date.parse(`${text}Z`);
const momentAt = (ms: number, zone: Zone): Moment => ({ local: printGmt(ms + offsetAt(zone, ms)), gmt: printGmt(ms) });

/** `Z`, `+02`, `+0200`, `+02:00` in minutes; null if invalid. */
function readOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 24 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function printOffset(minutes: number, separator = ':'): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${separator}${pad(size % 60)}`;
}

interface Face {
  /** Site time, read as if it were GMT. */
  readonly at: Date;
  readonly gmt: number;
  readonly zone: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const month = (at: Date): string => MONTHS[at.getUTCMonth()] as string;
const weekday = (at: Date): string => DAYS[at.getUTCDay()] as string;
const hour12 = (at: Date): number => at.getUTCHours() % 12 || 12;
const offsetMinutes = ({ gmt, zone }: Face): number => Math.trunc(offsetAt(zoneOf(zone), gmt) / MINUTE);

/** PHP's date letters. */
const letters: Readonly<Record<string, (face: Face) => string>> = table({
  d: ({ at }) => pad(at.getUTCDate()),
  D: ({ at }) => weekday(at).slice(0, 3),
  j: ({ at }) => String(at.getUTCDate()),
  l: ({ at }) => weekday(at),
  N: ({ at }) => String(at.getUTCDay() || 7),
  S: ({ at }) => ordinal(at.getUTCDate()),
  w: ({ at }) => String(at.getUTCDay()),
  z: ({ at }) => String(dayOfYear(at)),
  W: ({ at }) => pad(isoWeek(at).week),
  o: ({ at }) => String(isoWeek(at).year),
  F: ({ at }) => month(at),
  m: ({ at }) => pad(at.getUTCMonth() + 1),
  M: ({ at }) => month(at).slice(0, 3),
  n: ({ at }) => String(at.getUTCMonth() + 1),
  t: ({ at }) => String(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()),
  L: ({ at }) => (new Date(Date.UTC(at.getUTCFullYear(), 1, 29)).getUTCMonth() === 1 ? '1' : '0'),
  X: ({ at }) => pad(at.getUTCFullYear(), 4),
  x: ({ at }) => pad(at.getUTCFullYear(), 4),
  Y: ({ at }) => pad(at.getUTCFullYear(), 4),
  y: ({ at }) => pad(at.getUTCFullYear() % 100),
  a: ({ at }) => (at.getUTCHours() < 12 ? 'am' : 'pm'),
  A: ({ at }) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  B: ({ gmt }) => pad(Math.floor(((((gmt + HOUR) % DAY) + DAY) % DAY) / 86_400), 3),
  g: ({ at }) => String(hour12(at)),
  G: ({ at }) => String(at.getUTCHours()),
  h: ({ at }) => pad(hour12(at)),
  H: ({ at }) => pad(at.getUTCHours()),
  i: ({ at }) => pad(at.getUTCMinutes()),
  s: ({ at }) => pad(at.getUTCSeconds()),
  u: () => '000000',
  v: () => '000',
  e: ({ zone }) => zone || 'UTC',
  I: (face) => (isSummer(face) ? '1' : '0'),
  O: (face) => printOffset(offsetMinutes(face), ''),
  P: (face) => printOffset(offsetMinutes(face)),
  p: (face) => (offsetMinutes(face) === 0 ? 'Z' : printOffset(offsetMinutes(face))),
  T: (face) => abbreviation(face),
  Z: ({ gmt, zone }) => String(offsetAt(zoneOf(zone), gmt) / 1000),
  c: (face) => printGmt(face.at.getTime()) + printOffset(offsetMinutes(face)),
  r: (face) => formatDate('D, d M Y H:i:s O', printGmt(face.at.getTime()), face.zone),
  U: ({ gmt }) => String(gmt / 1000),
});

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function dayOfYear(at: Date): number {
  return Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY);
}

/** A week belongs to the year its Thursday is in (ISO 8601). */
function isoWeek(at: Date): { year: number; week: number } {
  const thursday = new Date(at.getTime() + (4 - (at.getUTCDay() || 7)) * DAY);
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

function isSummer({ gmt, zone }: Face): boolean {
  const year = new Date(gmt).getUTCFullYear();
  const place = zoneOf(zone);
  return offsetAt(place, gmt) > Math.min(offsetAt(place, Date.UTC(year, 0, 1)), offsetAt(place, Date.UTC(year, 6, 1)));
}

/** `CEST`; an offset for zones without an abbreviation. */
function abbreviation(face: Face): string {
  const { zone, gmt } = face;
  if (/^(UTC|GMT|Z)?$/i.test(zone)) return 'UTC';
  if (zoneOf(zone).fixed !== null) return printOffset(offsetMinutes(face));
  for (const locale of ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA']) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(gmt);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
    if (name && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  const offset = printOffset(offsetMinutes(face), '');
  return offset.endsWith('00') ? offset.slice(0, 3) : offset;
}
