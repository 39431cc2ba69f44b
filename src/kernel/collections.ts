/**
 * Collections of modules: the file kind, the table and the path row that follow from the fields.
 */
import { type Field, type Fields, fileKeys, forms, idFile, plainField, readFields, text } from './model/field.ts';
import { slugOfPath } from './model/logical-path.ts';
import { of } from './model/schema.ts';
import { slugify } from './model/slugs.ts';
import type { Collection, CollectionRecord } from './module.ts';
import type { TableSpec } from './records/types.ts';
import type { FileKind } from './site/file-kind.ts';
import type { PathRow } from './site/path-table.ts';
import { contextOf } from './site/record-file.ts';
import type { Site } from './site/site.ts';
import { tableOf } from './site/tables.ts';
import type { Entry } from './store/types.ts';

type CollectionFields = Fields<CollectionRecord, unknown>;

const common: CollectionFields = {
  id: { schema: of('integer', 'Unique identifier for the item.', { readonly: true }), get: ({ id }) => id, file: idFile },
  slug: {
    ...(plainField<CollectionRecord, 'slug'>('slug', text, '', of('string', 'An alphanumeric identifier for the item.')) as Field<
      CollectionRecord,
      unknown
    >),
    file: {
      key: 'slug',
      form: forms.text,
      read(raw, draft, { path }) {
        draft.slug = raw === undefined ? slugOfPath(path) : slugify(text.parse(raw, 'slug'));
      },
      print: ({ slug }, { path }) => (slug === slugOfPath(path) ? undefined : slug),
    },
    index: { unique: ({ slug }) => slug },
  },
};

/** All fields of a collection, in the order in which a file shows them. */
export function collectionFields({ fields }: Collection): CollectionFields {
  return { ...common, ...fields };
}

export function collectionTable(collection: Collection): TableSpec<CollectionRecord> {
  return tableOf(collection.name, [collectionFields(collection) as Fields<CollectionRecord, never>]);
}

export function collectionPath(collection: Collection): PathRow {
  const { name } = collection;
  return {
    pattern: `${name}/*.{yaml,yml}`,
    kind: name,
    type: '',
    space: name,
    fields: collectionFields(collection) as PathRow['fields'],
    scope: () => name,
  };
}

export function collectionKind(collection: Collection, site: Pick<Site, 'zone' | 'refs'>): FileKind<CollectionRecord> {
  const fields = collectionFields(collection) as Fields<CollectionRecord, never>;
  return {
    name: collection.name,
    table: collection.name,
    keys: fileKeys(fields),
    paths: [collectionPath(collection)],
    read(source, id) {
      const { path, etag, data, mtimeMs } = source as Entry;
      const draft = { id, path, etag, slug: '' };
      readFields(fields, data, draft, contextOf(site, path, mtimeMs));
      return draft;
    },
  };
}
