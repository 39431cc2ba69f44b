/**
 * Languages of an export whose site had Polylang, which keeps them in terms of its own: a language is a term of `language` whose description
 * has its locale, and items that are one in several languages have a term of `post_translations` in common. What terms are in only the
 * descriptions of `term_translations` say: ids by the codes of languages.
 *
 * Nothing of WPML's is in an export but traces in meta, unless its own tool for exports has added rows.
 */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { decodeEntities } from '../../../render/text.ts';
import { languageCode } from '../../import/item-language.ts';
import type { ItemLanguage, SourceLanguages } from '../../import/items.ts';
import { type RawMeta, toId } from './element.ts';
import { readMetaValue } from './php-values.ts';

interface NamedTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

export interface LanguageReader {
  /** Takes a term that only says something of languages. @returns whether it is one */
  term(term: NamedTerm & { readonly description: string }): boolean;
  /** The language of an item, and the terms that are no part of it. */
  item(terms: readonly NamedTerm[], raw: RawMeta): { readonly language?: ItemLanguage; readonly terms: readonly NamedTerm[] };
  /** @param keyOf  key of the term with an id; undefined where the export does not have it */
  languages(keyOf: (id: number) => string | undefined): SourceLanguages | undefined;
  /** The site had languages that the export does not say. */
  readonly isUnsaid: boolean;
}

const ofLanguages: ReadonlySet<string> = new Set(['post_translations', 'term_language', 'term_translations']);
const traces = /^_?(?:wpml|icl)_/;
/** Rows that the export tool of WPML adds. */
const rows = { language: '_wpml_import_language_code', group: '_wpml_import_translation_group' } as const;

export function createLanguageReader(): LanguageReader {
  const known = new Map<string, SourceLanguages['known'][number]>();
  /** Terms of `language` that are the site's own. */
  const own = new Set<string>();
  const ofTerms = new Map<number, ItemLanguage>();
  let isSaid = false;
  let hasTraces = false;

  /** A language, unless the site has a taxonomy of this name for something else. */
  const isLanguage = ({ taxonomy, slug }: NamedTerm): boolean =>
    taxonomy === 'language' && languageCode(slug) !== '' && (known.has(languageCode(slug)) || own.size === 0);

  return {
    term(term) {
      const { taxonomy, slug, name, description } = term;
      const said = structureOf(description);
      if (taxonomy === 'language') {
        const { locale } = said;
        if (typeof locale !== 'string') {
          own.add(slug);
          return false;
        }
        const code = languageCode(slug) || slug;
        known.set(code, { code, locale, name });
        return true;
      }
      if (!ofLanguages.has(taxonomy)) return false;
      if (taxonomy === 'term_translations')
        for (const [one, id] of Object.entries(said)) {
          const number = toId(String(id));
          const code = languageCode(one);
          if (number !== undefined && code !== '') ofTerms.set(number, { code, group: slug });
        }
      return true;
    },
    item(terms, raw) {
      hasTraces ||= [...raw.keys()].some((key) => traces.test(key));
      const language = terms.find(isLanguage);
      const group = terms.find(({ taxonomy }) => taxonomy === 'post_translations')?.slug ?? '';
      const said = language?.slug ?? raw.get(rows.language)?.[0]?.trim() ?? '';
      const rest = terms.filter((term) => !ofLanguages.has(term.taxonomy) && !isLanguage(term));
      const code = languageCode(said);
      if (code === '') return { terms: rest };
      isSaid = true;
      return { language: { code, group: group || (raw.get(rows.group)?.[0]?.trim() ?? '') }, terms: rest };
    },
    languages(keyOf) {
      const terms = new Map<string, ItemLanguage>();
      for (const [id, language] of ofTerms) {
        const key = keyOf(id);
        if (key !== undefined) terms.set(key, language);
      }
      return known.size + terms.size === 0 ? undefined : { known: [...known.values()], terms };
    },
    get isUnsaid() {
      return hasTraces && !isSaid;
    },
  };
}

/** A description that holds a list or map; some programs write its quotation marks as references. */
function structureOf(description: string): Readonly<Record<string, unknown>> {
  const text = description.trim();
  const { value } = readMetaValue(text.includes('&quot;') ? decodeEntities(text) : text);
  return isMap(value) ? mapOf(value) : {};
}
