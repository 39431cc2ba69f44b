/**
 * What every item will be on the site before any is written: the file it is matched to, its id, its parent, its slug and its path.
 * Pure: it follows from the source scan, the inventory and the import state alone, so an interrupted import continues with the
 * same plan.
 */
import { isId } from '../../kernel/model/ids.ts';
import { isFollowed } from '../../kernel/site/sequences.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { type Inventory, type Space, thingsNamed } from './inventory.ts';
import type { MenuLinkItem } from './items.ts';
import { type PlannedLanguages, setLanguages } from './planned-languages.ts';
import { addKnownItems } from './known-items.ts';
import { matchItem, matchItems } from './match-existing.ts';
import { cutCycles, isBelow, parentsFirst, type PlanDraft, type PlannedItem, type PlanOptions } from './planned-item.ts';
import { placePost, placeTerm, placeUser } from './target-paths.ts';

export interface ImportPlan
  extends Readonly<Record<'users' | 'terms' | 'posts' | 'comments' | 'links', ReadonlyMap<string, PlannedItem>>> {
  /** The file of menu items that are in no menu. */
  readonly loose: PlannedItem;
  readonly languages: PlannedLanguages;
  /** Planned posts, terms and users by their ids here. */
  readonly postsById: ReadonlyMap<number, PlannedItem>;
  readonly termsById: ReadonlyMap<number, PlannedItem>;
  readonly usersById: ReadonlyMap<number, PlannedItem>;
}

export function makePlan(options: PlanOptions): ImportPlan {
  const { naming, inventory } = options;
  const draft: PlanDraft = {
    ...options,
    types: new Map(naming.model.types.map((type) => [type.name, type])),
    accounts: new Map(inventory.accounts.map((account) => [account.login.toLowerCase(), account.id])),
    claimed: new Set(),
    users: new Map(),
    terms: new Map(),
    posts: new Map(),
    comments: new Map(),
    links: new Map(),
    media: new Map(),
  };
  matchItems(draft);
  addKnownItems(draft);
  assignIds(draft);
  const languages = setLanguages(draft);
  setParents(draft);
  assignPaths(draft);
  const loose = matchItem(draft, 'term', looseFile, 'nav_menu', () => inventory.loose);
  loose.place = loose.file = logicalPath(looseFile);
  const { users, terms, posts, comments, links } = draft;
  return {
    users,
    terms,
    posts,
    comments,
    links,
    loose,
    languages,
    postsById: byId(posts),
    termsById: byId(terms),
    usersById: byId(users),
  };
}

/** An item with the id it would like to have, and one that belongs to it in any case. */
type IdRequest = readonly [planned: PlannedItem | undefined, preferredId: number, reserved?: number | undefined];

function assignIds(draft: PlanDraft): void {
  const { sourceScan, inventory, users, terms, posts, comments, links, accounts } = draft;
  // An account without a profile keeps its id.
  const ofUsers = sourceScan.users.map(({ key, id = 0, login, name }): IdRequest => {
    // Of several called alike, files mean the lowest id.
    const isHeld = thingsNamed(inventory, 'user:').shown?.(name.toLowerCase()) !== undefined;
    return [users.get(key), isHeld ? 0 : id, accounts.get(login.toLowerCase())];
  });
  giveIds(inventory, 'users', ofUsers);
  giveIds(
    inventory,
    'terms',
    sourceScan.terms.map(({ key, id = 0 }): IdRequest => [terms.get(key), id]),
  );
  giveIds(inventory, 'posts', [
    ...sourceScan.posts.map(({ key, id }): IdRequest => [posts.get(key), id]),
    ...sourceScan.links.map((link): IdRequest => [links.get(link.key), link.id ?? 0, menuItemId(draft, link)]),
  ]);
  giveIds(
    inventory,
    'comments',
    sourceScan.comments.map(({ key, id }): IdRequest => [comments.get(key), id]),
  );
}

/** Existing files keep their ids; then come reserved ones, then preferred ones that nothing has had; the others get new ids. */
function giveIds(inventory: Inventory, space: Space, requests: readonly IdRequest[]): void {
  const { highest, isFree } = inventory;
  const taken = inventory.taken[space];
  const open = requests.filter((request): request is [PlannedItem, number, number | undefined] => {
    const [planned, , reserved] = request;
    if (!planned) return false;
    planned.id = planned.existing?.id ?? reserved ?? planned.id;
    return planned.id === 0;
  });
  const grant = (planned: PlannedItem, id: number): boolean => {
    if (!isId(id) || taken.has(id)) return false;
    taken.add(id);
    if (isFollowed(id)) highest[space] = Math.max(highest[space], id);
    planned.id = id;
    return true;
  };
  const unmet = open
    .filter(([planned]) => !grant(planned, planned.line?.id ?? 0))
    .filter(([planned, preferredId]) => !(isFree(space, preferredId) && grant(planned, preferredId)));
  for (const [planned] of unmet) {
    while (taken.has(highest[space] + 1)) highest[space]++;
    grant(planned, ++highest[space]);
  }
}

/** The id that a link has in the file of its menu. */
function menuItemId({ terms, links, inventory }: PlanDraft, { key, id = 0, menu }: MenuLinkItem): number | undefined {
  const term = terms.get(menu);
  const file = term?.of === 'nav_menu' ? term.existing?.path : looseFile;
  return [links.get(key)?.line?.id ?? 0, id].find((one) => file !== undefined && inventory.menuItems.get(one) === file);
}

function setParents({ sourceScan, terms, posts, comments }: PlanDraft): void {
  for (const item of sourceScan.terms)
    setParent(terms.get(item.key), item.parent === undefined ? undefined : terms.get(item.parent));
  for (const item of sourceScan.posts) setParent(posts.get(item.key), posts.get(item.parent));
  const postOf = new Map(sourceScan.comments.map(({ key, post }) => [key, post]));
  for (const item of sourceScan.comments)
    if (postOf.get(item.parent) === item.post) setParent(comments.get(item.key), comments.get(item.parent));
  for (const map of [terms, posts, comments]) cutCycles(map.values());
}

function setParent(child: PlannedItem | undefined, parent: PlannedItem | undefined): void {
  if (child && parent && parent !== child && !parent.isGone && (child.kind !== 'term' || child.of === parent.of))
    child.parent = parent;
  else if (child && parent === child) child.isCut = true;
}

function assignPaths(draft: PlanDraft): void {
  const { sourceScan, users, terms, posts, types } = draft;
  for (const item of sourceScan.users) placeUser(draft, users.get(item.key) as PlannedItem, item);
  for (const item of sourceScan.terms) {
    const planned = terms.get(item.key);
    if (planned) placeTerm(draft, planned, item);
  }
  const withChildren = new Set<PlannedItem>();
  for (const post of posts.values()) if (isBelow(types, post)) withChildren.add(post.parent as PlannedItem);
  // Of items with one name, that of the default language has it; names of the others get their code.
  const standard = draft.inventory.languages?.languages.default;
  const inOrder = [...posts.values()].sort((a, b) => Number(b.lang === standard) - Number(a.lang === standard));
  for (const post of parentsFirst(standard === undefined ? posts.values() : inOrder))
    if (!post.isKnown) placePost(draft, post, withChildren.has(post));
}

function byId(map: ReadonlyMap<string, PlannedItem>): Map<number, PlannedItem> {
  return new Map([...map.values()].map((planned) => [planned.id, planned]));
}
