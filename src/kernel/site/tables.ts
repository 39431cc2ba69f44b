/**
 * The table of records of a kind, made from the index facets of their fields.
 */
import type { Fields, IndexFacet } from '../model/field.ts';
import type { Identified, TableSpec } from '../records/types.ts';

/**
 * One index for each facet, under the field's name; fields that a type hides keep theirs.
 * @param tables  field tables of the records; of one name the last counts
 */
export function tableOf<R extends Identified>(
  name: string,
  tables: Iterable<Fields<R, never>>,
  views: TableSpec<R>['views'] = [],
): TableSpec<R> {
  const facets = new Map<string, IndexFacet<R>>();
  for (const table of tables) {
    for (const [field, { index }] of Object.entries(table)) if (index) facets.set(field.replace(/^_/, ''), index);
  }
  const pick = <K extends keyof IndexFacet<R>>(kind: K) =>
    Object.fromEntries(
      [...facets].flatMap(([field, facet]) => (facet[kind] ? [[field, facet[kind] as NonNullable<IndexFacet<R>[K]>]] : [])),
    );
  const further = [...facets].flatMap(([field, { inViews }]) => (inViews ? [field] : []));
  return {
    name,
    unique: pick('unique'),
    equal: pick('equal'),
    order: { id: (record) => record.id, ...pick('order') },
    text: pick('text'),
    views: views.flatMap((view) => [view, ...further.map((field) => ({ ...view, by: [...view.by, field] }))]),
  };
}
