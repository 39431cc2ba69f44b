/**
 * Records of an export as items of nobody's format. One converter for one pass over the file: it remembers who and what was
 * named, so that what an export only implies (authors of version 1.0, terms of items, types) is there as an item too.
 */
import { slugify } from '../../../kernel/model/slugs.ts';
import { decodeEntities } from '../../../render/text.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import {
  type CommentItem,
  given,
  type Item,
  type LostItem,
  type Place,
  type PostItem,
  type Remark,
  type SiteItem,
  type TermItem,
  type UserItem,
} from '../../import/items.ts';
import { all, metaOf, requiredIdOf, placeOf, plainName, rawMeta, textOf, wordOf } from './element.ts';
import { readComment } from './comments.ts';
import { createKeys } from './keys.ts';
import { areaTaxonomy, themeTaxonomy } from './names.ts';
import { readMenuLink, readPost, type ReadPost, termKeyOf } from './posts.ts';
import type { Element } from './tree.ts';
import { createSiteFacts } from './site-facts.ts';
import { createInferredDeclarations } from './inferred-declarations.ts';

interface Converter {
  /** Items of one record. @param remarks  what the reader found */
  convert(element: Element, remarks: readonly Remark[]): readonly Item[];
  /** What is known at the end: the site, its types and taxonomies. */
  end(): readonly Item[];
}

/** Types of the reference that have no place outside it, and why. */
const passed: Readonly<Record<string, string>> = {
  revision: 'revisions are not imported',
  customize_changeset: 'unfinished design changes',
  oembed_cache: 'cached data',
  user_request: 'personal data requests',
  custom_css: 'styles of the old theme',
};

export function createConverter(source: string): Converter {
  const facts = createSiteFacts();
  const site: Record<string, string> = {};
  let sitePlace: Place = { source };
  const logins = new Set<string>();
  const loginOf = new Map<number, string>();
  const terms = new Set<string>();
  const termOf = new Map<number, string>();
  const keys = createKeys();
  const uses = createInferredDeclarations();

  const channel: Readonly<Record<string, (element: Element, remarks: Remark[]) => readonly Item[]>> = {
    item,
    'wp:author': author,
    'wp:category': (element) =>
      term(element, {
        taxonomy: 'category',
        slug: 'category_nicename',
        parent: 'category_parent',
        name: 'cat_name',
        description: 'category_description',
      }),
    'wp:tag': (element) =>
      term(element, { taxonomy: 'post_tag', slug: 'tag_slug', name: 'tag_name', description: 'tag_description' }),
    'wp:term': (element) =>
      term(element, { slug: 'term_slug', parent: 'term_parent', name: 'term_name', description: 'term_description' }),
    title: siteText('name'),
    description: siteText('description'),
    language: siteText('language'),
    link: siteAddress,
    'wp:base_site_url': siteAddress,
    'wp:base_blog_url': siteAddress,
  };

  return {
    convert(element, remarks) {
      return channel[element.name]?.(element, [...remarks]) ?? [];
    },
    end() {
      return [...uses.declarations(sitePlace), siteItem()];
    },
  };

  function siteText(key: string) {
    return (element: Element): readonly Item[] => {
      site[key] = decodeEntities(element.text.trim());
      sitePlace = sitePlace.line === undefined ? placeOf(element, source) : sitePlace;
      return [];
    };
  }

  function siteAddress(element: Element): readonly Item[] {
    facts.address(element.text);
    return [];
  }

  function author(element: Element, remarks: Remark[]): readonly Item[] {
    const login = wordOf(element, 'wp:author_login');
    const id = requiredIdOf(element, 'wp:author_id', remarks);
    if (login === '' || logins.has(login)) return [];
    logins.add(login);
    if (id !== undefined && !loginOf.has(id)) loginOf.set(id, login);
    const get = (name: string): string => plainName(wordOf(element, `wp:author_${name}`));
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
    });
    return [remarked(user, remarks)];
  }

  interface TermNames {
    readonly taxonomy?: string;
    readonly slug: string;
    readonly parent?: string;
    readonly name: string;
    readonly description: string;
  }

  function term(element: Element, names: TermNames): readonly Item[] {
    const get = (name: string | undefined): string => (name === undefined ? '' : textOf(element, `wp:${name}`));
    const taxonomy = names.taxonomy ?? original.readWord(wordOf(element, 'wp:term_taxonomy'));
    const [slug, parent, description] = [get(names.slug).trim(), get(names.parent).trim(), get(names.description)];
    if (taxonomy === '' || slug === '' || isSettled(taxonomy)) return [];
    const key = termKeyOf({ taxonomy, slug });
    const remarks: Remark[] = [];
    const id = requiredIdOf(element, 'wp:term_id', remarks);
    if (id !== undefined) termOf.set(id, key);
    if (terms.has(key)) return [];
    terms.add(key);
    uses.taxonomy(taxonomy, parent !== '');
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

  function item(element: Element, remarks: Remark[]): readonly Item[] {
    const type = original.readWord(wordOf(element, 'wp:post_type'));
    const place = placeOf(element, source);
    const lost = (what: string, message: string, rule: string): readonly Item[] => [
      { kind: 'lost', what, place, remarks: [{ severity: 'lost', rule, message }] },
    ];
    const known = wordOf(element, 'wp:post_id');
    if (type === '' && known === '')
      return lost('item', 'it has neither a type nor an id; it may be an entry of a news feed', 'no-item');
    const reason = passed[type] ?? (wordOf(element, 'wp:status') === 'auto-draft' ? 'never saved' : undefined);
    if (reason !== undefined) return lost(`${type} ${known}`.trim(), reason, 'left-out');
    const key = keys.of(type === 'nav_menu_item' ? 'menu-link' : 'post', known === '' ? `line ${element.line}` : known, element);
    if (key === null) return [sameBefore(`${type} ${known}`, place)];

    const read = readPost(element, key, source, remarks);
    const made: Item[] = [...implied(read, place)];
    const { post } = read;
    facts.dates(post.date ?? '', post.dateGmt ?? '');
    if (read.stylesheet !== undefined) facts.theme(read.stylesheet);
    if (post.media?.url !== undefined) facts.attachment(post.media.path, post.media.url);
    if (post.type === 'nav_menu_item')
      return [
        ...made,
        remarked(
          readMenuLink(element, read, (id) => termOf.get(id), remarks),
          remarks,
        ),
      ];

    const byTaxonomy = new Map<string, string[]>();
    for (const named of read.terms) byTaxonomy.set(named.taxonomy, [...(byTaxonomy.get(named.taxonomy) ?? []), termKeyOf(named)]);
    const whole: PostItem = {
      ...post,
      ...(read.creator === '' ? {} : { author: read.creator }),
      ...(read.terms.length === 0 ? {} : { terms: Object.fromEntries(byTaxonomy) }),
    };
    uses.post(whole);
    if (whole.type === 'post' && whole.status === 'publish') {
      const categories = read.terms.filter(({ taxonomy }) => taxonomy === 'category').map(({ slug }) => slug);
      facts.post({ post: whole, author: slugify(read.creator), categories });
    }
    made.push(remarked(whole, remarks));
    made.push(...commentItems(element, key));
    return made;
  }

  /** The author and terms that an item names and the head of the file does not. */
  function implied({ creator, terms: named }: ReadPost, place: Place): readonly Item[] {
    const made: Item[] = [];
    if (creator !== '' && !logins.has(creator)) {
      logins.add(creator);
      made.push({ kind: 'user', key: creator, place, login: creator, slug: slugify(creator), name: creator });
    }
    for (const { taxonomy, slug, name } of named) {
      const key = termKeyOf({ taxonomy, slug });
      if (terms.has(key)) continue;
      terms.add(key);
      made.push({ kind: 'term', key, place, taxonomy, slug, name: name || slug });
    }
    return made;
  }

  /** Comments of one item; the one that another answers is among them. */
  function commentItems(element: Element, post: string): readonly Item[] {
    const own = new Map<string, string>();
    const read = all(element, 'wp:comment').map((comment): CommentItem | LostItem => {
      const item = readComment(comment, { post, source, login: (id) => loginOf.get(id) });
      const key = keys.of('comment', item.key, comment);
      if (key === null) return sameBefore(`comment ${item.key}`, item.place);
      if (!own.has(item.key)) own.set(item.key, key);
      return { ...item, key };
    });
    return read.map((item) =>
      item.kind === 'lost' || item.parent === undefined ? item : { ...item, parent: own.get(item.parent) ?? item.parent },
    );
  }

  function siteItem(): SiteItem {
    const { permalink, timezone, stylesheet, addresses, uploads } = facts;
    const { language, ...texts } = site;
    const settings = {
      ...texts,
      ...(language ? { language: language.replaceAll('-', '_') } : {}),
      ...(timezone === undefined ? {} : { timezone }),
      ...(permalink === undefined ? {} : { permalink }),
      ...(stylesheet === undefined ? {} : { theme: { stylesheet, block_theme: true } }),
    };
    return { kind: 'site', place: sitePlace, settings, addresses, uploads };
  }
}

function sameBefore(what: string, place: Place): LostItem {
  return {
    kind: 'lost',
    what,
    place,
    remarks: [{ severity: 'lost', rule: 'duplicate-item', message: 'duplicate of an earlier item' }],
  };
}

/** Taxonomies that say what is a field here. */
function isSettled(taxonomy: string): boolean {
  return taxonomy === themeTaxonomy || taxonomy === areaTaxonomy || taxonomy === 'post_format';
}

function remarked<T extends Item>(item: T, remarks: readonly Remark[]): T {
  return remarks.length === 0 ? item : { ...item, remarks };
}
