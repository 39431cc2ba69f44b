/**
 * Memory: every record the site has, in tables, behind one door. What the rest of the program derives from records is
 * valid while `generation` stands.
 */

import type { RecordChange, Identified, Records, Table, TableSpec } from './types.ts';
import { createTable, type CachedTable } from './table.ts';

interface RecordsOptions {
  readonly sliceMs?: number;
  readonly applying?: (changes: readonly RecordChange[]) => () => void;
}

/**
 * Empty tables, one per spec.
 *
 * `apply` is atomic: when a change is impossible (unknown table, an id that is no integer, an index function that throws)
 * it throws and memory is as before. Removing an id that is not there is no error. Later changes see earlier ones.
 *
 * @param options  `sliceMs`: how long a query asked by `find` may keep others waiting at a time; `applying`: asked before changes are made,
 *   and what it gives is called once they are
 */
// biome-ignore lint/suspicious/noExplicitAny: tables of different records stand side by side in one list
export function createRecords(specs: readonly TableSpec<any>[], { sliceMs, applying }: RecordsOptions = {}): Records {
  const tables = new Map<string, CachedTable<Identified>>(specs.map((spec) => [spec.name, createTable(spec, sliceMs)]));
  let generation = 0;
  const generations = new Map(specs.map(({ name }) => [name, 0]));

  function tableOf(name: string): CachedTable<Identified> {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`there is no table "${name}"`);
    return table;
  }

  return {
    get generation() {
      return generation;
    },
    generationOf: (table) => generations.get(table) ?? 0,
    table: <R extends Identified>(name: string) => tableOf(name) as unknown as Table<R>,
    apply(changes) {
      const applied = applying?.(changes);
      const counts = new Map<CachedTable<Identified>, number>();
      for (const { table } of changes) counts.set(tableOf(table), (counts.get(tableOf(table)) ?? 0) + 1);
      for (const [table, count] of counts) table.prepare(count);
      const undo: { table: CachedTable<Identified>; id: number; previous: Identified | undefined }[] = [];
      try {
        for (const change of changes) {
          const table = tableOf(change.table);
          const id = idOf(change);
          undo.push({ table, id, previous: table.set(id, 'put' in change ? change.put : undefined) });
        }
      } catch (error) {
        for (const { table, id, previous } of undo.reverse()) table.set(id, previous);
        throw error;
      }
      generation++;
      for (const name of changes.length === 0 ? tables.keys() : new Set(changes.map(({ table }) => table)))
        generations.set(name, generation);
      applied?.();
    },
    warm: (budgetMs) => specs.every(({ name, isSearched }) => !isSearched || tableOf(name).warm(budgetMs)),
  };
}

const idOf = (change: RecordChange): number => ('put' in change ? change.put.id : change.remove);
