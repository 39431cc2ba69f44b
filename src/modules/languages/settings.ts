/**
 * The languages of a site, as `lang:` in `site.yaml` declares them.
 *
 * Source: reference on languages, 13.1.
 */
import { mapOf, table } from '../../kernel/model/maps.ts';
import { of, type Schema } from '../../kernel/model/schema.ts';
import type { Setting } from '../../kernel/model/settings.ts';
import { isLocale } from '../../kernel/site/setting-values.ts';

export interface Language {
  /** As addresses, parameters and files name it: `de`. */
  readonly code: string;
  /** `de_DE`. */
  readonly locale: string;
  readonly name: string;
  readonly nativeName: string;
  readonly dir: 'ltr' | 'rtl';
}

/** A member of an item that its translations may share. */
interface SharedMember {
  /** Unless `sync:` says otherwise. */
  readonly isShared: boolean;
  /** Key of the file, where the value of one file is that of all. */
  readonly key?: string;
  /** Property of the record, where the value of one record is that of all. */
  readonly property?: 'order' | 'template' | 'comments' | 'pings' | 'sticky' | 'format' | 'password';
}

const syncable = table({
  parent: { isShared: true },
  menu_order: { isShared: true, key: 'order', property: 'order' },
  template: { isShared: true, key: 'template', property: 'template' },
  comment_status: { isShared: true, key: 'comments', property: 'comments' },
  ping_status: { isShared: true, key: 'pings', property: 'pings' },
  sticky: { isShared: true, key: 'sticky', property: 'sticky' },
  format: { isShared: true, key: 'format', property: 'format' },
  featured_media: { isShared: true, key: 'featured_media' },
  date: { isShared: false, key: 'date' },
  password: { isShared: true, key: 'password', property: 'password' },
} as const satisfies Readonly<Record<string, SharedMember>>);

type Syncable = keyof typeof syncable;

/** Those that a site shares. */
export function sharedMembers({ sync }: Pick<LanguageSettings, 'sync'>): readonly SharedMember[] {
  return [...sync].map((name) => syncable[name]);
}

/** `lang:` as it is in service; what is wrong in it is left out and reported by `cms validate`. */
export interface LanguageSettings {
  /** In the order in which they are shown; at least one. */
  readonly list: readonly Language[];
  /** Code of the language of items that say none. */
  readonly default: string;
  /** Whether addresses of the default language begin with its code as well. */
  readonly defaultInDirectory: boolean;
  /** Status of a translation whose writer names none: a draft, or that of its original. */
  readonly newTranslationStatus: 'draft' | 'same';
  /** What a list shows for an item that has no translation in the list's language: nothing, or the item of the default language. */
  readonly fallback: 'none' | 'default';
  readonly sync: ReadonlySet<Syncable>;
}

/** Codes of languages; `all` is a word of the interface. */
const codePattern = /^(?!all$)[a-z]{2,3}(?:-[a-z0-9]+)*$/;

export function isLanguageCode(code: string): boolean {
  return code.length <= 7 && codePattern.test(code);
}

/** Known without being described. */
const [english, german]: readonly [Language, Language] = [
  describe('en', 'en_US', 'English', 'English'),
  describe('de', 'de_DE', 'German', 'Deutsch'),
];

function describe(code: string, locale: string, name: string, nativeName: string): Language {
  return { code, locale, name, nativeName, dir: 'ltr' };
}

const flags = (names: readonly string[], description: string): Schema =>
  of('object', description, { properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) });

export const languageSettings: readonly Setting[] = [
  {
    key: 'lang',
    group: 'languages',
    schema: of('object', 'The languages of the site', {
      properties: {
        default: { type: 'string', description: 'Code of the language of items that name none' },
        languages: { type: 'object', description: 'By code, in the order of display: locale, name, native_name, dir' },
        url: {
          type: 'object',
          properties: { mode: { type: 'string', enum: ['directory'] }, default_in_directory: { type: 'boolean' } },
        },
        new_translation_status: { type: 'string', enum: ['draft', 'same'] },
        fallback: { type: 'string', enum: ['none', 'default'] },
        sync: flags(Object.keys(syncable), 'What translations share with their original'),
      },
    }),
    default: {},
    rereads: true,
  },
];

/** A fault of `lang:`, and where it stands below that key. */
interface LanguageFault {
  readonly keys: readonly string[];
  readonly message: string;
  readonly hint?: string;
}

/** What of `lang:` cannot be used. The setting's schema has checked the types of what it declares. */
export function languageFaults(stored: unknown): readonly LanguageFault[] {
  const { default: standard, languages, url: _, ...rest } = mapOf(stored);
  const faults: LanguageFault[] = [];
  const codes = Object.keys(mapOf(languages));
  for (const code of codes) {
    const keys = ['languages', code];
    if (!isLanguageCode(code))
      faults.push({
        keys,
        message: `${JSON.stringify(code)} is not a language code`,
        hint: 'write it as de or pt-br, at most 7 characters',
      });
    const row = mapOf(mapOf(languages)[code]);
    if (row.locale !== undefined && !(typeof row.locale === 'string' && isLocale(row.locale)))
      faults.push({
        keys: [...keys, 'locale'],
        message: `${JSON.stringify(row.locale)} is no locale`,
        hint: 'write it as de_DE',
      });
    if (row.dir !== undefined && row.dir !== 'ltr' && row.dir !== 'rtl')
      faults.push({ keys: [...keys, 'dir'], message: 'dir is ltr or rtl' });
  }
  const usable = codes.length > 0 ? codes.filter(isLanguageCode) : ['en', 'de'];
  if (standard !== undefined && !usable.includes(String(standard)))
    faults.push({
      keys: ['default'],
      message: `${JSON.stringify(standard)} is not one of the languages`,
      hint: `one of ${usable.join(', ')}`,
    });
  for (const key of Object.keys(rest)) {
    if (!['new_translation_status', 'fallback', 'sync'].includes(key))
      faults.push({ keys: [key], message: `unknown key ${JSON.stringify(key)} in lang` });
  }
  return faults;
}

/** @param stored  `lang:` as it is in service */
export function readLanguageSettings(stored: unknown): LanguageSettings {
  const { default: standard, languages, url, new_translation_status: status, fallback, sync } = mapOf(stored);
  const declared = Object.entries(mapOf(languages))
    .filter(([code]) => isLanguageCode(code))
    .map(([code, row]) => readLanguage(code, mapOf(row)));
  const list = declared.length > 0 ? declared : [english, german];
  const wanted = mapOf(sync);
  return {
    list,
    default: list.find(({ code }) => code === standard)?.code ?? (list[0] as Language).code,
    defaultInDirectory: mapOf(url).default_in_directory !== false,
    newTranslationStatus: status === 'same' ? 'same' : 'draft',
    fallback: fallback === 'default' ? 'default' : 'none',
    sync: new Set((Object.keys(syncable) as Syncable[]).filter((name) => (wanted[name] ?? syncable[name].isShared) === true)),
  };
}

function readLanguage(code: string, row: Readonly<Record<string, unknown>>): Language {
  const known = [english, german].find((one) => one.code === code);
  const { locale, name, native_name: nativeName, dir } = row;
  const said = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const own = said(locale) && isLocale(String(locale)) ? String(locale) : (known?.locale ?? code);
  return {
    code,
    locale: own,
    name: said(name) ?? known?.name ?? code,
    nativeName: said(nativeName) ?? said(name) ?? known?.nativeName ?? code,
    dir: dir === 'rtl' || dir === 'ltr' ? dir : directionOf(own),
  };
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** How a language is written, by its usual script. @param locale  `fa_IR`, `fa-IR`, `az_Arab` */
export function directionOf(locale: string): Language['dir'] {
  try {
    return rightToLeft.has(new Intl.Locale(locale.replaceAll('_', '-')).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
