/**
 * Items whose address others change: found by comparing memory before a batch with memory after it.
 */
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Entry } from '../../../kernel/store/types.ts';
import { type Former, formerOf, isStill, type Item, itemOf, keyOf, missingAlias } from './alias-plan.ts';
import { descendantsOf, namedItems, servedFrom, statedItem, tableOf } from './served-items.ts';

export interface MovedItems {
  /** Items whose former address is to be looked at, by key. */
  readonly pending: Map<string, Former>;
  /** Items that went and may come back elsewhere. */
  readonly departed: Map<string, Former>;
  /** When the first of those that are pending moved, in milliseconds since the epoch. */
  since: number;
}

/** Entries whose values stay in memory; of a larger batch they are read one by one, with requests answered in between. */
export const maxSmallBatch = 64;
const maxDeparted = 20_000;

/** Where the items of a batch are, before memory ingests it. */
export function formersIn(site: Site, batch: Batch): readonly Former[] | Promise<readonly Former[]> {
  const found = new Map<string, Former>();
  const steps = collect(site, batch, found);
  if (batch.entries.length + batch.removed.length > maxSmallBatch) return restingBetween(steps).then(() => [...found.values()]);
  for (const _ of steps);
  return [...found.values()];
}

/** Compares them with memory after the batch. @returns whether an item is elsewhere now */
export function noteMoves(site: Site, moved: MovedItems, before: readonly Former[], entries: readonly Entry[]): boolean {
  let isNew = false;
  for (const former of before) {
    const item = itemOf(site, former);
    if (item) isNew = compare(site, moved, former, item) || isNew;
    else depart(moved, former);
  }
  if (moved.departed.size === 0) return isNew;
  const paths = entries.map(({ path }) => path);
  const named = namedItems(site, paths);
  for (const path of paths) {
    for (const { table, item } of servedFrom(site, path, named)) {
      const key = keyOf({ table, id: item.id });
      const former = moved.departed.get(key);
      if (!former) continue;
      moved.departed.delete(key);
      isNew = compare(site, moved, former, item) || isNew;
    }
  }
  return isNew;
}

/** Takes out the items whose former place is free; the others wait for the file there to go. */
export function takeDue(site: Site, { pending }: MovedItems): Former[] {
  const due: Former[] = [];
  for (const [key, former] of pending) {
    const item = itemOf(site, former);
    const isCopied = item && item.path !== former.path && site.store.knows(former.path);
    if (isCopied && servedFrom(site, former.path, namedItems(site, [former.path])).length === 0) continue;
    pending.delete(key);
    if (item) due.push(former);
  }
  return due;
}

/** Notes where the items of a batch are, file by file. */
function* collect(site: Site, { entries, removed }: Batch, found: Map<string, Former>): Generator<void> {
  const note = (table: Former['table'], item: Item | undefined): void => {
    const former = item && formerOf(site, table, item);
    if (former) found.set(keyOf(former), former);
  };
  const named = namedItems(site, [...removed, ...entries.map(({ path }) => path)]);
  for (const path of removed) {
    for (const { table, item } of servedFrom(site, path, named)) {
      note(table, item);
      if (table === 'posts') for (const below of descendantsOf(site, item.id)) note(table, below);
    }
    yield;
  }
  for (const entry of entries) {
    const served = servedFrom(site, entry.path, named);
    for (const { table, item } of served) note(table, item);
    const table = served.length === 0 ? tableOf(site, entry.path) : null;
    if (table !== null) {
      note(table, statedItem(site, table, entry));
      if (entries.length > maxSmallBatch) entry.release?.();
    }
    yield;
  }
}

/** Notes an item that is elsewhere now. @returns whether it is */
function compare(site: Site, moved: MovedItems, former: Former, item: Item): boolean {
  const { pending } = moved;
  const key = keyOf(former);
  // Of several moves in a row the first address is the one that was known.
  const first = pending.get(key) ?? former;
  if (isStill(site, first, item)) pending.delete(key);
  if (isStill(site, former, item)) return false;
  if (pending.size === 0) moved.since = site.clock();
  if (!isStill(site, first, item)) pending.set(key, first);
  if (former.table !== 'posts') nameInMemory(site, former, item);
  return true;
}

/** Other files name terms and users by slug: they are found by the former one at once. */
function nameInMemory(site: Site, former: Former, item: Item): void {
  const alias = missingAlias(site, former);
  if (alias === null || item.aliases.includes(alias)) return;
  const put = { ...item, aliases: [...item.aliases, alias] };
  site.records.apply([{ table: former.table, put }]);
}

function depart({ pending, departed }: MovedItems, former: Former): void {
  const key = keyOf(former);
  departed.set(key, pending.get(key) ?? former);
  pending.delete(key);
  const [oldest] = departed.keys();
  if (departed.size > maxDeparted && oldest !== undefined) departed.delete(oldest);
}

async function restingBetween(steps: Generator<void>): Promise<void> {
  for await (const _ of paced(steps));
}
