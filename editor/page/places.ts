/** Places in a text, as pages of the site name them: by the words that a block begins with, or by a picture. */

export interface TextPlace {
  /** The first words of a block. */
  readonly words?: string;
  /** How many blocks are before it on the page. */
  readonly block?: number;
  /** Address of a picture in it. */
  readonly picture?: string;
}

export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The name of a file, whatever size of it is shown. */
export function fileOf(address: string): string {
  const name = address.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return name.replace(/-\d+x\d+(?=\.\w+$)/, '').replace(/\.\w+$/, '');
}

/**
 * Which block is meant: the nearest of those that begin so, else the one in its place.
 *
 * @param texts  of all blocks
 */
export function nearestBlock(texts: readonly string[], { words = '', block = 0 }: TextPlace): number {
  const wanted = wordsIn(words).join(' ');
  const found = wanted === '' ? [] : texts.flatMap((text, at) => (wordsIn(text).join(' ').startsWith(wanted) ? [at] : []));
  const nearest = found.sort((a, b) => Math.abs(a - block) - Math.abs(b - block))[0];
  return nearest ?? Math.max(0, Math.min(block, texts.length - 1));
}
