/**
 * What feeds and sitemaps list: the pages of the site that everyone may see, by their addresses.
 */
import { homeOf, isPublic, termLink } from '../../../modules/permalinks/record.ts';
import { createPostView } from '../../../modules/posts/view.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { countOf, termIndex } from '../../../modules/terms/view.ts';
import type { PostRecord, PostView } from '../../../modules/posts/record.ts';
import type { TermRecord } from '../../../modules/terms/record.ts';
import type { UserRecord } from '../../../modules/users/record.ts';
import type { Clause, Identified } from '../../../kernel/records/types.ts';

/** A list of posts with an address of its own. */
export interface Archive {
  /** Below the site, with slashes at both ends. */
  readonly path: string;
  /** Plain text; '' for the whole site. */
  readonly name: string;
  /** Which posts it has, besides being published. */
  readonly where: readonly Clause[];
  readonly term?: TermRecord;
  readonly author?: UserRecord;
}

/** What a visitor sees of posts. */
export function publicView(site: Site): PostView {
  return createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
}

/** All posts, then those of each term and author that has some. */
export function* archives(site: Site): Generator<Archive> {
  yield { path: '/', name: '', where: [] };
  for (const taxonomy of site.taxonomies.values()) {
    const index = termIndex(site, taxonomy.name);
    if (!taxonomy.public || taxonomy.base === null || index === null || !taxonomy.types.includes('post')) continue;
    for (const term of byId(site.terms.all())) {
      if (term.taxonomy !== taxonomy.name || countOf(site, term) === 0) continue;
      yield { path: termLink(site, term), name: term.name, where: [{ kind: 'in', index, values: [term.id] }], term };
    }
  }
  for (const author of byId(site.users.all())) {
    const where: readonly Clause[] = [{ kind: 'in', index: 'author', values: [author.id] }];
    if (posts(site, where, 1).length > 0) yield { path: `/author/${author.slug}/`, name: author.name, where, author };
  }
}

/** Published posts, the newest first. */
export function posts(site: Site, where: readonly Clause[], limit: number): readonly PostRecord[] {
  const published: readonly Clause[] = [
    { kind: 'in', index: 'type', values: ['post'] },
    { kind: 'in', index: 'status', values: ['publish'] },
    ...where,
  ];
  return site.posts.query({ where: published, sort: { by: 'date', direction: 'desc' }, offset: 0, limit }).records;
}

/** Items of a type that have a page, in the order of their ids. */
export function* pagesOf(site: Site, type: string): Generator<PostRecord> {
  const ids = [...site.posts.with('type', type)].sort((a, b) => a - b);
  for (const id of ids) {
    const post = site.posts.get(id);
    if (post && isPublic(site, post)) yield post;
  }
}

/** Address of the site, for readers. */
export function homeAddress(site: Site): string {
  return `${homeOf(site)}/`;
}

/** GMT as RFC 3339 has it. */
export function moment(gmt: string): string {
  return `${gmt}Z`;
}

/** In an order that does not depend on when they were read. */
export function byId<R extends Identified>(records: Iterable<R>): readonly R[] {
  return [...records].sort((a, b) => a.id - b.id);
}

/** The last of some moments in GMT; '' of none. */
export function latest(moments: readonly string[]): string {
  return [...moments].sort().at(-1) ?? '';
}
