/** What is added to the queue of webhooks: combined where the receiver takes batches, and bounded. Pure. */
import { newPending, type DeliveryQueue, replace } from '../../deliveries/index.ts';
import type { EventView } from '../view.ts';
import { presets } from './presets.ts';
import type { Changed, Delivery, Hook } from './record.ts';

/** Pending deliveries per hook; beyond, one reports that everything may have changed. */
const maxWaiting = 100;
/** Names per combined delivery; beyond, everything has changed. */
const maxNames = 1000;
/** Combined events wait at most this multiple. */
const patience = 6;

const nothing: Changed = { paths: [], tags: [], everything: false };
const everything: Changed = { paths: [], tags: [], everything: true };

interface AddOptions {
  readonly now: number;
  /** Ids in progress, which are not extended. */
  readonly sending: { has(id: string): boolean };
  /** Of a delivery that another node may have sent already. */
  readonly id?: string | undefined;
}

/** Adds events. */
export function add(queue: DeliveryQueue<Delivery>, hook: Hook, event: EventView, { now, sending, id }: AddOptions): void {
  if (id !== undefined && queue.waiting.some((one) => one.id === id)) return;
  const own = queue.waiting.filter((one) => one.hook === hook.name && !sending.has(one.id));
  const { isBatched } = presets[hook.preset];
  const last = own.at(-1);
  if (isBatched && last) {
    const changed = together(last.changed, changedOf(event));
    // A failing receiver is retried with the next change, and for a day after that.
    if (last.attempts > 0)
      replace(queue, last, { ...last, changed, at: now, attempts: 0, dueAt: Math.min(last.dueAt, now + hook.waitMs) });
    else replace(queue, last, { ...last, changed, dueAt: Math.min(now + hook.waitMs, last.at + hook.waitMs * patience) });
    return;
  }
  const made = { ...newPending(now, hook.waitMs), ...(id === undefined ? {} : { id }), hook: hook.name };
  if (isBatched) queue.waiting.push({ ...made, event: null, changed: changedOf(event) });
  else if (own.length < maxWaiting) queue.waiting.push({ ...made, event, changed: nothing });
  else {
    const wide = { ...event, kind: 'site', action: 'changed', id: 0, type: 'everything', tags: [], paths: [] } as const;
    const [first] = own as [Delivery];
    const unknown = { before: null, after: null };
    queue.waiting = queue.waiting.filter((one) => one === first || !own.includes(one));
    replace(queue, first, { ...first, event: { ...wide, status: unknown, link: unknown } });
  }
}

/** The effect of an event on the website. Changes of the site may affect any page. */
function changedOf({ kind, paths, tags }: EventView): Changed {
  return kind === 'site' ? everything : { paths, tags, everything: false };
}

function together(one: Changed, other: Changed): Changed {
  if (one.everything || other.everything) return everything;
  const paths = [...new Set([...one.paths, ...other.paths])];
  const tags = [...new Set([...one.tags, ...other.tags])];
  return paths.length > maxNames || tags.length > maxNames ? everything : { paths, tags, everything: false };
}
