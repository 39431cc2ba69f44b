/**
 * References: what files name by slug, path or id, and whether it is there. A term or author without a file is made when the
 * site is served; an item or a number that nothing has leads nowhere.
 */
import { parentPath, logicalPath } from '../kernel/model/logical-path.ts';
import { uploadOf } from '../kernel/store/paths.ts';
import { findNamed, type NamedThings } from '../kernel/model/named.ts';
import { slugify } from '../kernel/model/slugs.ts';
import type { Content, Declarations } from './declarations.ts';
import { type Finding, say, type Speller } from './finding.ts';
import { didYouMean, type Remark } from '../kernel/model/remark.ts';
import { placeBelow, placeNamed } from '../modules/types/record.ts';
import { aliasesOf, type ParsedFile, type ReferenceTarget } from './parsed-file.ts';

export interface NamedPerson {
  readonly id: number;
  readonly slug: string;
  /** That readers see. */
  readonly name?: string;
}

/** What is there to be named. */
export interface Index {
  /** Null when the target exists. */
  missing(target: ReferenceTarget, ref: string | number): Remark | null;
  /** The present slug of what is named by a former one; null for everything else. */
  formerly(target: ReferenceTarget, ref: string | number): string | null;
  /** Whether something has the id: an item of any type, or of this one. */
  hasItem(id: number, type?: string): boolean;
  hasPlace(place: string): boolean;
  /** Whether the files of a type lie in a folder itself, at the top. */
  isTop(type: string, folder: string): boolean;
  nearestPlace(place: string): string | undefined;
}

interface Named {
  readonly names: Set<string>;
  readonly ids: Set<number>;
  /** Former slug → present one. */
  readonly former: Map<string, string>;
  /** Shown name of a person, in small letters → slug. */
  readonly shown: Map<string, string>;
}

export function createIndex(
  content: Content,
  parsedFiles: readonly ParsedFile[],
  model: Declarations,
  people: readonly NamedPerson[],
  spell: Speller,
): Index {
  const all = new Map<string, Named>();
  const named = (key: string): Named => {
    const known = all.get(key);
    if (known) return known;
    const fresh: Named = { names: new Set(), ids: new Set(), former: new Map(), shown: new Map() };
    all.set(key, fresh);
    return fresh;
  };
  const types = new Map(model.types.map((type) => [type.name, type]));
  const places = new Set<string>();
  const items = new Set<number>();
  const profiled = new Set(parsedFiles.flatMap(({ kind, entry }) => (kind === 'user' ? [entry.data.id] : [])));
  for (const { id, slug, name } of people) add(named('user'), slug, id, profiled.has(id) ? undefined : name);
  for (const { kind, of, space, slug, draft, entry } of parsedFiles) {
    if (typeof entry.data.id === 'number' && space === 'posts') items.add(entry.data.id);
    if (kind === 'comment' || kind === 'design' || (kind === 'menu' && of === '')) continue;
    const found = named(keyOf(targetOf(kind, of)));
    add(found, slug, entry.data.id, kind === 'user' ? draft.name : undefined);
    for (const alias of aliasesOf({ draft })) found.former.set(alias, slug);
    if (kind === 'post' || kind === 'media') places.add(logicalPath(entry.path));
    if (kind === 'post') found.names.add(placeBelow(types.get(of), entry.path) ?? slug);
  }
  const media = named('post:attachment');
  for (const { path } of content.blobs) {
    media.names.add(uploadOf(path));
    places.add(path);
  }
  // A sidecar whose file is not there is reported itself.
  for (const { kind, entry } of parsedFiles) if (kind === 'media') media.names.add(uploadOf(logicalPath(entry.path)));

  return {
    missing(target, ref) {
      const what = wordFor(target, model);
      const found = named(keyOf(target));
      if (typeof ref === 'number') {
        if (ref === 0 || found.ids.has(ref) || (target.kind === 'post' && target.type === '' && items.has(ref))) return null;
        return say('unknown-reference', `no ${what} has the id ${ref}`, didYouMean(spell(String(ref), found.names)));
      }
      const name = nameOf(target, ref);
      if (
        ref === '' ||
        (target.kind === 'post' ? found.names.has(name) || found.former.has(name) : findNamed(ref, thingsIn(found)) !== undefined)
      )
        return null;
      if (target.kind === 'post' && target.type === '')
        return places.has(name) ? null : say('unknown-reference', `there is no ${ref}`);
      const message = `unknown ${what} ${JSON.stringify(ref)}`;
      const meant = spell(name, found.names);
      if (target.kind === 'post' || name === '') return say('unknown-reference', message, didYouMean(meant));
      if (meant !== undefined) return say('unknown-name', message, didYouMean(meant));
      const file = target.kind === 'user' ? `users/${name}.yaml` : `terms/${what}/${name}.yaml`;
      return say('new-name', message, `it is created when the site is served; add ${file} to describe it`);
    },
    formerly(target, ref) {
      if (typeof ref === 'number') return null;
      const { names, former } = named(keyOf(target));
      const name = nameOf(target, ref);
      return names.has(name) ? null : (former.get(name) ?? null);
    },
    hasItem: (id, type) => (type === undefined ? items : named(`post:${type}`).ids).has(id),
    hasPlace: (place) => places.has(place),
    isTop: (type, folder) => types.get(type)?.folders.includes(folder) ?? false,
    nearestPlace: (place) => spell(place, places),
  };
}

export function checkReferences(parsedFiles: readonly ParsedFile[], index: Index): Finding[] {
  return [
    ...parsedFiles.flatMap(({ entry: { path }, uses }) =>
      uses.flatMap(({ keys, target, ref, isOther }): Finding[] => {
        const missing = index.missing(target, ref);
        // What other programs call a picture may be one of theirs.
        const severity = isOther && target.kind === 'post' ? { severity: 'warning' as const } : {};
        if (missing) return [{ path, keys, ...missing, ...severity }];
        const present = index.formerly(target, ref);
        if (present === null) return [];
        const { fix, ...found } = former(keys, ref, present);
        return [{ path, ...found, ...(isOther ? {} : { fix }) }];
      }),
    ),
    ...checkAncestors(parsedFiles, index),
    ...checkLoops(parsedFiles),
  ];
}

export function former(keys: Finding['keys'], ref: string | number, present: string): Omit<Finding, 'path'> {
  const remark = say('former-slug', `${JSON.stringify(ref)} is a former slug of ${JSON.stringify(present)}`);
  return { keys, ...remark, fix: { kind: 'value', keys, value: present } };
}

/** The path is the hierarchy: a folder without a page of its own leaves the pages in it at the top. */
function checkAncestors(parsedFiles: readonly ParsedFile[], index: Index): Finding[] {
  return parsedFiles.flatMap(({ kind, scope, of, entry: { path } }): Finding[] => {
    const isHierarchical = kind === 'post' && scope !== `post:${of}`;
    const above = parentPath(path);
    if (!isHierarchical || index.isTop(of, above) || index.hasPlace(above)) return [];
    const hint = didYouMean(index.nearestPlace(above), `write ${above}/index.md, or move this file up`);
    return [{ path, keys: [], ...say('unknown-parent', `there is no ${of} ${above}, so this one is at the top level`, hint) }];
  });
}

/** Terms that are their own ancestors, by the parents that the field reads: present and former slugs, or ids. */
function checkLoops(parsedFiles: readonly ParsedFile[]): Finding[] {
  const terms = parsedFiles.filter(({ kind }) => kind === 'term');
  const present = new Map(terms.map((term) => [`${term.of}:${term.slug}`, term]));
  const former = new Map(terms.flatMap((term) => aliasesOf(term).map((alias) => [`${term.of}:${alias}`, term] as const)));
  const byId = new Map(terms.map((term) => [`${term.of}:${String(term.entry.data.id)}`, term]));
  const above = ({ of, uses }: ParsedFile): ParsedFile | undefined => {
    const ref = uses.find(({ keys }) => keys[0] === 'parent')?.ref;
    if (typeof ref !== 'string') return ref === undefined ? undefined : byId.get(`${of}:${String(ref)}`);
    return findNamed(ref, { present: (slug) => present.get(`${of}:${slug}`), former: (slug) => former.get(`${of}:${slug}`) });
  };
  return inLoops(terms, above).map(({ entry: { path } }) => ({
    path,
    keys: ['parent'],
    ...say('parent-loop', 'is its own ancestor', 'remove one parent from the loop'),
  }));
}

/** Those that come back to themselves on the way up. Cost: linear. */
export function inLoops<T>(all: readonly T[], above: (one: T) => T | undefined): T[] {
  const settled = new Set<T>();
  const looping: T[] = [];
  for (const start of all) {
    const way = new Map<T, number>();
    let at: T | undefined = start;
    for (; at !== undefined && !settled.has(at) && !way.has(at); at = above(at)) way.set(at, way.size);
    const from = at === undefined ? undefined : way.get(at);
    if (from !== undefined) for (const one of [...way.keys()].slice(from)) looping.push(one);
    for (const one of way.keys()) settled.add(one);
  }
  return looping;
}

function nameOf(target: ReferenceTarget, ref: string): string {
  return target.kind === 'post' ? placeNamed(ref) : slugify(ref);
}

function add({ names, ids, shown }: Named, slug: string, id: unknown, name?: unknown): void {
  names.add(slug);
  if (typeof id === 'number') ids.add(id);
  if (typeof name === 'string') shown.set(name.toLowerCase(), slug);
}

function thingsIn({ names, former, shown }: Named): NamedThings<string> {
  return {
    present: (slug) => (names.has(slug) ? slug : undefined),
    former: (slug) => former.get(slug),
    shown: (name) => shown.get(name),
  };
}

function targetOf(kind: string, of: string): ReferenceTarget {
  if (kind === 'user') return { kind };
  return kind === 'term' || kind === 'menu' ? { kind: 'term', taxonomy: of } : { kind: 'post', type: of };
}

function keyOf(target: ReferenceTarget): string {
  if (target.kind === 'user') return 'user';
  return target.kind === 'term' ? `term:${target.taxonomy}` : `post:${target.type}`;
}

/** What people call the target: category, tag, author, page, media. */
function wordFor(target: ReferenceTarget, model: Declarations): string {
  if (target.kind === 'user') return 'author';
  if (target.kind === 'post') return target.type === 'attachment' ? 'media' : target.type || 'item';
  return model.taxonomies.find(({ name }) => name === target.taxonomy)?.folder ?? target.taxonomy;
}
