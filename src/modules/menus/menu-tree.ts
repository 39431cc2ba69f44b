/** The items of a menu as nested in its file, in the shortest form. Position implies parent and order; both are written only if they differ. */
import { FieldProblem, text } from '../../kernel/model/field.ts';

/** An item as in the file, with unknown keys. */
export type RawItem = Readonly<Record<string, unknown>>;

export const itemTypes = ['taxonomy', 'post_type', 'post_type_archive', 'custom'] as const;
export type ItemType = (typeof itemTypes)[number];

export interface MenuTarget {
  readonly itemType: ItemType;
  /** Type or taxonomy; `custom` for a URL. */
  readonly object: string;
  /** Slug, path or id of the target, as in the file; 0: none. */
  readonly ref: string | number;
  /** Of a custom link. */
  readonly url: string;
}

/** Keys of targets, and what they mean. */
export type TargetWords = ReadonlyMap<string, Pick<MenuTarget, 'itemType' | 'object'>>;

const targetKeys = ['url', 'archive', 'type', 'object', 'object_id'];

/** The target of a raw item. @throws FieldProblem if the value is invalid */
export function readTarget(raw: RawItem, words: TargetWords): MenuTarget {
  const named = Object.keys(raw).find((key) => words.has(key));
  if (named !== undefined)
    return { ...(words.get(named) as Pick<MenuTarget, 'itemType' | 'object'>), ref: refOf(raw[named], named), url: '' };
  const ref = refOf(raw.object_id ?? 0, 'object_id');
  if (raw.archive !== undefined) return { itemType: 'post_type_archive', object: String(raw.archive), ref, url: '' };
  if (raw.type === 'post_type' || raw.type === 'taxonomy')
    return { itemType: raw.type, object: text.parse(raw.object ?? '', 'object'), ref, url: '' };
  return { itemType: 'custom', object: 'custom', ref: 0, url: text.parse(raw.url ?? '', 'url') };
}

/** The shortest keys for a target. */
export function printTarget({ itemType, object, ref, url }: MenuTarget, words: TargetWords): RawItem {
  if (itemType === 'custom') return url === '' ? {} : { url };
  const id = ref === 0 ? {} : { object_id: ref };
  if (itemType === 'post_type_archive') return { archive: object, ...id };
  const word = [...words].find(([, meant]) => meant.itemType === itemType && meant.object === object)?.[0];
  return word !== undefined ? { [word]: ref } : { type: itemType, object, ...id };
}

/** The item without keys for target and position. */
export function withoutTarget(raw: RawItem, words: TargetWords): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !words.has(key) && !targetKeys.includes(key)));
}

/** An item in the tree. */
export interface MenuNode {
  readonly id: number;
  /** Its own keys, without `id`, `parent`, `order` and `items`. */
  readonly own: RawItem;
  readonly parent: number;
  readonly order: number;
  readonly children: readonly MenuNode[];
}

/**
 * Items as a tree. `order` defaults to one more than the previous item, `parent` to the enclosing item.
 *
 * @param idOf  the id of an item, by content and position (`0.2`)
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

/** The inverse of `readTree`; implied order and parent are omitted. */
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

/** All nodes, parents first. */
export function* everyNode(nodes: readonly MenuNode[]): Generator<MenuNode> {
  for (const node of nodes) {
    yield node;
    yield* everyNode(node.children);
  }
}

/** Adds a node below its parent (or at the top level), after those before it. */
export function putNode(nodes: readonly MenuNode[], node: MenuNode): MenuNode[] {
  const isInside = [...everyNode(node.children)].some(({ id }) => id === node.parent);
  const holder = isInside || node.parent === 0 ? undefined : [...everyNode(nodes)].find(({ id }) => id === node.parent);
  if (holder) return replaceNode(nodes, holder.id, (found) => [{ ...found, children: insert(found.children, node) }]);
  return insert(nodes, node);
}

/** The tree without a node; its children stay in place and keep their parent (observed). */
export function dropNode(nodes: readonly MenuNode[], id: number): MenuNode[] {
  return replaceNode(nodes, id, ({ children }) => children);
}

/** The tree with a node replaced, by id. */
export function replaceNode(nodes: readonly MenuNode[], id: number, next: (node: MenuNode) => readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => (node.id === id ? next(node) : [{ ...node, children: replaceNode(node.children, id, next) }]));
}

function insert(nodes: readonly MenuNode[], node: MenuNode): MenuNode[] {
  const later = nodes.findIndex(({ order }) => order > node.order);
  return later < 0 ? [...nodes, node] : nodes.toSpliced(later, 0, node);
}

export function parseItems(raw: unknown): readonly RawItem[] {
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

/** The same, if the key may be missing. @throws FieldProblem */
export const readItems = (raw: unknown): readonly RawItem[] => parseItems(raw ?? null);

function refOf(raw: unknown, key: string): string | number {
  if (typeof raw === 'number' || (typeof raw === 'string' && raw !== '')) return raw;
  throw new FieldProblem('items', `${key} must name something by its slug or id, not ${JSON.stringify(raw)}`);
}
