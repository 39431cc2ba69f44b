/** The fields of terms (specification section 4.4; the reference's categories and tags). */
import { table } from '../../../kernel/model/maps.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import {
  type Draft,
  type Field,
  type FileContext,
  forms,
  idFile,
  inFile,
  map,
  text,
  texts,
  toRecord,
} from '../../../kernel/model/field.ts';
import { slugFile, slugOfName } from '../posts/record.ts';
import { type Context, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { setMeta } from '../../../kernel/rest/meta-input.ts';
import { sortKey } from '../posts/sort-key.ts';
import type { Taxonomy } from '../../types/record.ts';
import type { TermFields, TermRecord, TermView } from './record.ts';
import { escapeName } from '../../../kernel/model/escape.ts';

type TermField = Field<TermRecord, TermView>;

const readonly = true;
const everywhere: readonly Context[] = ['view', 'embed', 'edit'];

/** Key order in files. */
export const termKeys: readonly string[] = ['id', 'name', 'slug', 'parent', 'description', 'meta', 'aliases'];

/** The fields of a taxonomy's terms, in API order. */
export function termFields(taxonomy: Taxonomy, meta: Readonly<Record<string, Schema>>): TermFields {
  return {
    id: {
      schema: of('integer', 'Unique identifier for the term.', { context: everywhere, readonly }),
      get: (term) => term.id,
      file: idFile,
      index: { order: (term) => term.id },
    },
    count: {
      schema: of('integer', 'Number of published posts for the term.', { context: viewAndEdit, readonly }),
      get: (term, view) => view.count(term),
    },
    description: {
      schema: of('string', 'HTML description of the term.', { context: viewAndEdit }),
      get: (term) => term.description,
      set: toRecord('description'),
      file: inFile<TermRecord, 'description'>('description', text, ''),
      index: { order: (term) => term.description.toLowerCase() },
    },
    link: {
      schema: of('string', 'URL of the term.', { format: 'uri', context: everywhere, readonly }),
      get: (term, view) => view.link(term),
    },
    name: {
      schema: of('string', 'HTML title for the term.', { context: everywhere, required: true }),
      get: (term) => term.name,
      set: toRecord('name'),
      file: {
        key: 'name',
        form: forms.text,
        read(raw, draft, cx) {
          draft.name = escapeName(raw === undefined ? slugOfName(cx) : text.parse(raw, 'name'));
        },
        print: (term) => plainName(term.name),
      },
      index: { order: (term) => sortKey(term.name), text: (term) => term.name },
    },
    slug: {
      schema: of('string', 'An alphanumeric identifier for the term unique to its type.', { context: everywhere }),
      get: (term) => term.slug,
      set: toRecord('slug'),
      file: slugFile,
      index: {
        equal: (term) => [`${term.taxonomy}:${term.slug}`, ...term.aliases.map((alias) => `${term.taxonomy}:~${alias}`)],
        order: (term) => term.slug,
        text: (term) => term.slug,
      },
    },
    taxonomy: {
      schema: of('string', 'Type attribution for the term.', { enum: [taxonomy.name], context: everywhere, readonly }),
      get: (term, view) => view.word(term.taxonomy),
      index: { equal: (term) => term.taxonomy },
    },
    ...(taxonomy.hierarchical ? { parent: parentField } : {}),
    meta: {
      schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: Object.keys(meta).length > 0 ? meta : [] }),
      get: (term, view) => view.meta(term),
      set: setMeta(meta),
      file: { ...inFile<TermRecord, 'meta'>('meta', map, {}), form: { type: ['object', 'null'], properties: meta } },
    },
    _aliases: { file: inFile<TermRecord, 'aliases'>('aliases', texts, []) },
    _place: { index: { equal: (term) => logicalPath(term.path) } },
  };
}

const parentField: TermField = {
  schema: of('integer', 'The parent term ID.', { context: viewAndEdit }),
  get: (term) => term.parent,
  set: toRecord('parent'),
  file: {
    key: 'parent',
    form: forms.reference,
    read(raw, draft: Draft<TermRecord>, { refs }: FileContext) {
      const ref = typeof raw === 'number' ? raw : raw === undefined || raw === null ? 0 : text.parse(raw, 'parent');
      draft.parent = ref === 0 || ref === '' ? 0 : refs.termId(draft.taxonomy, ref);
    },
    print: (term, { refs }) => (term.parent === 0 ? undefined : refs.termRef(term.taxonomy, term.parent)),
  },
  index: { equal: (term) => term.parent },
};

/** The plain text of a name, or the name itself if the plain text is ambiguous. */
function plainName(name: string): string {
  const plain = name.replace(/&(amp|lt|gt);/g, (entity) => characters[entity] as string);
  return escapeName(plain) === name ? plain : name;
}

const characters: Readonly<Record<string, string>> = table({ '&amp;': '&', '&lt;': '<', '&gt;': '>' });
