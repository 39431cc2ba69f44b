/** Escapes text. */
import { table } from './maps.ts';

/** `& < > " '` as entities, existing entities too. For text and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => escapes[char] as string);
}

/** Like `escapeHtml`, but keeps existing entities. */
export function escapeOnce(text: string): string {
  return text.replace(/&(?!#(?:\d{1,7}|x[\da-f]{1,6});|[a-z][a-z\d]{1,31};)|[<>"']/gi, (char) => escapes[char] as string);
}

const escapes: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' });

/** A name as markup: `&`, `<` and `>` as entities, existing ones kept; quotes unchanged. */
export function escapeName(name: string): string {
  return name.replace(/&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)|[<>]/gi, (char) => escapes[char] as string);
}
