/**
 * Blocks that show the site itself: its name, its logo, the ways to search it and to sign in, feeds of others.
 */
import { table } from '../../../kernel/model/maps.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { at } from '../../../render/attribute-path.ts';
import { border, colours, css } from '../../../render/block-styles.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { withoutTags } from '../../../render/text.ts';
import {
  escapeHtml,
  escapeOnce,
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

export const siteBlocks: Renderers = {
  'core/site-title': (live, site) => {
    const name = escapeOnce(word(site.setting('name')));
    if (name === '') return '';
    const { isLink, level, linkTarget } = live.attributes;
    const target = word(linkTarget);
    const link = `<a href="${escapeHtml(site.home)}" target="${escapeHtml(target || '_self')}" rel="home">${name}</a>`;
    return wrap(headingTag(level, 'h1'), live, isLink ? link : name, textClasses(live));
  },
  'core/site-tagline': (live, site) => {
    const text = escapeOnce(word(site.setting('description')));
    return text === '' ? '' : wrap(headingTag(live.attributes.level, 'p'), live, text, textClasses(live));
  },
  'core/site-logo': siteLogo,
  'core/loginout': loginout,
  'core/search': search,
  'core/rss': feed,
};

function siteLogo(live: LiveBlock, site: BlockSite): string {
  const { isLink, linkTarget, width } = live.attributes;
  const pixels = wholeNumber(width, 0, 0, 10_000);
  const logo = site.picture(site.logo, 'full');
  if (logo === '') return '';
  const sized = pixels > 0 ? scaled(logo, pixels) : logo;
  const image = sized.replace(/ class="[^"]*"/, () => ' class="custom-logo"');
  const target = word(linkTarget) === '_blank' ? ' target="_blank"' : '';
  const shown = isLink
    ? `<a href="${escapeHtml(`${site.home}/`)}" class="custom-logo-link" rel="home"${target}>${image}</a>`
    : image;
  return wrap('div', live, shown, pixels > 0 ? [] : ['is-default-size']);
}

function scaled(image: string, width: number): string {
  const [, w = '', h = ''] = / width="(\d+)" height="(\d+)"/.exec(image) ?? [];
  const height = Number(w) > 0 ? Math.round((Number(h) * width) / Number(w)) : 0;
  return image.replace(/ width="\d+" height="\d+"/, ` width="${width}" height="${height}"`);
}

function loginout(live: LiveBlock, site: BlockSite): string {
  const address = (action: string): string => escapeHtml(`${site.home}/login${action}`);
  const isIn = site.reader !== null;
  const link = isIn ? `<a href="${address('?action=logout')}">Log out</a>` : `<a href="${address('')}">Log in</a>`;
  return wrap('div', live, link, [isIn ? 'logged-in' : 'logged-out']);
}

const positions: Readonly<Record<string, string>> = table({
  'button-inside': 'search__button-inside',
  'button-outside': 'search__button-outside',
  'no-button': 'search__no-button',
  'button-only': 'search__button-only',
});

const searchIcon =
  '<svg class="search-icon" viewBox="0 0 24 24" width="24" height="24">\n\t\t\t\t\t<path d="M13 5c-3.3 0-6 2.7-6 6 0 1.4.5 2.7 1.3 3.7l-3.8 3.8 1.1 1.1 3.8-3.8c1 .8 2.3 1.3 3.7 1.3 3.3 0 6-2.7 6-6S16.3 5 13 5zm0 10.5c-2.5 0-4.5-2-4.5-4.5s2-4.5 4.5-4.5 4.5 2 4.5 4.5-2 4.5-4.5 4.5z"></path>\n\t\t\t\t</svg>';

/** A form that leads to the pages that have the words. Its field, its label and its button share the looks of the block. */
function search(live: LiveBlock, site: BlockSite): string {
  const { attributes, run } = live;
  const position = word(attributes.buttonPosition);
  const isInside = position === 'button-inside';
  const hasButton = position !== 'no-button';
  const id = `${part('search__input')}-${run.unique()}`;
  const text = (value: unknown): string => (value === undefined ? 'Search' : word(value));
  const looks = { border: border(attributes), colours: colours(attributes), letters: lettersOf(attributes) };
  const edge = looks.border.classes;
  const label = text(attributes.label);
  const isTold = attributes.showLabel !== false && label !== '';
  const named = (...names: readonly (string | readonly string[])[]): string => escapeHtml(names.flat().filter(Boolean).join(' '));
  const styled = (...parts: readonly string[]): string => (parts.join('') === '' ? '' : ` style="${escapeHtml(parts.join(''))}"`);
  const labelClass = named(part('search__label'), isTold ? looks.letters.classes : 'screen-reader-text');
  const inputClass = named(part('search__input'), isInside ? [] : edge, looks.letters.classes);
  const own = isInside ? '' : looks.border.css;
  const field = `<input${styled(own, looks.letters.css)} class="${inputClass}" id="${id}" placeholder="${escapeHtml(word(attributes.placeholder))}" value="" type="search" name="s" required />`;
  const hidden = hiddenFields(attributes.query);
  const button = hasButton ? buttonOf(live, { edge: isInside ? [] : edge, own, looks, text, named, styled }) : '';
  const width = wholeNumber(attributes.width, 0, 0, 10_000);
  const unit = /^[a-z%]{1,4}$/.test(word(attributes.widthUnit)) ? word(attributes.widthUnit) : '';
  const wrapper = styled(width > 0 && unit !== '' ? `width: ${width}${unit}` : '', isInside ? looks.border.css : '');
  const inside = `<div class="${named(part('search__inside-wrapper'), isInside ? edge : '')}"${wrapper || ' '}>${field}${hidden}${button}</div>`;
  const classes = [
    positions[position] ? part(positions[position] as string) : '',
    hasButton ? part(attributes.buttonUseIcon ? 'search__icon-button' : 'search__text-button') : '',
  ];
  const inner = `<label class="${labelClass}" for="${id}"${styled(looks.letters.css)}>${rich(label) || 'Search'}</label>${inside}`;
  const action = `role="search" method="get" action="${escapeHtml(`${site.home}/`)}"`;
  return wrap('form', live, inner, classes).replace('<form ', () => `<form ${action} `);
}

interface ButtonLooks {
  readonly edge: readonly string[];
  readonly own: string;
  readonly looks: Readonly<Record<'colours' | 'letters', { readonly classes: readonly string[]; readonly css: string }>>;
  text(value: unknown): string;
  named(...names: readonly (string | readonly string[])[]): string;
  styled(...parts: readonly string[]): string;
}

function buttonOf({ attributes }: LiveBlock, { edge, own, looks, text, named, styled }: ButtonLooks): string {
  const icon = attributes.buttonUseIcon ? ['has-icon'] : [];
  const classes = named(part('search__button'), looks.colours.classes, looks.letters.classes, edge, icon, 'wp-element-button');
  const label = text(attributes.buttonText);
  const shown = attributes.buttonUseIcon ? searchIcon : rich(label);
  const style = styled(own, looks.colours.css, looks.letters.css);
  return `<button aria-label="${escapeHtml(withoutTags(label))}" class="${classes}" type="submit"${style || ' '}>${shown}</button>`;
}

/** What the form sends beside the words. */
function hiddenFields(query: unknown): string {
  const pairs = Object.entries(typeof query === 'object' && query !== null ? query : {}).filter(
    ([, value]) => word(value) !== '',
  );
  return pairs
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(word(value))}" />`)
    .join('');
}

function lettersOf(attributes: LiveBlock['attributes']): { readonly classes: readonly string[]; readonly css: string } {
  const style = (key: string): unknown => at(attributes.style, `typography.${key}`);
  const size = word(attributes.fontSize);
  return {
    classes: size ? [`has-${size.replace(/[^\w-]/g, '')}-font-size`] : [],
    css: css([
      ['font-size', size ? '' : style('fontSize')],
      ['font-weight', style('fontWeight')],
      ['font-style', style('fontStyle')],
      ['letter-spacing', style('letterSpacing')],
      ['line-height', style('lineHeight')],
      ['text-transform', style('textTransform')],
    ]),
  };
}

/** Nothing is fetched to show a text: what a feed says is for whoever shows the page. */
function feed(live: LiveBlock, site: BlockSite): string {
  const address = withoutTrailing(word(live.attributes.feedURL), '/');
  const placed = (text: string): string =>
    `<div class="components-placeholder"><div class="notice notice-error">${text}</div></div>`;
  if (address !== '' && address === site.home)
    return placed(
      'Adding an RSS feed to this site’s homepage is not supported, as it could lead to a loop that slows down your site. Try using another block, like the <strong>Latest Posts</strong> block, to list posts from the site.',
    );
  const said =
    address === ''
      ? 'A valid URL was not provided.'
      : 'An error has occurred, which probably means the feed is down. Try again later.';
  return placed(`<strong>RSS Error:</strong> ${said}`);
}
