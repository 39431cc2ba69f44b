/**
 * Claims: which files state an id, and which of them is served under it. Whoever is served keeps the id as long as its file is
 * there; the others wait. What becomes of them is decided by `identity.ts`.
 */

/** Several files that state one id of a number space. */
export interface Contest {
  readonly space: string;
  readonly id: number;
  /** The first is served. */
  readonly paths: readonly string[];
}

export interface IdClaims {
  /** The file that is served under an id. */
  holder(space: string, id: number): string | undefined;
  /** Files that state an id, the one that is served first. */
  claimants(space: string, id: number): readonly string[];
  /**
   * Adds a file to those that state an id.
   * @param before  a file that is to be served, although it has perhaps not come yet
   * @returns the file that is served
   */
  claim(space: string, id: number, path: string, before?: string): string;
  /** Takes a file out. @returns those that are left, the one that is served now first */
  release(space: string, id: number, path: string): readonly string[];
  contests(): readonly Contest[];
}

export function createClaims(): IdClaims {
  const holders = new Map<string, Map<number, string>>();
  const contested = new Map<string, Contest>();

  function claimants(space: string, id: number): readonly string[] {
    const several = contested.size > 0 ? contested.get(`${space}:${id}`) : undefined;
    if (several) return several.paths;
    const one = holders.get(space)?.get(id);
    return one === undefined ? [] : [one];
  }

  function set(space: string, id: number, paths: readonly string[]): void {
    const held = holders.get(space) ?? new Map<number, string>();
    holders.set(space, held);
    const [first] = paths;
    if (first === undefined) held.delete(id);
    else held.set(id, first);
    if (paths.length > 1) contested.set(`${space}:${id}`, { space, id, paths });
    else if (contested.size > 0) contested.delete(`${space}:${id}`);
  }

  return {
    holder: (space, id) => holders.get(space)?.get(id),
    claimants,
    claim(space, id, path, before) {
      const paths = claimants(space, id);
      const first = paths.length === 0 && before !== undefined && before !== path ? [before] : paths;
      if (!first.includes(path)) set(space, id, [...first, path]);
      return holders.get(space)?.get(id) as string;
    },
    release(space, id, path) {
      const left = claimants(space, id).filter((other) => other !== path);
      set(space, id, left);
      return left;
    },
    contests: () => [...contested.values()],
  };
}
