/**
 * Styles that attributes of blocks name, as CSS.
 *
 * Source: behaviour of the reference (7.1).
 */
import { table } from '../kernel/model/maps.ts';
import { isScalar } from '../kernel/model/scalars.ts';
import { asMap, at } from './attribute-path.ts';
import { type BlockType, hasSupport, seesToIt } from './block-types.ts';
import type { Block } from './blocks.ts';
import { fluidFontSize } from './font-sizes.ts';
import { filterStyle } from './styles.ts';

/** What a feature makes of a block: declarations, and the class that goes with them. */
export interface FeatureStyle {
  readonly css: string;
  readonly className: string;
}

/** A word of an attribute; '' for anything else. */
export function word(value: unknown): string {
  return isScalar(value) ? String(value) : '';
}

/** The name of a preset as class names have it. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z])([A-Z0-9])|([0-9])([a-zA-Z])/g, (_, a = '', b = '', c = '', d = '') => `${a}${c}-${b}${d}`)
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** A value of a style as CSS has it: a preset as its variable; '' for none. */
export function cssValue(value: unknown): string {
  const text = word(value);
  const [, kind, slug] = /^var:preset\|([\w-]+)\|(.+)$/.exec(text) ?? [];
  return kind === undefined ? text : `var(--wp--preset--${kind}--${kebab(slug as string)})`;
}

/** Declarations that a style attribute may have, each with its mark behind it. */
export function css(declarations: readonly (readonly [property: string, value: unknown])[]): string {
  return declarations
    .map(([property, value]) => {
      const text = cssValue(value);
      const clean = text === '' ? '' : filterStyle(`${property}:${text}`);
      return clean === '' ? '' : `${clean};`;
    })
    .join('');
}

/** What a style makes of an element: classes for named values, and declarations for the others. */
interface Looks {
  readonly classes: readonly string[];
  readonly css: string;
}

interface StyleRule {
  readonly property: string;
  /** The property of one side or corner. */
  readonly part?: (name: string) => string;
  /** Kind of the presets that a value may name as a variable. */
  readonly variable?: string;
  /** Whatever the value is; for a preset of a kind, by its name. */
  readonly className?: string;
  readonly presetClass?: readonly [kind: string, name: (slug: string) => string];
}

const sides = ['top', 'right', 'bottom', 'left'] as const;
const partOf =
  (before: string, behind = ''): NonNullable<StyleRule['part']> =>
  (name) =>
    `${before}-${kebab(name)}${behind}`;
const plain = (property: string, more: Omit<StyleRule, 'property'> = {}): StyleRule => ({ property, ...more });

/** In the order in which they are printed. */
const styleRules = table({
  color: plain('color', {
    variable: 'color',
    className: 'has-text-color',
    presetClass: ['color', (slug) => `has-${slug}-color`],
  }),
  background: plain('background-color', {
    variable: 'color',
    className: 'has-background',
    presetClass: ['color', (slug) => `has-${slug}-background-color`],
  }),
  gradient: plain('background', {
    variable: 'gradient',
    className: 'has-background',
    presetClass: ['gradient', (slug) => `has-${slug}-gradient-background`],
  }),
  borderColor: plain('border-color', {
    part: partOf('border', '-color'),
    className: 'has-border-color',
    presetClass: ['color', (slug) => `has-${slug}-border-color`],
  }),
  borderRadius: plain('border-radius', { part: partOf('border', '-radius') }),
  borderStyle: plain('border-style', { part: partOf('border', '-style') }),
  borderWidth: plain('border-width', { part: partOf('border', '-width') }),
  aspectRatio: plain('aspect-ratio', { className: 'has-aspect-ratio' }),
  height: plain('height', { variable: 'dimension' }),
  minHeight: plain('min-height', { variable: 'spacing' }),
  minWidth: plain('min-width', { variable: 'spacing' }),
  width: plain('width', { variable: 'dimension' }),
  padding: plain('padding', { part: partOf('padding'), variable: 'spacing' }),
  margin: plain('margin', { part: partOf('margin'), variable: 'spacing' }),
  fontSize: plain('font-size', { variable: 'font-size', presetClass: ['font-size', (slug) => `has-${slug}-font-size`] }),
  fontFamily: plain('font-family', {
    variable: 'font-family',
    presetClass: ['font-family', (slug) => `has-${slug}-font-family`],
  }),
  fontStyle: plain('font-style', { variable: 'font-style' }),
  fontWeight: plain('font-weight', { variable: 'font-weight' }),
  lineHeight: plain('line-height'),
  textColumns: plain('column-count'),
  textDecoration: plain('text-decoration', { variable: 'text-decoration' }),
  textIndent: plain('text-indent'),
  textTransform: plain('text-transform', { variable: 'text-transform' }),
  letterSpacing: plain('letter-spacing', { variable: 'letter-spacing' }),
  writingMode: plain('writing-mode'),
  shadow: plain('box-shadow', { variable: 'shadow' }),
}) satisfies Readonly<Record<string, StyleRule>>;

type StyleName = keyof typeof styleRules;

/** The name of a preset of a kind, `var:preset|color|base`; '' for every other value. */
function presetOf(value: unknown, kind: string): string {
  return typeof value === 'string' && value.includes(`var:preset|${kind}|`) ? kebab(value.slice(value.lastIndexOf('|') + 1)) : '';
}

/** A value that a declaration may have: texts alone, presets as their variables. */
function declared(value: unknown, { variable }: StyleRule): string {
  if (typeof value !== 'string') return '';
  if (!value.includes('var:')) return value;
  const slug = variable === undefined ? '' : presetOf(value, variable);
  return slug === '' ? '' : `var(--wp--preset--${variable}--${slug})`;
}

/**
 * The classes and declarations of values.
 *
 * @param named  a preset becomes a class and no declaration
 */
function looksOf(values: Partial<Readonly<Record<StyleName, unknown>>>, { named = false } = {}): Looks {
  const classes: string[] = [];
  const declarations: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const rule: StyleRule = styleRules[name as StyleName];
    if (!value || (typeof value !== 'string' && typeof value !== 'object')) continue;
    if (rule.className) classes.push(rule.className);
    const slug = rule.presetClass ? presetOf(value, rule.presetClass[0]) : '';
    if (slug !== '' && rule.presetClass) classes.push(rule.presetClass[1](slug));
    if (typeof value === 'object') {
      const { part } = rule;
      if (part)
        declarations.push(...Object.entries(value).map(([key, one]): [string, string] => [part(key), declared(one, rule)]));
    } else if (!named || !value.includes('var:')) declarations.push([rule.property, declared(value, rule)]);
  }
  return { classes: [...new Set(classes)], css: css(declarations) };
}

const preset = (kind: string, name: unknown): string | null => (typeof name === 'string' ? `var:preset|${kind}|${name}` : null);

type Attributes = Readonly<Record<string, unknown>>;

/** Which parts of a feature a block has looks by: those its type supports, and does not see to itself. */
type Has = (feature: string, part?: string, usual?: boolean) => boolean;

const everything: Has = () => true;

/** Most blocks say nothing of how they look. */
const plainLooks: Looks = { classes: [], css: '' };

export function colours({ textColor, backgroundColor, gradient, style }: Attributes, has = everything): Looks {
  if ((textColor ?? backgroundColor ?? gradient ?? style) === undefined) return plainLooks;
  const own = (name: string): unknown => at(style, `color.${name}`);
  return looksOf(
    {
      ...(has('color', 'text', true) ? { color: preset('color', textColor) ?? own('text') } : {}),
      ...(has('color', 'background', true) ? { background: preset('color', backgroundColor) ?? own('background') } : {}),
      ...(has('color', 'gradients') ? { gradient: preset('gradient', gradient) ?? own('gradient') } : {}),
    },
    { named: true },
  );
}

/** [key of the style, name of the support] in the order of the declarations. */
const letterStyles: readonly (readonly [StyleName, string])[] = [
  ['fontStyle', '__experimentalFontStyle'],
  ['fontWeight', '__experimentalFontWeight'],
  ['lineHeight', 'lineHeight'],
  ['textColumns', 'textColumns'],
  ['textDecoration', '__experimentalTextDecoration'],
  ['textIndent', 'textIndent'],
  ['textTransform', '__experimentalTextTransform'],
  ['letterSpacing', '__experimentalLetterSpacing'],
  ['writingMode', '__experimentalWritingMode'],
];

export function letters({ fontSize, fontFamily, style }: Attributes, has = everything): Looks {
  if ((fontSize ?? fontFamily ?? style) === undefined) return plainLooks;
  const own = (key: string): unknown => at(style, `typography.${key}`);
  const size = own('fontSize');
  const fluid = typeof size === 'string' || typeof size === 'number' ? fluidFontSize(size) : '';
  // Presets of these are no classes.
  const variable = (key: StyleName): string => declared(own(key), styleRules[key]);
  const looks = looksOf(
    {
      ...(has('typography', 'fontSize') ? { fontSize: preset('font-size', fontSize) ?? fluid } : {}),
      ...(has('typography', '__experimentalFontFamily')
        ? { fontFamily: preset('font-family', fontFamily) ?? variable('fontFamily') }
        : {}),
      ...Object.fromEntries(
        letterStyles.filter(([, support]) => has('typography', support)).map(([key]) => [key, variable(key)]),
      ),
    },
    { named: true },
  );
  const align = has('typography', 'textAlign') ? word(own('textAlign')) : '';
  return align === '' ? looks : { ...looks, classes: [...looks.classes, `has-text-align-${align}`] };
}

type SidePart = 'width' | 'color' | 'style';

/** @param order  of the parts of each side */
export function border(
  { borderColor, style }: Attributes,
  has = everything,
  order: readonly SidePart[] = ['width', 'color', 'style'],
): Looks {
  if (borderColor === undefined && at(style, 'border') === undefined) return plainLooks;
  const own = (key: string): unknown => at(style, `border.${key}`);
  const pixels = (value: unknown): unknown =>
    typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) ? `${value}px` : value;
  const hasPart = (part: string): boolean => has('__experimentalBorder', part);
  const whole = looksOf({
    ...(hasPart('color') ? { borderColor: preset('color', borderColor) ?? own('color') } : {}),
    ...(hasPart('radius') ? { borderRadius: pixels(own('radius')) } : {}),
    ...(hasPart('style') ? { borderStyle: own('style') } : {}),
    ...(hasPart('width') ? { borderWidth: pixels(own('width')) } : {}),
  });
  const parts = { width: 'borderWidth', color: 'borderColor', style: 'borderStyle' } as const;
  const single = sides.flatMap((side) =>
    order.map((part): [string, string] => [
      `border-${side}-${part}`,
      hasPart(part) ? declared(own(`${side}.${part}`), { ...styleRules[parts[part]], variable: 'color' }) : '',
    ]),
  );
  return { classes: whole.classes, css: whole.css + css(single) };
}

export function spacing({ style }: Attributes, has = everything): Looks {
  if (style === undefined) return plainLooks;
  const parts = (['padding', 'margin'] as const).filter((part) => has('spacing', part));
  return looksOf(Object.fromEntries(parts.map((part) => [part, at(style, `spacing.${part}`)])));
}

export function dimensions({ style }: Attributes, has = everything): Looks {
  if (style === undefined) return plainLooks;
  const parts = (['height', 'minHeight', 'minWidth', 'width'] as const).filter((part) => has('dimensions', part));
  return looksOf(Object.fromEntries(parts.map((part) => [part, at(style, `dimensions.${part}`)])));
}

export function shadow({ style }: Attributes, has = everything): Looks {
  return looksOf(has('shadow') ? { shadow: at(style, 'shadow') } : {});
}

/** A block with a shape of its own is as high as that makes it. */
export function ratioStyle({ attrs }: Block, type: BlockType | undefined): FeatureStyle | null {
  if (!hasSupport(type, 'dimensions', 'aspectRatio') || seesToIt(type, 'dimensions', 'aspectRatio')) return null;
  const ratio = at(attrs, 'style.dimensions.aspectRatio') ?? null;
  const height = at(attrs, 'style.dimensions.minHeight') ?? attrs?.minHeight ?? null;
  if (ratio === null && height === null) return null;
  const looks = looksOf(ratio === null ? { aspectRatio: 'unset' } : { aspectRatio: ratio, height: 'unset', minHeight: 'unset' });
  return looks.css === '' ? null : { css: looks.css, className: ratio === null ? '' : looks.classes.join(' ') };
}

/** A picture behind a block. */
export function backgroundStyle({ attrs }: Block, type: BlockType | undefined): FeatureStyle | null {
  const background = asMap(at(attrs, 'style.background'));
  if (!background || !hasSupport(type, 'background', 'backgroundImage') || seesToIt(type, 'background', 'backgroundImage'))
    return null;
  const image = background.backgroundImage ?? null;
  const url = at(image, 'url');
  const size = background.backgroundSize ?? (image ? 'cover' : null);
  const isCentred = image && size === 'contain' && !background.backgroundPosition;
  const text = css([
    ['background-image', typeof image === 'string' ? image : word(url) && `url('${word(url)}')`],
    ['background-position', isCentred ? '50% 50%' : background.backgroundPosition],
    ['background-repeat', background.backgroundRepeat],
    ['background-size', size],
    ['background-attachment', background.backgroundAttachment],
  ]);
  return text === '' ? null : { css: text, className: 'has-background' };
}
