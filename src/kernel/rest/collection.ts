/**
 * What every collection shares: the arguments of specification section 4.1 and the answer with totals and page links.
 */
import { fail } from '../errors.ts';
import type { Schema } from '../model/schema.ts';
import { paced } from '../scheduler.ts';
import { type Arg, type Args, bySchema } from './args.ts';
import { cleanText, coerceValue } from './coerce.ts';
import type { Item } from './item.ts';
import { printQuery } from './params.ts';
import { type Answer, answer, type Call } from './types.ts';

/** `context` of a resource that can be read in all three. */
export function contextArg(contexts: readonly string[] = ['view', 'embed', 'edit'], fallback: string | undefined = 'view'): Arg {
  return {
    description: 'Scope under which the request is made; determines fields present in response.',
    type: 'string',
    enum: contexts,
    validate: bySchema,
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

export const pageArg: Arg = {
  description: 'Current page of the collection.',
  type: 'integer',
  default: 1,
  minimum: 1,
  validate: bySchema,
};
export const perPageArg: Arg = {
  description: 'Maximum number of items to be returned in result set.',
  type: 'integer',
  default: 10,
  minimum: 1,
  maximum: 100,
  validate: bySchema,
};
export const searchArg: Arg = {
  description: 'Limit results to those matching a string.',
  type: 'string',
  validate: bySchema,
  coerce: (value, _request, param, arg) => cleanText(String(coerceValue(value, arg, param))),
};
export const excludeArg: Schema = idList('Ensure result set excludes specific IDs.');
export const includeArg: Schema = idList('Limit result set to specific IDs.');
export const offsetArg: Schema = { description: 'Offset the result set by a specific number of items.', type: 'integer' };
export const slugsArg: Schema = {
  description: 'Limit result set to items with one or more specific slugs.',
  type: 'array',
  items: { type: 'string' },
};

export function orderArg(fallback: 'asc' | 'desc'): Schema {
  return {
    description: 'Order sort attribute ascending or descending.',
    type: 'string',
    default: fallback,
    enum: ['asc', 'desc'],
  };
}

export function orderbyArg(fallback: string, keys: readonly string[]): Schema {
  return { description: 'Sort collection by item attribute.', type: 'string', default: fallback, enum: keys };
}

export function idList(description: string): Schema {
  return { description, type: 'array', items: { type: 'integer' }, default: [] };
}

export function dateArg(description: string): Schema {
  return { description, type: 'string', format: 'date-time' };
}

interface Shared {
  /** The direction and the key that hold when none is asked for. */
  readonly order: 'asc' | 'desc';
  readonly orderby: string;
  /** What it can be sorted by. */
  readonly keys: readonly string[];
  /** Arguments of a single collection, by their place in the catalogue. */
  readonly beforeIds?: Args;
  readonly afterIds?: Args;
}

/** The arguments of a collection that is paged, searched and sorted, in the order of the catalogue. */
export function collectionArgs({ order, orderby, keys, beforeIds, afterIds }: Shared): Args {
  return {
    context: contextArg(),
    page: pageArg,
    per_page: perPageArg,
    search: searchArg,
    ...beforeIds,
    exclude: excludeArg,
    include: includeArg,
    ...afterIds,
    offset: offsetArg,
    order: orderArg(order),
    orderby: orderbyArg(orderby, keys),
  };
}

export interface Paging {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
  /** Further ones of the answer. */
  readonly headers?: Answer['headers'];
}

/** `offset` wins over `page`. */
export function paging({ params }: Call): Paging {
  const perPage = params.per_page as number;
  const page = params.page as number;
  const { offset } = params as { offset?: number };
  // The sign of an offset is not looked at (observed).
  return { page, perPage, offset: offset === undefined ? (page - 1) * perPage : Math.abs(offset) };
}

/** Items that are made of their records at once (not when they are written), with room for others while they are. */
export async function itemsOf<R>(records: readonly R[], item: (record: R) => Item): Promise<Item[]> {
  const items: Item[] = [];
  for await (const record of paced(records, 1)) {
    items.push(item(record));
  }
  return items;
}

/**
 * Items of one page with totals and prev/next links. `isUnchecked`: the link back leads to the page before, though it is past the end,
 * as the reference has it of lists that answer pages past their end.
 */
export function listed(
  call: Call,
  items: readonly (Item | unknown)[],
  total: number,
  { page, perPage, headers: own, isUnchecked = false }: Omit<Paging, 'offset'> & { readonly isUnchecked?: boolean },
): Answer {
  const pages = perPage > 0 ? Math.ceil(total / perPage) : 1;
  const { header } = call.request.dialect;
  const headers: Record<string, string | number> = { ...own, [header('Total')]: total, [header('TotalPages')]: pages };
  const previous = page > 1 ? pageLink(call, isUnchecked ? page - 1 : Math.min(page - 1, pages), 'prev') : '';
  const next = page < pages ? pageLink(call, page + 1, 'next') : '';
  if (previous || next) headers.Link = previous && next ? `${previous}, ${next}` : previous || next;
  return answer(items, { headers });
}

/** The contract's refusal of a page past the end, for collections that refuse it. */
export function refusePastEnd(total: number, { page, perPage }: Paging): void {
  if (total > 0 && page > Math.ceil(total / perPage)) fail('rest_post_invalid_page_number');
}

/** The address of another page; parameters as they were read, lists in one notation (observed). */
export function pageLink({ request: { query, route, dialect }, params, urls }: Call, page: number, rel: string): string {
  const read = Object.keys(query).map((name) => [name, params[dialect.readWord(name)] ?? query[name]]);
  return `<${urls.rest(route)}?${printQuery({ ...Object.fromEntries(read), page })}>; rel="${rel}"`;
}
