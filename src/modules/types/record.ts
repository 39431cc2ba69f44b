/** The records of types, taxonomies and statuses. */
import { table } from '../../kernel/model/maps.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import type { Schema } from '../../kernel/model/schema.ts';
import type { Labels } from './labels.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly types: ReadonlyMap<string, PostType>;
    readonly taxonomies: ReadonlyMap<string, Taxonomy>;
    readonly statuses: readonly Status[];
  }
}

/** Custom fields of a type or taxonomy: registered meta, returned under `meta`. */
export type MetaSchemas = Readonly<Record<string, Schema>>;

/** The questions a type answers with a capability. */
export const capabilityNames = [
  'edit_post',
  'read_post',
  'delete_post',
  'edit_posts',
  'edit_others_posts',
  'delete_posts',
  'publish_posts',
  'read_private_posts',
  'read',
  'delete_private_posts',
  'delete_published_posts',
  'delete_others_posts',
  'edit_private_posts',
  'edit_published_posts',
  'create_posts',
] as const;

export type TypeCapability = (typeof capabilityNames)[number];
export type TypeCapabilities = Readonly<Record<TypeCapability, string>>;

export interface PostType {
  readonly name: string;
  /** Plural; the public `name` of the type. */
  readonly label: string;
  readonly labels: Labels;
  readonly description: string;
  /** Folder of new files, below the content folder. */
  readonly folder: string;
  /** Folders of its files; `_drafts` holds drafts. */
  readonly folders: readonly string[];
  /** Further drafts: paths of files and folders, and name prefixes below its folders (`_*`). */
  readonly drafts: readonly string[];
  /** Name of a new file below its folder, without extension: `{year}/{month}/{slug}`. Ignored for hierarchical types. */
  readonly fileName: string;
  readonly hierarchical: boolean;
  /** True, or the slug of the archive. */
  readonly hasArchive: boolean | string;
  readonly public: boolean;
  /** Has pages on the site. */
  readonly viewable: boolean;
  /** Included in the site-wide search. */
  readonly searchable: boolean;
  readonly showInRest: boolean;
  /** Path below the namespace, in catalogue notation. */
  readonly restBase: string;
  readonly restNamespace: string;
  /** Feature → true, or its options. */
  readonly supports: Readonly<Record<string, true | readonly unknown[]>>;
  /** All taxonomies, including internal ones. */
  readonly taxonomies: readonly string[];
  readonly capabilities: TypeCapabilities;
  /** Rights on an item depend on its author and status; otherwise the three `…_post` capabilities are primitive. */
  readonly mapMetaCap: boolean;
  readonly showUi: boolean;
  readonly showInNavMenus: boolean;
  /** Items are deleted with an author without an heir; otherwise they stay. */
  readonly deleteWithUser: boolean;
  readonly icon: string | null;
  /** Initial blocks of a new item. */
  readonly template: readonly unknown[];
  readonly templateLock: false | 'all' | 'insert' | 'contentOnly';
  /** Routes may be used in batches. */
  readonly batch: boolean;
  /** Statuses in a visitor's list; the first is the default of the status filter. */
  readonly publicStatuses: readonly string[];
  /** The only statuses of its list filter; null: all. */
  readonly filterStatuses: readonly string[] | null;
  /**
   * Names by which modules extend its items: its own, and `item` for content (posts, pages, media, custom types) as opposed to parts of the design.
   */
  readonly extensionNames: readonly string[];
}

export interface TaxonomyCapabilities {
  readonly manage_terms: string;
  readonly edit_terms: string;
  readonly delete_terms: string;
  readonly assign_terms: string;
}

export interface Taxonomy {
  readonly name: string;
  /** Plural; the public `name` of the taxonomy. */
  readonly label: string;
  readonly labels: Labels;
  readonly description: string;
  readonly types: readonly string[];
  /** Folder of its terms, below `terms/`; menus are files below `menus/`. */
  readonly folder: string;
  /** First segment of its archive URLs; null: none. */
  readonly base: string | null;
  readonly hierarchical: boolean;
  /** Items without a term get the one of the setting `default_<name>`, which cannot be deleted. */
  readonly hasDefault: boolean;
  readonly public: boolean;
  readonly queryable: boolean;
  readonly showInRest: boolean;
  readonly restBase: string;
  readonly restNamespace: string;
  readonly capabilities: TaxonomyCapabilities;
  readonly showUi: boolean;
  readonly showAdminColumn: boolean;
  readonly showInNavMenus: boolean;
  readonly showInQuickEdit: boolean;
  readonly showCloud: boolean;
}

export interface Status {
  readonly name: string;
  readonly label: string;
  /** Readable by everyone who may read the type. */
  readonly public: boolean;
  /** Readable by its author and by users who may read private items. */
  readonly private: boolean;
  /** Readable by users who may edit the item. */
  readonly protected: boolean;
  /** Set only by the server, never by clients. */
  readonly internal: boolean;
  readonly queryable: boolean;
  /** Included in a search over `any` status. */
  readonly searchable: boolean;
  /** Part of a listing of all items (`show_in_list`). */
  readonly showInList: boolean;
  /** Listed by GET /statuses for editors. */
  readonly listed: boolean;
  /** The date follows the clock until the item is published or gets a date. */
  readonly dateFloating: boolean;
  /** Types that have it; absent: all. */
  readonly types?: readonly string[];
  /** Requires the right to publish. */
  readonly publishes: boolean;
}

export function statusesOf(statuses: readonly Status[], type: string): readonly Status[] {
  return statuses.filter(({ types }) => types === undefined || types.includes(type));
}

/** Whether items with a status are visible to everyone who may read the type. */
export function isPublic(statuses: readonly Status[], name: string): boolean {
  return statuses.some((status) => status.name === name && status.public);
}

/** Whether items with a status are drafts: their date floats, and they may share a slug. */
export function isDraft(statuses: readonly Status[], name: string): boolean {
  return statuses.some((status) => status.name === name && status.dateFloating);
}

/** Whether setting a status requires the right to publish. */
export function publishes(statuses: readonly Status[], name: string): boolean {
  return statuses.some((status) => status.name === name && status.publishes);
}

/** Statuses that a write may set, in order: publish, future, draft, pending, private and those of namespaces. */
export function writableStatuses(statuses: readonly Status[]): string[] {
  return statuses.filter((status) => !status.internal).map((status) => status.name);
}

/** Statuses that a list filter accepts: all, and `any` for those a search covers. */
export function filterStatuses(statuses: readonly Status[]): string[] {
  return [...statuses.map((status) => status.name), 'any'];
}

/** First segment of a type's archive; '' for types without one, and for posts, which are listed elsewhere. */
export function archiveSlug(type: PostType | undefined): string {
  if (!type?.hasArchive || !type.viewable || type.name === 'post') return '';
  return type.hasArchive === true ? type.name : type.hasArchive;
}

export function typeOfArchive(types: ReadonlyMap<string, PostType>, segment: string): PostType | undefined {
  return segment === '' ? undefined : [...types.values()].find((type) => archiveSlug(type) === segment);
}

/** Types stored elsewhere: in media files, menu files, or with their parents. */
const elsewhere = new Set(['attachment', 'nav_menu_item', 'revision', 'cms_font_face']);

export function hasOwnFiles(type: PostType): boolean {
  return !elsewhere.has(type.name);
}

/** The folder of a type that contains a file; undefined if there is none. */
export function folderWith({ folders }: Pick<PostType, 'folders'>, path: string): string | undefined {
  return folders.find((folder) => path.startsWith(`${folder}/`));
}

/** The reference to an item of a type: its path below the folder, without extension. */
export function placeBelow(type: Pick<PostType, 'folders'> | undefined, path: string): string | undefined {
  const folder = type && folderWith(type, path);
  return folder === undefined ? undefined : logicalPath(path).slice(folder.length + 1);
}

/** The path that a reference means, in any spelling. */
export function placeNamed(ref: string): string {
  return ref.replace(/^\/+|\/+$/g, '').replace(/\.(md|html)$/, '');
}

/** Whether a folder holds drafts, like Jekyll's `_drafts`. */
export function isDraftFolder(folder: string | undefined): boolean {
  return folder !== undefined && /(?:^|\/)_drafts$/.test(folder);
}

/** Whether a file of a type is a draft by its folder, its name or that of a parent folder. */
export function isAmongDrafts(type: Pick<PostType, 'folders' | 'drafts'>, path: string): boolean {
  const folder = folderWith(type, path);
  if (folder === undefined || isDraftFolder(folder)) return folder !== undefined;
  const names = path.slice(folder.length + 1).split('/');
  return type.drafts.some((one) =>
    one.endsWith('*') ? names.some((name) => name.startsWith(one.slice(0, -1))) : path === one || path.startsWith(`${one}/`),
  );
}

/** The path of a new file of a flat type, without extension. @param name  that stands for the slug */
export function newPlace(type: PostType, post: { readonly date: string; readonly status: string }, name: string): string {
  const drafts = ['draft', 'pending', 'auto-draft'].includes(post.status) ? type.folders.find(isDraftFolder) : undefined;
  if (drafts !== undefined) return `${drafts}/${name}`;
  const [year = '', month = '', day = ''] = post.date.slice(0, 10).split('-');
  const parts: Readonly<Record<string, string>> = table({ year, month, day, slug: name });
  return `${type.folder}/${type.fileName.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] as string)}`;
}

/** The ancestors of an item, nearest first; in a cycle each comes once. */
export function* ancestors<T extends Below>(table: { get(id: number): T | undefined }, { id, parent }: Below): Generator<T> {
  const seen = new Set([id]);
  for (let above = table.get(parent); above && !seen.has(above.id); above = table.get(above.parent)) {
    seen.add(above.id);
    yield above;
  }
}

interface Below {
  readonly id: number;
  readonly parent: number;
}

/** The parent of an item; 0 if it would be below itself. */
export function parentWithoutLoop(table: { get(id: number): Below | undefined }, id: number, parent: number): number {
  for (const above of ancestors(table, { id: 0, parent })) if (above.id === id || above.parent === id) return 0;
  return parent === id ? 0 : parent;
}

/** Reports the invalid part of a declaration in `site.yaml`. */
export class DeclarationError extends Error {
  /** Path of the invalid value below the declaration; [] for its name. */
  readonly keys: readonly string[];
  readonly hint: string | undefined;
  constructor(keys: readonly string[], message: string, hint?: string) {
    super(message);
    this.keys = keys;
    this.hint = hint;
  }
}
