/**
 * Languages, as a module: what language an item has, and which items are translations of one another.
 */
import type { Module } from '../../kernel/module.ts';
import { languageAddress, languageArgs, languageHeaders, languageIndex } from './address.ts';
import { languageChecks } from './checks.ts';
import { createLanguages } from './languages.ts';
import { languageSettings } from './settings.ts';

export type { Languages } from './record.ts';

export const languages: Module = {
  name: 'languages',
  settings: languageSettings,
  setup: (site) => ({ site: { languages: createLanguages(site) } }),
  checks: languageChecks,
  args: languageArgs,
  address: languageAddress,
  index: languageIndex,
  headers: languageHeaders,
};
