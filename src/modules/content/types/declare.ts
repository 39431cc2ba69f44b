/** Declarations of a site: types, taxonomies and custom fields, and their field tables. Shared by sites, `cms validate`, JSON Schemas and imports. */
import { type Setting, standardSettings } from '../../../kernel/model/settings.ts';
import type { Modules } from '../../../kernel/compose-modules.ts';
import { postFields } from '../posts/fields.ts';
import type { PostFields } from '../posts/record.ts';
import { defineStatus, standardMeta, standardStatuses, standardTaxonomies, standardTypes } from '../../types/index.ts';
import { termFields } from '../terms/fields.ts';
import type { TermFields } from '../terms/record.ts';
import { type Taxonomy, type Status, type PostType, statusesOf, type MetaSchemas } from '../../types/record.ts';

declare module '../../../kernel/module.ts' {
  interface DeclaredModel extends TypeDeclarations {
    readonly modules: Modules;
  }
}

export interface TypeDeclarations {
  readonly types: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly statuses: readonly Status[];
  readonly settings: readonly Setting[];
  readonly postFields: ReadonlyMap<string, PostFields>;
  readonly termFields: ReadonlyMap<string, TermFields>;
  /** Custom fields by type, taxonomy, `user` and `comment`. */
  readonly meta: Readonly<Record<string, MetaSchemas>>;
}

/** Additions to the standard declarations; a list replaces the standard list. */
export type Declared = Partial<Omit<TypeDeclarations, 'postFields' | 'termFields'>>;

/** @param modules  those that may add fields and settings */
export function declareTypes(
  declared: Declared,
  modules: Pick<Modules, 'extendFields' | 'extension' | 'settings' | 'statuses'>,
): TypeDeclarations {
  const { types = standardTypes, taxonomies = standardTaxonomies } = declared;
  const statuses = [...(declared.statuses ?? standardStatuses), ...modules.statuses.map(defineStatus)];
  const settings = [...(declared.settings ?? standardSettings), ...modules.settings];
  const meta = withAdded({ ...standardMeta, ...declared.meta }, [...types, ...taxonomies], modules);
  const fieldsOfType = (type: PostType): PostFields => {
    const own = taxonomies.filter((one) => one.types.includes(type.name));
    return modules.extendFields(
      postFields({ type, taxonomies: own, statuses: statusesOf(statuses, type.name), meta: meta[type.name] ?? {} }),
      ...type.extensionNames,
    );
  };
  const fieldsOfTerms = (one: Taxonomy): TermFields => {
    return modules.extendFields(termFields(one, meta[one.name] ?? {}), one.name, 'term');
  };
  return {
    types,
    taxonomies,
    statuses,
    settings,
    postFields: new Map(types.map((type) => [type.name, fieldsOfType(type)])),
    termFields: new Map(taxonomies.map((one) => [one.name, fieldsOfTerms(one)])),
    meta,
  };
}

function withAdded(
  meta: TypeDeclarations['meta'],
  kinds: readonly { readonly name: string }[],
  modules: Pick<Modules, 'extension'>,
): TypeDeclarations['meta'] {
  const all: Record<string, MetaSchemas> = Object.assign(Object.create(null), meta);
  for (const { name } of kinds) {
    const added = modules.extension([name], ['meta']).meta;
    if (Object.keys(added).length > 0) all[name] = { ...all[name], ...added };
  }
  return all;
}
