/**
 * What the styles of the reference's default theme say, as far as the markup of blocks depends on it.
 *
 * Source: behaviour of the reference (7.1) with its default theme.
 */
import { table } from '../kernel/model/maps.ts';

/** Space between the parts of a layout, where a block names none; the others have `usualGap`. */
const gaps: Readonly<Record<string, string>> = table({
  'core/buttons': '16px',
  'core/columns': 'var(--wp--preset--spacing--50)',
  'core/quote': 'var(--wp--preset--spacing--30)',
});
const usualGap = '1.2rem';

export function gapOf(block: string): string {
  return Object.hasOwn(gaps, block) ? (gaps[block] as string) : usualGap;
}

const sections = ['section-1', 'section-2', 'section-3', 'section-4', 'section-5'];
const textStyles = ['text-display', 'text-subtitle', 'text-annotation'];

/** Style variations that have rules of their own for each block with them. */
const variations: Readonly<Record<string, readonly string[]>> = table({
  'core/button': ['outline'],
  'core/column': sections,
  'core/columns': sections,
  'core/group': sections,
  'core/heading': textStyles,
  'core/paragraph': textStyles,
  'core/post-terms': ['post-terms-1'],
  'core/quote': ['plain'],
  'core/separator': ['wide'],
});

export function hasVariation(block: string, name: string): boolean {
  return Object.hasOwn(variations, block) && (variations[block] as readonly string[]).includes(name);
}

/** Pairs of colours for pictures, by their names. */
export const duotones: ReadonlySet<string> = new Set([
  'blue-orange',
  'blue-red',
  'dark-grayscale',
  'grayscale',
  'magenta-yellow',
  'midnight',
  'purple-green',
  'purple-yellow',
]);

/** Ways to stay in view while the page moves. */
export const positions: ReadonlySet<string> = new Set(['sticky']);

/** Widths of a page that a block may be hidden on. */
export const viewports: ReadonlySet<string> = new Set(['mobile', 'tablet', 'desktop']);
