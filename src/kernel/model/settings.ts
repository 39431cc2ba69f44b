/**
 * Settings of a site as one table: the key in `site.yaml`, the name for clients, the schema, the value in force when the file
 * says nothing. The settings resource, the site index, `cms init` and `cms validate` read the same rows.
 *
 * A key that is absent has its `default`. A key written empty (null) was reset by a client: it reads back as the schema's own
 * default, mostly null (observed), while the site behaves as by `default`.
 * Source: specification 2.1; GET, POST and OPTIONS /settings of the reference; architecture section 3 for the file's own keys.
 */

import { type JsonType, of, type Schema } from './schema.ts';

export interface Setting {
  /** Key in `site.yaml`. */
  readonly key: string;
  /** Absent: only in the file. */
  readonly name?: string;
  /** Name in the site index. */
  readonly index?: string;
  /** Group in the documentation: general, writing, reading, discussion. */
  readonly group: string;
  /** For clients; otherwise for `validate`. */
  readonly schema: Schema;
  /** Additional checks, not shown to clients. */
  readonly bounds?: Bounds;
  /** Default value. Undefined: computed at start (its URL, the first category). */
  readonly default: unknown;
  /** The file may use a slug or path for the id; clients get the id. */
  readonly refers?: 'category' | 'page' | 'media';
  /** A change requires reading all files again. */
  readonly rereads?: true;
  /** Stored in the private mount instead of `site.yaml`. */
  readonly private?: true;
}

/** Text format, checked by `kernel/site/setting-values.ts`. */
export type TextForm = 'line' | 'text' | 'site' | 'address' | 'place' | 'zone' | 'locale' | 'permalink';

export interface Bounds extends Schema {
  readonly form?: TextForm;
  /** Regular expression of the names of a map. */
  readonly names?: string;
  /** Allowed words in place of a map. */
  readonly words?: readonly string[];
}

/** Names in maps that appear in URLs. */
export const mapNames = '^[A-Za-z0-9_-]{1,64}$';
export const line: Bounds = { form: 'line', maxLength: 200 };

const general: readonly Omit<Setting, 'group'>[] = [
  {
    key: 'name',
    name: 'title',
    index: 'name',
    schema: shownText('Title'),
    bounds: { form: 'text', maxLength: 2000 },
    default: '',
  },
  {
    key: 'description',
    name: 'description',
    index: 'description',
    schema: shownText('Tagline'),
    bounds: { form: 'text', maxLength: 10_000 },
    default: '',
  },
  {
    key: 'url',
    name: 'url',
    index: 'url',
    schema: { ...shownText(), format: 'uri' },
    bounds: { form: 'site', maxLength: 1000 },
    default: undefined,
  },
  {
    key: 'home',
    index: 'home',
    schema: fileOnly('URL of the front page, if it differs from url', 'string', 'uri'),
    bounds: { form: 'site', maxLength: 1000 },
    default: undefined,
  },
  { key: 'email', name: 'email', schema: { ...shownText(), format: 'email' }, default: '', private: true },
  {
    key: 'timezone',
    name: 'timezone',
    index: 'timezone_string',
    schema: shownText(),
    bounds: { form: 'zone', maxLength: 100 },
    default: 'UTC',
    rereads: true,
  },
  { key: 'date_format', name: 'date_format', schema: shownText(), bounds: line, default: 'F j, Y' },
  { key: 'time_format', name: 'time_format', schema: shownText(), bounds: line, default: 'g:i a' },
  { key: 'start_of_week', name: 'start_of_week', schema: shownNumber(), bounds: { minimum: 0, maximum: 6 }, default: 1 },
  {
    key: 'language',
    name: 'language',
    schema: { ...shownText(), default: 'en_US' },
    bounds: { form: 'locale' },
    default: 'en_US',
  },
  // Without a logo, settings have null and the index 0 (observed).
  { key: 'logo', name: 'site_logo', index: 'site_logo', schema: shownNumber('Logo'), default: null, refers: 'media' },
  { key: 'icon', name: 'site_icon', index: 'site_icon', schema: shownNumber('Icon'), default: 0, refers: 'media' },
  { key: 'deployment', schema: choiceOf('APIs that the site offers', 'basic', 'extended'), default: 'basic' },
];

/** Of every site, whatever it is made of. */
export const standardSettings: readonly Setting[] = general.map((row) => ({ ...row, group: 'general' }));

/** Standard settings and those of modules. */
export function siteSettings(modules: readonly { readonly settings?: readonly Setting[] }[]): readonly Setting[] {
  return [...standardSettings, ...modules.flatMap(({ settings = [] }) => settings)];
}

/**
 * The value in use.
 *
 * @param stored  from `site.yaml` (references as ids); undefined or null: none
 */
export function settingValue(setting: Setting, stored: unknown): unknown {
  return stored ?? setting.default;
}

/* Schemas of settings that clients see: a title, no description, null as default (observed). */

export function shownText(title = ''): Schema {
  return { title, type: 'string', default: null };
}

export function shownNumber(title = ''): Schema {
  return { title, type: 'integer', default: null };
}

/** Schemas of settings that are only in the file. */

export function fileOnly(description: string, type: JsonType, format?: 'uri'): Schema {
  return { description, type, ...(format && { format }) };
}

export function choiceOf(description: string, ...values: readonly string[]): Schema {
  return of('string', description, { enum: values });
}
