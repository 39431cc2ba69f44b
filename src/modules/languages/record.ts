/**
 * What other modules may ask about languages: those of the site, and that of a request.
 */
import type { Call } from '../../kernel/rest/types.ts';
import type { Language, LanguageSettings } from './settings.ts';

export type { Language } from './settings.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly languages: Languages;
  }
}

/** The languages of a site, as its settings are now. */
export interface Languages {
  /** Code of the language of items that say none. */
  readonly default: string;
  /** In the order in which they are shown. */
  readonly codes: readonly string[];
  readonly settings: LanguageSettings;
  of(code: string): Language | undefined;
}

/** Code of the language that a request is in: what it names, in its address or as a parameter, else the default. */
export function languageOf({ site, params }: Pick<Call, 'site' | 'params'>): string {
  const named = params.lang_language;
  return typeof named === 'string' && site.languages.of(named) ? named : site.languages.default;
}
