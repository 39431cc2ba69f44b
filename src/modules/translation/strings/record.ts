/**
 * Strings: short texts of a site that belong to no item, such as its title, labels of menus and taxonomies, and what front ends bring.
 *
 * A string has a name within its domain, and a context where the name alone is not enough. What it is translated to stands in one file
 * for each domain and language, beside the original that was translated: when that changes, the translation needs an update. A site
 * lists strings of its own in `lang/strings/<domain>.yaml`.
 *
 * Source: reference on languages, 9 and 13.6; decisions, "Where things are kept" (content files are YAML).
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { LanguageFiles } from './language-files.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationStrings: TranslationStrings;
    readonly languageFiles: LanguageFiles;
  }
}

export const stringTypes = ['LINE', 'AREA', 'VISUAL'] as const;
/** One line, several, or text with markup. */
export type StringType = (typeof stringTypes)[number];

export interface SourceString {
  readonly domain: string;
  readonly name: string;
  readonly value: string;
  readonly context?: string;
  /** For other numbers than one. */
  readonly plural?: string;
  /** Default: LINE. */
  readonly type?: StringType;
  /** Code of its language; default: the setting `source_language`, else the language of the site. */
  readonly lang?: string;
}

export interface UiString extends Required<Omit<SourceString, 'plural'>> {
  /** Follows from domain, name and context. */
  readonly id: number;
  readonly plural: string | null;
}

export const stringStatus = { none: 0, inProgress: 2, needsUpdate: 3, complete: 10 } as const;

export interface StringTranslation {
  readonly name: string;
  readonly context: string;
  /** The text that was translated. */
  readonly original: string;
  /** One for each form of the plural. */
  readonly values: readonly string[];
  readonly isFuzzy: boolean;
  /** Id of a user; 0: nobody is named. */
  readonly translator: number;
  /** GMT; '' where it is not said. */
  readonly date: string;
}

export interface TranslationStrings {
  /** What modules bring, each time somebody asks for all strings. */
  addSource(source: () => Iterable<SourceString>): void;
  /** A string of a module. The same name again takes the place of the one before. */
  registerString(domain: string, name: string, value: string, context?: string): void;
  /** Every string, by id; of two that are called the same the first one. */
  all(): ReadonlyMap<number, UiString>;
  domains(): readonly string[];
  /**
   * What an answer in a language shows in place of a text: the finished translation of that very text, else what a file of the language
   * has for it; null: neither.
   * Cost: two look-ups.
   * @param by  whose answer it is; absent: nobody's, and a string that is not registered stays so
   */
  translate(string: Pick<SourceString, 'domain' | 'name' | 'value' | 'context'>, code: string, by?: Actor | null): string | null;
  statusOf(string: UiString, code: string): number;
  /** What people translated, by name and context (`nameKey`). */
  translations(domain: string, code: string): ReadonlyMap<string, StringTranslation>;
  /** Writes translations over those there are. @throws RestError lang_unknown */
  save(domain: string, code: string, rows: readonly StringTranslation[]): Promise<void>;
}

/** How names are told apart where there are contexts. */
export function nameKey(name: string, context = ''): string {
  return `${context}\u0004${name}`;
}

/** A domain, context or component as it may stand in the name of a file. */
export function fileName(text: string): string {
  const safe = text
    .toLowerCase()
    .replaceAll('/', '-')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^\.+/, '-');
  return safe === '' ? '-' : safe.slice(0, 100);
}
