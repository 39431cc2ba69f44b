/**
 * Sends webhooks: reads the event feed, stores deliveries in the private mount, and tries each for a day. Writes never wait. Events lost with a
 * killed process are detected at the next start by the position.
 */
import { createOperatorFetcher, type Fetcher } from '../../../kernel/http-client/fetch.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { createOutbox, type DeliveryCounts, type Refused } from '../../../kernel/site/outbox.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import { publicPaths } from '../sources.ts';
import { type EventView, fits, viewOf } from '../view.ts';
import { deliver } from './deliver.ts';
import { createPosition, type FeedPosition } from './position.ts';
import { add } from './queue.ts';
import { type Delivery, documents, type Hook } from './record.ts';
import { readHooks } from './settings.ts';
import { readKept } from './stored.ts';

export interface Sender {
  /** Follows the events and sends, while `isHeld` says so. @returns a function that ends it. @throws OperatorFault */
  start(isHeld?: () => boolean): () => Promise<void>;
  /** Sends what is due, four times a second. */
  look(): void;
  counts(): DeliveryCounts;
}

interface SenderOptions {
  readonly log: (line: string) => void;
  readonly fetcher?: Fetcher;
  /** Interval of checks for due deliveries and commands. */
  readonly lookMs?: number;
}

/** Maximum paths if everything has changed. */
const maxPaths = 1000;
const timeoutMs = 15_000;

export function createSender(site: Site, { log, lookMs = 250, ...options }: SenderOptions): Sender {
  const { store, clock } = site;
  const fetcher = options.fetcher ?? createOperatorFetcher(site.operator, { timeoutMs });
  let hooks: readonly Hook[] = [];
  let position: FeedPosition | null = null;
  let cursor = 0;
  const outbox = createOutbox<Delivery>({
    store,
    clock,
    log,
    name: 'webhooks',
    documents,
    laneOf: ({ hook }) => hook,
    lane: (name) => `webhook ${name}`,
    resend: 'cms events resend',
    read: readKept,
    send,
    more: () => position && { position: position.text() },
    lookMs,
  });
  const { queue, sending, keepSoon, look } = outbox;

  return {
    counts: outbox.counts,
    look,
    start(isHeld) {
      hooks = readHooks(site.operator.events);
      position = createPosition(site);
      cursor = site.events.seq;
      const stops = [site.events.listen(hear), site.feed.watch(() => keepSoon), position.close];
      const running = outbox.start(begin, isHeld);
      return async () => {
        await running.stop(hear);
        for (const stop of stops) stop();
      };
    },
  };

  /** Resumes the queue of the last process. */
  async function begin(): Promise<void> {
    const before = readKept(await store.private.get(documents.kept).catch(() => null));
    const isOurs = ({ hook }: Delivery): boolean => hooks.some(({ name }) => name === hook);
    queue.waiting.unshift(...(before?.waiting ?? []).filter(isOurs));
    queue.dead.unshift(...(before?.dead ?? []).filter(isOurs));
    if (before && before.position !== position?.text()) tell(everythingChanged());
  }

  function hear(): void {
    const { events } = site;
    if (cursor < events.floor) tell(everythingChanged());
    cursor = Math.max(cursor, events.floor);
    for (let event = events.after(cursor); event; event = events.after(cursor)) {
      cursor = event.seq;
      for (const hook of hooks) {
        const view = fits(event, hook.filter) ? viewOf(event, (side) => hook.hidden || side.isPublic, neutral) : null;
        if (view) add(queue, hook, view, clock(), sending);
      }
    }
    look();
  }

  async function send(delivery: Delivery, signal: AbortSignal): Promise<Refused | null> {
    const hook = hooks.find(({ name }) => name === delivery.hook);
    if (!hook) return { error: 'no longer configured', isFinal: true };
    const around = {
      now: Math.floor(clock() / 1000),
      origin: new URL(homeOf(site)).origin,
      everyPath: () => everyPath(site),
    };
    return deliver(fetcher, hook, delivery, around, signal);
  }

  /** For the whole site, ignoring filters. */
  function tell(event: EventView): void {
    for (const hook of hooks) add(queue, hook, event, clock(), sending);
  }

  function everythingChanged(): EventView {
    const unknown = { before: null, after: null };
    const of = { kind: 'site', action: 'changed', id: 0, type: 'everything' } as const;
    return {
      seq: site.events.seq,
      ...of,
      status: unknown,
      link: unknown,
      tags: [],
      paths: [],
      time: new Date(clock()).toISOString(),
    };
  }
}

/** Newest first. */
function everyPath(site: Site): readonly string[] {
  const paths = new Set(['/']);
  const where = [{ kind: 'in', index: 'status', values: ['publish'] }] as const;
  const { records } = site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit: maxPaths });
  for (const post of records) for (const path of publicPaths(site, post)) if (paths.size < maxPaths) paths.add(path);
  return [...paths];
}
