/** Long synchronous runs in short stretches: asks now and then whether it is time to let the event loop turn. */

export interface Pace {
  /** True when the stretch has lasted `stretchMs`; looks at the clock only every few calls. */
  isDue(): boolean;
  /** Resolves after the event loop has turned. */
  rest(): Promise<void>;
}

/** @param callsPerLook  how many calls take well under a millisecond */
export function createPace(stretchMs = 8, callsPerLook = 16): Pace {
  let calls = 0;
  let begun = performance.now();
  return {
    isDue: () => ++calls % callsPerLook === 0 && performance.now() - begun > stretchMs,
    async rest() {
      await turn();
      begun = performance.now();
    },
  };
}

/** Resolves in a later turn of the event loop, when every promise that is settled now has been followed. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
