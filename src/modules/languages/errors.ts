import { row } from '../../kernel/errors.ts';

export const languageErrors = {
  lang_unknown: row(400, 'The site does not have this language.'),
  lang_translation_invalid: row(400, 'This cannot be a translation.'),
  lang_translation_exists: row(409, 'There is a translation into this language already.'),
  lang_term_untranslated: row(400, 'The term has no translation into the language of the item.'),
};

declare module '../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof languageErrors, ErrorRow> {}
}
