/**
 * What the site was when the queue was stored, to know what has changed while no server ran, or has not been sent by the node that sent before.
 *
 * A process that has the content to itself compares a digest of the site's state: a sum over its records that follows each change. Nodes have the
 * order of commits in common: whoever goes on adds the events since. If it began after the stored position, the digest says whether it had
 * missed anything then.
 */
import { hash } from 'node:crypto';
import type { RecordChange, Identified } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { KeptEvent, Resumption } from '../record.ts';
import { partOf, sourceOf } from '../sources.ts';

export interface FeedPosition {
  /** @param isWhole  every event has been queued */
  text(isWhole: boolean): string;
  /** @param before  what it was; null without one. @returns where to go on; null: everything may have changed */
  resume(before: string | null): Promise<Resumption | null>;
  /** Whether the position says that an event has happened, from now on. */
  covers(event: KeptEvent): boolean;
  close(): void;
}

export function createPosition(site: Site): FeedPosition {
  return site.store.shared ? createCommitPosition(site) : createOwnPosition(site);
}

function createOwnPosition(site: Site): FeedPosition {
  const { text, close } = createDigest(site);
  const from = onAfter(site.events.seq);
  return {
    text,
    resume: async (before) => (before === null || before === text() ? from : null),
    covers: () => true,
    close,
  };
}

function createCommitPosition(site: Site): FeedPosition {
  const { events } = site;
  const { text, close } = createDigest(site);
  const start = { state: text(), position: events.position, cursor: events.seq };
  return {
    text: (isWhole) => `${events.position} ${isWhole ? text() : ''}`,
    async resume(before) {
      if (before === null) return onAfter(events.seq);
      const [number = '', ...state] = before.split(' ');
      await events.reach(Number(number));
      const resumed = events.resume(Number(number));
      if (resumed) return resumed;
      if (Number(number) <= start.position && state.join(' ') === start.state && start.cursor >= events.floor)
        return onAfter(start.cursor);
      return state.join(' ') === text() ? onAfter(events.seq) : null;
    },
    covers: (event) => events.confirmed(event) !== null,
    close,
  };
}

const onAfter = (cursor: number): Resumption => ({ cursor, isKnown: () => false });

/** Cost: a digest per record. */
function createDigest(site: Site): { text(): string; close(): void } {
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
