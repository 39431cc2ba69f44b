/**
 * Settings of a site as one table: the key in `site.yaml`, the name for clients, the schema, the value in force when the file
 * says nothing. The settings resource, the site index, `cms init` and `cms validate` read the same rows.
 *
 * A key that is absent has its `default`. A key written empty (null) was reset by a client: it reads back as the schema's own
 * default, mostly null (observed), while the site behaves as by `default`.
 * Source: specification 2.1; GET, POST and OPTIONS /settings of the reference; architecture section 3 for the file's own keys.
 */

import { type JsonType, of, type Schema, type Schemas } from './schema.ts';

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

/** Rows by group. A namespace writes its own rows as `Setting` values. */
const groups: Readonly<Record<string, readonly Omit<Setting, 'group'>[]>> = {
  general: [
    { key: 'name', name: 'title', index: 'name', schema: text('Title'), bounds: { form: 'text', maxLength: 2000 }, default: '' },
    {
      key: 'description',
      name: 'description',
      index: 'description',
      schema: text('Tagline'),
      bounds: { form: 'text', maxLength: 10_000 },
      default: '',
    },
    {
      key: 'url',
      name: 'url',
      index: 'url',
      schema: { ...text(), format: 'uri' },
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
    { key: 'email', name: 'email', schema: { ...text(), format: 'email' }, default: '', private: true },
    {
      key: 'timezone',
      name: 'timezone',
      index: 'timezone_string',
      schema: text(),
      bounds: { form: 'zone', maxLength: 100 },
      default: 'UTC',
      rereads: true,
    },
    { key: 'date_format', name: 'date_format', schema: text(), bounds: line, default: 'F j, Y' },
    { key: 'time_format', name: 'time_format', schema: text(), bounds: line, default: 'g:i a' },
    { key: 'start_of_week', name: 'start_of_week', schema: number(), bounds: { minimum: 0, maximum: 6 }, default: 1 },
    { key: 'language', name: 'language', schema: { ...text(), default: 'en_US' }, bounds: { form: 'locale' }, default: 'en_US' },
    // Without a logo, settings have null and the index 0 (observed).
    { key: 'logo', name: 'site_logo', index: 'site_logo', schema: number('Logo'), default: null, refers: 'media' },
    { key: 'icon', name: 'site_icon', index: 'site_icon', schema: number('Icon'), default: 0, refers: 'media' },
    { key: 'deployment', schema: choiceOf('APIs that the site offers', 'basic', 'extended'), default: 'basic' },
  ],
  writing: [
    { key: 'smilies', name: 'use_smilies', schema: { title: '', type: 'boolean', default: true }, default: true },
    {
      key: 'default_category',
      name: 'default_category',
      schema: number(),
      default: undefined,
      refers: 'category',
      rereads: true,
    },
    {
      key: 'default_format',
      name: 'default_post_format',
      schema: text(),
      bounds: { pattern: '^[a-z0-9-]{0,40}$' },
      default: '0',
    },
    { key: 'typography', schema: fileOnly('Curly quotes, dashes and ellipses in titles and texts', 'boolean'), default: true },
  ],
  reading: [
    {
      key: 'posts_per_page',
      name: 'posts_per_page',
      schema: { ...number('Maximum posts per page'), default: 10 },
      bounds: { minimum: -1, maximum: 10_000 },
      default: 10,
    },
    {
      key: 'front',
      name: 'show_on_front',
      index: 'show_on_front',
      schema: text('Show on front'),
      bounds: line,
      default: 'posts',
    },
    {
      key: 'front_page',
      name: 'page_on_front',
      index: 'page_on_front',
      schema: number('Page on front'),
      default: 0,
      refers: 'page',
    },
    { key: 'posts_page', name: 'page_for_posts', index: 'page_for_posts', schema: number(), default: 0, refers: 'page' },
    {
      key: 'permalink',
      schema: {
        ...fileOnly('Pattern of post URLs, from {slug}, {id}, {year}, {month}, {day}, {category}, {author}', 'string'),
      },
      bounds: { form: 'permalink', maxLength: 200, minLength: 1 },
      default: '/{slug}/',
    },
  ],
  discussion: [
    { key: 'pings', name: 'default_ping_status', schema: openOrClosed(), default: 'open' },
    { key: 'comments', name: 'default_comment_status', schema: openOrClosed('Allow comments on new posts'), default: 'open' },
  ],
};

export const standardSettings: readonly Setting[] = Object.entries(groups).flatMap(([group, rows]) => {
  return rows.map((row) => ({ ...row, group }));
});

/** Standard settings and those of modules. */
export function siteSettings(modules: readonly { readonly settings?: readonly Setting[] }[]): readonly Setting[] {
  return [...standardSettings, ...modules.flatMap(({ settings = [] }) => settings)];
}

/** As in OPTIONS. */
export function settingsSchema(settings: readonly Setting[] = standardSettings): Schema & { readonly properties: Schemas } {
  return { title: 'settings', type: 'object', properties: Object.fromEntries(shown(settings).map((s) => [s.name, s.schema])) };
}

/**
 * The value in use.
 *
 * @param stored  from `site.yaml` (references as ids); undefined or null: none
 */
export function settingValue(setting: Setting, stored: unknown): unknown {
  return stored ?? setting.default;
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

/* Schemas of settings that clients see: a title, no description, null as default (observed). */

function text(title = ''): Schema {
  return { title, type: 'string', default: null };
}

function number(title = ''): Schema {
  return { title, type: 'integer', default: null };
}

function openOrClosed(title = ''): Schema {
  return { ...text(title), enum: ['open', 'closed'] };
}

/** Schemas of settings that are only in the file. */

export function fileOnly(description: string, type: JsonType, format?: 'uri'): Schema {
  return { description, type, ...(format && { format }) };
}

export function choiceOf(description: string, ...values: readonly string[]): Schema {
  return of('string', description, { enum: values });
}
