declare module 'gettext-parser' {
  interface Translation {
    msgctxt?: string;
    msgid: string;
    msgid_plural?: string;
    /** A file that is cut off may have none. */
    msgstr?: string[];
    comments?: { flag?: string; extracted?: string; reference?: string; translator?: string; previous?: string };
  }

  interface Translations {
    charset?: string;
    headers: Record<string, string>;
    /** Context → original → translation. */
    translations: Record<string, Record<string, Translation>>;
  }

  interface Format {
    parse(bytes: Buffer): Translations | false;
    compile(data: Translations, options?: { sort?: boolean; foldLength?: number }): Buffer;
  }

  export const mo: Format;
  export const po: Format;
}
