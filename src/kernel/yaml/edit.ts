/**
 * Edits of YAML text in place: each change becomes a splice of the lines of its key, everything else stays byte for byte.
 *
 * The result is read back and compared with what was meant; where the splices do not give it (anchors whose target went,
 * flow style, explicit keys), the whole map is printed anew.
 */

import { type Document, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { parseFlatYaml } from './fast.ts';
import {
  aboveComments,
  afterLine,
  colonEnd,
  columnOf,
  endOfLine,
  itemEnd,
  itemStart,
  keyStart,
  neighbours,
  pairEnd,
  startOfLine,
  Unusual,
  valueStart,
  withInnerComments,
} from './ranges.ts';
import { printLike } from './style.ts';
import { composeYaml, dataOf, keyText, parseYaml, type YamlMap } from './parse.ts';
import { PlainText, plain } from '../model/plain.ts';
import { isSame, printItems, printMap, printPair, printValue, toStored } from './print.ts';

type Values = Readonly<Record<string, unknown>>;

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Scope {
  readonly text: string;
  readonly eol: string;
  readonly splices: Splice[];
}

/**
 * @param changes  values by key; undefined deletes
 * @param order    a new key goes after the nearest key before it in this order, else before the nearest after it, else last
 * @throws YamlFault when `text` cannot be read; TypeError for values that cannot be stored
 */
export function editYaml(text: string, changes: Values, order: readonly string[], eol: string): string {
  // What the fast reader does not read is composed once, for its values and for its places.
  const flat = parseFlatYaml(text);
  const composed = flat === undefined ? composeYaml(text, true) : undefined;
  const current = flat ?? dataOf(composed as Document.Parsed);
  const wanted: YamlMap = { ...current };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete wanted[key];
    else wanted[key] = toStored(value);
  }
  if (isSame(current, wanted)) return text;
  const printed = order.some((key) => Object.hasOwn(current, key))
    ? printAlike(text, current, wanted, changes, order, eol)
    : null;
  if (printed !== null) return printed;
  const document = composed ?? composeYaml(text, true);
  const edited = spliceOrNull(text, document, current, changes, order, eol);
  if (edited !== null && holds(edited, wanted)) return edited;
  return printAnew(text, document, { ...current, ...changes }, eol);
}

/** The lines of a key, as offsets into the text; null without it. @throws YamlFault; Unusual for what is not edited in place */
export function linesOfKey(text: string, key: string): { readonly start: number; readonly end: number } | null {
  const { contents } = composeYaml(text, true);
  if (!isMap(contents)) return null;
  const pair = (contents as YAMLMap.Parsed).items.find((one) => keyText(one.key) === key) as Pair<Node, Node> | undefined;
  return pair ? { start: startOfLine(text, keyStart(pair)), end: afterLine(text, pairEnd(pair)) } : null;
}

/**
 * A text all in our own style, put together again from its lines and those of what changes: it holds nothing else to keep, and its keys
 * stay where they are. Null for any other.
 */
function printAlike(
  text: string,
  current: YamlMap,
  wanted: YamlMap,
  changes: Values,
  order: readonly string[],
  eol: string,
): string | null {
  if (!Object.keys(wanted).every((key) => order.includes(key) && keepsPlaces(current[key], wanted[key]))) return null;
  const print = (key: string, value: unknown): string => printPair(key, value).join(eol) + eol;
  let at = 0;
  let printed = '';
  for (const key of order) {
    let lines = '';
    if (Object.hasOwn(current, key)) {
      const value = current[key];
      lines = print(key, value);
      // Dates have no quotes.
      if (typeof value === 'string' && !text.startsWith(lines, at)) lines = print(key, plain(value));
      if (!text.startsWith(lines, at)) return null;
      at += lines.length;
    }
    if (!Object.hasOwn(wanted, key)) continue;
    const isKept = Object.hasOwn(current, key) && isSame(current[key], wanted[key]);
    printed += isKept ? lines : print(key, changes[key]);
  }
  return at === text.length ? printed : null;
}

/** Whether the keys that both have come first and in the same order, at every depth. */
function keepsPlaces(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return true;
  const keys = Object.keys(after);
  const shared = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  const values = [before, after] as readonly Values[];
  return shared.every((key, at) => keys[at] === key && keepsPlaces(values[0]?.[key], values[1]?.[key]));
}

function spliceOrNull(
  text: string,
  document: Document.Parsed,
  current: Values,
  changes: Values,
  order: readonly string[],
  eol: string,
): string | null {
  const { contents } = document;
  const scope: Scope = { text, eol, splices: [] };
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    const lines = printMap(changes);
    const unended = text !== '' && !text.endsWith('\n');
    return unended ? [text, ...lines].join(eol) : text + lines.map((line) => line + eol).join('');
  }
  if (!isMap(contents)) return null;
  try {
    editMap(scope, contents as YAMLMap.Parsed, current, changes, order);
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
  return applySplices(text, scope.splices);
}

function holds(text: string, wanted: YamlMap): boolean {
  try {
    return isSame(parseFlatYaml(text) ?? parseYaml(text), wanted);
  } catch {
    return false;
  }
}

/** The leading comments, then every pair in our own style. */
function printAnew(text: string, document: Document.Parsed, data: Values, eol: string): string {
  const before = document.contents?.range?.[0] ?? 0;
  const comments = text
    .slice(0, before)
    .split(/\r?\n/)
    .filter((line) => line.startsWith('#'));
  return [...comments, ...printMap(data)].map((line) => line + eol).join('');
}

/** @param current  the map's values, aliases resolved */
function editMap(scope: Scope, map: YAMLMap.Parsed, current: Values, changes: Values, order: readonly string[]): void {
  if (map.srcToken?.type !== 'block-map' || map.items.length === 0) throw new Unusual();
  const pairs = new Map(map.items.map((pair) => [keyText(pair.key), pair as Pair<Node, Node>]));
  const column = columnOf(scope.text, keyStart(map.items[0] as Pair<Node, Node>));
  const added: string[] = [];
  for (const [key, value] of Object.entries(changes)) {
    const pair = pairs.get(key);
    if (pair === undefined) {
      if (value !== undefined) added.push(key);
    } else if (value === undefined) deletePair(scope, pair, column);
    else if (!isSame(current[key], toStored(value))) replaceValue(scope, pair, current[key], value, column);
  }
  insertPairs(scope, pairs, added, changes, order, column);
}

function deletePair(scope: Scope, pair: Pair<Node, Node>, column: number): void {
  const { text } = scope;
  const start = startOfLine(text, keyStart(pair));
  const end = afterLine(text, withInnerComments(text, pairEnd(pair), column));
  // The last line without a newline: the line before becomes the one without.
  const isOpenEnd = end === text.length && !text.endsWith('\n');
  scope.splices.push({ start: isOpenEnd ? endOfLine(text, Math.max(0, start - 1)) : start, end, text: '' });
}

function replaceValue(scope: Scope, pair: Pair<Node, Node>, current: unknown, value: unknown, column: number): void {
  const old = pair.value;
  if (isMap(old) && isEditableMap(old, value)) {
    const removed = old.items.map((item) => keyText(item.key)).filter((key) => (value as Values)[key] === undefined);
    if (removed.length < old.items.length) {
      const gone = Object.fromEntries(removed.map((key) => [key, undefined]));
      editMap(scope, old as YAMLMap.Parsed, current as Values, { ...gone, ...(value as Values) }, []);
      return;
    }
  }
  if (isSeq(old) && Array.isArray(value) && editSequence(scope, old as YAMLSeq<Node>, current as unknown[], value)) return;
  const { text, eol } = scope;
  const colon = colonEnd(pair);
  const end = withInnerComments(text, pairEnd(pair), isMap(old) || isSeq(old) ? column : Number.POSITIVE_INFINITY);
  const lineEnd = endOfLine(text, end);
  const first = valueStart(pair);
  const gap = /^[ \t]+(?=[^\s#])/.exec(text.slice(colon, first + 1))?.[0] ?? ' ';
  const like = printLike(old, value);
  const { head, rest } = like === null ? printValue(value, column) : { head: like, rest: [] };
  const comment = commentOf(text, colon, end);
  const lines = [(head === '' ? '' : gap + head) + comment, ...rest];
  scope.splices.push({ start: colon, end: lineEnd, text: lines.join(eol) });
}

/** Only the items between the common beginning and end are exchanged. False when the list has to be printed as a whole. */
function editSequence(scope: Scope, list: YAMLSeq<Node>, before: readonly unknown[], value: readonly unknown[]): boolean {
  if (list.srcToken?.type !== 'block-seq' || list.anchor !== undefined || list.tag !== undefined) return false;
  const after = value.map((item) => toStored(item));
  let head = 0;
  while (head < before.length && head < after.length && isSame(before[head], after[head])) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  if (before.length === after.length && editItems(scope, list, before, after)) return true;
  if (head + tail === 0) return false;
  const { text, eol } = scope;
  const column = columnOf(text, itemStart(list, 0));
  const lines = printItems(value.slice(head, value.length - tail), column);
  const last = before.length - tail - 1;
  const isInsertion = last < head;
  if (isInsertion && head > 0) {
    insertLines(scope, itemEnd(list, head - 1), lines);
    return true;
  }
  const start = startOfLine(text, itemStart(list, head));
  const end = isInsertion ? start : afterLine(text, itemEnd(list, last));
  const isOpenEnd = end === text.length && !text.endsWith('\n');
  if (isOpenEnd && lines.length === 0) scope.splices.push({ start: endOfLine(text, Math.max(0, start - 1)), end, text: '' });
  else scope.splices.push({ start, end, text: lines.join(eol) + (lines.length > 0 && !isOpenEnd ? eol : '') });
  return true;
}

/**
 * Changes items in place, key by key, so that comments inside them stay. False when an item is another one than before, has
 * lost its first key (the dash stands on its line), or is no map in block style.
 */
function editItems(scope: Scope, list: YAMLSeq<Node>, before: readonly unknown[], after: readonly unknown[]): boolean {
  const changed = list.items.flatMap((item, at) =>
    isSame(before[at], after[at]) ? [] : [{ item, old: before[at] as Values, next: after[at] as Values }],
  );
  if (
    changed.length === 0 ||
    !changed.every(({ item, old, next }) => isMap(item) && isEditableMap(item, next) && isKept(old, next))
  )
    return false;
  for (const { item, old, next } of changed) {
    const gone = Object.fromEntries(Object.keys(old).flatMap((key) => (Object.hasOwn(next, key) ? [] : [[key, undefined]])));
    const [first = ''] = Object.keys(old);
    editMap(scope, item as YAMLMap.Parsed, old, { ...gone, ...next }, [
      first,
      ...Object.keys(next).filter((key) => key !== first),
    ]);
  }
  return true;
}

/** Whether two maps of a list are one thing that changed: of the same id, or, without ids, with the same first key. */
function isKept(old: Values, next: Values): boolean {
  const [first = ''] = Object.keys(old);
  if (!Object.hasOwn(next, first)) return false;
  return old.id !== undefined && next.id !== undefined ? isSame(old.id, next.id) : isSame(old[first], next[first]);
}

function insertPairs(
  scope: Scope,
  pairs: ReadonlyMap<string, Pair<Node, Node>>,
  added: readonly string[],
  values: Values,
  order: readonly string[],
  column: number,
): void {
  const rank = new Map(order.map((key, index) => [key, index]));
  const unranked = order.length;
  const sorted = [...added].sort((a, b) => (rank.get(a) ?? unranked) - (rank.get(b) ?? unranked));
  const last = [...pairs.values()].at(-1) as Pair<Node, Node>;
  for (const key of sorted) {
    const lines = printPair(key, values[key], column);
    const { before, after } = neighbours(key, order, (other) => pairs.has(other));
    if (before === undefined && after !== undefined) {
      const at = aboveComments(scope.text, startOfLine(scope.text, keyStart(pairs.get(after) as Pair<Node, Node>)));
      scope.splices.push({ start: at, end: at, text: lines.map((line) => line + scope.eol).join('') });
      continue;
    }
    const anchor = before === undefined ? last : (pairs.get(before) as Pair<Node, Node>);
    insertLines(scope, withInnerComments(scope.text, pairEnd(anchor), column), lines);
  }
}

/** Puts lines after the line that `offset` is in. */
function insertLines(scope: Scope, offset: number, lines: readonly string[]): void {
  const { text, eol, splices } = scope;
  const at = afterLine(text, offset);
  const isOpenEnd = at === text.length && !text.endsWith('\n');
  splices.push({ start: at, end: at, text: lines.map((line) => (isOpenEnd ? eol + line : line + eol)).join('') });
}

/** A comment on the key's own line, with the blanks before it. */
function commentOf(text: string, colon: number, end: number): string {
  const onKeyLine = /^(?:[ \t]*[|>][-+0-9]*([ \t]+#.*)?|[ \t]*([ \t]#.*)?)$/.exec(text.slice(colon, endOfLine(text, colon)));
  if (onKeyLine !== null && end > endOfLine(text, colon)) return onKeyLine[1] ?? onKeyLine[2] ?? '';
  return text.slice(end, endOfLine(text, end)).trimEnd();
}

function isEditableMap(old: YAMLMap, value: unknown): boolean {
  const isPlainMap = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PlainText);
  return isPlainMap && old.srcToken?.type === 'block-map' && old.anchor === undefined && old.tag === undefined;
}

function applySplices(text: string, splices: readonly Splice[]): string {
  const sorted = splices
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
  let result = '';
  let at = 0;
  for (const { start, end, text: inserted } of sorted) {
    result += text.slice(at, Math.max(at, start)) + inserted;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}
