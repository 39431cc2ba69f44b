/**
 * What a post type, a taxonomy and a status are to whoever asks a site for them.
 */
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

/** Custom fields of a type or taxonomy: registered meta, shown under `meta`. */
export type MetaSchemas = Readonly<Record<string, Schema>>;

/** The questions a type answers with a capability; the values are what `site.yaml` or the reference call them. */
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
  /** Plural; the type's `name` for clients. */
  readonly label: string;
  readonly labels: Labels;
  readonly description: string;
  /** Where its new files are, below the content folder. */
  readonly folder: string;
  /** Where its files are; a folder `_drafts` holds drafts. */
  readonly folders: readonly string[];
  /** What holds drafts besides: paths of files and folders, and beginnings of names below its folders (`_*`). */
  readonly drafts: readonly string[];
  /** Name of a new file below its folder, without the extension: `{year}/{month}/{slug}`. Of a hierarchy the paths are. */
  readonly fileName: string;
  readonly hierarchical: boolean;
  /** True, or the slug of the archive. */
  readonly hasArchive: boolean | string;
  readonly public: boolean;
  /** Has pages of its own on the site. */
  readonly viewable: boolean;
  /** Found by the site-wide search. */
  readonly searchable: boolean;
  readonly showInRest: boolean;
  /** Path below the namespace, in the catalogue's notation. */
  readonly restBase: string;
  readonly restNamespace: string;
  /** Feature → true, or the feature's options in a list. */
  readonly supports: Readonly<Record<string, true | readonly unknown[]>>;
  /** Every taxonomy, also those not shown to clients. */
  readonly taxonomies: readonly string[];
  readonly capabilities: TypeCapabilities;
  /** Rights on one item follow from its author and status; otherwise the three `…_post` words are primitive. */
  readonly mapMetaCap: boolean;
  readonly showUi: boolean;
  readonly showInNavMenus: boolean;
  /** Items go when their author is deleted without an heir; otherwise they stay. */
  readonly deleteWithUser: boolean;
  readonly icon: string | null;
  /** Blocks a new item starts with. */
  readonly template: readonly unknown[];
  readonly templateLock: false | 'all' | 'insert' | 'contentOnly';
  /** Its routes may be called through the batch route. */
  readonly batch: boolean;
  /** Statuses a visitor's list holds; the first is the status filter's default. */
  readonly publicStatuses: readonly string[];
  /** The only statuses its list filter knows; null: all. */
  readonly filterStatuses: readonly string[] | null;
  /**
   * Names by which modules extend its items: its own, and `item` for what people publish (posts, pages, media, a site's own types), as
   * apart from what a design is made of.
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
  /** Plural; the taxonomy's `name` for clients. */
  readonly label: string;
  readonly labels: Labels;
  readonly description: string;
  readonly types: readonly string[];
  /** Where its terms are, below `terms/`; menus are files of their own below `menus/`. */
  readonly folder: string;
  /** First segment of its public addresses; null: it has none. */
  readonly base: string | null;
  readonly hierarchical: boolean;
  /** Items that would have no term get the one of the setting `default_<name>`, which cannot be deleted. */
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
  /** Readable by its author and by those who may read private items. */
  readonly private: boolean;
  /** Readable by those who may edit the item. */
  readonly protected: boolean;
  /** Set by the service alone; no client may write it. */
  readonly internal: boolean;
  readonly queryable: boolean;
  /** Found by a search over `any` status. */
  readonly searchable: boolean;
  /** Part of a listing of all items (`show_in_list`). */
  readonly showInList: boolean;
  /** Named by GET /statuses to people who edit. */
  readonly listed: boolean;
  /** The date follows the clock until the item is published or a date is given. */
  readonly dateFloating: boolean;
  /** Types that have it; absent: all. */
  readonly types?: readonly string[];
  /** Takes the right to publish. */
  readonly publishes: boolean;
}

/** Those that items of a type may have. */
export function statusesOf(statuses: readonly Status[], type: string): readonly Status[] {
  return statuses.filter(({ types }) => types === undefined || types.includes(type));
}

/** Whether everyone who may read the type reads items in a status. */
export function isPublic(statuses: readonly Status[], name: string): boolean {
  return statuses.some((status) => status.name === name && status.public);
}

/** Whether putting an item into a status takes the right to publish. */
export function publishes(statuses: readonly Status[], name: string): boolean {
  return statuses.some((status) => status.name === name && status.publishes);
}

/** Names a write may use, in order: publish, future, draft, pending, private and what a namespace added. */
export function writableStatuses(statuses: readonly Status[]): string[] {
  return statuses.filter((status) => !status.internal).map((status) => status.name);
}

/** Names a list filter may use: every status, and `any` for those a search covers. */
export function filterStatuses(statuses: readonly Status[]): string[] {
  return [...statuses.map((status) => status.name), 'any'];
}

/** First segment of the archive of a type; '' for a type without one, and for posts, which are listed elsewhere. */
export function archiveSlug(type: PostType | undefined): string {
  if (!type?.hasArchive || !type.viewable || type.name === 'post') return '';
  return type.hasArchive === true ? type.name : type.hasArchive;
}

/** The type whose archive has the segment. */
export function typeOfArchive(types: ReadonlyMap<string, PostType>, segment: string): PostType | undefined {
  return segment === '' ? undefined : [...types.values()].find((type) => archiveSlug(type) === segment);
}

/** Types that live elsewhere: in media files, in menu files, with their parents. */
const elsewhere = new Set(['attachment', 'nav_menu_item', 'revision', 'cms_font_face']);

export function hasOwnFiles(type: PostType): boolean {
  return !elsewhere.has(type.name);
}

/** The folder of a type that a file is in; undefined when it is in none. */
export function folderWith({ folders }: Pick<PostType, 'folders'>, path: string): string | undefined {
  return folders.find((folder) => path.startsWith(`${folder}/`));
}

/** How files name one of a type: its path below the folder, without the extension. */
export function placeBelow(type: Pick<PostType, 'folders'> | undefined, path: string): string | undefined {
  const folder = type && folderWith(type, path);
  return folder === undefined ? undefined : logicalPath(path).slice(folder.length + 1);
}

/** The place that a file means by the name of an item, however it writes it. */
export function placeNamed(ref: string): string {
  return ref.replace(/^\/+|\/+$/g, '').replace(/\.(md|html)$/, '');
}

/** Whether a folder of a type holds what is not published, as Jekyll's does. */
export function isDraftFolder(folder: string | undefined): boolean {
  return folder !== undefined && /(?:^|\/)_drafts$/.test(folder);
}

/** Whether a file of a type lies among its drafts: in their folder, or by its name or that of a folder that it is in. */
export function isAmongDrafts(type: Pick<PostType, 'folders' | 'drafts'>, path: string): boolean {
  const folder = folderWith(type, path);
  if (folder === undefined || isDraftFolder(folder)) return folder !== undefined;
  const names = path.slice(folder.length + 1).split('/');
  return type.drafts.some((one) =>
    one.endsWith('*') ? names.some((name) => name.startsWith(one.slice(0, -1))) : path === one || path.startsWith(`${one}/`),
  );
}

/** Where a new file of a type without a hierarchy goes, without its extension. @param name  that stands for the slug */
export function newPlace(type: PostType, post: { readonly date: string; readonly status: string }, name: string): string {
  const drafts = ['draft', 'pending', 'auto-draft'].includes(post.status) ? type.folders.find(isDraftFolder) : undefined;
  if (drafts !== undefined) return `${drafts}/${name}`;
  const [year = '', month = '', day = ''] = post.date.slice(0, 10).split('-');
  const parts: Readonly<Record<string, string>> = table({ year, month, day, slug: name });
  return `${type.folder}/${type.fileName.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] as string)}`;
}

/** What an item of a hierarchy stands below, the nearest first. Where files name one another in a circle, each comes once. */
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

/** The parent that an item is to have; 0 where it would stand below itself. */
export function parentWithoutLoop(table: { get(id: number): Below | undefined }, id: number, parent: number): number {
  for (const above of ancestors(table, { id: 0, parent })) if (above.id === id || above.parent === id) return 0;
  return parent === id ? 0 : parent;
}

/** Says which part of a declaration in `site.yaml` makes no sense. */
export class DeclarationError extends Error {
  /** The way to the value that is meant, below the declaration; [] for its name. */
  readonly keys: readonly string[];
  readonly hint: string | undefined;
  constructor(keys: readonly string[], message: string, hint?: string) {
    super(message);
    this.keys = keys;
    this.hint = hint;
  }
}
