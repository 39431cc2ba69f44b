/**
 * Cooperative work: long runs in short stretches, between which the event loop serves others.
 *
 * Several runs may have a stretch in one turn of the event loop, and one run several, one behind the other: each that looks at the
 * clock also looks at how long the turn has lasted for all of them. A loop gives way with `for await (const item of paced(items))`;
 * a computation that is asked for at once as well as in stretches is a `Task`.
 */

/** So long a turn may last for all that look at the clock. */
const turnMs = 16;
/** A stretch of what nobody waits for: a request that comes meanwhile waits so long at most. */
export const backgroundMs = 0.25;
/** Turns that a resting run leaves to others before it takes its next stretch. */
const politeTurns = 3;

/** The event loop's present turn. There is one event loop in a thread, so there is one of these. */
const turn = { began: 0, isSeen: false };

export interface Pace {
  /** True when the stretch has lasted `stretchMs`, or the turn much longer; looks at the clock only every few calls. */
  isDue(): boolean;
  /** As `yieldToOthers`; a new stretch begins then. */
  rest(): Promise<void>;
}

/**
 * For loops that must know whether others have had their turn; all others are `paced`.
 * @param callsPerLook  how many calls take well under a millisecond
 */
export function createPace(stretchMs = 8, callsPerLook = 16): Pace {
  let calls = 0;
  let begun = performance.now();
  seeTurn(begun);
  return {
    isDue() {
      if (++calls < callsPerLook) return false;
      calls = 0;
      const present = performance.now();
      return present - begun > stretchMs || present - seeTurn(present) > turnMs;
    },
    async rest() {
      await yieldToOthers();
      begun = performance.now();
    },
  };
}

/**
 * The items, with rests of the event loop between them where they are due.
 * @param itemsPerLook  how many items take well under a millisecond
 * Cost: a tenth of a microsecond an item.
 */
export function paced<T>(items: Iterable<T>, itemsPerLook = 16, stretchMs = 8): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.iterator]();
      const pace = createPace(stretchMs, itemsPerLook);
      const next = (): Promise<IteratorResult<T>> => Promise.resolve(iterator.next());
      return {
        next: () => (pace.isDue() ? pace.rest().then(next) : next()),
        async return() {
          iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** The list in pieces of at most `size`. */
export function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** What is on a stack, to its end; items may be pushed while it runs. */
export function* drain<T>(stack: T[]): Generator<T> {
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) yield item;
}

/** A computation that pauses about every tenth of a millisecond. */
export type Task<T> = Generator<void, T>;

/** Beginning again is cheap, since what costs is remembered; but it must come to an end under steady changes. */
const maxStarts = 50;

/** Runs a computation to its end. */
export function finish<T>(task: Task<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs a computation in stretches. When `version` has changed in between it is begun again: the result holds for the version at the
 * moment the promise resolves. What takes less than a stretch, as nearly everything does, is done before this returns.
 */
export async function runTask<T>(begin: () => Task<T>, version: () => number, stretchMs = 8): Promise<T> {
  const pace = createPace(stretchMs, 1);
  for (let [task, begun, starts] = [begin(), version(), 1]; ; await pace.rest()) {
    if (version() !== begun) [task, begun, starts] = [begin(), version(), starts + 1];
    let step = task.next();
    while (!step.done && (starts > maxStarts || !pace.isDue())) step = task.next();
    if (step.done) return step.value;
  }
}

/** Resolves after the event loop has turned, and others that do the same have had turns of their own. */
export async function yieldToOthers(): Promise<void> {
  seeTurn(performance.now());
  for (let turns = 0; turns < politeTurns; turns++) {
    await nextTurn();
    const present = performance.now();
    if (present - seeTurn(present) < turnMs / 2) return;
  }
}

/** To be awaited between two pieces of work that cannot be cut: a promise when others have waited long, undefined when not. */
export function yieldIfBusy(): Promise<void> | undefined {
  const present = performance.now();
  return present - seeTurn(present) > turnMs / 2 ? nextTurn() : undefined;
}

/** Resolves in a later turn of the event loop, when every promise that is settled now has been followed. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @returns when the present turn began, as far as anybody has looked; by the clock of `performance.now` */
function seeTurn(present: number): number {
  if (!turn.isSeen) {
    turn.isSeen = true;
    turn.began = present;
    setImmediate(endTurn);
  }
  return turn.began;
}

function endTurn(): void {
  turn.isSeen = false;
}
