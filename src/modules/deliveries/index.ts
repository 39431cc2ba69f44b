/**
 * Deliveries to others that wait: tried again for a day with growing pauses, then listed as dead. They are stored in the private mount, so they
 * survive a restart, and no request waits for them. Each has a lane, such as a receiver; a lane has one delivery at a time.
 */
import { randomBytes } from 'node:crypto';
import { isMap } from '../../kernel/model/maps.ts';
import { jsonIn } from '../../kernel/store/bytes.ts';
import type { Store } from '../../kernel/store/types.ts';
import { leaseMs, startLeased } from '../../kernel/site/leased.ts';

export interface Pending {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attempts: number;
  /** When it is due. */
  readonly dueAt: number;
  /** The last error; '' before. */
  readonly error: string;
}

export interface DeliveryQueue<T extends Pending> {
  waiting: T[];
  dead: T[];
}

/** Why a delivery was not accepted. */
export interface Refused {
  readonly error: string;
  readonly atLeastMs?: number;
  readonly isFinal?: boolean;
}

/** In the private mount. */
export interface OutboxDocuments {
  readonly prefix: string;
  readonly kept: string;
  /** Ids of dead deliveries to send again, from the command line. */
  readonly asked: string;
}

interface OutboxOptions<T extends Pending> {
  readonly store: Store;
  readonly clock: () => number;
  readonly log: (line: string) => void;
  /** In the log of disk faults. */
  readonly name: string;
  readonly documents: OutboxDocuments;
  readonly laneOf: (delivery: T) => string;
  /** A lane in the log. */
  readonly lane: (name: string) => string;
  /** The command that sends a dead delivery again; null: there is none, and dead ones are forgotten. */
  readonly resend: string | null;
  /** The queue in a stored document; null for none. */
  readonly read: (bytes: Uint8Array | null) => DeliveryQueue<T> | null;
  /** Null when accepted. Never throws. */
  readonly send: (delivery: T, signal: AbortSignal) => Promise<Refused | null>;
  /** What is stored in addition to the queue; null: not yet. */
  readonly more?: () => object | null;
  /** Nothing is sent that is not stored: another node that goes on with it sends it with the same id. */
  readonly storesFirst?: boolean;
  /** Interval of checks for due deliveries and commands. */
  readonly lookMs: number;
}

export interface DeliveryCounts {
  readonly waiting: number;
  readonly dead: number;
  /** Since the start. */
  readonly sent: number;
  readonly failed: number;
}

interface Outbox<T extends Pending> {
  readonly queue: DeliveryQueue<T>;
  /** Ids in progress. */
  readonly sending: { has(id: string): boolean };
  counts(): DeliveryCounts;
  /** Sends what is due. */
  look(): void;
  keepSoon(): void;
  /** Puts a delivery into the queue. Where many wait, it is dropped, and the log says so. @param what  in the log: `letter: invitation` */
  add(delivery: T, what: string): void;
  /**
   * Sends a queue that somebody else sees to.
   * @param resume   takes up what the last process has left
   * @param isOurs   whether this process is still the one that sends and stores
   */
  start(resume: () => Promise<void>, isOurs?: () => boolean): { stop(last?: () => void): Promise<void> };
  /** Sends the queue of this node, and goes on with those of nodes that are gone. @returns ends it */
  startOwn(): () => Promise<void>;
}

const maxDead = 100;
/** Waiting deliveries of which more are dropped. */
const maxWaiting = 1000;
/** Lifetime of a delivery. */
const dayMs = 86_400_000;
/** Delay before the second attempt; tripled for each further one. */
const firstPauseMs = 5000;
const longestPauseMs = 4 * 3_600_000;
/** Delay of storing, which combines bursts. */
const keepMs = 1000;
/** Interval of asking for the lease of the own queue. */
const askMs = 5000;
/** Interval of looking for queues of nodes that are gone. */
const takeOverMs = 30_000;

export function createOutbox<T extends Pending>(options: OutboxOptions<T>): Outbox<T> {
  const { store, clock, log, name, documents, laneOf, lane } = options;
  const queue: DeliveryQueue<T> = { waiting: [], dead: [] };
  /** Delivery → its lane. */
  const sending = new Map<string, string>();
  const failing = new Set<string>();
  const counted = { sent: 0, failed: 0 };
  let ending = new AbortController();
  let mayWork = (): boolean => true;
  let keeping: NodeJS.Timeout | null = null;
  /** Ids in the stored document. */
  let stored: ReadonlySet<string> = new Set();
  let isStoring = false;
  let takeOverAt = Number.POSITIVE_INFINITY;
  /** The stamp of the commands that were looked at. */
  let askedAt = 'null';
  /** Serialized tasks. */
  let work: Promise<unknown> = Promise.resolve();

  return {
    queue,
    sending,
    counts: () => ({ ...counted, waiting: queue.waiting.length, dead: queue.dead.length }),
    look,
    keepSoon,
    add(delivery, what) {
      if (queue.waiting.length >= maxWaiting) {
        log(`${name}: ${maxWaiting} wait; one more is dropped (${what})`);
        return;
      }
      queue.waiting.push(delivery);
      keepSoon();
    },
    start(resume, isOurs = () => true) {
      queue.waiting.length = 0;
      queue.dead.length = 0;
      return start(resume, isOurs);
    },
    startOwn() {
      // What is stored is not replaced before it has been taken up.
      mayWork = () => false;
      const stop = startLeased({ store }, leaseOf(documents.kept), askMs, (isHeld) => {
        takeOverAt = clock();
        const running = start(takeUp, isHeld);
        return () => running.stop();
      });
      return async () => {
        await stop();
        // While the engine was away there was no lease.
        if (queue.waiting.every(({ id }) => stored.has(id))) return;
        mayWork = () => true;
        await takeUp();
        await keep();
      };
    },
  };

  function start(resume: () => Promise<void>, isOurs: () => boolean): { stop(last?: () => void): Promise<void> } {
    mayWork = isOurs;
    // Another node may have sent since it was ended.
    ending = new AbortController();
    askedAt = 'null';
    const looking = setInterval(look, options.lookMs);
    work = resume().then(() => {
      keepSoon();
      look();
    });
    return {
      async stop(last) {
        last?.();
        clearInterval(looking);
        ending.abort();
        await work;
        if (keeping) clearTimeout(keeping);
        keeping = null;
        await keep();
      },
    };
  }

  /** What is stored may have gone on at another node: of what is in memory, only the rest counts. */
  async function takeUp(): Promise<void> {
    await store.shared?.fresh().catch(() => undefined);
    const before = options.read(await store.private.get(documents.kept).catch(() => null));
    const added = queue.waiting.filter(({ id }) => !stored.has(id));
    queue.waiting = [...(before?.waiting ?? []), ...added];
    queue.dead = [...(before?.dead ?? [])];
    stored = new Set(before?.waiting.map(({ id }) => id));
  }

  /** Goes on with queues whose nodes are gone. */
  async function takeOver(): Promise<void> {
    if (store.readOnly) return;
    await store.faults.background(name, async () => {
      for (const key of await store.private.keys(documents.prefix)) {
        if (key === documents.kept || key === documents.asked) continue;
        if (!(await (store.shared?.lease(leaseOf(key), leaseMs) ?? true))) continue;
        await store.shared?.fresh();
        await adopt(key);
        await store.shared?.lease(leaseOf(key), 0);
      }
    });
  }

  /** Stored here before it is removed there: after a crash in between it is sent twice, with the same id, rather than never. */
  async function adopt(key: string): Promise<void> {
    const found = options.read(await store.private.get(key));
    if (found === null) return;
    const known = new Set([...queue.waiting, ...queue.dead].map(({ id }) => id));
    const added = (all: readonly T[]): T[] => all.filter(({ id }) => !known.has(id));
    const left = { waiting: added(found.waiting), dead: added(found.dead) };
    if (!(await keep(left))) return;
    queue.waiting.push(...left.waiting);
    queue.dead.push(...left.dead);
    askedAt = 'null';
    await store.private.remove(key);
    setImmediate(look);
  }

  function keepSoon(): void {
    keeping ??= setTimeout(() => {
      keeping = null;
      work = work.then(() => keep());
    }, keepMs).unref();
  }

  /** @param also  becomes part of the queue. @returns whether it is stored */
  async function keep(also: DeliveryQueue<T> = { waiting: [], dead: [] }): Promise<boolean> {
    const more = options.more ? options.more() : {};
    if (store.readOnly || !more || !mayWork()) return false;
    const kept = { ...more, waiting: [...queue.waiting, ...also.waiting], dead: [...queue.dead, ...also.dead] };
    let isKept = false;
    await store.faults.background(name, async () => {
      await store.private.set(documents.kept, Buffer.from(JSON.stringify(kept)));
      stored = new Set(kept.waiting.map(({ id }) => id));
      isKept = true;
    });
    return isKept;
  }

  /** What is due, as far as it may be sent. */
  function mayBeSent(due: readonly T[]): readonly T[] {
    if (!options.storesFirst || due.every(({ id }) => stored.has(id))) return due;
    if (!isStoring) {
      isStoring = true;
      const before = stored;
      work = work
        .then(() => keep())
        .then(() => {
          isStoring = false;
          // Otherwise it is tried at the next look.
          if (stored !== before) setImmediate(look);
        });
    }
    return due.filter(({ id }) => stored.has(id));
  }

  function look(): void {
    if (ending.signal.aborted || !mayWork()) return;
    if (clock() >= takeOverAt) {
      // A process that has the content alone looks once.
      takeOverAt = store.shared ? clock() + takeOverMs : Number.POSITIVE_INFINITY;
      work = work.then(takeOver);
    }
    const busy = new Set(sending.values());
    const due = queue.waiting.filter(({ dueAt }) => dueAt <= clock()).sort((a, b) => a.dueAt - b.dueAt);
    for (const delivery of mayBeSent(due)) {
      const its = laneOf(delivery);
      if (busy.has(its)) continue;
      busy.add(its);
      void send(delivery);
    }
    const stamp = JSON.stringify(store.private.stamp?.(documents.asked) ?? null);
    if (stamp !== askedAt && stamp !== 'null') work = work.then(takeAsked);
    askedAt = stamp;
  }

  /** Commands of the command line; where others have queues as well, those that name a delivery of this one. */
  async function takeAsked(): Promise<void> {
    await store.faults.background(name, async () => {
      const ids = readAsked(await store.private.get(documents.asked));
      const isOwn = (id: string): boolean => store.shared === undefined || queue.dead.some((one) => one.id === id);
      const own = ids.filter(isOwn);
      if (own.length === 0) return;
      const left = (bytes: Uint8Array | null): Uint8Array | null => {
        const others = readAsked(bytes).filter((id) => !own.includes(id));
        return others.length === 0 ? null : Buffer.from(JSON.stringify(others));
      };
      await (store.private.update?.(documents.asked, left) ?? store.private.remove(documents.asked));
      revive(queue, own, clock());
      keepSoon();
      setImmediate(look);
    });
  }

  async function send(delivery: T): Promise<void> {
    sending.set(delivery.id, laneOf(delivery));
    const failure = await options.send(delivery, ending.signal);
    sending.delete(delivery.id);
    // An interrupted attempt is not counted: the next process repeats it.
    if (failure && ending.signal.aborted) return;
    settle(delivery, failure);
    keepSoon();
    setImmediate(look);
  }

  function settle(delivery: T, failure: Refused | null): void {
    const its = laneOf(delivery);
    if (!failure) {
      counted.sent++;
      remove(queue, delivery);
      if (failing.delete(its)) log(`${lane(its)}: accepted again`);
      return;
    }
    counted.failed++;
    const dead = postpone(queue, delivery, { now: clock(), ...failure }, laneOf);
    if (!failing.has(its)) log(`${lane(its)}: ${failure.error}; it is tried again for a day`);
    failing.add(its);
    if (!dead) return;
    const again = options.resend === null ? '' : `; to send it again: ${options.resend} ${dead.id}`;
    if (options.resend === null) queue.dead = queue.dead.filter((one) => one !== dead);
    log(`${lane(its)}: gave up on ${dead.id} (${failure.error})${again}`);
  }
}

/**
 * Where a process keeps its queue: of several nodes that share private documents, each sends what its own requests gave it. Two of them may have
 * the same name, such as a node that was killed and has started again: what it had left is taken over, as that of any other.
 */
export function ownDocuments<T extends OutboxDocuments>({ shared }: Store, all: T): T {
  return shared ? { ...all, kept: `${all.prefix}${shared.node}-${randomBytes(4).toString('hex')}.json` } : all;
}

/** Who has it sends the queue in that document. */
function leaseOf(key: string): string {
  return `queue ${key}`;
}

/** Reschedules a failed delivery. @returns the one that is dead now */
function postpone<T extends Pending>(
  queue: DeliveryQueue<T>,
  delivery: T,
  { now, error, atLeastMs = 0, isFinal = false }: Refused & { now: number },
  laneOf: (delivery: T) => string,
): T | null {
  const failed = { ...delivery, attempts: delivery.attempts + 1, error };
  if (isFinal || now - delivery.at >= dayMs) {
    remove(queue, delivery);
    queue.dead.push(failed);
    const own = queue.dead.filter((one) => laneOf(one) === laneOf(delivery));
    if (own.length > maxDead) queue.dead = queue.dead.filter((one) => one !== own[0]);
    return failed;
  }
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 3 ** Math.min(delivery.attempts, 10));
  // Jitter, so that retries do not coincide.
  const dueAt = now + Math.max(atLeastMs, pauseMs * (0.75 + Math.random() / 2));
  replace(queue, delivery, { ...failed, dueAt: Math.round(dueAt) });
  return null;
}

function remove<T extends Pending>(queue: DeliveryQueue<T>, { id }: T): void {
  queue.waiting = queue.waiting.filter((one) => one.id !== id);
}

/** Requeues dead deliveries. */
function revive<T extends Pending>(queue: DeliveryQueue<T>, ids: readonly string[], now: number): void {
  const again = queue.dead.filter(({ id }) => ids.includes(id));
  queue.dead = queue.dead.filter((one) => !again.includes(one));
  queue.waiting.push(...again.map((one) => ({ ...one, at: now, attempts: 0, dueAt: now })));
}

export function replace<T extends Pending>(queue: DeliveryQueue<T>, delivery: T, by: T): void {
  queue.waiting = queue.waiting.map((one) => (one.id === delivery.id ? by : one));
}

/** A delivery that is due after a pause. */
export function newPending(now: number, waitMs = 0): Pending {
  return { id: `msg_${randomBytes(12).toString('hex')}`, at: now, attempts: 0, error: '', dueAt: now + waitMs };
}

/** A stored queue with what else is stored with it; an unreadable one counts as missing. */
export function readQueue<T extends Pending>(
  bytes: Uint8Array | null,
  isOurs: (one: Readonly<Record<string, unknown>>) => boolean,
): (DeliveryQueue<T> & { readonly more: Readonly<Record<string, unknown>> }) | null {
  const found = jsonIn(bytes);
  if (!isMap(found)) return null;
  const list = (given: unknown): T[] =>
    Array.isArray(given) ? given.filter((one): one is T => isPending(one) && isOurs(one)) : [];
  return { waiting: list(found.waiting), dead: list(found.dead), more: found };
}

/** Ids of deliveries to resend. */
export function readAsked(bytes: Uint8Array | null): readonly string[] {
  const found = jsonIn(bytes);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
}

function isPending(one: unknown): one is Pending & Readonly<Record<string, unknown>> {
  return isMap(one) && typeof one.id === 'string' && typeof one.at === 'number' && typeof one.dueAt === 'number';
}
