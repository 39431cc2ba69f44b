/**
 * Changes that follow from those of other members: shared fields, references to renamed or removed items, and texts of new media in other languages.
 */
import type { PlanningSite, Site } from '../../kernel/site/site.ts';
import { slugOfPath } from '../../kernel/model/logical-path.ts';
import { uniqueSlug, slugify } from '../../kernel/model/slugs.ts';
import { isMedia } from '../../kernel/store/paths.ts';
import type { Batch, FileChange, Write } from '../../kernel/store/types.ts';
import { nameOfMedia } from '../content/attachments/record.ts';
import { termAt } from '../content/terms/record.ts';
import { impliedReference, marked, printReference, readReference, referenceTo } from './file-names.ts';
import { referenceIndex, targetsOf } from './groups.ts';
import { heirOf, referenceIn, regrouped, writeReference } from './membership.ts';
import type { MemberChange, Translated, TranslatedTable } from './record.ts';
import { sharedMembers } from './settings.ts';

export function followers(site: PlanningSite, changes: readonly FileChange[]): readonly FileChange[] {
  const gone = new Set(changes.flatMap((change) => ('remove' in change ? change.remove : [])));
  const found = changes.flatMap((change): readonly FileChange[] => {
    if ('remove' in change) return afterRemoval(site, change.remove, gone);
    if (!('data' in change)) return [];
    if (change.expect === null) return siblings(site, change);
    const item = itemAt(site, change.from ?? change.path);
    return item === undefined ? [] : [...renamed(site, item, change), ...shared(site, item, change)];
  });
  return found.filter((change) => 'remove' in change || !gone.has(change.path));
}

/** Sidecars in other languages for a new one. */
export function siblingsOf(site: PlanningSite, writes: readonly FileChange[]): readonly FileChange[] {
  return writes.flatMap((write) => ('data' in write && write.expect === null ? siblings(site, write) : []));
}

/** Pending changes after renames by others. */
export function followRenames(site: Site, { removed }: Pick<Batch, 'removed'>): () => readonly FileChange[] {
  const before = removed.flatMap((path) => {
    const item = itemAt(site, path);
    const naming = item ? namingByName(site, item) : [];
    return item && naming.length > 0 ? [{ item, naming }] : [];
  });
  return () =>
    before.flatMap(({ item, naming }) => {
      const table = tableOf(item);
      const items = site.records.table<Translated>(table);
      const present = items.get(item.id);
      if (present === undefined || present.path === item.path) return [];
      return naming.flatMap(({ id }) => {
        const one = items.get(id);
        return one && [...targetsOf(items, one)].length === 0
          ? [writeReference(site, one, referenceIn(site, table, present))]
          : [];
      });
    });
}

function tableOf(item: Translated): TranslatedTable {
  return item.taxonomy === undefined ? 'posts' : 'terms';
}

export function itemAt(site: Site, path: string): Translated | undefined {
  if (isTermPath(path)) return termAt(site.terms, path) as unknown as Translated | undefined;
  const place = referenceTo(path, '').slice(1);
  const items = [...site.posts.with('place', place)].flatMap((id) => (site.posts.get(id) as unknown as Translated) ?? []);
  return items.find((item) => item.path === path && item.translationOf !== undefined);
}

/** Members that refer to an item by name. */
function namingByName(site: Site, item: Translated): readonly Translated[] {
  const items = site.records.table<Translated>(tableOf(item));
  const named = items.with(referenceIndex, referenceTo(item.path, item.slug));
  return [...named].flatMap((id) => items.get(id) ?? []).filter(({ id }) => id !== item.id);
}

/** Another member becomes the original. */
function afterRemoval(site: Site, path: string, gone: ReadonlySet<string>): readonly FileChange[] {
  const item = itemAt(site, path);
  if (item === undefined) return [];
  const left = site.translations.members(item).filter((one) => !gone.has(one.path));
  const isNamed = left.some(
    (one) => one.translationOf !== '' && [...targetsOf(site.records.table(tableOf(item)), one)].includes(item.id),
  );
  return isNamed ? regrouped(site, tableOf(item), left) : [];
}

/** The slug of a written term: from the file, else its name. */
function slugAfter({ refs }: Site, item: Translated, path: string, written: unknown): string {
  if (typeof written === 'string' || typeof written === 'number') return slugify(String(written));
  const isNamed = item.slug === slugOfPath(refs.marks?.plain(item.path) ?? item.path);
  return isNamed || written === null ? slugOfPath(refs.marks?.plain(path) ?? path) : item.slug;
}

/** The reference to a written item. */
export function nameAfter(site: Site, item: Translated, { path, data }: Write): string {
  const slug =
    item.taxonomy === undefined ? '' : slugAfter(site, item, path, Object.hasOwn(data, 'slug') ? (data.slug ?? null) : undefined);
  return referenceTo(path, slug);
}

/** References by name follow a new path, those of terms a new slug. */
function renamed(site: Site, item: Translated, change: Write): readonly FileChange[] {
  const name = nameAfter(site, item, change);
  if (name === referenceTo(item.path, item.slug)) return [];
  return namingByName(site, item).map((one) => {
    const value = printReference(name, one.path, site.refs.folderAt);
    return { path: one.path, expect: one.etag, data: { translation_of: value }, order: ['id', 'translation_of'] };
  });
}

/** Writes shared fields to each translation. */
function shared(site: Site, item: Translated, { data }: Write): readonly FileChange[] {
  if (item.taxonomy !== undefined || item.type === 'attachment') return [];
  const shared = sharedMembers(site.languages.settings);
  const keys = shared.flatMap(({ key }) => (key !== undefined && Object.hasOwn(data, key) ? [key] : []));
  if (keys.length === 0) return [];
  return site.translations.members(item).flatMap((one) => {
    if (one.id === item.id) return [];
    const own = Object.fromEntries(
      keys.map((key) => [key, key === 'featured_media' ? mediaIn(site, data[key], one.lang) : data[key]]),
    );
    return [{ path: one.path, expect: one.etag, data: own, order: keys }];
  });
}

function mediaIn(site: Site, ref: unknown, code: string): unknown {
  if (typeof ref !== 'string' && typeof ref !== 'number') return ref;
  const id = site.refs.postId('attachment', ref);
  const own = site.translations.idIn('posts', id, code);
  return own === 0 ? ref : site.refs.postRef('attachment', own);
}

/** Changes of group members in a write. Items created in the same write are not in memory yet, and skipped. */
export function memberChanges(site: Site, changes: readonly FileChange[]): readonly MemberChange[] {
  const gone = new Set(changes.flatMap((change) => ('remove' in change ? change.remove : [])));
  return changes.flatMap((change): readonly MemberChange[] => {
    if ('remove' in change) return withoutMember(site, change.remove, gone);
    return 'data' in change ? [memberChange(site, change) ?? []].flat() : [];
  });
}

function withoutMember(site: Site, path: string, gone: ReadonlySet<string>): readonly MemberChange[] {
  const item = itemAt(site, path);
  if (item === undefined) return [];
  const isOriginal = site.translations.original(item).id === item.id;
  const left = isOriginal ? site.translations.members(item).filter((one) => !gone.has(one.path)) : [];
  const heir = heirOf(site, left);
  const others = left.map((one) => ({ before: one, lang: one.lang, ...(one === heir ? {} : { original: heir as Translated }) }));
  return [{ before: item, lang: '' }, ...others];
}

function memberChange(site: Site, { path, from, expect, data }: Write): MemberChange | undefined {
  const said = (key: string): boolean => Object.hasOwn(data, key);
  const item = expect === null ? undefined : itemAt(site, from ?? path);
  if (item ? !said('lang') && !said('translation_of') : expect !== null) return undefined;
  const { marks, folderAt, language } = site.refs;
  const implied = impliedReference(path, marks);
  const stated = data.translation_of as string | number | false | undefined;
  const own = stated === undefined ? implied : readReference(stated, path, folderAt);
  const reference = item && !said('translation_of') ? item.translationOf : own;
  const lang = item && !said('lang') ? item.lang : ((data.lang as string | undefined) ?? language?.(path) ?? '');
  const table = isTermPath(path) ? 'terms' : 'posts';
  const taxonomy = item?.taxonomy ?? (table === 'terms' ? taxonomyOf(site, path) : undefined);
  const items = site.records.table<Translated>(table);
  const [target = 0] = reference === '' ? [] : targetsOf(items, { translationOf: reference, ...(taxonomy ? { taxonomy } : {}) });
  const named = items.get(target);
  // A new item without a language is in no group.
  if (!item && !named) return undefined;
  const isStated = said('translation_of') || !item;
  const original = named && !isStated ? site.translations.original(named) : named;
  return { ...(item ? { before: item } : { isImplied: stated === undefined }), lang, ...(original ? { original } : {}) };
}

function isTermPath(path: string): boolean {
  return /^(?:terms|menus)\//.test(path);
}

/** '' for none. */
function taxonomyOf(site: Site, path: string): string {
  const [top, folder] = path.split('/');
  return top === 'menus' ? 'nav_menu' : ([...site.taxonomies.values()].find((one) => one.folder === folder)?.name ?? '');
}

/** One item per language for a file, each with its own id and slug. */
function siblings(site: PlanningSite, { path, data, order }: Write): readonly FileChange[] {
  if (!isMedia(path) || site.refs.marks?.of(path) !== '') return [];
  // A crop belongs to one item.
  if (data.translation_of !== undefined || data.crop !== undefined) return [];
  if (!site.translations.isTranslated('posts', 'attachment')) return [];
  const { codes, default: standard } = site.languages;
  const wanted = slugify(String(data.slug ?? nameOfMedia(path)));
  const taken = new Set([wanted]);
  const own = data.lang ?? standard;
  return codes.flatMap((code): readonly FileChange[] => {
    const place = marked(path, code);
    if (code === own || site.store.knows(place)) return [];
    const slug = uniqueSlug(wanted, (one) => taken.has(one) || site.posts.with('slug', one).size > 0);
    taken.add(slug);
    const { lang: _, ...shown } = data;
    return [{ path: place, expect: null, data: { ...shown, id: site.nextId('posts'), slug }, order: [...order] }];
  });
}
