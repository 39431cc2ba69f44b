/** From where events are known without a gap, so that a client that was cut off may go on here. */
import type { ChangeMark, CommitOrder } from '../../kernel/site/change-order.ts';
import type { KeptEvent, Resumption } from './record.ts';

interface Gaps {
  /** Events are recorded from now on. @param seq  of the latest change */
  begin(seq: number): void;
  /** Memory is about to be whole up to this commit. */
  rise(commit: number): void;
  /** An event is no longer kept. */
  forget(mark: ChangeMark): void;
  /** What a client is told that was told `before` and is sent an event. */
  told(before: number, mark: ChangeMark): number;
  /** What a client is told that goes on to read what is there now. */
  reading(position: number): number;
  /** What a client is told that has been sent an event and all before it; null: not yet. */
  confirmed(mark: ChangeMark): number | null;
  resume(told: number, kept: readonly KeptEvent[], seq: number): Resumption | null;
}

/** Of a process that has the content to itself. */
export function createOwnGaps(): Gaps {
  let floor = 0;
  return {
    begin(seq) {
      floor = seq;
    },
    rise: () => undefined,
    forget({ upTo }) {
      floor = upTo;
    },
    told: (before, { id }) => Math.max(before, id),
    reading: (position) => position,
    confirmed: ({ id }) => id,
    resume: (told, _, seq) => (told >= floor && told <= seq ? { cursor: told, isKnown: () => false } : null),
  };
}

/** Commits that were taken in together. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

const maxGaps = 4096;

/**
 * Of one of several nodes. A client that comes from another one has been told of all commits up to one. Events that may be due to later
 * ones are sent to it; some of them again, since their commit is known to lie between two alone. Where commits were taken in together,
 * states between them are not known here, but the client may have been told of one: then it has to read everything. A number that is no
 * commit's tells that it may know of later ones too.
 */
export function createCommitGaps(order: CommitOrder): Gaps {
  let floor = Number.POSITIVE_INFINITY;
  let gaps: Gap[] = [];

  return {
    begin() {
      // Who knows no later commit than this start may have been away for long before it, and posts may have come due.
      floor = order.commit + 1;
    },
    rise(commit) {
      // Behind the last commit of files there are states of private documents alone.
      const gap = { from: order.commit, to: Math.min(commit, order.changed) };
      if (gap.to - gap.from > 1) gaps.push(gap);
      if (gaps.length <= maxGaps) return;
      floor = Math.max(floor, gaps[0]?.to ?? 0);
      gaps = gaps.slice(1);
    },
    forget({ upTo, isByClock }) {
      floor = Math.max(floor, isByClock ? order.commit + 1 : upTo);
    },
    told(before, { id, upTo, isByClock }) {
      const told = Math.max(before, id);
      return isByClock || upTo <= order.commitOf(told) ? told : order.orLater(told);
    },
    reading: order.orLater,
    confirmed({ id, upTo, isByClock }) {
      if (isByClock) return id;
      return upTo <= order.commit ? order.position : null;
    },
    resume(told, kept, seq) {
      const commit = order.commitOf(told);
      const isFollowed = commit >= floor && commit <= order.commit;
      const mayKnowMore = told === order.orLater(told);
      if (!isFollowed || gaps.some(({ from, to }) => commit < to && (mayKnowMore || from < commit))) return null;
      // Who knows a later event of an item may not know this one, but is not told of it after that: the later one is sent again.
      const known = new Map(kept.filter(({ mark }) => mark.upTo <= commit).map((event) => [itemOf(event), event]));
      const sent = new Set<KeptEvent>();
      for (const event of kept) {
        if (event.mark.upTo <= commit) continue;
        const last = known.get(itemOf(event));
        sent.add(last && last.seq > event.seq ? last : event);
      }
      const first = kept.find((event) => sent.has(event));
      return {
        cursor: first ? first.seq - 1 : seq,
        isKnown: (event) => event.seq <= seq && !sent.has(event),
      };
    },
  };
}

const itemOf = ({ kind, id, type }: KeptEvent): string => `${kind} ${id || type}`;
