/**
 * Fields that `site.yaml` declares for a type or taxonomy, said by a file beside its other keys: `isbn: 978-0-441` is the same as
 * `meta: { isbn: 978-0-441 }`. `meta` wins where a file has both, and what is written back stays where the file says it.
 */
import { type Fields, fileKeys, same } from '../../kernel/model/field.ts';
import { isMap, mapOf } from '../../kernel/model/maps.ts';
import { standardTaxonomies } from './taxonomies.ts';
import { standardTypes } from './types.ts';

type Data = Readonly<Record<string, unknown>>;

/** Fields of a file at its top level, as they were found. */
export type TopLevelFields = Readonly<Record<string, unknown>>;

const builtIn: ReadonlySet<string> = new Set([...standardTypes, ...standardTaxonomies].map(({ name }) => name));
const none: ReadonlySet<string> = new Set();
const known = new WeakMap<object, ReadonlySet<string>>();

/**
 * Names of the declared fields that no key of the file has.
 * @param fields  of a type or taxonomy
 */
export function topLevelNames(fields: Fields<never, never>, type: string): ReadonlySet<string> {
  if (builtIn.has(type)) return none;
  const found = known.get(fields);
  if (found) return found;
  const keys = new Set(fileKeys(fields));
  const declared = mapOf((fields.meta ?? fields._meta)?.file?.form?.properties);
  const names = new Set(Object.keys(declared).filter((name) => !name.startsWith('_') && !keys.has(name)));
  known.set(fields, names);
  return names;
}

/** The values of a file with its top-level fields under `meta`. */
export function underMeta(
  data: Data,
  names: ReadonlySet<string>,
): { readonly data: Data; readonly fields: TopLevelFields | null } {
  if (names.size === 0 || (data.meta !== undefined && data.meta !== null && !isMap(data.meta))) return { data, fields: null };
  const meta = mapOf(data.meta);
  const entries = Object.entries(data).filter(
    ([key, value]) => names.has(key) && value !== null && value !== undefined && !Object.hasOwn(meta, key),
  );
  if (entries.length === 0) return { data, fields: null };
  const fields = Object.fromEntries(entries);
  const others = Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(fields, key)));
  return { data: { ...others, meta: { ...meta, ...fields } }, fields };
}

/** Changes of a file with the fields that it has at its top level there. */
export function atTopLevel(changes: Data, fields: TopLevelFields | null): Data {
  if (fields === null || !Object.hasOwn(changes, 'meta')) return changes;
  const { meta, ...others } = changes;
  const rest = { ...mapOf(meta) };
  const own: Record<string, unknown> = {};
  for (const [name, found] of Object.entries(fields)) {
    if (!same(rest[name], found)) own[name] = rest[name];
    delete rest[name];
  }
  return { ...others, ...own, meta: Object.keys(rest).length > 0 ? rest : undefined };
}
