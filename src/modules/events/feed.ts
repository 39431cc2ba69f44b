/**
 * The events of a site, derived from changes of memory and kept for a while. Nothing is recorded without listeners.
 *
 * Changes of one item in one turn are one event: a moved page is a removed file and a new one.
 */
import type { RecordChange, Identified } from '../../kernel/records/types.ts';
import type { ChangeMark } from '../../kernel/site/change-order.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { EventFeed, EventSide, EventTable, KeptEvent } from './record.ts';
import { createCommitGaps, createOwnGaps } from './gaps.ts';
import { isSameSide, partOf, sourceOf } from './sources.ts';

/** Kept for clients that reconnect. */
const maxKept = 4096;
/** Descendants of a moved item that are reported individually. */
const maxBelow = 500;

/** A changing item. */
interface Pending {
  readonly table: string;
  readonly source: EventTable<Identified>;
  readonly id: number;
  /** Its previous state. */
  readonly record: Identified | undefined;
  readonly before: EventSide | null;
  seq: number;
  mark: ChangeMark | null;
}

export function createEventFeed(site: Site): EventFeed {
  let kept: KeptEvent[] = [];
  let floor = 0;
  let isHeard = false;
  /** Until it is reached, events are not confirmed. */
  let confirmedFrom = 0;
  const { order, commits } = site.feed;
  const gaps = commits ? createCommitGaps(commits) : createOwnGaps();
  const listeners = new Set<() => void>();
  /** By table and id, last changed last. */
  const pending = new Map<string, Pending>();
  /** Changed parts of the site. */
  const parts = new Map<string, Pick<KeptEvent, 'seq' | 'mark'>>();
  let telling: NodeJS.Immediate | null = null;

  return {
    get floor() {
      return floor;
    },
    get seq() {
      settle();
      return site.feed.seq;
    },
    get position() {
      settle();
      return order.position;
    },
    get reading() {
      settle();
      return gaps.reading(order.position);
    },
    told: (before, { mark }) => gaps.told(before, mark),
    confirmed: ({ mark }) => gaps.confirmed(mark),
    resume(told) {
      settle();
      return gaps.resume(told, kept, site.feed.seq);
    },
    reach: async (told) => commits?.reach(commits.commitOf(told)),
    after(seq) {
      settle();
      let [low, high] = [0, kept.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((kept[middle] as KeptEvent).seq > seq) high = middle;
        else low = middle + 1;
      }
      return kept[low];
    },
    listen(heard) {
      if (!isHeard) begin();
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    tell(part) {
      if (isHeard) notePart(part);
    },
  };

  function begin(): void {
    isHeard = true;
    floor = site.feed.seq;
    gaps.begin(floor);
    site.feed.watch(watch);
    commits?.onRise((next) => {
      settle();
      gaps.rise(next);
      if (confirmedFrom === 0 || next < confirmedFrom) return;
      confirmedFrom = 0;
      setImmediate(tellAll);
    });
  }

  /** Reads items before they change; its result numbers the changes. */
  function watch(changes: readonly RecordChange[]): (first: number) => void {
    // What is due to a commit is told apart from what is not.
    if (order.isByClock) settle();
    const noted: (Pending | null)[] = [];
    const below: Pending[] = [];
    const changed = new Set<string>();
    for (const change of changes) {
      const { table } = change;
      const source = sourceOf(table);
      const id = 'put' in change ? change.put.id : change.remove;
      const record = site.records.table(table).get(id);
      const next = 'put' in change ? change.put : undefined;
      const part = partOf(site, table, next ?? record);
      if (part !== null && !isSameFile(record, next)) changed.add(part);
      noted.push(source ? note(table, source, id, record) : null);
      if (!source || !record || (next && !isMoved(record, next))) continue;
      for (const one of source.below?.(site, record) ?? []) {
        if (below.push(note(table, source, one.id, one)) < maxBelow) continue;
        changed.add('everything');
        break;
      }
    }
    return (first) => {
      for (const [at, one] of noted.entries()) if (one) number(one, first + at);
      for (const one of below) number(one, site.feed.next());
      for (const part of changed) notePart(part);
      if (order.isByClock) settle();
    };
  }

  /** The state of an item at its first change. */
  function note(table: string, source: Pending['source'], id: number, record: Identified | undefined): Pending {
    const before = (): EventSide | null => (record ? source.side(site, record) : null);
    return pending.get(`${table} ${id}`) ?? { table, source, id, record, before: before(), seq: 0, mark: null };
  }

  function number(one: Pending, seq: number): void {
    const key = `${one.table} ${one.id}`;
    one.seq = seq;
    one.mark = joined(one.mark, order.mark(seq));
    pending.delete(key);
    pending.set(key, one);
    tellSoon();
  }

  function notePart(part: string): void {
    const before = parts.get(part)?.mark ?? null;
    const seq = site.feed.next();
    parts.delete(part);
    parts.set(part, { seq, mark: joined(before, order.mark(seq)) });
    tellSoon();
  }

  /** Writers do not wait for listeners. */
  function tellSoon(): void {
    telling ??= setImmediate(() => {
      settle();
      tellAll();
    });
  }

  function tellAll(): void {
    for (const heard of listeners) heard();
  }

  /** Turns pending changes into events. */
  function settle(): void {
    if (telling === null) return;
    telling = null;
    const made = [...pending.values()].flatMap((one) => eventOf(one) ?? []);
    for (const [part, at] of parts) made.push(partEvent(part, at));
    pending.clear();
    parts.clear();
    kept.push(...made.sort((a, b) => a.seq - b.seq));
    if (commits) for (const { mark } of made) if (!mark.isByClock) confirmedFrom = Math.max(confirmedFrom, mark.upTo);
    if (kept.length <= maxKept * 2) return;
    floor = kept.at(-maxKept - 1)?.seq ?? floor;
    for (const { mark } of kept.slice(0, -maxKept)) gaps.forget(mark);
    kept = kept.slice(-maxKept);
  }

  function eventOf({ table, source, id, record, before, seq, mark }: Pending): KeptEvent | null {
    const present = site.records.table(table).get(id);
    const after = present ? source.side(site, present) : null;
    const subject = present ?? record;
    if (!subject || !mark || (before && after && isSameSide(before, after))) return null;
    return { seq, mark, at: site.clock(), kind: source.kind, id, type: source.typeOf(subject), before, after };
  }

  function partEvent(type: string, at: Pick<KeptEvent, 'seq' | 'mark'>): KeptEvent {
    const plain = { status: null, link: null, paths: [], path: '', etag: '', isPublic: true };
    const after: EventSide = { ...plain, tags: type === 'everything' ? [] : [type], mayRead: () => true };
    return { ...at, at: site.clock(), kind: 'site', id: 0, type, before: null, after };
  }
}

/** Whether two records have the same state of a file. */
function isSameFile(before: Identified | undefined, after: Identified | undefined): boolean {
  const [one, other] = [before, after] as readonly ({ readonly etag?: string } | undefined)[];
  return one !== undefined && other !== undefined && one.etag === other.etag;
}

/** Whether the URLs of descendants may have changed. */
function isMoved(before: Identified, after: Identified): boolean {
  const [one, other] = [before, after] as unknown as readonly { readonly slug?: string; readonly parent?: number }[];
  return one?.slug !== other?.slug || one?.parent !== other?.parent;
}

/** Of several changes that are one event: the latest number, and whoever may have missed any of them. */
function joined(before: ChangeMark | null, mark: ChangeMark): ChangeMark {
  if (before === null || before.upTo <= mark.upTo) return mark;
  before.id = mark.id;
  return before;
}
