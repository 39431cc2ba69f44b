/**
 * Files that change because those of other members do: what translations share, references to what is renamed or removed, and the
 * texts of a new medium in the other languages.
 */
import type { Site } from '../../kernel/site/site.ts';
import { slugOfPath } from '../../kernel/model/logical-path.ts';
import { uniqueSlug, slugify } from '../../kernel/model/slugs.ts';
import { isMedia } from '../../kernel/store/paths.ts';
import type { Batch, FileChange, Write } from '../../kernel/store/types.ts';
import { nameOfMedia } from '../media/record.ts';
import { marked, printReference, referenceTo } from './file-names.ts';
import { referenceIndex, targetsOf } from './groups.ts';
import { referenceIn, regrouped, writeReference } from './membership.ts';
import type { Translated, TranslatedTable } from './record.ts';
import { sharedMembers } from './settings.ts';

export function followers(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
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

/** Sidecars in the other languages beside the first one of a medium that had none. */
export function siblingsOf(site: Site, writes: readonly FileChange[]): readonly FileChange[] {
  return writes.flatMap((write) => ('data' in write && write.expect === null ? siblings(site, write) : []));
}

/** What is to be written once files that others have renamed are in memory. */
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

function itemAt(site: Site, path: string): Translated | undefined {
  if (path.startsWith('terms/')) {
    const slug = referenceTo(path, '');
    const taxonomy = [...site.taxonomies.values()].find(({ folder }) => slug === `terms/${folder}:`)?.name;
    const peers = taxonomy === undefined ? [] : [...site.terms.with('taxonomy', taxonomy)];
    return peers.flatMap((id) => (site.terms.get(id) as unknown as Translated) ?? []).find((term) => term.path === path);
  }
  const place = referenceTo(path, '').slice(1);
  const items = [...site.posts.with('place', place)].flatMap((id) => (site.posts.get(id) as unknown as Translated) ?? []);
  return items.find((item) => item.path === path && item.translationOf !== undefined);
}

/** Members that name an item by its name. */
function namingByName(site: Site, item: Translated): readonly Translated[] {
  const items = site.records.table<Translated>(tableOf(item));
  const named = items.with(referenceIndex, referenceTo(item.path, item.slug));
  return [...named].flatMap((id) => items.get(id) ?? []).filter(({ id }) => id !== item.id);
}

/** Another member takes the place of the original. */
function afterRemoval(site: Site, path: string, gone: ReadonlySet<string>): readonly FileChange[] {
  const item = itemAt(site, path);
  if (item === undefined) return [];
  const left = site.translations.members(item).filter((one) => !gone.has(one.path));
  const isNamed = left.some(
    (one) => one.translationOf !== '' && [...targetsOf(site.records.table(tableOf(item)), one)].includes(item.id),
  );
  return isNamed ? regrouped(site, tableOf(item), left) : [];
}

/** The slug of a term once it is written: what the file says, else what its name stands for. */
function slugAfter({ refs }: Site, item: Translated, path: string, written: unknown): string {
  if (typeof written === 'string' || typeof written === 'number') return slugify(String(written));
  const isNamed = item.slug === slugOfPath(refs.marks?.plain(item.path) ?? item.path);
  return isNamed || written === null ? slugOfPath(refs.marks?.plain(path) ?? path) : item.slug;
}

/** References by name go along with a new path, of terms with a new slug. */
function renamed(site: Site, item: Translated, { path, data }: Write): readonly FileChange[] {
  const slug =
    item.taxonomy === undefined ? '' : slugAfter(site, item, path, Object.hasOwn(data, 'slug') ? (data.slug ?? null) : undefined);
  const name = referenceTo(path, slug);
  if (name === referenceTo(item.path, item.slug)) return [];
  return namingByName(site, item).map((one) => {
    const value = printReference(name, one.path, site.refs.folderAt);
    return { path: one.path, expect: one.etag, data: { translation_of: value }, order: ['id', 'translation_of'] };
  });
}

/** What translations share is written into each. */
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

/** One item per language for one file: each with an id and a slug of its own. */
function siblings(site: Site, { path, data, order }: Write): readonly FileChange[] {
  if (!isMedia(path) || site.refs.marks?.of(path) !== '') return [];
  // A crop is the one item's that shows it.
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
