/**
 * What clients send to routes that declare nothing, and get: query, form and JSON are read as they come; some answers tell their outcome
 * themselves, because clients look at `success` and not at the status.
 */
import { isId } from '../../../kernel/model/ids.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';

/** Everything sent, under neutral names; lists and maps too. */
export function sentWith({ request }: Pick<Call, 'request'>): Params {
  const { dialect, query, form, json, method } = request;
  return dialect.readNames(mergeParams(query, method === 'GET' ? null : form, json));
}

/** A whole number, or a text that is one; null for anything else. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** Ids of a list, or of one that was sent alone; what is none is left out. Null: nothing was sent. */
export function idList(value: unknown): readonly number[] | null {
  if (value === undefined || value === null || value === '') return null;
  const list = Array.isArray(value) ? value : typeof value === 'object' ? Object.values(value as object) : [value];
  const ids = list.flatMap((one: unknown) => wholeNumber(one) ?? []).filter(isId);
  return [...new Set(ids)];
}

/** A text; '' for what is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function succeeded(data: unknown): { readonly success: true; readonly data: unknown } {
  return { success: true, data };
}

export function refused(mess: string, status = 200): Answer {
  return answer({ success: false, data: { mess } }, { status });
}

/** An answer of what is no record: the state of a person, or a key that opens it. */
export function unkept(data: unknown): Answer {
  return answer(data, { headers: { 'Cache-Control': 'no-store' } });
}
