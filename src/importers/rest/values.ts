/**
 * Reading answers that may hold anything: a value of the wrong kind is as good as none.
 */
import { decodeEntities } from '../../domain/render/text.ts';
import type { Row } from './collection.ts';
import { mapOf } from '../../model/maps.ts';

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
