/** The queue of deliveries and the list of dead ones, both bounded. Pure; `sender.ts` sends and stores. */
import { randomBytes } from 'node:crypto';
import type { EventView } from '../view.ts';
import { presets } from './presets.ts';
import type { Changed, Delivery, Hook } from './record.ts';

/** Pending deliveries per hook; beyond, one reports that everything may have changed. */
const maxWaiting = 100;
const maxDead = 100;
/** Names per combined delivery; beyond, everything has changed. */
const maxNames = 1000;
/** Lifetime of a delivery. */
export const dayMs = 86_400_000;
/** Delay before the second attempt; tripled for each further one. */
const firstPauseMs = 5000;
const longestPauseMs = 4 * 3_600_000;
/** Combined events wait at most this multiple. */
const patience = 6;

const nothing: Changed = { paths: [], tags: [], everything: false };
const everything: Changed = { paths: [], tags: [], everything: true };

export interface WebhookQueue {
  waiting: Delivery[];
  dead: Delivery[];
}

/** Adds events. @param sending  ids in progress, which are not extended */
export function add(queue: WebhookQueue, hook: Hook, event: EventView, now: number, sending: { has(id: string): boolean }): void {
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
  const made = { hook: hook.name, at: now, attempts: 0, error: '', dueAt: now + hook.waitMs };
  if (isBatched) queue.waiting.push({ ...made, id: newId(), event: null, changed: changedOf(event) });
  else if (own.length < maxWaiting) queue.waiting.push({ ...made, id: newId(), event, changed: nothing });
  else {
    const wide = { ...event, kind: 'site', action: 'changed', id: 0, type: 'everything', tags: [], paths: [] } as const;
    const [first] = own as [Delivery];
    const unknown = { before: null, after: null };
    queue.waiting = queue.waiting.filter((one) => one === first || !own.includes(one));
    replace(queue, first, { ...first, event: { ...wide, status: unknown, link: unknown } });
  }
}

/** Reschedules a failed delivery. @returns the one that is dead now */
export function postpone(
  queue: WebhookQueue,
  delivery: Delivery,
  { now, error, atLeastMs = 0, isFinal = false }: { now: number; error: string; atLeastMs?: number; isFinal?: boolean },
): Delivery | null {
  const failed = { ...delivery, attempts: delivery.attempts + 1, error };
  if (isFinal || now - delivery.at >= dayMs) {
    queue.waiting = queue.waiting.filter(({ id }) => id !== delivery.id);
    queue.dead.push(failed);
    const own = queue.dead.filter(({ hook }) => hook === delivery.hook);
    if (own.length > maxDead) queue.dead = queue.dead.filter((one) => one !== own[0]);
    return failed;
  }
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 3 ** Math.min(delivery.attempts, 10));
  // Jitter, so that retries do not coincide.
  const dueAt = now + Math.max(atLeastMs, pauseMs * (0.75 + Math.random() / 2));
  replace(queue, delivery, { ...failed, dueAt: Math.round(dueAt) });
  return null;
}

export function remove(queue: WebhookQueue, { id }: Delivery): void {
  queue.waiting = queue.waiting.filter((one) => one.id !== id);
}

/** Requeues dead deliveries. @returns how many */
export function revive(queue: WebhookQueue, ids: readonly string[], now: number): number {
  const again = queue.dead.filter(({ id }) => ids.includes(id));
  queue.dead = queue.dead.filter((one) => !again.includes(one));
  queue.waiting.push(...again.map((one) => ({ ...one, at: now, attempts: 0, dueAt: now })));
  return again.length;
}

export function newId(): string {
  return `msg_${randomBytes(12).toString('hex')}`;
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

function replace(queue: WebhookQueue, delivery: Delivery, by: Delivery): void {
  queue.waiting = queue.waiting.map((one) => (one.id === delivery.id ? by : one));
}
