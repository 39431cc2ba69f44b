/**
 * Items that came before what they refer to. They wait in memory as far as there is room; the others come again in another pass
 * through the source.
 */
export interface DeferredItems<I, N> {
  /** Holds an item back until `need` is written. False: there is no room. */
  add(item: I, need: N): boolean;
  /** The same for an item that was held back before. */
  addAgain(item: I, need: N): void;
  /** Removes the items that waited for this. */
  release(need: N): I[];
  /** Removes all items. */
  rest(): I[];
}

/** Bytes of text that may wait. */
const defaultRoom = 24 * 1024 * 1024;

/** @param sizeOf  bytes of an item, roughly */
export function createDeferredItems<I, N>(sizeOf: (item: I) => number, room = defaultRoom): DeferredItems<I, N> {
  const waiting = new Map<N, I[]>();
  let used = 0;
  const put = (item: I, need: N): void => {
    used += sizeOf(item);
    const others = waiting.get(need);
    if (others) others.push(item);
    else waiting.set(need, [item]);
  };
  const removed = (items: I[]): I[] => {
    for (const item of items) used -= sizeOf(item);
    return items;
  };
  return {
    add(item, need) {
      if (used + sizeOf(item) > room) return false;
      put(item, need);
      return true;
    },
    addAgain: put,
    release(need) {
      const items = waiting.get(need) ?? [];
      waiting.delete(need);
      return removed(items);
    },
    rest() {
      const items = [...waiting.values()].flat();
      waiting.clear();
      return removed(items);
    },
  };
}
