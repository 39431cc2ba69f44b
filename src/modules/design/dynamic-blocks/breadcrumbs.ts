/**
 * Breadcrumbs from the front page to the current post: parent pages, or terms.
 *
 * Source: behaviour of the reference (7.1).
 */
import { escapeName } from '../../../kernel/model/escape.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import { escapeHtml, ofPost, type Renderers, word } from './markup.ts';
import type { BlockSite } from './view.ts';

export const breadcrumbBlocks: Renderers = { 'core/breadcrumbs': ofPost(breadcrumbs) };

/** Ancestors. */
const mostAbove = 50;

function breadcrumbs(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { separator, showHomeItem, showCurrentItem, prefersTaxonomy } = live.attributes;
  const link = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${text}</a>`;
  const pages = prefersTaxonomy === true ? [] : pagesAbove(site, post);
  const terms = pages.length > 0 || (post.parent !== 0 && prefersTaxonomy !== true) ? [] : termsOf(site, post);
  const items = [
    ...(showHomeItem === false ? [] : [link(`${site.home}/`, 'Home')]),
    ...pages.map((page) => link(site.link(page), site.title(page))),
    ...terms.map((term) => link(site.termLink(term), escapeName(term.name))),
    ...(showCurrentItem === false ? [] : [`<span aria-current="page">${site.title(post)}</span>`]),
  ];
  if (items.length === 0) return '';
  const mark = word(separator).replace(/[\\"]/g, '\\$&');
  const attributes = wrapperAttributes(live, { style: `--separator: "${mark}"`, 'aria-label': 'Breadcrumbs' });
  return `<nav ${attributes}><ol>${items.map((item) => `<li>${item}</li>`).join('')}</ol></nav>`;
}

/** Outermost first. */
function pagesAbove(site: BlockSite, post: PostRecord): readonly PostRecord[] {
  const above: PostRecord[] = [];
  for (
    let page = site.post(post.parent);
    page && above.length < mostAbove && !above.includes(page);
    page = site.post(page.parent)
  )
    above.unshift(page);
  return above;
}

const named = (terms: readonly TermRecord[]): readonly TermRecord[] =>
  terms.toSorted((one, other) => one.name.localeCompare(other.name));

/** The post's first term in a hierarchical taxonomy, with its ancestors. */
function termsOf(site: BlockSite, post: PostRecord): readonly TermRecord[] {
  for (const taxonomy of site.taxonomiesOf(post.type)) {
    const [first] = taxonomy.hierarchical && taxonomy.public ? named(site.termsOf(post, taxonomy.name)) : [];
    if (!first) continue;
    const way: TermRecord[] = [];
    for (
      let term: TermRecord | undefined = first;
      term && way.length < mostAbove && !way.includes(term);
      term = site.term(term.parent)
    )
      way.unshift(term);
    return way;
  }
  return [];
}
