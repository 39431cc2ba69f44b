/**
 * Menus on disk: `menus/<slug>.yaml`, and `menus/_loose.yaml` for items in no menu. A menu file becomes one term, and one post per item
 * (`menu-index.ts`).
 */
import { readFields } from '../../kernel/model/field.ts';
import type { FileKind } from '../../kernel/site/file-kind.ts';
import type { PathRow } from '../../kernel/site/path-table.ts';
import { contextOf, writeRecord } from '../../kernel/site/record-file.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Entry, Write } from '../../kernel/store/types.ts';
import type { TermFields } from '../content/terms/record.ts';
import type { ItemType, TargetWords } from './menu-tree.ts';
import { menuKeys } from './fields.ts';
import { blankMenu, type MenuRecord } from './record.ts';

/** Items in no menu. */
export const looseFile = 'menus/_loose.yaml';
const pattern = 'menus/*.{yaml,yml}';
export const isMenuFile = (path: string): boolean => /^menus\/[^/]+\.ya?ml$/.test(path);

export function menuPaths(fields: ReadonlyMap<string, TermFields>): [menus: PathRow, loose: PathRow] {
  const menu = { pattern, kind: 'menu', space: 'terms', fields: (fields.get('nav_menu') ?? null) as PathRow['fields'] };
  return [
    { ...menu, type: 'nav_menu', scope: () => 'menu:nav_menu', accepts: (path) => path !== looseFile },
    { ...menu, pattern: looseFile, type: '', fields: null },
  ];
}

export function createMenuKind(site: Pick<Site, 'termFields' | 'terms' | 'refs' | 'zone'>): FileKind<MenuRecord> {
  return {
    name: 'menus',
    table: 'terms',
    keys: menuKeys,
    isSlugTaken: (menu) => [...site.terms.with('slug', `nav_menu:${menu.slug}`)].some((other) => other !== menu.id),
    paths: menuPaths(site.termFields).slice(0, 1),
    read(source, id) {
      const { path, etag, mtimeMs, data } = source as Entry;
      const draft = Object.assign(blankMenu(id), { path, etag });
      readFields(site.termFields.get('nav_menu') ?? {}, data, draft, contextOf(site, path, mtimeMs));
      return draft;
    },
  };
}

/** The file change from `before` (none: a new file) to `after`. */
export function writeMenu(site: Pick<Site, 'termFields' | 'refs' | 'zone'>, after: MenuRecord, before?: MenuRecord): Write {
  return writeRecord(site, site.termFields.get('nav_menu') ?? {}, after, before, menuKeys);
}

/** Menus in file order. */
export function menusOf(site: Pick<Site, 'terms'>): readonly MenuRecord[] {
  const menus = [...site.terms.with('taxonomy', 'nav_menu')].flatMap(
    (id) => (site.terms.get(id) as MenuRecord | undefined) ?? [],
  );
  return menus.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Keys for targets: types and taxonomies with pages (`page`, `category`, `tag`). */
export function targetWords({ types, taxonomies }: Pick<Site, 'types' | 'taxonomies'>): TargetWords {
  return new Map<string, { readonly itemType: ItemType; readonly object: string }>([
    ...[...taxonomies.values()]
      .filter(({ base, showInRest }) => base !== null && showInRest)
      .map(({ name, folder }) => [folder, { itemType: 'taxonomy', object: name }] as const),
    ...[...types.values()]
      .filter(({ viewable }) => viewable)
      .map(({ name }) => [name, { itemType: 'post_type', object: name }] as const),
  ]);
}
