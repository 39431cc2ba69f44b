/**
 * Where pairs, items and lines stand in the source of a composed document. Offsets count UTF-16 units.
 *
 * The node ranges of the `yaml` package take in comments and line ends that follow a collection; these do not.
 */

import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLSeq } from 'yaml';

/** A construct that is not edited in place. */
export class Unusual extends Error {}

interface SourceItem {
  readonly start: readonly { readonly type: string; readonly offset: number; readonly source: string }[];
  readonly sep?: readonly { readonly type: string; readonly offset: number; readonly source: string }[];
}

export function keyStart(pair: Pair<Node, Node>): number {
  if (sourceOf(pair).start.some((token) => token.type === 'explicit-key-ind')) throw new Unusual();
  const range = pair.key?.range;
  if (range === undefined || range === null) throw new Unusual();
  return range[0];
}

export function colonEnd(pair: Pair<Node, Node>): number {
  const colon = sourceOf(pair).sep?.find((token) => token.type === 'map-value-ind');
  if (colon === undefined) throw new Unusual();
  return colon.offset + 1;
}

/** Where the value, its anchor or its tag begins; the colon's end when there is nothing. */
export function valueStart(pair: Pair<Node, Node>): number {
  const property = sourceOf(pair).sep?.find((token) => token.type === 'anchor' || token.type === 'tag');
  if (property !== undefined) return property.offset;
  const range = pair.value?.range;
  return range && range[1] > range[0] ? range[0] : colonEnd(pair);
}

/** After the pair's last character that is not a comment, blank or line end. */
export function pairEnd(pair: Pair<Node, Node>): number {
  const range = pair.value?.range;
  if (pair.value && range && range[1] > range[0]) return contentEnd(pair.value);
  const last = sourceOf(pair).sep?.findLast((token) => !['space', 'newline', 'comment'].includes(token.type));
  if (last === undefined) throw new Unusual();
  return last.offset + last.source.length;
}

function contentEnd(node: Node): number {
  const end = node.range?.[1] ?? 0;
  if (isMap(node) && node.srcToken?.type === 'block-map') return pairEnd(node.items.at(-1) as Pair<Node, Node>);
  if (isSeq(node) && node.srcToken?.type === 'block-seq') return itemEnd(node as YAMLSeq<Node>, node.items.length - 1);
  // A block scalar's range takes in its last line end.
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') ? end - 1 : end;
}

export function itemStart(list: YAMLSeq<Node>, index: number): number {
  const dash = sequenceItem(list, index).start.find((token) => token.type === 'seq-item-ind');
  if (dash === undefined) throw new Unusual();
  return dash.offset;
}

export function itemEnd(list: YAMLSeq<Node>, index: number): number {
  const node = list.items[index];
  const range = node?.range;
  if (node && range && range[1] > range[0]) return contentEnd(node);
  const last = sequenceItem(list, index).start.findLast((token) => !['space', 'newline', 'comment'].includes(token.type));
  if (last === undefined) throw new Unusual();
  return last.offset + last.source.length;
}

function sequenceItem(list: YAMLSeq<Node>, index: number): SourceItem {
  const item = (list.srcToken as unknown as { items: SourceItem[] } | undefined)?.items[index];
  if (item === undefined) throw new Unusual();
  return item;
}

function sourceOf(pair: Pair<Node, Node>): SourceItem {
  if (pair.srcToken === undefined) throw new Unusual();
  return pair.srcToken as unknown as SourceItem;
}

/** Takes in the comment lines below that are indented deeper than `column`: they belong to the value above. */
export function withInnerComments(text: string, end: number, column: number): number {
  let reached = end;
  for (let line = afterLine(text, end); line < text.length; line = afterLine(text, line)) {
    const content = text.slice(line, endOfLine(text, line));
    const indent = content.length - content.trimStart().length;
    if (content.trim() === '') continue;
    if (content[indent] !== '#' || indent <= column) break;
    reached = line + content.length;
  }
  return reached;
}

/** The start of the comment lines directly above `line`. */
export function aboveComments(text: string, line: number): number {
  let at = line;
  while (at > 0) {
    const previous = startOfLine(text, at - 1);
    if (!text.slice(previous, at).trimStart().startsWith('#')) break;
    at = previous;
  }
  return at;
}

export function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Before the line's `\n` or `\r\n`. */
export function endOfLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  if (next === -1) return text.length;
  return next > 0 && text.charCodeAt(next - 1) === 13 ? next - 1 : next;
}

export function afterLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  return next === -1 ? text.length : next + 1;
}

export function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

/** Of the keys that are there, the nearest before `key` in the order and the nearest after it. */
export function neighbours(
  key: string,
  order: readonly string[],
  isThere: (key: string) => boolean,
): { readonly before: string | undefined; readonly after: string | undefined } {
  const place = order.indexOf(key);
  if (place === -1) return { before: undefined, after: undefined };
  return { before: order.slice(0, place).findLast(isThere), after: order.slice(place + 1).find(isThere) };
}
