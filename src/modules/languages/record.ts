/**
 * What other modules may ask about languages: those of the site, that of a request, and what is a translation of what.
 */
import type { Call } from '../../kernel/rest/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Language, LanguageSettings } from './settings.ts';

export { directionOf, type Language } from './settings.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly languages: Languages;
    readonly translations: Translations;
    /** How types and taxonomies are translated, where a module says it. */
    readonly translatedKinds?: (table: TranslatedTable) => TranslatedKinds;
  }
}

declare module '../../kernel/model/field.ts' {
  interface References {
    /** Code of the language that the name of a file stands for. */
    readonly language?: (path: string) => string;
    /** The folder below which a file names others. */
    readonly folderAt?: FolderOf;
    /** The default term in a language, where there is one; else that of the site. */
    readonly defaultTermIn?: (taxonomy: string, code: string) => number;
  }
}

/** The folder below which a file and those it names are: of a type, of media, of a taxonomy. */
export type FolderOf = (path: string) => string;

/** The languages of a site, as its settings are now. */
export interface Languages {
  /** Code of the language of items that say none. */
  readonly default: string;
  /** In the order in which they are shown. */
  readonly codes: readonly string[];
  readonly settings: LanguageSettings;
  of(code: string): Language | undefined;
}

/** What an item or term has of languages. */
export interface Translated {
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
  /** Code. */
  readonly lang: string;
  /** What it translates, as `readReference` reads it; '' for an original. */
  readonly translationOf: string | number;
  /** Of an item. */
  readonly type?: string;
  /** Of a term. */
  readonly taxonomy?: string;
}

/** What becomes of a member of a group in a write. */
export interface MemberChange {
  /** Absent: it is new. */
  readonly before?: Translated;
  /** Of a new one: only the name of its file says what it translates. */
  readonly isImplied?: boolean;
  /** Code of its language afterwards; '': it is gone. */
  readonly lang: string;
  /** What it translates afterwards; absent: nothing. */
  readonly original?: Translated;
}

/** Tables of what is translated. */
export type TranslatedTable = 'posts' | 'terms';

/** Types or taxonomies that are translated otherwise than the rest; the same object while nothing changes. */
export interface TranslatedKinds {
  /** Without translations: their items are in no group, and in the lists of every language. */
  readonly untranslated: ReadonlySet<string>;
  /** Their lists show in the default language what is not translated. */
  readonly shownUntranslated: ReadonlySet<string>;
}

/** Groups of items or terms that are one in several languages. Found by indexes; nothing is kept of them. */
export interface Translations {
  /** Whether items of a type or taxonomy are translated at all. One that is not is a group of its own. */
  isTranslated(table: TranslatedTable, kind: string): boolean;
  /** Whether lists of a language show an item of the default language in the place of its translation. */
  standsIn(item: Translated, code: string): boolean;
  /** By code, itself included; of two in one language the one asked about, else the lower id. Cost: a few look-ups per member. */
  group(item: Translated): ReadonlyMap<string, Translated>;
  /** Every member, lowest id first. */
  members(item: Translated): readonly Translated[];
  /** The member that the others translate. */
  original(item: Translated): Translated;
  /** The item of a group in a language. @returns the id; 0: there is none */
  idIn(table: TranslatedTable, id: number, code: string): number;
}

/** Code of the language that a request is in: what it names, in its address or as a parameter, else the default. */
export function languageOf({ site, params }: Pick<Call, 'site' | 'params'>): string {
  const named = params.lang_language;
  return typeof named === 'string' && site.languages.of(named) ? named : site.languages.default;
}

/** Locale of a language of the site; English where a site has no languages. @param code  default: the default language */
export function localeIn(site: Partial<Pick<Site, 'languages'>>, code?: string): string {
  return site.languages?.of(code || site.languages.default)?.locale ?? 'en_US';
}

/** Locale of the language that a request is in. */
export function localeOf({ site, params }: Pick<Call, 'site' | 'params'>): string {
  return localeIn(site, (site as Partial<Site>).languages && languageOf({ site, params }));
}
