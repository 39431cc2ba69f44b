/** Files of languages: what is read and written is the same, and a file that is none is said to be none. */
import { describe, expect, it } from 'vitest';
import {
  LanguageFileError,
  type GettextMessage,
  printJson,
  printMessages,
  readMessages,
} from '../../../../src/modules/translation/strings/gettext.ts';

const rows: readonly GettextMessage[] = [
  { context: '', original: 'A', plural: '', values: ['Ä'], isFuzzy: false },
  { context: 'noun', original: 'A', plural: '', values: ['Zwei\nZeilen'], isFuzzy: false },
  { context: '', original: '%d file', plural: '%d files', values: ['%d Datei', '%d Dateien'], isFuzzy: false },
  { context: '', original: 'constructor', plural: '', values: ['"x\\'], isFuzzy: false },
];
const key = ({ context, original }: GettextMessage): string => `${context}:${original}`;
const sorted = (list: readonly GettextMessage[]) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));

describe.each(['mo', 'po'] as const)('a .%s file', (format) => {
  it('round-trips, and is reproducible', () => {
    const bytes = printMessages(format, 'de_DE', rows);
    expect(sorted(readMessages(format, bytes))).toEqual(sorted(rows));
    expect(printMessages(format, 'de_DE', [...rows].reverse()).equals(bytes)).toBe(true);
  });

  it('truncated anywhere is read or refused', () => {
    const bytes = printMessages(format, 'de_DE', rows);
    for (let at = 0; at < bytes.length; at += 7) {
      try {
        readMessages(format, bytes.subarray(0, at));
      } catch (error) {
        expect(error).toBeInstanceOf(LanguageFileError);
      }
    }
  });
});

it('unfinished texts are only in .po files', () => {
  const [row] = rows;
  const fuzzy = [{ ...(row as GettextMessage), isFuzzy: true }];
  expect(readMessages('po', printMessages('po', 'de_DE', fuzzy))).toEqual(fuzzy);
});

it.each([
  ['mo', 'no such file at all, but long enough'],
  ['mo', ''],
  ['json', 'x'],
  ['json', '{"a": 1}'],
] as const)('a .%s file of "%s" is refused', (format, text) => {
  expect(() => readMessages(format, Buffer.from(text))).toThrow(LanguageFileError);
});

it('a .mo file with wrong counts is refused', () => {
  const head = Buffer.alloc(28);
  head.writeUInt32LE(0x950412de, 0);
  head.writeUInt32LE(0x7fffffff, 8);
  expect(() => readMessages('mo', head)).toThrow(LanguageFileError);
});

it('script JSON round-trips', () => {
  const [one, two] = rows as [GettextMessage, GettextMessage];
  expect(sorted(readMessages('json', printJson('shop', 'de_DE', [one, two])))).toEqual(sorted([one, two]));
});

it.each([
  ['fr_FR', 'nplurals=2; plural=(n > 1);'],
  ['de_DE', 'nplurals=2; plural=(n != 1);'],
  ['ja', 'nplurals=1; plural=0;'],
])('files of %s count with %s', (locale, forms) => {
  expect(printMessages('po', locale, rows).toString()).toContain(forms);
});
