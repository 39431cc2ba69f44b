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

/**
 * Whether folding a text only lowers its ASCII letters, as far as pieces of ASCII are concerned: no other character becomes
 * one (é), vanishes (an accent by itself) or is lowered to one (the Kelvin sign).
 */
export function isPlain(text: string): boolean {
  if (isAscii(text)) return true;
  if (text.includes('\u212a')) return false;
  for (const [run] of text.toLowerCase().matchAll(notAscii)) {
    const folded = foldRun(run);
    if (folded === '' || hasAscii.test(folded)) return false;
  }
  return true;
}

/** By far the quickest way to see it. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const notAscii = /[^\0-\x7f]+/g;
const hasAscii = /[\0-\x7f]/;
/** Accents in the narrow sense: marks used in many scripts. Vowel signs of Indic scripts are letters here. */
const accents = /(?=\p{Script=Inherited})\p{Mn}|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;

function foldRun(run: string): string {
  let folded = runs.get(run);
  if (folded === undefined) {
    // Only for sigma does lower-casing depend on the place in the word.
    folded = run.normalize('NFD').replace(accents, '').normalize('NFC').replaceAll('ς', 'σ');
    if (runs.size >= maxRuns) runs.clear();
    if (run.length <= 32) runs.set(run, folded);
  }
  return folded;
}
