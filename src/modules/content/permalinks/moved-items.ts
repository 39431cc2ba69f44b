/** Detects items moved by others, by comparing memory before and after a batch. */
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Entry } from '../../../kernel/store/types.ts';
import { type Former, formerOf, isStill, type AddressedItem, itemOf, keyOf, missingAlias } from './alias-plan.ts';
import { descendantsOf, namedItems, servedFrom, statedItem, tableOf } from './served-items.ts';

export interface MovedItems {
  /** Items whose former URL must be checked, by key. */
  readonly pending: Map<string, Former>;
  /** Removed items that may reappear elsewhere. */
  readonly departed: Map<string, Former>;
  /** When the first pending item moved, in milliseconds since the epoch. */
  since: number;
}

/** Larger batches are processed entry by entry, between requests. */
export const maxSmallBatch = 64;
const maxDeparted = 20_000;

/** Where the items of a batch are, before it is ingested. */
export function formersIn(site: Site, batch: Batch): readonly Former[] | Promise<readonly Former[]> {
  const found = new Map<string, Former>();
  const steps = collect(site, batch, found);
  if (batch.entries.length + batch.removed.length > maxSmallBatch) return restingBetween(steps).then(() => [...found.values()]);
  for (const _ of steps);
  return [...found.values()];
}

/** Compares them with memory after the batch. @returns whether any item has moved */
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

/** Takes the items whose former path is free; the others wait until the file there is gone. */
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

/** Collects the items of a batch, file by file. */
function* collect(site: Site, { entries, removed }: Batch, found: Map<string, Former>): Generator<void> {
  const note = (table: Former['table'], item: AddressedItem | undefined): void => {
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

/** Records an item that has moved. @returns whether it has */
function compare(site: Site, moved: MovedItems, former: Former, item: AddressedItem): boolean {
  const { pending } = moved;
  const key = keyOf(former);
  // After several moves, the first URL is the one that was known.
  const first = pending.get(key) ?? former;
  if (isStill(site, first, item)) pending.delete(key);
  if (isStill(site, former, item)) return false;
  if (pending.size === 0) moved.since = site.clock();
  if (!isStill(site, first, item)) pending.set(key, first);
  if (former.table !== 'posts') nameInMemory(site, former, item);
  return true;
}

/** Other files refer to terms and users by slug, so the former one works at once. */
function nameInMemory(site: Site, former: Former, item: AddressedItem): void {
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
