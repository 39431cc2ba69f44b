/**
 * JSON Schemas of the files of a site, made from the same field tables that read them: what editors complete and underline.
 *
 * Draft 7: the YAML language server, which most editors use, reads no newer one.
 */
import { collectionFields } from '../kernel/collections.ts';
import { fieldsOfComments } from '../modules/comments/fields.ts';
import type { Fields, FileFacet } from '../kernel/model/field.ts';
import { menuItemFields } from '../modules/menus/fields.ts';
import { redirectsFile, redirectsKey, redirectStatuses } from '../modules/content/permalinks/redirects-file.ts';
import type { Schema } from '../kernel/model/schema.ts';
import { fieldsOfUsers } from '../modules/people/users/fields.ts';
import type { DesignKind } from '../modules/design/themes/record.ts';
import { hasOwnFiles } from '../modules/types/record.ts';
import { topLevelNames } from '../modules/types/top-level-fields.ts';
import type { Declarations } from './declarations.ts';
import { designForms } from './design.ts';
import { menuWords } from './menus.ts';
import { recorder, type ReferenceTarget, type Use } from './parsed-file.ts';

export interface FileSchema {
  /** `post`, `category`, `site`. */
  readonly name: string;
  readonly title: string;
  /** Patterns of the files below the content folder. */
  readonly files: readonly string[];
  /** The front matter of the files, not the whole of them. */
  readonly isFrontMatter: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Names that files may use for a target, to be offered; others stay allowed. Undefined: none are offered. */
export type OfferedNames = (target: ReferenceTarget) => readonly string[] | undefined;

type Json = Readonly<Record<string, unknown>>;

const none: OfferedNames = () => undefined;

export function fileSchemas(model: Declarations, names: OfferedNames = none): FileSchema[] {
  const types = model.types.filter((type) => hasOwnFiles(type) && type.name !== 'cms_font_family');
  const matter = (name: string, title: string, folders: readonly string[], properties: Json): FileSchema => ({
    name,
    title,
    files: folders.flatMap((folder) => [`${folder}/**/*.md`, `${folder}/**/*.html`]),
    isFrontMatter: true,
    schema: document(title, { ...properties, ...literalMarkers }),
  });
  const yaml = (name: string, title: string, files: string, properties: Json, more: Json = {}): FileSchema => ({
    name,
    title,
    files: [files],
    isFrontMatter: false,
    schema: { ...document(title, properties), ...more },
  });
  const properties = (fields: Fields<never, never> | undefined): Json => propertiesOf(fields ?? {}, names);
  /** Declared fields may be said beside the other keys. */
  const withTopLevel = (fields: Fields<never, never>, type: string): Json => {
    const all = properties(fields);
    const declared = (all.meta as { readonly properties?: Json } | undefined)?.properties ?? {};
    return { ...all, ...Object.fromEntries([...topLevelNames(fields ?? {}, type)].map((name) => [name, declared[name]])) };
  };
  const design = (kind: DesignKind): Json =>
    Object.fromEntries(Object.entries(designForms[kind]).map(([key, form]) => [key, draft7(form)]));
  return unambiguous([
    ...types.map(({ name, labels, folders }) => {
      const fields = model.postFields.get(name) as unknown as Fields<never, never>;
      return matter(fileName(name), labels.singular_name ?? name, folders, withTopLevel(fields, name));
    }),
    yaml('media', 'Media file', 'media/**/*.yaml', properties(model.postFields.get('attachment') as never)),
    ...model.taxonomies
      .filter(({ name }) => name !== 'nav_menu' && name !== 'post_format')
      .map(({ name, labels, folder }) => {
        const fields = model.termFields.get(name) as unknown as Fields<never, never>;
        return yaml(folder, labels.singular_name ?? name, `terms/${folder}/*.yaml`, withTopLevel(fields, name));
      }),
    yaml('user', 'Author', 'users/*.yaml', properties(fieldsOfUsers(model) as never)),
    yaml(
      'menu',
      'Menu',
      'menus/*.yaml',
      { ...properties(model.termFields.get('nav_menu') as never), items: { $ref: '#/definitions/items' } },
      {
        definitions: { items: menuItems(model, names) },
      },
    ),
    matter('comment', 'Comment', ['comments'], properties(fieldsOfComments(model) as never)),
    matter('pattern', 'Pattern of the design', ['patterns'], design('pattern')),
    yaml('font-family', 'Font family', 'fonts/*.yaml', design('family')),
    yaml('font-face', 'Face of a font', 'fonts/*/*.yaml', design('face')),
    yaml('sidebar', 'Sidebar', 'sidebars/*.yaml', design('sidebar')),
    ...model.modules.collections.map((collection) =>
      yaml(collection.name, collection.title, `${collection.name}/*.yaml`, properties(collectionFields(collection) as never)),
    ),
    yaml('site', 'Site', 'site.yaml', siteProperties(model, names)),
    { ...yaml('redirects', 'Redirects', redirectsFile, {}), schema: redirectSchema },
  ]);
}

/** A type may be called like a taxonomy: the later one gets a number. */
function unambiguous(schemas: readonly FileSchema[]): FileSchema[] {
  const counts = new Map<string, number>();
  return schemas.map((schema) => {
    const count = (counts.get(schema.name) ?? 0) + 1;
    counts.set(schema.name, count);
    return count === 1 ? schema : { ...schema, name: `${schema.name}-${count}` };
  });
}

const literalMarkers: Json = {
  conflict_markers: { description: 'true: lines like those of a merge conflict are meant as text of the body.', type: 'boolean' },
};

/** Unknown keys are allowed: they are their author's own. */
function document(title: string, properties: Json): Json {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, type: ['object', 'null'], properties };
}

/** One property for each key of a file. */
function propertiesOf(fields: Fields<never, never>, names: OfferedNames): Json {
  const entries = Object.values(fields).flatMap(({ file, schema }): [string, Json][] => {
    if (!file) return [];
    const { form = {} } = file;
    const description = form.description ?? schema?.description;
    const property = draft7({ ...form, ...(description === undefined ? {} : { description }) });
    return [[file.key, offered(property, file, names)]];
  });
  return Object.fromEntries(entries);
}

/** A reference, with the names it may have. */
function offered(property: Json, file: FileFacet<never>, names: OfferedNames): Json {
  const target = targetOf(file);
  const known = target && names(target);
  if (!known || known.length === 0) return property;
  const { description, type, items } = property;
  const one = (kinds: unknown): Json => ({ anyOf: [{ enum: known }, { type: kinds }] });
  if (items === undefined) return { description, ...one(type) };
  return { description, anyOf: [{ type: 'array', items: one((items as Json).type) }, one(['string', 'integer', 'null'])] };
}

/** What a facet refers to: it says so itself when it reads a name. */
function targetOf(file: FileFacet<never>): ReferenceTarget | undefined {
  const uses: Use[] = [];
  const draft = { taxonomy: 'category', terms: {} };
  try {
    file.read('x', draft as never, { path: 'x/x.md', mtimeMs: 0, zone: 'UTC', refs: recorder(file.key, 'x', uses) });
  } catch {
    // It reads no names.
  }
  return uses[0]?.target;
}

function menuItems(model: Declarations, names: OfferedNames): Json {
  const words = menuWords(model);
  const reference = (target: ReferenceTarget): Json => {
    const known = names(target);
    const type = ['string', 'integer'];
    return {
      description: 'What it points at: slug, path or id.',
      ...(known?.length ? { anyOf: [{ enum: known }, { type }] } : { type }),
    };
  };
  const pointers = [...words].map(([word, { itemType, object }]): [string, Json] => [
    word,
    reference(itemType === 'taxonomy' ? { kind: 'term', taxonomy: object } : { kind: 'post', type: object }),
  ]);
  const more: Json = {
    url: { description: 'A plain address.', type: 'string' },
    archive: { description: 'A type whose list it points at.', type: 'string' },
    id: { description: 'Its number; given when the file is first seen.', type: 'integer', minimum: 1 },
    parent: { description: 'Only where its place does not say it.', type: 'integer' },
    order: { description: 'Only where its place does not say it.', type: 'integer' },
    items: { $ref: '#/definitions/items' },
  };
  const properties = { ...Object.fromEntries(pointers), ...propertiesOf(menuItemFields(model) as never, names), ...more };
  return { description: 'Its items, in order.', type: ['array', 'null'], items: { type: 'object', properties } };
}

function siteProperties({ settings }: Declarations, names: OfferedNames): Json {
  const refers = {
    category: { kind: 'term', taxonomy: 'category' },
    page: { kind: 'post', type: 'page' },
    media: { kind: 'post', type: 'attachment' },
  } as const;
  const rows = settings
    .filter((row) => !row.private)
    .map((row): [string, Json] => {
      const { schema, key } = row;
      const description = schema.description ?? (schema.title ? schema.title : undefined);
      const said = description === undefined ? {} : { description };
      if (row.refers) {
        const known = names(refers[row.refers]);
        const type = ['string', 'integer', 'null'];
        return [key, { ...said, ...(known?.length ? { anyOf: [{ enum: known }, { type }] } : { type }) }];
      }
      const fallback = row.default === undefined || row.default === null || row.default === '' ? {} : { default: row.default };
      const { enum: allowed, ...form } = draft7(schema);
      // A key that is written empty was reset.
      const open = allowed === undefined ? {} : { enum: [...(allowed as unknown[]), null] };
      const types = [schema.type === 'string' ? ['string', 'number', 'boolean'] : (schema.type ?? [])].flat();
      return [key, { ...form, ...open, ...said, ...fallback, ...(types.length > 0 ? { type: [...types, 'null'] } : {}) }];
    });
  return { ...Object.fromEntries(rows), types: declared(typeForm), taxonomies: declared(taxonomyForm) };
}

function declared(properties: Json): Json {
  return { type: ['object', 'null'], additionalProperties: { type: ['object', 'null'], properties } };
}

const redirectTo: Json = {
  description: 'Where it leads: a path of the site, or an address with https://.',
  type: 'string',
  pattern: '^(?:/(?![/\\\\])|https?://)',
};
const redirectParts: Json = {
  to: redirectTo,
  status: { description: '410: nothing is there any more.', enum: [...redirectStatuses], default: 301 },
};
const redirectRow: Json = {
  type: 'object',
  properties: { from: { description: 'The path that redirects.', type: 'string', pattern: '^/' }, ...redirectParts },
};
const redirectList: Json = { type: 'array', items: redirectRow };
/** A map of paths, or a list. */
const redirectSchema: Json = {
  ...document('Redirects', { [redirectsKey]: redirectList }),
  type: ['object', 'array', 'null'],
  items: redirectRow,
  patternProperties: { '^/': { anyOf: [redirectTo, { const: 410 }, { type: 'object', properties: redirectParts }] } },
};

const list = { type: 'array', items: { type: 'string' } };
const common: Json = {
  plural: { description: 'Name of many.', type: 'string' },
  singular: { description: 'Name of one.', type: 'string' },
  rest_base: {
    description: 'Route, and for types the folder where none is said; the name, if not said.',
    type: 'string',
    pattern: '^[a-z0-9_-]+$',
  },
  description: { type: 'string' },
  hierarchical: { description: 'true: paths are the hierarchy, as for pages.', type: 'boolean' },
  public: { description: 'false: it has no pages of its own.', type: 'boolean' },
  fields: {
    description: 'Custom fields, kept under meta of the items: a type, or a map that describes more.',
    type: 'object',
    additionalProperties: {
      anyOf: [
        { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] },
        { type: 'object', properties: { type: { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] } } },
      ],
    },
  },
};
const typeForm: Json = {
  ...common,
  has_archive: {
    description: 'true: its items are listed at the address of its name; or the slug of that address.',
    anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^[a-z0-9_-]+$' }],
  },
  supports: { description: 'What its items have.', ...list },
  folder: {
    description: 'Where its files are, the first for new ones; _drafts holds drafts. Of posts and pages as well.',
    anyOf: [{ type: 'string' }, list],
  },
  file_name: {
    description: 'Name of a new file: {year}-{month}-{day}-{slug}, {slug}/index.',
    type: 'string',
    pattern: '\\{slug\\}',
  },
  drafts: {
    description: 'Paths of files and folders that hold drafts, or beginnings of their names: "_*".',
    anyOf: [{ type: 'string' }, list],
  },
  taxonomies: list,
};
const taxonomyForm: Json = { ...common, types: list };

const copied = [
  'description',
  'type',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'multipleOf',
] as const satisfies readonly (keyof Schema)[];

/** The interface's schemas without what only the interface knows; a text may be anything that is no list or map. */
function draft7(schema: Schema): Json {
  const out: Record<string, unknown> = {};
  for (const key of copied) if (schema[key] !== undefined) out[key] = schema[key];
  if (schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined)
    out.type = ['string', 'number', 'boolean', 'null'];
  if (schema.enum !== undefined) out.enum = Object.values(schema.enum);
  if (schema.items !== undefined) out.items = draft7(schema.items);
  if (schema.properties !== undefined && !Array.isArray(schema.properties)) {
    out.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, draft7(one as Schema)]));
  }
  const more = schema.additionalProperties;
  if (more !== undefined) out.additionalProperties = typeof more === 'boolean' ? more : draft7(more);
  if (schema.anyOf ?? schema.oneOf) out.anyOf = (schema.anyOf ?? schema.oneOf)?.map(draft7);
  return out;
}

/** `cms_template_part` is called by what it is. */
function fileName(type: string): string {
  return type.replace(/^cms_/, '').replaceAll('_', '-');
}
