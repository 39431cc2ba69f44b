/** Links of a menu in the order of the page, each as deep as it is: what moves takes what is below it along. */
export interface Node {
  /** Below zero: not saved yet. */
  readonly id: number;
  readonly depth: number;
  readonly title: string;
  /** Of what it leads to. */
  readonly target: string;
  readonly type: string;
  readonly object: string;
  readonly object_id: number;
  readonly url: string;
  readonly description: string;
}

export type Tree = readonly Node[];
export type Move = 'up' | 'down' | 'in' | 'out';

/** As deep as links are indented. */
const deepest = 10;

/** Behind the last that is below it. */
function endOf(tree: Tree, at: number): number {
  const { depth } = tree[at] as Node;
  const end = tree.findIndex((node, other) => other > at && node.depth <= depth);
  return end < 0 ? tree.length : end;
}

function parentAt(tree: Tree, at: number): number {
  const { depth } = tree[at] as Node;
  return tree.findLastIndex((node, other) => other < at && node.depth < depth);
}

/** The one before it at its own depth, below the same. */
function neighbourBefore(tree: Tree, at: number): number {
  const { depth } = tree[at] as Node;
  const before = tree.findLastIndex((node, other) => other < at && node.depth <= depth);
  return before >= 0 && tree[before]?.depth === depth ? before : -1;
}

const deeper = (part: Tree, by: number): Tree => part.map((node) => ({ ...node, depth: node.depth + by }));

/** Null where it cannot go. */
export function moved(tree: Tree, at: number, move: Move): Tree | null {
  const end = endOf(tree, at);
  const part = tree.slice(at, end);
  if (move === 'up') {
    const before = neighbourBefore(tree, at);
    return before < 0 ? null : [...tree.slice(0, before), ...part, ...tree.slice(before, at), ...tree.slice(end)];
  }
  if (move === 'down') {
    if (tree[end]?.depth !== tree[at]?.depth) return null;
    const next = endOf(tree, end);
    return [...tree.slice(0, at), ...tree.slice(end, next), ...part, ...tree.slice(next)];
  }
  if (move === 'in') {
    if (neighbourBefore(tree, at) < 0 || part.some(({ depth }) => depth >= deepest)) return null;
    return [...tree.slice(0, at), ...deeper(part, 1), ...tree.slice(end)];
  }
  const parent = parentAt(tree, at);
  if (parent < 0) return null;
  const behind = endOf(tree, parent);
  return [...tree.slice(0, at), ...tree.slice(end, behind), ...deeper(part, -1), ...tree.slice(behind)];
}

/** Before another, as deep as that is; null onto itself or into what is below it. */
export function movedBefore(tree: Tree, at: number, target: number): Tree | null {
  const end = endOf(tree, at);
  if (target >= at && target < end) return null;
  const part = tree.slice(at, end);
  const by = (tree[target] as Node).depth - (tree[at] as Node).depth;
  const place = target > at ? target - part.length : target;
  const rest = [...tree.slice(0, at), ...tree.slice(end)];
  return [...rest.slice(0, place), ...deeper(part, by), ...rest.slice(place)];
}

/** Without one: what is below it stays, one less deep. */
export function without(tree: Tree, at: number): Tree {
  const end = endOf(tree, at);
  return [...tree.slice(0, at), ...deeper(tree.slice(at + 1, end), -1), ...tree.slice(end)];
}

/** Of each: the id of the one above it; 0 for none. */
export function parentsOf(tree: Tree): readonly number[] {
  return tree.map((_, at) => tree[parentAt(tree, at)]?.id ?? 0);
}

/** From a list in any order. */
export function treeOf(items: readonly (Omit<Node, 'depth'> & { readonly parent: number; readonly order: number })[]): Tree {
  const ids = new Set(items.map(({ id }) => id));
  const below = (parent: number, depth: number): Tree =>
    items
      .filter((item) => (ids.has(item.parent) ? item.parent : 0) === parent)
      .sort((a, b) => a.order - b.order)
      .flatMap(({ parent: _parent, order: _order, ...node }) => [
        { ...node, depth },
        ...(depth < 100 ? below(node.id, depth + 1) : []),
      ]);
  return below(0, 0);
}
