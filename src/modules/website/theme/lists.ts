/** The lists of a site, page by page. */
import type { Clause, Sort } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { localDate } from '../../../render/local-date.ts';
import { plain } from '../feeds/index.ts';
import { searchClauses, sortOfSearch } from '../../content/search/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { hasPosts } from '../../seo/metadata/index.ts';
import { termIndex } from '../../content/terms/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Say } from '../words/index.ts';
import type { List } from './record.ts';

interface ThemeListPage {
  readonly posts: readonly PostRecord[];
  readonly total: number;
  readonly pages: number;
}

/** Items per page if the site has unlimited pages. */
const mostOnPage = 1000;
const latestFirst: Sort = { by: 'date', direction: 'desc' };

/** Null for a page beyond the list. */
export async function pageOf(site: Site, list: List, page: number): Promise<ThemeListPage | null> {
  const size = sizeOf(site);
  const where = clausesOf(site, list);
  if (where === null) return page === 1 ? { posts: [], total: 0, pages: 1 } : null;
  const found = await site.posts.find({ where, sort: sortOf(site, list), offset: (page - 1) * size, limit: size });
  const pages = Math.max(1, Math.ceil(found.total / size));
  const isEmpty = found.total === 0;
  // Does not reveal accounts; empty dates have no pages.
  const isNothing =
    isEmpty &&
    (list.of.kind === 'date' || list.of.kind === 'format' || (list.of.kind === 'author' && !hasPosts(site, list.of.author)));
  return page > pages || isNothing ? null : { posts: found.records, total: found.total, pages };
}

function sizeOf(site: Site): number {
  const stored = Number(site.settings.value('posts_per_page'));
  return stored === -1 ? mostOnPage : Math.min(Math.max(1, stored), mostOnPage);
}

/** Null: always empty. */
function clausesOf(site: Site, { of, params }: List): readonly Clause[] | null {
  const scope = site.discovery.flatMap((source) => source.scope?.(params) ?? []);
  const ofTypes = (values: readonly string[], ...more: readonly Clause[]): readonly Clause[] => [
    { kind: 'in', index: 'type', values },
    { kind: 'in', index: 'status', values: ['publish'] },
    ...more,
    ...scope,
  ];
  switch (of.kind) {
    case 'home':
      return ofTypes(['post']);
    case 'author':
      return ofTypes(['post'], { kind: 'in', index: 'author', values: [of.author.id] });
    case 'format':
      return ofTypes(['post'], { kind: 'in', index: 'format', values: [of.format] });
    case 'archive':
      return ofTypes([of.type.name]);
    case 'date':
      // The upper bound of the date prefix.
      return ofTypes(['post'], { kind: 'range', order: 'date', after: of.date, before: `${of.date}~` });
    case 'term': {
      const index = termIndex(site, of.term.taxonomy);
      const types = (site.taxonomies.get(of.term.taxonomy)?.types ?? []).filter((type) => site.types.get(type)?.viewable);
      return index === null ? null : ofTypes(types, { kind: 'in', index, values: withBelow(site, of.term) });
    }
    case 'search': {
      if (of.words === '') return null;
      return [{ kind: 'in', index: 'status', values: ['publish'] }, ...searchClauses(site.types.values(), of.words), ...scope];
    }
  }
}

function sortOf(site: Site, { of }: List): Sort {
  if (of.kind === 'search') return sortOfSearch(of.words);
  if (of.kind !== 'home' || site.posts.count('sticky', 1) === 0) return latestFirst;
  const sticky: Clause = { kind: 'in', index: 'sticky', values: [1] };
  return { by: { tiers: [[sticky]] }, direction: 'desc', then: [{ by: 'date', direction: 'desc' }] };
}

/** Includes descendants of a category. */
function withBelow(site: Site, { id, taxonomy }: TermRecord): readonly number[] {
  const ids = new Set([id]);
  if (site.taxonomies.get(taxonomy)?.hierarchical)
    for (const above of ids) for (const below of site.terms.with('parent', above)) ids.add(below);
  return [...ids];
}

/** The title of a list, as plain text; '' for the front page. */
export function titleOf(site: Site, { of }: List, locale: string, say: Say): string {
  switch (of.kind) {
    case 'home':
      return of.page ? plain(of.page.title) : '';
    case 'term':
      return plain(of.term.name);
    case 'author':
      return plain(of.author.name);
    case 'format':
      return say(of.format.replace(/^./, (first) => first.toUpperCase()));
    case 'archive':
      return plain(of.type.label);
    case 'date': {
      const format = of.date.length === 4 ? 'Y' : of.date.length === 7 ? 'F Y' : String(site.settings.value('date_format'));
      return localDate(format, `${of.date}${'-01-01'.slice(of.date.length - 4)}T00:00:00`, site.zone, locale);
    }
    case 'search':
      return of.words === '' ? say('Search') : say('Search: {words}', { words: of.words });
  }
}

/** The description of a list, as plain text. */
export function descriptionOf(site: Site, { of }: List): string {
  if (of.kind === 'term') return plain(of.term.description);
  if (of.kind === 'author') return plain(of.author.description);
  if (of.kind === 'archive') return plain(of.type.description);
  return of.kind === 'home' ? plain(String(site.settings.value('description') ?? '')) : '';
}
