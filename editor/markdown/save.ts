/**
 * A text after it was edited: what was not touched has the bytes that it had.
 */
import { diffIndices } from 'node-diff3';
import type { Node } from 'prosemirror-model';
import { fitSource } from './fit.ts';
import { printBlock, type PrintOptions } from './print.ts';
import { readPart, type SourceText } from './read.ts';
import { schema } from './schema.ts';
import { writable } from './writable.ts';

/** @param original  what was loaded. @param doc  what the editor has now */
export function saveText(original: SourceText, doc: Node): string {
  const nodes = writable(doc);
  const { blocks, gaps } = original;
  if (blocks.length === 0 && nodes.length === 0) return gaps.join('');
  const origins = originsOf(
    blocks.map(({ node }) => node),
    nodes,
  );
  let text = blocks.length === 0 ? '' : (gaps[0] as string);
  let last: { readonly source: string; readonly node: Node; readonly from: number } | null = null;
  for (const [at, node] of nodes.entries()) {
    const { from, isWhole } = origins[at] ?? { from: -1, isWhole: false };
    const follows: boolean = last !== null && last.from >= 0 && from === last.from + 1;
    const isTaken: boolean = last !== null && !follows && takes(last.node, node);
    const was = blocks[from] ?? null;
    const source: string =
      isWhole && was && !isTaken
        ? was.source
        : withEnds(
            isTaken && last ? changed(node, null, otherThan(last.source), original) : changed(node, was, formOf(was), original),
            original,
          );
    if (last) text += follows ? (gaps[from] as string) : between(original, last.from, from);
    text += source;
    last = { source, node, from };
  }
  return nodes.length === 0 || blocks.length === 0 ? text : text + (gaps.at(-1) as string);
}

function withEnds(text: string, { lineEnd }: SourceText): string {
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
}

interface Origin {
  /** Which block it was. */
  readonly from: number;
  /** It has not changed. */
  readonly isWhole: boolean;
}

function originsOf(before: readonly Node[], after: readonly Node[]): readonly (Origin | undefined)[] {
  const [a, b] = [before.map(keyOf), after.map(keyOf)];
  const origins: (Origin | undefined)[] = [];
  const shortest = Math.min(a.length, b.length);
  let start = 0;
  for (; start < shortest && a[start] === b[start]; start++) origins[start] = { from: start, isWhole: true };
  let end = 1;
  for (; end <= shortest - start && a.at(-end) === b.at(-end); end++)
    origins[b.length - end] = { from: a.length - end, isWhole: true };
  let [old, next] = [start, start];
  const same = (until: number): void => {
    for (; next < until; next++, old++) origins[next] = { from: old, isWhole: true };
  };
  const middle = (keys: string[]): string[] => keys.slice(start, keys.length - end + 1);
  for (const { buffer1, buffer2 } of diffIndices(middle(a), middle(b))) {
    same(start + buffer2[0]);
    pair(before, after, [start + buffer1[0], buffer1[1]], [start + buffer2[0], buffer2[1]], origins);
    old = start + buffer1[0] + buffer1[1];
    next = start + buffer2[0] + buffer2[1];
  }
  same(b.length - end + 1);
  return origins;
}

/** Changed blocks are those that stood there, in turn. @param old, next  where they begin, and how many there are */
function pair(
  before: readonly Node[],
  after: readonly Node[],
  [old, olds]: readonly [number, number],
  [next, nexts]: readonly [number, number],
  origins: (Origin | undefined)[],
): void {
  const taken = (from: number, to: number): boolean => {
    const isPair = before[from]?.type === after[to]?.type;
    if (isPair) origins[to] = { from, isWhole: false };
    return isPair;
  };
  let head = 0;
  if (olds === nexts) {
    for (; head < olds; head++) taken(old + head, next + head);
    return;
  }
  const alike = (from: number, to: number): boolean =>
    (before[from]?.textContent ?? '').slice(0, 12) === (after[to]?.textContent ?? '').slice(0, 12);
  while (head < Math.min(olds, nexts) && alike(old + head, next + head) && taken(old + head, next + head)) head++;
  for (let tail = 1; tail <= Math.min(olds, nexts) - head; tail++) if (!taken(old + olds - tail, next + nexts - tail)) return;
}

const keys = new WeakMap<Node, string>();

function keyOf(node: Node): string {
  const known = keys.get(node);
  if (known !== undefined) return known;
  const key = JSON.stringify(node);
  keys.set(node, key);
  return key;
}

/** A block that was changed, as it would have been written. */
function changed(node: Node, was: SourceText['blocks'][number] | null, options: PrintOptions, { env }: SourceText): string {
  const isRead = (text: string): boolean => {
    const nodes = readPart(text, env);
    return nodes.length === 1 && keyOf(nodes[0] as Node) === keyOf(node);
  };
  const printed = printBlock(node, options);
  if (was) {
    const source = was.source.replace(/\r\n?/g, '\n');
    const fitted = fitSource(source, printBlock(was.node, options), printed).find(isRead);
    if (fitted !== undefined) return fitted;
  }
  if (node.type === schema.nodes.island || isRead(printed)) return printed;
  const careful = printBlock(node, { ...options, escapesAll: true });
  return isRead(careful) ? careful : printed;
}

/** Whether a list would be taken for more of another, or an indented text for more of what stands above it. */
function takes(first: Node, second: Node): boolean {
  const isList = ({ type }: Node): boolean => type === schema.nodes.bullet_list || type === schema.nodes.ordered_list;
  const { code_block, island } = schema.nodes;
  if (second.type === code_block) return isList(first) || first.type === code_block || first.type === island;
  return isList(first) && first.type === second.type;
}

function otherThan(source: string): PrintOptions {
  return {
    bullet: /^\s*-/.test(source) ? '*' : '-',
    delimiter: /^\s*\d+\./.test(source) ? ')' : '.',
  };
}

/** Marks of a list as it was. */
function formOf(was: SourceText['blocks'][number] | null): PrintOptions {
  const [, bullet, delimiter] = /^\s*(?:([-*+])|\d+([.)]))/.exec(was?.source ?? '') ?? [];
  return { ...(bullet ? { bullet: bullet as '-' } : {}), ...(delimiter ? { delimiter: delimiter as '.' } : {}) };
}

/** What stands between two blocks that did not follow one another. */
function between({ gaps, lineEnd }: SourceText, last: number, next: number): string {
  const around = [next > 0 ? gaps[next] : undefined, last >= 0 && last + 1 < gaps.length - 1 ? gaps[last + 1] : undefined];
  return around.find((gap) => gap !== undefined && (gap.match(/\r\n|\r|\n/g) ?? []).length > 1) ?? lineEnd + lineEnd;
}
