/**
 * Values that a Python file assigns to names at its top: texts, numbers, `True`, `False`, `None`, and lists, tuples and maps of them.
 * Nothing is run or computed: a statement that is anything else is passed over.
 */
import { table } from '../../../kernel/model/maps.ts';

export interface PythonValues {
  /** The last value of each name; tuples are lists. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Names whose last assignment is no plain value. */
  readonly computed: ReadonlySet<string>;
}

interface Cursor {
  at: number;
  readonly text: string;
}

const maxDepth = 40;
const name = /([A-Za-z_]\w*)[ \t]*(?::[^=\n#'"]*)?=(?!=)/y;
const number = /[+-]?(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?![\w.])/y;
const constant = /(?:True|False|None)\b/y;
const quote = /([rRuUbB]{0,2})("""|'''|"|')/y;
const opening = /[[({]/y;
/** Inside of brackets lines do not count. */
const gap = /(?:\s|\\\n|#[^\n]*)*/y;
const blank = /(?:[ \t\f]|\\\n)*/y;
const end = /[ \t]*(?:#[^\n]*)?(?:;|\n|$)/y;

/** @param text  with `\n` between lines. Cost: linear */
export function readPythonValues(text: string): PythonValues {
  const values = new Map<string, unknown>();
  const computed = new Set<string>();
  const cursor = { at: 0, text };
  while (cursor.at < text.length) {
    const begin = cursor.at;
    const assigned = take(cursor, name)?.[1];
    const found = assigned === undefined ? undefined : valueAt(cursor, 0);
    if (assigned !== undefined && found && take(cursor, end)) {
      values.set(assigned, found.value);
      computed.delete(assigned);
      continue;
    }
    if (assigned !== undefined) {
      values.delete(assigned);
      computed.add(assigned);
    }
    cursor.at = statementEnd(text, begin);
  }
  return { values, computed };
}

interface Found {
  readonly value: unknown;
}

function valueAt(cursor: Cursor, depth: number): Found | undefined {
  const between = depth === 0 ? blank : gap;
  take(cursor, between);
  const digits = take(cursor, number)?.[0];
  if (digits !== undefined) return { value: Number(digits.replaceAll('_', '')) };
  const word = take(cursor, constant)?.[0];
  if (word !== undefined) return { value: word === 'None' ? null : word === 'True' };
  const bracket = take(cursor, opening)?.[0];
  if (bracket !== undefined) return depth < maxDepth ? partsAt(cursor, bracket, depth + 1) : undefined;
  let joined: string | undefined;
  // Texts beside each other are one.
  for (let part = textAt(cursor); part !== undefined; part = textAt(cursor)) {
    joined = (joined ?? '') + part;
    take(cursor, between);
  }
  return joined === undefined ? undefined : { value: joined };
}

function partsAt(cursor: Cursor, bracket: string, depth: number): Found | undefined {
  const closing = bracket === '[' ? /\]/y : bracket === '(' ? /\)/y : /\}/y;
  const parts: unknown[] = [];
  const rows: [string, unknown][] = [];
  let commas = 0;
  for (take(cursor, gap); !take(cursor, closing); take(cursor, gap)) {
    if (commas < parts.length + rows.length) return undefined;
    const part = valueAt(cursor, depth);
    if (!part) return undefined;
    take(cursor, gap);
    if (bracket === '{' && take(cursor, /:/y)) {
      const value = valueAt(cursor, depth);
      if (!value) return undefined;
      rows.push([String(part.value), value.value]);
    } else parts.push(part.value);
    take(cursor, gap);
    if (take(cursor, /,/y)) commas++;
  }
  if (bracket === '{') return parts.length === 0 ? { value: Object.fromEntries(rows) } : undefined;
  return { value: bracket === '(' && commas === 0 && parts.length === 1 ? parts[0] : parts };
}

function textAt(cursor: Cursor): string | undefined {
  const [, prefix = '', mark] = take(cursor, quote) ?? [];
  if (mark === undefined) return undefined;
  const from = cursor.at;
  const to = textEnd(cursor.text, from, mark);
  if (to < 0) return undefined;
  cursor.at = to + mark.length;
  const inner = cursor.text.slice(from, to);
  return /r/i.test(prefix) ? inner : inner.replace(escaped, unescaped);
}

const escaped = /\\(?:[uU]([\da-fA-F]{8}|[\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g;
const escapes: Readonly<Record<string, string>> = table({ n: '\n', t: '\t', r: '\r', '\n': '', '\\': '\\', "'": "'", '"': '"' });

function unescaped(all: string, long?: string, short?: string, one = ''): string {
  const code = Number.parseInt(long ?? short ?? '', 16);
  if (Number.isNaN(code)) return escapes[one] ?? all;
  return code > 0x10ffff ? all : String.fromCodePoint(code);
}

/** Where a text ends; -1: it does not. */
function textEnd(text: string, from: number, mark: string): number {
  const stop = mark.length === 3 ? /\\[\s\S]|"""|'''/g : /\\[\s\S]|["'\n]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === mark) return found.index;
    if (found[0] === '\n') return -1;
  }
  return -1;
}

/** The line after a statement, over all brackets and texts in it. */
function statementEnd(text: string, from: number): number {
  const parts = /"""|'''|["'#\n]|\\\n|[[({]|[\])}]/g;
  parts.lastIndex = from;
  let depth = 0;
  for (let found = parts.exec(text); found; found = parts.exec(text)) {
    const [part] = found;
    if (part === '\n' && depth === 0) return parts.lastIndex;
    if (part === '#') {
      const stop = text.indexOf('\n', found.index);
      if (stop < 0) return text.length;
      parts.lastIndex = stop;
    } else if (/["']/.test(part)) {
      const stop = textEnd(text, parts.lastIndex, part);
      if (stop >= 0) parts.lastIndex = stop + part.length;
    } else if (/^[[({]$/.test(part)) depth++;
    else if (/^[\])}]$/.test(part)) depth = Math.max(0, depth - 1);
  }
  return text.length;
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found) cursor.at = pattern.lastIndex;
  return found;
}
