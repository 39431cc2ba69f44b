/**
 * What the content folder has already, as far as new files must get along with it: ids, slugs, places, guids. Learned in one
 * walk; no body is kept.
 */
import { table } from '../../kernel/model/maps.ts';
import { originalOf } from '../../kernel/store/paths.ts';
import { firstPosts } from '../../modules/content/posts/record.ts';
import { logicalPath, parentPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import type { RawItem } from '../../modules/menus/menu-tree.ts';
import { isId } from '../../kernel/model/ids.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { declare, type Declarations } from '../../validate/declarations.ts';
import { declaredBy } from '../../modules/types/declarations.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { freeIds, readSequences } from '../../kernel/site/id-ranges.ts';
import { isFollowed } from '../../kernel/site/sequences.ts';
import { createAccounts } from '../../modules/people/accounts/accounts.ts';
import { standardTaxonomies } from '../../modules/types/taxonomies.ts';
import { standardTypes } from '../../modules/types/types.ts';
import type { Account } from '../../modules/people/users/record.ts';
import { parseEntry } from '../../kernel/yaml/codec.ts';
import type { Module } from '../../kernel/module.ts';
import type { Blob, Entry, Store } from '../../kernel/store/types.ts';
import { type ContentKind, detachString } from './items.ts';
import { type ImportLanguages, languagesOf } from './site-languages.ts';

export type Space = 'posts' | 'terms' | 'users' | 'comments';
export const spaces: readonly Space[] = ['posts', 'terms', 'users', 'comments'];

/** A file that holds something with an id. */
export interface ExistingFile {
  readonly kind: 'post' | 'term' | 'user' | 'comment' | 'sheet';
  /** Type or taxonomy. */
  readonly of: string;
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
  readonly guid: string;
  /** Code of its language; '' on a site without languages. */
  readonly lang: string;
}

export interface Inventory {
  readonly site: Entry | undefined;
  readonly model: Declarations;
  /** Null on a site without languages. */
  readonly languages: ImportLanguages | null;
  readonly byId: Readonly<Record<Space, Map<number, ExistingFile>>>;
  /** Ids that something has, those inside of menus too. */
  readonly taken: Readonly<Record<Space, Set<number>>>;
  readonly highest: Record<Space, number>;
  /** Ids up to here have been given before, or are being given by a server of the folder. */
  readonly reservedIds: Readonly<Record<string, number>>;
  /** Whether an id is none of those, or was taken by an import. */
  readonly isFree: (space: Space, id: number) => boolean;
  /** Place → id of what is there, small letters: names that differ by case alone are one file on some systems. */
  readonly places: Map<string, number>;
  /** `scope slug` → lowest id, see `scopeOf`. */
  readonly slugs: Map<string, number>;
  readonly guids: Map<string, ExistingFile[]>;
  /** Files below `media/` that are there, small letters. */
  readonly blobs: Set<string>;
  readonly accounts: readonly Account[];
  /** The file of items that are in no menu. */
  loose: ExistingFile | null;
  /** Menu item → the file it stands in. */
  readonly menuItems: Map<number, string>;
  /** Location → menu file that holds it. */
  readonly locations: Map<string, string>;
  /** Name and address of people, for comments that repeat them. */
  readonly profiles: Map<number, { readonly name: string; readonly url: string }>;
}

export type ModulesOf = (deployment: unknown) => readonly Module[];

/** Ids up to these are never given out on a site. */
const first: Readonly<Record<Space, number>> = { posts: firstPosts, terms: 0, users: 0, comments: 0 };

/** The declarations of a content folder, from its `site.yaml`. */
async function readDeclarations(
  store: Store,
  modulesOf: ModulesOf,
): Promise<{ readonly site: Entry | undefined; readonly model: Declarations }> {
  const bytes = await store.readBytes('site.yaml');
  const parsed = bytes === null ? null : parseEntry('site.yaml', bytes, { size: bytes.length, mtimeMs: 0 });
  const site = parsed && 'entry' in parsed ? parsed.entry : undefined;
  const modules = modulesOf(site?.data.deployment);
  return { site, model: declare({ ...declaredBy(site, standardTypes, standardTaxonomies), modules, entry: site }) };
}

/**
 * Walks the folder.
 * @param modulesOf  modules of a deployment
 * @param progress  files done and in all
 */
export async function takeInventory(
  store: Store,
  modulesOf: ModulesOf,
  progress?: (done: number, total: number) => void,
): Promise<Inventory> {
  const { site, model } = await readDeclarations(store, modulesOf);
  const accounts = (await createAccounts(store.private)).all();
  const reservedIds = await readSequences(store);
  const isFree = await freeIds(store);
  const highest = { ...first };
  for (const space of spaces) highest[space] = Math.max(highest[space], reservedIds[space] ?? 0);
  const byId = { posts: new Map(), terms: new Map(), users: new Map(), comments: new Map() } as Inventory['byId'];
  const taken = { posts: new Set(), terms: new Set(), users: new Set(), comments: new Set() } as Inventory['taken'];
  const inventory: Inventory = {
    site,
    model,
    languages: languagesOf(model, site),
    byId,
    taken,
    highest,
    reservedIds,
    isFree,
    places: new Map(),
    slugs: new Map(),
    guids: new Map(),
    blobs: new Set(),
    accounts,
    loose: null,
    menuItems: new Map(),
    locations: new Map(),
    profiles: new Map(),
  };
  await store.visit((file) => take(inventory, file), progress);
  for (const { id } of accounts) see('users', id);
  return inventory;

  function see(space: Space, id: number): void {
    taken[space].add(id);
    if (isFollowed(id) && id > highest[space]) highest[space] = id;
  }

  function take(into: Inventory, file: Entry | Blob): void {
    if (!('data' in file)) {
      into.blobs.add(file.path.toLowerCase());
      return;
    }
    const { path, data, etag } = file;
    if (path.startsWith('menus/')) {
      for (const id of itemIds(data.items)) {
        see('posts', id);
        into.menuItems.set(id, path);
      }
      for (const name of Array.isArray(data.locations) ? data.locations.map(String) : [])
        if (!into.locations.has(name)) into.locations.set(name, path);
    }
    if (path === looseFile) into.loose = { ...looseKind, id: 0, path, etag: detachString(etag), slug: '', guid: '', lang: '' };
    const identity = identify(into.model, path);
    if (!identity) return;
    const { kind, of } = identity;
    const id = isId(data.id) ? data.id : 0;
    const marks = into.languages?.marks;
    const isUnsaid = data.slug === undefined || data.slug === null;
    const slug = isUnsaid ? slugOfPath(slugPath(of, marks?.plain(path) ?? path)) : slugify(String(data.slug));
    const guid = typeof data.guid === 'string' ? data.guid : '';
    const lang = into.languages ? String(data.lang ?? '') || marks?.of(path) || into.languages.languages.default : '';
    const existing: ExistingFile = {
      kind,
      of,
      id,
      path: detachString(path),
      etag: detachString(etag),
      slug: detachString(slug),
      guid: detachString(guid),
      lang: detachString(lang),
    };
    if (kind !== 'sheet') into.places.set(detachString(logicalPath(path).toLowerCase()), id);
    if (guid !== '') {
      const same = into.guids.get(`${of} ${guid}`);
      if (same) same.push(existing);
      else into.guids.set(detachString(`${of} ${guid}`), [existing]);
    }
    if (kind === 'user')
      into.profiles.set(id, { name: detachString(String(data.name ?? slug)), url: detachString(String(data.url ?? '')) });
    const space = spaceOf(kind);
    if (id > 0) {
      see(space, id);
      if (!byId[space].has(id)) byId[space].set(id, existing);
    }
    if (kind !== 'sheet' && kind !== 'comment') claim(into.slugs, scopeOf(model, kind, of, path, lang), existing.slug, id);
  }
}

/** What `menus/_loose.yaml` is to the plan: a menu without a name. */
const looseKind = { kind: 'term', of: 'nav_menu' } as const;

/** What imports call the files of a row of the path table; the others hold nothing that an import may find again. */
const kinds: Readonly<Record<string, ExistingFile['kind']>> = table({
  user: 'user',
  term: 'term',
  menu: 'term',
  media: 'post',
  post: 'post',
  comment: 'comment',
});
/** Fonts are posts to clients. */
const fontTypes: Readonly<Record<string, string>> = table({ family: 'cms_font_family', face: 'cms_font_face' });

function identify({ paths }: Declarations, path: string): Pick<ExistingFile, 'kind' | 'of'> | null {
  const row = paths.find(path);
  if (!row || path === looseFile) return null;
  const font = row.kind === 'design' ? fontTypes[row.type] : undefined;
  return font === undefined ? { kind: kinds[row.kind] ?? 'sheet', of: row.type } : { kind: 'post', of: font };
}

/** The numbers that a kind of thing has its ids of. */
export function spaceOf(kind: ExistingFile['kind'] | ContentKind): Space {
  if (kind === 'user') return 'users';
  if (kind === 'term') return 'terms';
  return kind === 'comment' ? 'comments' : 'posts';
}

/**
 * Within which a slug stands for one item: a type, the children of one page, a taxonomy; of posts, in one language.
 * @param lang  code; '' on a site without languages
 */
export function scopeOf(model: Declarations, kind: ExistingFile['kind'], of: string, path: string, lang = ''): string {
  if (kind !== 'post') return `${kind}:${of}`;
  const type = model.types.find(({ name }) => name === of);
  const inLanguage = lang === '' || of === 'attachment' ? '' : `@${lang}`;
  return type?.hierarchical ? `post:${of}${inLanguage}:${parentPath(path)}` : `post:${of}${inLanguage}`;
}

/** Takes note of a slug; the lowest id has it. */
export function claim(slugs: Map<string, number>, scope: string, slug: string, id: number): void {
  const key = detachString(`${scope} ${slug}`);
  const holder = slugs.get(key);
  if (holder === undefined || id < holder) slugs.set(key, id);
}

/** Media are called by the name of the file itself. */
function slugPath(of: string, path: string): string {
  return of === 'attachment' ? originalOf(path) : path;
}

function* itemIds(items: unknown): Generator<number> {
  if (!Array.isArray(items)) return;
  for (const raw of items as (RawItem | null)[]) {
    if (isId(raw?.id)) yield raw.id;
    yield* itemIds(raw?.items);
  }
}
