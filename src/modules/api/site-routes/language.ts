/**
 * What these routes ask about languages, on sites that have some and on those that have not.
 */
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { languageOf } from '../../languages/record.ts';

/** Code of the language of a call; null on a site without languages. */
export function languageIn(call: Call): string | null {
  return hasLanguages(call.site) ? languageOf(call) : null;
}

/** Code of the language of a record: its own, else that of the call, else of the site. */
export function languageTagOf(call: Call, record: object): string {
  const { lang } = record as { readonly lang?: unknown };
  if (typeof lang === 'string' && lang !== '') return lang;
  return languageIn(call) ?? String(call.site.settings.value('language') ?? 'en').split(/[_-]/, 1)[0] ?? 'en';
}

/** Id of the translation of an item in the language of a call, where there is one that visitors may read; else its own. */
export function translatedId(call: Call, id: number): number {
  const code = languageIn(call);
  const other = code === null || id === 0 ? 0 : call.site.translations.idIn('posts', id, code);
  return call.site.posts.get(other)?.status === 'publish' ? other : id;
}

/** Deployments without the module of languages have no such service. */
function hasLanguages(site: Site): boolean {
  return (site as Partial<Site>).languages !== undefined;
}
