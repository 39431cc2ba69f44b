/**
 * Printing of values as YAML: block style, and quotes wherever some reader of YAML 1.1 or 1.2 would see anything else than
 * the text. What is printed here, `parseYaml` reads back as the same value.
 */

import { PlainText } from '../model/plain.ts';
import { toScalar } from './parse.ts';

const maxPrintDepth = 60;
const maxKeyLength = 1000;

/**
 * The value as it will be read back: map entries that are undefined are left out, undefined elsewhere is null, numbers that are
 * not safe integers are text.
 * @throws TypeError for what YAML files do not hold: functions, symbols, NaN, dates, `__proto__` keys, cycles
 */
export function toStored(value: unknown, depth = 0): unknown {
  if (depth > maxPrintDepth) throw new TypeError('value nested too deeply to be stored');
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return toScalar(String(value));
  if (typeof value === 'bigint') return toScalar(String(value));
  if (value instanceof PlainText) return value.text;
  if (Array.isArray(value)) return value.map((item) => toStored(item, depth + 1));
  if (typeof value !== 'object' || !isMapLike(value)) throw new TypeError(`${String(value)} cannot be stored`);
  const map: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError('`__proto__` cannot be a key');
    if (key.length > maxKeyLength) throw new TypeError('a key this long cannot be stored');
    if (item !== undefined) map[key] = toStored(item, depth + 1);
  }
  return map;
}

/** True when both are read back as the same value; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b))
    return false;
  if (Array.isArray(a))
    return a.length === (b as unknown[]).length && a.every((item, index) => isSame(item, (b as unknown[])[index]));
  const keys = Object.keys(a);
  const other = b as Record<string, unknown>;
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], other[key]))
  );
}

/** What follows `key:` or `-`: a head on the same line ('' for none) and further lines, indented. */
interface Printed {
  readonly head: string;
  readonly rest: readonly string[];
}

/** YAML 1.2.2, 7.4.2: a key that ends further behind its beginning has to be introduced by `? `. */
const maxImplicitKey = 1024;

/** Lines of `key: value`, without line ends, the key in column `column` (from 0). */
export function printPair(key: string, value: unknown, column = 0): string[] {
  const { head, rest } = printValue(value, column);
  const name = printText(key);
  const [above, before] = name.length < maxImplicitKey ? [[], name] : [[`${pad(column)}? ${name}`], ''];
  return [...above, `${pad(column)}${before}:${head === '' ? '' : ` ${head}`}`, ...rest];
}

/** Lines of a map's pairs; none for an empty map. Undefined values are left out. */
export function printMap(map: Readonly<Record<string, unknown>>, column = 0): string[] {
  return Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : printPair(key, value, column)));
}

/** Lines of a list's items, their dashes in column `column`. */
export function printItems(items: readonly unknown[], column: number): string[] {
  return items.flatMap((item) => {
    const nested = isFilled(item);
    if (!nested) {
      const { head, rest } = printValue(item, column);
      return [`${pad(column)}-${head === '' ? '' : ` ${head}`}`, ...rest];
    }
    const [first = '', ...others] = Array.isArray(item) ? printItems(item, column + 2) : printMap(item, column + 2);
    return [`${pad(column)}- ${first.slice(column + 2)}`, ...others];
  });
}

/** The value of a key or dash that stands in column `column`. */
export function printValue(value: unknown, column: number): Printed {
  if (value instanceof PlainText) return { head: isDateLike(value.text) ? value.text : printText(value.text), rest: [] };
  if (typeof value === 'string') return printString(value, column);
  if (typeof value === 'number' || typeof value === 'bigint') return { head: String(toStored(value)), rest: [] };
  if (typeof value === 'boolean') return { head: String(value), rest: [] };
  if (value === null || value === undefined) return { head: '', rest: [] };
  if (Array.isArray(value))
    return value.length === 0 ? { head: '[]', rest: [] } : { head: '', rest: printItems(value, column + 2) };
  const rest = printMap(value as Record<string, unknown>, column + 2);
  return rest.length === 0 ? { head: '{}', rest } : { head: '', rest };
}

/** Text on one line: plain, in single or in double quotes. */
function printText(text: string): string {
  if (isPlainSafe(text)) return text;
  if (unprintable.test(text)) return printEscaped(text);
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') || text.includes('\\') ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

// Everything that is not printable in YAML, line breaks, tabs, the byte order mark, and surrogates without their other half.
const unprintable = /[^\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
const unprintableInBlock = /[^\n\t\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
/** Words and number-like texts that YAML 1.1 or 1.2 readers turn into something else. */
const word = /^(?:~|null|y|n|yes|no|on|off|true|false|=|<<|[-+]?\.(?:inf|nan))$/i;
const numeric = /^[-+.]?[0-9][-+0-9a-fA-F_.:,xXoOtTzZ ]*$/;

function isPlainSafe(text: string): boolean {
  if (text === '' || unprintable.test(text) || /^[\s\-?:,[\]{}#&*!|>'"%@`]|^\.\.\.|: | #|[\s:]$/.test(text)) return false;
  return !word.test(text) && !numeric.test(text);
}

function isDateLike(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/.test(text);
}

function printString(text: string, column: number): Printed {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 10) end--;
  const body = text.slice(0, end);
  const isBlock = body.includes('\n') || (text.endsWith('\n') && body !== '');
  if (!isBlock || unprintableInBlock.test(text) || /^[ \t]+$/m.test(text) || /^[\t]/.test(text))
    return { head: printText(text), rest: [] };
  const breaks = text.length - body.length;
  const chomp = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  // The reader takes the indentation from the first line; where that begins with blanks, it has to be told.
  const indent = text[0] === ' ' || text[0] === '\n' ? '2' : '';
  const lines = (breaks > 0 ? text.slice(0, -1) : text).split('\n');
  return { head: `|${indent}${chomp}`, rest: lines.map((line) => (line === '' ? '' : pad(column + 2) + line)) };
}

/** JSON's escapes are YAML's; what JSON leaves as it is and YAML cannot hold is escaped here. */
function printEscaped(text: string): string {
  return JSON.stringify(text).replace(new RegExp(unprintable.source, 'gu'), (character) => {
    return Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join('');
  });
}

function isFilled(value: unknown): value is Record<string, unknown> | unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof PlainText) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((item) => item !== undefined);
}

function isMapLike(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === null || prototype === Object.prototype;
}

function pad(columns: number): string {
  return ' '.repeat(columns);
}
