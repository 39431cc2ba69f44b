/**
 * Languages of a live site, of our own extended deployment or of Polylang: items say their language and their translations (`lang`,
 * `translations`). Lists show one language at a time where they have a parameter for it, as ours and those of WPML do, so each language is
 * asked for.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { languageName } from '../../../modules/languages/names.ts';
import { languageCode } from '../../import/item-language.ts';
import type { ItemLanguage, SourceLanguages } from '../../import/items.ts';
import type { RestParams } from './client.ts';
import type { Row } from './collection.ts';
import type { Discovered } from './discover.ts';
import { argumentsOf } from './site.ts';
import { id, list, text } from './values.ts';

/** Fields of items that say languages; those that are not writable are no fields to be kept. */
export const languageFields: readonly string[] = ['lang', 'translations', 'translation_of', 'locale'];
/** Other ways to write them. */
const languageArgs: ReadonlySet<string> = new Set([...languageFields, 'trid', 'source_lang']);
/** Route of Polylang's languages. */
export const polylangRoute = '/pll/v1/languages';

export interface RestLanguages {
  /** Parameters with which a list has to be asked, and the code of the language whose items come; '' for whatever comes. */
  queries(route: string): readonly { readonly code: string; readonly params: RestParams }[];
  /** Whether an argument of a list's items is about languages, and no data of theirs. */
  isArgument(route: string, name: string): boolean;
  /** @param asked  code of the language that was asked for, for items that say none */
  item(row: Row, asked: string): ItemLanguage | undefined;
  /** Of the items that were read. */
  known(): SourceLanguages | undefined;
}

/** @param polylang  what `polylangRoute` answers */
export function createLanguageReader({ index, dialect }: Discovered, polylang: unknown): RestLanguages {
  const parameter = dialect.wireName('lang_language');
  const said = new Map<string, SourceLanguages['known'][number]>();
  const seen = new Set<string>();
  const learn = (name: string, locale: string, title: string): void => {
    const code = languageCode(name);
    if (code !== '' && locale !== '' && !said.has(code))
      said.set(code, { code, locale, name: title || languageName(code, code) });
  };
  for (const row of list(polylang).map(mapOf)) learn(text(row, 'slug'), text(row, 'locale'), text(row, 'name'));

  /** Whether its items say their language. */
  const isSaid = (route: string): boolean => {
    const args = argumentsOf(index, route, 'POST');
    return args !== null && 'lang' in args && 'translations' in args;
  };
  return {
    queries(route) {
      const codes = list(mapOf(argumentsOf(index, route, 'GET')?.[parameter]).enum).filter((code) => code !== 'all');
      const each = codes
        .map(String)
        .filter((code) => languageCode(code) !== '')
        .map((code) => ({ code, params: { [parameter]: code } }));
      // Where items do not say their language, those that come unasked are in the default one.
      return each.length > 0 && isSaid(route) ? each : [{ code: '', params: {} }, ...each];
    },
    isArgument: (route, name) => name === parameter || (languageArgs.has(name) && isSaid(route)),
    item(row, asked) {
      const named = languageCode(text(row, 'lang'));
      const isWhole = named !== '' && typeof row.translations === 'object' && row.translations !== null;
      const code = isWhole ? named : languageCode(asked);
      if (code === '') return undefined;
      seen.add(code);
      if (!isWhole) return { code, group: '' };
      learn(code, text(row, 'locale'), '');
      const original = id(row, 'translation_of');
      if (original !== undefined) return { code, group: '', original: String(original) };
      if (row.translation_of === 0) return { code, group: '' };
      const members = Object.values(row.translations as object).flatMap((one) => id({ id: mapOf(one).id ?? one }) ?? []);
      return { code, group: members.length > 1 ? String(Math.min(...members)) : '' };
    },
    known() {
      const known = [...said.values()].filter(({ code }) => seen.has(code));
      return seen.size === 0 ? undefined : { known, terms: new Map() };
    },
  };
}
