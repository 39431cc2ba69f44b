/** Languages for these routes, on sites with and without them. */
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { languageOf } from '../../languages/record.ts';

/** The language code of a call; null on a site without languages. */
export function languageIn(call: Call): string | null {
  return hasLanguages(call.site) ? languageOf(call) : null;
}

/** The language code of a record, else of the call, else of the site. */
export function languageTagOf(call: Call, record: object): string {
  const { lang } = record as { readonly lang?: unknown };
  if (typeof lang === 'string' && lang !== '') return lang;
  return languageIn(call) ?? String(call.site.settings.value('language') ?? 'en').split(/[_-]/, 1)[0] ?? 'en';
}

/** Id of the public translation of an item, else its own. */
export function translatedId(call: Call, id: number): number {
  const code = languageIn(call);
  const other = code === null || id === 0 ? 0 : call.site.translations.idIn('posts', id, code);
  return call.site.posts.get(other)?.status === 'publish' ? other : id;
}

/** Deployments without languages have no such service. */
function hasLanguages(site: Site): boolean {
  return (site as Partial<Site>).languages !== undefined;
}
