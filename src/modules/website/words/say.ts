/** Theme texts in the language of a page. The key is the English text, which is also the fallback. */
import { de } from './de.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import type { Words, WordsByLanguage } from './record.ts';

/** @param values  for `{name}` in the text. @returns plain text */
export type Say = (english: string, values?: Readonly<Record<string, unknown>>) => string;

const en: Words = {
  '{count} comments': { one: '{count} comment', other: '{count} comments' },
  '{count} results': { one: '{count} result', other: '{count} results' },
};

export const ownLanguages: WordsByLanguage = new Map(Object.entries({ en, de, es, fr, it, nl, pl, pt }));

/** @param tag  of the page: `de-AT`. @param others  win over the built-in ones */
export function sayIn(tag: string, others: WordsByLanguage = new Map()): Say {
  const chain = (language: string): readonly Words[] => [others.get(language) ?? {}, ownLanguages.get(language) ?? {}];
  const narrower = waysOf(tag).map((language) => ({ language, all: chain(language) }));
  const known = [...narrower, { language: 'en', all: chain('en') }];
  return (english, values = {}) => {
    for (const { language, all } of known)
      for (const words of all) {
        const word = Object.hasOwn(words, english) ? words[english] : undefined;
        if (word !== undefined) return filled(typeof word === 'string' ? word : pluralOf(word, language, values.count), values);
      }
    return filled(english, values);
  };
}

/** `de-AT` → `de-AT`, `de`. */
function waysOf(tag: string): string[] {
  const parts = tag.split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
}

const rules = new Map<string, Intl.PluralRules | null>();

function pluralOf(word: Readonly<Record<string, string>>, language: string, count: unknown): string {
  const category = rulesOf(language)?.select(Number(count)) ?? 'other';
  const text = Object.hasOwn(word, category) ? word[category] : word.other;
  return text ?? Object.values(word)[0] ?? '';
}

/** Null for an invalid language. */
function rulesOf(language: string): Intl.PluralRules | null {
  const known = rules.get(language);
  if (known !== undefined) return known;
  const made = isLanguage(language) ? new Intl.PluralRules(language) : null;
  rules.set(language, made);
  return made;
}

/** Whether a text is a language tag. */
export function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function filled(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
