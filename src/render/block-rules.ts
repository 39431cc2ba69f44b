/**
 * Rules of a style sheet for the classes that blocks are given for what they say: how their parts are laid out, their place in a
 * layout, and the colours of links, buttons and headings in them. What comes from a text is filtered: nothing that ends a rule, and
 * nothing that is fetched.
 *
 * Source: behaviour of the reference (7.1).
 */
import { table } from '../kernel/model/maps.ts';
import { blockClass } from './wire-constants.ts';
import { asMap, at } from './attribute-path.ts';
import { css, cssValue } from './block-styles.ts';

type Layout = Readonly<Record<string, unknown>>;
type Declaration = readonly [property: string, value: unknown];

const unfit = /[<>{}\\;@]|\/\*|(?:url|image|image-set|src)\(/i;

/** A rule; '' where none of its values may stand in one. */
function rule(selector: string, declarations: readonly Declaration[]): string {
  const body = css(declarations.map(([property, value]) => [property, safe(value)]));
  return body === '' ? '' : `${selector}{${body}}`;
}

function safe(value: unknown): string {
  const text = cssValue(value);
  return text.length > 200 || unfit.test(text) ? '' : text;
}

const across: Readonly<Record<string, string>> = table({
  left: 'flex-start',
  right: 'flex-end',
  center: 'center',
  'space-between': 'space-between',
  stretch: 'stretch',
});
const down: Readonly<Record<string, string>> = table({
  top: 'flex-start',
  center: 'center',
  bottom: 'flex-end',
  stretch: 'stretch',
  'space-between': 'space-between',
});

function oneOf(words: Readonly<Record<string, string>>, value: unknown): string {
  return typeof value === 'string' && Object.hasOwn(words, value) ? (words[value] as string) : '';
}

/**
 * Rules of a layout.
 *
 * @param selector  of the element around the parts
 * @param gap       space between the parts, or `{top, left}`; null: what the kind of layout has
 */
export function layoutRules(selector: string, layout: Layout, gap: unknown): string {
  if (layout.type === 'flex') return rule(selector, [...flexible(layout), ...gaps(gap)]);
  if (layout.type === 'grid') return rule(selector, [...grid(layout), ...gaps(gap)]);
  const between = rule(`${selector}>*+*`, [['margin-block-start', asMap(gap) ? asMap(gap)?.top : gap]]);
  return layout.type === 'constrained' ? constrained(selector, layout) + between : between;
}

function gaps(gap: unknown): Declaration[] {
  const sides = asMap(gap);
  if (!sides) return [['gap', gap]];
  return [
    ['row-gap', sides.top],
    ['column-gap', sides.left],
  ];
}

function constrained(selector: string, { contentSize, wideSize, justifyContent }: Layout): string {
  const aside = (side: string): string => (justifyContent === side ? '0' : 'auto');
  const inner = `${selector}>:where(:not(.alignleft):not(.alignright):not(.alignfull))`;
  return (
    rule(inner, [
      ['max-width', contentSize],
      ['margin-left', aside('left')],
      ['margin-right', aside('right')],
    ]) + rule(`${selector}>.alignwide`, [['max-width', wideSize ?? contentSize]])
  );
}

function flexible({ orientation, justifyContent, verticalAlignment, flexWrap }: Layout): Declaration[] {
  const wrap: Declaration = ['flex-wrap', flexWrap === 'nowrap' ? 'nowrap' : ''];
  if (orientation === 'vertical') {
    return [
      wrap,
      ['flex-direction', 'column'],
      ['align-items', oneOf(across, justifyContent) || 'flex-start'],
      ['justify-content', oneOf(down, verticalAlignment)],
    ];
  }
  return [wrap, ['justify-content', oneOf(across, justifyContent)], ['align-items', oneOf(down, verticalAlignment)]];
}

function grid({ columnCount, rowCount, minimumColumnWidth }: Layout): Declaration[] {
  const width = safe(minimumColumnWidth) || '12rem';
  const count = whole(columnCount);
  const columns =
    count !== null && !minimumColumnWidth ? `repeat(${count},minmax(0,1fr))` : `repeat(auto-fill,minmax(min(${width},100%),1fr))`;
  const rows = whole(rowCount);
  return [
    ['grid-template-columns', columns],
    ['grid-template-rows', rows === null ? '' : `repeat(${rows},minmax(1rem,auto))`],
  ];
}

/** Rules of a block's place in the layout around it. */
export function placeRules(selector: string, place: Layout): string {
  return rule(selector, [
    ['flex-basis', place.selfStretch === 'fixed' ? place.flexSize : ''],
    ['flex-grow', place.selfStretch === 'fill' ? '1' : ''],
    ['grid-column', line(place.columnStart, place.columnSpan)],
    ['grid-row', line(place.rowStart, place.rowSpan)],
  ]);
}

function line(start: unknown, span: unknown): string {
  const [from, over] = [whole(start), whole(span)];
  return [from === null ? '' : String(from), over === null ? '' : `span ${over}`].filter((part) => part !== '').join('/');
}

/** A number of columns or rows that a page can have. */
function whole(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= 100 ? number : null;
}

/** Rules of a block that stays in view while the page moves. */
export function positionRules(selector: string, position: Layout): string {
  return rule(selector, [
    ['position', position.type],
    ...['top', 'right', 'bottom', 'left'].map((side): Declaration => [side, position[side]]),
    ['z-index', '10'],
  ]);
}

const link = 'a:where(:not(.wp-element-button))';
/** Element → selectors within the block. */
const elements: Readonly<Record<string, readonly string[]>> = table({
  link: [link],
  button: ['.wp-element-button', `.${blockClass('button__link')}`],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, [`h${level}`]])),
});

/** Rules of the colours of elements within a block. @param said  as its style has them: `{link: {color: {text}}}` */
export function elementRules(selector: string, said: Layout): string {
  return Object.entries(elements)
    .map(([name, inner]) => {
      const own = at(said, name);
      const within = (state = ''): string => inner.map((one) => `${selector} ${one}${state}`).join();
      return rule(within(), colours(own)) + rule(within(':hover'), colours(at(own, ':hover')));
    })
    .join('');
}

function colours(element: unknown): Declaration[] {
  const gradient = at(element, 'color.gradient');
  return [
    ['color', at(element, 'color.text')],
    ['background-color', at(element, 'color.background')],
    ['background', gradient],
  ];
}
