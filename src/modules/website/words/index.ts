/** Texts of the default theme in several languages, and those of a site. */
export { readWords, wordsFile } from './file.ts';
export type { WordsByLanguage } from './record.ts';
export { type Say, sayIn } from './say.ts';
