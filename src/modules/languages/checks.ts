import type { Check } from '../../kernel/module.ts';
import { lostReferences, takenPlaces, unknownLanguages } from './group-checks.ts';
import { languageFaults } from './settings.ts';

export const languageChecks: readonly Check[] = [
  {
    rule: 'language-setting',
    severity: 'error',
    *run({ entries }) {
      const settings = entries.find(({ path }) => path === 'site.yaml');
      for (const { keys, ...said } of languageFaults(settings?.data.lang))
        yield { path: 'site.yaml', keys: ['lang', ...keys], ...said };
    },
  },
  { rule: 'language-unknown', severity: 'error', run: unknownLanguages },
  { rule: 'translation-lost', severity: 'error', run: lostReferences },
  { rule: 'translation-taken', severity: 'error', run: takenPlaces },
];
