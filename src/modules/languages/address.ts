/**
 * The language in URLs: `/de/cms-json/…` and the parameter `lang_language` of every route, `/de/hello/` of items.
 *
 * Source: specification 2.5a; reference on languages, 1.3.
 */
import type { AddressPart, Module } from '../../kernel/module.ts';
import type { Site } from '../../kernel/site/site.ts';
import { homeOf } from '../content/permalinks/record.ts';
import { languageOf } from './record.ts';

export const languageArgs: NonNullable<Module['args']> = {
  lang_language: (site) => ({
    type: 'string',
    description: 'Code of the language of the answer.',
    // Evaluated on use, with the current settings.
    get enum() {
      return site.languages.codes;
    },
  }),
};

export const languageAddress: AddressPart = {
  read: (segment, site) => (site.languages.of(segment) ? { lang_language: segment } : null),
  write: (params, site) => segmentOf(site, languageOf({ site, params })),
  of: (record, site) => ({ lang_language: (record as { readonly lang?: string }).lang || site.languages.default }),
};

/** The home of the language in the site index. */
export const languageIndex: NonNullable<Module['index']> = {
  home: ({ site, urls }) => (urls.prefix === '' ? homeOf(site) : `${homeOf(site)}${urls.prefix}/`),
};

export const languageHeaders: NonNullable<Module['headers']> = (call) => {
  const code = languageOf(call);
  return { 'Content-Language': call.site.languages.of(code)?.locale.replaceAll('_', '-') ?? code };
};

/** The first segment of a language; '' if the default language has none. */
function segmentOf({ languages }: Pick<Site, 'languages'>, code: string): string {
  return code === languages.default && !languages.settings.defaultInDirectory ? '' : code;
}
