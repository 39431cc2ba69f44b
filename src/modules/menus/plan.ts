/**
 * Creating, changing and deleting menus and items, and the effects of other writes: a page is published, a target is deleted or renamed. Every
 * function here plans; `site.write` executes.
 *
 * Source: behaviour of the reference (6.9); conformance scenario menus.
 */
import { fail } from '../../kernel/errors.ts';
import { type FieldChanges, fileKeys, printFields } from '../../kernel/model/field.ts';
import { menuItemFields, menuKeys } from './fields.ts';
import { blankItem, blankMenu, type MenuItemRecord, type MenuRecord } from './record.ts';
import {
  dropNode,
  everyNode,
  type ItemType,
  type MenuNode,
  printTarget,
  printTree,
  putNode,
  type RawItem,
  replaceNode,
  withoutTarget,
} from './menu-tree.ts';
import { slugOfPath } from '../../kernel/model/logical-path.ts';
import { fileNameOf, slugify, uniqueSlug } from '../../kernel/model/slugs.ts';
import { escapeName } from '../../kernel/model/escape.ts';
import type { FileChange } from '../../kernel/store/types.ts';
import type { Actor } from '../../kernel/model/access.ts';
import { looseFile, menusOf, targetWords, writeMenu } from './file.ts';
import type { MenuTree } from './menu-index.ts';
import { createMenuItemView, originalTitle, targetId, targetRef } from './view.ts';
import { contextOf } from '../../kernel/site/record-file.ts';
import { filterHtml } from '../../render/filter.ts';
import { decodeEntities } from '../../render/text.ts';
import type { PlanningSite, Site, WritePlan } from '../../kernel/site/site.ts';

export interface MenuInput extends Partial<Pick<MenuRecord, 'name' | 'description' | 'meta' | 'locations' | 'autoAdd'>> {
  /** Properties set by fields of modules. */
  readonly added?: Readonly<Record<string, unknown>>;
}

/** The input for an item, as its fields set it: `ref` is an id, and `menu` 0 keeps the menu. */
type MenuItemInput = FieldChanges<MenuItemRecord>;

/**
 * Plans a new menu. Its slug is always derived from its name (observed).
 * @returns its id
 * @throws RestError menu_exists with the id of the other in `term_id`, empty_term_name
 */
export function planMenuCreate(site: PlanningSite, input: MenuInput): WritePlan<number> {
  const name = escapeName((input.name ?? '').trim());
  const other = findByName(site, name, 0);
  if (other) fail('menu_exists', { status: 400, term_id: other.id, additional: [other.id] });
  if (name === '') fail('empty_term_name', { status: 400 });
  const id = site.nextId('terms');
  const blank = { ...blankMenu(id), name };
  const slug = freeSlug(site, blank);
  const after = merged({ ...blank, slug, path: pathOf(site, id, slug) }, input);
  return { changes: [...releaseLocation(site, after, input), writeMenu(site, after)], result: id };
}

/**
 * Plans a change of a menu. A missing description is cleared (observed).
 * @throws RestError menu_exists, empty_term_name, both without their own status
 */
export function planMenuUpdate(site: Site, before: MenuRecord, input: MenuInput): WritePlan<number> {
  const name = input.name === undefined ? before.name : escapeName(input.name.trim());
  if (findByName(site, name, before.id)) fail('menu_exists');
  if (name === '') fail('empty_term_name');
  const named = merged({ ...before, name, description: '' }, input);
  const slug = name === before.name ? before.slug : freeSlug(site, named);
  const follows = slug !== before.slug && slugOfPath(before.path) === before.slug;
  const after = { ...named, slug, path: follows ? pathOf(site, before.id, slug) : before.path };
  return { changes: [...releaseLocation(site, after, input), writeMenu(site, after, before)], result: before.id };
}

/** Plans the deletion of a menu, with its items. */
export function planMenuDelete(menu: MenuRecord): WritePlan<null> {
  return { changes: [{ remove: menu.path, expect: menu.etag }], result: null };
}

/**
 * Plans a new item.
 * @returns its id
 * @throws RestError rest_title_required, rest_url_required, rest_term_invalid_id, rest_post_invalid_id, rest_post_invalid_type, invalid_menu_id, all
 * with status 400
 */
export function planItemCreate(site: PlanningSite, actor: Actor | null, input: MenuItemInput): WritePlan<number> {
  const item = completeItem(site, actor, input);
  const tree = groveOf(site, item.menu);
  const node = { id: item.id, own: printItem(site, item), parent: item.parent, order: item.order, children: [] };
  return { changes: [writeMenuTree(site, tree, putNode(tree.nodes, node))], result: item.id };
}

/** Plans a change of an item: only its own keys, unless parent, order or menu change. @throws as `planItemCreate` */
export function planItemUpdate(
  site: PlanningSite,
  actor: Actor | null,
  before: MenuItemRecord,
  input: MenuItemInput,
): WritePlan<number> {
  const item = completeItem(site, actor, input, before);
  const from = groveOf(site, before.menu);
  const node = [...everyNode(from.nodes)].find(({ id }) => id === before.id) ?? fail('rest_post_invalid_id');
  const after = { ...node, own: printItem(site, item, node.own), parent: item.parent, order: item.order };
  if (item.menu !== before.menu) {
    const to = groveOf(site, item.menu);
    const moved = { ...after, children: [] };
    return {
      changes: [writeMenuTree(site, to, putNode(to.nodes, moved)), writeMenuTree(site, from, dropNode(from.nodes, node.id))],
      result: item.id,
    };
  }
  const stays = node.parent === after.parent && node.order === after.order;
  const nodes = stays
    ? replaceNode(from.nodes, node.id, () => [after])
    : putNode(
        replaceNode(from.nodes, node.id, () => []),
        after,
      );
  return { changes: [writeMenuTree(site, from, nodes)], result: item.id };
}

export function planItemDelete(site: Site, item: MenuItemRecord): WritePlan<null> {
  const tree = groveOf(site, item.menu);
  return { changes: [writeMenuTree(site, tree, dropNode(tree.nodes, item.id))], result: null };
}

/** Pending edits of menu trees; a tree is only loaded if it changes. */
export class MenuTreeEdits {
  readonly #site: Site;
  #groves: readonly MenuTree[] | null = null;
  readonly #changed = new Map<number, readonly MenuNode[]>();
  constructor(site: Site) {
    this.#site = site;
  }

  nodes(menu: number): readonly MenuNode[] {
    this.#groves ??= this.#site.menus.groves();
    return this.#changed.get(menu) ?? this.#groves.find((tree) => tree.menu === menu)?.nodes ?? [];
  }

  drop(item: MenuItemRecord): void {
    this.#changed.set(item.menu, dropNode(this.nodes(item.menu), item.id));
  }

  /** Sets the reference of an item. */
  point(item: MenuItemRecord, ref: string | number): void {
    const own = (node: MenuNode): RawItem => printItem(this.#site, { ...item, ref }, node.own);
    this.#changed.set(
      item.menu,
      replaceNode(this.nodes(item.menu), item.id, (node) => [{ ...node, own: own(node) }]),
    );
  }

  /** Appends an item for a page. */
  add(menu: number, id: number, ref: string): void {
    const last = Math.max(0, ...[...everyNode(this.nodes(menu))].map(({ order }) => order));
    const order = this.nodes(menu).length === 0 ? 0 : last + 1;
    this.#changed.set(menu, putNode(this.nodes(menu), { id, own: { page: ref }, parent: 0, order, children: [] }));
  }

  writes(): FileChange[] {
    return [...this.#changed].map(([menu, nodes]) => writeMenuTree(this.#site, groveOf(this.#site, menu), nodes));
  }
}

function completeItem(site: PlanningSite, actor: Actor | null, input: MenuItemInput, before?: MenuItemRecord): MenuItemRecord {
  const view = createMenuItemView(site, actor, (name) => name);
  const itemType = input.itemType ?? before?.itemType ?? 'custom';
  const menu = input.menu || (before?.menu ?? 0);
  const url = input.url ?? (before ? view.url(before) || '' : '');
  const target = itemType === 'custom' ? { itemType, object: 'custom', ref: 0, url } : targetOf(site, itemType, input, before);
  const given = input.title ?? titleBefore();
  if (itemType === 'custom') refuseBare(given, url);
  if (menu !== 0 && site.terms.get(menu)?.taxonomy !== 'nav_menu') fail('invalid_menu_id');
  const clean = site.access.can(actor, 'unfiltered_html') ? (html: string) => html : (html: string) => filterHtml(html, 'post');
  const inherits = itemType !== 'custom' && given === decodeEntities(originalTitle(site, target));
  const id = before?.id ?? site.nextId('posts');
  const parent = input.parent ?? before?.parent ?? 0;
  const {
    content = before?.content ?? '',
    excerpt = before?.excerpt ?? '',
    window = before?.window ?? '',
    classes = before?.classes ?? [],
    xfn = before?.xfn ?? [],
    meta = before?.meta ?? {},
  } = input;
  return {
    ...(before ?? blankItem(id, menu)),
    ...(input as Partial<MenuItemRecord>),
    ...target,
    menu,
    status: (input.status ?? before?.status ?? 'publish') === 'publish' ? 'publish' : 'draft',
    title: inherits ? '' : clean(given),
    content,
    excerpt,
    parent: parent === id ? 0 : parent,
    order: menu === 0 ? 1 : (input.order ?? (before?.order || 1)),
    window,
    classes: words(classes),
    xfn: words(xfn),
    meta,
  };

  /** An item with the title of its target keeps doing so; with a new target it keeps its title. */
  function titleBefore(): string {
    if (!before) return '';
    const isSame = itemType !== 'custom' && before.object === target.object && before.ref === target.ref;
    return before.title === '' && isSame && before.itemType === itemType ? '' : view.title(before);
  }
}

function refuseBare(title: string, url: string): void {
  const url400 = { code: 'rest_url_required', message: 'A link of one’s own needs an address.', data: { status: 400 } };
  if (title === '') fail('rest_title_required', url === '' ? { others: [url400] } : {});
  if (url === '') fail('rest_url_required');
}

/** The target of a write: without a type or taxonomy it is that of the item, which must exist. */
function targetOf(site: Site, itemType: Exclude<ItemType, 'custom'>, input: MenuItemInput, before?: MenuItemRecord) {
  const objectId = Number(input.ref ?? (before ? targetId(site, before) : 0));
  let object = input.object ?? before?.object ?? '';
  if (object === '' && itemType === 'taxonomy') object = site.terms.get(objectId)?.taxonomy ?? fail('rest_term_invalid_id');
  if (object === '' && itemType === 'post_type')
    object = site.posts.get(objectId)?.type ?? fail('rest_post_invalid_id', { status: 400 });
  if (itemType === 'post_type_archive' && !site.types.has(object)) fail('rest_post_invalid_type');
  const isSame = before && before.itemType === itemType && before.object === object && targetId(site, before) === objectId;
  const ref = isSame ? before.ref : itemType === 'post_type_archive' ? objectId : targetRef(site, { itemType, object }, objectId);
  return { itemType, object, ref, url: '' };
}

/** The keys of an item merged into those of its file, in place. */
function printItem(site: Site, item: MenuItemRecord, known: RawItem = {}): RawItem {
  const named = targetWords(site);
  const target = printTarget(item, named);
  const fields = menuItemFields(site);
  const said = printFields(fields, { record: item, cx: contextOf(site, item.path || looseFile) });
  const printed: RawItem = { ...target, ...said };
  const rest = withoutTarget(known, named);
  const keys = fileKeys(fields);
  const kept = Object.entries(known).flatMap(([key, value]): [string, unknown][] => {
    if (Object.hasOwn(printed, key)) return [[key, printed[key]]];
    return Object.hasOwn(rest, key) && !keys.includes(key) ? [[key, value]] : [];
  });
  const hasTarget = Object.keys(target).some((key) => Object.hasOwn(known, key));
  return { ...(hasTarget ? {} : target), ...Object.fromEntries(kept), ...printed };
}

function groveOf(site: Site, menu: number): MenuTree {
  return site.menus.groves().find((tree) => tree.menu === menu) ?? fail('invalid_menu_id');
}

function writeMenuTree(site: Site, tree: MenuTree, nodes: readonly MenuNode[]): FileChange {
  const items = printTree(nodes);
  const menu = site.terms.get(tree.menu) as MenuRecord | undefined;
  if (menu) return writeMenu(site, { ...menu, items }, menu);
  if (items.length === 0 && tree.etag !== null) return { remove: looseFile, expect: tree.etag };
  return { path: looseFile, expect: tree.etag, data: { items }, order: menuKeys };
}

function merged(menu: MenuRecord, input: MenuInput): MenuRecord {
  const { description, locations = menu.locations, autoAdd = menu.autoAdd, meta = menu.meta } = input;
  return {
    ...menu,
    ...input.added,
    description: description === undefined ? menu.description : filterHtml(description, 'description'),
    locations: [...new Set(locations)],
    autoAdd,
    meta,
  };
}

/** A location shows one menu: others lose it. */
function releaseLocation(site: Site, { id }: MenuRecord, { locations = [] }: MenuInput): FileChange[] {
  return menusOf(site).flatMap((other) => {
    const left = other.locations.filter((name) => !locations.includes(name));
    return other.id === id || left.length === other.locations.length
      ? []
      : [writeMenu(site, { ...other, locations: left }, other)];
  });
}

function findByName(site: Site, name: string, id: number): MenuRecord | undefined {
  return name === '' ? undefined : menusOf(site).find((menu) => menu.id !== id && menu.name.toLowerCase() === name.toLowerCase());
}

function freeSlug(site: Site, { id, name }: MenuRecord): string {
  return uniqueSlug(slugify(name) || String(id), (slug) => menusOf(site).some((menu) => menu.id !== id && menu.slug === slug));
}

function pathOf(site: Site, id: number, slug: string): string {
  const place = `menus/${fileNameOf(slug)}`;
  const isTaken =
    place === looseFile.replace('.yaml', '') ||
    menusOf(site).some((menu) => menu.id !== id && menu.path.replace(/\.ya?ml$/, '') === place);
  return isTaken ? `${place}-${id}.yaml` : `${place}.yaml`;
}

function words(list: readonly string[]): readonly string[] {
  return list.every((one) => one === '') ? [] : list;
}
