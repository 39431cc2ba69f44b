/**
 * Translation files of programs: `.mo` and `.po` of GNU gettext, and the JSON that scripts load. Read with limits, as a folder may hold
 * anything; written so that `msgunfmt` and the other tools read them.
 *
 * Source: GNU gettext manual, "The Format of GNU MO Files"; Jed 1.x for JSON; reference on languages, 13.6.
 */
import { mo, po, type Translations } from 'gettext-parser';
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';

export interface GettextMessage {
  readonly context: string;
  readonly original: string;
  /** '' for a text without one. */
  readonly plural: string;
  readonly values: readonly string[];
  readonly isFuzzy: boolean;
}

/** Why a file is not one. */
export class LanguageFileError extends Error {}

export type FileFormat = 'mo' | 'po' | 'json';

export const maxFileBytes = 8 * 1024 * 1024;
const maxMessages = 100_000;

/** The messages of a file, without those that are not translated. @throws LanguageFileError */
export function readMessages(format: FileFormat, bytes: Uint8Array): readonly GettextMessage[] {
  if (bytes.length > maxFileBytes) throw new LanguageFileError(`it is larger than ${maxFileBytes / 1024 / 1024} MB`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages = format === 'json' ? fromJson(buffer) : fromGettext(format === 'mo' ? mo.parse : po.parse, format, buffer);
  if (messages.length > maxMessages) throw new LanguageFileError(`it has more than ${maxMessages} texts`);
  return messages;
}

function fromGettext(
  parse: (bytes: Buffer) => Translations | false,
  format: FileFormat,
  bytes: Buffer,
): readonly GettextMessage[] {
  if (format === 'mo') checkTable(bytes);
  checkCharset(bytes);
  let read: Translations | false;
  try {
    read = parse(bytes);
  } catch (error) {
    throw new LanguageFileError(`it cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!read) throw new LanguageFileError(`it is no .${format} file`);
  return Object.values(read.translations).flatMap((group) =>
    Object.values(group).flatMap((one): readonly GettextMessage[] => {
      const { msgstr: values = [] } = one;
      if (one.msgid === '' || values.every((value) => value === '')) return [];
      return [
        {
          context: one.msgctxt ?? '',
          original: one.msgid,
          plural: one.msgid_plural ?? '',
          values,
          isFuzzy: /\bfuzzy\b/.test(one.comments?.flag ?? ''),
        },
      ];
    }),
  );
}

/** The count of texts in a `.mo` file stands in its head: what cannot be true is not begun. @throws LanguageFileError */
function checkTable(bytes: Buffer): void {
  const isLittle = bytes.length >= 28 && bytes.readUInt32LE(0) === 0x950412de;
  const isBig = bytes.length >= 28 && bytes.readUInt32BE(0) === 0x950412de;
  if (!isLittle && !isBig) throw new LanguageFileError('it is no .mo file');
  const count = isLittle ? bytes.readUInt32LE(8) : bytes.readUInt32BE(8);
  if (count > maxMessages || count * 16 + 28 > bytes.length + 16) throw new LanguageFileError('it is cut short');
}

/** A character set that nobody knows would be told to the console. @throws LanguageFileError */
function checkCharset(bytes: Buffer): void {
  const [, charset = 'utf-8'] = /charset=([^\s\\";]+)/i.exec(bytes.toString('latin1')) ?? [];
  try {
    new TextDecoder(charset);
  } catch (error) {
    if (charset !== 'CHARSET') throw new LanguageFileError('its character set is unknown', { cause: error });
  }
}

function fromJson(bytes: Buffer): readonly GettextMessage[] {
  let data: unknown;
  try {
    data = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new LanguageFileError('it is not JSON', { cause: error });
  }
  const locales = mapOf(mapOf(data).locale_data);
  const [messages] = [locales.messages, ...Object.values(locales)].filter(isMap);
  if (messages === undefined) throw new LanguageFileError('it has no locale_data');
  return Object.entries(messages).flatMap(([key, list]): readonly GettextMessage[] => {
    const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one !== '') : [];
    if (key === '' || texts.length === 0) return [];
    const at = key.indexOf('\u0004');
    return [{ context: key.slice(0, Math.max(0, at)), original: key.slice(at + 1), plural: '', values: texts, isFuzzy: false }];
  });
}

/** Forms of the plural of languages that need no more than one rule; others have that of English. */
const plurals: Readonly<Record<string, string>> = table({
  fr: 'nplurals=2; plural=(n > 1);',
  ja: 'nplurals=1; plural=0;',
  ko: 'nplurals=1; plural=0;',
  zh: 'nplurals=1; plural=0;',
  vi: 'nplurals=1; plural=0;',
  th: 'nplurals=1; plural=0;',
  cs: 'nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);',
  pl: 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  ru: 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  uk: 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  ar: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
});

function pluralForms(locale: string): string {
  return plurals[locale.split(/[_-]/, 1)[0] as string] ?? 'nplurals=2; plural=(n != 1);';
}

/** A file of a language. Originals are sorted, so that the same texts give the same bytes. */
export function printMessages(format: 'mo' | 'po', locale: string, messages: readonly GettextMessage[]): Buffer {
  const translations: Translations['translations'] = {};
  for (const { context, original, plural, values, isFuzzy } of messages) {
    translations[context] ??= Object.create(null) as Translations['translations'][string];
    (translations[context] as Translations['translations'][string])[original] = {
      ...(context === '' ? {} : { msgctxt: context }),
      msgid: original,
      ...(plural === '' ? {} : { msgid_plural: plural }),
      msgstr: [...values],
      ...(isFuzzy && format === 'po' ? { comments: { flag: 'fuzzy' } } : {}),
    };
  }
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8', Language: locale, 'Plural-Forms': pluralForms(locale) };
  return (format === 'mo' ? mo : po).compile({ charset: 'utf-8', headers, translations }, { sort: true });
}

/** What scripts load. */
export function printJson(domain: string, locale: string, messages: readonly GettextMessage[]): Buffer {
  const rows = messages.map(({ context, original, values }) => [
    context === '' ? original : `${context}\u0004${original}`,
    values,
  ]);
  const sorted = rows.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  const head = { domain: 'messages', lang: locale, 'plural-forms': pluralForms(locale) };
  const data = { domain, locale_data: { messages: { '': head, ...Object.fromEntries(sorted) } } };
  return Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
}
