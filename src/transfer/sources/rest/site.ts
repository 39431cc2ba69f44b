/**
 * The site around the items: what its index, settings and types say, in the words of `site.yaml`.
 */
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { basicSettings } from '../../../deployments.ts';
import { standardTaxonomies } from '../../../modules/types/taxonomies.ts';
import { standardTypes } from '../../../modules/types/types.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { DeclarationItem } from '../../import/items.ts';
import type { Row } from './collection.ts';
import type { SourceIndex } from './discover.ts';
import { list, text, texts } from './values.ts';

/** A type or taxonomy with a list. */
export interface Kind {
  /** Neutral name. */
  readonly name: string;
  /** Route of its list as the source spells it. */
  readonly route: string;
  /** Its last segment: the field of items that lists terms. */
  readonly base: string;
  readonly row: Row;
}

/** Those that have a list of their own. @param body  the answer of the route of types or taxonomies */
export function readKinds(body: unknown, index: SourceIndex, dialect: Dialect): readonly Kind[] {
  return Object.values(mapOf(body)).flatMap((value) => {
    const row = mapOf(value);
    const base = text(row, 'rest_base');
    const route = `/${text(row, 'rest_namespace') || dialect.spellRoute('/cms/v2').slice(1)}/${base}`;
    const name = dialect.readWord(text(row, 'slug'));
    return name === '' || base === '' || !(route in index.routes) ? [] : [{ name, route, base, row }];
  });
}

export type UsualKinds = readonly { readonly name: string; readonly restBase: string; readonly taxonomies?: readonly string[] }[];

/** What the route of types or taxonomies would answer, where it does not: those that every site has. */
export function spellKinds(usual: UsualKinds): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    usual.map(({ name, restBase, taxonomies = [] }) => [name, { slug: name, rest_base: restBase, taxonomies }]),
  );
}

/** Arguments of a route's method, by name; null when the index does not say. */
export function argumentsOf(index: SourceIndex, route: string, method: 'GET' | 'POST'): Row | null {
  const endpoint = list(mapOf(index.routes[route]).endpoints)
    .map(mapOf)
    .find(({ methods }) => list(methods).includes(method));
  const args = mapOf(endpoint?.args);
  return Object.keys(args).length === 0 ? null : args;
}

/** Names of list parameters; `orderby` and `order` alone where ids can be asked for in order. */
export function parametersOf(index: SourceIndex, route: string): ReadonlySet<string> {
  const args = argumentsOf(index, route, 'GET');
  if (args === null) return new Set(['page', 'per_page']);
  const names = new Set(Object.keys(args));
  if (!list(mapOf(args.orderby).enum).includes('id')) names.delete('orderby');
  return names;
}

/** A declaration for what is not in every site. */
export function declarationOf(
  kind: Kind,
  what: 'type' | 'taxonomy',
  index: SourceIndex,
  dialect: Dialect,
  url: string,
): DeclarationItem | null {
  const { name, base, row, route } = kind;
  const standard: readonly { readonly name: string }[] = what === 'type' ? standardTypes : standardTaxonomies;
  if (standard.some((one) => one.name === name)) return null;
  const labels = mapOf(row.labels);
  const fields = mapOf(mapOf(argumentsOf(index, route, 'POST')?.meta).properties);
  const words = (value: unknown): string[] => texts(value).map((word) => dialect.readWord(word));
  const declaration = {
    plural: text(labels, 'name') || text(row, 'name') || name,
    singular: text(labels, 'singular_name') || text(row, 'name') || name,
    ...(base === name ? {} : { rest_base: base }),
    ...(text(row, 'description') === '' ? {} : { description: text(row, 'description') }),
    ...(row.hierarchical === true ? { hierarchical: true } : {}),
    ...(row.viewable === false ? { public: false } : {}),
    ...(what === 'type' ? { ...supportsOf(row), taxonomies: words(row.taxonomies) } : { types: words(row.types) }),
    ...(Object.keys(fields).length === 0 ? {} : { fields: Object.fromEntries(Object.entries(fields).map(fieldOf)) }),
  };
  return { kind: what, place: { source: url }, name, declaration };
}

/** Keys of `site.yaml`. @param body  the answer of the settings, {} where they may not be read */
export function readSettings(body: Row, index: SourceIndex): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const setting of basicSettings) {
    const value = setting.name === undefined ? undefined : body[setting.name];
    if (value === undefined || value === null || value === '' || setting.private || value === setting.default) continue;
    if (setting.refers && typeof value !== 'number') continue;
    found[setting.key] = value;
  }
  delete found.url;
  found.name ??= index.name;
  if (index.description !== '') found.description ??= index.description;
  const zone = text(body, 'timezone') || index.timezone_string || offsetOf(index.gmt_offset);
  if (zone !== '') found.timezone = zone;
  return found;
}

/** `/{year}/{slug}/` of the template that the edit context shows; '' where there is none. */
export function permalinkOf(row: Row, base: string): string {
  const template = text(row, 'permalink_template');
  if (!template.startsWith(`${base}/`) || !template.includes('%')) return '';
  const words: Readonly<Record<string, string>> = table({
    postname: 'slug',
    post_id: 'id',
    year: 'year',
    monthnum: 'month',
    day: 'day',
    category: 'category',
    author: 'author',
  });
  const pattern = template
    .slice(base.length)
    .replace(/%(\w+)%/g, (all, word: string) => (words[word] ? `{${words[word]}}` : all));
  return pattern.includes('%') || pattern.includes('?') ? '' : pattern;
}

/** Location → label. */
export function readLocations(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapOf(body)).flatMap(([name, value]) =>
      mapOf(value).name === name ? [[name, text(mapOf(value), 'description') || name]] : [],
    ),
  );
}

/** Id of the styles that users made for the theme in use, and the theme's name. */
export function readTheme(
  body: unknown,
): { readonly stylesheet: string; readonly styles: string; readonly isBlock: boolean } | null {
  const theme = list(body)
    .map(mapOf)
    .find(({ status }) => status === 'active');
  if (!theme) return null;
  const links = mapOf(theme._links);
  const rel = Object.keys(links).find((name) => /(?:^|[:/])user-global-styles$/.test(name));
  const href = text(mapOf(list(rel === undefined ? null : links[rel])[0]), 'href');
  const styles = /\/global-styles\/(\d+)$/.exec(href)?.[1] ?? '';
  return { stylesheet: text(theme, 'stylesheet'), styles, isBlock: theme.is_block_theme === true };
}

function supportsOf(row: Row): { readonly supports?: readonly string[] } {
  const supports = Object.entries(mapOf(row.supports)).flatMap(([name, value]) => (value === false ? [] : [name]));
  return supports.length === 0 ? {} : { supports };
}

function fieldOf([name, schema]: [string, unknown]): [string, unknown] {
  const { type, description, items, enum: words } = mapOf(schema);
  const one = typeof type === 'string' ? type : (texts(type)[0] ?? 'string');
  const more = {
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    ...(Array.isArray(words) ? { enum: words } : {}),
    ...(typeof mapOf(items).type === 'string' ? { items: { type: mapOf(items).type } } : {}),
  };
  return [name, Object.keys(more).length === 0 ? one : { type: one, ...more }];
}

function offsetOf(hours: unknown): string {
  const minutes = Math.round(Number(hours) * 60);
  if (typeof hours === 'boolean' || !Number.isFinite(minutes) || Math.abs(minutes) > 14 * 60) return '';
  if (minutes === 0) return 'UTC';
  const [whole, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(whole).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
