/**
 * Feeds: found by URL, filled with the newest public items, printed.
 *
 * Source: RFC 4287; RSS 2.0; URLs as in the reference.
 */
import type { Clause, Identified, Sort, Table } from '../../../kernel/records/types.ts';
import { itemPrefix, prefixOf } from '../../../kernel/rest/address-prefix.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { dataWithoutActive } from '../../../render/active.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { homeOf, isPublic } from '../../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import { searchClauses, sortOfSearch } from '../../content/search/record.ts';
import { siteIcon } from '../site-icon/index.ts';
import { createPageCache, type Document } from '../page-cache/index.ts';
import { latest } from '../sitemaps/index.ts';
import { termIndex } from '../../content/terms/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { commentEntry, isShown, plain, postEntry } from './entries.ts';
import { forms } from './print.ts';
import type { FeedEntry, FeedContent } from './record.ts';
import { addressOf, type FormName, feedAt, type Subject } from './subjects.ts';

/** Items per feed. */
const length = 20;
/** Feeds are not indexed. */
const robots = { 'X-Robots-Tag': 'noindex, follow' };

/** The page at a URL; null if it is not a feed. */
export function createFeeds(site: Site): { page(url: string): Promise<Page | null> } {
  const cache = createPageCache(site);
  /** All formats of a feed are usually requested together. */
  const last = { address: '', generation: -1, feed: Promise.resolve<FeedContent | null>(null) };
  const feedAbout = (subject: Subject): Promise<FeedContent | null> => {
    const { generation } = site.records;
    const address = site.url + subject.path;
    if (last.address === address && last.generation === generation) return last.feed;
    const feed = feedOf(site, subject);
    Object.assign(last, { address, generation, feed });
    feed.catch(() => Object.assign(last, { address: '' }));
    return feed;
  };
  return {
    async page(url) {
      if (!mayBeFeed.test(url)) return null;
      const asked = feedAt(site, url);
      // `redirects.yaml` comes first.
      if (!asked || site.redirects.find(url.replace(/[?#].*$/s, ''), '')) return null;
      if ('redirect' in asked) return { status: 301, headers: { Location: site.url + asked.redirect }, body: null };
      return cache.at(addressOf(asked.subject, asked.form), async () => {
        const feed = await feedAbout(asked.subject);
        return feed && documentOf(site, feed, asked.subject, asked.form);
      });
    },
  };
}

/** Every feed URL contains one of these. */
const mayBeFeed = /feed|atom|rss|rdf/;

function documentOf(site: Site, whole: FeedContent, subject: Subject, form: FormName): Document {
  const feed = site.operator.filter_content ? (dataWithoutActive(whole, 'visitor') as FeedContent) : whole;
  const { type, print } = forms[form];
  const headers = { ...robots, Link: `<${feed.page}>; rel="canonical"` };
  return { type, body: print(feed, site.url + addressOf(subject, form)), changed: feed.updated, headers };
}

/** Null for authors without published posts: accounts are not revealed. */
async function feedOf(site: Site, subject: Subject): Promise<FeedContent | null> {
  const entries = await entriesOf(site, subject);
  if (entries.length === 0 && subject.of && 'author' in subject.of) return null;
  const name = plain(String(site.settings.value('name') ?? ''));
  const icon = siteIcon(site);
  if (icon) await site.media.prepare([icon]);
  return {
    ...said(site, subject, name),
    page: isOfAll(subject) ? `${homeOf(site)}${prefixOf(site, '', subject.params)}/` : site.url + subject.path,
    language: localeOf(site, subject),
    updated: latest(entries.map(({ updated }) => updated)),
    icon: icon ? sourceUrl(site, icon) : '',
    entries,
  };
}

function said(site: Site, { of }: Subject, name: string): Pick<FeedContent, 'title' | 'description'> {
  const description = plain(String(site.settings.value('description') ?? ''));
  if (!of) return { title: name, description };
  if ('term' in of) return { title: `${plain(of.term.name)} – ${name}`, description: plain(of.term.description) || description };
  if ('author' in of)
    return { title: `${plain(of.author.name)} – ${name}`, description: plain(of.author.description) || description };
  if ('archive' in of)
    return { title: `${plain(of.archive.label)} – ${name}`, description: plain(of.archive.description) || description };
  if ('search' in of) return { title: `Search results for “${of.search}” – ${name}`, description };
  if (of.comments === 'all') return { title: `Comments for ${name}`, description };
  return { title: `Comments on: ${plain(of.comments.title)}`, description };
}

function isOfAll({ of }: Subject): boolean {
  return of === undefined || ('comments' in of && of.comments === 'all');
}

function localeOf(site: Site, { params }: Subject): string {
  const prefix = prefixOf(site, '', params);
  const languages = site.discovery.flatMap((source) => source.languages?.() ?? []);
  const spoken = languages.find((language) => prefixOf(site, '', language.params) === prefix);
  return spoken?.locale ?? String(site.settings.value('language') ?? 'en_US').replaceAll('_', '-');
}

async function entriesOf(site: Site, subject: Subject): Promise<readonly FeedEntry[]> {
  const { of, params } = subject;
  const prefix = prefixOf(site, '', params);
  /** Whether an item is in the feed's language. */
  const isHere = (post: PostRecord): boolean => site.modules.address.length === 0 || itemPrefix(site, post) === prefix;
  if (of && 'comments' in of) {
    const one = of.comments === 'all' ? null : of.comments;
    const where: readonly Clause[] = one ? [{ kind: 'in', index: 'post', values: [one.id] }] : approved;
    const isMeant = (comment: { readonly post: number }): boolean => {
      const post = site.posts.get(comment.post);
      return post !== undefined && (one !== null || isHere(post));
    };
    const found = await newest(
      site.comments,
      where,
      { by: 'date_gmt', direction: 'desc' },
      (comment) => isShown(site, comment) && isMeant(comment),
    );
    return site.spare.each(inFeeds, found, (comment) => commentEntry(site, comment, one !== null));
  }
  const scope = site.discovery.flatMap((source) => source.scope?.(params) ?? []);
  const posts = await newest(
    site.posts,
    [...clausesOf(site, subject), ...scope],
    of && 'search' in of ? sortOfSearch(of.search) : newestFirst,
    (post) => !isProtected(post) && isPublic(site, post) && isHere(post),
  );
  return site.spare.each(inFeeds, posts, (post) => postEntry(site, post));
}

const newestFirst: Sort = { by: 'date', direction: 'desc' };

/** Name for the log. */
const inFeeds = 'its entry in feeds';
const approved: readonly Clause[] = [{ kind: 'in', index: 'status', values: ['approved'] }];

function clausesOf(site: Site, { of }: Subject): readonly Clause[] {
  const published: Clause = { kind: 'in', index: 'status', values: ['publish'] };
  const ofTypes = (values: readonly string[]): readonly Clause[] => [{ kind: 'in', index: 'type', values }, published];
  if (of && 'author' in of) return [...ofTypes(['post']), { kind: 'in', index: 'author', values: [of.author.id] }];
  if (of && 'archive' in of) return ofTypes([of.archive.name]);
  if (of && 'search' in of) return [published, ...searchClauses(site.types.values(), of.search)];
  if (!of || !('term' in of)) return ofTypes(['post']);
  const taxonomy = site.taxonomies.get(of.term.taxonomy);
  const index = termIndex(site, of.term.taxonomy);
  if (!taxonomy || index === null) return [{ kind: 'ids', values: [0] }];
  const types = taxonomy.types.filter((type) => type !== 'attachment' && site.types.get(type)?.viewable);
  return [...ofTypes(types), { kind: 'in', index, values: withChildren(site, of.term, taxonomy.hierarchical) }];
}

/** Includes descendants of a category. */
function withChildren(site: Site, { id }: TermRecord, isHierarchical: boolean): readonly number[] {
  const ids = new Set([id]);
  if (isHierarchical) for (const above of ids) for (const below of site.terms.with('parent', above)) ids.add(below);
  return [...ids];
}

/** The newest accepted records, searched in growing chunks. */
async function newest<R extends Identified>(
  table: Table<R>,
  where: readonly Clause[],
  sort: Sort,
  accepts: (record: R) => boolean,
): Promise<readonly R[]> {
  const found = new Map<number, R>();
  for (let offset = 0, limit = length * 2; ; offset += limit, limit *= 4) {
    const { records, total } = await table.find({ where, sort, offset, limit });
    for await (const record of paced(records)) {
      if (accepts(record)) found.set(record.id, record);
      if (found.size === length) return [...found.values()];
    }
    if (offset + limit >= total) return [...found.values()];
  }
}
