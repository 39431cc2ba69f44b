/**
 * Items of an export: posts of every type, attachments, links of menus. What the reference keeps in meta rows and in terms
 * and what is a field of its own here is told apart in this module.
 */
import type { ItemType } from '../../../modules/menus/menu-tree.ts';
import { itemTypes } from '../../../modules/menus/menu-tree.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import { given, type MediaFile, type MenuLinkItem, type PostItem, type ImportRemark } from '../../import/items.ts';
import {
  all,
  dateOf,
  idOf,
  metaOf,
  requiredIdOf,
  placeOf,
  plainName,
  type RawMeta,
  rawMeta,
  textOf,
  toId,
  wordOf,
} from './element.ts';
import { areaTaxonomy, formatPrefix, menuKeys, metaKeys, stylesPrefix, themed, themeTaxonomy, trashedSuffix } from './names.ts';
import { readMetaValue } from './php-values.ts';
import type { LanguageReader } from './polylang.ts';
import type { Element } from './tree.ts';

/** A term as an item names it. */
interface NamedTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** What of an item is for others to settle. */
export interface ReadPost {
  readonly post: PostItem;
  /** In the order of the file; theme, place and format are not among them. */
  readonly terms: readonly NamedTerm[];
  /** Login of the author; '': none. */
  readonly creator: string;
  readonly stylesheet: string | undefined;
}

/** @param key  of the item; @param remarks  what is found on the way is added */
export function readPost(
  element: Element,
  key: string,
  source: string,
  remarks: ImportRemark[],
  languages: Pick<LanguageReader, 'item'>,
): ReadPost {
  const raw = rawMeta(element, 'wp:postmeta');
  const type = original.readWord(wordOf(element, 'wp:post_type') || 'post');
  const status = wordOf(element, 'wp:status');
  const { language, terms: named } = languages.item(termsOf(element), raw);
  const slug = wordOf(element, 'wp:post_name');
  const stylesheet = named.find(({ taxonomy }) => taxonomy === themeTaxonomy)?.slug;
  const isAttachment = type === 'attachment';
  const id = requiredIdOf(element, 'wp:post_id', remarks);
  const [parent, order] = [idOf(element, 'wp:post_parent'), Number(wordOf(element, 'wp:menu_order'))];
  const [featured, template] = [toId(one(raw, metaKeys.featured)), one(raw, metaKeys.template)];
  const meta = {
    ...metaOf(raw, remarks),
    ...areaOf(named),
    ...(stylesheet !== undefined && themed.has(type) ? { theme: stylesheet } : {}),
  };
  const aliases = (raw.get(metaKeys.oldSlug) ?? []).filter((old) => old !== '' && old !== slug);
  const format = named.find(({ taxonomy }) => taxonomy === 'post_format')?.slug;
  const post = given<PostItem>({
    kind: 'post',
    key,
    id,
    place: placeOf(element, source),
    type,
    slug: status === 'trash' ? slug : themed.has(type) ? slug.replace(stylesPrefix, '') : slug,
    title: textOf(element, 'title'),
    content: textOf(element, 'content:encoded'),
    markup: 'html',
    excerpt: textOf(element, 'excerpt:encoded'),
    status,
    ...datesOf(element, status, remarks),
    parent: parent?.toString(),
    order: Number.isSafeInteger(order) && order !== 0 ? order : undefined,
    sticky: wordOf(element, 'wp:is_sticky') === '1' || undefined,
    password: textOf(element, 'wp:post_password') || undefined,
    format: format?.startsWith(formatPrefix) ? format.slice(formatPrefix.length) : undefined,
    template: template === 'default' ? undefined : template || undefined,
    ...discussionOf(element),
    guid: textOf(element, 'guid') === '' ? undefined : wordOf(element, 'guid'),
    link: wordOf(element, 'link') || undefined,
    featuredMedia: featured?.toString(),
    aliases: aliases.length === 0 ? undefined : [...new Set(aliases)],
    trashed: status === 'trash' ? trashedOf(raw, slug) : undefined,
    meta: Object.keys(meta).length === 0 ? undefined : meta,
    language,
    ...(isAttachment ? mediaOf(element, raw, remarks) : {}),
  });
  const settled = new Set([themeTaxonomy, areaTaxonomy, 'post_format']);
  return {
    post,
    terms: named.filter(({ taxonomy }) => !settled.has(taxonomy)),
    creator: textOf(element, 'dc:creator').trim(),
    stylesheet,
  };
}

/**
 * A link of a menu.
 *
 * @param termKey  key of the term of a taxonomy with an id, where the export lists it
 */
export function readMenuLink(
  element: Element,
  { post, terms }: ReadPost,
  termKey: (id: number, taxonomy: string) => string | undefined,
): MenuLinkItem {
  const raw = rawMeta(element, 'wp:postmeta');
  const get = (name: keyof typeof menuKeys): string => one(raw, menuKeys[name]);
  const said = get('type');
  const itemType: ItemType = itemTypes.find((name) => name === said) ?? 'custom';
  const object = original.readWord(get('object')) || 'custom';
  const objectId = toId(get('objectId'));
  const target =
    objectId === undefined
      ? undefined
      : itemType === 'post_type'
        ? String(objectId)
        : itemType === 'taxonomy'
          ? termKey(objectId, object)
          : undefined;
  const classes = readMetaValue(get('classes')).value;
  const menu = terms.find(({ taxonomy }) => taxonomy === 'nav_menu');
  const parent = toId(get('parent'));
  return given<MenuLinkItem>({
    kind: 'menu-link',
    key: post.key,
    id: post.id,
    place: post.place,
    menu: menu ? termKeyOf(menu) : '',
    parent: parent?.toString(),
    order: post.order ?? 0,
    itemType,
    object: itemType === 'custom' ? 'custom' : object,
    target,
    targetId: itemType === 'taxonomy' && target === undefined ? objectId : undefined,
    url: itemType === 'custom' ? get('url') : undefined,
    title: post.title,
    attrTitle: post.excerpt ?? '',
    description: post.content,
    window: get('target') === '_blank' ? '_blank' : '',
    classes: Array.isArray(classes) ? words(classes.map(String)) : words([String(classes)]),
    xfn: words(get('xfn').split(/\s+/)),
    status: post.status === 'publish' ? 'publish' : 'draft',
    meta: post.meta,
  });
}

/** Key of a term: its slug is unique in its taxonomy. */
export function termKeyOf({ taxonomy, slug }: Pick<NamedTerm, 'taxonomy' | 'slug'>): string {
  return `${taxonomy}:${slug}`;
}

/** First value of a meta key, '' without one. */
function one(raw: RawMeta, key: string): string {
  return raw.get(key)?.[0]?.trim() ?? '';
}

/** Version 1.0 repeats every category without attributes, and says `tag`. */
function termsOf(element: Element): readonly NamedTerm[] {
  return all(element, 'category').flatMap(({ attributes, text }) => {
    const slug = attributes.nicename ?? '';
    const domain = attributes.domain ?? 'category';
    return slug === ''
      ? []
      : [{ taxonomy: domain === 'tag' ? 'post_tag' : original.readWord(domain), slug, name: plainName(text) }];
  });
}

function areaOf(named: readonly NamedTerm[]): { readonly area?: string } {
  const area = named.find(({ taxonomy }) => taxonomy === areaTaxonomy)?.slug;
  return area === undefined ? {} : { area };
}

/** An unpublished item without a GMT date has none of its own: the other is when it was last saved. */
function datesOf(element: Element, status: string, remarks: ImportRemark[]) {
  const [date, dateGmt] = [dateOf(element, 'wp:post_date', remarks), dateOf(element, 'wp:post_date_gmt', remarks)];
  const [modified, modifiedGmt] = [
    dateOf(element, 'wp:post_modified', remarks),
    dateOf(element, 'wp:post_modified_gmt', remarks),
  ];
  const isFloating = dateGmt === '' && /^(?:draft|pending|auto-draft)$/.test(status);
  return {
    date: isFloating ? undefined : date || undefined,
    dateGmt: dateGmt || undefined,
    modified: modified || (isFloating ? date : '') || undefined,
    modifiedGmt: modifiedGmt || undefined,
  };
}

function discussionOf(element: Element): Pick<PostItem, 'comments' | 'pings'> {
  const word = (name: string) => (wordOf(element, name) === 'open' ? 'open' : 'closed');
  return {
    ...(wordOf(element, 'wp:comment_status') === '' ? {} : { comments: word('wp:comment_status') }),
    ...(wordOf(element, 'wp:ping_status') === '' ? {} : { pings: word('wp:ping_status') }),
  };
}

function trashedOf(raw: RawMeta, slug: string): { readonly status: string; readonly slug: string } {
  const was = one(raw, metaKeys.trashSlug) || (slug.endsWith(trashedSuffix) ? slug.slice(0, -trashedSuffix.length) : slug);
  return { status: one(raw, metaKeys.trashStatus) || 'draft', slug: was };
}

function mediaOf(element: Element, raw: RawMeta, remarks: ImportRemark[]): Pick<PostItem, 'media'> {
  const url = wordOf(element, 'wp:attachment_url') || wordOf(element, 'guid');
  const path = one(raw, metaKeys.file).replace(/^\/+/, '') || pathOf(url);
  if (path === '') {
    remarks.push({ severity: 'lost', rule: 'media-without-file', message: 'the attachment names no file' });
    return {};
  }
  const alt = raw.get(metaKeys.alt)?.[0] ?? '';
  const edited = editedFrom(one(raw, metaKeys.details));
  return {
    media: given<MediaFile>({ path, url: url || undefined, alt: alt || undefined, edited }),
  };
}

/** Path below the uploads of an address: after their folder, else from the year on, else the name. */
function pathOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/^\w+:\/\/[^/]+/, '');
  const below = /\/(?:uploads|files)\/(?:sites\/\d+\/)?(.+)$/.exec(path)?.[1] ?? /\/(\d{4}\/\d\d\/[^/]+)$/.exec(path)?.[1];
  return decoded(below ?? path.slice(path.lastIndexOf('/') + 1));
}

/** Key of the picture that an edited one was made of. */
function editedFrom(details: string): string | undefined {
  const parent = /s:12:"parent_image";a:\d+:\{s:13:"attachment_id";(?:i:|s:\d+:")(\d{1,15})/.exec(details)?.[1];
  return parent;
}

function words(list: readonly string[]): readonly string[] {
  return list.map((word) => word.trim()).filter((word) => word !== '');
}
