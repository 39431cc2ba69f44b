/**
 * The options of the site, read from `seo:` in `site.yaml` and written back there.
 */
import { same } from '../../../kernel/model/field.ts';
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import {
  groupTable,
  isAddress,
  type OptionForm,
  optionTable,
  type SeoOptions,
  separators,
  taxonomyDefaults,
  typeDefaults,
} from './option-table.ts';
import { pageTypes, articleTypes } from './record.ts';

type Values = Readonly<Record<string, unknown>>;

/** The options as they are; the same object while nothing of them has changed. Cost: a comparison of numbers while no record changes. */
export function createOptions(site: Site): () => SeoOptions {
  let known: { readonly stored: unknown; readonly named: string; readonly options: SeoOptions } | undefined;
  let generation = -1;
  return () => {
    if (known !== undefined && generation === site.records.generation) return known.options;
    const stored = site.settings.value('seo');
    const named = JSON.stringify([site.url, ...referring.map(({ path, form }) => readers[form](valueAt(stored, path), site))]);
    generation = site.records.generation;
    if (known === undefined || known.stored !== stored || known.named !== named)
      known = { stored, named, options: readOptions(site, mapOf(stored)) };
    return known.options;
  };
}

/** Rows whose values depend on records. */
const referring = Object.values(optionTable).filter(({ form }) => form === 'user' || form.startsWith('picture'));

function readOptions(site: Site, stored: Values): SeoOptions {
  const read = Object.entries(optionTable).map(([property, { path, form, default: standard }]) => [
    property,
    readers[form](valueAt(stored, path), site) ?? standard,
  ]);
  const options = Object.fromEntries(read) as unknown as SeoOptions;
  const byName = <T extends object>(group: 'types' | 'taxonomies', defaults: (name: string) => T): ((name: string) => T) => {
    const made = new Map<string, T>();
    return (name) => {
      const found = made.get(name) ?? { ...defaults(name), ...groupValues(group, mapOf(mapOf(stored[group])[name]), site) };
      made.set(name, found);
      return found;
    };
  };
  return {
    ...options,
    separatorCharacter: separators[options.separator] ?? options.separator,
    ofType: byName('types', typeDefaults),
    ofTaxonomy: byName('taxonomies', taxonomyDefaults),
  };
}

function groupValues(group: 'types' | 'taxonomies', stored: Values, site: Site): Values {
  return Object.fromEntries(
    groupTable.flatMap((row) => {
      const value = row.group === group ? readers[row.form](stored[row.key], site) : undefined;
      return value === undefined ? [] : [[row.property, value]];
    }),
  );
}

/** A value as code has it; undefined for what the file does not say, or says in a form that is none. */
const readers: Readonly<Record<OptionForm, (raw: unknown, site: Site) => unknown>> = table({
  text: (raw) => (typeof raw === 'string' || typeof raw === 'number' ? String(raw) : undefined),
  flag: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  texts: (raw) => (Array.isArray(raw) ? raw.filter((one) => typeof one !== 'object').map(String) : undefined),
  map: (raw) => (isMap(raw) ? raw : undefined),
  separator: (raw) =>
    typeof raw === 'string' && raw.trim() !== ''
      ? (Object.keys(separators).find((name) => name === raw.trim() || separators[name] === raw.trim()) ?? raw.trim())
      : undefined,
  represents: (raw) => (raw === 'person' ? 'person' : raw === 'organization' || raw === 'company' ? 'company' : undefined),
  user: (raw, site) => (typeof raw === 'string' ? site.users.lowest('slug', raw) : typeof raw === 'number' ? raw : undefined),
  'picture id': (raw, site) => {
    if (typeof raw === 'number') return raw;
    return typeof raw === 'string' && !isAddress(raw) ? site.refs.postId('attachment', raw) : undefined;
  },
  'picture url': (raw, site) => {
    if (typeof raw === 'string' && isAddress(raw)) return raw.startsWith('/') ? site.url + raw : raw;
    const medium = site.posts.get(Number(readers['picture id'](raw, site) ?? 0));
    return isAttachment(medium) ? sourceUrl(site, medium) : undefined;
  },
});

function valueAt(stored: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => mapOf(value)[key], stored);
}

/**
 * The change of `site.yaml` that stores options by the reference's names of them.
 * @throws Error for a name that no option has
 */
export function planOptions(site: Site, values: Values): readonly FileChange[] {
  const stored = mapOf(mapOf(site.settings.entry?.data).seo);
  let next: Values = stored;
  for (const [option, value] of Object.entries(ordered(values))) {
    const { path, form, standard } = placeOf(option);
    const present = valueAt(next, path);
    const printed = printers[form]?.(value, site, present, Object.hasOwn(values, `${option}_id`)) ?? value;
    next = withValue(next, path, printed === keepPresent ? present : same(value, standard) ? undefined : printed);
  }
  if (same(next, stored)) return [];
  const data = { seo: Object.keys(next).length === 0 ? undefined : next };
  return [{ path: 'site.yaml', expect: site.settings.entry?.etag ?? null, data, order: ['seo'] }];
}

/** Addresses of pictures come before their ids, which win. */
function ordered(values: Values): Values {
  const isId = ([name]: [string, unknown]) => (placeOf(name).form === 'picture id' ? 1 : 0);
  return Object.fromEntries(Object.entries(values).sort((a, b) => isId(a) - isId(b)));
}

/** The place and default of an option. @throws Error */
function placeOf(option: string): { path: readonly string[]; form: OptionForm; standard: unknown } {
  const known = Object.values(optionTable).find((row) => row.option === option);
  if (known) return { path: known.path, form: known.form, standard: known.default };
  for (const { before, behind, group, key, property, form } of groupTable) {
    const name = option.slice(before.length, option.length - behind.length);
    if (name === '' || before + name + behind !== option) continue;
    const defaults: Values = { ...(group === 'types' ? typeDefaults(name) : taxonomyDefaults(name)) };
    return { path: [group, name, key], form, standard: defaults[property] };
  }
  throw new Error(`no option ${option}`);
}

const keepPresent = Symbol('present');

/** A value as the file has it; undefined: as it is. @param isWithId  the id of a picture is written together with its address */
const printers: Readonly<
  Partial<Record<OptionForm, (value: unknown, site: Site, present: unknown, isWithId: boolean) => unknown>>
> = table({
  represents: (value) => (value === 'person' ? 'person' : 'organization'),
  separator: (value) => separators[String(value)],
  user: (value, site) => site.users.get(Number(value))?.slug,
  // The id of a picture wins over its URL.
  'picture url': (_value, _site, present, isWithId) => (isWithId || isPictureUrl(present) ? undefined : keepPresent),
  'picture id': (value, site, present) =>
    value === 0 ? (isPictureUrl(present) ? keepPresent : undefined) : site.refs.postRef('attachment', Number(value)),
});

function isPictureUrl(stored: unknown): boolean {
  return stored === undefined || (typeof stored === 'string' && isAddress(stored));
}

/** Maps that become empty go. */
function withValue(map: Values, [key = '', ...rest]: readonly string[], value: unknown): Values {
  const inner = rest.length === 0 ? value : withValue(mapOf(map[key]), rest, value);
  const { [key]: _, ...others } = map;
  const isGone = inner === undefined || (rest.length > 0 && Object.keys(inner as object).length === 0);
  return isGone ? others : { ...map, [key]: inner };
}

/* What `site.yaml` may say, for `cms validate` and for editors. */

const forms: Readonly<Record<OptionForm, Schema>> = table({
  text: { type: ['string', 'number'] },
  flag: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  map: { type: 'object' },
  separator: { type: 'string' },
  represents: { type: 'string', enum: ['organization', 'company', 'person'] },
  user: { type: ['string', 'integer'] },
  'picture id': { type: ['string', 'integer'] },
  'picture url': { type: ['string', 'integer'] },
});

const listed: Readonly<Record<string, Schema>> = table({
  page_type: { type: 'string', enum: pageTypes },
  article_type: { type: 'string', enum: articleTypes },
});

export const seoSetting: Setting = {
  key: 'seo',
  group: 'seo',
  schema: of('object', 'Search metadata: templates, profiles, whom the site represents', {
    properties: optionSchemas(),
  }),
  default: {},
};

function optionSchemas(): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = {};
  for (const { path, form } of Object.values(optionTable)) {
    const [first = '', second] = path;
    if (second === undefined) properties[first] = forms[form];
    else {
      const above = properties[first]?.properties ?? {};
      properties[first] = { type: 'object', properties: { ...above, [second]: forms[form] } };
    }
  }
  for (const group of ['types', 'taxonomies'] as const) {
    const rows = groupTable.filter((row) => row.group === group);
    const one = Object.fromEntries(rows.map(({ key, form }) => [key, key in listed ? (listed[key] as Schema) : forms[form]]));
    properties[group] = { type: 'object', additionalProperties: { type: 'object', properties: one } };
  }
  return properties;
}
