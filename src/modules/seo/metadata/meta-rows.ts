/**
 * Values of items as rows of texts, the way clients and export formats have them: each under a name of its own, but directives in one
 * list, pictures by id and by address, and primary terms by their taxonomies. Names are neutral.
 *
 * Source: reference on seo/v1, 2.1; decisions, "Where things are kept".
 */
import { isMap } from '../../../kernel/model/maps.ts';
import { rowsOfOthers } from './foreign-rows.ts';
import { isAddress } from './option-table.ts';
import type { SeoPicture, SeoValues } from './record.ts';
import { noValues, type ValueRow, valueTable } from './values.ts';

/** What rows say. */
interface SaidValues {
  /** By property. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Names of the rows that say it; of the others none is taken. */
  readonly names: readonly string[];
}

interface RowIds {
  hasTaxonomy(name: string): boolean;
  /** Id of a medium; 0: there is none. */
  picture(id: number): number;
  /** Id of a term; 0: there is none. */
  term(taxonomy: string, id: number): number;
}

const directives = ['noimageindex', 'noarchive', 'nosnippet'] as const;
const directivesName = '_seo_meta-robots-adv';
const pictures = [
  ['image', '_seo_opengraph-image'],
  ['cardImage', '_seo_twitter-image'],
] as const;
const primaryPrefix = '_seo_primary_';

/**
 * Rows of the values that an item has; none for one that says nothing.
 *
 * @param addressOf  of a medium, which then has both rows; '' for none
 */
export function rowsOf(seo: Partial<SeoValues>, addressOf: (id: number) => string = () => ''): Readonly<Record<string, string>> {
  const out: Record<string, string> = { ...plainRowsOf(valueTable, seo as Readonly<Record<string, unknown>>) };
  const advanced = directives.filter((name) => seo[name]);
  if (advanced.length > 0) out[directivesName] = advanced.join(',');
  for (const [property, name] of pictures) {
    const picture = seo[property] ?? '';
    const address = typeof picture === 'number' ? addressOf(picture) : picture;
    if (address !== '') out[name] = address;
    if (typeof picture === 'number') out[`${name}-id`] = String(picture);
  }
  for (const [taxonomy, id] of Object.entries(seo.primary ?? {})) out[primaryPrefix + taxonomy] = String(id);
  return out;
}

/** Ids in rows that mean what they say. */
const plainIds: RowIds = { hasTaxonomy: (name) => name !== '', picture: (id) => id, term: (_, id) => id };

/**
 * What the meta of a file says of its item: of one that was imported before the site knew such values. Rows of other tools are read as
 * ours are.
 */
export function valuesInMeta(meta: unknown): Readonly<Record<string, unknown>> {
  if (!isMap(meta)) return {};
  const rows = { ...rowsOfOthers(meta).rows, ...meta };
  return Object.keys(rows).some((name) => name.startsWith('_seo_')) ? valuesInRows(rows, {}, plainIds).changes : {};
}

/**
 * What rows say of an item. A row that its value does not take says nothing.
 *
 * @param present  values there are
 */
export function valuesInRows(rows: Readonly<Record<string, unknown>>, present: Partial<SeoValues>, ids: RowIds): SaidValues {
  const { changes: plain, names: plainNames } = plainValuesIn(valueTable, rows);
  const changes: Record<string, unknown> = { ...plain };
  const names: string[] = [...plainNames];
  const take = (name: string): unknown => {
    const value = rows[name];
    if (value === null || isText(value)) names.push(name);
    return value;
  };
  const advanced = take(directivesName);
  if (advanced === null || isText(advanced)) {
    const named = String(advanced ?? '').split(',');
    for (const name of directives) changes[name] = named.includes(name);
  }
  for (const [property, name] of pictures)
    changes[property] = pictureOf(present[property] ?? noValues[property], take(name), take(`${name}-id`), ids);
  const primary: Record<string, number> = { ...present.primary };
  for (const name of Object.keys(rows)) {
    const taxonomy = name.startsWith(primaryPrefix) ? name.slice(primaryPrefix.length) : '';
    if (!ids.hasTaxonomy(taxonomy)) continue;
    const term = ids.term(taxonomy, idIn(take(name)));
    if (term > 0) primary[taxonomy] = term;
    else delete primary[taxonomy];
  }
  return { changes: { ...changes, primary }, names };
}

type Table = Readonly<Record<string, ValueRow>>;

/** Rows of the values that have a name each. */
export function plainRowsOf(table: Table, seo: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const rows = Object.entries(table).flatMap(([property, { meta, form }]) =>
    meta === undefined || seo[property] === undefined ? [] : [[meta, form.toMeta(seo[property])]],
  );
  return Object.fromEntries(rows);
}

/** What rows say of the values that have a name each. */
export function plainValuesIn(table: Table, rows: Readonly<Record<string, unknown>>): SaidValues {
  const changes: Record<string, unknown> = {};
  const names: string[] = [];
  for (const [property, { meta, form, default: standard }] of Object.entries(table)) {
    if (meta === undefined) continue;
    const row = rows[meta];
    const value = row === null ? standard : isText(row) ? form.fromMeta(String(row)) : undefined;
    if (value === undefined) continue;
    changes[property] = value;
    names.push(meta);
  }
  return { changes, names };
}

/** What stands for a picture after a write: an id, the one that is sent or the one there is, else an address. */
function pictureOf(present: SeoPicture, address: unknown, sent: unknown, ids: RowIds): SeoPicture {
  const id = ids.picture(idIn(sent));
  if (id > 0) return id;
  const isTaken = sent === null || isText(sent);
  if (typeof present === 'number' && !isTaken) return present;
  if (isText(address) && (address === '' || isAddress(String(address)))) return String(address);
  return address === null || typeof present === 'number' ? '' : present;
}

/** 0 for what is none. */
function idIn(value: unknown): number {
  return isText(value) && /^[1-9]\d{0,9}$/.test(String(value)) ? Number(value) : 0;
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
