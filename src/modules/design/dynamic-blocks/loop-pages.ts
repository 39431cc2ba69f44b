/**
 * Pagination of query loops. The requested URL selects the page.
 *
 * With `enhancedPagination` the markup works with the published view script. Source: behaviour of the reference (7.1).
 */
import { table } from '../../../kernel/model/maps.ts';
import { at } from '../../../render/attribute-path.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { escapeHtml, grouped, href, part, type Renderers, wholeNumber, word, wrap } from './markup.ts';
import { found, pageKey, pageOf } from './loops.ts';
import type { BlockSite } from './view.ts';

export const loopPageBlocks: Renderers = {
  'core/query-pagination-previous': (live, site) => {
    const page = pageOf(live, site);
    return page > 1 && page <= pagesOf(live, site) ? turning(live, site, 'previous', page - 1) : '';
  },
  'core/query-pagination-next': (live, site) => {
    const page = pageOf(live, site);
    return page < pagesOf(live, site) ? turning(live, site, 'next', page + 1) : '';
  },
  'core/query-pagination-numbers': numbers,
};

type Way = 'previous' | 'next';

const arrows: Readonly<Record<Way, Readonly<Record<string, string>>>> = table({
  previous: table({ arrow: '←', chevron: '«' }),
  next: table({ arrow: '→', chevron: '»' }),
});
const labels: Readonly<Record<Way, string>> = table({ previous: 'Previous Page', next: 'Next Page' });

/** Total pages, and the maximum. */
function pagesOf(live: LiveBlock, site: BlockSite): number {
  const { pages } = found(live, site);
  const most = wholeNumber(at(live.context.query, 'pages'), 0, 0, 1_000_000);
  return most > 0 ? Math.min(most, pages) : pages;
}

function turning(live: LiveBlock, site: BlockSite, way: Way, page: number): string {
  const { attributes, context } = live;
  const text = word(attributes.label) ? escapeHtml(word(attributes.label)) : labels[way];
  const kind = word(context.paginationArrow);
  const sign = arrows[way][kind];
  const arrow = sign
    ? `<span class='${part(`query-pagination-${way}-arrow`)} is-arrow-${kind}' aria-hidden='true'>${sign}</span>`
    : '';
  const isTold = context.showLabel !== false;
  const shown = isTold ? text : '';
  const script =
    context.enhancedPagination === true
      ? `data-wp-key="query-pagination-${way}" ${onClick} data-wp-on--mouseenter="core/query::actions.prefetch" data-wp-watch="core/query::callbacks.prefetch" `
      : '';
  const address = href(site.address.with(pageKey(live), page));
  return `<a ${script}href="${address}" ${wrapperAttributes(live)}${isTold ? '' : ` aria-label="${text}"`}>${way === 'next' ? shown + arrow : arrow + shown}</a>`;
}

const onClick = 'data-wp-on--click="core/query::actions.navigate"';

/** First, last and adjacent pages, with gaps. */
function numbers(live: LiveBlock, site: BlockSite): string {
  const pages = pagesOf(live, site);
  if (pages < 2) return '';
  const present = pageOf(live, site);
  const middle = wholeNumber(live.attributes.midSize, 2, 0, 5);
  const isEnhanced = live.context.enhancedPagination === true;
  const shown: string[] = [];
  const key = (): string => (isEnhanced ? `data-wp-key="index-${shown.length}" ` : '');
  const near = new Set([1, pages]);
  for (let page = Math.max(1, present - middle); page <= Math.min(pages, present + middle); page++) near.add(page);
  let last = 0;
  for (const page of [...near].sort((a, b) => a - b)) {
    if (page > last + 1) shown.push(`<span ${key()}class="page-numbers dots">&hellip;</span>`);
    last = page;
    if (page === present) {
      shown.push(`<span ${key()}aria-current="page" class="page-numbers current">${grouped(page)}</span>`);
      continue;
    }
    const address = href(site.address.ofPage(pageKey(live), page));
    const script = isEnhanced ? `${key()}${onClick} ` : '';
    shown.push(`<a ${script}class="page-numbers" href="${address}">${grouped(page)}</a>`);
  }
  return wrap('div', live, shown.join('\n'));
}
