/**
 * The search form. Field, label and button share the block's styles.
 *
 * Source: behaviour of the reference (7.1).
 */
import { table } from '../../../kernel/model/maps.ts';
import { asMap, at } from '../../../render/attribute-path.ts';
import { kebab } from '../../../render/block-styles.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import { fluidFontSize } from '../../../render/font-sizes.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { filterStyle } from '../../../render/styles.ts';
import { withoutTags } from '../../../render/text.ts';
import { escapeHtml, part, rich, wholeNumber, word } from './markup.ts';
import type { BlockSite } from './view.ts';

const positions: Readonly<Record<string, string>> = table({
  'button-inside': part('search__button-inside'),
  'button-outside': part('search__button-outside'),
  'no-button': part('search__no-button'),
  'button-only': `${part('search__button-only')} ${part('search__searchfield-hidden')}`,
});

const searchIcon =
  '<svg class="search-icon" viewBox="0 0 24 24" width="24" height="24">\n\t\t\t\t\t<path d="M13 5c-3.3 0-6 2.7-6 6 0 1.4.5 2.7 1.3 3.7l-3.8 3.8 1.1 1.1 3.8-3.8c1 .8 2.3 1.3 3.7 1.3 3.3 0 6-2.7 6-6S16.3 5 13 5zm0 10.5c-2.5 0-4.5-2-4.5-4.5s2-4.5 4.5-4.5 4.5 2 4.5 4.5-2 4.5-4.5 4.5z"></path>\n\t\t\t\t</svg>';

/** CSS of each part. */
type Styles = Readonly<Record<'label' | 'wrapper' | 'input' | 'button', string[]>>;

/** A form that leads to the search results. */
export function search(live: LiveBlock, site: BlockSite): string {
  const { attributes, run } = live;
  const position = word(attributes.buttonPosition);
  const hasButton = position !== 'no-button';
  const opensField = position === 'button-only';
  const id = `${part('search__input')}-${run.unique()}`;
  const label = attributes.label === undefined ? 'Search' : word(attributes.label);
  const isTold = attributes.showLabel !== false && label !== '';
  const styles = stylesOf(live, isTold);
  const letters = [
    word(attributes.fontSize) && `has-${word(attributes.fontSize)}-font-size`,
    word(attributes.fontFamily) && `has-${word(attributes.fontFamily)}-font-family`,
  ];
  const isInside = position === 'button-inside';
  const edge = edgeClasses(attributes);
  const told = `<label class="${named(part('search__label'), ...(isTold ? letters : ['screen-reader-text']))}" for="${id}" ${styled(styles.label)}>${rich(label) || 'Search'}</label>`;
  const own = opensField ? scripted : plain;
  const field = `<input ${own.before}class="${named(part('search__input'), ...(isInside ? [] : edge), ...letters)}" ${own.behind}id="${id}" placeholder="${escapeHtml(word(attributes.placeholder))}" ${own.gap}value="" type="search" name="s" required ${styled(styles.input)}/>`;
  const button = hasButton ? buttonOf(live, [...letters, ...(isInside ? [] : edge)], styles.button, opensField) : '';
  const inside = `<div class="${named(part('search__inside-wrapper'), ...(isInside ? edge : []))}" ${styled(styles.wrapper)}>${field}${hiddenFields(attributes.query)}${button}</div>`;
  const kind = hasButton ? part(attributes.buttonUseIcon ? 'search__icon-button' : 'search__text-button') : '';
  const box = wrapperAttributes(live, { class: named(positions[position] ?? '', kind) });
  const script = opensField ? formScript(id) : '';
  return `<form role="search" method="get" action="${escapeHtml(`${site.home}/`)}" ${box} ${script}>${told}${inside}</form>`;
}

const plain = { before: '', behind: '', gap: '' };

/** A field that a script opens with the button. */
const scripted = {
  before: 'aria-hidden="true" ',
  behind: 'data-wp-bind--aria-hidden="!context.isSearchInputVisible" data-wp-bind--tabindex="state.tabindex" ',
  gap: ' ',
};

function formScript(id: string): string {
  const context = JSON.stringify({
    isSearchInputVisible: false,
    inputId: id,
    ariaLabelExpanded: 'Submit Search',
    ariaLabelCollapsed: 'Expand search field',
  });
  return [
    'data-wp-interactive="core/search"',
    `data-wp-context='${context}'`,
    `data-wp-class--${part('search__searchfield-hidden')}="!context.isSearchInputVisible"`,
    'data-wp-on--keydown="actions.handleSearchKeydown"',
    'data-wp-on--focusout="actions.handleSearchFocusout"',
  ]
    .map((line) => `\n\t\t ${line}`)
    .join('')
    .concat('\n\t\t');
}

const named = (...names: readonly string[]): string => escapeHtml(names.filter((name) => name !== '').join(' '));

function styled(declarations: readonly string[]): string {
  return declarations.length === 0 ? '' : ` style="${escapeHtml(filterStyle(declarations.join('')))}"`;
}

function buttonOf({ attributes }: LiveBlock, shared: readonly string[], styles: readonly string[], opensField: boolean): string {
  const icon = attributes.buttonUseIcon ? ['has-icon'] : [];
  const classes = named(part('search__button'), ...colourClasses(attributes), ...shared, ...icon, 'wp-element-button');
  const text = attributes.buttonText === undefined ? 'Search' : word(attributes.buttonText);
  const shown = attributes.buttonUseIcon ? searchIcon : rich(text);
  if (opensField) {
    const script =
      'data-wp-bind--aria-controls="state.ariaControls" data-wp-bind--aria-expanded="context.isSearchInputVisible" data-wp-bind--aria-label="state.ariaLabel" data-wp-bind--type="state.type" data-wp-on--click="actions.openSearchInput"';
    return `<button  aria-expanded="false"  class="${classes}" ${script}  ${styled(styles)}>${shown}</button>`;
  }
  return `<button aria-label="${escapeHtml(withoutTags(text))}" class="${classes}" type="submit" ${styled(styles)}>${shown}</button>`;
}

type Attributes = LiveBlock['attributes'];

function edgeClasses({ borderColor, style }: Attributes): string[] {
  const name = word(borderColor);
  const isColoured = name !== '' || word(at(style, 'border.color')) !== '';
  return [...(isColoured ? ['has-border-color'] : []), ...(name === '' ? [] : [`has-${name}-border-color`])];
}

function colourClasses({ textColor, backgroundColor, gradient, style }: Attributes): string[] {
  const own = (name: string): boolean => word(at(style, `color.${name}`)) !== '';
  const [text, back, slope] = [word(textColor), word(backgroundColor), word(gradient)];
  const classes = [
    ...(text !== '' || own('text') ? ['has-text-color'] : []),
    ...(text === '' ? [] : [`has-${text}-color`]),
    ...(back !== '' || own('background') || slope !== '' || own('gradient') ? ['has-background'] : []),
    ...(back === '' ? [] : [`has-${back}-background-color`]),
    ...(slope === '' ? [] : [`has-${slope}-gradient-background`]),
  ];
  return [...new Set(classes)];
}

function stylesOf({ attributes }: LiveBlock, isTold: boolean): Styles {
  const styles: Styles = { label: [], wrapper: [], input: [], button: [] };
  const width = wholeNumber(attributes.width, 0, 0, 100_000);
  const unit = word(attributes.widthUnit);
  if (width > 0 && unit !== '') styles.wrapper.push(`width: ${width}${unit};`);
  const { style } = attributes;
  const isInside = attributes.buttonPosition === 'button-inside';
  const outline = isInside ? [styles.wrapper] : [styles.input, styles.button];
  const add = (lists: readonly string[][], declaration: string): void => {
    for (const list of lists) list.push(declaration);
  };
  for (const property of ['width', 'color', 'style'])
    for (const side of ['', 'top', 'right', 'bottom', 'left']) {
      const value = word(at(style, side === '' ? `border.${property}` : `border.${side}.${property}`));
      const preset = side !== '' && property === 'color' && value.includes('var:preset|color|');
      const shown = preset ? `var(--wp--preset--color--${value.slice(value.lastIndexOf('|') + 1)})` : value;
      if (value !== '' && value !== '0') add(outline, `border-${side === '' ? '' : `${side}-`}${property}: ${shown};`);
    }
  const round = (property: string, value: string): void => {
    if (value === '') return;
    add([styles.input, styles.button], `${property}: ${value};`);
    // The wrapper's radius includes its padding.
    if (isInside && Number.parseInt(value, 10)) styles.wrapper.push(`${property}: calc(${value} + 4px);`);
  };
  const radius = at(style, 'border.radius');
  const corners = asMap(radius);
  if (corners) for (const [corner, value] of Object.entries(corners)) round(`border-${kebab(corner)}-radius`, word(value));
  else round('border-radius', /^\d+(?:\.\d+)?$/.test(word(radius)) ? `${word(radius)}px` : word(radius));
  const colour = (name: string): string => word(at(style, `color.${name}`));
  if (colour('text')) styles.button.push(`color: ${colour('text')};`);
  if (colour('background')) styles.button.push(`background-color: ${colour('background')};`);
  if (colour('gradient')) styles.button.push(`background: ${colour('gradient')};`);
  const letters = lettersOf(attributes);
  if (letters !== '') add([styles.label, styles.input, styles.button], letters);
  const decoration = word(at(style, 'typography.textDecoration'));
  if (decoration) add(isTold ? [styles.button, styles.label] : [styles.button], `text-decoration: ${decoration};`);
  return styles;
}

function lettersOf({ style }: Attributes): string {
  const own = (key: string): string => word(at(style, `typography.${key}`));
  const size = own('fontSize');
  const keys = ['fontWeight', 'fontStyle', 'letterSpacing', 'lineHeight', 'textTransform'];
  return [
    ...(size ? [`font-size: ${fluidFontSize(size)};`] : []),
    ...keys.flatMap((key) => (own(key) ? [`${kebab(key)}: ${own(key)};`] : [])),
  ].join('');
}

/** Additional parameters of the form. */
function hiddenFields(query: unknown): string {
  const pairs = Object.entries(typeof query === 'object' && query !== null ? query : {}).filter(
    ([, value]) => word(value) !== '',
  );
  return pairs
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(word(value))}" />`)
    .join('');
}
