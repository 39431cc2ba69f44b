/**
 * Languages of the site that is imported into.
 */
import type { FileMarks } from '../../kernel/model/field.ts';
import { createSettings } from '../../kernel/site/settings.ts';
import type { Entry } from '../../kernel/store/types.ts';
import { createMarks } from '../../modules/languages/file-names.ts';
import { createLanguages } from '../../modules/languages/languages.ts';
import type { Languages } from '../../modules/languages/record.ts';
import type { Declarations } from '../../validate/declarations.ts';

export interface ImportLanguages {
  readonly languages: Languages;
  readonly marks: FileMarks;
}

/** @returns null for a site without languages */
export function languagesOf({ settings }: Pick<Declarations, 'settings'>, site: Entry | undefined): ImportLanguages | null {
  if (!settings.some(({ key }) => key === 'lang')) return null;
  const languages = createLanguages({ settings: createSettings(settings, site) });
  return { languages, marks: createMarks(languages) };
}
