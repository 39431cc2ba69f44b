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
  /** Name in the settings resource. Absent: only the file has it. */
  readonly name?: string;
  /** Name in the site index. */
  readonly index?: string;
  /** Heading it stands under in documentation: general, writing, reading, discussion. */
  readonly group: string;
  /** What clients see; for a key only the file has, what `validate` checks. */
  readonly schema: Schema;
  /** What a value must be besides, which clients are not told. */
  readonly bounds?: Bounds;
  /** The value in force when nothing is stored. Undefined: worked out when the server starts (its address, the first category). */
  readonly default: unknown;
  /** The file may name the thing by slug or path instead of its id; clients always get the id. */
  readonly refers?: 'category' | 'page' | 'media';
  /** Every file is read by it: all are read again when it changes. */
  readonly rereads?: true;
  /** Kept in the private mount instead of `site.yaml`, which anyone can read. */
  readonly private?: true;
}

/** How a text must be; `kernel/site/setting-values.ts` knows what that means. */
export type Form = 'line' | 'text' | 'site' | 'address' | 'place' | 'zone' | 'locale' | 'permalink';

export interface Bounds extends Schema {
  readonly form?: Form;
  /** Regular expression of the names of a map. */
  readonly names?: string;
}

/** Names in maps that clients meet in addresses. */
const names = '^[A-Za-z0-9_-]{1,64}$';
const line: Bounds = { form: 'line', maxLength: 200 };

const themeBounds: Readonly<Record<string, Bounds>> = {
  stylesheet: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,100}$' },
  name: { type: 'string', ...line },
  description: { type: 'string', form: 'text', maxLength: 10_000 },
  version: { type: 'string', ...line },
  author: { type: 'string', ...line },
  author_url: { type: 'string', form: 'address', maxLength: 1000 },
  url: { type: 'string', form: 'address', maxLength: 1000 },
  screenshot: { type: 'string', form: 'place', maxLength: 1000 },
  tags: { type: 'array', items: { type: 'string', maxLength: 200 } },
  block_theme: { type: 'boolean' },
  supports: { type: 'object' },
  settings: { type: 'object' },
  styles: { type: 'object' },
};

/** Rows without their group, by group. A namespace writes rows of its own as plain values of `Setting`. */
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
      schema: file('Address of the front page, when it is not url', 'string', 'uri'),
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
    // Without a logo the settings say null and the index 0 (observed).
    { key: 'logo', name: 'site_logo', index: 'site_logo', schema: number('Logo'), default: null, refers: 'media' },
    { key: 'icon', name: 'site_icon', index: 'site_icon', schema: number('Icon'), default: 0, refers: 'media' },
    { key: 'deployment', schema: choice('Which namespaces the site answers', 'basic', 'extended'), default: 'basic' },
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
    {
      key: 'writing',
      schema: choice('Kind of file of items that clients create; auto looks at the body', 'auto', 'markdown', 'markup'),
      default: 'auto',
    },
    { key: 'typography', schema: file('Curly quotes, dashes and ellipses in titles and texts', 'boolean'), default: true },
    {
      key: 'revisions',
      schema: { ...file('Revisions kept of an item; -1: all', 'integer'), minimum: -1, maximum: 100_000 },
      default: -1,
    },
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
        ...file('Address of a post, of {slug}, {id}, {year}, {month}, {day}, {category}, {author}', 'string'),
      },
      bounds: { form: 'permalink', maxLength: 200, minLength: 1 },
      default: '/{slug}/',
    },
    {
      key: 'menu_locations',
      schema: {
        ...file('Places of the design that hold a menu: name and description', 'object'),
        additionalProperties: { type: 'string' },
      },
      bounds: { names, additionalProperties: { type: 'string', ...line } as Bounds, maxProperties: 100 },
      default: {},
    },
    {
      key: 'theme',
      schema: {
        ...file(
          'What editors should know of the design: stylesheet, name, version, description, author, author_url, url, screenshot, ' +
            'tags, block_theme, supports, settings, styles',
          'object',
        ),
        additionalProperties: true,
      },
      bounds: { properties: themeBounds },
      default: {},
    },
    {
      key: 'templates',
      schema: { ...file('Templates that posts may name: name and title', 'object'), additionalProperties: { type: 'string' } },
      bounds: {
        names: '^[A-Za-z0-9_./-]{1,200}$',
        additionalProperties: { type: 'string', ...line } as Bounds,
        maxProperties: 200,
      },
      default: {},
    },
    {
      key: 'preview_lifetime',
      schema: { ...file('Seconds a preview link works', 'integer'), minimum: 60, maximum: 2_592_000 },
      default: 86400,
    },
  ],
  discussion: [
    { key: 'pings', name: 'default_ping_status', schema: openOrClosed(), default: 'open' },
    { key: 'comments', name: 'default_comment_status', schema: openOrClosed('Allow comments on new posts'), default: 'open' },
    {
      key: 'moderation',
      schema: choice(
        'Comments that wait for approval: all, those of people without an approved one, none',
        'all',
        'known',
        'none',
      ),
      default: 'known',
    },
    { key: 'anonymous_comments', schema: file('Visitors may comment through the interface', 'boolean'), default: false },
  ],
  media: [
    {
      key: 'image_sizes',
      schema: {
        ...file(
          'Further sizes of pictures, or other dimensions of standard ones: {width, height, crop}; false leaves one out',
          'object',
        ),
        additionalProperties: {
          type: ['object', 'boolean'],
          properties: {
            width: { type: 'integer', minimum: 0, maximum: 20_000 },
            height: { type: 'integer', minimum: 0, maximum: 20_000 },
            crop: { type: 'boolean' },
          },
        },
      },
      bounds: { names, maxProperties: 32 },
      default: {},
    },
    { key: 'image_format', schema: choice('Format of the sizes of pictures', 'original', 'webp', 'avif'), default: 'original' },
    {
      key: 'image_quality',
      schema: {
        ...file('Quality of the sizes of pictures; 0: the usual one of the format', 'integer'),
        minimum: 0,
        maximum: 100,
      },
      default: 0,
    },
    { key: 'strip_location', schema: file('Take out of uploaded pictures where they were taken', 'boolean'), default: false },
  ],
};

export const standardSettings: readonly Setting[] = Object.entries(groups).flatMap(([group, rows]) => {
  return rows.map((row) => ({ ...row, group }));
});

/** The JSON schema of the settings resource, as its OPTIONS answer prints it. */
export function settingsSchema(settings: readonly Setting[] = standardSettings): Schema & { readonly properties: Schemas } {
  return { title: 'settings', type: 'object', properties: Object.fromEntries(shown(settings).map((s) => [s.name, s.schema])) };
}

/**
 * The value in force.
 *
 * @param stored  what `site.yaml` holds (references already ids); undefined or null: nothing
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

/* Schemas of settings that only the file has. */

function file(description: string, type: JsonType, format?: 'uri'): Schema {
  return { description, type, ...(format && { format }) };
}

function choice(description: string, ...values: readonly string[]): Schema {
  return of('string', description, { enum: values });
}
