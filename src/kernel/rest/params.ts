/**
 * Parameters in text: query strings and form bodies, read and written the way PHP does.
 *
 * `a[]=1&a[]=2` is a list, `a[b][c]=d` nests, a repeated plain name keeps the last value, `+` is a space, and dots and
 * spaces in a name become `_`. Names that could reach a prototype are dropped wherever they stand.
 */
import type { Params } from './request.ts';

/** Nesting levels and number of values that are read; the rest is ignored. Source: PHP's defaults. */
const MAX_DEPTH = 64;
const MAX_VALUES = 1000;

/** Collects named values, of a query string or of the fields of a form. */
interface ParamsBuilder {
  add(name: string, value: string): void;
  /** Numeric keys that form 0…n-1 become a list, in the order they came. */
  build(): Record<string, unknown>;
}

/** Reads a query string without its `?`, or a form-urlencoded body. Never throws. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return Object.create(null) as Record<string, unknown>;
  const builder = createParamsBuilder();
  for (const pair of text.split('&', MAX_VALUES * 2)) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    builder.add(decode(mark < 0 ? pair : pair.slice(0, mark)), mark < 0 ? '' : decode(pair.slice(mark + 1)));
  }
  return builder.build();
}

export function createParamsBuilder(): ParamsBuilder {
  const root = createBranch();
  let count = 0;
  return {
    add(name, value) {
      if (count >= MAX_VALUES) return;
      if (/^[\w-]+$/.test(name)) {
        if (isUnsafeKey(name)) return;
        count++;
        root.values.set(name, value);
        return;
      }
      const path = parseName(name);
      if (!path) return;
      count++;
      let branch = root;
      for (const [level, key] of path.entries()) {
        const step = key ?? String(branch.next);
        if (isIndex(step)) branch.next = Math.max(branch.next, Number(step) + 1);
        const known = branch.values.get(step);
        const child = level === path.length - 1 ? value : typeof known === 'object' ? known : createBranch();
        branch.values.set(step, child);
        if (typeof child === 'object') branch = child;
      }
    },
    build: () => toObject(root),
  };
}

/**
 * Writes parameters as a query string without `?`, as the reference does in `Link` headers: brackets encoded,
 * spaces as `+`, no `=` behind an empty value, true as 1, false as nothing, null left out.
 */
export function printQuery(params: Params): string {
  const pairs: string[] = [];
  const walk = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(`${name}%5B${encode(key)}%5D`, inner);
    } else {
      const text = typeof value === 'boolean' ? (value ? '1' : '') : String(value);
      pairs.push(text === '' ? name : `${name}=${encode(text)}`);
    }
  };
  for (const [name, value] of Object.entries(params)) walk(encode(name), value);
  return pairs.join('&');
}

/** Joins sources, the weakest first. A null does not hide a value of a weaker source. */
export function mergeParams(...sources: readonly (Params | null | undefined)[]): Record<string, unknown> {
  const merged = Object.create(null) as Record<string, unknown>;
  for (const source of sources) {
    for (const name in source) {
      if (isUnsafeKey(name) || !Object.hasOwn(source, name)) continue;
      if (source[name] !== null || !(name in merged)) merged[name] = source[name];
    }
  }
  return merged;
}

/** Keys that reach a prototype when assigned or merged: never taken from a client. */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

interface Branch {
  readonly values: Map<string, string | Branch>;
  /** Index for `[]`. */
  next: number;
}

const createBranch = (): Branch => ({ values: new Map(), next: 0 });

/** `a[b][]` → ['a', 'b', null]; null for a name that is empty, too deep or unsafe. */
function parseName(name: string): (string | null)[] | null {
  let text = name.replace(/^ +/, '');
  let open = text.indexOf('[');
  if (open >= 0 && !text.includes(']', open)) {
    // A bracket that never closes is part of the name.
    text = `${text.slice(0, open)}_${text.slice(open + 1)}`;
    open = -1;
  }
  const base = (open < 0 ? text : text.slice(0, open)).replace(/[ .]/g, '_');
  if (base === '' || isUnsafeKey(base)) return null;
  const path: (string | null)[] = [base];
  while (open >= 0 && text[open] === '[') {
    const close = text.indexOf(']', open);
    if (close < 0) break;
    const key = text.slice(open + 1, close);
    if (isUnsafeKey(key) || path.length > MAX_DEPTH) return null;
    path.push(key.trim() === '' ? null : key);
    open = close + 1;
  }
  return path;
}

const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,14})$/.test(key);

/** Without a prototype: a member is what was sent, or nothing. */
function toObject(branch: Branch): Record<string, unknown> {
  const out = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of branch.values) out[key] = toValue(value);
  return out;
}

/** A list keeps the order its values came in; an object would sort its numeric keys. */
function toValue(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const { values } = value;
  const isList = [...values.keys()].every((key) => isIndex(key) && Number(key) < values.size);
  return isList ? Array.from(values.values(), toValue) : toObject(value);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeBroken(spaced);
  }
}

/** Invalid escapes stay as they are, invalid UTF-8 becomes U+FFFD. Cost: linear. */
function decodeBroken(text: string): string {
  const bytes = Buffer.from(text);
  let end = 0;
  for (let at = 0; at < bytes.length; at++, end++) {
    const byte = bytes[at] as number;
    const escaped = byte === PERCENT ? digitAt(bytes, at + 1) * 16 + digitAt(bytes, at + 2) : Number.NaN;
    bytes[end] = Number.isNaN(escaped) ? byte : escaped;
    if (!Number.isNaN(escaped)) at += 2;
  }
  return bytes.toString('utf8', 0, end);
}

const PERCENT = 0x25;

/** Value of a hexadecimal digit; NaN for anything else. */
function digitAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}

function encode(text: string): string {
  if (/^[\w.-]*$/.test(text)) return text;
  // A lone surrogate has no encoding of its own.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'))
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
