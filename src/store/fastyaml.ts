/**
 * The usual front matter in a few microseconds: `key: text`, `key: 'text'`, `key: [a, b]` and lists of `- item` lines.
 *
 * At the slightest doubt it gives up (undefined) and the full parser reads the text, so that both always agree; a property
 * test over generated and damaged documents holds it to that.
 */

import { toScalar, type YamlMap } from './yaml.ts';

/** Tabs, lone carriage returns, control characters, exotic spaces, byte order marks: left to the full parser. */
const unusual = /[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/;
const keyLine = /^([A-Za-z_][A-Za-z0-9_-]{0,80}):(?: +|$)/;
const plainStart = /^[A-Za-z0-9\xa1-\ud7ff\ud800-\udfff\uf900-\ufefe(/.+$^~<=;_]/;
const flowItem = /^[A-Za-z0-9\xa1-\ud7ff_/.](?:[A-Za-z0-9\xa1-\ud7ff_/. +-]*[A-Za-z0-9\xa1-\ud7ff_/.+-])?$/;
const quotedFlowItem = /^(?:"[^"\\,[\]{}]*"|'[^',[\]{}]*')$/;

/** The map, or undefined when the text is not one of the plain cases. */
export function parseFlatYaml(source: string): YamlMap | undefined {
  const text = source.includes('\r') ? source.replaceAll('\r\n', '\n') : source;
  if (unusual.test(text)) return undefined;
  const data: YamlMap = {};
  /** The key whose value is empty so far and may turn out a list. */
  let pending: string | undefined;
  let list: unknown[] | undefined;
  let dashColumn = -1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (end === start) continue;
    const first = text.charCodeAt(start);
    if (first === 35) continue;
    if (first === 32 || first === 45) {
      let dash = start;
      while (text.charCodeAt(dash) === 32) dash++;
      if (dash === end) continue;
      if (pending === undefined || text.charCodeAt(dash) !== 45 || text.charCodeAt(dash + 1) !== 32) return undefined;
      if (list === undefined) {
        data[pending] = list = [];
        dashColumn = dash - start;
      }
      if (dash - start !== dashColumn) return undefined;
      const item = readValue(text.slice(dash + 2, end).trim());
      if (item === undefined || Array.isArray(item) || item === null) return undefined;
      list.push(item);
      continue;
    }
    const line = text.slice(start, end);
    const match = keyLine.exec(line);
    if (match === null) return undefined;
    const key = match[1] as string;
    if (key === '__proto__' || Object.hasOwn(data, key)) return undefined;
    const value = readValue(line.slice(match[0].length).trimEnd());
    if (value === undefined) return undefined;
    data[key] = value;
    pending = value === null ? key : undefined;
    list = undefined;
  }
  return data;
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
  if (written.length < 2 || !written.endsWith(quote) || inner.includes(quote) || inner.includes('\\')) return undefined;
  return inner;
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
