/** A tree for clients: nested nodes, a flat list, or options of a select control. */
import type { CountMap } from './counts.ts';
import type { FolderRecord } from './record.ts';
import type { Sorting } from './preferences.ts';
import { subtree, type Tree } from './tree.ts';

interface TreeNode {
  readonly key: number;
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly parent: number;
  /** A number as a string: clients parse it. */
  readonly ord: string;
  readonly color: string;
  readonly 'data-id': number;
  readonly 'data-count': number;
  readonly children: TreeNode[];
}

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The whole tree, siblings in order or by name. */
export function nodesOf(tree: Tree, counts: CountMap, sorting: Sorting | null): readonly TreeNode[] {
  const top: TreeNode[] = [];
  const made = new Map<number, TreeNode[]>([[0, top]]);
  for (const { folder } of subtree(sorting ? sorted(tree, sorting) : tree, 0)) {
    const node = nodeOf(folder, counts);
    made.set(folder.id, node.children);
    made.get(folder.parent)?.push(node);
  }
  return top;
}

/** A flat list of folders whose names contain the words. */
export function foundNodes(tree: Tree, counts: CountMap, search: string, sorting: Sorting | null): readonly TreeNode[] {
  const wanted = search.normalize('NFC').toLowerCase();
  return [...subtree(sorting ? sorted(tree, sorting) : tree, 0)].flatMap(({ folder }) =>
    folder.name.toLowerCase().includes(wanted) ? nodeOf(folder, counts) : [],
  );
}

/** Options of a select control: one more dash per level. */
export function optionsOf(tree: Tree): readonly { readonly value: number; readonly label: string; readonly disabled?: true }[] {
  const options = [...subtree(tree, 0)].map(({ folder, level }) => ({
    value: folder.id,
    label: '-'.repeat(level) + folder.name,
  }));
  return [{ value: 0, label: 'Please choose folder', disabled: true }, ...options];
}

function nodeOf({ id, name, parent, ord, color }: FolderRecord, counts: CountMap): TreeNode {
  return {
    ...{ key: id, id, title: name, text: name, parent, ord: String(ord), color },
    'data-id': id,
    'data-count': counts[id] ?? 0,
    children: [],
  };
}

function sorted({ below }: Tree, { order }: Sorting): Pick<Tree, 'below'> {
  const sign = order === 'desc' ? -1 : 1;
  const byName = (a: FolderRecord, b: FolderRecord): number => sign * (natural.compare(a.name, b.name) || a.id - b.id);
  return { below: new Map([...below].map(([parent, siblings]) => [parent, siblings.toSorted(byName)])) };
}
