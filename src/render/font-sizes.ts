/**
 * Font sizes that follow the width of the page: between a smaller one on the narrowest and the one that was chosen on the widest.
 *
 * Source: behaviour of the reference (6.9) with the settings of its default theme.
 */

/** Pixels: of a root em; of the narrowest page and the widest; what no size is made smaller than. */
const root = 16;
const narrowest = 320;
const widest = 1340;
const smallest = 14;

type Unit = 'px' | 'em' | 'rem';

/** A size as CSS. What has no unit that can be computed with, and what is small anyway, stays as it is. */
export function fluidFontSize(size: string | number): string {
  const given = typeof size === 'number' ? `${size}px` : size;
  const [, number, unit] = /^(\d+(?:\.\d+)?|\.\d+)(rem|px|em)$/.exec(given) ?? [];
  if (number === undefined || Number(number) === 0) return String(size);
  const value = Number(number);
  const limit = inUnit(smallest, unit as Unit);
  if (value <= limit) return String(size);
  const pixels = unit === 'px' ? value : value * root;
  const factor = Math.min(Math.max(1 - 0.075 * Math.log2(pixels), 0.25), 0.75);
  const least = Math.max(rounded(value * factor), limit);
  const slope = rounded((100 * (value - least)) / (inUnit(widest, unit as Unit) - inUnit(narrowest, unit as Unit)));
  const offset = rounded(inUnit(narrowest, unit as Unit) / 100);
  const leastRem = unit === 'px' ? rounded(least / root) : least;
  return `clamp(${least}${unit}, ${leastRem}rem + ((1vw - ${offset}${unit}) * ${slope || 1}), ${given})`;
}

function inUnit(pixels: number, unit: Unit): number {
  return unit === 'px' ? pixels : rounded(pixels / root);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
