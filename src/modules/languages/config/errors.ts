import { row } from '../../../kernel/errors.ts';

export const configErrors = {
  lang_xml_invalid: row(422, 'The document is not valid.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof configErrors, ErrorRow> {}
}
