/**
 * Sends webhooks: reads the event feed, stores deliveries in the private mount, and tries each for a day. Writes never wait. Events lost with a
 * killed process are detected at the next start by the position.
 */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createOperatorFetcher, type Fetcher } from '../../../http-client/fetch.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { createOutbox, type DeliveryCounts, type Refused } from '../../deliveries/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import { publicPaths } from '../sources.ts';
import type { KeptEvent } from '../record.ts';
import { type EventView, fits, viewOf } from '../view.ts';
import { deliver } from './deliver.ts';
import { createPosition, type FeedPosition } from './position.ts';
import { add } from './queue.ts';
import { type Delivery, documents, type Hook } from './record.ts';
import { readHooks } from './settings.ts';
import { readKept } from './stored.ts';

export interface Sender {
  /** Of several nodes: what the site is from now on counts when it is this one's turn to send. @returns ends it */
  follow(): () => void;
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
  let followed: FeedPosition | null = null;
  let cursor = 0;
  /** Events that the position does not cover yet. */
  let ahead: KeptEvent[] = [];
  let isBegun = false;
  let isEnded = false;
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
    more() {
      if (!position || !isBegun) return null;
      read();
      return { position: position.text(ahead.length === 0) };
    },
    storesFirst: store.shared !== undefined,
    lookMs,
  });
  const { queue, sending, keepSoon, look } = outbox;

  return {
    counts: outbox.counts,
    look,
    follow() {
      const following = createPosition(site);
      followed = following;
      return following.close;
    },
    start(isHeld) {
      hooks = readHooks(site.operator.events);
      const following = followed ?? createPosition(site);
      position = following;
      [ahead, isBegun, isEnded] = [[], false, false];
      const stops = [site.events.listen(hear), site.feed.watch(() => keepSoon), followed ? () => undefined : following.close];
      const running = outbox.start(begin, isHeld);
      return async () => {
        isEnded = true;
        await running.stop(hear);
        for (const stop of stops) stop();
      };
    },
  };

  /** Resumes the queue of the last process. */
  async function begin(): Promise<void> {
    // What another node has stored last.
    while (!(await isFresh())) {
      if (isEnded) return;
      await pause(lookMs);
    }
    const before = readKept(await store.private.get(documents.kept).catch(() => null));
    const isOurs = ({ hook }: Delivery): boolean => hooks.some(({ name }) => name === hook);
    queue.waiting.unshift(...(before?.waiting ?? []).filter(isOurs));
    queue.dead.unshift(...(before?.dead ?? []).filter(isOurs));
    const resumed = (await position?.resume(before?.position ?? null)) ?? null;
    if (!resumed) tell(everythingChanged());
    cursor = resumed?.cursor ?? site.events.seq;
    isBegun = true;
    read(resumed?.isKnown);
  }

  async function isFresh(): Promise<boolean> {
    const fresh = store.shared?.fresh().then(
      () => true,
      () => false,
    );
    return fresh ?? true;
  }

  function hear(): void {
    if (!isBegun) return;
    read();
    look();
  }

  /** Puts events into the queue, once the position that is stored with it covers them. */
  function read(isKnown: (event: KeptEvent) => boolean = () => false): void {
    const { events } = site;
    if (cursor < events.floor) tell(everythingChanged());
    cursor = Math.max(cursor, events.floor);
    for (let event = events.after(cursor); event; event = events.after(cursor)) {
      cursor = event.seq;
      if (!isKnown(event)) ahead.push(event);
    }
    const isCovered = (event: KeptEvent): boolean => position?.covers(event) ?? false;
    for (const event of ahead.filter(isCovered)) queueFor(event);
    ahead = ahead.filter((event) => !isCovered(event));
  }

  function queueFor(event: KeptEvent): void {
    for (const hook of hooks) {
      const view = fits(event, hook.filter) ? viewOf(event, (side) => hook.hidden || side.isPublic, neutral) : null;
      if (view) add(queue, hook, view, { now: clock(), sending, id: event.mark.isByClock ? idOf(hook, event) : undefined });
    }
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
    for (const hook of hooks) add(queue, hook, event, { now: clock(), sending });
  }

  function everythingChanged(): EventView {
    const unknown = { before: null, after: null };
    const of = { kind: 'site', action: 'changed', id: 0, type: 'everything' } as const;
    return {
      seq: site.events.position,
      ...of,
      status: unknown,
      link: unknown,
      tags: [],
      paths: [],
      time: new Date(clock()).toISOString(),
    };
  }
}

/** Of what each node finds due by itself, and may send. */
function idOf({ name }: Hook, { kind, id, before, after }: KeptEvent): string {
  const sides = [before, after].map((side) => [side?.etag, side?.status]);
  return `msg_${hash('sha256', JSON.stringify([name, kind, id, sides])).slice(0, 24)}`;
}

/** Newest first. */
function everyPath(site: Site): readonly string[] {
  const paths = new Set(['/']);
  const where = [{ kind: 'in', index: 'status', values: ['publish'] }] as const;
  const { records } = site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit: maxPaths });
  for (const post of records) for (const path of publicPaths(site, post)) if (paths.size < maxPaths) paths.add(path);
  return [...paths];
}
