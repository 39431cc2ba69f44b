/**
 * The attributes of a dynamic block's outer element: classes and styles that follow from what its kind supports and its attributes
 * say, in the order of the reference (6.9).
 */
import { escapeHtml, escapeOnce } from '../kernel/model/escape.ts';
import { blockClass } from '../kernel/model/wire-constants.ts';
import { at } from './attribute-path.ts';
import { css, kebab, word } from './block-styles.ts';
import type { LiveBlock } from './live-block.ts';
import { blockTypes } from './block-types.ts';
import { fluidFontSize } from './font-sizes.ts';
import { cleanUrl } from './protocols.ts';

/** What a feature of a block makes of its attributes. */
interface Looks {
  readonly classes: readonly string[];
  readonly css: string;
}

type Attributes = LiveBlock['attributes'];

/** Features that a block sees to itself. */
const own: Readonly<Record<string, readonly string[]>> = {
  'core/avatar': ['border'],
  'core/calendar': ['color'],
  'core/navigation': ['color'],
  'core/post-featured-image': ['border', 'color'],
  'core/search': ['border', 'color', 'type'],
};

/**
 * The attributes of the outer element as they stand in its tag, without a blank before them.
 *
 * @param more  further ones; a class or a style stands before that of the block
 */
export function wrapperAttributes({ block, attributes }: LiveBlock, more: Readonly<Record<string, string>> = {}): string {
  const type = blockTypes.get(block.name ?? '');
  const supports = type?.supports ?? {};
  const leaves = (feature: string): boolean => !(own[block.name ?? ''] ?? []).includes(feature);
  const has = (support: string, feature: string): boolean => support in supports && leaves(feature);
  const looks = [
    ...(has('color', 'color') ? [colours(attributes)] : []),
    ...(has('typography', 'type') ? [letters(attributes)] : []),
    ...(has('__experimentalBorder', 'border') ? [border(attributes)] : []),
    ...(has('spacing', 'space') ? [spacing(attributes)] : []),
  ];
  const classes = [
    'align' in supports && word(attributes.align) ? `align${word(attributes.align)}` : '',
    supports.customClassName === false ? '' : word(attributes.className),
    supports.className === false ? '' : blockClass((block.name ?? '').replace(/^core\//, '').replace('/', '-')),
    ...looks.flatMap((one) => one.classes),
  ].filter((name) => name !== '');
  const style = looks.map(({ css }) => css).filter((css) => css !== '');
  const { class: moreClass = '', style: moreStyle = '', ...rest } = more;
  const all = {
    style: [moreStyle, style.join(' ')].filter((text) => text !== '').join(' '),
    class: [moreClass, classes.join(' ')].filter((text) => text !== '').join(' '),
  };
  return [...Object.entries(all).filter(([, value]) => value !== ''), ...Object.entries(rest)]
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ');
}

/** An address as it may stand in an attribute. */
export function href(address: unknown): string {
  return escapeOnce(cleanUrl(word(address).trim().replace(/\s/g, '%20'))).replaceAll('&amp;', '&#038;');
}

export function colours(attributes: Attributes): Looks {
  const { textColor, backgroundColor, gradient } = attributes;
  const custom = (name: string): string => word(at(attributes.style, `color.${name}`));
  const [text, background, custom_gradient] = [custom('text'), custom('background'), custom('gradient')];
  const classes = [
    ...(word(textColor) || text ? ['has-text-color'] : []),
    ...(word(textColor) ? [`has-${kebab(word(textColor))}-color`] : []),
    ...(word(backgroundColor) || background ? ['has-background'] : []),
    ...(word(backgroundColor) ? [`has-${kebab(word(backgroundColor))}-background-color`] : []),
    ...(word(gradient) || custom_gradient ? ['has-background'] : []),
    ...(word(gradient) ? [`has-${kebab(word(gradient))}-gradient-background`] : []),
  ];
  return {
    classes: [...new Set(classes)],
    css: css([
      ['color', word(textColor) ? '' : text],
      ['background-color', word(backgroundColor) ? '' : background],
      ['background', word(gradient) ? '' : custom_gradient],
    ]),
  };
}

const letterStyles: readonly (readonly [key: string, property: string])[] = [
  ['fontFamily', 'font-family'],
  ['fontStyle', 'font-style'],
  ['fontWeight', 'font-weight'],
  ['lineHeight', 'line-height'],
  ['textColumns', 'column-count'],
  ['textDecoration', 'text-decoration'],
  ['textTransform', 'text-transform'],
  ['letterSpacing', 'letter-spacing'],
  ['writingMode', 'writing-mode'],
];

function letters(attributes: Attributes): Looks {
  const { fontSize, fontFamily } = attributes;
  const style = (key: string): unknown => at(attributes.style, `typography.${key}`);
  const size = style('fontSize');
  return {
    classes: [
      ...(word(fontSize) ? [`has-${kebab(word(fontSize))}-font-size`] : []),
      ...(word(fontFamily) ? [`has-${kebab(word(fontFamily))}-font-family`] : []),
    ],
    css: css([
      ['font-size', word(fontSize) || word(size) === '' ? '' : fluidFontSize(word(size))],
      ...letterStyles.map(([key, property]) => [property, key === 'fontFamily' && word(fontFamily) ? '' : style(key)] as const),
    ]),
  };
}

const sides = ['top', 'right', 'bottom', 'left'];

/** The looks of a border, of a block that has one. */
export function border(attributes: Attributes): Looks {
  const style = (key: string): unknown => at(attributes.style, `border.${key}`);
  const preset = word(attributes.borderColor);
  const custom = word(style('color'));
  const radius = style('radius');
  const corners = typeof radius === 'object' && radius !== null ? Object.entries(radius) : [];
  const number = (value: unknown): unknown => (typeof value === 'number' ? `${value}px` : value);
  return {
    classes: [...(preset || custom ? ['has-border-color'] : []), ...(preset ? [`has-${kebab(preset)}-border-color`] : [])],
    css: css([
      ['border-color', preset ? '' : custom],
      ['border-radius', corners.length > 0 ? '' : number(radius)],
      ...corners.map(([corner, value]) => [`border-${kebab(corner)}-radius`, value] as const),
      ['border-style', style('style')],
      ['border-width', number(style('width'))],
      ...sides.flatMap((side) =>
        ['width', 'style', 'color'].map((part) => [`border-${side}-${part}`, style(`${side}.${part}`)] as const),
      ),
    ]),
  };
}

function spacing(attributes: Attributes): Looks {
  const declarations = ['padding', 'margin'].flatMap((name) => {
    const given = at(attributes.style, `spacing.${name}`);
    if (typeof given !== 'object' || given === null) return [[name, given] as const];
    return Object.entries(given)
      .filter(([side]) => sides.includes(side))
      .map(([side, value]) => [`${name}-${side}`, value] as const);
  });
  return { classes: [], css: css(declarations) };
}
