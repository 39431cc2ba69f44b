/**
 * Text as markup.
 */
import { table } from './maps.ts';

/** `& < > " '` as entities; entities that are already there are encoded again. Fit for text and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => escapes[char] as string);
}

/** As `escapeHtml`, but an `&` that begins an entity stays. */
export function escapeOnce(text: string): string {
  return text.replace(/&(?!#(?:\d{1,7}|x[\da-f]{1,6});|[a-z][a-z\d]{1,31};)|[<>"']/gi, (char) => escapes[char] as string);
}

const escapes: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' });

/** A name as markup: `&`, `<` and `>` as entities, unless they are already; quotes stay. */
export function escapeName(name: string): string {
  return name.replace(/&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)|[<>]/gi, (char) => escapes[char] as string);
}
