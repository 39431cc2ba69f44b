/**
 * Lists in the language of the request: their items, and ids in parameters.
 *
 * Source: reference on languages, 13.2; corrections from recordings.
 */
import type { Clause } from '../../kernel/records/types.ts';
import type { Call } from '../../kernel/rest/types.ts';
import type { Params } from '../../kernel/rest/request.ts';
import type { Site } from '../../kernel/site/site.ts';
import { languageOf, type Translated, type TranslatedKinds, type TranslatedTable } from './record.ts';

/** An unused id: a list of ids that became empty must not match everything. */
const nothing = 0;

/** Items of the request's language, and of untranslated kinds; with fallback, also untranslated items of the default language. */
export function itemScope(call: Pick<Call, 'site' | 'params'>): readonly Clause[] {
  return scopeOf(call, 'posts');
}

/** The same for terms. Menus have no language. */
export function termScope(call: Pick<Call, 'site' | 'params'>): readonly Clause[] {
  return [{ kind: 'any', of: [[...scopeOf(call, 'terms')], [{ kind: 'in', index: 'taxonomy', values: ['nav_menu'] }]] }];
}

function scopeOf(call: Pick<Call, 'site' | 'params'>, table: TranslatedTable): readonly Clause[] {
  const { languages } = call.site;
  const code = languageOf(call);
  const own: Clause = { kind: 'in', index: 'lang', values: [code] };
  const { untranslated, shownUntranslated } = call.site.translatedKinds?.(table) ?? noKinds;
  const ofKind = (kinds: Iterable<string>): Clause => ({
    kind: 'in',
    index: table === 'posts' ? 'type' : 'taxonomy',
    values: [...kinds],
  });
  const all: Clause[][] = [[own]];
  if (untranslated.size > 0) all.push([ofKind(untranslated)]);
  const falls = languages.settings.fallback === 'default';
  if (code !== languages.default && (falls || shownUntranslated.size > 0))
    all.push([
      { kind: 'in', index: 'lang', values: [languages.default] },
      ...(falls ? [] : [ofKind(shownUntranslated)]),
      { kind: 'ids', values: translatedTo(call.site, table, code), not: true },
    ]);
  return all.length === 1 ? [own] : [{ kind: 'any', of: all }];
}

const noKinds: TranslatedKinds = { untranslated: new Set(), shownUntranslated: new Set() };

interface Derived {
  readonly generation: number;
  readonly kinds: TranslatedKinds | undefined;
  readonly ids: readonly number[];
}

/** Per site, for one state of memory. */
const derived = new WeakMap<Site, Map<string, Derived>>();

function cached(site: Site, key: string, generation: number, make: () => readonly number[]): readonly number[] {
  const all = derived.get(site) ?? new Map<string, Derived>();
  derived.set(site, all);
  const found = all.get(key);
  const kinds = site.translatedKinds?.('posts');
  if (found?.generation === generation && found.kinds === kinds) return found.ids;
  const ids = make();
  all.set(key, { generation, kinds, ids });
  return ids;
}

/** Items of the default language that are translated. */
function translatedTo(site: Site, table: TranslatedTable, code: string): readonly number[] {
  return cached(site, `${table} ${code}`, site.records.generationOf(table), () => {
    const items = site.records.table<Translated>(table);
    return [...items.with('lang', code)].flatMap((id) => {
      const item = items.get(id);
      return (item && site.translations.group(item).get(site.languages.default)?.id) ?? [];
    });
  });
}

/** Comments follow the language of their posts. */
export function commentScope(call: Call): readonly Clause[] {
  const { site } = call;
  const code = languageOf(call);
  const generation = site.records.generationOf('posts') + site.records.generationOf('comments');
  const values = cached(site, `comments ${code}`, generation, () =>
    site.languages.codes
      .filter((other) => other !== code)
      .flatMap((other) => [...site.posts.with('lang', other)].filter((id) => site.comments.count('post', id) > 0))
      .filter((id) => site.translations.isTranslated('posts', site.posts.get(id)?.type ?? '')),
  );
  return values.length === 0 ? [] : [{ kind: 'in', index: 'post', values, not: true }];
}

/** Maps ids of items and terms to the request's language. */
export function itemParams(params: Params, call: Call): Params {
  const read: Record<string, unknown> = { ...params, ...mappedIds(params, call, 'posts') };
  for (const { restBase } of call.site.taxonomies.values())
    for (const name of [restBase, `${restBase}_exclude`]) {
      const value = params[name];
      if (value !== undefined && value !== null) read[name] = mappedTerms(value, call);
    }
  return read;
}

export function termParams(params: Params, call: Call): Params {
  return { ...params, ...mappedIds(params, call, 'terms') };
}

function mappedIds({ include }: Params, call: Call, table: TranslatedTable): Params {
  return Array.isArray(include) && include.length > 0 ? { include: mapped(include, call, table) } : {};
}

/** A list of ids, or an object with more options. */
function mappedTerms(value: unknown, call: Call): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : mapped(value, call, 'terms');
  const { terms } = value as { readonly terms?: unknown };
  return Array.isArray(terms) && terms.length > 0 ? { ...(value as object), terms: mapped(terms, call, 'terms') } : value;
}

function mapped(ids: readonly unknown[], call: Call, table: TranslatedTable): readonly number[] {
  const { languages, translations } = call.site;
  const code = languageOf(call);
  const found = ids.map(Number).map((id) => {
    const known = Math.abs(id);
    const own = translations.idIn(table, known, code);
    if (own > 0) return own;
    const item = call.site.records.table<Translated>(table).get(translations.idIn(table, known, languages.default));
    return item && translations.standsIn(item, code) ? item.id : nothing;
  });
  const some = [...new Set(found)].filter((id) => id !== nothing);
  return some.length > 0 ? some : [nothing];
}
