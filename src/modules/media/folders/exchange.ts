/**
 * Requests and responses of routes without declared arguments: query, form and JSON are read as sent; some responses contain `success`, because
 * clients ignore the status.
 */
import { isId } from '../../../kernel/model/ids.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';

/** Everything sent, under neutral names, including lists and maps. */
export function sentWith({ request }: Pick<Call, 'request'>): Params {
  const { dialect, query, form, json, method } = request;
  return dialect.readNames(mergeParams(query, method === 'GET' ? null : form, json));
}

/** An integer, or a string with one; otherwise null. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** Ids of a list, or a single one; invalid ones are dropped. Null if nothing was sent. */
export function idList(value: unknown): readonly number[] | null {
  if (value === undefined || value === null || value === '') return null;
  const list = Array.isArray(value) ? value : typeof value === 'object' ? Object.values(value as object) : [value];
  const ids = list.flatMap((one: unknown) => wholeNumber(one) ?? []).filter(isId);
  return [...new Set(ids)];
}

/** A string; '' if it is not one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function succeeded(data: unknown): { readonly success: true; readonly data: unknown } {
  return { success: true, data };
}

export function refused(mess: string, status = 200): Answer {
  return answer({ success: false, data: { mess } }, { status });
}

/** A response that must not be cached: user state, or a key. */
export function unkept(data: unknown): Answer {
  return answer(data, { headers: { 'Cache-Control': 'no-store' } });
}
