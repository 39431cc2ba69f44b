/**
 * The words of the page: known by what they are in English. One catalogue, `words-de.ts`, has them in German.
 */
import { de } from './words-de.ts';

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { de };
let words: Readonly<Record<string, string>> = {};

/** @param locale  of the person: `de_DE` */
export function speak(locale: string): void {
  const language = locale.split(/[-_]/)[0] ?? 'en';
  const known = Object.hasOwn(catalogues, language);
  words = known ? (catalogues[language] as typeof words) : {};
  document.documentElement.lang = known ? language : 'en';
}

/** @param values  for `{name}` in the text */
export function say(english: string, values: Readonly<Record<string, unknown>> = {}): string {
  const text = Object.hasOwn(words, english) ? (words[english] as string) : english;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
