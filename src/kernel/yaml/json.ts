/**
 * JSON as front matter: read into the values that YAML gives, and edited in place, member by member.
 */
import { withoutTrailing } from '../model/text-ends.ts';
import { neighbours } from './ranges.ts';
import { YamlFault, type YamlMap } from './parse.ts';
import { isSame, toStored } from './print.ts';

type Values = Readonly<Record<string, unknown>>;

const maxDepth = 60;

/** The values of an object. @throws YamlFault with the offset of what is not JSON */
export function parseJson(source: string): YamlMap {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    const at = faultOf(source);
    const isEnd = at >= source.trimEnd().length;
    const what = isEnd ? 'it ends too early.' : `${JSON.stringify([...source.slice(at, at + 4)][0])} is not expected here.`;
    const hint = isEnd
      ? 'Add the closing quotation mark or bracket.'
      : 'Keys and text stand in double quotes, with commas between them.';
    throw new YamlFault('json-syntax', at, `Not JSON: ${what}`, hint);
  }
  if (typeof value !== 'object' || value === null)
    throw new YamlFault('json-syntax', 0, 'Not JSON: it is no object.', 'Write {"key": value}.');
  return evenMap(Array.isArray(value) ? { list: value } : (value as Values));
}

/** Values as YAML gives them: fractions, large numbers and dates are text. @throws YamlFault */
export function evenMap(value: Values, depth = 0): YamlMap {
  if (Object.hasOwn(value, '__proto__')) throw new YamlFault('yaml-key', 0, '`__proto__` cannot be a key.');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, even(item, depth + 1)]));
}

function even(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new YamlFault('yaml-depth', 0, 'Nested too deeply.');
  if (value instanceof Date) return value.toISOString().replace(/\.0+(?=$|[Z+-])/, '');
  if (Array.isArray(value)) return value.map((item) => even(item, depth + 1));
  if (typeof value === 'object' && value !== null) return evenMap(value as Values, depth);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value);
  return typeof value === 'bigint' ? String(value) : (value ?? null);
}

/** Behind the object that begins at `start`; -1 when it is not closed before `limit`. */
export function objectEnd(text: string, start: number, limit: number): number {
  let depth = 0;
  let inText = false;
  for (let at = start; at < Math.min(text.length, limit); at++) {
    const sign = text.charCodeAt(at);
    if (inText) {
      if (sign === 92) at++;
      else if (sign === 34) inText = false;
    } else if (sign === 34) inText = true;
    else if (sign === 123 || sign === 91) depth++;
    else if ((sign === 125 || sign === 93) && --depth === 0) return at + 1;
  }
  return -1;
}

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

const gap = /[ \t\r\n]*/y;
const token = /"(?:[^"\\]|\\.)*"|[^\s,{}[\]":]+/y;

/** Members of the object, in a text that has been read. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = past(gap, text, past(gap, text, 0) + 1);
  while (text[at] === '"') {
    const start = at;
    const keyEnd = past(token, text, at);
    const value = past(gap, text, past(gap, text, keyEnd) + 1);
    const end = /[{[]/.test(text[value] ?? '') ? objectEnd(text, value, text.length) : past(token, text, value);
    members.push({ key: JSON.parse(text.slice(start, keyEnd)) as string, start, value, end });
    at = past(gap, text, end);
    if (text[at] === ',') at = past(gap, text, at + 1);
  }
  return members;
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** As `editYaml`, for an object: changed members are printed again, the others stay byte for byte. */
export function editJson(text: string, changes: Values, order: readonly string[], eol: string): string {
  const current = parseJson(text);
  const wanted: YamlMap = { ...current };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete wanted[key];
    else wanted[key] = toStored(value);
  }
  if (isSame(current, wanted)) return text;
  const [first] = membersOf(text);
  const inside = first === undefined ? '' : text.slice(text.indexOf('{') + 1, first.start);
  const own = /\n([ \t]*)$/.exec(inside)?.[1];
  const indent = own ?? '  ';
  const print = (value: unknown): string =>
    own === undefined && first !== undefined
      ? JSON.stringify(value)
      : JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${indent}`);
  const separator = own === undefined && first !== undefined ? ', ' : `,${eol}${indent}`;
  let edited = text;
  for (const key of Object.keys(changes)) {
    if (isSame(current[key], wanted[key])) continue;
    const isGone = wanted[key] === undefined;
    const members = membersOf(edited);
    const at = members.findLastIndex((member) => member.key === key);
    const member = members[at];
    if (isGone && member !== undefined) edited = withoutMember(edited, members, at);
    else if (member === undefined && !isGone)
      edited = withMember(edited, members, key, `${JSON.stringify(key)}: ${print(wanted[key])}`, order, separator);
    else if (member !== undefined) edited = edited.slice(0, member.value) + print(wanted[key]) + edited.slice(member.end);
  }
  return holds(edited, wanted) ? edited : JSON.stringify(wanted, null, indent).replaceAll('\n', eol);
}

function withMember(
  text: string,
  members: readonly Member[],
  key: string,
  line: string,
  order: readonly string[],
  separator: string,
): string {
  const named = (name: string): Member | undefined => members.find((member) => member.key === name);
  const { before, after } = neighbours(key, order, (name) => named(name) !== undefined);
  const last = members.at(-1);
  if (last === undefined) return `{${separator.slice(1)}${line}${withoutTrailing(separator.slice(1), ' \t')}}`;
  if (before === undefined && after !== undefined) {
    const { start } = named(after) as Member;
    return text.slice(0, start) + line + separator + text.slice(start);
  }
  const { end } = before === undefined ? last : (named(before) as Member);
  return text.slice(0, end) + separator + line + text.slice(end);
}

function withoutMember(text: string, members: readonly Member[], at: number): string {
  const { start, end } = members[at] as Member;
  const next = members[at + 1];
  if (next !== undefined) return text.slice(0, start) + text.slice(next.start);
  const previous = members[at - 1];
  return previous === undefined ? '{}' : text.slice(0, previous.end) + text.slice(end);
}

function holds(text: string, wanted: YamlMap): boolean {
  try {
    return isSame(parseJson(text), wanted);
  } catch {
    return false;
  }
}

const word = '(?:-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)(?![\\w.])';
const jsonToken = new RegExp(`[ \\t\\r\\n]*(?:([{}[\\],:])|("(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*")|${word})`, 'y');

/** Where a text stops being JSON: the parser does not always say. */
function faultOf(source: string): number {
  const open: string[] = [];
  let wanted = 'value';
  for (let at = 0; ; at = jsonToken.lastIndex) {
    jsonToken.lastIndex = at;
    const found = jsonToken.exec(source);
    const from = past(gap, source, at);
    if (!found) return from;
    const [, sign, text] = found;
    const top = open.at(-1);
    const isClosing = sign === '}' || sign === ']';
    if (isClosing) {
      if ((sign === '}') !== (top === '{') || top === undefined || (wanted !== 'comma' && wanted !== 'first')) return from;
      open.pop();
      wanted = 'comma';
    } else if (sign === ',' || sign === ':') {
      if (wanted !== (sign === ',' ? 'comma' : 'colon') || top === undefined) return from;
      wanted = sign === ':' || top === '[' ? 'value' : 'key';
    } else if (top === '{' && (wanted === 'first' || wanted === 'key')) {
      if (text === undefined) return from;
      wanted = 'colon';
    } else if (wanted === 'comma' || wanted === 'colon') return from;
    else if (sign === undefined) wanted = 'comma';
    else {
      open.push(sign);
      wanted = 'first';
    }
  }
}
