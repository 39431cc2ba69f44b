/**
 * Strings as a module.
 */
import type { Check, Module } from '../../../kernel/module.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createAutoregister } from './autoregister.ts';
import { createStringBatches, stringSubject } from './batches.ts';
import { createDomainFiles, isDomainFile, readDomainFile } from './domain-files.ts';
import { indexStrings, relabel, siteStrings } from './labels.ts';
import { createLanguageFiles } from './language-files.ts';
import type { SourceString } from './record.ts';
import { stringRoutes } from './routes.ts';
import { settingStrings } from './setting-strings.ts';
import { createStringSettings } from './settings.ts';
import { createStrings } from './strings.ts';

export { makeStringBatch } from './batches.ts';
export { type StringPair, stringOverview } from './overview.ts';

export const translationStrings: Module = {
  name: 'translation-strings',
  setup(site) {
    const files = createDomainFiles();
    const settings = createStringSettings();
    const batches = createStringBatches();
    // Cached responses have the former strings.
    const changed = (): void => site.records.apply([]);
    const languageFiles = createLanguageFiles(site, changed);
    let isLoaded = false;
    const strings = createStrings(site, files, languageFiles, createAutoregister(site, files));
    strings.addSource(() => inSiteLanguage(site, siteStrings(site)));
    strings.addSource(() => inSiteLanguage(site, settingStrings(site)));
    return {
      site: { translationStrings: strings, languageFiles, stringSettings: settings, stringBatches: batches },
      beforeLoad: () => site.translationJobs.register(stringSubject(site, files)),
      async afterLoad() {
        await languageFiles.load();
        isLoaded = true;
      },
      afterIngest(batch, writes) {
        settings.take(batch);
        batches.take(batch);
        if (files.take(batch, site.languages.codes)) changed();
        // At the start they are read when everything is in memory.
        if (languageFiles.take(batch) && isLoaded) void site.store.faults.background('language files', languageFiles.load);
        return writes;
      },
      problems: () => [...files.problems(), ...settings.problems(site), ...languageFiles.problems()],
    };
  },
  index: indexStrings,
  reshape: relabel,
  namespaces: (site) => [{ name: 'lang/st/v1', routes: stringRoutes(site) }],
  checks: [
    {
      rule: 'string-row',
      severity: 'warning',
      *run({ entries }): ReturnType<Check['run']> {
        for (const entry of entries)
          if (isDomainFile(entry.path))
            for (const fault of readDomainFile(entry, [codeIn(entry.path)], () => true).faults)
              yield { path: entry.path, ...fault };
      },
    },
  ],
};

/** What a site calls things is in its own language, whatever the strings of programs are in. */
function* inSiteLanguage({ languages }: Site, strings: Iterable<SourceString>): Iterable<SourceString> {
  for (const one of strings) yield { ...one, lang: languages.default };
}

/** What the name of a file says of its language, where nobody says which there are. */
function codeIn(path: string): string {
  return /\.([a-z]{2,3}(?:-[a-z0-9]+)*)\.yaml$/.exec(path)?.[1] ?? 'none';
}
