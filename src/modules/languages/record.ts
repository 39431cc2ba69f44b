/** Languages for other modules: those of the site, that of a request, and translations. */
import type { Call } from '../../kernel/rest/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Language, LanguageSettings } from './settings.ts';

export { directionOf } from './settings.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly languages: Languages;
    readonly translations: Translations;
    /** How types and taxonomies are translated, if configured. */
    readonly translatedKinds?: (table: TranslatedTable) => TranslatedKinds;
  }
}

declare module '../../kernel/model/field.ts' {
  interface References {
    /** Language code in a file name. */
    readonly language?: (path: string) => string;
    /** The folder to which references in a file are relative. */
    readonly folderAt?: FolderOf;
    /** The default term in a language, else that of the site. */
    readonly defaultTermIn?: (taxonomy: string, code: string) => number;
  }
}

/** The folder to which references are relative: of a type, of media, of a taxonomy. */
export type FolderOf = (path: string) => string;

/** The site's languages, with current settings. */
export interface Languages {
  /** Code of the default language. */
  readonly default: string;
  /** In display order. */
  readonly codes: readonly string[];
  readonly settings: LanguageSettings;
  of(code: string): Language | undefined;
}

/** The language of an item or term. */
export interface Translated {
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
  /** Code. */
  readonly lang: string;
  /** Reference to the original, from `readReference`; '' for an original. */
  readonly translationOf: string | number;
  /** Of an item. */
  readonly type?: string;
  /** Of a term. */
  readonly taxonomy?: string;
}

/** A change of a group member in a write. */
export interface MemberChange {
  /** Absent if new. */
  readonly before?: Translated;
  /** Of a new one: its original is only implied by its file name. */
  readonly isImplied?: boolean;
  /** Code of its new language; '' if removed. */
  readonly lang: string;
  /** Its new original; absent: none. */
  readonly original?: Translated;
}

export type TranslatedTable = 'posts' | 'terms';

/** Types or taxonomies with their own translation mode; the same object until it changes. */
export interface TranslatedKinds {
  /** Untranslated: no groups, and in the lists of every language. */
  readonly untranslated: ReadonlySet<string>;
  /** Lists show untranslated items in the default language. */
  readonly shownUntranslated: ReadonlySet<string>;
}

/** Translation groups, found by indexes; nothing is stored. */
export interface Translations {
  /** Whether a type or taxonomy is translated. An item of one that is not is its own group. */
  isTranslated(table: TranslatedTable, kind: string): boolean;
  /** Whether lists of a language show the item in place of its translation. */
  standsIn(item: Translated, code: string): boolean;
  /** By code, including itself; of two in one language the given one, else the lower id. Cost: a few lookups per member. */
  group(item: Translated): ReadonlyMap<string, Translated>;
  /** Every member, lowest id first. */
  members(item: Translated): readonly Translated[];
  /** The original of a group. */
  original(item: Translated): Translated;
  /** The item of a group in a language. @returns the id; 0: none */
  idIn(table: TranslatedTable, id: number, code: string): number;
}

/** Language code of a request: from its URL or parameter, else the default. */
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
