/**
 * Menus and their items. A menu is a term with a file of its own, an item is a post without one: it stands in the file of its
 * menu, nested the way it is shown. Its place says its parent and order; both are written only where the place does not.
 */
import { type Draft, FieldProblem, type Fields, flag, inFile, map, text, texts, word } from './field.ts';
import type { PostRecord } from './post.ts';
import { everywhere, type Schema, viewAndEdit } from './schema.ts';
import type { Taxonomy } from './taxonomies.ts';
import { type TermFields, type TermRecord, type TermView, termFields } from './term.ts';

/** An item as its file has it, with keys that nobody knows. */
export type RawItem = Readonly<Record<string, unknown>>;

export interface MenuRecord extends TermRecord {
  /** Locations the file lists; another menu may hold them. */
  readonly locations: readonly string[];
  /** New top-level pages are put into it. */
  readonly autoAdd: boolean;
  readonly items: readonly RawItem[];
}

export interface MenuView extends TermView {
  /** Locations that show this menu. */
  locations(menu: MenuRecord): readonly string[];
}

export const itemTypes = ['taxonomy', 'post_type', 'post_type_archive', 'custom'] as const;
export type ItemType = (typeof itemTypes)[number];

/** What an item points at. */
export interface Target {
  readonly itemType: ItemType;
  /** Type or taxonomy; `custom` for a plain address. */
  readonly object: string;
  /** Slug, path or id of the post or term, as the file has it; 0: none. */
  readonly ref: string | number;
  /** Of a plain address. */
  readonly url: string;
}

/** As a post: description is its content, the title of the link its excerpt; it has no author, and its menu is its term. */
export interface MenuItemRecord extends PostRecord, Target {
  /** Id of its menu, 0 for none. */
  readonly menu: number;
  readonly window: '_blank' | '';
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
}

/** What the getters of an item ask of the site. */
export interface MenuItemView {
  title(item: MenuItemRecord): string;
  rendered(item: MenuItemRecord): string;
  /** False: an archive that has no address (observed). */
  url(item: MenuItemRecord): string | false;
  description(item: MenuItemRecord): string;
  typeLabel(item: MenuItemRecord): string;
  object(item: MenuItemRecord): string;
  objectId(item: MenuItemRecord): number;
  isInvalid(item: MenuItemRecord): boolean;
  meta(item: MenuItemRecord): unknown;
}

/** Keys of a menu's file, in order. */
export const menuKeys: readonly string[] = ['id', 'name', 'slug', 'description', 'locations', 'auto_add', 'meta', 'aliases', 'items'];

/** The fields of menus: those of terms without what only visitors' pages have, and two of their own. */
export function menuFields(taxonomy: Taxonomy, meta: Readonly<Record<string, Schema>>): TermFields {
  const { count: _count, link: _link, taxonomy: kind, meta: metaField, ...common } = termFields(taxonomy, meta);
  const own: Fields<MenuRecord, MenuView> = {
    locations: {
      schema: {
        description: 'The locations assigned to the menu.',
        type: 'array',
        items: { type: 'string' },
        context: viewAndEdit,
      },
      get: (menu, view) => view.locations(menu),
      file: inFile<MenuRecord, 'locations'>('locations', texts, []),
    },
    auto_add: {
      schema: { description: 'Whether new top-level pages are added to the menu.', type: 'boolean', context: viewAndEdit },
      get: (menu) => menu.autoAdd,
      file: inFile<MenuRecord, 'autoAdd'>('autoAdd', flag, false, 'auto_add'),
    },
    _items: { file: inFile<MenuRecord, 'items'>('items', { parse: parseItems, print: (items) => items }, []) },
  };
  return {
    ...common,
    _taxonomy: kind?.index ? { index: kind.index } : {},
    ...(metaField ? { meta: metaField } : {}),
    ...(own as unknown as TermFields),
  };
}

const title: Schema = {
  description: 'The title for the menu item.',
  type: ['string', 'object'],
  context: everywhere,
  properties: {
    raw: { description: 'Title for the menu item, as it exists in the file.', type: 'string', context: ['edit'] },
    rendered: {
      description: 'HTML title for the menu item, transformed for display.',
      type: 'string',
      context: everywhere,
      readonly: true,
    },
  },
};
const readonly = true;

/** The fields of items. What they point at, their order and their parent are read and written by their place in the file. */
export function menuItemFields(statuses: readonly string[]): Fields<MenuItemRecord, MenuItemView> {
  return {
    id: {
      schema: {
        description: 'Unique identifier for the menu item.',
        type: 'integer',
        default: 0,
        minimum: 0,
        context: everywhere,
        readonly,
      },
      get: (item) => item.id,
    },
    title: {
      schema: title,
      get: { raw: (item, view) => view.title(item), rendered: (item, view) => view.rendered(item) },
      file: inFile<MenuItemRecord, 'title'>('title', text, ''),
    },
    status: {
      schema: {
        description: 'A named status for the menu item.',
        type: 'string',
        enum: statuses,
        default: 'publish',
        context: everywhere,
      },
      get: (item) => item.status,
      file: inFile<MenuItemRecord, 'status'>('status', word(['publish', 'draft']), 'publish'),
    },
    url: {
      schema: {
        description: 'The URL to which this menu item points.',
        type: 'string',
        format: 'uri',
        context: everywhere,
      },
      get: (item, view) => view.url(item),
    },
    attr_title: {
      schema: { description: 'Text for the title attribute of the link.', type: 'string', context: everywhere },
      get: (item) => item.excerpt,
      file: inFile<MenuItemRecord, 'excerpt'>('excerpt', text, '', 'attr_title'),
    },
    description: {
      schema: { description: 'The description of this menu item.', type: 'string', context: everywhere },
      get: (item, view) => view.description(item),
      file: inFile<MenuItemRecord, 'content'>('content', text, '', 'description'),
    },
    type: {
      schema: {
        description: 'The family of objects the item points at.',
        type: 'string',
        enum: itemTypes,
        default: 'custom',
        context: everywhere,
      },
      get: (item) => item.itemType,
    },
    type_label: {
      schema: { description: 'Name of what the item points at.', type: 'string', context: everywhere, readonly },
      get: (item, view) => view.typeLabel(item),
    },
    object: {
      schema: { description: 'The type or taxonomy the item points at.', type: 'string', context: everywhere },
      get: (item, view) => view.object(item),
    },
    object_id: {
      schema: {
        description: 'The ID of what the item points at.',
        type: 'integer',
        minimum: 0,
        default: 0,
        context: everywhere,
      },
      get: (item, view) => view.objectId(item),
    },
    parent: {
      schema: {
        description: 'The ID of the menu item above this one.',
        type: 'integer',
        minimum: 0,
        default: 0,
        context: everywhere,
      },
      get: (item) => item.parent,
    },
    menu_order: {
      schema: { description: 'The place of the item in its menu.', type: 'integer', minimum: 1, default: 1, context: everywhere },
      get: (item) => item.order,
    },
    target: {
      schema: { description: 'Where the link opens.', type: 'string', enum: ['_blank', ''], context: everywhere },
      get: (item) => item.window,
      file: inFile<MenuItemRecord, 'window'>('window', word(['_blank', '']), '', 'target'),
    },
    classes: {
      schema: {
        description: 'Class names for the link element of this menu item.',
        type: 'array',
        items: { type: 'string' },
        context: everywhere,
      },
      get: (item) => orBlank(item.classes),
      file: inFile<MenuItemRecord, 'classes'>('classes', texts, []),
    },
    xfn: {
      schema: {
        description: 'The relationship expressed in the link of this menu item.',
        type: 'array',
        items: { type: 'string' },
        context: everywhere,
      },
      get: (item) => orBlank(item.xfn),
      file: inFile<MenuItemRecord, 'xfn'>('xfn', texts, []),
    },
    invalid: {
      schema: { description: 'Whether what the item points at is gone.', type: 'boolean', context: everywhere, readonly },
      get: (item, view) => view.isInvalid(item),
    },
    meta: {
      schema: { description: 'Meta fields.', type: 'object', context: viewAndEdit, properties: [] },
      get: (item, view) => view.meta(item),
      file: inFile<MenuItemRecord, 'meta'>('meta', map, {}),
    },
    menus: {
      schema: { description: 'The menu that the item is in.', type: 'integer', context: viewAndEdit },
      // Without a menu there is no such member (observed).
      get: (item) => item.menu || undefined,
    },
  };
}

/** Words by which files name what items point at, and what they stand for. */
export type TargetWords = ReadonlyMap<string, Pick<Target, 'itemType' | 'object'>>;

/** The keys that say what an item points at. */
const targetKeys = ['url', 'archive', 'type', 'object', 'object_id'];

/** What a raw item points at. @throws FieldProblem when the value names nothing */
export function readTarget(raw: RawItem, words: TargetWords): Target {
  const named = Object.keys(raw).find((key) => words.has(key));
  if (named !== undefined) return { ...(words.get(named) as Pick<Target, 'itemType' | 'object'>), ref: refOf(raw[named], named), url: '' };
  const ref = refOf(raw.object_id ?? 0, 'object_id');
  if (raw.archive !== undefined) return { itemType: 'post_type_archive', object: String(raw.archive), ref, url: '' };
  if (raw.type === 'post_type' || raw.type === 'taxonomy') return { itemType: raw.type, object: text.parse(raw.object ?? '', 'object'), ref, url: '' };
  return { itemType: 'custom', object: 'custom', ref: 0, url: text.parse(raw.url ?? '', 'url') };
}

/** The keys of a file that say what an item points at, the shortest way. */
export function printTarget({ itemType, object, ref, url }: Target, words: TargetWords): RawItem {
  if (itemType === 'custom') return url === '' ? {} : { url };
  const id = ref === 0 ? {} : { object_id: ref };
  if (itemType === 'post_type_archive') return { archive: object, ...id };
  const word = [...words].find(([, meant]) => meant.itemType === itemType && meant.object === object)?.[0];
  return word !== undefined ? { [word]: ref } : { type: itemType, object, ...id };
}

/** The item without what its target and its place say. */
export function withoutTarget(raw: RawItem, words: TargetWords): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !words.has(key) && !targetKeys.includes(key)));
}

/** An item in the tree of its menu. */
export interface MenuNode {
  readonly id: number;
  /** Its own keys, without `id`, `parent`, `order` and `items`. */
  readonly own: RawItem;
  readonly parent: number;
  readonly order: number;
  readonly children: readonly MenuNode[];
}

/**
 * Items as a tree. An item without `order` comes one after the item before it in the file; one without `parent` has the one
 * it stands under.
 *
 * @param idOf  the id of an item, by what it holds and its place (`0.2`)
 */
export function readTree(items: readonly RawItem[], idOf: (raw: RawItem, place: string) => number): MenuNode[] {
  let last = 0;
  const read = (list: readonly RawItem[], above: number, place: string): MenuNode[] =>
    list.map((raw, at) => {
      const { id: _id, parent, order, items: below, ...own } = raw;
      const here = `${place}${at}`;
      const id = idOf(raw, here);
      last = typeof order === 'number' ? order : last + 1;
      const node = { id, own, parent: typeof parent === 'number' ? parent : above, order: last };
      return { ...node, children: read((below ?? []) as readonly RawItem[], id, `${here}.`) };
    });
  return read(items, 0, '');
}

/** The inverse of `readTree`; order and parent are left out where their place says them. */
export function printTree(nodes: readonly MenuNode[]): RawItem[] {
  let last = 0;
  const print = (list: readonly MenuNode[], above: number): RawItem[] =>
    list.map(({ id, own, parent, order, children }) => {
      const implied = last + 1;
      last = order;
      return {
        ...own,
        id,
        ...(parent === above ? {} : { parent }),
        ...(order === implied ? {} : { order }),
        ...(children.length === 0 ? {} : { items: print(children, id) }),
      };
    });
  return print(nodes, 0);
}

/** All nodes, each before what is below it. */
export function* everyNode(nodes: readonly MenuNode[]): Generator<MenuNode> {
  for (const node of nodes) {
    yield node;
    yield* everyNode(node.children);
  }
}

/** Puts a node below its parent, or at the top when that is not there, behind what comes before it. */
export function putNode(nodes: readonly MenuNode[], node: MenuNode): MenuNode[] {
  const isInside = [...everyNode(node.children)].some(({ id }) => id === node.parent);
  const holder = isInside || node.parent === 0 ? undefined : [...everyNode(nodes)].find(({ id }) => id === node.parent);
  if (holder) return replaceNode(nodes, holder.id, (found) => [{ ...found, children: insert(found.children, node) }]);
  return insert(nodes, node);
}

/** The tree without a node; what was below it stays where it was, and keeps its parent (observed). */
export function dropNode(nodes: readonly MenuNode[], id: number): MenuNode[] {
  return replaceNode(nodes, id, ({ children }) => children);
}

/** The tree with a node, found by id, exchanged for others. */
export function replaceNode(nodes: readonly MenuNode[], id: number, next: (node: MenuNode) => readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => (node.id === id ? next(node) : [{ ...node, children: replaceNode(node.children, id, next) }]));
}

function insert(nodes: readonly MenuNode[], node: MenuNode): MenuNode[] {
  const later = nodes.findIndex(({ order }) => order > node.order);
  return later < 0 ? [...nodes, node] : nodes.toSpliced(later, 0, node);
}

function parseItems(raw: unknown): readonly RawItem[] {
  if (raw === null) return [];
  if (!Array.isArray(raw)) throw new FieldProblem('items', 'items must be a list', 'each item begins with a dash: - page: about');
  for (const item of raw as readonly unknown[]) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new FieldProblem('items', `${JSON.stringify(item)} is no menu item`, 'say what it points at: page: about');
    }
    parseItems((item as RawItem).items ?? null);
  }
  return raw as readonly RawItem[];
}

/** Reads the list of items of a file without a menu. @throws FieldProblem */
export const readItems = (raw: unknown): readonly RawItem[] => parseItems(raw ?? null);

function refOf(raw: unknown, key: string): string | number {
  if (typeof raw === 'number' || (typeof raw === 'string' && raw !== '')) return raw;
  throw new FieldProblem('items', `${key} must name something by its slug or id, not ${JSON.stringify(raw)}`);
}

/** An empty list is shown with one empty word (observed). */
function orBlank(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [''] : words;
}

/** A blank item, to be filled by its fields. */
export function blankItem(id: number, menu: number): Draft<MenuItemRecord> {
  return {
    id, type: 'nav_menu_item', path: '', etag: '', kind: 'yaml', slug: '', status: 'publish', title: '', content: '', excerpt: '',
    date: '', dateGmt: '', floating: false, modified: '', modifiedGmt: '', author: 0, parent: 0, order: 1, featuredMedia: 0,
    comments: 'closed', pings: 'closed', format: 'standard', sticky: false, template: '', password: '', guid: '',
    terms: menu === 0 ? {} : { nav_menu: [menu] }, meta: {}, aliases: [], trashed: null,
    menu, itemType: 'custom', object: 'custom', ref: 0, url: '', window: '', classes: [], xfn: [],
  };
}
