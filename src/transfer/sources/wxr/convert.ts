/**
 * Records of an export as items of nobody's format. One converter for one pass over the file: it remembers which authors and terms were
 * named, so that what an export only implies (authors of version 1.0, terms of items, types) becomes an item too.
 */
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { generator } from '../../../modules/website/feeds/print.ts';
import { decodeEntities } from '../../../render/text.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import {
  type CommentItem,
  given,
  type SourceItem,
  type LostItem,
  type Place,
  type PostItem,
  type ImportRemark,
  type SiteItem,
  type TermItem,
  type UserItem,
} from '../../import/items.ts';
import { all, metaOf, placeOf, plainName, rawMeta, requiredIdOf, textOf, wordOf } from './element.ts';
import { readComment } from './comments.ts';
import { createInferredDeclarations, type InferredDeclarations } from './inferred-declarations.ts';
import { createKeys, type WxrKeys } from './keys.ts';
import { createLanguageReader, type LanguageReader } from './polylang.ts';
import { areaTaxonomy, metaKeys, themeTaxonomy } from './names.ts';
import { readMetaValue } from './php-values.ts';
import { readMenuLink, readPost, type ReadPost, termKeyOf } from './posts.ts';
import type { Element } from './tree.ts';
import { createSiteFacts, type SiteFacts } from './site-facts.ts';

export interface Converter {
  /** Another file begins. @param isPart  it is one of several @param isScan  texts of posts and comments are not wanted */
  begin(source: string, about: Pick<Conversion, 'isPart' | 'isScan'>): void;
  /** Items of one record. @param remarks  what the reader found */
  convert(element: Element, remarks: readonly ImportRemark[]): readonly SourceItem[];
  /** What is known at the end: the site, its types and taxonomies. */
  end(): readonly SourceItem[];
}

/** What has been learned from the records so far. */
interface Conversion {
  source: string;
  /** The file is one of several. */
  isPart: boolean;
  isScan: boolean;
  readonly facts: SiteFacts;
  readonly keys: WxrKeys;
  readonly declarations: InferredDeclarations;
  readonly languages: LanguageReader;
  /** Texts of the channel by the keys of `site.yaml`. */
  readonly site: Record<string, string>;
  sitePlace: Place;
  /** Authors and terms that have an item, by login and key; and those by their ids. */
  readonly logins: Set<string>;
  /** Those of them that were only named so far: `user anna`, `term category:news`. */
  readonly standIns: Set<string>;
  readonly loginOf: Map<number, string>;
  /** Authors by whatever else items may call them. */
  readonly calledOf: Map<string, string>;
  /** Written by this program: what names no author has none. */
  isOurs: boolean;
  readonly terms: Set<string>;
  readonly termOf: Map<string, string>;
}

/** Names of the children of a term, which differ by its element. */
interface TermNames {
  readonly taxonomy?: string;
  readonly slug: string;
  readonly parent?: string;
  readonly name: string;
  readonly description: string;
}

const termElements: Readonly<Record<string, TermNames>> = table({
  'wp:category': {
    taxonomy: 'category',
    slug: 'category_nicename',
    parent: 'category_parent',
    name: 'cat_name',
    description: 'category_description',
  },
  'wp:tag': { taxonomy: 'post_tag', slug: 'tag_slug', name: 'tag_name', description: 'tag_description' },
  'wp:term': { slug: 'term_slug', parent: 'term_parent', name: 'term_name', description: 'term_description' },
});
const siteTexts: Readonly<Record<string, string>> = table({ title: 'name', description: 'description', language: 'language' });
const siteAddresses: ReadonlySet<string> = new Set(['link', 'wp:base_site_url', 'wp:base_blog_url']);

/** Types of the reference that mean nothing on another site, and why. */
const skippedTypes: Readonly<Record<string, string>> = table({
  revision: 'revisions are not imported',
  customize_changeset: 'unfinished design changes',
  oembed_cache: 'cached data',
  user_request: 'personal data requests',
  custom_css: 'styles of the old theme',
});

export function createConverter(): Converter {
  const state: Conversion = {
    source: '',
    isPart: false,
    isScan: false,
    facts: createSiteFacts(),
    keys: createKeys(),
    declarations: createInferredDeclarations(),
    languages: createLanguageReader(),
    site: {},
    sitePlace: { source: '' },
    logins: new Set(),
    standIns: new Set(),
    loginOf: new Map(),
    calledOf: new Map(),
    isOurs: false,
    terms: new Set(),
    termOf: new Map(),
  };
  return {
    begin(source, about) {
      if (state.source === '') state.sitePlace = { source };
      Object.assign(state, { source, ...about });
    },
    convert: (element, remarks) => convertRecord(state, element, [...remarks]),
    end: () => [...state.declarations.declarations(state.sitePlace), siteItem(state)],
  };
}

function convertRecord(state: Conversion, element: Element, remarks: ImportRemark[]): readonly SourceItem[] {
  const { name } = element;
  if (name === 'item') return convertItem(state, element, remarks);
  if (name === 'wp:author') return convertAuthor(state, element, remarks);
  if (Object.hasOwn(termElements, name)) return convertTerm(state, element, termElements[name] as TermNames);
  if (name === 'generator') state.isOurs = element.text.trim() === generator;
  if (siteAddresses.has(name)) state.facts.address(element.text);
  if (Object.hasOwn(siteTexts, name)) {
    state.site[siteTexts[name] as string] = decodeEntities(element.text.trim());
    if (state.sitePlace.line === undefined) state.sitePlace = placeOf(element, state.source);
  }
  return [];
}

function convertAuthor(
  { logins, standIns, loginOf, calledOf, source }: Conversion,
  element: Element,
  remarks: ImportRemark[],
): readonly SourceItem[] {
  const login = wordOf(element, 'wp:author_login');
  const id = requiredIdOf(element, 'wp:author_id', remarks);
  if (login === '' || (logins.has(login) && !standIns.delete(`user ${login}`))) return [];
  logins.add(login);
  if (id !== undefined && !loginOf.has(id)) loginOf.set(id, login);
  const get = (name: string): string => plainName(wordOf(element, `wp:author_${name}`));
  for (const called of [login, slugify(login), get('email'), get('display_name'), slugify(get('display_name'))])
    if (called !== '' && !calledOf.has(called.toLowerCase())) calledOf.set(called.toLowerCase(), login);
  const user = given<UserItem>({
    kind: 'user',
    key: login,
    id,
    place: placeOf(element, source),
    login,
    slug: slugify(login),
    name: get('display_name') || login,
    email: wordOf(element, 'wp:author_email') || undefined,
    firstName: get('first_name') || undefined,
    lastName: get('last_name') || undefined,
    // Of newer and of some hosts' exports.
    description: textOf(element, 'wp:author_description').trim() || undefined,
  });
  return [remarked(user, remarks)];
}

function convertTerm(
  { terms, standIns, termOf, declarations, languages, source }: Conversion,
  element: Element,
  names: TermNames,
): readonly SourceItem[] {
  const get = (name: string | undefined): string => (name === undefined ? '' : textOf(element, `wp:${name}`));
  const taxonomy = names.taxonomy ?? original.readWord(wordOf(element, 'wp:term_taxonomy'));
  const [slug, parent, description] = [get(names.slug).trim(), get(names.parent).trim(), get(names.description)];
  if (taxonomy === '' || slug === '' || isField(taxonomy)) return [];
  if (languages.term({ taxonomy, slug, name: plainName(get(names.name)), description })) return [];
  const key = termKeyOf({ taxonomy, slug });
  const remarks: ImportRemark[] = [];
  const id = requiredIdOf(element, 'wp:term_id', remarks);
  // Terms of two taxonomies may share an id (before WordPress 4.2).
  if (id !== undefined) termOf.set(`${id}`, key).set(`${taxonomy} ${id}`, key);
  if (terms.has(key) && !standIns.delete(`term ${key}`)) return [];
  terms.add(key);
  declarations.taxonomy(taxonomy, parent !== '');
  const meta = metaOf(rawMeta(element, 'wp:termmeta'), remarks);
  const item = given<TermItem>({
    kind: 'term',
    key,
    id,
    place: placeOf(element, source),
    taxonomy,
    slug,
    name: plainName(get(names.name)) || slug,
    description: description || undefined,
    parent: parent === '' ? undefined : termKeyOf({ taxonomy, slug: parent }),
    meta,
  });
  return [remarked(item, remarks)];
}

function convertItem(state: Conversion, element: Element, remarks: ImportRemark[]): readonly SourceItem[] {
  const { source, keys, facts, termOf } = state;
  const type = original.readWord(wordOf(element, 'wp:post_type'));
  const id = wordOf(element, 'wp:post_id');
  const place = placeOf(element, source);
  if (type === '' && id === '')
    return [lostItem('item', place, 'no-item', 'it has neither a type nor an id; it may be an entry of a news feed')];
  const reason = skippedTypes[type] ?? (wordOf(element, 'wp:status') === 'auto-draft' ? 'never saved' : undefined);
  if (reason !== undefined) return [lostItem(`${type} ${id}`.trim(), place, 'left-out', reason)];
  const key = keys.of(
    type === 'nav_menu_item' ? 'menu-link' : 'post',
    id === '' ? `${state.isPart ? `${source} ` : ''}line ${element.line}` : id,
    element,
    source,
  );
  if (key === null) return [duplicateItem(`${type} ${id}`, place)];

  const found = readPost(element, key, source, remarks, state.languages);
  const read = { ...found, creator: creatorOf(state, found.creator) };
  const { post } = read;
  const named = namedItems(state, read, place);
  facts.dates(post.date ?? '', post.dateGmt ?? '');
  if (read.stylesheet !== undefined) facts.theme(read.stylesheet);
  if (post.media?.url !== undefined) facts.attachment(post.media.path, post.media.url);
  if (post.type !== 'nav_menu_item')
    return [...named, remarked(wholePost(state, read), remarks), ...commentItems(state, element, key)];
  const link = readMenuLink(element, read, (id, taxonomy) => termOf.get(`${taxonomy} ${id}`) ?? termOf.get(`${id}`));
  return [...named, remarked(link, remarks)];
}

/** The login of the author that an item means, who may be called otherwise there. */
function creatorOf({ logins, calledOf }: Conversion, creator: string): string {
  if (creator === '' || logins.has(creator)) return creator;
  return calledOf.get(plainName(creator).toLowerCase()) ?? calledOf.get(slugify(creator)) ?? creator;
}

/** Whether an item names nobody, or somebody whom a list of authors lacks. Exports without such a list name them only there. */
function isUnattributed({ logins, calledOf, isOurs }: Conversion, creator: string): boolean {
  if (creator === '' && isOurs) return false;
  return !logins.has(creator) && (calledOf.size > 0 || slugify(creator) === '');
}

/** A post with its author and terms, from which something follows for the site. */
function wholePost(state: Conversion, { post, creator, terms }: ReadPost): PostItem {
  const { declarations, facts, isScan } = state;
  const byTaxonomy = new Map<string, string[]>();
  for (const term of terms) byTaxonomy.set(term.taxonomy, [...(byTaxonomy.get(term.taxonomy) ?? []), termKeyOf(term)]);
  const whole: PostItem = {
    ...post,
    ...(isScan ? { content: '' } : {}),
    ...(creator === '' ? {} : { author: creator }),
    ...(isUnattributed(state, creator) ? { isUnattributed: true } : {}),
    ...(terms.length === 0 ? {} : { terms: Object.fromEntries(byTaxonomy) }),
  };
  declarations.post(whole);
  if (whole.type === 'post' && whole.status === 'publish') {
    const categories = terms.filter(({ taxonomy }) => taxonomy === 'category').map(({ slug }) => slug);
    facts.post({ post: whole, author: slugify(creator), categories });
  }
  return whole;
}

/** The author and terms that an item names and the head of the file does not. */
function namedItems(state: Conversion, { creator, terms: named }: ReadPost, place: Place): readonly SourceItem[] {
  const { logins, terms, standIns } = state;
  const items: SourceItem[] = [];
  if (creator !== '' && !logins.has(creator) && !isUnattributed(state, creator)) {
    logins.add(creator);
    standIns.add(`user ${creator}`);
    items.push({ kind: 'user', key: creator, place, login: creator, slug: slugify(creator), name: creator, standsIn: true });
  }
  for (const { taxonomy, slug, name } of named) {
    const key = termKeyOf({ taxonomy, slug });
    if (terms.has(key)) continue;
    terms.add(key);
    standIns.add(`term ${key}`);
    items.push({ kind: 'term', key, place, taxonomy, slug, name: name || slug, standsIn: true });
  }
  return items;
}

/** Comments of one item; the parent of a comment is among them. */
function commentItems({ source, keys, loginOf, isScan }: Conversion, element: Element, post: string): readonly SourceItem[] {
  const keyOf = new Map<string, string>();
  const before = mapOf(readMetaValue(rawMeta(element, 'wp:postmeta').get(metaKeys.trashComments)?.[0]?.trim() ?? '').value);
  const read = all(element, 'wp:comment').map((comment): CommentItem | LostItem => {
    const item = readComment(comment, { post, source, before, login: (id) => loginOf.get(id) });
    const key = keys.of('comment', item.key, comment, source);
    if (key === null) return duplicateItem(`comment ${item.key}`, item.place);
    if (!keyOf.has(item.key)) keyOf.set(item.key, key);
    return { ...item, key, ...(isScan ? { content: '' } : {}) };
  });
  return read.map((item) =>
    item.kind === 'lost' || item.parent === undefined ? item : { ...item, parent: keyOf.get(item.parent) ?? item.parent },
  );
}

function siteItem({ facts, site, sitePlace, languages: reader, termOf }: Conversion): SiteItem {
  const { permalink, timezone, stylesheet, addresses, uploads } = facts;
  const { language, ...texts } = site;
  const settings = {
    ...texts,
    ...(language ? { language: language.replaceAll('-', '_') } : {}),
    ...(timezone === undefined ? {} : { timezone }),
    ...(permalink === undefined ? {} : { permalink }),
    ...(stylesheet === undefined ? {} : { theme: { stylesheet, block_theme: true } }),
  };
  const languages = reader.languages((id) => termOf.get(`${id}`));
  const place = { place: sitePlace, isZoneGuessed: true } as const;
  const remarks = reader.isUnsaid ? { remarks: [unsaidLanguages(addresses[0] ?? '')] } : {};
  return { kind: 'site', ...place, settings, addresses, uploads, ...(languages ? { languages } : {}), ...remarks };
}

function unsaidLanguages(address: string): ImportRemark {
  return {
    severity: 'changed',
    rule: 'languages',
    message: 'the old site had WPML, which does not write languages into export files: items of all languages are imported alike',
    hint: `the REST API of the old site lists each language under its own URL, such as ${address}/de/wp-json/wp/v2/posts; write lang: and translation_of: into the files that are not in the default language`,
  };
}

function duplicateItem(what: string, place: Place): LostItem {
  return lostItem(what, place, 'duplicate-item', 'duplicate of an earlier item');
}

function lostItem(what: string, place: Place, rule: string, message: string): LostItem {
  return { kind: 'lost', what, place, remarks: [{ severity: 'lost', rule, message }] };
}

/** Taxonomies that hold what is a field here. */
function isField(taxonomy: string): boolean {
  return taxonomy === themeTaxonomy || taxonomy === areaTaxonomy || taxonomy === 'post_format';
}

function remarked<T extends SourceItem>(item: T, remarks: readonly ImportRemark[]): T {
  return remarks.length === 0 ? item : { ...item, remarks };
}
