/**
 * References: what files name by slug, path or id, and whether it is there. A term or author without a file is made when the
 * site is served, so it is only worth a warning; an item or a number that nothing has leads nowhere.
 */
import { placeAbove, placeOf } from '../../model/post.ts';
import { slugify } from '../../model/slugs.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations } from '../validate.ts';
import { didYouMean, doubtful, type Finding, type Remark, wrong } from './finding.ts';
import type { Sheet, SheetKind, Target } from './sheets.ts';

export interface Person {
  readonly id: number;
  readonly slug: string;
}

/** What is there to be named. */
export interface Index {
  /** Null when the target exists. */
  missing(target: Target, ref: string | number): Remark | null;
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
    const found = named(keyOf(targetOf(kind, of)));
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
      const rule = `unknown-${what}`;
      const found = named(keyOf(target));
      if (typeof ref === 'number') {
        const isKnown = ref === 0 || found.ids.has(ref);
        return isKnown ? null : wrong(rule, `no ${what} has the id ${ref}`, didYouMean(nearest(String(ref), found.names)));
      }
      const name = target.kind === 'post' ? ref.replace(/^\/+|\/+$/g, '').replace(/\.(md|html)$/, '') : slugify(ref);
      if (ref === '' || found.names.has(name)) return null;
      const message = `unknown ${what} ${JSON.stringify(ref)}`;
      const meant = nearest(name, found.names);
      if (target.kind === 'post' || name === '') return wrong(rule, message, didYouMean(meant));
      const file = target.kind === 'user' ? `users/${name}.yaml` : `terms/${what}/${name}.yaml`;
      return doubtful(rule, message, didYouMean(meant, `it is made when the site is served; ${file} would describe it`));
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
    const hint = didYouMean(index.nearestPlace(above), `write ${above}/index.md, or move this file up`);
    return [{ path, keys: [], ...doubtful('unknown-parent', `there is no ${of} ${above}, so this one stands at the top`, hint) }];
  });
}

/** Terms that are their own ancestors. */
function checkLoops(sheets: readonly Sheet[]): Finding[] {
  const terms = sheets.filter(({ kind }) => kind === 'term');
  const byName = new Map<string, Sheet>();
  for (const sheet of terms) {
    byName.set(`${sheet.of}:${sheet.slug}`, sheet);
    byName.set(`${sheet.of}:#${String(sheet.entry.data.id)}`, sheet);
  }
  const parentOf = ({ of, entry: { data } }: Sheet): Sheet | undefined =>
    byName.get(`${of}:${typeof data.parent === 'number' ? `#${data.parent}` : slugify(String(data.parent ?? ''))}`);
  return terms.flatMap((sheet): Finding[] => {
    const seen = new Set<Sheet>();
    let above = parentOf(sheet);
    for (; above && above !== sheet && !seen.has(above); above = parentOf(above)) seen.add(above);
    if (above !== sheet) return [];
    return [
      {
        path: sheet.entry.path,
        keys: ['parent'],
        ...wrong('parent-loop', 'is below itself', 'take one parent out of the circle'),
      },
    ];
  });
}

function add({ names, ids }: Named, slug: string, id: unknown): void {
  names.add(slug);
  if (typeof id === 'number') ids.add(id);
}

function targetOf(kind: SheetKind, of: string): Target {
  if (kind === 'user') return { kind };
  return kind === 'term' || kind === 'menu' ? { kind: 'term', taxonomy: of } : { kind: 'post', type: of };
}

function keyOf(target: Target): string {
  if (target.kind === 'user') return 'user';
  return target.kind === 'term' ? `term:${target.taxonomy}` : `post:${target.type}`;
}

/** What people call the target: category, tag, author, page, media. */
function wordFor(target: Target, model: Declarations): string {
  if (target.kind === 'user') return 'author';
  if (target.kind === 'post') return target.type === 'attachment' ? 'media' : target.type;
  return model.taxonomies.find(({ name }) => name === target.taxonomy)?.folder ?? target.taxonomy;
}
