/** Languages as a module: the language of items, and their translations. */
import type { Extension, Module } from '../../kernel/module.ts';
import { addedLanguages } from './added.ts';
import { languageAddress, languageArgs, languageHeaders, languageIndex } from './address.ts';
import { languageChecks } from './checks.ts';
import { languageErrors } from './errors.ts';
import { translatedFields, translationLink } from './fields.ts';
import { createFolderOf, createMarks, fileNames } from './file-names.ts';
import { followers, followRenames, siblingsOf } from './follow.ts';
import { createTranslations } from './groups.ts';
import { createLanguages } from './languages.ts';
import { commentScope, itemParams, itemScope, termParams, termScope } from './lists.ts';
import { prepareItem, prepareTerm } from './plan.ts';
import { languageOf, type Translated } from './record.ts';
import { languageSettings } from './settings.ts';

export { itemAt, memberChanges, nameAfter } from './follow.ts';
export { targetsOf } from './groups.ts';
export { referenceIn } from './membership.ts';
export { prepareTranslation } from './plan.ts';

const item: Extension = {
  fields: translatedFields,
  links: {
    'lang:translation': translationLink(({ type = '' }, { site }) => {
      const known = site.types.get(type);
      return known ? `/${known.restNamespace}/${known.restBase}` : null;
    }),
  },
  scope: itemScope,
  listParams: itemParams,
  peerGroup: ({ lang }: Translated) => lang,
  prepareWrite: prepareItem,
  fileNames,
};

const term: Extension = {
  fields: translatedFields,
  links: {
    'lang:translation': translationLink(({ taxonomy = '' }, { site }) => {
      const known = site.taxonomies.get(taxonomy);
      return known ? `/${known.restNamespace}/${known.restBase}` : null;
    }),
  },
  scope: termScope,
  listParams: termParams,
  peerGroup: ({ lang }: Translated) => lang,
  prepareWrite: prepareTerm,
};

export const languages: Module = {
  name: 'languages',
  settings: languageSettings,
  errors: languageErrors,
  refs: (settings) => {
    const languages = createLanguages({ settings });
    const marks = createMarks(languages);
    return { marks, language: (path) => marks.of(path) || languages.default };
  },
  setup: (site, { planning }) => ({
    site: {
      languages: createLanguages(site),
      translations: createTranslations(site),
      counterpart: (table, id, params) => site.translations.idIn(table, id, languageOf({ site, params })) || id,
    },
    refs: {
      folderAt: createFolderOf(() => site.types.values()),
      defaultTermIn(taxonomy, code) {
        const standard = site.refs.defaultTerm(taxonomy);
        return site.translations.idIn('terms', standard, code) || standard;
      },
    },
    follow: (changes) => followers(planning, changes),
    beforeExternal: (batch) => followRenames(site, batch),
    afterIngest: (_batch, writes) => [...writes, ...siblingsOf(planning, writes)],
  }),
  extend: { item, term, comment: { scope: commentScope } },
  checks: languageChecks,
  jobs: [addedLanguages],
  args: languageArgs,
  address: languageAddress,
  index: languageIndex,
  headers: languageHeaders,
};
