/**
 * Blocks that the server renders: lists of what the site has, and parts of a post. Only what every visitor may see is listed.
 * The markup carries the class names that style sheets of blocks are written for.
 */
import { blockClass } from '../../kernel/model/wire-constants.ts';
import { formatDate } from '../../kernel/model/dates.ts';
import type { PostRecord } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import { isScalar } from '../../kernel/model/scalars.ts';
import { paced } from '../../kernel/scheduler.ts';
import { hierarchy, termLink } from '../permalinks/record.ts';
import { createPostView } from '../posts/view.ts';
import { firstWords } from '../../render/excerpt.ts';
import { plainText } from '../../render/text.ts';
import { escapeHtml, escapeOnce } from '../../kernel/model/escape.ts';
import type { Site } from '../../kernel/site/site.ts';
import { countOf } from '../terms/view.ts';
import { archives, calendar, publishedOf } from './archives.ts';
import { byParent, heading, link, type Renderer, type Rendering, wrap } from './markup.ts';

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

function orderOf({ orderBy }: Rendering['attributes']): string {
  return ['title', 'modified', 'id'].includes(orderBy) ? orderBy : 'date';
}

async function countTerms(site: Site, taxonomy: string): Promise<void> {
  for await (const term of paced(termsOf(site, taxonomy))) countOf(site, term);
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
