/**
 * What `cms validate` says of languages.
 */
import type { Check } from '../../kernel/module.ts';
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
];
