/**
 * `site.yaml` against the table of settings.
 */
import { isZone } from '../../model/dates.ts';
import type { Setting } from '../../model/settings.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations, Finding } from '../validate.ts';
import type { Index } from './references.ts';
import type { Target } from './sheets.ts';

const path = 'site.yaml';

/** Zone of the site's dates; UTC where the file names none that exists. */
export function zoneOf({ entries }: Content): string {
  const zone = entries.find((entry) => entry.path === path)?.data.timezone;
  return typeof zone === 'string' && isZone(zone) ? zone : 'UTC';
}

export function checkSettings({ entries }: Content, { settings }: Declarations, index: Index): Finding[] {
  const data = entries.find((entry) => entry.path === path)?.data ?? {};
  const rows = new Map(settings.map((row) => [row.key, row]));
  return Object.entries(data).flatMap(([key, value]): Finding[] => {
    const row = rows.get(key);
    if (row === undefined) {
      const meant = nearest(key, [...rows.keys()].filter((known) => !Object.hasOwn(data, known)));
      if (meant === undefined) return [];
      return [{ path, keys: [key], onKey: true, severity: 'warning', rule: 'unknown-key', message: `unknown key ${JSON.stringify(key)}`, hint: `did you mean ${meant}?` }];
    }
    if (row.private) {
      return [{ path, keys: [key], onKey: true, severity: 'warning', rule: 'private-key', message: `${key} is not read from this file, which anyone can see` }];
    }
    if (value === null) return [];
    const missing = row.refers && (typeof value === 'string' || typeof value === 'number') ? index.missing(targets[row.refers], value) : null;
    if (missing) return [{ path, keys: [key], ...missing }];
    const fault = row.refers ? null : faultOf(row, value);
    return fault ? [{ path, keys: [key], severity: 'error', rule: `field:${key}`, ...fault }] : [];
  });
}

const targets: Readonly<Record<NonNullable<Setting['refers']>, Target>> = {
  category: { kind: 'term', taxonomy: 'category' },
  page: { kind: 'post', type: 'page' },
  media: { kind: 'post', type: 'attachment' },
};

/** Why a value does not fit its setting; null when it does. */
function faultOf({ key, schema }: Setting, value: unknown): Pick<Finding, 'message' | 'hint'> | null {
  const shown = JSON.stringify(value);
  if (schema.type === 'boolean' && typeof value !== 'boolean') return { message: `${key} must be true or false, not ${shown}` };
  if (schema.type === 'integer' && typeof value !== 'number') return { message: `${key} must be a whole number, not ${shown}` };
  if (schema.type === 'object' && (typeof value !== 'object' || Array.isArray(value))) {
    return { message: `${key} must be a map of names and values, not ${shown}` };
  }
  if (schema.type === 'string' && typeof value === 'object') return { message: `${key} must be a text, not a list or map` };
  if (schema.minimum !== undefined && Number(value) < schema.minimum) return { message: `${key} must be at least ${schema.minimum}` };
  const allowed = schema.enum === undefined ? undefined : Object.values(schema.enum).map(String);
  if (allowed && !allowed.includes(String(value))) {
    const meant = nearest(String(value), allowed);
    return { message: `${key} has no value ${shown}`, hint: meant === undefined ? `one of ${allowed.join(', ')}` : `did you mean ${meant}?` };
  }
  if (key === 'timezone' && !isZone(String(value))) {
    const meant = nearest(String(value), Intl.supportedValuesOf('timeZone'));
    return { message: `${shown} is no time zone`, hint: meant === undefined ? 'write Europe/Berlin, UTC or +02:00' : `did you mean ${meant}?` };
  }
  if (schema.format === 'uri' && !(/^https?:/i.test(String(value)) && URL.canParse(String(value)))) {
    return { message: `${shown} is no address`, hint: 'write it with its scheme: https://example.com' };
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value))) {
    return { message: `${key} does not have the form ${schema.pattern}` };
  }
  return null;
}
