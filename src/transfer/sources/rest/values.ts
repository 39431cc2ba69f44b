/**
 * Reading answers that may hold anything: a value of the wrong kind is as good as none.
 */
import { decodeEntities } from '../../../render/text.ts';
import type { Row } from './collection.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import type { ImportRemark } from '../../import/items.ts';

export function text(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}

/** A whole number above 0. */
export function id(row: Row, name = 'id'): number | undefined {
  const value = row[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** An id as the key of something else. */
export function keyOf(row: Row, name: string): string | undefined {
  const found = id(row, name);
  return found === undefined ? undefined : String(found);
}

/** Fields that are not of the type that the interface gives them, as far as they say anything. */
export function oddFields(row: Row): readonly ImportRemark[] {
  return Object.entries(row).flatMap(([name, value]): ImportRemark[] => {
    const isFit = shapes[name];
    if (isFit === undefined || isFit(value) || value === null || value === undefined || value === '' || value === false)
      return [];
    const message = `invalid ${name}: ${JSON.stringify(value).slice(0, 60)}`;
    return [{ severity: 'lost', rule: 'wrong-type', message, unreadable: true }];
  });
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isShown = (value: unknown): boolean => isText(value) || ['raw', 'rendered'].some((part) => isText(mapOf(value)[part]));
const isNumber = (value: unknown): boolean => typeof value === 'number';
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = table({
  title: isShown,
  content: isShown,
  excerpt: isShown,
  guid: isShown,
  caption: isShown,
  description: isShown,
  slug: isText,
  status: isText,
  date: isText,
  date_gmt: isText,
  name: isText,
  author: isNumber,
  parent: isNumber,
  featured_media: isNumber,
});

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function texts(value: unknown): readonly string[] {
  return list(value).filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The stored form of a field that has one and a rendered one; undefined where only the latter is shown. */
export function raw(row: Row, name: string): string | undefined {
  const value = row[name];
  if (typeof value === 'string') return value;
  const { raw: stored } = mapOf(value);
  return typeof stored === 'string' ? stored : undefined;
}

export function rendered(row: Row, name: string): string {
  return text(mapOf(row[name]), 'rendered');
}

/** `2026-03-05T10:00:00`, also of a moment in GMT with a zone; undefined where there is none. */
export function moment(row: Row, name: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(text(row, name))?.[0];
}

/** Rendered text as it is typed: characters for entities, except those that would become markup. */
export function typed(html: string): string {
  return decodeEntities(html.replace(/&(?=(?:lt|gt|#0*6[02]|#x0*3[ce]);)/gi, '&amp;'));
}
