/**
 * Query loops: a template for each post of a query.
 *
 * The requested URL selects the page. A loop that inherits the main query shows nothing (observed).
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import { at } from '../../../render/attribute-path.ts';
import { openingTag, withAttributes } from '../../../render/tags.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import { pageNumber } from './asked-address.ts';
import { escapeHtml, part, type Renderers, textClasses, wholeNumber, word, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';

export const loopBlocks: Renderers = {
  'core/query': query,
  'core/post-template': postTemplate,
  'core/query-no-results': (live, site) => {
    const content = live.content();
    const isEmpty = found(live, site).records.length === 0;
    return content.trim() !== '' && isEmpty ? wrap('div', live, content, linkColour(live)) : '';
  },
  'core/query-pagination': (live) => {
    const content = live.content();
    if (content.trim() === '') return '';
    const attributes = wrapperAttributes(live, { class: linkColour(live).join(' '), 'aria-label': 'Pagination' });
    return `<nav ${attributes}>${content}</nav>`;
  },
  'core/query-total': total,
  // Titles of archives and searches do not apply here.
  'core/query-title': () => '',
};

interface Found {
  readonly records: readonly PostRecord[];
  readonly total: number;
  /** On previous pages. */
  readonly before: number;
  readonly perPage: number;
  readonly pages: number;
}

const orders: Readonly<Record<string, string>> = table({
  title: 'title',
  modified: 'modified',
  id: 'id',
  menu_order: 'menu_order',
  author: 'author',
});
const nothing: Found = { records: [], total: 0, before: 0, perPage: 0, pages: 0 };
/** Posts of one page. */
const mostPerPage = 100;

function linkColour(live: LiveBlock): string[] {
  return textClasses({ ...live, attributes: { ...live.attributes, textAlign: '' } });
}

/** The query of the current block. */
export function found(live: LiveBlock, site: BlockSite): Found {
  const wish = live.context.query;
  if (at(wish, 'inherit') === true) return nothing;
  // A type without pages is ignored (observed).
  const named = word(at(wish, 'postType'));
  const type = site.isViewable(named) ? named : 'post';
  const perPage = wholeNumber(
    at(wish, 'perPage'),
    wholeNumber(site.setting('posts_per_page'), 10, 1, mostPerPage),
    1,
    mostPerPage,
  );
  const skipped = wholeNumber(at(wish, 'offset'), 0, 0, 1_000_000);
  const where = clausesOf(wish, site);
  const isSticky: Clause = { kind: 'test', test: (post: PostRecord) => post.sticky };
  const sticky = word(at(wish, 'sticky'));
  if (sticky === 'only') where.push(isSticky);
  else if (sticky === 'exclude') where.push({ kind: 'test', test: (post: PostRecord) => !post.sticky });
  const direction = word(at(wish, 'order')).toLowerCase() === 'asc' ? 'asc' : 'desc';
  const by = orders[word(at(wish, 'orderBy'))];
  const sort = { by: by ?? 'date', direction } as const;
  const page = pageOf(live, site);
  const before = perPage * (page - 1);
  const listed = site.posts({ type, where, sort, offset: skipped + before, limit: perPage });
  const isLed = page === 1 && sticky === '' && type === 'post' && isOfAll(wish);
  const records = isLed ? withSticky(listed.records, wish, site) : listed.records;
  const all = Math.max(0, listed.total - skipped);
  return { records, total: all, before, perPage, pages: Math.ceil(all / perPage) };
}

/** Whether a query has no terms or search. */
function isOfAll(wish: unknown): boolean {
  const given = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : word(value) !== '');
  const terms = at(wish, 'taxQuery');
  const included = at(terms, 'include') ?? (at(terms, 'exclude') ? {} : terms);
  const maps = Object.values(typeof included === 'object' && included !== null ? included : {});
  return ![...maps, ...['categoryIds', 'tagIds', 'search', 'format'].map((name) => at(wish, name))].some(given);
}

/** Sticky posts come first, even if excluded by anything but ids (observed). */
function withSticky(records: readonly PostRecord[], wish: unknown, site: BlockSite): readonly PostRecord[] {
  const excluded = numbersIn(at(wish, 'exclude'));
  const where: Clause[] = [
    { kind: 'test', test: (post: PostRecord) => post.sticky },
    ...(excluded.length > 0 ? [{ kind: 'ids' as const, values: excluded, not: true }] : []),
  ];
  const sort = { by: 'date', direction: 'desc' } as const;
  const all = site.posts({ type: 'post', where, sort, limit: mostPerPage, isPublic: true }).records;
  return [...new Set([...records.filter(({ sticky }) => sticky), ...all, ...records])];
}

function numbersIn(value: unknown): number[] {
  return (Array.isArray(value) ? value : word(value).split(',')).map(Number).filter((one) => Number.isInteger(one) && one > 0);
}

/** Filters of a query, besides type and order. */
function clausesOf(wish: unknown, site: BlockSite): Clause[] {
  const clauses: Clause[] = [];
  const add = (index: string, values: readonly number[], not = false): void => {
    if (values.length > 0) clauses.push({ kind: 'in', index, values, not });
  };
  const excluded = numbersIn(at(wish, 'exclude'));
  if (excluded.length > 0) clauses.push({ kind: 'ids', values: excluded, not: true });
  add('author', numbersIn(at(wish, 'author')));
  add('parent', numbersIn(at(wish, 'parents')));
  const terms = at(wish, 'taxQuery');
  const kinds = [
    [at(terms, 'include') ?? (at(terms, 'exclude') ? undefined : terms), false],
    [at(terms, 'exclude'), true],
    [{ category: at(wish, 'categoryIds'), post_tag: at(wish, 'tagIds') }, false],
  ] as const;
  for (const [map, not] of kinds)
    for (const [name, ids] of Object.entries(typeof map === 'object' && map !== null ? map : {})) {
      const taxonomy = site.taxonomy(name);
      if (taxonomy?.public && taxonomy.showInRest) add(taxonomy.restBase, numbersIn(ids), not);
    }
  const words = word(at(wish, 'search')).split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length > 0) clauses.push({ kind: 'search', columns: ['title', 'excerpt', 'content'], words, without: [] });
  const formats = at(wish, 'format');
  const wanted = Array.isArray(formats) ? formats.map(word).filter(Boolean) : [];
  if (wanted.length > 0) clauses.push({ kind: 'test', test: (post: PostRecord) => wanted.includes(post.format) });
  return clauses;
}

function query(live: LiveBlock): string {
  const html = live.content();
  const tag = live.attributes.enhancedPagination ? openingTag(html) : null;
  if (!tag) return html;
  return withAttributes(html, tag, {
    'data-wp-context': '{}',
    'data-wp-interactive': 'core/query',
    'data-wp-key': word(live.attributes.queryId),
    'data-wp-router-region': `query-${word(live.attributes.queryId)}`,
  });
}

function postTemplate(live: LiveBlock, site: BlockSite): string {
  const { records } = found(live, site);
  if (records.length === 0) return '';
  const { attributes, context } = live;
  const items = site.each(records, (post) => {
    const classes = [part('post'), ...site.classes(post)].join(' ');
    const key = context.enhancedPagination === true ? ` data-wp-key="post-template-item-${post.id}"` : '';
    return `<li${key} class="${escapeHtml(classes)}">${live.content({ postId: post.id, postType: post.type })}</li>`;
  });
  const display = context.displayLayout;
  const columns = at(attributes, 'layout.type') === 'grid' ? wholeNumber(at(attributes, 'layout.columnCount'), 0, 0, 100) : 0;
  const classes = [
    ...(at(display, 'type') === 'flex' ? ['is-flex-container', `columns-${wholeNumber(at(display, 'columns'), 2, 1, 100)}`] : []),
    ...linkColour(live),
    ...(columns > 0 ? [`columns-${columns}`] : []),
  ];
  return wrap('ul', live, items.join(''), classes);
}

/** The page parameter of a loop. */
export function pageKey({ context }: LiveBlock): string {
  const id = word(context.queryId);
  return id === '' ? 'query-page' : `query-${id.replace(/[^\w-]/g, '')}-page`;
}

export function pageOf(live: LiveBlock, site: BlockSite): number {
  return pageNumber(site.address.text(pageKey(live)));
}

function total(live: LiveBlock, site: BlockSite): string {
  const { total: all, before, perPage } = found(live, site);
  const [first, last] = [before + 1, Math.min(before + perPage, all)];
  const shown = first > all ? '0' : first === last ? String(first) : `${first} – ${last}`;
  const range = `Displaying ${shown} of ${all}`;
  const count = `${all} ${all === 1 ? 'result' : 'results'} found`;
  return wrap('div', live, live.attributes.displayType === 'range-display' ? range : count);
}
