/**
 * Sends webhooks: reads the event feed, stores deliveries in the private mount, and tries each for a day. Writes never wait. Events lost with a
 * killed process are detected at the next start by the position.
 */
import { createOperatorFetcher, type Fetcher } from '../../../kernel/http-client/fetch.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import { publicPaths } from '../sources.ts';
import { type EventView, fits, viewOf } from '../view.ts';
import { deliver, type Refused } from './deliver.ts';
import { createPosition, type FeedPosition } from './position.ts';
import { add, postpone, type WebhookQueue, remove, revive } from './queue.ts';
import { type Delivery, documents, type Hook, type Kept } from './record.ts';
import { readHooks } from './settings.ts';
import { readAsked, readKept } from './stored.ts';

export interface Sender {
  /** Follows the events and sends. @returns a function that ends it. @throws OperatorFault */
  start(): () => Promise<void>;
  /** Sends what is due, four times a second. */
  look(): void;
  counts(): { readonly waiting: number; readonly dead: number; readonly sent: number; readonly failed: number };
}

interface SenderOptions {
  readonly log: (line: string) => void;
  readonly fetcher?: Fetcher;
  /** Interval of checks for due deliveries and commands. */
  readonly lookMs?: number;
}

/** Maximum paths if everything has changed. */
const maxPaths = 1000;
/** Delay of storing, which combines bursts. */
const keepMs = 1000;
const timeoutMs = 15_000;

export function createSender(site: Site, { log, lookMs = 250, ...options }: SenderOptions): Sender {
  const { store, clock } = site;
  const fetcher = options.fetcher ?? createOperatorFetcher(site.operator, { timeoutMs });
  const queue: WebhookQueue = { waiting: [], dead: [] };
  /** Delivery → its hook. */
  const sending = new Map<string, string>();
  const failing = new Set<string>();
  const counted = { sent: 0, failed: 0 };
  let ending = new AbortController();
  let hooks: readonly Hook[] = [];
  let position: FeedPosition | null = null;
  let cursor = 0;
  let keeping: NodeJS.Timeout | null = null;
  /** Serialized tasks. */
  let work: Promise<unknown> = Promise.resolve();

  return {
    counts: () => ({ ...counted, waiting: queue.waiting.length, dead: queue.dead.length }),
    look,
    start() {
      // Another node may have sent since it was ended.
      ending = new AbortController();
      queue.waiting.length = 0;
      queue.dead.length = 0;
      hooks = readHooks(site.operator.events);
      position = createPosition(site);
      cursor = site.events.seq;
      const stops = [site.events.listen(hear), site.feed.watch(() => keepSoon), position.close];
      const looking = setInterval(look, lookMs);
      work = begin();
      return async () => {
        hear();
        clearInterval(looking);
        ending.abort();
        await work;
        if (keeping) clearTimeout(keeping);
        await keep();
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
    keepSoon();
    look();
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

  function keepSoon(): void {
    keeping ??= setTimeout(() => {
      keeping = null;
      work = work.then(keep);
    }, keepMs).unref();
  }

  async function keep(): Promise<void> {
    if (store.readOnly || !position) return;
    const kept: Kept = { position: position.text(), waiting: queue.waiting, dead: queue.dead };
    await store.faults.background('webhooks', () => store.private.set(documents.kept, Buffer.from(JSON.stringify(kept))));
  }

  /** One delivery of a hook at a time. */
  function look(): void {
    if (ending.signal.aborted) return;
    const busy = new Set(sending.values());
    for (const hook of hooks) {
      const due = queue.waiting.filter((one) => one.hook === hook.name && one.dueAt <= clock());
      const [next] = due.sort((a, b) => a.dueAt - b.dueAt);
      if (next && !busy.has(hook.name)) void send(hook, next);
    }
    if (store.private.stamp?.(documents.asked)) work = work.then(takeAsked);
  }

  /** Commands of the command line. */
  async function takeAsked(): Promise<void> {
    await store.faults.background('webhooks', async () => {
      const bytes = await store.private.get(documents.asked);
      if (bytes === null) return;
      await store.private.remove(documents.asked);
      revive(queue, readAsked(bytes), clock());
      keepSoon();
      setImmediate(look);
    });
  }

  async function send(hook: Hook, delivery: Delivery): Promise<void> {
    sending.set(delivery.id, hook.name);
    const around = {
      now: Math.floor(clock() / 1000),
      origin: new URL(homeOf(site)).origin,
      everyPath: () => everyPath(site),
    };
    const failure = await deliver(fetcher, hook, delivery, around, ending.signal);
    sending.delete(delivery.id);
    // An interrupted attempt is not counted: the next process repeats it.
    if (failure && ending.signal.aborted) return;
    settle(hook, delivery, failure);
    keepSoon();
    setImmediate(look);
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

  function settle(hook: Hook, delivery: Delivery, failure: Refused | null): void {
    if (!failure) {
      counted.sent++;
      remove(queue, delivery);
      if (failing.delete(hook.name)) log(`webhook ${hook.name}: accepted again`);
      return;
    }
    counted.failed++;
    const dead = postpone(queue, delivery, { now: clock(), ...failure });
    if (!failing.has(hook.name)) log(`webhook ${hook.name}: ${failure.error}; it is tried again for a day`);
    failing.add(hook.name);
    if (dead)
      log(`webhook ${hook.name}: gave up on ${dead.id} (${failure.error}); to send it again: cms events resend ${dead.id}`);
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
