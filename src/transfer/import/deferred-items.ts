/**
 * Items that came before what they refer to. They are kept by what they wait for, as far as there is room; who finds none comes
 * again in another pass through the source.
 */
interface DeferredItems<I, N> {
  /** Takes an item in until `need` is there. False: there is no room. */
  wait(item: I, need: N): boolean;
  /** The same for one that was inside already. */
  keep(item: I, need: N): void;
  /** Items that waited for this; they leave. */
  release(need: N): I[];
  /** All that still wait; they leave. */
  rest(): I[];
}

/** Bytes of text that may wait. */
const ROOM = 24 * 1024 * 1024;

/** @param sizeOf  bytes of an item, roughly */
export function createDeferredItems<I, N>(sizeOf: (item: I) => number, room = ROOM): DeferredItems<I, N> {
  const waiting = new Map<N, I[]>();
  let used = 0;

  return {
    wait(item, need) {
      const size = sizeOf(item);
      if (used + size > room) return false;
      put(item, need, size);
      return true;
    },
    keep: (item, need) => put(item, need, sizeOf(item)),
    release(need) {
      const out = waiting.get(need) ?? [];
      waiting.delete(need);
      leave(out);
      return out;
    },
    rest() {
      const out = [...waiting.values()].flat();
      waiting.clear();
      leave(out);
      return out;
    },
  };

  function put(item: I, need: N, size: number): void {
    used += size;
    const others = waiting.get(need);
    if (others) others.push(item);
    else waiting.set(need, [item]);
  }

  function leave(items: readonly I[]): void {
    for (const item of items) used -= sizeOf(item);
  }
}
