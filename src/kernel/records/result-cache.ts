/**
 * Results by name, the least recently used dropped when there are too many or they are too large together.
 */

interface ResultCache<T> {
  get(name: string | undefined): T | undefined;
  /** Keeps a result, if it has a name. @returns the result */
  set(name: string | undefined, result: T): T;
  clear(): void;
}

const maxResults = 512;
const maxWeight = 1_000_000;

/** @param weigh  what a result costs to keep; a million in all, and a quarter of that for one */
export function createResultCache<T>(weigh: (result: T) => number): ResultCache<T> {
  const results = new Map<string, T>();
  let weight = 0;

  function drop(name: string): void {
    const result = results.get(name);
    if (result === undefined) return;
    weight -= weigh(result);
    results.delete(name);
  }

  return {
    get(name) {
      const result = name === undefined ? undefined : results.get(name);
      if (result === undefined || name === undefined) return undefined;
      results.delete(name);
      results.set(name, result);
      return result;
    },
    set(name, result) {
      if (name === undefined || weigh(result) > maxWeight / 4) return result;
      drop(name);
      results.set(name, result);
      weight += weigh(result);
      for (const oldest of results.keys()) {
        if (results.size <= maxResults && weight <= maxWeight) break;
        drop(oldest);
      }
      return result;
    },
    clear() {
      results.clear();
      weight = 0;
    },
  };
}
