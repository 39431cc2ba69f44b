/** Changing settings: values are stored as the reference would, and only changed lines are written. */
import { table } from '../../../kernel/model/maps.ts';
import { fail } from '../../../kernel/errors.ts';
import { isZone } from '../../../kernel/model/dates.ts';
import { same } from '../../../kernel/model/field.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import { stripTags } from '../../../kernel/model/tags.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { checkSetting } from '../../../kernel/site/setting-values.ts';
import { readPrivate, writePrivate } from '../../../kernel/site/settings.ts';
import { printSetting, resolved, settingsState } from './values.ts';
import type { Site } from '../../../kernel/site/site.ts';

/** Settings that affect how files are read. */
const foundations: ReadonlySet<string> = new Set(['timezone', 'default_category']);

/**
 * Writes settings and, if needed, reads the content again.
 *
 * @param given  public name → value, references as ids; null resets
 * @param check  of the state that is written to; may refuse
 * @throws RestError rest_invalid_stored_value for a reset of an invalid value (observed: such values read as null, so null may mean "unchanged")
 */
export async function writeSettings(
  site: Site,
  given: Readonly<Record<string, unknown>>,
  check: (state: string) => void = () => undefined,
): Promise<void> {
  const rows = site.settings.rows.filter(({ name }) => name !== undefined && Object.hasOwn(given, name));
  const secrets = await readPrivate(site.store.private);
  check(settingsState(site, secrets));
  const wanted = new Map<Setting, unknown>();
  for (const row of rows) {
    const value = given[row.name as string];
    const clean = value === null ? null : (cleaners[row.key] ?? asGiven)(value);
    if (clean === null && !isResettable(row, resolved(site, row, secrets))) {
      fail(
        'rest_invalid_stored_value',
        {},
        `The ${row.name} property has an invalid stored value, and cannot be updated to null.`,
      );
    }
    if (clean !== undefined && checkSetting(row, clean).faults.length === 0) wanted.set(row, clean);
  }
  const hidden = changesOf(site, wanted, secrets, true);
  const changed = await site.write(() => {
    check(settingsState(site, secrets));
    const data = changesOf(site, wanted, secrets, false);
    const keys = Object.keys(data);
    const order = site.settings.rows.map(({ key }) => key);
    const write = { path: 'site.yaml', expect: site.settings.entry?.etag ?? null, data, order };
    return { changes: keys.length > 0 ? [write] : [], result: keys };
  });
  if (Object.keys(hidden).length > 0) await writePrivate(site.store.private, { ...secrets, ...hidden });
  // Invalidates everything derived from settings.
  site.records.apply([]);
  if (changed.some((key) => foundations.has(key))) await site.reload();
}

/**
 * Why a value cannot be stored; null if it can, or if nothing is stored.
 * @param given  as sent: what sanitizing would remove is an error as well
 */
export function refusalOf(row: Setting, value: unknown, given: unknown): string | null {
  if (value === null) return null;
  if (typeof given === 'string' && typeof value === 'string') {
    const [fault] = checkSetting(
      { ...row, bounds: { form: row.bounds?.form === 'site' ? 'site' : 'text' } },
      given.trim(),
    ).faults;
    if (fault) return fault.message;
  }
  const clean = (cleaners[row.key] ?? asGiven)(value);
  return clean === undefined ? null : (checkSetting(row, clean).faults[0]?.message ?? null);
}

/** Key → stored value, for changed settings. */
function changesOf(
  site: Site,
  wanted: ReadonlyMap<Setting, unknown>,
  secrets: Readonly<Record<string, unknown>>,
  isPrivate: boolean,
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const [row, value] of wanted) {
    if ((row.private ?? false) !== isPrivate) continue;
    const now = resolved(site, row, secrets);
    const isSame = value === null ? now === null : now !== null && same(value, now === undefined ? row.default : now);
    // An invalid value is overwritten even with the one in use.
    if (!isSame || !site.settings.isSound(row.key)) data[row.key] = value === null ? null : stored(site, row, value);
  }
  return data;
}

/** A value for the file: references by slug or path if possible. */
function stored(site: Site, { refers }: Setting, value: unknown): unknown {
  if (typeof value !== 'number' || value === 0 || !refers) return value;
  if (refers === 'category') return site.refs.termRef('category', value);
  return site.refs.postRef(refers === 'page' ? 'page' : 'attachment', value);
}

/** Whether the stored value is valid. */
function isResettable(row: Setting, now: unknown): boolean {
  if (now === null) return row.schema.type === 'boolean';
  return printSetting(row, now) !== null;
}

const asGiven = (value: unknown): unknown => value;
const positive = (value: unknown): unknown => Math.abs(Number(value));
const untagged = (value: unknown): unknown => stripTags(String(value));
const only =
  (isFine: (text: string) => boolean) =>
  (value: unknown): unknown =>
    isFine(String(value)) ? value : undefined;

/** Sanitizers; undefined: the current value stays. Source: observed behaviour of the reference (6.9). */
const cleaners: Readonly<Record<string, (value: unknown) => unknown>> = table({
  url: (value) => (value === '' ? undefined : withoutTrailing(String(value), '/')),
  // A plain offset is only allowed in the file.
  timezone: only((zone) => zone === '' || (isZone(zone) && !/^(?:UTC)?[+-]/i.test(zone))),
  // No language can be set over REST, only installed ones (observed without language packs).
  language: only((locale) => locale === ''),
  date_format: untagged,
  time_format: untagged,
  start_of_week: positive,
  icon: positive,
  default_category: positive,
  posts_per_page: (value) => (value === 0 ? 1 : Number(value) < -1 ? Math.abs(Number(value)) : value),
  front_page: positive,
  posts_page: positive,
});
