import { later, row } from '../../../kernel/errors.ts';

export const editorErrors = {
  lang_locked: later(423, 30, 'The job is being received already.'),
  lang_rate_limited: row(429, 'The job was received a moment ago.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof editorErrors, ErrorRow> {}
}
