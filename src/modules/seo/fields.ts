/**
 * The key `seo:` in files of posts, pages, media, terms and users, and the names by which clients know its values as members of `meta`.
 */
import {
  type Changes,
  type Field,
  FieldProblem,
  type MetaFacet,
  type References,
  same,
  type SetContext,
} from '../../kernel/model/field.ts';
import { isMap, mapOf } from '../../kernel/model/maps.ts';
import { of } from '../../kernel/model/schema.ts';
import { isAddress } from './option-table.ts';
import type { Picture, SeoValues } from './record.ts';
import { noValues, type ReadContext, userValueTable, type ValueRow, valueTable } from './values.ts';

type Table = Readonly<Record<string, ValueRow>>;

/** What a record holds: the values that its file has, and what else stands there. */
export type StoredValues = Readonly<Record<string, unknown>> & { readonly others?: Readonly<Record<string, unknown>> };

interface Holder {
  readonly id: number;
  readonly seo: StoredValues;
}

/** Of a file that says nothing: one for all. */
export const nothingStored: StoredValues = Object.freeze({});

export const seoField: Field<Holder, unknown> = fieldOf(valueTable, itemMeta());
export const userSeoField: Field<Holder, unknown> = fieldOf(userValueTable, plainMeta(userValueTable));

function fieldOf(table: Table, inMeta: MetaFacet<Holder>): Field<Holder, unknown> {
  const properties = Object.fromEntries(Object.values(table).map(({ key, form }) => [key, form.schema]));
  return {
    file: {
      key: 'seo',
      form: of(['object', 'null'], 'What search engines and social networks are told of it.', { properties }),
      read(raw, draft, { refs }) {
        draft.seo = readValues(table, raw, { refs, reader: draft.id });
      },
      print: ({ seo }, { refs }) => printValues(table, seo, refs),
    },
    inMeta,
  };
}

/** @throws FieldProblem */
export function readValues(table: Table, raw: unknown, cx: ReadContext): StoredValues {
  if (raw === undefined || raw === null) return nothingStored;
  if (!isMap(raw)) throw new FieldProblem('seo', 'seo must be a map, of title, description and the like');
  const values: Record<string, unknown> = {};
  const others: Record<string, unknown> = { ...raw };
  for (const [property, { key, form, default: standard }] of Object.entries(table)) {
    if (!Object.hasOwn(raw, key)) continue;
    delete others[key];
    const value = form.parse(raw[key], `seo.${key}`, cx);
    if (!same(value, standard)) values[property] = value;
  }
  if (Object.keys(others).length > 0) values.others = others;
  return Object.keys(values).length === 0 ? nothingStored : values;
}

function printValues(table: Table, stored: StoredValues | undefined, refs: References): unknown {
  if (stored === undefined || stored === nothingStored) return undefined;
  const said = Object.entries(table).flatMap(([property, { key, form }]) =>
    stored[property] === undefined ? [] : [[key, form.print(stored[property], refs)]],
  );
  const printed = { ...Object.fromEntries(said), ...stored.others };
  return Object.keys(printed).length === 0 ? undefined : printed;
}

/** Values with some changed, those that are defaults left out. */
function changed(table: Table, stored: StoredValues, changes: Readonly<Record<string, unknown>>): StoredValues {
  const kept = Object.entries({ ...stored, ...changes }).filter(
    ([property, value]) => property === 'others' || (value !== undefined && !same(value, table[property]?.default)),
  );
  return kept.length === 0 ? nothingStored : Object.fromEntries(kept);
}

/** Names that stand for one value each. */
function plainMeta(table: Table): MetaFacet<Holder> {
  const rows = Object.entries(table).flatMap(([property, row]) =>
    row.meta === undefined ? [] : [{ property, ...row, meta: row.meta }],
  );
  return {
    get({ seo }, { request: { dialect } }) {
      if (seo === undefined || seo === nothingStored) return undefined;
      const shown = rows.filter(({ property }) => seo[property] !== undefined);
      if (shown.length === 0) return undefined;
      return Object.fromEntries(shown.map(({ property, meta, form }) => [dialect.wireName(meta), form.toMeta(seo[property])]));
    },
    set(given, draft, cx) {
      const changes: Record<string, unknown> = {};
      const sent = neutralNames(given, cx);
      for (const { property, meta, form, default: standard } of rows) {
        const value = sent[meta];
        if (value === null) changes[property] = standard;
        else if (isText(value)) changes[property] = form.fromMeta(String(value));
      }
      put(table, draft, cx, changes);
    },
  };
}

/** Of items, also names that share a value: a picture by id and by address, further directives in one list, a primary term by taxonomy. */
function itemMeta(): MetaFacet<Holder> {
  const plain = plainMeta(valueTable);
  return {
    get(record, call) {
      if (record.seo === undefined || record.seo === nothingStored) return undefined;
      const spell = (name: string): string => call.request.dialect.wireName(name);
      const seo = record.seo as Partial<SeoValues>;
      const out: Record<string, unknown> = { ...plain.get(record, call) };
      const advanced = directives.filter((name) => seo[name]);
      if (advanced.length > 0) out[spell('_seo_meta-robots-adv')] = advanced.join(',');
      for (const [property, name] of pictures)
        if (seo[property]) out[spell(typeof seo[property] === 'number' ? `${name}-id` : name)] = String(seo[property]);
      for (const [taxonomy, id] of Object.entries(seo.primary ?? {})) out[spell(primaryPrefix + taxonomy)] = String(id);
      return Object.keys(out).length === 0 ? undefined : out;
    },
    set(given, draft, cx) {
      plain.set(given, draft, cx);
      const sent = neutralNames(given, cx);
      const present = { ...noValues, ...(draft.seo ?? cx.before?.seo) } as SeoValues;
      const changes: Record<string, unknown> = {};
      const advanced = sent['_seo_meta-robots-adv'];
      if (advanced === null || isText(advanced)) {
        const named = String(advanced ?? '').split(',');
        for (const name of directives) changes[name] = named.includes(name);
      }
      for (const [property, name] of pictures) changes[property] = pictureOf(present[property], sent[name], sent[`${name}-id`]);
      const primary: Record<string, number> = { ...present.primary };
      for (const [name, value] of Object.entries(sent)) {
        const taxonomy = name.startsWith(primaryPrefix) ? name.slice(primaryPrefix.length) : '';
        if (!cx.call.site.taxonomies.has(taxonomy)) continue;
        if (/^[1-9]\d{0,9}$/.test(String(value))) primary[taxonomy] = Number(value);
        else delete primary[taxonomy];
      }
      put(valueTable, draft, cx, { ...changes, primary });
    },
  };
}

const directives = ['noimageindex', 'noarchive', 'nosnippet'] as const;
const pictures = [
  ['image', '_seo_opengraph-image'],
  ['cardImage', '_seo_twitter-image'],
] as const;
const primaryPrefix = '_seo_primary_';

/** What stands for a picture after a write: an id, the one that is sent or the one there is, else an address. */
function pictureOf(present: Picture, address: unknown, id: unknown): Picture {
  if (isText(id) && /^[1-9]\d{0,9}$/.test(String(id))) return Number(id);
  const isTaken = id === null || isText(id);
  if (typeof present === 'number' && !isTaken) return present;
  if (isText(address) && (address === '' || isAddress(String(address)))) return String(address);
  return address === null || typeof present === 'number' ? '' : present;
}

function put(
  table: Table,
  draft: Changes<Holder>,
  { before }: SetContext<Holder>,
  changes: Readonly<Record<string, unknown>>,
): void {
  const present = draft.seo ?? before?.seo ?? nothingStored;
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next = changed(table, present, said);
  if (!same(next, present)) draft.seo = next;
}

function neutralNames(
  given: Readonly<Record<string, unknown>>,
  { readName }: SetContext<Holder>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(mapOf(given)).map(([name, value]) => [readName(name), value]));
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
