/**
 * What the content folder has already, as far as new files must get along with it: ids, slugs, places, guids. Learned in one
 * walk; no body is kept.
 */
import { table } from '../../kernel/model/maps.ts';
import { originalOf } from '../../kernel/store/paths.ts';
import { firstPosts, slugOfName, waitsForSlug } from '../../modules/content/posts/record.ts';
import { statusStated } from '../../modules/content/posts/stated-status.ts';
import type { FileMarks, References } from '../../kernel/model/field.ts';
import type { NamedThings } from '../../kernel/model/named.ts';
import { logicalPath, parentPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import type { RawItem } from '../../modules/menus/menu-tree.ts';
import { isId } from '../../kernel/model/ids.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { declare, type Declarations } from '../../validate/declarations.ts';
import { declaredBy } from '../../modules/types/declarations.ts';
import { looseFile } from '../../modules/menus/file.ts';
import { freeIds } from '../../kernel/site/id-ranges.ts';
import { readSequences } from '../../kernel/store/taken-ids.ts';
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
const spaces: readonly Space[] = ['posts', 'terms', 'users', 'comments'];

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
  /** Former slugs of terms and people, by which files may still name them. */
  readonly aliases?: readonly string[];
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
  /** Terms and people by what files may call them, see `thingsNamed`. */
  readonly named: Map<string, ExistingFile>;
  /** Terms that are there, with the names by which they may be told apart below their parents. */
  readonly terms: ExistingTerm[];
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

interface ExistingTerm {
  readonly file: ExistingFile;
  readonly name: string;
  /** As its file says it. */
  readonly parent: unknown;
  readonly lang: string;
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
    named: new Map(),
    terms: [],
    guids: new Map(),
    blobs: new Set(),
    accounts,
    loose: null,
    menuItems: new Map(),
    locations: new Map(),
    profiles: new Map(),
  };
  await store.visit((file) => take(inventory, file), progress);
  for (const { id, slug, login, name } of accounts) {
    see('users', id);
    // Who has no profile is named by the account.
    if (!byId.users.has(id)) noteNames(inventory, { ...nobody, id, slug: slug || slugify(login) || String(id) }, name);
  }
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
    const named = kind === 'post' && of !== 'attachment' ? slugOfName({ path, refs: refsWith(marks) }, of) : '';
    const waits = kind === 'post' && waitsForSlug(data.slug, statusStated(data, model.statuses));
    const slug = slugify(String(data.slug ?? '')) || (waits ? '' : named || slugOfPath(slugPath(of, marks?.plain(path) ?? path)));
    const guid = typeof data.guid === 'string' ? data.guid : '';
    const lang = into.languages ? String(data.lang ?? '') || marks?.of(path) || into.languages.languages.default : '';
    const isNamed = kind === 'user' || kind === 'term';
    const aliases =
      isNamed && Array.isArray(data.aliases) ? data.aliases.map((alias) => detachString(slugify(String(alias)))) : [];
    const existing: ExistingFile = {
      kind,
      of,
      id,
      path: detachString(path),
      etag: detachString(etag),
      slug: detachString(slug),
      guid: detachString(guid),
      lang: detachString(lang),
      ...(aliases.length > 0 ? { aliases } : {}),
    };
    if (kind !== 'sheet') into.places.set(detachString(logicalPath(path).toLowerCase()), id);
    if (guid !== '') {
      const same = into.guids.get(`${of} ${guid}`);
      if (same) same.push(existing);
      else into.guids.set(detachString(`${of} ${guid}`), [existing]);
    }
    const name = String(data.name ?? slug);
    if (isNamed) noteNames(into, existing, name);
    if (kind === 'user') into.profiles.set(id, { name: detachString(name), url: detachString(String(data.url ?? '')) });
    const space = spaceOf(kind);
    if (id > 0) {
      see(space, id);
      if (!byId[space].has(id)) byId[space].set(id, existing);
    }
    if (kind === 'term') into.terms.push({ file: existing, name: detachString(name), parent: data.parent, lang });
    if (kind !== 'sheet' && kind !== 'comment') claim(into.slugs, scopeOf(model, kind, of, path, lang), existing.slug, id);
  }
}

/** Somebody without a file. */
const nobody = { kind: 'user', of: '', path: '', etag: '', guid: '', lang: '' } as const;

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
  // What has no id yet gets a higher one.
  if (holder === undefined || holder === 0 || (id > 0 && id < holder)) slugs.set(key, id);
}

/** How files name the terms of a taxonomy (`term:category`) or people (`user:`), of those that are there (`findNamed`). */
export function thingsNamed({ named }: Pick<Inventory, 'named'>, scope: string): NamedThings<ExistingFile> {
  return {
    present: (slug) => named.get(`${scope} ${slug}`),
    former: (slug) => named.get(`${scope} ~${slug}`),
    ...(scope === 'user:' ? { shown: (name: string) => named.get(`${scope} =${name}`) } : {}),
  };
}

/** Whose shown name a slug would be made of: files that say the name would mean whoever has the slug. */
export function likeShown({ named }: Pick<Inventory, 'named'>, slug: string): ExistingFile | undefined {
  return slug === '' ? undefined : named.get(`user: ?${slug}`);
}

/** Takes note of what files may call a term or a person; of several the lowest id has it. */
function noteNames({ named }: Inventory, file: ExistingFile, shown: string): void {
  const scope = `${file.kind}:${file.of}`;
  const names = [
    file.slug,
    ...(file.aliases ?? []).map((alias) => `~${alias}`),
    ...(file.kind === 'user' ? [`=${shown.toLowerCase()}`, `?${slugify(shown)}`] : []),
  ];
  for (const name of names) {
    const key = detachString(`${scope} ${name}`);
    const holder = named.get(key);
    if (holder === undefined || holder.id === 0 || (file.id > 0 && file.id < holder.id)) named.set(key, file);
  }
}

function refsWith(marks: FileMarks | undefined): Pick<References, 'marks'> {
  return marks === undefined ? {} : { marks };
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
