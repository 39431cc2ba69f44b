/**
 * Types and taxonomies that `site.yaml` declares, with the meta their items have:
 *
 *     types:
 *       book:
 *         plural: Books
 *         singular: Book
 *         taxonomies: [genre]
 *         fields:
 *           isbn: { type: string, description: Number of the edition }
 *     taxonomies:
 *       genre: { plural: Genres, singular: Genre, hierarchical: true }
 */
import type { MetaSchemas } from '../model/post.ts';
import type { JsonType, Schema } from '../model/schema.ts';
import { connect, defineTaxonomy, type Taxonomy } from '../model/taxonomies.ts';
import { defineType, features, type PostType } from '../model/types.ts';
import type { Entry, Problem } from '../store/types.ts';
import { mapOf } from '../model/maps.ts';

interface Declared {
  readonly types: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly meta: Readonly<Record<string, MetaSchemas>>;
  readonly problems: readonly Problem[];
}

/** Folders that belong to the site itself. */
const reserved = new Set(['terms', 'users', 'media', 'menus', 'comments', 'revisions', 'blocks', 'navigation', 'posts', 'pages']);
const fieldTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

/** The built-in declarations with those of the site; one that makes no sense is reported and left out. */
export function declaredBy(entry: Entry | undefined, types: readonly PostType[], taxonomies: readonly Taxonomy[]): Declared {
  const problems: Problem[] = [];
  const meta: Record<string, MetaSchemas> = {};
  const each = <T>(key: 'types' | 'taxonomies', known: readonly { name: string }[], make: (name: string, row: Row) => T): T[] =>
    Object.entries(mapOf(entry?.data[key])).flatMap(([name, raw]) => {
      try {
        if (known.some((one) => one.name === name)) throw new Error(`"${name}" is built in`);
        return [make(name, mapOf(raw))];
      } catch (error) {
        problems.push(problem(`${key}: ${(error as Error).message}`));
        return [];
      }
    });
  const ownTypes = each('types', types, (name, row) => {
    const supports = features(
      Array.isArray(row.supports) ? listOf(row.supports).join(' ') : 'title editor author excerpt revisions custom-fields',
    );
    const type = defineType({ name, ...common(name, row), supports });
    if (reserved.has(type.folder))
      throw new Error(`"${type.folder}" is a folder of the site itself; give "${name}" another rest_base`);
    meta[name] = metaOf(mapOf(row.fields));
    return { ...type, taxonomies: listOf(row.taxonomies) };
  });
  const ownTaxonomies = each('taxonomies', taxonomies, (name, row) => {
    meta[name] = metaOf(mapOf(row.fields));
    return defineTaxonomy({ name, ...common(name, row), types: listOf(row.types) });
  });
  return { ...connect([...types, ...ownTypes], [...taxonomies, ...ownTaxonomies]), meta, problems };
}

type Row = Readonly<Record<string, unknown>>;

function common(name: string, row: Row) {
  const singular = String(row.singular ?? name);
  const base = row.rest_base === undefined ? undefined : String(row.rest_base);
  if (base !== undefined && !/^[a-z0-9_-]+$/.test(base))
    throw new Error(`rest_base "${base}" must be small letters, digits, "_" and "-"`);
  return {
    singular,
    plural: String(row.plural ?? `${singular}s`),
    ...(base === undefined ? {} : { restBase: base }),
    ...(row.description === undefined ? {} : { description: String(row.description) }),
    ...(typeof row.hierarchical === 'boolean' ? { hierarchical: row.hierarchical } : {}),
    ...(typeof row.public === 'boolean' ? { public: row.public } : {}),
  };
}

/** Custom fields as registered meta; a word stands for its type. */
function metaOf(fields: Row): MetaSchemas {
  return Object.fromEntries(
    Object.entries(fields).map(([name, raw]): [string, Schema] => {
      const row = typeof raw === 'string' ? { type: raw } : mapOf(raw);
      const type = String(row.type ?? 'string') as JsonType;
      if (!fieldTypes.includes(type)) throw new Error(`field "${name}" has no type "${type}": one of ${fieldTypes.join(', ')}`);
      return [name, { title: '', type, default: emptyOf[type], ...allowedOf(row) }];
    }),
  );
}

const emptyOf: Readonly<Partial<Record<JsonType, unknown>>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

/** What a declaration may say of a field. No patterns: a regular expression out of a content file could stop the server. */
const sayable = [
  'description',
  'title',
  'default',
  'enum',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
];

function allowedOf(row: Row): Row {
  const items = row.items === undefined ? {} : { items: { type: String(mapOf(row.items).type ?? row.items) as JsonType } };
  return { ...Object.fromEntries(sayable.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]]]))), ...items };
}

function listOf(raw: unknown): string[] {
  return Array.isArray(raw) ? raw.map(String) : [];
}

function problem(message: string): Problem {
  return { path: 'site.yaml', line: 1, column: 1, severity: 'error', rule: 'declaration', message };
}
