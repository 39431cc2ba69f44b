/**
 * TOML as front matter: read into the values that YAML gives, and edited in place, statement by statement.
 */
import { createRequire } from 'node:module';
import { PlainText } from '../model/plain.ts';
import { toldOfToml } from './faults.ts';
import { evenMap } from './json.ts';
import { afterLine, endOfLine, neighbours } from './ranges.ts';
import { YamlFault, type YamlMap } from './parse.ts';
import { isSame, toStored } from './print.ts';

type Values = Readonly<Record<string, unknown>>;

/** Loaded for the first front matter in TOML: most folders have none, and a start would wait for it. */
const smolToml = () => createRequire(import.meta.url)('smol-toml') as typeof import('smol-toml');

/** @throws YamlFault with the offset of what is not TOML */
export function parseToml(source: string): YamlMap {
  const { parse, TomlError } = smolToml();
  try {
    return evenMap(parse(source));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    let at = 0;
    for (let line = 1; line < error.line; line++) at = afterLine(source, at);
    const { message, hint } = toldOfToml(error.message.split('\n')[0] ?? '');
    throw new YamlFault('toml-syntax', at + error.column - 1, message, hint);
  }
}

/** What says something of one key at the top: `key = value`, `key.part = value`, or a table with all of its lines. */
interface Statement {
  readonly key: string;
  readonly kind: 'value' | 'part' | 'table';
  /** Of its first line, and behind its last. */
  readonly start: number;
  readonly end: number;
  /** Of the value, or of the lines of a table. */
  readonly value: number;
  readonly valueEnd: number;
}

const bareKey = /^[A-Za-z0-9_-]+$/;
const keyPart = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*/y;
const header = /^[ \t]*\[\[?/;

/** The statements of a text that has been read; values without their comments. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < text.length; ) {
    const line = text.slice(at, endOfLine(text, at));
    const opening = header.exec(line);
    if (/^[ \t]*(?:#|$)/.test(line)) {
      at = afterLine(text, at);
      continue;
    }
    const first = keyAt(text, at + (opening?.[0].length ?? 0));
    if (first === null) break;
    if (opening) {
      const value = afterLine(text, at);
      const end = nextHeader(text, value);
      const isWhole = opening[0].endsWith('[[') || text[first.end] !== ']';
      statements.push({ key: first.key, kind: isWhole ? 'part' : 'table', start: at, end, value, valueEnd: end });
      at = end;
      continue;
    }
    const isPart = text[first.end] === '.';
    const value = first.end + (/^[^=]*=[ \t]*/.exec(text.slice(first.end))?.[0].length ?? 0);
    const valueEnd = endOfValue(text, value);
    const end = afterLine(text, valueEnd);
    statements.push({ key: first.key, kind: isPart ? 'part' : 'value', start: at, end, value, valueEnd });
    at = end;
  }
  return statements;
}

function keyAt(text: string, at: number): { readonly key: string; readonly end: number } | null {
  keyPart.lastIndex = at;
  const found = keyPart.exec(text);
  if (found === null) return null;
  const [, quoted, literal, bare] = found;
  const key = quoted === undefined ? (literal ?? bare ?? '') : (JSON.parse(`"${quoted}"`) as string);
  return { key, end: keyPart.lastIndex };
}

/** Tables follow one another to the end; lists and long texts may hold lines that look like headers. */
function nextHeader(text: string, from: number): number {
  for (let at = from; at < text.length; ) {
    const line = text.slice(at, endOfLine(text, at));
    if (header.test(line)) return at;
    const sign = line.indexOf('=');
    at = afterLine(text, sign === -1 || /^[ \t]*#/.test(line) ? at : endOfValue(text, at + sign + 1));
  }
  return text.length;
}

const longText = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}/y;
const shortText = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let end = from;
  for (let at = from; at < text.length; ) {
    const sign = text[at] as string;
    const quoted = textAt(text, at);
    if (quoted > at) end = at = quoted;
    else if (sign === '#') at = endOfLine(text, at);
    else if (sign === '\n' && depth === 0) break;
    else {
      if (sign === '[' || sign === '{') depth++;
      else if (sign === ']' || sign === '}') depth--;
      at++;
      if (!/\s/.test(sign)) end = at;
    }
  }
  return end;
}

function textAt(text: string, at: number): number {
  for (const pattern of [longText, shortText]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return at;
}

/** As `editYaml`: the statements of the keys that change are printed anew, the others stay byte for byte. TOML has no null: such a key goes. */
export function editToml(text: string, changes: Values, order: readonly string[], eol: string): string {
  const current = parseToml(text);
  const wanted: YamlMap = { ...current };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === null) delete wanted[key];
    else wanted[key] = storable(toStored(value));
  }
  if (isSame(current, wanted)) return text;
  let edited = text;
  for (const [key, value] of Object.entries(changes)) {
    if (!isSame(current[key], wanted[key])) edited = editKey(edited, key, current[key], value ?? undefined, order, eol);
  }
  try {
    if (isSame(parseToml(edited), wanted)) return edited;
  } catch {
    // Printed as a whole.
  }
  return smolToml().stringify(wanted).replaceAll(/\r?\n/g, eol) + eol;
}

function editKey(text: string, key: string, before: unknown, value: unknown, order: readonly string[], eol: string): string {
  const all = statementsOf(text);
  const own = all.filter((one) => one.key === key);
  const [only] = own;
  if (only !== undefined && own.length === 1 && value !== undefined) {
    if (only.kind === 'value')
      return text.slice(0, only.value) + printLike(text.slice(only.value, only.valueEnd), value, eol) + text.slice(only.valueEnd);
    if (only.kind === 'table' && isMap(before) && isMap(value)) {
      const gone = Object.fromEntries(Object.keys(before).flatMap((name) => (name in value ? [] : [[name, undefined]])));
      const inner = editToml(text.slice(only.value, only.valueEnd), { ...gone, ...value }, [], eol);
      return text.slice(0, only.value) + inner + text.slice(only.valueEnd);
    }
  }
  let rest = text;
  for (const { start, end } of own.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
  if (value === undefined) return rest;
  const line = `${printKey(key)} = ${printToml(value)}${eol}`;
  const top = statementsOf(rest).filter(({ kind }) => kind === 'value');
  const { before: above, after: below } = neighbours(key, order, (name) => top.some((one) => one.key === name));
  const next = above === undefined ? top.find((one) => one.key === below)?.start : undefined;
  const at = next ?? (top.find((one) => one.key === above) ?? top.at(-1))?.end ?? firstStatement(rest);
  const lead = at > 0 && rest[at - 1] !== '\n' ? eol : '';
  return rest.slice(0, at) + lead + line + rest.slice(at);
}

/** Where the first key may stand: above every table. */
function firstStatement(text: string): number {
  return statementsOf(text)[0]?.start ?? text.length;
}

const bare = /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?|[+-]?\d+\.\d+)$/;

/** A new value in the style of the one it replaces: its quotes, its brackets over several lines. */
function printLike(old: string, value: unknown, eol: string): string {
  const text = value instanceof PlainText ? value.text : value;
  if (typeof text === 'string') {
    if (bare.test(old) && bare.test(text)) return text;
    if (/^'[^']/.test(old) && !/['\p{Cc}]/u.test(text)) return `'${text}'`;
    return quoted(text);
  }
  const indent = /\n([ \t]*)\S/.exec(old)?.[1];
  if (!Array.isArray(value) || value.length === 0 || indent === undefined || !old.startsWith('[')) return printToml(value);
  const isOpen = /,\s*\]$/.test(old) ? ',' : '';
  return `[${eol}${value.map((item) => indent + printToml(item)).join(`,${eol}`)}${isOpen}${eol}]`;
}

/** On one line. */
function printToml(value: unknown): string {
  if (value instanceof PlainText) return bare.test(value.text) ? value.text : quoted(value.text);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return `[${value
      .filter((item) => item !== null && item !== undefined)
      .map(printToml)
      .join(', ')}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  const parts = pairs.map(([key, item]) => `${printKey(key)} = ${printToml(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function printKey(key: string): string {
  return bareKey.test(key) ? key : quoted(key);
}

/** Without what TOML has no form for: nulls, lone surrogates. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(storable);
  if (!isMap(value)) return value;
  const pairs = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(pairs.map(([key, item]) => [key, storable(item)]));
}

/** Strings of JSON are strings of TOML, but for one sign. */
function quoted(text: string): string {
  return JSON.stringify(storable(text)).replaceAll('\u007f', '\\u007f');
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PlainText);
}

/** Finds where the value at a path of keys stands, or its key: as far as the text at the top tells. */
export function tomlPlaces(text: string): (keyPath: readonly (string | number)[], onKey?: boolean) => number {
  const statements = new Map(
    statementsOf(text)
      .reverse()
      .map((one) => [one.key, one]),
  );
  return (keyPath, onKey = false) => {
    const found = statements.get(String(keyPath[0]));
    if (found === undefined) return 0;
    return onKey || found.kind !== 'value' ? found.start : found.value;
  };
}
