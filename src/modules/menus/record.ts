/**
 * Menus and their items. A menu is a term with a file of its own, an item is a post without one: it stands in the file of its
 * menu, nested the way it is shown. Its place says its parent and order; both are written only where the place does not.
 */
import type { Draft } from '../../kernel/model/field.ts';
import type { RawItem, MenuTarget } from './menu-tree.ts';
import { blankPost, type PostRecord } from '../content/posts/record.ts';
import { blankTerm, type TermRecord, type TermView } from '../content/terms/record.ts';

export interface MenuRecord extends TermRecord {
  /** Locations the file lists; another menu may hold them. */
  readonly locations: readonly string[];
  /** New top-level pages are put into it. */
  readonly autoAdd: boolean;
  readonly items: readonly RawItem[];
}

export function blankMenu(id: number): Draft<MenuRecord> {
  return Object.assign(blankTerm(id, 'nav_menu'), { locations: [], autoAdd: false, items: [] });
}

export interface MenuView extends TermView {
  /** Locations that show this menu. */
  locations(menu: MenuRecord): readonly string[];
}

/** As a post: description is its content, the title of the link its excerpt; it has no author, and its menu is its term. */
export interface MenuItemRecord extends PostRecord, MenuTarget {
  /** Id of its menu, 0 for none. */
  readonly menu: number;
  readonly window: '_blank' | '';
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
}

/** What the getters of an item ask of the site. */
export interface MenuItemView {
  title(item: MenuItemRecord): string;
  rendered(item: MenuItemRecord): string;
  /** False: an archive that has no address (observed). */
  url(item: MenuItemRecord): string | false;
  description(item: MenuItemRecord): string;
  typeLabel(item: MenuItemRecord): string;
  object(item: MenuItemRecord): string;
  objectId(item: MenuItemRecord): number;
  isInvalid(item: MenuItemRecord): boolean;
  meta(item: MenuItemRecord): unknown;
}

/** A blank item, to be filled by its fields. */
export function blankItem(id: number, menu: number): Draft<MenuItemRecord> {
  const own: Omit<Draft<MenuItemRecord>, Exclude<keyof PostRecord, 'kind' | 'order' | 'terms'>> = {
    kind: 'yaml',
    order: 1,
    terms: menu === 0 ? {} : { nav_menu: [menu] },
    menu,
    itemType: 'custom',
    object: 'custom',
    ref: 0,
    url: '',
    window: '',
    classes: [],
    xfn: [],
  };
  return Object.assign(blankPost(id, 'nav_menu_item'), own);
}
