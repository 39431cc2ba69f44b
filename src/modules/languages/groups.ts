/**
 * Translation groups. Each file refers to its original, by name or id; a group is everything connected by that. Nothing else is stored, so merges of
 * branches combine or split groups as the files say.
 */
import type { Table } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import { referenceTo } from './file-names.ts';
import type { Translated, TranslatedTable, Translations } from './record.ts';

export const referenceIndex = 'translation_of';

export function indexKey(ref: string | number): string | undefined {
  if (ref === undefined || ref === '') return undefined;
  return typeof ref === 'number' ? `#${ref}` : ref;
}

/** References that others may use for an item. */
function namesOf({ id, path, slug, ...item }: Translated & { readonly aliases?: readonly string[] }): readonly string[] {
  const former = path.startsWith('terms/') ? (item.aliases ?? []).map((alias) => referenceTo(path, alias)) : [];
  return [`#${id}`, referenceTo(path, slug), ...former];
}

export function createTranslations(site: Site): Translations {
  const known = new WeakMap<Translated, { readonly generation: number; readonly members: readonly Translated[] }>();
  const tableOf = (item: Translated): Table<Translated> => site.records.table(item.taxonomy === undefined ? 'posts' : 'terms');

  const kindsOf = (item: Translated) => site.translatedKinds?.(item.taxonomy === undefined ? 'posts' : 'terms');
  const kindOf = ({ taxonomy, type }: Translated): string => taxonomy ?? type ?? '';

  function members(item: Translated): readonly Translated[] {
    if (kindsOf(item)?.untranslated.has(kindOf(item))) return [item];
    const { generation } = site.records;
    const found = known.get(item);
    if (found?.generation === generation) return found.members;
    const fresh = connected(tableOf(item), item).sort((a, b) => a.id - b.id);
    known.set(item, { generation, members: fresh });
    return fresh;
  }

  const translations: Translations = {
    isTranslated: (table, kind) => !site.translatedKinds?.(table).untranslated.has(kind),
    standsIn(item, code) {
      const { default: standard, settings } = site.languages;
      if (item.lang === code || item.lang !== standard) return false;
      if (settings.fallback === 'none' && !kindsOf(item)?.shownUntranslated.has(kindOf(item))) return false;
      return translations.idIn(item.taxonomy === undefined ? 'posts' : 'terms', item.id, code) === 0;
    },
    members,
    group(item) {
      const group = new Map<string, Translated>();
      for (const one of members(item)) if (!group.has(one.lang)) group.set(one.lang, one);
      return group.set(item.lang, item);
    },
    original(item) {
      const all = members(item);
      const standard = all.find(({ lang }) => lang === site.languages.default);
      return all.find(({ translationOf }) => translationOf === '') ?? standard ?? (all[0] as Translated);
    },
    idIn(table: TranslatedTable, id, code) {
      const item = site.records.table<Translated>(table).get(id);
      if (item === undefined) return 0;
      if (item.lang === code || kindsOf(item)?.untranslated.has(kindOf(item))) return id;
      return translations.group(item).get(code)?.id ?? 0;
    },
  };
  return translations;
}

/** Everything connected to it by references. */
function connected(table: Table<Translated>, item: Translated): Translated[] {
  const found = new Map([[item.id, item]]);
  const asked = new Set<string>();
  const add = (one: Translated | undefined): void => {
    const isKin = one !== undefined && one.type === item.type && one.taxonomy === item.taxonomy;
    if (isKin && !found.has(one.id)) found.set(one.id, one);
  };
  const addNaming = (key: string): void => {
    if (asked.has(key)) return;
    asked.add(key);
    for (const id of table.with(referenceIndex, key)) add(table.get(id));
  };
  // Also visits members found on the way.
  for (const one of found.values()) {
    for (const name of namesOf(one)) addNaming(name);
    const key = indexKey(one.translationOf);
    if (key === undefined) continue;
    addNaming(key);
    for (const id of targetsOf(table, one)) add(table.get(id));
  }
  return [...found.values()];
}

function nameOf(item: Translated | undefined): string {
  return item ? referenceTo(item.path, item.slug) : '';
}

/** The original of an item, by its reference. */
export function targetsOf(
  table: Table<Translated>,
  { translationOf, taxonomy }: Pick<Translated, 'translationOf' | 'taxonomy'>,
): Iterable<number> {
  if (typeof translationOf === 'number') return [translationOf];
  if (taxonomy === undefined) return table.with('place', translationOf.slice(1));
  // A menu may have the slug of its original: they differ by file.
  if (translationOf.startsWith('/'))
    return [...table.with('taxonomy', taxonomy)].filter((id) => nameOf(table.get(id)) === translationOf);
  const slug = translationOf.slice(translationOf.indexOf(':') + 1);
  const present = table.with('slug', `${taxonomy}:${slug}`);
  return present.size > 0 ? present : table.with('slug', `${taxonomy}:~${slug}`);
}
