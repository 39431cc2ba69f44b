/**
 * Menus and items. A menu is a term with its own file, an item a post within the file of its menu, nested as shown. Position implies parent and
 * order; both are written only if they differ.
 */
import type { Draft } from '../../kernel/model/field.ts';
import type { RawItem, MenuTarget } from './menu-tree.ts';
import { blankPost, type PostRecord } from '../content/posts/record.ts';
import { blankTerm, type TermRecord, type TermView } from '../content/terms/record.ts';

export interface MenuRecord extends TermRecord {
  /** Locations in the file; another menu may have them. */
  readonly locations: readonly string[];
  /** Adds new top-level pages. */
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

/** As a post: description is the content, the link title the excerpt; no author, and its menu is its term. */
export interface MenuItemRecord extends PostRecord, MenuTarget {
  /** 0 for none. */
  readonly menu: number;
  readonly window: '_blank' | '';
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
}

/** What getters of an item use. */
export interface MenuItemView {
  title(item: MenuItemRecord): string;
  rendered(item: MenuItemRecord): string;
  /** False: an archive without a URL (observed). */
  url(item: MenuItemRecord): string | false;
  description(item: MenuItemRecord): string;
  typeLabel(item: MenuItemRecord): string;
  object(item: MenuItemRecord): string;
  objectId(item: MenuItemRecord): number;
  isInvalid(item: MenuItemRecord): boolean;
  meta(item: MenuItemRecord): unknown;
}

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
