/**
 * The language of an item, as far as its source knows: a code, and what it translates.
 */
import { slugify } from '../../kernel/model/slugs.ts';
import type { PostItem, TermItem } from './items.ts';

/** What an item says, as far as its source knows. */
export interface SaidLanguage {
  /** Code; '' for none. */
  readonly lang: string;
  /** Key of the original; '' for an original, and where a group says it. */
  readonly translationOf: string;
  /** See `ItemLanguage`. */
  readonly group: string;
}

/** Members of meta by which sources say it. */
export const languageMeta = ['lang', 'translation_of'] as const;

export function saidLanguage({ language, meta = {} }: Pick<PostItem | TermItem, 'language' | 'meta'>): SaidLanguage {
  if (language) return { lang: language.code, translationOf: language.original ?? '', group: language.group };
  const text = (name: (typeof languageMeta)[number]): string => (typeof meta[name] === 'string' ? meta[name] : '');
  return { lang: text('lang'), translationOf: text('translation_of'), group: '' };
}

/** The code that other programs have for a language, as it is written here; '' for what is none. */
export function languageCode(word: string): string {
  const code = word.toLowerCase();
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/.test(code) ? code.replaceAll('_', '-') : '';
}

/** Slug that a menu has in common with the one it translates, where its source gives it another, or has one for both; '' for none. */
export function slugInLanguage({ taxonomy, slug: own, language, meta = {} }: TermItem): string {
  if (taxonomy !== 'nav_menu') return '';
  const slug = meta.language_slug ?? (language === undefined ? '' : own);
  return typeof slug === 'string' ? slugify(slug) : '';
}
