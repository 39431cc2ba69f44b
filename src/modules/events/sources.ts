/** Tables with events, and their readers: everyone who finds the item in a list, and for non-public items their editors. */
import type { Actor } from '../../kernel/model/access.ts';
import { isUrl } from '../../kernel/model/addresses.ts';
import { table } from '../../kernel/model/maps.ts';
import type { Identified } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { CommentRecord } from '../comments/record.ts';
import { archivePath, hasPrettyLink, homeOf, linkOf, segmentsOf, termLink } from '../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../content/posts/record.ts';
import type { TermRecord } from '../content/terms/record.ts';
import { canReadPost, type PostLike, statusInForce } from '../people/accounts/record.ts';
import { hasPosts, shownTypes } from '../people/users/index.ts';
import { authorPath, type UserRecord } from '../people/users/record.ts';
import type { EventTable, EventSide } from './record.ts';

const posts: EventTable<PostRecord> = {
  kind: 'post',
  typeOf: ({ type }) => type,
  part: ({ type }) => (/^(?:nav_menu_item|cms_navigation)$/.test(type) ? 'menus' : type.startsWith('cms_') ? 'design' : null),
  *below(site, { id, type }) {
    if (!site.types.get(type)?.hierarchical) return;
    const seen = new Set([id]);
    for (const above of seen)
      for (const child of site.posts.with('parent', above)) {
        const post = site.posts.get(child);
        if (post?.type !== type || seen.has(child)) continue;
        seen.add(child);
        yield post;
      }
  },
  side(site, post) {
    const { access } = site;
    // Texts are not kept.
    const { id, type, status, author, parent, trashed } = post;
    const item: PostLike = { id, type, status, author, parent, trashed };
    const isShown = access.statuses.get(statusInForce(post, access.lookup))?.public === true;
    const mayRead = (user: Actor | null): boolean => {
      if (site.types.get(type)?.showInRest !== true) return false;
      return isShown ? canReadPost(access, user, item) : access.can(user, 'edit_post', item);
    };
    const isViewable = site.types.get(type)?.viewable === true;
    const isPublic = mayRead(null);
    return {
      status,
      link: isViewable ? absolute(site, linkOf(site, post, hasPrettyLink(site, post, true))) : null,
      tags: [
        ...tagsOf(site.types.get(type)?.restBase ?? type, id),
        ...Object.entries(post.terms).flatMap(([taxonomy, ids]) => ids.map((term) => tagOfTerm(site, taxonomy, term))),
        ...(author > 0 ? [`users/${author}`] : []),
      ],
      paths: isPublic && isViewable ? pathsOfPost(site, post) : [],
      path: post.path,
      etag: post.etag,
      isPublic,
      mayRead,
    };
  },
};

const terms: EventTable<TermRecord> = {
  kind: 'term',
  typeOf: ({ taxonomy }) => taxonomy,
  part: ({ taxonomy }) => (taxonomy === 'nav_menu' ? 'menus' : null),
  *below(site, { id }) {
    const seen = new Set([id]);
    for (const above of seen)
      for (const child of site.terms.with('parent', above)) {
        const term = site.terms.get(child);
        if (!term || seen.has(child)) continue;
        seen.add(child);
        yield term;
      }
  },
  side(site, term) {
    const taxonomy = site.taxonomies.get(term.taxonomy);
    const mayRead = (user: Actor | null): boolean => {
      if (!taxonomy?.showInRest) return false;
      return taxonomy.public || site.access.can(user, taxonomy.capabilities.edit_terms);
    };
    const { path, etag } = term;
    const isPublic = mayRead(null);
    const link = taxonomy?.base ? absolute(site, termLink(site, term)) : null;
    const paths = isPublic ? pathsOf(link) : [];
    const tags = tagsOf(taxonomy?.restBase ?? term.taxonomy, term.id);
    return { status: null, link, tags, paths, path, etag, isPublic, mayRead };
  },
};

const users: EventTable<UserRecord> = {
  kind: 'user',
  typeOf: () => 'user',
  side(site, user) {
    const { id, path, etag } = user;
    const isAuthor = hasPosts({ site, can: () => false }, id, shownTypes(site));
    const link = isAuthor ? absolute(site, authorPath(user)) : null;
    const mayRead = (asking: Actor | null): boolean => isAuthor || asking?.id === id || site.access.can(asking, 'list_users');
    return {
      ...{ status: null, path, etag, mayRead, isPublic: isAuthor },
      link,
      paths: pathsOf(link),
      tags: tagsOf('users', id),
    };
  },
};

const comments: EventTable<CommentRecord> = {
  kind: 'comment',
  typeOf: ({ type }) => type,
  side(site, comment) {
    const { id, post: of, author, type, status, path, etag } = comment;
    const post = site.posts.get(of);
    const on = post ? posts.side(site, post) : null;
    // Comments on protected posts are not listed.
    const isShown =
      type !== 'note' &&
      status === 'approved' &&
      on !== null &&
      post !== undefined &&
      !isProtected(post) &&
      post.status !== 'trash';
    const item = { id, post: of, author };
    const mayRead = (user: Actor | null): boolean =>
      (isShown && on.mayRead(user)) ||
      site.access.can(user, 'edit_comment', item) ||
      (type !== 'note' && site.access.can(user, 'moderate_comments'));
    return {
      ...{ status, path, etag, mayRead, isPublic: mayRead(null) },
      paths: mayRead(null) ? pathsOf(on?.link ?? null) : [],
      link: on?.link ? `${on.link}#comment-${id}` : null,
      tags: [...tagsOf('comments', id), ...(on?.tags.slice(0, 1) ?? [])],
    };
  },
};

/** By table. */
const sources = table({ posts, terms, users, comments }) as unknown as Readonly<Record<string, EventTable<Identified>>>;

export function sourceOf(name: string): EventTable<Identified> | undefined {
  return sources[name];
}

/** The part of the site for a table; null: none. */
export function partOf(site: Site, name: string, record: Identified | undefined): string | null {
  const part = record && sourceOf(name)?.part?.(record);
  if (part) return part;
  // Patterns, fonts and sidebars; and folders of modules.
  return name === 'design' || site.modules.collections.some((one) => one.name === name) ? name : null;
}

/** Whether two states look the same to listeners. */
export function isSameSide(one: EventSide, other: EventSide): boolean {
  return one.etag === other.etag && one.status === other.status && one.link === other.link && one.isPublic === other.isPublic;
}

function tagsOf(base: string, id: number): string[] {
  return [`${base}/${id}`, base];
}

function tagOfTerm(site: Site, taxonomy: string, id: number): string {
  return `${site.taxonomies.get(taxonomy)?.restBase ?? taxonomy}/${id}`;
}

/** Public paths of a post. */
export function publicPaths(site: Site, post: PostRecord): readonly string[] {
  return posts.side(site, post).paths;
}

/** Its page, and the lists of its type, terms and author. */
function pathsOfPost(site: Site, post: PostRecord): string[] {
  const prefix = segmentsOf(site, post);
  const terms = Object.values(post.terms)
    .flat()
    .flatMap((id) => site.terms.get(id) ?? [])
    .filter(({ taxonomy }) => site.taxonomies.get(taxonomy)?.public && site.taxonomies.get(taxonomy)?.base);
  const author = post.type === 'post' ? site.users.get(post.author) : undefined;
  const lists = [
    ...(post.type === 'post' || archivePath(site.types.get(post.type)) !== '/'
      ? [prefix + archivePath(site.types.get(post.type))]
      : []),
    ...terms.map((term) => termLink(site, term)),
    ...(author ? [prefix + authorPath(author)] : []),
  ];
  return [linkOf(site, post, true), ...lists].flatMap((path) => pathsOf(absolute(site, path)));
}

/** The path of a link, as front ends see it. */
function pathsOf(link: string | null): string[] {
  return link !== null && isUrl(link) ? [new URL(link).pathname] : [];
}

function absolute(site: Site, path: string): string {
  return homeOf(site) + path;
}
