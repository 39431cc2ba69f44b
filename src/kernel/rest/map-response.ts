/**
 * Collections that are maps by name instead of lists: types, taxonomies, statuses.
 */
import type { Item } from './item.ts';
import type { Call } from './types.ts';

/** Name → item with its links. A member without a value is not printed: with it, an empty map is `{}` and not a list. */
export function mapOf(call: Call, items: readonly (readonly [string, Item])[]): Record<string, unknown> {
  const { dialect } = call.request;
  if (items.length === 0) return { none: undefined };
  return Object.fromEntries(
    items.map(([name, { body, links }]) => {
      const printed: Record<string, unknown> = {};
      for (const [relation, list] of Object.entries(links)) printed[dialect.relation(relation)] = list;
      if (Object.keys(links).some((relation) => relation.startsWith('cms:'))) printed.curies = dialect.curies;
      const whole = Object.keys(printed).length > 0 ? { ...body, _links: printed } : body;
      return [dialect.wireName(name), Object.keys(whole).length > 0 ? whole : []];
    }),
  );
}
