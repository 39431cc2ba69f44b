/**
 * Folding: how texts are compared in searches. Case and accents do not count, as in the reference's database
 * (é, E and e are one letter; が and か too), letters are never expanded (ß stays one letter).
 */

const runs = new Map<string, string>();
const maxRuns = 20_000;

/**
 * Lower case without accents. Each run of non-ASCII characters is folded by itself and remembered: most texts have few
 * different ones, and ASCII text costs no more than `toLowerCase`.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.replace(notAscii, foldRun);
}

/** Whether `fold(text)` contains `piece`, which is folded already. */
export function hasFolded(text: string, piece: string): boolean {
  const lower = text.toLowerCase();
  // Folding accents leaves ASCII alone: such a piece that is there before is there after.
  if (isAscii(piece) && lower.includes(piece)) return true;
  return !isAscii(lower) && lower.replace(notAscii, foldRun).includes(piece);
}

/** By far the quickest way to see it. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const notAscii = /[^\0-\x7f]+/g;
/** Accents in the narrow sense: marks used in many scripts. Vowel signs of Indic scripts are letters here. */
const accents = /(?=\p{Script=Inherited})\p{Mn}|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;

function foldRun(run: string): string {
  let folded = runs.get(run);
  if (folded === undefined) {
    // Lower-casing depends on the place in the word for sigma alone.
    folded = run.normalize('NFD').replace(accents, '').normalize('NFC').replaceAll('ς', 'σ');
    if (runs.size >= maxRuns) runs.clear();
    if (run.length <= 32) runs.set(run, folded);
  }
  return folded;
}
