/**
 * People, terms, menu links and comments as a live site shows them.
 */
import { decodeEntities } from '../../../render/text.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { itemTypes } from '../../../modules/menus/menu-tree.ts';
import {
  type CommentItem,
  given,
  type ItemLanguage,
  type MenuLinkItem,
  type TermItem,
  type UserItem,
} from '../../import/items.ts';
import type { Row } from './collection.ts';
import { isEmpty } from './posts.ts';
import { id, keyOf, moment, raw, rendered, text, texts, typed } from './values.ts';

export function readUser(row: Row, url: string): UserItem {
  return given<UserItem>({
    kind: 'user',
    key: String(id(row)),
    place: { source: url },
    login: text(row, 'username'),
    slug: text(row, 'slug'),
    name: decodeEntities(text(row, 'name')),
    id: id(row),
    email: text(row, 'email') || undefined,
    firstName: text(row, 'first_name') || undefined,
    lastName: text(row, 'last_name') || undefined,
    nickname: text(row, 'nickname') || undefined,
    description: text(row, 'description') || undefined,
    url: decodeEntities(text(row, 'url')) || undefined,
    roles: texts(row.roles).length > 0 ? texts(row.roles) : undefined,
    registered: moment(row, 'registered_date'),
    link: text(row, 'link') || undefined,
    meta: metaOf(row, ['persisted_preferences']),
  });
}

/** @param taxonomy  neutral name */
export function readTerm(row: Row, url: string, taxonomy: string, language?: ItemLanguage): TermItem {
  const isMenu = taxonomy === 'nav_menu';
  return given<TermItem>({
    kind: 'term',
    key: String(id(row)),
    place: { source: url },
    taxonomy,
    slug: text(row, 'slug'),
    name: decodeEntities(text(row, 'name')),
    id: id(row),
    description: text(row, 'description') || undefined,
    parent: keyOf(row, 'parent'),
    link: text(row, 'link') || undefined,
    locations: isMenu ? texts(row.locations) : undefined,
    autoAdd: isMenu ? row.auto_add === true : undefined,
    language,
    meta: metaOf(row),
  });
}

/** @param titles  of posts and terms that links show: a link that has its target's title has none of its own */
export function readMenuLink(
  row: Row,
  url: string,
  titles: ReadonlyMap<string, readonly string[]>,
  readWord: (word: string) => string,
): MenuLinkItem {
  const itemType = itemTypes.find((name) => name === row.type) ?? 'custom';
  const target = itemType === 'post_type' || itemType === 'taxonomy' ? keyOf(row, 'object_id') : undefined;
  const stored = raw(row, 'title') ?? typed(rendered(row, 'title'));
  const isOfTarget = target !== undefined && titles.get(`${itemType} ${target}`)?.includes(decodeEntities(stored));
  return given<MenuLinkItem>({
    kind: 'menu-link',
    key: String(id(row)),
    place: { source: url },
    menu: keyOf(row, 'menus') ?? '',
    order: typeof row.menu_order === 'number' ? row.menu_order : 0,
    itemType,
    object: itemType === 'custom' ? 'custom' : readWord(text(row, 'object')),
    title: isOfTarget ? '' : stored,
    attrTitle: text(row, 'attr_title'),
    description: text(row, 'description'),
    window: text(row, 'target') === '_blank' ? '_blank' : '',
    classes: texts(row.classes),
    xfn: texts(row.xfn),
    status: text(row, 'status') || 'publish',
    id: id(row),
    parent: keyOf(row, 'parent'),
    target,
    url: itemType === 'custom' ? text(row, 'url') : undefined,
    meta: metaOf(row),
  });
}

/** @returns null for a state that no comment of its own has */
export function readComment(row: Row, url: string): CommentItem | null {
  const states: Readonly<Record<string, CommentItem['status']>> = table({
    approved: 'approved',
    hold: 'hold',
    spam: 'spam',
    trash: 'trash',
  });
  const status = states[text(row, 'status') || 'approved'];
  const post = keyOf(row, 'post');
  if (status === undefined || post === undefined) return null;
  const stored = raw(row, 'content');
  return given<CommentItem>({
    kind: 'comment',
    key: String(id(row)),
    place: { source: url },
    post,
    name: decodeEntities(text(row, 'author_name')),
    content: stored ?? rendered(row, 'content'),
    status,
    id: id(row),
    parent: keyOf(row, 'parent'),
    author: keyOf(row, 'author'),
    url: decodeEntities(text(row, 'author_url')) || undefined,
    email: text(row, 'author_email') || undefined,
    ip: text(row, 'author_ip') || undefined,
    agent: text(row, 'author_user_agent') || undefined,
    date: moment(row, 'date'),
    dateGmt: moment(row, 'date_gmt'),
    type: text(row, 'type') || undefined,
    meta: metaOf(row),
  });
}

function metaOf(row: Row, without: readonly string[] = []): Record<string, unknown> | undefined {
  const said = Object.entries(mapOf(row.meta)).filter(([name, value]) => !isEmpty(value) && !without.includes(name));
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
