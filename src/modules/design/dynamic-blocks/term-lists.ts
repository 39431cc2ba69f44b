/** Term blocks: lists, a cloud, and term templates. */
import { table } from '../../../kernel/model/maps.ts';
import { at } from '../../../render/attribute-path.ts';
import { dropdownElement } from '../../../render/dropdown-script.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { renderSummary } from '../../../render/markup.ts';
import { termParam } from '../../content/permalinks/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Taxonomy } from '../../types/record.ts';
import {
  byParent,
  escapeHtml,
  grouped,
  headingTag,
  part,
  type Renderers,
  rich,
  textClasses,
  wholeNumber,
  word,
  wrap,
} from './markup.ts';
import type { BlockSite } from './view.ts';

export const termBlocks: Renderers = {
  'core/categories': categories,
  'core/tag-cloud': tagCloud,
  'core/terms-query': (live) => live.content(),
  'core/term-template': termTemplate,
  'core/term-name': ofTerm((live, site, term) => {
    const name = live.attributes.isLink ? `<a href="${escapeHtml(site.termLink(term))}">${term.name}</a>` : term.name;
    return wrap(headingTag(live.attributes.level, 'p'), live, name, textClasses(live));
  }),
  'core/term-count': ofTerm((live, site, term) => {
    const [open = '', close = ''] = brackets[word(live.attributes.bracketType)] ?? [];
    return wrap('div', live, `${open}${grouped(site.count(term))}${close}`, textClasses(live));
  }),
  'core/term-description': ofTerm((live, _site, term) => {
    if (term.description.trim() === '') return '';
    const text = renderSummary(term.description, { smilies: false, typography: false, filtered: true });
    return wrap('div', live, text, textClasses(live));
  }),
};

const brackets: Readonly<Record<string, readonly [string, string]>> = table({
  round: ['(', ')'],
  square: ['[', ']'],
  curly: ['{', '}'],
  angle: ['&lt;', '&gt;'],
});

/** Maximum terms of a list. */
const mostTerms = 2000;

/** For blocks that depend on a term. */
function ofTerm(render: (live: LiveBlock, site: BlockSite, term: TermRecord) => string) {
  return (live: LiveBlock, site: BlockSite): string => {
    const { termId } = live.context;
    const term = typeof termId === 'number' ? site.term(termId) : undefined;
    return term && site.taxonomy(term.taxonomy)?.public ? render(live, site, term) : '';
  };
}

interface Row {
  readonly term: TermRecord;
  /** Its depth. */
  readonly depth: number;
  readonly rows: readonly Row[];
  readonly count: number;
}

function categories(live: LiveBlock, site: BlockSite): string {
  const { attributes, run } = live;
  const taxonomy = site.taxonomy(attributes.taxonomy);
  if (!taxonomy?.public) return '';
  const number = run.unique('categories');
  const rows = rowsOf(live, site, taxonomy);
  const classes = (kind: string): string[] => [part(`categories-${kind}`), part(`categories-taxonomy-${taxonomy.name}`)];
  if (!attributes.displayAsDropdown) {
    const none = `<li class="cat-item-none">${taxonomy.labels.no_terms ?? ''}</li>`;
    return wrap('ul', live, rows.length > 0 ? rows.map((row) => listed(row, live, site)).join('') : none, classes('list'));
  }
  const id = `${part('categories')}-${number}`;
  const hidden = attributes.showLabel ? '' : ' screen-reader-text';
  const label = `<label class="${part('categories__label')}${hidden}" for="${id}">${rich(attributes.label) || taxonomy.label}</label>`;
  const name = termParam(taxonomy);
  const none = `\t<option value='-1'>Select ${taxonomy.labels.singular_name ?? ''}</option>\n`;
  const options = rows.map((row) => offered(row, live)).join('');
  const select = `<select  name='${escapeHtml(name)}' id='${id}' class='postform'>\n${none}${options}</select>`;
  return wrap('div', live, `${label}${select}${dropdownElement(`${site.home}/`)}\n\n`, classes('dropdown'));
}

/** The terms of a list, with ancestors in a tree. */
function rowsOf({ attributes }: LiveBlock, site: BlockSite, taxonomy: Taxonomy): readonly Row[] {
  const isTree = attributes.showHierarchy === true && taxonomy.hierarchical;
  // Counts include descendants in a tree.
  const isSummed = isTree && attributes.showPostCounts === true && attributes.showOnlyTopLevel !== true;
  const all = site.terms(taxonomy.name);
  const children = byParent(all);
  const below = (term: TermRecord, depth: number): readonly Row[] =>
    depth < 50 ? (children.get(term.id) ?? []).flatMap((child) => rowOf(child, depth + 1)) : [];
  const rowOf = (term: TermRecord, depth: number): readonly Row[] => {
    const rows = isTree ? below(term, depth) : [];
    const own = site.count(term);
    const isShown = attributes.showEmpty === true || own > 0 || rows.length > 0;
    const count = isSummed && rows.length > 0 ? site.count(term, rows.flatMap(idsOf)) : own;
    return isShown && site.spend(1) ? [{ term, depth, rows, count }] : [];
  };
  const first = isTree || attributes.showOnlyTopLevel === true ? (children.get(0) ?? []) : all;
  return first.slice(0, mostTerms).flatMap((term) => rowOf(term, 0));
}

/** A term and its descendants. */
function idsOf({ term, rows }: Row): readonly number[] {
  return [term.id, ...rows.flatMap(idsOf)];
}

function listed(row: Row, live: LiveBlock, site: BlockSite): string {
  const { term, depth, rows, count } = row;
  const counted = live.attributes.showPostCounts ? ` (${grouped(count)})` : '';
  const indent = '\t'.repeat(depth);
  const isFlat = rows.length === 0 || live.attributes.showOnlyTopLevel === true;
  const inner = isFlat
    ? ''
    : `${indent}<ul class='children'>\n${rows.map((one) => listed(one, live, site)).join('')}${indent}</ul>\n`;
  return `\t<li class="cat-item cat-item-${term.id}"><a href="${escapeHtml(site.termLink(term))}">${term.name}</a>${counted}\n${inner}</li>\n`;
}

function offered({ term, depth, rows, count }: Row, live: LiveBlock): string {
  const counted = live.attributes.showPostCounts ? `&nbsp;&nbsp;(${grouped(count)})` : '';
  const below = rows.map((row) => offered(row, live)).join('');
  return `\t<option class="level-${depth}" value="${escapeHtml(term.slug)}">${'&nbsp;'.repeat(depth * 3)}${term.name}${counted}</option>\n${below}`;
}

/** The most used terms, by name; size follows use. */
function tagCloud(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  const taxonomy = site.taxonomy(attributes.taxonomy);
  const counted = taxonomy?.public ? site.terms(taxonomy.name).map((term) => ({ term, count: site.count(term) })) : [];
  const most = counted
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, wholeNumber(attributes.numberOfTags, 45, 1, 100));
  if (most.length === 0) return wrap('p', live, 'There&#8217;s no content to show here yet.');
  const weight = (count: number): number => Math.round(Math.log10(count + 1) * 100);
  const weights = most.map(({ count }) => weight(count));
  const least = Math.min(...weights);
  const small = Number.parseFloat(word(attributes.smallestFontSize)) || 0;
  const large = Number.parseFloat(word(attributes.largestFontSize)) || 0;
  const unit = /^[\d.]+([a-z%]+)$/i.exec(word(attributes.smallestFontSize))?.[1] ?? 'pt';
  const step = (large < small ? 1 : large - small) / Math.max(1, Math.max(...weights) - least);
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' });
  const links = most
    .sort((a, b) => collator.compare(a.term.name, b.term.name))
    .map(({ term, count }, at) => {
      const size = Number((small + (weight(count) - least) * step).toPrecision(14));
      const told = `${escapeHtml(term.name.replaceAll('&amp;', '&'))} (${grouped(count)} ${count === 1 ? 'item' : 'items'})`;
      const label = attributes.showTagCounts || step !== 0 ? ` aria-label="${told}"` : '';
      const shown = attributes.showTagCounts ? `<span class="tag-link-count"> (${grouped(count)})</span>` : '';
      const classes = `tag-cloud-link tag-link-${term.id} tag-link-position-${at + 1}`;
      return `<a href="${escapeHtml(site.termLink(term))}" class="${classes}" style="font-size: ${size}${unit};"${label}>${term.name}${shown}</a>`;
    });
  return wrap('p', live, links.join('\n'));
}

/** Renders the template for each term of the query. */
function termTemplate(live: LiveBlock, site: BlockSite): string {
  const query = live.context.termQuery;
  if (query === undefined) return '';
  const taxonomy = site.taxonomy(at(query, 'taxonomy') ?? 'category');
  if (!taxonomy?.public) return '';
  const parent = at(live.context, 'termId');
  const isNested = at(query, 'showNested') === true;
  const above = !isNested && typeof parent === 'number' ? parent : 0;
  const include = at(query, 'include');
  const wanted = Array.isArray(include) && include.length > 0 ? new Set(include.map(Number)) : null;
  const found = site.terms(taxonomy.name).filter((term) => {
    if (wanted && !wanted.has(term.id)) return false;
    if (taxonomy.hierarchical && !wanted && term.parent !== above) return false;
    return at(query, 'hideEmpty') === false || site.count(term) > 0;
  });
  const sorted = at(query, 'orderBy') === 'count' ? found.toSorted((a, b) => site.count(a) - site.count(b)) : [...found];
  if (at(query, 'order') === 'desc') sorted.reverse();
  const shown = sorted.slice(0, wholeNumber(at(query, 'perPage'), 10, 0, 100) || mostTerms);
  if (shown.length === 0) return '';
  const items = site.each(shown, (term) => {
    const inner = live.content({ termId: term.id, taxonomy: term.taxonomy });
    return `<li class="${part('term')} term-${term.id} ${term.taxonomy} taxonomy-${term.taxonomy}">${inner}</li>`;
  });
  return wrap('ul', live, items.join(''), textClasses(live).slice(-1));
}
