/**
 * What sitemaps and feeds are to know of languages, as a module.
 */
import type { Module } from '../../kernel/module.ts';
import type { Site } from '../../kernel/site/site.ts';
import { languageOf, type Translated } from '../languages/record.ts';
import type { PostRecord } from '../posts/record.ts';
import type { DiscoverySource } from '../sitemaps/record.ts';
import type { TermRecord } from '../terms/record.ts';

export const searchEngines: Module = {
  name: 'search-engines',
  setup(site) {
    site.discovery.push(languageSource(site));
    return {};
  },
};

function languageSource(site: Site): DiscoverySource {
  return {
    translations: (item) =>
      [...site.translations.group(item as unknown as Translated).values()].map((member) => ({
        hreflang: member.lang,
        item: member as unknown as PostRecord | TermRecord,
      })),
    languages() {
      const { codes, default: standard } = site.languages;
      return [standard, ...codes.filter((code) => code !== standard)].map((code) => ({
        hreflang: code,
        locale: site.languages.of(code)?.locale.replaceAll('_', '-') ?? code,
        params: { lang_language: code },
      }));
    },
    scope: (params) => [{ kind: 'in', index: 'lang', values: [languageOf({ site, params })] }],
  };
}
