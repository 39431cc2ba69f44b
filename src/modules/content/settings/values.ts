/** Settings for clients: by public name, with private ones, and references as ids. */
import type { Schema, Schemas } from '../../../kernel/model/schema.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { readSetting } from '../../../kernel/site/settings.ts';
import { hash } from '../../../kernel/store/bytes.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { findTerm } from '../terms/record.ts';

/**
 * Every public setting, by its name.
 *
 * @param secrets  the private ones, as stored
 * @param written  names just written: a disabled boolean is `false` in that response, and null afterwards (observed)
 * @param params  of the call: modules may map referenced items
 */
export function readSettings(
  site: Site,
  secrets: Readonly<Record<string, unknown>>,
  written: ReadonlySet<string> = new Set(),
  params: Params = {},
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const row of site.settings.rows) {
    if (row.name === undefined) continue;
    const value = counterpart(site, row, resolved(site, row, secrets), params);
    out[row.name] = value === false && written.has(row.name) ? false : printSetting(row, value);
  }
  return out;
}

/** What changes with every change of a setting. */
export function settingsState({ settings }: Pick<Site, 'settings'>, secrets: Readonly<Record<string, unknown>>): string {
  return hash(Buffer.from(JSON.stringify([settings.entry?.etag ?? '', secrets])));
}

/** The stored value of a setting, references as ids; a computed default; null: reset; undefined: the schema's default. */
export function resolved(site: Site, row: Setting, secrets: Readonly<Record<string, unknown>>): unknown {
  const stored = row.private ? secrets[row.key] : site.settings.stored(row.key);
  if (row.key === 'front' && stored) return site.settings.value('front');
  if (stored === undefined && row.key === 'url') return site.url;
  if (stored === undefined && row.key === 'default_category') return site.refs.defaultTerm('category');
  if (row.refers && typeof stored === 'string') return idOf(site, row.refers, stored);
  return readSetting(row, stored);
}

/** The counterpart of a referenced item in this call. */
function counterpart(site: Site, { refers }: Setting, value: unknown, params: Params): unknown {
  if (!refers || typeof value !== 'number') return value;
  return site.counterpart?.(refers === 'category' ? 'terms' : 'posts', value, params) ?? value;
}

function idOf(site: Site, kind: NonNullable<Setting['refers']>, ref: string): number {
  if (kind !== 'category') return site.refs.postId(kind === 'page' ? 'page' : 'attachment', ref);
  const slug = slugify(ref);
  return findTerm(site.terms, kind, slug) ?? findTerm(site.terms, kind, `~${slug}`) ?? 0;
}

/** As in OPTIONS. */
export function settingsSchema(settings: readonly Setting[]): Schema & { readonly properties: Schemas } {
  return { title: 'settings', type: 'object', properties: Object.fromEntries(shown(settings).map((s) => [s.name, s.schema])) };
}

/**
 * The value as GET /settings prints it. Two oddities of the reference: what was reset reads as the schema's default, and a
 * boolean that is off reads as null.
 */
export function printSetting(setting: Setting, stored: unknown): unknown {
  const value = stored === undefined ? setting.default : (stored ?? setting.schema.default ?? null);
  return value === false ? null : value;
}

function shown(settings: readonly Setting[]): (Setting & { readonly name: string })[] {
  return settings.filter((setting): setting is Setting & { readonly name: string } => setting.name !== undefined);
}
