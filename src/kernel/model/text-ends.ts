/**
 * The end of a text without a pattern: `/\/+$/` is tried at each place of a text, which costs the square of its length.
 */

/** Text without those signs at its end. Cost: linear. @param signs  each of one UTF-16 unit */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
