/**
 * The key `seo:` in files of posts, pages, media, terms and users, and the names by which clients know its values as members of `meta`.
 */
import {
  type FieldChanges,
  type Field,
  type FieldCall,
  FieldProblem,
  type MetaFacet,
  type References,
  same,
  type SetContext,
} from '../../../kernel/model/field.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import { plainRowsOf, plainValuesIn, rowsOf, valuesInMeta, valuesInRows } from './meta-rows.ts';
import type { SeoValues } from './record.ts';
import { type ReadContext, userValueTable, type ValueRow, valueTable } from './values.ts';

type Rows = Readonly<Record<string, unknown>>;
type Table = Readonly<Record<string, ValueRow>>;

/** What a record holds: the values that its file has, and what else stands there. */
type StoredValues = Readonly<Record<string, unknown>> & { readonly others?: Readonly<Record<string, unknown>> };

interface Holder {
  readonly id: number;
  readonly meta?: unknown;
  readonly seo: StoredValues;
}

/** Of a file that says nothing: one for all. */
export const nothingStored: StoredValues = Object.freeze({});

export const seoField: Field<Holder, unknown> = fieldOf(valueTable, itemMeta(), valuesInMeta);
export const userSeoField: Field<Holder, unknown> = fieldOf(userValueTable, plainMeta(userValueTable), (meta) =>
  isMap(meta) ? plainValuesIn(userValueTable, meta).changes : {},
);

/** @param inRows  what the meta of a file says that has no such key: an import into a site that did not know it has left it there */
function fieldOf(table: Table, inMeta: MetaFacet<Holder>, inRows: (meta: unknown) => Rows): Field<Holder, unknown> {
  const properties = Object.fromEntries(Object.values(table).map(({ key, form }) => [key, form.schema]));
  return {
    file: {
      key: 'seo',
      form: of(['object', 'null'], 'What search engines and social networks are told of it.', { properties }),
      read(raw, draft, { refs }, data) {
        draft.seo =
          raw === undefined
            ? changed(table, nothingStored, inRows(data?.meta))
            : readValues(table, raw, { refs, reader: draft.id });
      },
      // An empty key removes what rows have set.
      print: ({ seo, meta }, { refs }) =>
        printValues(table, seo, refs) ?? (changed(table, nothingStored, inRows(meta)) === nothingStored ? undefined : null),
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

/** The key of a file that says these values; undefined where they are defaults. */
export function printedKey(values: Readonly<Record<string, unknown>>, refs: References): unknown {
  return printValues(valueTable, changed(valueTable, nothingStored, values), refs);
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
  return {
    get: ({ seo }, call) => (isSaid(seo) ? spelled(plainRowsOf(table, seo), call) : undefined),
    set: (given, draft, cx) => put(table, draft, cx, plainValuesIn(table, neutralNames(given, cx)).changes),
  };
}

/** Of items, also names that share a value: a picture by id and by address, further directives in one list, a primary term by taxonomy. */
function itemMeta(): MetaFacet<Holder> {
  return {
    get: ({ seo }, call) => (isSaid(seo) ? spelled(rowsOf(seo as Partial<SeoValues>), call) : undefined),
    set(given, draft, cx) {
      const present = (draft.seo ?? cx.before?.seo ?? nothingStored) as Partial<SeoValues>;
      const { taxonomies } = cx.call.site;
      const ids = {
        hasTaxonomy: (name: string) => taxonomies.has(name),
        picture: (id: number) => id,
        term: (_: string, id: number) => id,
      };
      put(valueTable, draft, cx, valuesInRows(neutralNames(given, cx), present, ids).changes);
    },
  };
}

function isSaid(seo: StoredValues | undefined): seo is StoredValues {
  return seo !== undefined && seo !== nothingStored;
}

/** Rows by the names of the dialect; undefined: none. */
function spelled(rows: Readonly<Record<string, string>>, { request: { dialect } }: FieldCall) {
  const named = Object.entries(rows).map(([name, value]) => [dialect.wireName(name), value]);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function put(
  table: Table,
  draft: FieldChanges<Holder>,
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
