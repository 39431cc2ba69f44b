/**
 * Words of the default theme in several languages, and those that a site says of its own.
 */
export { readWords, wordsFile } from './file.ts';
export type { WordsByLanguage } from './record.ts';
export { ownLanguages, type Say, sayIn } from './say.ts';
