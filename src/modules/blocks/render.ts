/**
 * Blocks that the server renders: lists of what the site has, and parts of a post. Only what every visitor may see is listed.
 * The markup carries the class names that style sheets of blocks are written for.
 */
import { blockClass, wireConstants } from '../../kernel/model/wire-constants.ts';
import { formatDate } from '../../kernel/model/dates.ts';
import type { PostRecord } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import { isScalar } from '../../kernel/model/scalars.ts';
import type { Clause, Page } from '../../kernel/records/types.ts';
import { paced } from '../../kernel/scheduler.ts';
import { hierarchy, termLink } from '../permalinks/permalinks.ts';
import { createPostView } from '../posts/view.ts';
import { firstWords } from '../../render/excerpt.ts';
import { escapeHtml, escapeOnce, plainText } from '../../render/text.ts';
import type { Site } from '../../kernel/site/site.ts';
import { countOf } from '../terms/view.ts';

interface Rendering {
  readonly site: Site;
  /** Attributes with their defaults. */
  // biome-ignore lint/suspicious/noExplicitAny: values fit the schemas of the block, or the block's renderer looks twice
  readonly attributes: Readonly<Record<string, any>>;
  /** The post around the block, which the reader may edit; undefined without one. */
  readonly post?: PostRecord | undefined;
}

type Renderer = (rendering: Rendering) => string;

/** The markup of a dynamic block; null when this server does not render it. */
export function renderDynamic(name: string, rendering: Rendering): string | null {
  const render = Object.hasOwn(renderers, name) ? renderers[name] : undefined;
  return render ? render({ ...rendering, attributes: scalarAttributes(rendering.attributes) }) : null;
}

/** Does what much of the markup is made of ahead, with room for others: rendering would do it at one go. */
export async function prepareDynamic(name: string, { site, attributes: given, post }: Rendering): Promise<void> {
  const attributes = scalarAttributes(given);
  if (name.startsWith('core/post-')) return post && viewFor(site, post, attributes.excerptLength).prepare(post);
  if (name === 'core/tag-cloud' || name === 'core/categories') return countTerms(site, String(attributes.taxonomy));
  const [type, by] = name === 'core/page-list' ? ['page', 'title'] : ['post', orderOf(attributes)];
  await site.posts.find({ where: publishedOf(type), sort: { by, direction: 'asc' }, offset: 0, limit: 1 });
}

/** Attributes come from markup that anybody wrote: those that are read as texts and numbers are such, or not there. */
function scalarAttributes(attributes: Rendering['attributes']): Rendering['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => isScalar(value) || name === 'categories'));
}

const renderers: Readonly<Record<string, Renderer>> = {
  'core/archives': archives,
  'core/calendar': calendar,
  'core/categories': categories,
  'core/home-link': ({ site, attributes }) =>
    wrap('li', 'home-link', attributes, link(`${site.url}/`, escapeHtml(attributes.label || 'Home'))),
  'core/latest-posts': latestPosts,
  'core/page-list': pageList,
  'core/search': searchForm,
  'core/site-tagline': ({ site, attributes }) => {
    const text = String(site.settings.value('description'));
    return text === '' ? '' : wrap(heading(attributes.level, 'p'), 'site-tagline', attributes, text);
  },
  'core/site-title': ({ site, attributes }) => {
    const text = String(site.settings.value('name'));
    const inner = attributes.isLink
      ? `<a href="${escapeHtml(site.url)}/" target="${escapeHtml(attributes.linkTarget)}" rel="home">${text}</a>`
      : text;
    return text === '' ? '' : wrap(heading(attributes.level, 'p'), 'site-title', attributes, inner);
  },
  'core/tag-cloud': tagCloud,
  'core/post-author-name': ofPost(({ site, attributes, post }) =>
    wrap('div', 'post-author-name', attributes, escapeHtml(site.users.get(post.author)?.name ?? '')),
  ),
  'core/post-content': ofPost(({ site, attributes, post }) =>
    wrap('div', 'post-content', attributes, viewFor(site, post).content(post)),
  ),
  'core/post-date': ofPost(({ site, attributes, post }) =>
    wrap('div', 'post-date', attributes, time(site, post, attributes.format)),
  ),
  'core/post-excerpt': ofPost(({ site, attributes, post }) =>
    wrap(
      'div',
      'post-excerpt',
      attributes,
      `<p class="${blockClass('post-excerpt__excerpt')}">${plainText(viewFor(site, post, attributes.excerptLength).excerpt(post))} </p>`,
    ),
  ),
  'core/post-terms': ofPost(({ site, attributes, post }) => {
    const ids = Object.hasOwn(post.terms, attributes.term) ? post.terms[attributes.term] : undefined;
    const terms = (ids ?? []).flatMap((id) => site.terms.get(id) ?? []);
    const links = terms.map(
      (term) => `<a href="${escapeHtml(site.url + termLink(site, term))}" rel="tag">${escapeOnce(term.name)}</a>`,
    );
    return links.length === 0
      ? ''
      : wrap(
          'div',
          'post-terms',
          attributes,
          links.join(`<span class="${blockClass('post-terms__separator')}">${escapeHtml(attributes.separator)}</span>`),
        );
  }),
  'core/post-title': ofPost(({ site, attributes, post }) => {
    const view = viewFor(site, post);
    const title = view.title(post);
    return title === ''
      ? ''
      : wrap(heading(attributes.level, 'h2'), 'post-title', attributes, attributes.isLink ? link(view.link(post), title) : title);
  }),
};

export const renderedBlocks: ReadonlySet<string> = new Set(Object.keys(renderers));

/** Nothing is shown outside of a post. */
function ofPost(render: (rendering: Rendering & { readonly post: PostRecord }) => string): Renderer {
  return (rendering) => (rendering.post ? render({ ...rendering, post: rendering.post }) : '');
}

function archives({ site, attributes }: Rendering): string {
  const rows: { label: string; path: string; count: number }[] = [];
  const byYear = attributes.type === 'yearly';
  // From one period to the next, not from post to post: there may be very many.
  for (let left = publicPosts(site); left.records[0]; ) {
    const { date } = left.records[0];
    const key = date.slice(0, byYear ? 4 : 7);
    const before = publicPosts(site, { before: `${key}${byYear ? '-01' : ''}-01T00:00:00` });
    rows.push({
      label: formatDate(byYear ? 'Y' : 'F Y', date, site.zone),
      path: `/${key.replace('-', '/')}/`,
      count: left.total - before.total,
    });
    left = before;
  }
  const count = (n: number): string => (attributes.showPostCounts ? `&nbsp;(${n})` : '');
  if (rows.length === 0) return wrap('div', 'archives', attributes, 'No archives to show.');
  if (attributes.displayAsDropdown) {
    const options = rows.map(
      ({ label, path, count: n }) => `<option value="${escapeHtml(site.url + path)}">${label}${count(n)}</option>`,
    );
    return wrap(
      'div',
      `archives-dropdown ${blockClass('archives')}`,
      attributes,
      `<label class="${blockClass('archives__label')}">Archives</label><select name="archive-dropdown">${options.join('')}</select>`,
    );
  }
  return wrap(
    'ul',
    `archives-list ${blockClass('archives')}`,
    attributes,
    rows.map(({ label, path, count: n }) => `<li>${link(site.url + path, label)}${count(n)}</li>`).join(''),
  );
}

function calendar({ site, attributes }: Rendering): string {
  if (publicPosts(site).total === 0)
    return wrap('div', 'calendar', attributes, 'The calendar block is hidden because there are no published posts.');
  const present = site.now().local;
  const given =
    Number.isInteger(attributes.year) && Number.isInteger(attributes.month) && attributes.month >= 1 && attributes.month <= 12;
  const year = given ? Math.min(9999, Math.max(1, attributes.year as number)) : Number(present.slice(0, 4));
  const month = given ? (attributes.month as number) : Number(present.slice(5, 7));
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const posts = publicPosts(
    site,
    { after: `${prefix}-01T00:00:00`, before: `${prefix}-31T23:59:59`, inclusive: true },
    Number.POSITIVE_INFINITY,
  ).records;
  const busy = new Map(posts.map((post) => [Number(post.date.slice(8, 10)), post.date.slice(0, 10)]));
  const start = Number(site.settings.value('start_of_week')) || 0;
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const week = names.map((_, at) => names[(at + start) % 7] as string);
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const cells = [
    ...Array.from({ length: (first - start + 7) % 7 }, () => '<td>&nbsp;</td>'),
    ...Array.from({ length: days }, (_, at) => {
      const date = busy.get(at + 1);
      return `<td>${date ? link(`${site.url}/${date.replaceAll('-', '/')}/`, String(at + 1)) : at + 1}</td>`;
    }),
  ];
  while (cells.length % 7 > 0) cells.push('<td>&nbsp;</td>');
  const rows = Array.from({ length: cells.length / 7 }, (_, at) => `<tr>${cells.slice(at * 7, at * 7 + 7).join('')}</tr>`);
  const head = week.map((name) => `<th scope="col" aria-label="${name}">${name.charAt(0)}</th>`).join('');
  const caption = formatDate('F Y', `${prefix}-01T00:00:00`, site.zone);
  return wrap(
    'div',
    'calendar',
    attributes,
    `<table class="${wireConstants.calendarClass}"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

function categories({ site, attributes }: Rendering): string {
  const taxonomy = site.taxonomies.get(String(attributes.taxonomy));
  const terms = taxonomy?.public
    ? termsOf(site, taxonomy.name).filter((term) => attributes.showEmpty || countOf(site, term) > 0)
    : [];
  const shown = attributes.showOnlyTopLevel ? terms.filter(({ parent }) => parent === 0) : terms;
  const count = (term: TermRecord): string => (attributes.showPostCounts ? ` (${countOf(site, term)})` : '');
  if (shown.length === 0) return wrap('div', 'categories', attributes, taxonomy?.labels.not_found ?? '');
  if (attributes.displayAsDropdown) {
    const options = shown.map(
      (term) => `<option value="${escapeHtml(term.slug)}">${escapeOnce(term.name)}${count(term)}</option>`,
    );
    return wrap('div', `categories-dropdown ${blockClass('categories')}`, attributes, `<select>${options.join('')}</select>`);
  }
  const isTree = attributes.showHierarchy && taxonomy?.hierarchical;
  const children = isTree ? byParent(shown) : new Map([[0, shown]]);
  const below = (parent: number, depth: number): string =>
    (children.get(parent) ?? [])
      .map((term) => {
        const inner = isTree && depth < 50 ? below(term.id, depth + 1) : '';
        return `<li class="cat-item cat-item-${term.id}">${link(site.url + termLink(site, term), escapeOnce(term.name))}${count(term)}${inner && `<ul class="children">${inner}</ul>`}</li>`;
      })
      .join('');
  return wrap('ul', `categories-list ${blockClass('categories')}`, attributes, below(0, 0));
}

function latestPosts({ site, attributes }: Rendering): string {
  const where = publishedOf('post');
  const chosen = Array.isArray(attributes.categories)
    ? attributes.categories.flatMap((one: { id?: unknown }) => (typeof one?.id === 'number' ? [one.id] : []))
    : [];
  if (chosen.length > 0) where.push({ kind: 'in', index: 'categories', values: chosen });
  if (attributes.selectedAuthor) where.push({ kind: 'in', index: 'author', values: [Number(attributes.selectedAuthor)] });
  const limit = Math.min(100, Math.max(1, Number(attributes.postsToShow) || 5));
  const { records } = site.posts.query({
    where,
    sort: { by: orderOf(attributes), direction: attributes.order === 'asc' ? 'asc' : 'desc' },
    offset: 0,
    limit,
  });
  const items = records.map((post) => {
    const view = viewFor(site);
    const parts = [
      `<a class="${blockClass('latest-posts__post-title')}" href="${escapeHtml(view.link(post))}">${view.title(post) || '(no title)'}</a>`,
    ];
    if (attributes.displayAuthor)
      parts.push(
        `<div class="${blockClass('latest-posts__post-author')}">by ${escapeHtml(site.users.get(post.author)?.name ?? '')}</div>`,
      );
    if (attributes.displayPostDate)
      parts.push(`<time datetime="${post.date}" class="${blockClass('latest-posts__post-date')}">${day(site, post)}</time>`);
    if (attributes.displayPostContent && post.password === '') {
      const full = attributes.displayPostContentRadio === 'full_post';
      const text = full ? view.content(post) : firstWords(plainText(view.excerpt(post)), Number(attributes.excerptLength) || 55);
      parts.push(`<div class="${blockClass(`latest-posts__post-${full ? 'full-content' : 'excerpt'}`)}">${text}</div>`);
    }
    return `<li>${parts.join('')}</li>`;
  });
  const grid = attributes.postLayout === 'grid' ? ` is-grid columns-${Number(attributes.columns) || 3}` : '';
  return wrap(
    'ul',
    `latest-posts__list ${blockClass('latest-posts')}${grid}${attributes.displayPostDate ? ' has-dates' : ''}`,
    attributes,
    items.join(''),
  );
}

function pageList({ site, attributes }: Rendering): string {
  const pages = site.posts
    .query({ where: publishedOf('page'), sort: { by: 'title', direction: 'asc' }, offset: 0 })
    .records.toSorted((a, b) => a.order - b.order);
  const children = byParent(pages);
  const view = viewFor(site);
  const below = (parent: number, depth: number): string =>
    (children.get(parent) ?? [])
      .map((page) => {
        const inner = depth < 50 ? below(page.id, depth + 1) : '';
        const anchor = `<a class="${blockClass('pages-list__item__link')}" href="${escapeHtml(view.link(page))}">${view.title(page) || hierarchy(site, page)}</a>`;
        return `<li class="${blockClass('pages-list__item')}${inner && ' has-child'}">${anchor}${inner && `<ul class="${blockClass('page-list__submenu-container')}">${inner}</ul>`}</li>`;
      })
      .join('');
  const items = below(Number(attributes.parentPageID) || 0, 0);
  return items === '' ? '' : wrap('ul', 'page-list', attributes, items);
}

function searchForm({ site, attributes }: Rendering): string {
  const label = escapeHtml(attributes.label || 'Search');
  const button = escapeHtml(attributes.buttonText || 'Search');
  const input = `<input class="${blockClass('search__input')}" type="search" name="s" value="" placeholder="${escapeHtml(attributes.placeholder ?? '')}" required />`;
  const inside =
    attributes.buttonPosition === 'no-button'
      ? input
      : `${input}<button class="${blockClass('search__button')}" type="submit">${button}</button>`;
  const hidden = attributes.showLabel === false ? ' screen-reader-text' : '';
  const classes = ['search', attributes.align && `align${attributes.align}`, attributes.className].filter(Boolean).join(' ');
  return `<form role="search" method="get" action="${escapeHtml(site.url)}/" class="${blockClass(escapeHtml(classes))}"><label class="${blockClass('search__label')}${hidden}">${label}</label><div class="${blockClass('search__inside-wrapper')}">${inside}</div></form>`;
}

function tagCloud({ site, attributes }: Rendering): string {
  const taxonomy = site.taxonomies.get(String(attributes.taxonomy));
  const counted = taxonomy?.public ? termsOf(site, taxonomy.name).map((term) => ({ term, count: countOf(site, term) })) : [];
  const most = counted
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, Math.min(100, Number(attributes.numberOfTags) || 45));
  if (most.length === 0) return wrap('p', 'tag-cloud', attributes, 'There is no content to show here.');
  const [least, highest] = [(most.at(-1) as { count: number }).count, (most[0] as { count: number }).count];
  const [small, large] = [
    Number.parseFloat(attributes.smallestFontSize) || 8,
    Number.parseFloat(attributes.largestFontSize) || 22,
  ];
  const unit = /[a-z%]+$/.exec(String(attributes.smallestFontSize))?.[0] ?? 'pt';
  const links = most
    .sort((a, b) => (a.term.name.toLowerCase() < b.term.name.toLowerCase() ? -1 : 1))
    .map(({ term, count }) => {
      const size = small + ((large - small) * (count - least)) / Math.max(1, highest - least);
      const total = attributes.showTagCounts ? `<span class="tag-link-count"> (${count})</span>` : '';
      return `<a href="${escapeHtml(site.url + termLink(site, term))}" class="tag-cloud-link tag-link-${term.id}" style="font-size: ${Number(size.toFixed(2))}${unit};">${escapeOnce(term.name)}${total}</a>`;
    });
  return wrap('p', 'tag-cloud', attributes, links.join('\n'));
}

/** The members below each of them; those whose parent is not among them are below 0. */
function byParent<T extends { readonly id: number; readonly parent: number }>(all: readonly T[]): Map<number, T[]> {
  const ids = new Set(all.map(({ id }) => id));
  const children = new Map<number, T[]>();
  for (const one of all) {
    const parent = ids.has(one.parent) ? one.parent : 0;
    const others = children.get(parent);
    if (others) others.push(one);
    else children.set(parent, [one]);
  }
  return children;
}

function publishedOf(type: string): Clause[] {
  return [
    { kind: 'in', index: 'type', values: [type] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ];
}

function orderOf({ orderBy }: Rendering['attributes']): string {
  return ['title', 'modified', 'id'].includes(orderBy) ? orderBy : 'date';
}

/** The newest, or as many as are wanted, and how many there are in the range. */
function publicPosts(
  site: Site,
  range: Omit<Extract<Clause, { kind: 'range' }>, 'kind' | 'order'> = {},
  limit = 1,
): Page<PostRecord> {
  const where: Clause[] = [...publishedOf('post'), { kind: 'range', order: 'date', ...range }];
  return site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit });
}

async function countTerms(site: Site, taxonomy: string): Promise<void> {
  for await (const term of paced(termsOf(site, taxonomy))) {
    countOf(site, term);
  }
}

function termsOf(site: Site, taxonomy: string): readonly TermRecord[] {
  return site.terms.query({
    where: [{ kind: 'in', index: 'taxonomy', values: [taxonomy] }],
    sort: { by: 'name', direction: 'asc' },
    offset: 0,
  }).records;
}

/** @param open  a post whose password does not count, because the reader edits it */
function viewFor(site: Site, open?: PostRecord, excerptWords?: number) {
  return createPostView(site, { user: null, word: (name) => name, unlocked: (post) => post === open, excerptWords });
}

function time(site: Site, post: PostRecord, format: unknown): string {
  const text = typeof format === 'string' && format !== '' ? formatDate(format, post.date, site.zone) : day(site, post);
  return `<time datetime="${post.date}">${escapeHtml(text)}</time>`;
}

function day(site: Site, post: PostRecord): string {
  return formatDate(site.settings.value('date_format') as string, post.date, site.zone);
}

function heading(level: unknown, plain: string): string {
  return typeof level === 'number' && level >= 1 && level <= 6 ? `h${level}` : plain;
}

function link(href: string, inner: string): string {
  return `<a href="${escapeHtml(href)}">${inner}</a>`;
}

/** An element with the classes of its block, its alignment and those an editor gave it. */
function wrap(tag: string, name: string, attributes: Rendering['attributes'], inner: string): string {
  const own = [
    blockClass(name),
    attributes.align && `align${attributes.align}`,
    attributes.textAlign && `has-text-align-${attributes.textAlign}`,
    attributes.className,
  ];
  return `<${tag} class="${escapeHtml(own.filter(Boolean).join(' '))}">${inner}</${tag}>`;
}
