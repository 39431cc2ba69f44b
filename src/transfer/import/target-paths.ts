/**
 * Slugs and paths of planned items: names that are safe in URLs and on every system, and that nothing else has.
 */
import { fileNameOf, isReservedSlug, slugify, uniqueSlug } from '../../kernel/model/slugs.ts';
import { isPath, maxDepth, mediaFolder, originalOf } from '../../kernel/store/paths.ts';
import { stylesType } from '../../modules/design/themes/styles.ts';
import { fontSlug } from '../../modules/design/fonts/plan.ts';
import { cleanFileName, stem } from '../../modules/media/files/names.ts';
import { extensionOf, mimeOf } from '../../modules/media/files/types.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { isDated } from '../../modules/content/posts/record.ts';
import { logicalPath, parentPath } from '../../kernel/model/logical-path.ts';
import { newPlace, type PostType } from '../../modules/types/record.ts';
import { slugInLanguage } from './item-language.ts';
import { claim, type ExistingFile, type Inventory, likeShown, scopeOf, thingsNamed } from './inventory.ts';
import type { TermItem, UserItem } from './items.ts';
import { folderBelow, groupOf } from './planned-languages.ts';
import { matchByPath, slugOfTerm } from './match-existing.ts';
import { isBelow, type PlanDraft, type PlannedItem } from './planned-item.ts';
import type { ItemHeader } from './source-scan.ts';

export const fontTypes: ReadonlySet<string> = new Set(['cms_font_family', 'cms_font_face']);

export function placeUser(draft: PlanDraft, planned: PlannedItem, item: UserItem): void {
  const wanted = slugify(item.slug) || slugify(item.login) || slugify(item.name) || `user-${planned.id}`;
  planned.slug = presentSlug(planned, wanted) ?? freeSlug(draft, planned, wanted, 'user:', namesOther(draft, planned, 'user:'));
  placeInFolder(draft, planned, { folder: 'users', wanted: planned.slug, scope: 'user:' });
}

export function placeTerm(draft: PlanDraft, planned: PlannedItem, item: TermItem): void {
  const shared = hasMark(draft, planned) ? slugInLanguage(item) : '';
  if (shared !== '') {
    // Beside the menu that it translates: `foot.de.yaml`.
    planned.slug = shared;
    placeInFolder(draft, planned, { folder: 'menus', wanted: shared, scope: `menu:${planned.lang}`, isMarked: true });
    return;
  }
  const scope = `term:${planned.of}`;
  const wanted = slugOfTerm(item) || String(planned.id);
  planned.slug = presentSlug(planned, wanted) ?? freeSlug(draft, planned, wanted, scope, namesOther(draft, planned, scope));
  const folder = draft.naming.model.taxonomies.find(({ name }) => name === planned.of)?.folder;
  placeInFolder(draft, planned, { folder: planned.of === 'nav_menu' ? 'menus' : `terms/${folder}`, wanted: planned.slug, scope });
}

/** A post of any type, by the rules of its type. @param hasChildren  others will be in a folder of its name */
export function placePost(draft: PlanDraft, planned: PlannedItem, hasChildren: boolean): void {
  if (planned.of === 'attachment') placeMedia(draft, planned);
  else if (fontTypes.has(planned.of)) placeFont(draft, planned);
  else placeText(draft, planned, hasChildren);
}

/** A page that came before the page above it, at the place where the import has put it: it moves there, unless others are below it. */
function isLateChild({ inventory, types }: PlanDraft, planned: PlannedItem): boolean {
  const { existing, line, parent } = planned;
  if (!existing || !line || !parent || !isBelow(types, planned) || line.path !== existing.path) return false;
  if (line.etag !== existing.etag || !line.wants?.includes(`post ${parent.key}`)) return false;
  const folder = `${planned.place || logicalPath(existing.path)}/`.toLowerCase();
  return ![...inventory.places.keys()].some((place) => place.startsWith(folder));
}

function placeText(draft: PlanDraft, planned: PlannedItem, hasChildren: boolean): void {
  const { existing } = planned;
  const isLate = isLateChild(draft, planned);
  if (isLate) planned.existing = null;
  placeAnew(draft, planned, hasChildren);
  if (isLate) planned.existing = existing;
}

function placeAnew(draft: PlanDraft, planned: PlannedItem, hasChildren: boolean): void {
  const { inventory, naming, types } = draft;
  const header = planned.header as ItemHeader;
  const type = types.get(planned.of) as PostType;
  const marks = inventory.languages?.marks;
  const parent = isBelow(types, planned) ? (planned.parent as PlannedItem) : null;
  const above = parent ? folderBelow(marks, parent.place) : type.folder;
  const isDeep = above.split('/').length > maxDepth - 4 || above.length > 2000;
  const dated = isDated(type) && header.date !== '' ? newPlace(type, { date: header.date, status: 'publish' }, 'x') : '';
  const folder = isDeep ? type.folder : dated === '' ? above : parentPath(`${dated}.md`);
  const scope = scopeOf(naming.model, 'post', planned.of, planned.existing?.path ?? `${folder}/x.html`, planned.lang);
  const slug = slugOfPost(draft, planned, scope);
  const isShareable = sharesSlugs(inventory, header.status);
  const wanted = slug || (isShareable ? '' : header.name || String(planned.id));
  matchByPath(draft, planned, `${folder}/${fileNameOf(wanted || header.name)}`, wanted);
  // A slug of the source worked there: only one that is made here has to avoid reserved names.
  const isReserved = (name: string): boolean => name !== slug && isReservedSlug(name, type, draft.permalink);
  planned.slug = isShareable ? wanted : freeSlug(draft, planned, wanted, scope, isReserved);
  const preferred = allowedPath(type, header.preferredPath, type.hierarchical ? above : null);
  if (preferred !== null && !planned.existing && !inventory.places.has(logicalPath(`${preferred}.html`).toLowerCase())) {
    planned.file = preferred;
    claimPath(inventory, planned, scope);
    return;
  }
  // What is below a page with a code in its name has one as well.
  const isMarked = parent !== null && above !== parent.place;
  placeInFolder(draft, planned, { folder, wanted: planned.slug || header.name, scope, hasChildren, isMarked });
}

/** A second file of the same name gets a number; an unsafe name is made safe. */
function placeMedia(draft: PlanDraft, planned: PlannedItem): void {
  const { inventory } = draft;
  const header = planned.header as ItemHeader;
  const path = mediaPath(header.media, planned.id);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  matchByPath(draft, planned, mediaFolder + path, slugify(header.slug) || header.name);
  const base = stem(path.slice(folder.length));
  const extension = path.slice(folder.length + base.length);
  let place = mediaFolder + path;
  const sharing = draft.media.get(place);
  const isShared = sharing !== undefined && sharing.lang !== planned.lang && groupOf(sharing) === groupOf(planned);
  for (let number = 1; !isShared && inventory.places.has(place.toLowerCase()); number++)
    place = `${mediaFolder}${folder}${base}-${number}${extension}`;
  planned.file = planned.existing ? logicalPath(planned.existing.path) : isShared ? `${place}@${planned.lang}` : place;
  const wanted = slugify(header.slug) || header.name || slugify(base) || String(planned.id);
  planned.slug = freeSlug(draft, planned, wanted, 'post:attachment');
  claimPath(inventory, planned, 'post:attachment');
  draft.media.set(planned.place, planned);
}

/** The media file of a planned attachment, which it may share with those in other languages. */
export function mediaFileOf({ place }: Pick<PlannedItem, 'place'>): string {
  return originalOf(`${place}.yaml`);
}

function placeFont(draft: PlanDraft, planned: PlannedItem): void {
  const header = planned.header as ItemHeader;
  const scope = `post:${planned.of}`;
  const name = fontFile(planned.of, header.slug || header.name, planned.id);
  matchByPath(draft, planned, `fonts/${name}`, name);
  planned.slug = freeSlug(draft, planned, fontFile(planned.of, header.slug || header.name, planned.id), scope);
  planned.file = `${planned.parent?.place ?? 'fonts'}/${planned.slug}`;
  claimPath(draft.inventory, planned, scope);
}

/** The file name of a family, or of a face in the folder of its family. */
function fontFile(type: string, slug: string, id: number): string {
  const name = fontSlug(slug);
  return type === 'cms_font_family' ? name || `font-${id}` : `${name || 'face'}-${id}`;
}

interface FilePlace {
  readonly folder: string;
  readonly wanted: string;
  /** Of its slug. */
  readonly scope: string;
  /** Others will be in a folder of its name. */
  readonly hasChildren?: boolean;
  /** Its name has the code of its language. */
  readonly isMarked?: boolean;
}

/** The path in a folder; a name that another file has gets the code of its language appended, else the id. */
function placeInFolder(draft: PlanDraft, planned: PlannedItem, { folder, wanted, scope, ...place }: FilePlace): void {
  const { inventory } = draft;
  const isTaken = (name: string): boolean => inventory.places.has(`${folder}/${name}`.toLowerCase());
  if (!planned.existing) {
    const plain = fileNameOf(wanted || String(planned.id));
    // A file of this name would stand for its folder.
    const isSpecial = plain === 'index' || `${folder}/${plain}.yaml` === looseFile;
    const name = isSpecial ? `${plain}-${planned.id}` : plain;
    const mark = hasMark(draft, planned) ? `.${planned.lang}` : '';
    const names = place.isMarked ? [] : [name, ...(mark === '' ? [`${name}-${planned.id}`] : [])];
    const free = [...names, `${name}${mark}`, `${name}-${planned.id}${mark}`].find((one) => !isTaken(one));
    const isFolder = place.hasChildren && (mark === '' || free === name);
    planned.file = `${folder}/${free ?? `${name}-${planned.id}`}${isFolder ? '/index' : ''}`;
  }
  claimPath(inventory, planned, scope);
}

/** Whether names of files may have the code of the item's language. */
function hasMark({ inventory: { languages } }: PlanDraft, { kind, of, lang }: PlannedItem): boolean {
  return (kind === 'post' || of === 'nav_menu') && languages?.languages.of(lang) !== undefined;
}

function claimPath(inventory: Inventory, planned: PlannedItem, scope: string): void {
  const { kind, of, id, slug, existing } = planned;
  const isText = kind === 'post' && of !== 'attachment' && !fontTypes.has(of);
  const path = existing?.path ?? `${planned.file}${isText ? '.html' : '.yaml'}`;
  planned.place = logicalPath(path);
  planned.file = planned.place.length === path.lastIndexOf('.') ? planned.place : path.replace(/\.[^./]*$/, '');
  if (planned.isGone) return;
  claim(inventory.slugs, scope, slug, id);
  if (!existing) inventory.places.set(planned.place.toLowerCase(), id);
}

/** The slug of the source; user styles of the source's theme become those of the site's theme, if it has none. */
function slugOfPost({ inventory, stylesheet }: PlanDraft, { of, id, header }: PlannedItem, scope: string): string {
  const slug = slugify(header?.slug ?? '');
  const holder = inventory.slugs.get(`${scope} ${stylesheet.site}`);
  const isFree = holder === undefined || holder === id;
  return of === stylesType && slug === stylesheet.source && isFree ? stylesheet.site : slug;
}

/** The slug, with the first number that makes it unique. */
function freeSlug(
  { inventory }: PlanDraft,
  planned: PlannedItem,
  wanted: string,
  scope: string,
  isReserved: (slug: string) => boolean = () => false,
): string {
  return uniqueSlug(wanted, (slug) => {
    const holder = inventory.slugs.get(`${scope} ${slug}`);
    return (holder !== undefined && holder !== planned.id) || isReserved(slug);
  });
}

/** The slug of a term or person that was here before the import: files name them by it. */
function presentSlug({ existing, line }: PlannedItem, wanted: string): string | undefined {
  if (existing === null || existing.slug === '') return undefined;
  const isTheirs = line === null || line.etag === '' || line.flag === 'theirs' || existing.aliases?.includes(wanted);
  return isTheirs || existing.slug === wanted ? existing.slug : undefined;
}

/** Whether files that name a slug mean another of those that are there: by a former slug, or by the name that readers see. */
function namesOther({ inventory }: PlanDraft, { id, existing }: PlannedItem, scope: string): (slug: string) => boolean {
  const isOther = (file: ExistingFile | undefined): boolean => file !== undefined && file !== existing && file.id !== id;
  const { former } = thingsNamed(inventory, scope);
  return (slug) => isOther(former(slug)) || (scope === 'user:' && isOther(likeShown(inventory, slug)));
}

/** Statuses whose items need no slug of their own. */
function sharesSlugs(inventory: Inventory, status: string): boolean {
  return inventory.model.statuses.some(({ name, dateFloating, internal }) => name === status && (dateFloating || internal));
}

/** A preferred path, if it is one of the type and below the parent. */
function allowedPath({ folder }: PostType, preferredPath: string, above: string | null): string | null {
  if (!preferredPath.startsWith(`${folder}/`) || !isPath(`${preferredPath}.html`)) return null;
  return above === null || parentPath(`${preferredPath}.html`) === above ? preferredPath : null;
}

/** A path below `media/` that is safe in URLs and on every system. */
function mediaPath(path: string, id: number): string {
  const parts = path
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const isSafe = (part: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._@+-]*$/u.test(part);
  const clean = parts.map((part) => (isSafe(part) ? part : cleanFileName(part))).filter((part) => part !== '');
  const name = clean.join('/');
  return mimeOf(name) !== null && isPath(`${mediaFolder}${name}.yaml`) ? name : `file-${id}.${extensionOf(path)}`;
}
