/**
 * Long synchronous runs in short stretches: asks now and then whether it is time to let the event loop turn.
 *
 * Several runs may have a stretch in one turn, and one run several, one behind the other: whoever looks also looks at how long
 * the turn has lasted for all of them.
 */

export interface Pace {
  /**
   * True when the stretch has lasted `stretchMs`, or the turn much longer; looks at the clock only every few calls.
   * @param weight  how many calls this one is worth
   */
  isDue(weight?: number): boolean;
  /** Resolves after the event loop has turned, and others that rest as well have had turns of their own. */
  rest(): Promise<void>;
}

/** So long a turn may last for all that look at the clock. */
const turnMs = 16;
/** Whoever rests leaves so many turns to others before it takes its stretch beside theirs. */
const politeTurns = 3;

/** When the present turn began, as far as anybody has looked; by the clock of `performance.now`. */
let turnBegan = 0;
let isTurnSeen = false;

/** @param callsPerLook  how many calls take well under a millisecond */
export function createPace(stretchMs = 8, callsPerLook = 16): Pace {
  let calls = 0;
  let begun = performance.now();
  seeTurn(begun);
  return {
    isDue(weight = 1) {
      calls += weight;
      if (calls < callsPerLook) return false;
      calls = 0;
      const present = performance.now();
      return present - begun > stretchMs || present - seeTurn(present) > turnMs;
    },
    async rest() {
      seeTurn(performance.now());
      for (let turns = 0; turns < politeTurns; turns++) {
        await nextTurn();
        begun = performance.now();
        if (begun - seeTurn(begun) < turnMs / 2) return;
      }
    },
  };
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

/** @returns when the present turn began */
function seeTurn(present: number): number {
  if (!isTurnSeen) {
    isTurnSeen = true;
    turnBegan = present;
    setImmediate(endTurn);
  }
  return turnBegan;
}

function endTurn(): void {
  isTurnSeen = false;
}
