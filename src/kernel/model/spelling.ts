/**
 * Likely misspellings: the known word nearest to an unknown one.
 */

/**
 * The candidate that differs least from the word, ignoring case; undefined when none is near: one slip in words of up to four
 * letters, two up to eight, three in longer ones. A slip is a letter left out, added, changed, or two neighbours swapped.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const limit = wanted.length <= 4 ? 1 : wanted.length <= 8 ? 2 : 3;
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    if (candidate === '' || Math.abs(candidate.length - word.length) >= least) continue;
    const distance = slips(wanted, candidate.toLowerCase());
    // A word of two letters is one slip from every other: half of it must be right.
    if (distance >= least || distance * 2 > Math.max(word.length, candidate.length)) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Slips between two words (optimal string alignment). O(a · b). */
export function slips(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const equal = a[row - 1] === b[column - 1];
      let cost = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (equal ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    [before, above] = [above, current];
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
