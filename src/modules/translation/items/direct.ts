/**
 * Translations that people make without a job: each gets a record of what it is of, when a client makes it or joins it to its
 * original. One that somebody has written by hand has none until its original changes while the site is open: then the record says what
 * the original was before.
 *
 * Source: reference on languages, 13.3, 13.5.
 */
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { itemAt, memberChanges, nameAfter, referenceIn } from '../../languages/index.ts';
import type { MemberChange, Translated } from '../../languages/record.ts';
import { dropStatus, isOpenStatus, renameOriginal, type TranslatedOriginal, writeDirect } from '../jobs/index.ts';
import type { StatusRecord } from '../jobs/record.ts';
import { type ItemToTranslate, isTerm } from './texts.ts';

/** Keys of originals that no translation is out of date after. */
const neutral = new Set([
  ...['id', 'slug', 'aliases', 'lang', 'translation_of', 'date', 'modified', 'status', 'trashed', 'author', 'password'],
  ...['parent', 'order', 'template', 'comments', 'pings', 'sticky', 'format', 'featured_media', 'locations', 'folder', 'post'],
]);
/** Keys of what is written in a language. */
const texts = ['title', 'name', 'excerpt', 'caption', 'description', 'alt', 'items', 'meta', 'fields', 'seo'];

export interface Direct {
  readonly site: PlanningSite;
  /** What a translation of an item is of, with the texts that it has now. */
  original(item: ItemToTranslate): TranslatedOriginal;
}

/** Records that planned changes make necessary. */
export function followDirect(cx: Direct, changes: readonly FileChange[]): readonly FileChange[] {
  const { site } = cx;
  // The result of a job brings its record.
  if (changes.some((change) => 'data' in change && change.path.startsWith('lang/status/'))) return [];
  const writes = changes.filter((change): change is Write => 'data' in change && change.expect !== null);
  const changing = new Set(writes.filter(mayMatter).map(({ path, from }) => from ?? path));
  const members = memberChanges(site, changes);
  const joining = new Set(members.flatMap(({ before }) => before?.id ?? []));
  return [
    ...members.flatMap((change) => joined(cx, change, changing)),
    ...writes.flatMap((change) => {
      const item = itemAt(site, change.from ?? change.path) as ItemToTranslate | undefined;
      return item ? [...edited(cx, item, change, joining), ...renamed(cx, item, change)] : [];
    }),
  ];
}

/** @param changing  files of originals whose texts change as well */
function joined(cx: Direct, change: MemberChange, changing: ReadonlySet<string>): readonly FileChange[] {
  const { site } = cx;
  const { lang, isImplied = false } = change;
  const before = change.before as ItemToTranslate | undefined;
  const source = change.original as ItemToTranslate | undefined;
  const former = before && originalOf(site, before);
  const old = before && former !== before ? recordOf(site, before, before.lang) : undefined;
  if (source === undefined) return old ? dropStatus(site, old) : [];
  if (former === source && before?.lang === lang) return [];
  const present = recordOf(site, source, lang) ?? old;
  const dropped = old && old.id !== present?.id ? dropStatus(site, old) : [];
  const isTranslated = site.translations.isTranslated(isTerm(source) ? 'terms' : 'posts', kindOf(source));
  // The server creates an item of each language for media.
  if (!isTranslated || (isMedium(source) && isImplied) || (present && isOpenStatus(present))) return dropped;
  // The hash of the original is known once it is in memory, and not needed before it changes again.
  if (changing.has(source.path)) return [...dropped, ...(present ? dropStatus(site, present) : [])];
  return [...dropped, ...writeDirect(site, cx.original(source), lang, present)];
}

/** Where an original changes, what its translations were of; where a translation does, that it is of its original as that is now. */
function edited(cx: Direct, item: ItemToTranslate, write: Write, joining: ReadonlySet<number>): readonly FileChange[] {
  const { site } = cx;
  const source = originalOf(site, item);
  if (item !== source) {
    const record = joining.has(item.id) || !hasTexts(write) ? undefined : recordOf(site, item, item.lang);
    return record?.job === 0 && record.needsUpdate ? writeDirect(site, cx.original(source), item.lang, record) : [];
  }
  if (!mayMatter(write)) return [];
  return unknownOf(site, item)
    .filter(({ id }) => !joining.has(id))
    .flatMap(({ lang }) => writeDirect(site, cx.original(item), lang, recordOf(site, item, lang)));
}

function renamed({ site }: Direct, item: ItemToTranslate, change: Write): readonly FileChange[] {
  const name = nameAfter(site, item, change);
  const isSame = name === nameAfter(site, item, { ...change, path: item.path, data: {} });
  return isSame ? [] : naming(site, item).map((record) => renameOriginal(site, record, name));
}

export function recordOf(site: Site, item: ItemToTranslate, code: string): StatusRecord | undefined {
  return site.translationJobs.recordOf(elementOf(item), item.id, code);
}

/** Records that call an item by its name. */
export function naming(site: Site, item: ItemToTranslate): readonly StatusRecord[] {
  return site.languages.codes.flatMap((code) => {
    const record = recordOf(site, item, code);
    return record?.item === item.id && record.named !== '' ? [record] : [];
  });
}

/** Translations of an original of which nothing says what they are of. Media have theirs by themselves. */
export function unknownOf(site: Site, item: ItemToTranslate): readonly ItemToTranslate[] {
  if (isMedium(item)) return [];
  const members = site.translations.members(item) as readonly unknown[] as readonly ItemToTranslate[];
  return members.filter(({ id, lang }) => {
    const record = id === item.id ? undefined : recordOf(site, item, lang);
    return id !== item.id && (record === undefined || (record.hash === '' && !isOpenStatus(record)));
  });
}

export function originalOf(site: Site, item: ItemToTranslate): ItemToTranslate {
  return site.translations.original(item as Translated & ItemToTranslate) as Translated & ItemToTranslate;
}

export function elementOf(item: ItemToTranslate): string {
  return `${isTerm(item) ? 'tax' : 'post'}_${kindOf(item)}`;
}

/** How statuses call an item; '' where something else has the name too. */
export function statusName(site: Site, item: ItemToTranslate): string {
  const reference = referenceIn(site, isTerm(item) ? 'terms' : 'posts', item as Translated & ItemToTranslate);
  return typeof reference === 'string' ? reference : '';
}

function kindOf(item: ItemToTranslate): string {
  return isTerm(item) ? item.taxonomy : item.type;
}

function isMedium(item: ItemToTranslate): boolean {
  return kindOf(item) === 'attachment';
}

function hasTexts({ data, body }: Write): boolean {
  return body !== undefined || texts.some((key) => Object.hasOwn(data, key));
}

function mayMatter({ data, body }: Write): boolean {
  return body !== undefined || Object.keys(data).some((key) => !neutral.has(key));
}
