/** Checks of custom fields for `cms validate`: invalid declarations, invalid values, and unknown references. */
import { isMap } from '../../../kernel/model/maps.ts';
import { nearest } from '../../../kernel/model/spelling.ts';
import type { Check, CheckFinding } from '../../../kernel/module.ts';
import type { Entry } from '../../../kernel/store/types.ts';

import { declaredBy, standardTaxonomies, standardTypes } from '../../types/index.ts';
import { declaredGroups } from './declaration.ts';
import type { FieldLocation } from './location.ts';
import { acceptValue, faultOf } from './nested-types.ts';
import type { FieldDefinition, FieldGroup, FieldReference } from './record.ts';
import { referencesIn } from './references.ts';
import { definitionsAt } from './values.ts';

type Content = Parameters<Check['run']>[0];

export const fieldChecks: readonly Check[] = [
  {
    rule: 'field-declaration',
    severity: 'error',
    *run(content) {
      const { fields, types } = siteOf(content);
      for (const fault of declaredGroups(fields, types).faults) yield { path: 'site.yaml', ...fault };
      yield* unknownKinds(content, fields);
    },
  },
  { rule: 'field-value', severity: 'error', run: (content) => valueFaults(content) },
  { rule: 'field-unknown', severity: 'warning', run: (content) => unknownNames(content) },
  { rule: 'field-reference', severity: 'warning', run: (content) => lostReferences(content) },
];

function siteOf({ entries }: Content): Readonly<Record<string, unknown>> {
  return entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
}

/** Fields declared for unknown types or taxonomies. */
function* unknownKinds(content: Content, fields: unknown): Iterable<CheckFinding> {
  if (!isMap(fields)) return;
  const kinds = foldersOf(content).flatMap(({ of }) => {
    const { type = [], taxonomy = [] } = of({ data: {}, path: '' } as unknown as Entry);
    return [...type, ...taxonomy];
  });
  const known = [...kinds, 'user', 'comment'];
  for (const name of Object.keys(fields)) {
    const near = known.includes(name) ? undefined : nearest(name, known);
    if (!known.includes(name))
      yield {
        path: 'site.yaml',
        keys: ['fields', name],
        message: `there is no type or taxonomy ${JSON.stringify(name)}`,
        hint: near === undefined ? `one of ${known.join(', ')}` : `did you mean ${near}?`,
      };
  }
}

interface FiledItem {
  readonly entry: Entry;
  readonly values: Readonly<Record<string, unknown>>;
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
}

function* filedItems(content: Content): Iterable<FiledItem> {
  const { fields, types, deployment } = siteOf(content);
  const { groups } = declaredGroups(fields, deployment === 'extended' ? types : undefined);
  if (groups.length === 0) return;
  const locate = locator(content);
  for (const entry of content.entries) {
    const values = entry.data.fields;
    if (!isMap(values)) continue;
    const location = locate(entry);
    if (location) yield { entry, values, definitions: definitionsAt(groups as readonly FieldGroup[], location) };
  }
}

interface Folder {
  readonly folder: string;
  readonly of: (entry: Entry) => FieldLocation;
}

/** The location of a file, for the rules of groups; undefined if it has no fields. */
function locator(content: Content): (entry: Entry) => FieldLocation | undefined {
  const folders = foldersOf(content);
  return (entry) => folders.find(({ folder }) => entry.path.startsWith(folder))?.of(entry);
}

function foldersOf(content: Content): readonly Folder[] {
  const entry = content.entries.find(({ path }) => path === 'site.yaml');
  const { types, taxonomies } = declaredBy(entry, standardTypes, standardTaxonomies);
  return [
    ...types
      .flatMap(({ name, folders }) =>
        folders.map((folder) => ({ folder: `${folder}/`, of: (post: Entry) => postLocation(name, post) })),
      )
      // Of nested folders, the inner one.
      .sort((a, b) => b.folder.length - a.folder.length),
    ...taxonomies.map(({ name, folder }) => ({
      folder: `terms/${folder}/`,
      of: ({ data }: Entry): FieldLocation => ({ taxonomy: [name], id: [String(data.id)] }),
    })),
    { folder: 'users/', of: ({ data }) => ({ user_role: [], id: [String(data.id)] }) },
    { folder: 'comments/', of: ({ data }) => ({ comment: [], id: [String(data.id)] }) },
    { folder: 'options/', of: ({ path }) => ({ options_page: [path.replace(/^options\/|\.ya?ml$/g, '')] }) },
  ];
}

function postLocation(type: string, { data }: Entry): FieldLocation {
  const template = typeof data.template === 'string' && data.template !== '' ? data.template : 'default';
  return { type: [type], template: [template], id: [String(data.id)] };
}

function* valueFaults(content: Content): Iterable<CheckFinding> {
  for (const { entry, values, definitions } of filedItems(content)) {
    for (const [name, definition] of definitions) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined && !definition.isRequired) continue;
      const fault = faultOf(value, definition, 'file');
      const keys = value === undefined ? ['fields'] : ['fields', name, ...(fault?.keys ?? [])];
      if (fault) yield { path: entry.path, keys, message: `${[name, ...fault.keys].join('.')} ${fault.message}` };
    }
  }
}

/** Likely misspellings; other unknown names are kept. */
function* unknownNames(content: Content): Iterable<CheckFinding> {
  for (const { entry, values, definitions } of filedItems(content)) {
    for (const name of Object.keys(values)) {
      const near = definitions.has(name) ? undefined : nearest(name, definitions.keys());
      if (near !== undefined)
        yield { path: entry.path, keys: ['fields', name], message: `there is no field ${name}`, hint: `did you mean ${near}?` };
    }
  }
}

function* lostReferences(content: Content): Iterable<CheckFinding> {
  let isThere: ((reference: FieldReference) => boolean) | undefined;
  for (const { entry, values, definitions } of filedItems(content)) {
    for (const [name, definition] of definitions) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === null || faultOf(value, definition, 'file') !== null) continue;
      for (const reference of referencesIn(definition, acceptValue(value, definition, 'file'))) {
        isThere ??= namesIn(content);
        if (isThere(reference)) continue;
        const keys = ['fields', name, ...reference.keys];
        yield { path: entry.path, keys, message: `${name} names ${JSON.stringify(reference.ref)}, which is not there` };
      }
    }
  }
}

/** Whether something has the id or name. User ids are accepted unseen, because accounts have no files here. */
function namesIn(content: Content): (reference: FieldReference) => boolean {
  const folders = foldersOf(content);
  const known = new Set<string>();
  for (const { path, data } of content.entries) {
    const at = folders.find(({ folder }) => path.startsWith(folder));
    if (!at) continue;
    const { type = [], taxonomy = [] } = at.of({ path, data } as Entry);
    const kind = type[0] ?? taxonomy[0] ?? at.folder;
    const place = path
      .slice(at.folder.length)
      .replace(/\.(?:ya?ml|md|markdown|html?)$/, '')
      .replace(/\/index$/, '');
    for (const name of [data.id, data.slug, place, `${at.folder}${place}`]) known.add(`${kind} ${name}`);
  }
  for (const { path } of content.blobs) known.add(`attachment ${path.replace(/^media\//, '')}`);
  const all = folders.flatMap(({ of }) => of({ data: {}, path: '' } as unknown as Entry).type ?? []);
  return ({ kind, ref, among }) => {
    const name = String(ref)
      .replace(/^\/+|\/+$/g, '')
      .replace(/\.(?:md|html)$/, '');
    if (kind === 'user') return typeof ref === 'number' || known.has(`users/ ${name}`);
    return (among.length > 0 ? among : all).some((one) => known.has(`${one} ${name}`));
  };
}
