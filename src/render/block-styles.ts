/**
 * Styles that attributes of blocks name, as CSS.
 *
 * Source: behaviour of the reference (7.1).
 */
import { isScalar } from '../kernel/model/scalars.ts';
import { asMap, at } from './attribute-path.ts';
import { type BlockType, hasSupport, seesToIt } from './block-types.ts';
import type { Block } from './blocks.ts';
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

/** A block with a shape of its own is as high as that makes it. */
export function ratioStyle({ attrs }: Block, type: BlockType | undefined): FeatureStyle | null {
  if (!hasSupport(type, 'dimensions', 'aspectRatio') || seesToIt(type, 'dimensions', 'aspectRatio')) return null;
  const ratio = at(attrs, 'style.dimensions.aspectRatio') ?? null;
  const height = at(attrs, 'style.dimensions.minHeight') ?? attrs?.minHeight ?? null;
  if (ratio === null && height === null) return null;
  const declarations =
    ratio === null
      ? [['aspect-ratio', 'unset']]
      : [
          ['aspect-ratio', ratio],
          ['height', 'unset'],
          ['min-height', 'unset'],
        ];
  const text = css(declarations as [string, unknown][]);
  return text === '' ? null : { css: text, className: ratio === null ? '' : 'has-aspect-ratio' };
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
