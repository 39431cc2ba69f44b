/** A digest of the site's state, to detect changes while no server ran: a sum over its records that follows each change. */
import { hash } from 'node:crypto';
import type { RecordChange, Identified } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { partOf, sourceOf } from '../sources.ts';

export interface FeedPosition {
  text(): string;
  close(): void;
}

/** Cost: a digest per record. */
export function createPosition(site: Site): FeedPosition {
  const sum = Buffer.alloc(20);
  for (const { table, records } of tablesOf(site)) for (const record of records) toggle(table, record);
  const close = site.feed.watch((changes) => {
    for (const change of changes) {
      const before = site.records.table(change.table).get(idOf(change));
      if (isOfPages(site, change.table)) toggle(change.table, before);
    }
    return () => {
      for (const change of changes)
        if (isOfPages(site, change.table)) toggle(change.table, site.records.table(change.table).get(idOf(change)));
    };
  });
  return { text: () => `${sum.toString('hex')} ${site.settings.entry?.etag ?? ''}`, close };

  /** Adds or removes a record. */
  function toggle(table: string, record: Identified | undefined): void {
    if (!record) return;
    const { id, path, etag, status } = record as Identified & Readonly<Record<'path' | 'etag' | 'status', string | undefined>>;
    const digest = hash('sha1', [table, id, path, etag, status].join('\n'), 'buffer');
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) ^ (digest[at] as number);
  }
}

function* tablesOf(site: Site): Iterable<{ readonly table: string; readonly records: Iterable<Identified> }> {
  for (const table of new Set(site.modules.list.flatMap(({ tables }) => (tables?.(site) ?? []).map(({ name }) => name))))
    if (isOfPages(site, table)) yield { table, records: site.records.table(table).all() };
}

function isOfPages(site: Site, table: string): boolean {
  return sourceOf(table) !== undefined || partOf(site, table, undefined) !== null;
}

const idOf = (change: RecordChange): number => ('put' in change ? change.put.id : change.remove);
