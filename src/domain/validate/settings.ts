/**
 * `site.yaml` against the table of settings.
 */
import { isZone } from '../../model/dates.ts';
import type { Setting } from '../../model/settings.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations } from '../validate.ts';
import { didYouMean, doubtful, type Finding, type Remark, wrong } from './finding.ts';
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
      const meant = nearest(
        key,
        [...rows.keys()].filter((known) => !Object.hasOwn(data, known)),
      );
      if (meant === undefined) return [];
      return [
        { path, keys: [key], onKey: true, ...doubtful('unknown-key', `unknown key ${JSON.stringify(key)}`, didYouMean(meant)) },
      ];
    }
    if (row.private) {
      const message = `${key} is not read from this file, which anyone can see`;
      return [{ path, keys: [key], onKey: true, ...doubtful('private-key', message) }];
    }
    if (value === null) return [];
    const fault = row.refers ? referenceFault(row.refers, value) : faultOf(row, value);
    return fault ? [{ path, keys: [key], ...fault }] : [];
  });

  function referenceFault(refers: NonNullable<Setting['refers']>, value: unknown): Remark | null {
    return typeof value === 'string' || typeof value === 'number' ? index.missing(targets[refers], value) : null;
  }
}

const targets: Readonly<Record<NonNullable<Setting['refers']>, Target>> = {
  category: { kind: 'term', taxonomy: 'category' },
  page: { kind: 'post', type: 'page' },
  media: { kind: 'post', type: 'attachment' },
};

/** Why a value does not fit its setting; null when it does. */
function faultOf({ key, schema }: Setting, value: unknown): Remark | null {
  const { type, minimum, pattern, format } = schema;
  const shown = JSON.stringify(value);
  const fault = (message: string, hint?: string): Remark => wrong(`field:${key}`, message, hint);
  if (type === 'boolean' && typeof value !== 'boolean') return fault(`${key} must be true or false, not ${shown}`);
  if (type === 'integer' && typeof value !== 'number') return fault(`${key} must be a whole number, not ${shown}`);
  if (type === 'object' && !isMap(value)) return fault(`${key} must be a map of names and values, not ${shown}`);
  if (type === 'string' && typeof value === 'object') return fault(`${key} must be a text, not a list or map`);
  if (minimum !== undefined && Number(value) < minimum) return fault(`${key} must be at least ${minimum}`);
  const allowed = schema.enum === undefined ? undefined : Object.values(schema.enum).map(String);
  if (allowed && !allowed.includes(String(value))) {
    return fault(`${key} has no value ${shown}`, didYouMean(nearest(String(value), allowed), `one of ${allowed.join(', ')}`));
  }
  if (key === 'timezone' && !isZone(String(value))) {
    const meant = nearest(String(value), Intl.supportedValuesOf('timeZone'));
    return fault(`${shown} is no time zone`, didYouMean(meant, 'write Europe/Berlin, UTC or +02:00'));
  }
  if (format === 'uri' && !(/^https?:/i.test(String(value)) && URL.canParse(String(value)))) {
    return fault(`${shown} is no address`, 'write it with its scheme: https://example.com');
  }
  if (pattern !== undefined && !new RegExp(pattern).test(String(value))) return fault(`${key} does not have the form ${pattern}`);
  return null;
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
