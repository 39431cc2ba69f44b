/**
 * Types and taxonomies that `site.yaml` declares, with the meta their items have:
 *
 *     types:
 *       book:
 *         plural: Books
 *         singular: Book
 *         taxonomies: [genre]
 *         folder: library
 *         fields:
 *           isbn: { type: string, description: Number of the edition }
 *     taxonomies:
 *       genre: { plural: Genres, singular: Genre, hierarchical: true }
 */
import { connect, defineTaxonomy } from './taxonomies.ts';
import { type MetaSchemas, DeclarationError, type PostType, type Taxonomy } from './record.ts';
import { defineType, features } from './types.ts';
import type { Entry, Problem } from '../../kernel/store/types.ts';
import { same } from '../../kernel/model/field.ts';
import { isMap, isObjectWord, mapOf } from '../../kernel/model/maps.ts';
import { declaredFields } from './declared-fields.ts';
import { declaredPlaces, folderKeys } from './folders.ts';
import { contentFolders, isReservedKind, itemNames, routeBases } from './reserved-names.ts';

interface Declared {
  readonly types: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly meta: Readonly<Record<string, MetaSchemas>>;
  readonly problems: readonly Problem[];
}

/** Built-in types whose folder can be set. */
const movable: ReadonlySet<string> = new Set(['post', 'page', 'attachment']);
/** More would slow down the start and bloat the catalogue. */
const maxDeclared = 100;
/** Names that routes and folders of a type cannot have. */
const reserved: ReadonlySet<string> = new Set([...routeBases, ...contentFolders]);
/** Keys that a taxonomy cannot have in front matter and responses. */
const reservedKeys: ReadonlySet<string> = new Set([...routeBases, ...itemNames]);

/** The built-in declarations with those of the site; invalid ones are reported and dropped. */
export function declaredBy(entry: Entry | undefined, types: readonly PostType[], taxonomies: readonly Taxonomy[]): Declared {
  const problems: Problem[] = [];
  const meta: Record<string, MetaSchemas> = Object.create(null);
  const names = new Set([...types, ...taxonomies].map(({ name }) => name));
  const bases = new Set<string>();
  const owners = new Map(types.filter(({ name }) => movable.has(name)).map(({ name, folder }) => [folder, name]));
  const moved = new Map<string, PostType>();
  const each = <T extends PostType | Taxonomy>(key: 'types' | 'taxonomies', make: (name: string, row: Row) => T): T[] => {
    const declared = ownValue(entry, key);
    if (declared !== undefined && declared !== null && !isMap(declared))
      problems.push(problem([key], `${key} must be a map of names and what they are`));
    return Object.entries(mapOf(declared)).flatMap(([name, raw], at) => {
      try {
        if (at >= maxDeclared) throw new Error(`"${name}" is one too many: there may be ${maxDeclared}`);
        if (key === 'types' && movable.has(name)) {
          move(name, mapOf(raw));
          return [];
        }
        if (names.has(name)) throw new Error(`"${name}" is ${bases.has(name) || meta[name] ? 'declared twice' : 'built in'}`);
        if (isReservedKind(name)) throw new Error(`"${name}" is a word of the site itself; take another name`);
        const made = make(name, mapOf(raw));
        if (bases.has(made.restBase))
          throw new DeclarationError(
            baseKeys(mapOf(raw)),
            `"${made.restBase}" is the rest_base of another; give "${name}" one of its own`,
          );
        meta[name] = declaredFields(mapOf(raw).fields, (error) =>
          problems.push(problem([key, name, ...error.keys], `${key}: ${error.message}`, error.hint)),
        );
        names.add(name);
        bases.add(made.restBase);
        return [made];
      } catch (error) {
        const keys = error instanceof DeclarationError ? error.keys : [];
        const found = problem([key, name, ...keys], `${key}: ${(error as Error).message}`);
        problems.push(keys.length === 0 ? { ...found, onKey: true } : found);
        return [];
      }
    });
  };
  const placed = <T extends PostType>(type: T, row: Row): T => {
    const places = declaredPlaces(row, type.name, owners);
    if (places === null && owners.has(type.folder) && owners.get(type.folder) !== type.name)
      throw new DeclarationError(baseKeys(row), `"${type.folder}" is the folder of ${owners.get(type.folder)}`);
    const all = { ...type, ...places };
    if (places) for (const [folder, owner] of owners) if (owner === type.name) owners.delete(folder);
    for (const folder of all.folders) owners.set(folder, type.name);
    return all;
  };
  /** Only the folders of built-in types can change; anything else is reported. */
  const move = (name: string, row: Row): void => {
    const other = Object.keys(row).find((one) => !folderKeys.includes(one));
    if (other !== undefined || moved.has(name))
      throw new DeclarationError(
        other === undefined ? [] : [other],
        `"${name}" is built in: only its folder, file_name and drafts can be said`,
      );
    const type = types.find((one) => one.name === name) as PostType;
    refuseFileName(type, row);
    moved.set(name, placed(type, row));
  };
  const ownTypes = each('types', (name, row) => {
    const supports = features(row.supports === undefined ? standardSupports : listOf(row.supports, 'supports').join(' '));
    const type = defineType({ name, ...common(name, row), supports });
    if (reserved.has(type.restBase))
      throw new DeclarationError(
        baseKeys(row),
        `"${type.restBase}" is a folder or route of the site itself; give "${name}" another rest_base`,
      );
    refuseFileName(type, row);
    return placed({ ...type, hasArchive: archive(row), taxonomies: listOf(row.taxonomies, 'taxonomies') }, row);
  });
  const ownTaxonomies = each('taxonomies', (name, row) => {
    const taxonomy = defineTaxonomy({ name, ...common(name, row), types: listOf(row.types, 'types') });
    if (reservedKeys.has(taxonomy.restBase))
      throw new DeclarationError(
        baseKeys(row),
        `"${taxonomy.restBase}" is a field or route of the site itself; give "${name}" another rest_base`,
      );
    if (taxonomies.some(({ folder }) => folder === taxonomy.folder))
      throw new Error(`"${taxonomy.folder}" is a folder of the site itself; take another name`);
    return taxonomy;
  });
  const builtIn = types.map((type) => moved.get(type.name) ?? type);
  return { ...connect([...builtIn, ...ownTypes], [...taxonomies, ...ownTaxonomies]), meta, problems };
}

const standardSupports = 'title editor author excerpt revisions custom-fields';

/** Changes of declarations since the site was opened, as one problem: declarations are read at start. */
export function pendingDeclarations(opened: Entry | undefined, present: Entry | null): readonly Problem[] {
  const changes = (['types', 'taxonomies'] as const).flatMap((key) => {
    const [before, after] = [mapOf(opened?.data[key]), mapOf(present?.data[key])];
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
      if (same(before[name], after[name])) return [];
      const how = !Object.hasOwn(before, name) ? 'is new' : Object.hasOwn(after, name) ? 'has changed' : 'is gone';
      return [`${name} ${how} under ${key}`];
    });
  });
  if (changes.length === 0) return [];
  const shown = changes.length > 5 ? [...changes.slice(0, 5), `and ${changes.length - 5} more`] : changes;
  return [{ ...problem([], `${shown.join(', ')}: not in force yet`), hint: 'restart the server' }];
}

type Row = Readonly<Record<string, unknown>>;

function refuseFileName({ name, hierarchical }: PostType, row: Row): void {
  if (row.file_name === undefined || !(hierarchical || name === 'attachment')) return;
  throw new DeclarationError(
    ['file_name'],
    `file_name: files of "${name}" are named by ${hierarchical ? 'their place' : 'who sends them'}`,
  );
}

/** The key of the `rest_base`, which defaults to the name. */
function baseKeys(row: Row): readonly string[] {
  return row.rest_base === undefined ? [] : ['rest_base'];
}

/** Whether its items have an archive, or the slug of that. */
function archive({ has_archive: given }: Row): boolean | string {
  if (given === undefined || given === null) return false;
  if (typeof given === 'boolean' || (typeof given === 'string' && /^[a-z0-9_-]{1,64}$/.test(given))) return given;
  throw new DeclarationError(['has_archive'], 'has_archive must be true, or a slug of small letters, digits, "_" and "-"');
}

function common(name: string, row: Row) {
  const singular = label(row.singular, 'singular') ?? name;
  const base = row.rest_base === undefined ? undefined : row.rest_base;
  if (base !== undefined && (typeof base !== 'string' || !/^[a-z0-9_-]{1,64}$/.test(base)))
    throw new DeclarationError(['rest_base'], `rest_base ${JSON.stringify(base)} must be small letters, digits, "_" and "-"`);
  const description = label(row.description, 'description');
  return {
    singular,
    plural: label(row.plural, 'plural') ?? `${singular}s`,
    ...(base === undefined ? {} : { restBase: base }),
    ...(description === undefined ? {} : { description }),
    ...(typeof row.hierarchical === 'boolean' ? { hierarchical: row.hierarchical } : {}),
    ...(typeof row.public === 'boolean' ? { public: row.public } : {}),
  };
}

function label(raw: unknown, key: string): string | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'object' || String(raw).length > 2000) throw new DeclarationError([key], `${key} must be a text`);
  return String(raw);
}

/** A list of names, such as types. */
function listOf(raw: unknown, key: string): string[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw) || raw.some((one) => typeof one === 'object' || isObjectWord(String(one))))
    throw new DeclarationError([key], `${key} must be a list of words`);
  return raw.map(String);
}

function ownValue(entry: Entry | undefined, key: string): unknown {
  return entry && Object.hasOwn(entry.data, key) ? entry.data[key] : undefined;
}

function problem(keys: readonly string[], message: string, hint?: string): Problem {
  const said = hint === undefined ? {} : { hint };
  return { path: 'site.yaml', line: 1, column: 1, keys, severity: 'error', rule: 'declaration', message, ...said };
}
