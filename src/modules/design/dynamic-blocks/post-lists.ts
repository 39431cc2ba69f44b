/** Post lists: the latest posts, and the page tree. */
import { escapeName, escapeOnce } from '../../../kernel/model/escape.ts';
import { table } from '../../../kernel/model/maps.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import { showBlocks } from '../../../render/block-tree.ts';
import { hasBlocks } from '../../../render/blocks.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { decodeEntities, withoutTags } from '../../../render/text.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { byParent, escapeHtml, part, type Renderers, rich, textClasses, wholeNumber, word, wrap } from './markup.ts';
import { submenuIcon } from './navigation-links.ts';
import { type BlockSite, charactersOfWork } from './view.ts';

export const listBlocks: Renderers = { 'core/latest-posts': latestPosts, 'core/page-list': pageList };

const orders: Readonly<Record<string, string>> = table({ title: 'title', modified: 'modified', id: 'id', ID: 'id' });

function latestPosts(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  const chosen = categoriesOf(live);
  const where: Clause[] = [
    ...(chosen === null ? [] : [{ kind: 'in' as const, index: 'categories', values: chosen }]),
    ...(attributes.selectedAuthor ? [{ kind: 'in' as const, index: 'author', values: [Number(attributes.selectedAuthor)] }] : []),
  ];
  const { records } = site.posts({
    type: 'post',
    where,
    sort: { by: orders[word(attributes.orderBy)] ?? 'date', direction: attributes.order === 'asc' ? 'asc' : 'desc' },
    // -1 means all.
    limit: attributes.postsToShow === -1 ? 100 : wholeNumber(attributes.postsToShow, 5, 1, 100),
    isPublic: true,
  });
  const items = site.each(records, (post) => `<li>${listed(live, site, post)}</li>\n`);
  const columns = attributes.columns === undefined ? [] : [`columns-${wholeNumber(attributes.columns, 3, 1, 12)}`];
  const classes = [
    part('latest-posts__list'),
    ...(attributes.postLayout === 'grid' ? ['is-grid', ...columns] : []),
    ...(attributes.displayPostDate ? ['has-dates'] : []),
    ...(attributes.displayAuthor ? ['has-author'] : []),
    ...textClasses({ ...live, attributes: { ...attributes, textAlign: '' } }),
  ];
  return wrap('ul', live, items.join(''), classes);
}

/** Category ids; null: any. Legacy blocks have one as a string; a non-numeric one matches nothing. */
function categoriesOf({ attributes, block }: LiveBlock): readonly number[] | null {
  const old = block.attrs?.categories;
  if (typeof old === 'string' && old !== '') return [Number.parseInt(old, 10) || 0];
  const given: unknown = attributes.categories;
  const ids = Array.isArray(given) ? given.flatMap((one) => (typeof one?.id === 'number' ? [one.id as number] : [])) : [];
  return ids.length > 0 ? ids : null;
}

function listed(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { attributes } = live;
  const link = escapeHtml(site.link(post));
  const title = site.title(post) || '(no title)';
  const parts = [
    attributes.displayFeaturedImage ? image(live, site, post) : '',
    `<a class="${part('latest-posts__post-title')}" href="${link}">${title}</a>`,
  ];
  const author = attributes.displayAuthor ? (site.author(post.author)?.name ?? '') : '';
  if (author !== '') parts.push(`<div class="${part('latest-posts__post-author')}">by ${escapeHtml(author)}</div>`);
  if (attributes.displayPostDate) {
    const time = `datetime="${site.formatted('c', post.date)}" class="${part('latest-posts__post-date')}"`;
    parts.push(`<time ${time}>${escapeHtml(site.formatted('', post.date))}</time>`);
  }
  if (attributes.displayPostContent) parts.push(text(live, site, post, { link, title }));
  return parts.join('');
}

function text(live: LiveBlock, site: BlockSite, post: PostRecord, of: { readonly link: string; readonly title: string }): string {
  const { attributes } = live;
  const isFull = attributes.displayPostContentRadio === 'full_post';
  const isExcerpt = attributes.displayPostContentRadio === 'excerpt';
  const locked = 'This content is password protected.';
  if (isFull) {
    const mayShow = !site.isLocked(post) && site.spend(post.content.length / charactersOfWork);
    const blocks = mayShow ? decodeEntities(post.content) : '';
    const shown = hasBlocks(blocks)
      ? site.within(`${post.type}:${post.id}`, () => showBlocks(blocks, live.run, live.context))
      : blocks;
    const whole = site.isLocked(post) ? locked : rich(shown);
    return `<div class="${part('latest-posts__post-full-content')}">${whole}</div>`;
  }
  if (!isExcerpt) return '';
  const given = site.isLocked(post) ? locked : site.excerpt(post, wholeNumber(attributes.excerptLength, 55, 0, 1000));
  const more = `<a class="${part('latest-posts__read-more')}" href="${of.link}" rel="noopener">Read more<span class="screen-reader-text">: ${escapeOnce(of.title)}</span></a>`;
  const cut = given.replace(/(?:^| )\[(?:&hellip;|…)\]$/, '');
  return `<div class="${part('latest-posts__post-excerpt')}">${cut === given ? given : `${cut}… ${more}`}</div>`;
}

function image(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { attributes } = live;
  const width = wholeNumber(attributes.featuredImageSizeWidth, 0, 0, 100_000);
  const height = wholeNumber(attributes.featuredImageSizeHeight, 0, 0, 100_000);
  const style = `${width > 0 ? `max-width:${width}px;` : ''}${height > 0 ? `max-height:${height}px;` : ''}`;
  const picture = site.picture(post.featuredMedia, word(attributes.featuredImageSizeSlug) || 'thumbnail', ` style="${style}"`);
  if (picture === '') return '';
  const named = picture.replace(/ class="([^"]*)"/, (_, given: string) => ` class="${given} wp-post-image"`);
  const label = escapeOnce(withoutTags(site.title(post)));
  const shown = attributes.addLinkToFeaturedImage
    ? `<a href="${escapeHtml(site.link(post))}" aria-label="${label}">${named}</a>`
    : named;
  const align = word(attributes.featuredImageAlign);
  const classes = [part('latest-posts__featured-image'), ...(align ? [`align${align}`] : [])].join(' ');
  return `<div class="${escapeHtml(classes)}">${shown}</div>`;
}

/** Maximum pages of a list. */
const mostPages = 2000;

function pageList(live: LiveBlock, site: BlockSite): string {
  const { attributes, context } = live;
  const { records } = site.posts({ type: 'page', sort: { by: 'title', direction: 'asc' }, isPublic: true, limit: mostPages });
  const children = byParent(records.toSorted((a, b) => a.order - b.order));
  const isInNavigation = context.showSubmenuIcon !== undefined;
  const items = (parent: number, depth: number): string =>
    site
      .each(children.get(parent) ?? [], (page) => pageItem(page, depth < 50 ? items(page.id, depth + 1) : '', depth > 0))
      .join('');
  const pageItem = (page: PostRecord, inner: string, isBelow: boolean): string => {
    const opens = context.openSubmenusOnClick === true;
    const classes = [
      part('pages-list__item'),
      ...(inner ? ['has-child'] : []),
      ...(isInNavigation ? [part('navigation-item')] : []),
      ...(isInNavigation && opens ? ['open-on-click'] : isInNavigation && context.showSubmenuIcon ? ['open-on-hover-click'] : []),
      ...(site.setting('front') === 'page' && site.link(page) === `${site.home}/` ? ['menu-item-home'] : []),
      // As the reference writes it, for comparisons.
      ...(isBelow && inner === '' ? [''] : []),
    ];
    const title = escapeName(page.title) || '(no title)';
    const ofItem = isInNavigation ? ` ${part('navigation-item__content')}` : '';
    const list = `<ul class="${part('navigation__submenu-container')}">${inner}</ul>`;
    const label = `aria-label="${escapeHtml(`${withoutTags(page.title)} submenu`)}"`;
    const item = (content: string): string => `<li class="${classes.join(' ')}">${content}</li>`;
    if (isInNavigation && opens && inner) {
      const toggle = `<button ${label} class="${ofItem} ${part('navigation-submenu__toggle')}" >${title}</button>`;
      const icon = `<span class="${part('page-list__submenu-icon')} ${part('navigation__submenu-icon')}">${submenuIcon}</span>`;
      return item(toggle + icon + list);
    }
    const link = `<a class="${part('pages-list__item__link')}${ofItem}" href="${escapeHtml(site.link(page))}">${title}</a>`;
    if (!inner) return item(link);
    const toggle = `<button ${label} class="${part('navigation__submenu-icon')} ${part('navigation-submenu__toggle')}" >${submenuIcon}</button>`;
    return item(link + (isInNavigation && context.showSubmenuIcon ? toggle : '') + list);
  };
  const html = items(wholeNumber(attributes.parentPageID, 0, 0, 2 ** 31), 0);
  if (html === '') return '';
  return attributes.isNested === true ? html : wrap('ul', live, html);
}
