/**
 * Which item of the source the site already has: as an earlier run of the import recorded it, else people and terms by what files may
 * call them (`findNamed`), items by guid, or by id and slug, and in the end by path and slug.
 *
 * What a name means to the files that are there, it means to the source as well: a new term or person never takes it over.
 */
import { escapeName } from '../../kernel/model/escape.ts';
import { findNamed } from '../../kernel/model/named.ts';
import { fileNameOf, slugify } from '../../kernel/model/slugs.ts';
import { mimeOf } from '../../modules/media/files/types.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { saidLanguage, slugInLanguage } from './item-language.ts';
import { type ExistingFile, type Inventory, likeShown, type Space, spaceOf, thingsNamed } from './inventory.ts';
import type { Line } from './import-state.ts';
import type { ContentKind, TermItem, UserItem } from './items.ts';
import type { PlanDraft, PlannedItem } from './planned-item.ts';
import type { CommentHeader, ItemHeader } from './source-scan.ts';

/** Puts everything that the site can hold into the draft, with the files it already has. */
export function matchItems(draft: PlanDraft): void {
  const { sourceScan, naming, inventory, users, terms, posts, comments, links } = draft;
  const besides = (item: TermItem): number | undefined => {
    const slug = slugInLanguage(item);
    return slug === '' ? undefined : inventory.places.get(`menus/${fileNameOf(slug)}.${saidLanguage(item).lang}`);
  };
  for (const item of sourceScan.users)
    users.set(
      item.key,
      matchItem(draft, 'user', item.key, '', () => findUser(draft, item)),
    );
  // Names that somebody has now come before those that others had, whatever comes first in the source.
  for (const item of sourceScan.users) lookAgain(draft, users.get(item.key), () => formerUser(draft, item));
  for (const item of sourceScan.users) lookAgain(draft, users.get(item.key), () => userCalled(draft, item));
  for (const item of sourceScan.terms) {
    const of = naming.taxonomies.get(item.taxonomy);
    if (!of) continue;
    const look = () =>
      thingsNamed(inventory, `term:${of}`).present(slugOfTerm(item)) ?? existingById(inventory, 'terms', besides(item));
    terms.set(item.key, matchItem(draft, 'term', item.key, of, look));
  }
  for (const item of sourceScan.terms) {
    const planned = terms.get(item.key);
    lookAgain(draft, planned, () => thingsNamed(inventory, `term:${planned?.of}`).former(slugOfTerm(item)) ?? null);
  }
  matchByTermName(draft);
  for (const header of sourceScan.posts) {
    const of = naming.types.get(header.type);
    if (!of || !isSupported(of, header.media)) continue;
    posts.set(
      header.key,
      matchItem(draft, 'post', header.key, of, () => findPost(draft, of, header), header),
    );
  }
  for (const item of sourceScan.comments) {
    const post = posts.get(item.post);
    if (!post) continue;
    comments.set(
      item.key,
      matchItem(draft, 'comment', item.key, '', () => findComment(draft, item, post.existing)),
    );
  }
  for (const { key } of sourceScan.links)
    links.set(
      key,
      matchItem(draft, 'menu-link', key, '', () => null),
    );
}

/** The slug a term asks for. */
export function slugOfTerm({ slug, name }: Pick<TermItem, 'slug' | 'name'>): string {
  return slugify(slug) || slugify(name);
}

/** An item with the file it has, as the import state records it or else as `look` finds it. */
export function matchItem(
  { importState, inventory, claimed, update }: PlanDraft,
  kind: ContentKind,
  key: string,
  of: string,
  look: () => ExistingFile | null,
  header: ItemHeader | null = null,
): PlannedItem {
  const others = importState.shared(kind, key).filter((one) => isSameItem(inventory, one, header));
  const line = importState.get(kind, key) ?? latest(inventory, others) ?? null;
  const isWritten = line !== null && line.etag !== '';
  const byLine = line === null ? null : key === looseFile ? inventory.loose : existingById(inventory, spaceOf(kind), line.id);
  const isSame = byLine !== null && byLine.kind === kind && byLine.of === of;
  const found = isSame ? byLine : isWritten ? null : look();
  const known = found !== null && claimed.has(found) ? null : found;
  if (known !== null) claimed.add(known);
  const existing = known?.path === '' ? null : known;
  return {
    kind,
    key,
    of,
    // Of somebody with an account and no profile yet.
    id: existing === null && known !== null ? known.id : 0,
    slug: '',
    place: '',
    file: '',
    parent: null,
    lang: '',
    original: null,
    isCut: false,
    formerPath: '',
    existing,
    line,
    ...(others.length === 0 ? {} : { others }),
    isGone: isWritten && existing === null && !update,
    isSettled: false,
    header,
  };
}

/** Looks in another way for what no earlier run has written and nothing was found for. */
function lookAgain({ claimed }: PlanDraft, planned: PlannedItem | undefined, look: () => ExistingFile | null): void {
  if (!planned || planned.existing || planned.id > 0 || (planned.line !== null && planned.line.etag !== '')) return;
  const found = look();
  if (found === null || claimed.has(found)) return;
  claimed.add(found);
  if (found.path === '') planned.id = found.id;
  else planned.existing = found;
}

/** Terms whose slug nothing has: the one of the same name below the same parent. Menus are lists, which are not merged. */
function matchByTermName(draft: PlanDraft): void {
  const { sourceScan, inventory, terms } = draft;
  const known = new Map<string, ExistingFile>();
  const keyOf = (of: string, lang: string, parent: string, name: string): string =>
    [of, lang, parent, name.trim().toLowerCase()].join('\n');
  for (const { file, name, parent, lang } of inventory.terms) {
    const above = parentOf(inventory, file.of, parent);
    const key = above === undefined ? '' : keyOf(file.of, lang, above, escapeName(name));
    if (key !== '' && !known.has(key)) known.set(key, file);
  }
  if (known.size === 0) return;
  const items = new Map(sourceScan.terms.map((item) => [item.key, item]));
  const done = new Set<string>();
  const match = (item: TermItem): void => {
    if (done.has(item.key)) return;
    done.add(item.key);
    const above = item.parent === undefined ? undefined : items.get(item.parent);
    if (above) match(above);
    const planned = terms.get(item.key);
    const parent = above === undefined ? '' : terms.get(above.key)?.existing?.path;
    if (!planned || planned.of === 'nav_menu' || parent === undefined || item.name.trim() === '') return;
    const lang = inventory.languages ? saidLanguage(item).lang || inventory.languages.languages.default : '';
    lookAgain(draft, planned, () => known.get(keyOf(planned.of, lang, parent, escapeName(item.name))) ?? null);
  };
  for (const item of sourceScan.terms) match(item);
}

/** The file of the parent that a term says; '' for none, undefined where nothing is called so. */
function parentOf(inventory: Inventory, taxonomy: string, parent: unknown): string | undefined {
  if (parent === undefined || parent === null || parent === '' || parent === 0) return '';
  if (typeof parent === 'number') return inventory.byId.terms.get(parent)?.path;
  return typeof parent === 'string' ? findNamed(parent, thingsNamed(inventory, `term:${taxonomy}`))?.path : undefined;
}

/** Of lines of several parts, the one that the present file was written for. */
function latest(inventory: Inventory, lines: readonly Line[]): Line | undefined {
  const isPresent = ({ kind, id, etag }: Line): boolean =>
    etag !== '' && inventory.byId[spaceOf(kind as ContentKind)].get(id)?.etag === etag;
  return lines.find(isPresent) ?? lines[0];
}

/** Whether an item is the one that another part of the site had under its key. */
function isSameItem(inventory: Inventory, { kind, id }: Line, header: ItemHeader | null): boolean {
  if (kind !== 'post') return kind !== 'menu-link';
  const file = existingById(inventory, 'posts', id);
  return file !== null && header !== null && header.guid !== '' && file.guid === header.guid;
}

/**
 * An item with neither an id nor a guid is the same as the file at its path with its slug: a folder of files that was imported
 * before, into a site that has been cloned since.
 */
export function matchByPath({ inventory, claimed }: PlanDraft, planned: PlannedItem, place: string, slug: string): void {
  if (planned.existing || planned.line || planned.header?.guid !== '') return;
  const file = existingById(inventory, 'posts', inventory.places.get(place.toLowerCase()));
  if (file === null || file.of !== planned.of || file.guid !== '' || file.slug !== slug || claimed.has(file)) return;
  claimed.add(file);
  planned.existing = file;
  planned.id = file.id;
}

/** Whether the site can hold it: files of unknown types are not served. */
function isSupported(of: string, media: string): boolean {
  return of !== 'attachment' || mimeOf(media) !== null;
}

function existingById(inventory: Inventory, space: Space, id: number | undefined): ExistingFile | null {
  return id === undefined ? null : (inventory.byId[space].get(id) ?? null);
}

/** By login, then by slug: a user who exists here is the same user. */
function findUser({ inventory, accounts }: PlanDraft, item: UserItem): ExistingFile | null {
  const account = item.login === '' ? undefined : accounts.get(item.login.toLowerCase());
  if (account !== undefined) return existingById(inventory, 'users', account);
  return thingsNamed(inventory, 'user:').present(slugOfUser(item)) ?? null;
}

function slugOfUser({ slug, login }: UserItem): string {
  return slugify(slug) || slugify(login);
}

function formerUser(draft: PlanDraft, item: UserItem): ExistingFile | null {
  return hasAccount(draft, item) ? null : (thingsNamed(draft.inventory, 'user:').former(slugOfUser(item)) ?? null);
}

/** By the name that readers see. Two who may both sign in are two people, whatever they are called. */
function userCalled(draft: PlanDraft, item: UserItem): ExistingFile | null {
  if (hasAccount(draft, item)) return null;
  const found = findNamed(item.name, thingsNamed(draft.inventory, 'user:')) ?? likeShown(draft.inventory, slugOfUser(item));
  const isAnother = item.login !== '' && draft.inventory.accounts.some(({ id }) => id === found?.id);
  return found === undefined || isAnother ? null : found;
}

/** Whether it is somebody who signs in here, with a profile or without. */
function hasAccount({ accounts }: PlanDraft, { login }: UserItem): boolean {
  return login !== '' && accounts.has(login.toLowerCase());
}

/** By guid, which several items may share; else by id, type and slug, except for a number that the slug may have been given. */
function findPost({ inventory, claimed }: PlanDraft, of: string, { guid, id, slug }: ItemHeader): ExistingFile | null {
  const hasSlug = (file: ExistingFile): boolean => slug !== '' && unnumbered(file.slug) === unnumbered(slugify(slug));
  const byGuid = guid === '' ? [] : (inventory.guids.get(`${of} ${guid}`) ?? []);
  const free = byGuid.filter((file) => file.id > 0 && !claimed.has(file));
  if (free.length > 0) return free.find(hasSlug) ?? (free[0] as ExistingFile);
  const byId = existingById(inventory, 'posts', id || undefined);
  return byId !== null && byId.of === of && hasSlug(byId) ? byId : null;
}

function findComment({ inventory }: PlanDraft, { id }: CommentHeader, post: ExistingFile | null): ExistingFile | null {
  const file = existingById(inventory, 'comments', id || undefined);
  return file !== null && post !== null && file.path.startsWith(`comments/${post.id}/`) ? file : null;
}

function unnumbered(slug: string): string {
  return slug.replace(/(?<=.)-\d+$/, '');
}
