/**
 * Nodes as Markdown can have them: no empty paragraphs, no spaces at the ends of lines.
 */
import type { Node } from 'prosemirror-model';
import { schema } from './schema.ts';

/** Nodes do not change, and of a long text little is touched between two looks at it. */
const known = new WeakMap<Node, readonly Node[]>();

export function writable(doc: Node): readonly Node[] {
  return doc.children.flatMap((node) => {
    const nodes = known.get(node) ?? written(node);
    known.set(node, nodes);
    return nodes;
  });
}

/** The blocks that are left of one. */
export function written(node: Node): readonly Node[] {
  if (node.type === schema.nodes.paragraph || node.type === schema.nodes.heading) {
    const content = trimmed(node.children);
    return content.length === 0 ? [] : [node.type.create(node.attrs, content)];
  }
  if (node.type === schema.nodes.table_cell || node.type === schema.nodes.table_header)
    return [node.type.create(node.attrs, trimmed(node.children))];
  if (node.type === schema.nodes.island) return node.attrs.source.trim() === '' ? [] : [node];
  if (node.isTextblock || node.isLeaf) return [node];
  const children = node.children.flatMap(written);
  if (children.length > 0) return [node.type.create(node.attrs, children)];
  return node.type === schema.nodes.list_item ? [node.type.create(null, schema.node('paragraph'))] : [];
}

const isBreak = ({ type }: Node): boolean => type === schema.nodes.hard_break || type === schema.nodes.soft_break;

/** Without spaces and breaks at both ends, and around ends of lines. */
function trimmed(nodes: readonly Node[]): Node[] {
  const list: Node[] = [];
  const cut = (text: Node, pattern: RegExp): Node[] => {
    const rest = (text.text ?? '').replace(pattern, '');
    return rest === '' ? [] : [schema.text(rest, text.marks)];
  };
  for (const node of nodes) {
    const last = list.at(-1);
    if (isBreak(node)) {
      if (last?.isText && !last.marks.some(({ type }) => type === schema.marks.code)) list.splice(-1, 1, ...cut(last, /[ \t]+$/));
      if (list.length > 0 && !isBreak(list.at(-1) as Node)) list.push(node);
    } else if (node.isText && (!last || isBreak(last)) && !node.marks.some(({ type }) => type === schema.marks.code))
      list.push(...cut(node, /^[ \t]+/));
    else list.push(node);
  }
  while (list.length > 0) {
    const last = list.at(-1) as Node;
    if (isBreak(last)) list.pop();
    else if (last.isText && /[ \t]$/.test(last.text ?? '') && !last.marks.some(({ type }) => type === schema.marks.code))
      list.splice(-1, 1, ...cut(last, /[ \t]+$/));
    else break;
  }
  return list;
}
