/**
 * The languages of a new site of the extended deployment: what `site.yaml` says of them, and the default category of each.
 */
import type { FileChange } from '../kernel/store/types.ts';
import { languageName } from '../modules/languages/names.ts';

/** What a site is in whose `site.yaml` names no languages. */
const usual: readonly string[] = ['en_US', 'de_DE'];
const defaultCategory = 'uncategorized';

/** `de` for `de_DE`: what addresses and names of files have. */
export function codeOf(locale: string): string {
  return locale.split('_', 1)[0] as string;
}

/** A locale for a language that is named without its country: `fr_FR` for `fr`. */
export function localeFor(language: string): string {
  const { region } = new Intl.Locale(language.replaceAll('_', '-')).maximize();
  return language.includes('_') || region === undefined ? language : `${language}_${region}`;
}

/** `lang:` of `site.yaml`. One language alone has addresses without its code. @param locales  the default one first */
export function languageBlock(locales: readonly string[]): Readonly<Record<string, unknown>> {
  const languages = Object.fromEntries(
    locales.map((locale) => {
      const code = codeOf(locale);
      return [code, { locale, name: languageName(code, 'en'), native_name: languageName(code, code) }];
    }),
  );
  const [first = ''] = Object.keys(languages);
  return { default: first, languages, ...(locales.length === 1 ? { url: { default_in_directory: false } } : {}) };
}

/** The default category in each language but the first, whose own every site has. */
export function defaultCategories(locales: readonly string[] = usual): readonly FileChange[] {
  return locales.slice(1).map((locale, at) => {
    const lang = codeOf(locale);
    const [slug, name] = lang === 'de' ? ['allgemein', 'Allgemein'] : [`${defaultCategory}-${lang}`, 'Uncategorized'];
    const data = { id: at + 2, name, lang, translation_of: defaultCategory };
    return { path: `terms/category/${slug}.yaml`, expect: null, data, order: Object.keys(data) };
  });
}
