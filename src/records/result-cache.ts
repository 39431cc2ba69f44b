/**
 * Results by name, the least recently used dropped when there are too many or they are too large together.
 */

export interface ResultCache<T> {
  /** The result of that name, made if need be. Without a name it is made and not kept. */
  get(name: string | undefined, make: () => T): T;
  clear(): void;
}

const maxResults = 512;
const maxWeight = 1_000_000;

/** @param weigh  what a result costs to keep; a million in all, and a quarter of that for one */
export function createResultCache<T>(weigh: (result: T) => number): ResultCache<T> {
  const results = new Map<string, T>();
  let weight = 0;

  function drop(name: string): void {
    weight -= weigh(results.get(name)!);
    results.delete(name);
  }

  return {
    get(name, make) {
      if (name === undefined) return make();
      let result = results.get(name);
      if (result !== undefined) {
        results.delete(name);
        results.set(name, result);
        return result;
      }
      result = make();
      if (weigh(result) > maxWeight / 4) return result;
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
