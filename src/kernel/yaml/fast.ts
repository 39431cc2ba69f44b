/**
 * The usual front matter in a few microseconds: `key: text`, `key: 'text'`, `key: [a, b]` and lists of `- item` lines; and maps
 * and lists inside one another, as menus have them.
 *
 * At the slightest doubt it gives up (undefined) and the full parser reads the text, so that both always agree; a property
 * test over generated and damaged documents holds it to that.
 */

import { toScalar, type YamlMap } from './parse.ts';

/** Tabs, lone carriage returns, control characters, exotic spaces, byte order marks: left to the full parser. */
const unusual = /[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/;
const keyLine = /^([A-Za-z_][A-Za-z0-9_-]{0,80}):(?: +|$)/;
const plainStart = /^[A-Za-z0-9\xa1-\ud7ff\ud800-\udfff\uf900-\ufefe(/.+$^~<=;_]/;
const flowItem = /^[A-Za-z0-9\xa1-\ud7ff_/.](?:[A-Za-z0-9\xa1-\ud7ff_/. +-]*[A-Za-z0-9\xa1-\ud7ff_/.+-])?$/;
const quotedFlowItem = /^(?:"[^"\\,[\]{}]*"|'[^',[\]{}]*')$/;
/** The full parser goes deeper, but not without end. */
const maxNesting = 100;

/** The map, or undefined when the text is not one of the plain cases. */
export function parseFlatYaml(source: string): YamlMap | undefined {
  const text = source.includes('\r') ? source.replaceAll('\r\n', '\n') : source;
  if (unusual.test(text)) return undefined;
  /** Of the present line: where it begins, its first sign that is no space, its end. */
  let start = 0;
  let first = 0;
  let end = -1;
  advance();
  const data = readMap(0, 0);
  return start < text.length ? undefined : data;

  /** To the next line that is neither blank nor a comment. */
  function advance(): void {
    let at = end;
    let sign = 0;
    do {
      start = ++at;
      sign = text.charCodeAt(at);
      while (sign === 32) sign = text.charCodeAt(++at);
      first = at;
      if (sign === 35) at = endOf(at);
    } while (sign === 10 || sign === 35);
    end = endOf(at);
  }

  function endOf(at: number): number {
    const found = text.indexOf('\n', at);
    return found === -1 ? text.length : found;
  }

  /** Of the present line; -1 behind the last. */
  function column(): number {
    return start < text.length ? first - start : -1;
  }

  function isDash(): boolean {
    return text.charCodeAt(first) === 45 && text.charCodeAt(first + 1) === 32;
  }

  function readMap(own: number, depth: number): YamlMap | undefined {
    if (depth > maxNesting) return undefined;
    const map: YamlMap = {};
    while (column() === own && !isDash()) {
      const line = text.slice(first, end);
      const match = keyLine.exec(line);
      if (match === null) return undefined;
      const key = match[1] as string;
      if (key === '__proto__' || Object.hasOwn(map, key)) return undefined;
      let value = readValue(line.slice(match[0].length).trimEnd());
      advance();
      const below = column();
      if (value === null && isDash() && below >= own) value = readList(below, depth + 1);
      else if (value === null && below > own) value = readMap(below, depth + 1);
      if (value === undefined) return undefined;
      map[key] = value;
    }
    return column() > own ? undefined : map;
  }

  function readList(own: number, depth: number): unknown[] | undefined {
    const list: unknown[] = [];
    while (column() === own && isDash()) {
      first += 2;
      while (text.charCodeAt(first) === 32) first++;
      const written = text.slice(first, end).trimEnd();
      const item = written.includes(':') && keyLine.test(written) ? readMap(first - start, depth + 1) : readValue(written);
      if (item === undefined || item === null || Array.isArray(item)) return undefined;
      if (typeof item !== 'object') advance();
      list.push(item);
    }
    return column() > own ? undefined : list;
  }
}

/** The value written on one line; undefined when in doubt. */
function readValue(written: string): unknown {
  if (written === '') return null;
  const first = written.charCodeAt(0);
  if (first === 39 || first === 34) return readQuoted(written, first === 39 ? "'" : '"');
  if (first === 91) return readFlowList(written);
  const comment = written.indexOf(' #');
  const text = comment === -1 ? written : written.slice(0, comment).trimEnd();
  if (first === 45) return /^-[0-9]+$/.test(text) ? toScalar(text) : undefined;
  if (!plainStart.test(text) || text.endsWith(':') || text.includes(': ') || text.startsWith('...')) return undefined;
  return toScalar(text);
}

function readQuoted(written: string, quote: string): string | undefined {
  const inner = written.slice(1, -1);
  // Of single quotes two stand for one.
  const bare = quote === "'" ? inner.replaceAll("''", '') : inner;
  if (written.length < 2 || !written.endsWith(quote) || bare.includes(quote)) return undefined;
  return quote === "'" ? inner.replaceAll("''", "'") : inner.includes('\\') ? undefined : inner;
}

function readFlowList(written: string): unknown[] | undefined {
  if (!written.endsWith(']')) return undefined;
  const inner = written.slice(1, -1).trim();
  if (inner === '') return [];
  const items: unknown[] = [];
  for (const part of inner.split(',')) {
    const item = part.trim();
    if (flowItem.test(item)) items.push(toScalar(item));
    else if (quotedFlowItem.test(item)) items.push(item.slice(1, -1));
    else return undefined;
  }
  return items;
}
