/**
 * References: what files name by slug, path or id, and whether it is there. A term or author without a file is made when the
 * site is served, so it is only worth a warning; an item or a number that nothing has leads nowhere.
 */
import { placeAbove, placeOf } from '../../model/post.ts';
import { slugify } from '../../model/slugs.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations, Finding } from '../validate.ts';
import type { Sheet, Target } from './sheets.ts';

export interface Person {
  readonly id: number;
  readonly slug: string;
}

/** What is there to be named. */
export interface Index {
  /** Null when the target exists, else the finding's text. */
  missing(target: Target, ref: string | number): Pick<Finding, 'severity' | 'rule' | 'message' | 'hint'> | null;
  hasPlace(place: string): boolean;
  nearestPlace(place: string): string | undefined;
}

interface Named {
  readonly names: Set<string>;
  readonly ids: Set<number>;
}

export function createIndex(content: Content, sheets: readonly Sheet[], model: Declarations, people: readonly Person[]): Index {
  const all = new Map<string, Named>();
  const named = (key: string): Named => {
    const known = all.get(key);
    if (known) return known;
    const fresh = { names: new Set<string>(), ids: new Set<number>() };
    all.set(key, fresh);
    return fresh;
  };
  const folders = new Map(model.types.map(({ name, folder }) => [name, folder]));
  const places = new Set<string>();
  for (const { id, slug } of people) add(named('user'), slug, id);
  for (const { kind, of, slug, draft, entry } of sheets) {
    const found = named(kind === 'user' ? 'user' : kind === 'term' || kind === 'menu' ? `term:${of}` : `post:${of}`);
    add(found, slug, entry.data.id);
    for (const alias of (draft.aliases as readonly string[] | undefined) ?? []) found.names.add(alias);
    if (kind !== 'post') continue;
    places.add(placeOf(entry.path));
    found.names.add(placeOf(entry.path).slice((folders.get(of) as string).length + 1));
  }
  const media = named('post:attachment');
  for (const { path } of content.blobs) media.names.add(path.slice(path.indexOf('/') + 1));

  return {
    missing(target, ref) {
      const what = wordFor(target, model);
      const found = named(target.kind === 'user' ? 'user' : target.kind === 'term' ? `term:${target.taxonomy}` : `post:${target.type}`);
      if (typeof ref === 'number') {
        if (ref === 0 || found.ids.has(ref)) return null;
        return { severity: 'error', rule: `unknown-${what}`, message: `no ${what} has the id ${ref}`, ...suggestion(String(ref), found.names) };
      }
      const name = target.kind === 'post' ? ref.replace(/^\/+|\/+$/g, '').replace(/\.(md|html)$/, '') : slugify(ref);
      if (ref === '' || found.names.has(name)) return null;
      const isMade = target.kind !== 'post' && name !== '';
      const meant = suggestion(name, found.names);
      const otherwise = isMade ? { hint: `it is made when the site is served; ${fileFor(target, name, model)} would describe it` } : {};
      return { severity: isMade ? 'warning' : 'error', rule: `unknown-${what}`, message: `unknown ${what} ${JSON.stringify(ref)}`, ...(meant ?? otherwise) };
    },
    hasPlace: (place) => places.has(place),
    nearestPlace: (place) => nearest(place, places),
  };
}

export function checkReferences(sheets: readonly Sheet[], index: Index): Finding[] {
  return [
    ...sheets.flatMap(({ entry: { path }, uses }) =>
      uses.flatMap(({ keys, target, ref }): Finding[] => {
        const missing = index.missing(target, ref);
        return missing ? [{ path, keys, ...missing }] : [];
      }),
    ),
    ...checkAncestors(sheets, index),
    ...checkLoops(sheets),
  ];
}

/** The path is the hierarchy: a folder without a page of its own leaves the pages in it at the top. */
function checkAncestors(sheets: readonly Sheet[], index: Index): Finding[] {
  return sheets.flatMap(({ kind, scope, of, entry: { path } }): Finding[] => {
    const isHierarchical = kind === 'post' && scope !== `post:${of}`;
    const above = placeAbove(path);
    if (!isHierarchical || !above.includes('/') || index.hasPlace(above)) return [];
    const near = index.nearestPlace(above);
    const hint = near === undefined ? `write ${above}/index.md, or move this file up` : `did you mean ${near}/?`;
    return [{ path, keys: [], severity: 'warning', rule: 'unknown-parent', message: `there is no ${of} ${above}, so this one stands at the top`, hint }];
  });
}

/** Terms that are their own ancestors. */
function checkLoops(sheets: readonly Sheet[]): Finding[] {
  const terms = sheets.filter(({ kind }) => kind === 'term');
  const byName = new Map(terms.flatMap((sheet) => [[`${sheet.of}:${sheet.slug}`, sheet] as const, [`${sheet.of}:${String(sheet.entry.data.id)}`, sheet] as const]));
  const parentOf = ({ of, entry }: Sheet): Sheet | undefined => {
    const { parent } = entry.data;
    return typeof parent === 'number' ? byName.get(`${of}:${parent}`) : typeof parent === 'string' ? byName.get(`${of}:${slugify(parent)}`) : undefined;
  };
  return terms.flatMap((sheet): Finding[] => {
    const seen = new Set<Sheet>();
    let above = parentOf(sheet);
    for (; above && above !== sheet && !seen.has(above); above = parentOf(above)) seen.add(above);
    if (above !== sheet) return [];
    return [{ path: sheet.entry.path, keys: ['parent'], severity: 'error', rule: 'parent-loop', message: 'is below itself', hint: 'take one parent out of the circle' }];
  });
}

function add({ names, ids }: Named, slug: string, id: unknown): void {
  names.add(slug);
  if (typeof id === 'number') ids.add(id);
}

function suggestion(name: string, names: Iterable<string>): { readonly hint: string } | undefined {
  const meant = nearest(name, names);
  return meant === undefined ? undefined : { hint: `did you mean ${meant}?` };
}

/** What people call the target: category, tag, author, page, media. */
function wordFor(target: Target, model: Declarations): string {
  if (target.kind === 'user') return 'author';
  if (target.kind === 'post') return target.type === 'attachment' ? 'media' : target.type;
  return model.taxonomies.find(({ name }) => name === target.taxonomy)?.folder ?? target.taxonomy;
}

function fileFor(target: Target, name: string, model: Declarations): string {
  return target.kind === 'user' ? `users/${name}.yaml` : `terms/${wordFor(target, model)}/${name}.yaml`;
}
