/**
 * What every item will be on the site before any is written: the file it is found in again, its id, its parent, its slug, its
 * place. Pure: it follows from the source scan, the inventory and the import state alone, so that an interrupted import goes on with the
 * same plan.
 */
import { mediaFolder } from '../../modules/media/record.ts';
import { isId } from '../../kernel/model/ids.ts';
import { isDated, logicalPath } from '../../modules/posts/record.ts';
import { fileNameOf, isReservedSlug, slugify, uniqueSlug } from '../../kernel/model/slugs.ts';
import type { PostType } from '../../modules/types/types.ts';
import { stylesType } from '../../modules/design/styles.ts';
import { stem } from '../../modules/media-files/names.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { isFollowed } from '../../kernel/site/sequences.ts';
import { maxDepth } from '../../kernel/store/paths.ts';
import { monthOf } from '../../kernel/model/dates.ts';
import { type Inventory, claim, type ExistingFile, scopeOf, type Space, spaceOf } from './inventory.ts';
import type { Naming } from './declarations.ts';
import { fontFile, fontTypes } from './fonts.ts';
import type { MenuLinkItem, TermItem, UserItem } from './items.ts';
import { existingById, findComment, findPost, findUser } from './match-existing.ts';
import type { ImportState } from './import-state.ts';
import { isSupported, mediaPath, patternOf, slugOfTerm, allowedPath } from './target-paths.ts';
import { cutCircles, isBelow, type Kind, parentsFirst, type PlannedItem } from './planned-item.ts';
import type { ItemHeader, SourceScan } from './source-scan.ts';

export interface ImportPlan {
  readonly users: ReadonlyMap<string, PlannedItem>;
  readonly terms: ReadonlyMap<string, PlannedItem>;
  readonly posts: ReadonlyMap<string, PlannedItem>;
  readonly comments: ReadonlyMap<string, PlannedItem>;
  readonly links: ReadonlyMap<string, PlannedItem>;
  /** The file of menu items that are in no menu. */
  readonly loose: PlannedItem;
  /** Planned posts and terms by their ids here. */
  readonly postsById: ReadonlyMap<number, PlannedItem>;
  readonly termsById: ReadonlyMap<number, PlannedItem>;
  readonly usersById: ReadonlyMap<number, PlannedItem>;
}

interface PlanOptions {
  readonly sourceScan: SourceScan;
  readonly naming: Naming;
  /** Takes note of the slugs, places and ids that are given out. */
  readonly inventory: Inventory;
  readonly importState: ImportState;
  /** Address pattern of posts, `/{year}/{slug}/`. */
  readonly permalink: string;
  /** Names of the theme, here and in the source, where that says it; styles of users are called by it. */
  readonly stylesheet: { readonly ours: string; readonly theirs: string };
  /** Deleted files come back. */
  readonly update: boolean;
}

/** Statuses whose slugs need not be their own. */
function sharesSlugs(inventory: Inventory, status: string): boolean {
  return inventory.model.statuses.some(({ name, dateFloating, internal }) => name === status && (dateFloating || internal));
}

export function makePlan(options: PlanOptions): ImportPlan {
  const { sourceScan, naming, inventory, importState, update } = options;
  const types = new Map(naming.model.types.map((type) => [type.name, type]));
  const users = new Map<string, PlannedItem>();
  const terms = new Map<string, PlannedItem>();
  const posts = new Map<string, PlannedItem>();
  const comments = new Map<string, PlannedItem>();
  const links = new Map<string, PlannedItem>();
  const accounts = new Map(inventory.accounts.map((account) => [account.login.toLowerCase(), account.id]));
  const claimed = new Set<ExistingFile>();

  for (const item of sourceScan.users)
    users.set(
      item.key,
      find('user', item.key, '', () => findUser(inventory, accounts, item)),
    );
  for (const item of sourceScan.terms) {
    const of = naming.taxonomies.get(item.taxonomy);
    if (!of) continue;
    const look = () => existingById(inventory, 'terms', inventory.slugs.get(`term:${of} ${slugOfTerm(item)}`));
    terms.set(item.key, find('term', item.key, of, look));
  }
  for (const header of sourceScan.posts) {
    const of = naming.types.get(header.type);
    if (of && isSupported(of, header.media))
      posts.set(
        header.key,
        find('post', header.key, of, () => findPost(inventory, of, header, claimed), header),
      );
  }
  for (const item of sourceScan.comments) {
    const post = posts.get(item.post);
    if (post)
      comments.set(
        item.key,
        find('comment', item.key, '', () => findComment(inventory, item, post.existing)),
      );
  }
  for (const item of sourceScan.links)
    links.set(
      item.key,
      find('menu-link', item.key, '', () => null),
    );

  giveIds(
    sourceScan.users.map((item) => [users.get(item.key), item.id ?? 0, accounts.get(item.login.toLowerCase())]),
    'users',
  );
  giveIds(
    sourceScan.terms.map((item) => [terms.get(item.key), item.id ?? 0]),
    'terms',
  );
  giveIds(
    [
      ...sourceScan.posts.map((item) => [posts.get(item.key), item.id] as const),
      ...sourceScan.links.map((item) => [links.get(item.key), item.id ?? 0, heldLink(item)] as const),
    ],
    'posts',
  );
  giveIds(
    sourceScan.comments.map((item) => [comments.get(item.key), item.id]),
    'comments',
  );

  for (const item of sourceScan.terms) adopt(terms.get(item.key), item.parent === undefined ? undefined : terms.get(item.parent));
  for (const item of sourceScan.posts) adopt(posts.get(item.key), posts.get(item.parent));
  const postOf = new Map(sourceScan.comments.map(({ key, post }) => [key, post]));
  for (const item of sourceScan.comments)
    if (postOf.get(item.parent) === item.post) adopt(comments.get(item.key), comments.get(item.parent));
  for (const map of [terms, posts, comments]) cutCircles(map.values());

  for (const item of sourceScan.users) placeUser(users.get(item.key) as PlannedItem, item);
  for (const item of sourceScan.terms) {
    const planned = terms.get(item.key);
    if (planned) placeTerm(planned, item);
  }
  const withChildren = new Set<PlannedItem>();
  for (const post of posts.values()) if (isBelow(types, post)) withChildren.add(post.parent as PlannedItem);
  for (const post of parentsFirst(posts.values())) {
    if (post.of === 'attachment') placeMedia(post);
    else if (fontTypes.has(post.of)) placeFont(post);
    else placePost(post, withChildren.has(post));
  }

  const loose = find('term', looseFile, 'nav_menu', () => inventory.loose);
  loose.place = loose.file = logicalPath(looseFile);
  const byId = (map: ReadonlyMap<string, PlannedItem>) => new Map([...map.values()].map((planned) => [planned.id, planned]));
  return { users, terms, posts, comments, links, loose, postsById: byId(posts), termsById: byId(terms), usersById: byId(users) };

  /** An item with the file it has, as the import state knows it or else as `look` finds it. */
  function find(
    kind: Kind,
    key: string,
    of: string,
    look: () => ExistingFile | null,
    header: ItemHeader | null = null,
  ): PlannedItem {
    const line = importState.get(kind, key) ?? null;
    const isMade = line !== null && line.etag !== '';
    const byLine = line === null ? null : key === looseFile ? inventory.loose : existingById(inventory, spaceOf(kind), line.id);
    const isSame = byLine !== null && byLine.kind === kind && byLine.of === of;
    const found = isSame ? byLine : isMade ? null : look();
    const known = found !== null && claimed.has(found) ? null : found;
    if (known !== null) claimed.add(known);
    const isGone = isMade && known === null && !update;
    return {
      kind,
      key,
      of,
      id: 0,
      slug: '',
      place: '',
      file: '',
      parent: null,
      isCut: false,
      formerPath: '',
      existing: known,
      line,
      isGone,
      isSettled: false,
      header,
    };
  }

  /**
   * What has neither an id nor a guid that could tell is the same as what stands at its place under its name: a source of files
   * that was imported before, into a folder that has been cloned since.
   */
  function meet(planned: PlannedItem, place: string, slug: string): void {
    if (planned.existing || planned.line || planned.header?.guid !== '') return;
    const existing = existingById(inventory, 'posts', inventory.places.get(place.toLowerCase()));
    if (
      existing === null ||
      existing.of !== planned.of ||
      existing.guid !== '' ||
      existing.slug !== slug ||
      claimed.has(existing)
    )
      return;
    claimed.add(existing);
    planned.existing = existing;
    planned.id = existing.id;
  }

  /** Files keep their ids, then those that were promised, then wishes come true where nobody has had them; the others get new ones. */
  function giveIds(
    rows: readonly (readonly [planned: PlannedItem | undefined, preferredId: number, other?: number | undefined])[],
    space: Space,
  ): void {
    const taken = inventory.taken[space];
    const open = rows.filter((row): row is [PlannedItem, number, number | undefined] => {
      const [planned, , other] = row;
      if (!planned) return false;
      // An account without a profile keeps its number.
      planned.id = planned.existing?.id ?? other ?? planned.id;
      return planned.id === 0;
    });
    const grant = (planned: PlannedItem, id: number): boolean => {
      if (!isId(id) || taken.has(id)) return false;
      taken.add(id);
      if (isFollowed(id)) inventory.highest[space] = Math.max(inventory.highest[space], id);
      planned.id = id;
      return true;
    };
    const unmet = open
      .filter(([planned]) => !grant(planned, planned.line?.id ?? 0))
      .filter(([planned, preferredId]) => !(inventory.isFree(space, preferredId) && grant(planned, preferredId)));
    for (const [planned] of unmet) {
      while (taken.has(inventory.highest[space] + 1)) inventory.highest[space]++;
      grant(planned, ++inventory.highest[space]);
    }
  }

  /** The id that a link has in the file of its own menu. */
  function heldLink({ key, id = 0, menu }: MenuLinkItem): number | undefined {
    const existing = terms.get(menu);
    const file = existing?.of === 'nav_menu' ? existing.existing?.path : looseFile;
    return [links.get(key)?.line?.id ?? 0, id].find((one) => file !== undefined && inventory.menuItems.get(one) === file);
  }

  function adopt(child: PlannedItem | undefined, parent: PlannedItem | undefined): void {
    if (child && parent && parent !== child && !parent.isGone && (child.kind !== 'term' || child.of === parent.of))
      child.parent = parent;
    else if (child && parent === child) child.isCut = true;
  }

  function placeUser(planned: PlannedItem, item: UserItem): void {
    const wanted = slugify(item.slug) || slugify(item.login) || slugify(item.name) || `user-${planned.id}`;
    planned.slug = ownSlug(planned, wanted, 'user:');
    settle(planned, 'users', planned.slug, 'user:');
  }

  function placeTerm(planned: PlannedItem, item: TermItem): void {
    const scope = `term:${planned.of}`;
    planned.slug = ownSlug(planned, slugOfTerm(item) || String(planned.id), scope);
    const folder = naming.model.taxonomies.find(({ name }) => name === planned.of)?.folder;
    settle(planned, planned.of === 'nav_menu' ? 'menus' : `terms/${folder}`, planned.slug, scope);
  }

  function placePost(planned: PlannedItem, hasChildren: boolean): void {
    const header = planned.header as ItemHeader;
    const type = types.get(planned.of) as PostType;
    const above = isBelow(types, planned) ? (planned.parent as PlannedItem).place : type.folder;
    const isDeep = above.split('/').length > maxDepth - 4 || above.length > 2000;
    const folder = isDeep ? type.folder : isDated(type) && header.date !== '' ? `${type.folder}/${monthOf(header.date)}` : above;
    const scope = scopeOf(naming.model, 'post', planned.of, planned.existing?.path ?? `${folder}/x.html`);
    const slug = slugOfPost(planned, scope);
    const isFree = sharesSlugs(inventory, header.status);
    const wanted = slug || (isFree ? '' : header.name || String(planned.id));
    meet(planned, `${folder}/${fileNameOf(wanted || header.name)}`, wanted);
    // What the source has worked there: only a slug that is made here keeps clear of what means something else.
    planned.slug = isFree ? wanted : ownSlug(planned, wanted, scope, (name) => name !== slug && isReserved(type, name));
    const preferredId = allowedPath(type, header.preferredPath, type.hierarchical ? above : null);
    if (preferredId !== null && !planned.existing && !inventory.places.has(logicalPath(`${preferredId}.html`).toLowerCase())) {
      planned.file = preferredId;
      take(planned, scope);
      return;
    }
    settle(planned, folder, planned.slug || header.name, scope, hasChildren);
  }

  /** The one it has; styles of the theme of the source become those of the site's, where it has none. */
  function slugOfPost({ of, id, header }: PlannedItem, scope: string): string {
    const slug = slugify(header?.slug ?? '');
    const { theirs, ours } = options.stylesheet;
    const holder = inventory.slugs.get(`${scope} ${ours}`);
    return of === stylesType && slug === theirs && (holder === undefined || holder === id) ? ours : slug;
  }

  /** Two files of one name: the second gets a number; a name that is no safe one is made so. */
  function placeMedia(planned: PlannedItem): void {
    const header = planned.header as ItemHeader;
    const path = mediaPath(header.media, planned.id);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    meet(planned, mediaFolder + path, slugify(header.slug) || header.name);
    const base = stem(path.slice(folder.length));
    const end = path.slice(folder.length + base.length);
    let place = mediaFolder + path;
    for (let number = 1; inventory.places.has(place.toLowerCase()); number++)
      place = `${mediaFolder}${folder}${base}-${number}${end}`;
    planned.file = planned.existing ? logicalPath(planned.existing.path) : place;
    const wanted = slugify(header.slug) || header.name || slugify(base) || String(planned.id);
    planned.slug = ownSlug(planned, wanted, 'post:attachment');
    take(planned, 'post:attachment');
  }

  function placeFont(planned: PlannedItem): void {
    const header = planned.header as ItemHeader;
    const scope = `post:${planned.of}`;
    const name = fontFile(planned.of, header.slug || header.name, planned.id);
    meet(planned, `fonts/${name}`, name);
    planned.slug = ownSlug(planned, fontFile(planned.of, header.slug || header.name, planned.id), scope);
    planned.file = `${planned.parent?.place ?? 'fonts'}/${planned.slug}`;
    take(planned, scope);
  }

  function isReserved(type: PostType, slug: string): boolean {
    const kind = type.hierarchical ? 'page' : type.name === 'post' ? 'post' : 'attachment';
    return isReservedSlug(slug, kind, patternOf(options.permalink));
  }

  /** The slug, or with the first number that makes it its own. */
  function ownSlug(
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

  /** The place in a folder; a name that another file has gets the id behind it. */
  function settle(planned: PlannedItem, folder: string, wanted: string, scope: string, hasChildren = false): void {
    if (!planned.existing) {
      const plain = fileNameOf(wanted || String(planned.id));
      // A file of that name would plannedSite for its folder.
      const isSpecial = plain === 'index' || `${folder}/${plain}.yaml` === looseFile;
      const name = isSpecial ? `${plain}-${planned.id}` : plain;
      const isTaken = inventory.places.has(`${folder}/${name}`.toLowerCase());
      planned.file = `${folder}/${isTaken ? `${name}-${planned.id}` : name}${hasChildren ? '/index' : ''}`;
    }
    take(planned, scope);
  }

  function take(planned: PlannedItem, scope: string): void {
    const { kind, of, id, slug, existing: known } = planned;
    const isText = kind === 'post' && of !== 'attachment' && !fontTypes.has(of);
    const path = known?.path ?? `${planned.file}${isText ? '.html' : '.yaml'}`;
    planned.place = logicalPath(path);
    planned.file = planned.place.length === path.lastIndexOf('.') ? planned.place : path.replace(/\.[^./]*$/, '');
    if (planned.isGone) return;
    claim(inventory.slugs, scope, slug, id);
    if (!known) inventory.places.set(planned.place.toLowerCase(), id);
  }
}
