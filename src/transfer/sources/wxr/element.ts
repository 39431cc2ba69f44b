/**
 * Getting at what an element holds.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Place, ImportRemark } from '../../import/items.ts';
import { maxId } from '../../../kernel/model/ids.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import { isInternalMeta } from './names.ts';
import { readMetaValue } from './php-values.ts';
import type { Element } from './tree.ts';

/** Text of the first child with a name; '' when there is none. */
export function textOf(element: Element, name: string): string {
  return element.children.find((child) => child.name === name)?.text ?? '';
}

/** The same without white space around it, for everything that is no text of the author. */
export function wordOf(element: Element, name: string): string {
  return textOf(element, name).trim();
}

/** A whole number above 0 in a child; undefined for anything else. */
export function idOf(element: Element, name: string): number | undefined {
  return toId(wordOf(element, name));
}

/** The same; what is there and is no such number is remarked. */
export function requiredIdOf(element: Element, name: string, remarks: ImportRemark[]): number | undefined {
  const text = wordOf(element, name);
  const id = toId(text);
  if (text !== '' && id === undefined) {
    const message = `invalid id ${JSON.stringify(text.slice(0, 40))} (ids range from 1 to ${maxId}); it was assigned another one`;
    remarks.push({ severity: 'changed', rule: 'unusable-id', message });
  }
  return id;
}

export function toId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

export function all(element: Element, name: string): readonly Element[] {
  return element.children.filter((child) => child.name === name);
}

export function placeOf(element: Element, source: string): Place {
  return { source, line: element.line, column: element.column };
}

/** `2026-03-05 10:00:00` as `2026-03-05T10:00:00`; '' for zeros and what is no date (which is remarked). */
export function dateOf(element: Element, name: string, remarks: ImportRemark[]): string {
  const text = wordOf(element, name);
  if (text === '' || text.startsWith('0000-')) return '';
  const date = text.replace(' ', 'T');
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) && new Date(`${date}Z`).toJSON()?.startsWith(date)) return date;
  remarks.push({ severity: 'changed', rule: 'unreadable-date', message: `invalid date in ${name}: "${text.slice(0, 40)}"` });
  return '';
}

/** Plain text of a name that is stored as markup, where that leads back to it. */
export function plainName(name: string): string {
  const plain = name.replace(/&(amp|lt|gt|quot|#0?39);/g, (entity) => characters[entity.replace('#0', '#')] ?? entity);
  return escapeName(plain) === escapeName(name) || /&(?:quot|#0?39);/.test(name) ? plain : name;
}

const characters: Readonly<Record<string, string>> = table({
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
});

/** Values as stored, by key. */
export type RawMeta = ReadonlyMap<string, readonly string[]>;

/** The meta rows of an element: `wp:postmeta`, `wp:termmeta`, `wp:commentmeta`. */
export function rawMeta(element: Element, name: string): RawMeta {
  const rows = new Map<string, string[]>();
  for (const row of all(element, name)) {
    const key = wordOf(row, 'wp:meta_key');
    const value = textOf(row, 'wp:meta_value');
    const known = rows.get(key);
    if (known) known.push(value);
    else rows.set(key, [value]);
  }
  return rows;
}

/** The custom fields among the meta, under neutral names, with structures unfolded. Undefined: none. */
export function metaOf(raw: RawMeta, remarks: ImportRemark[]): Readonly<Record<string, unknown>> | undefined {
  const meta: [string, unknown][] = [];
  for (const [key, texts] of raw) {
    if (key === '' || isInternalMeta(key)) continue;
    if (key === '__proto__') {
      remarks.push({ severity: 'lost', rule: 'meta-name', message: 'a custom field cannot be named __proto__' });
      continue;
    }
    const values = texts.map((text) => metaValue(key, text, remarks));
    if (values.length > 1)
      remarks.push({
        severity: 'changed',
        rule: 'meta-list',
        message: `${values.length} values of the custom field ${key} became one list`,
      });
    meta.push([original.readWord(key), values.length > 1 ? values : values[0]]);
  }
  return meta.length === 0 ? undefined : Object.fromEntries(meta);
}

function metaValue(key: string, text: string, remarks: ImportRemark[]): unknown {
  const { value, kept } = readMetaValue(text);
  if (kept === 'object')
    remarks.push({
      severity: 'note',
      rule: 'meta-object',
      message: `the custom field ${key} holds a serialized object, which is kept as text`,
    });
  if (kept === 'damaged')
    remarks.push({
      severity: 'note',
      rule: 'meta-damaged',
      message: `the serialized value of the custom field ${key} is damaged and kept as text`,
    });
  return value;
}
