/**
 * Style attributes: the declarations that may stay. Source: observed behaviour of the reference (6.9).
 */

import { cleanUrl } from './protocols.ts';

const sides = ['top', 'right', 'bottom', 'left'];
const properties = new Set([
  ...words('background', 'color image position repeat size attachment blend-mode'),
  ...words('border', 'radius width color style spacing collapse'),
  ...sides.flatMap((side) => words(`border-${side}`, 'color style width')),
  ...words('border', 'top-left-radius top-right-radius bottom-left-radius bottom-right-radius').slice(1),
  ...words('column', 'count fill gap rule span width').slice(1),
  ...words('font', 'family size style variant weight'),
  ...words('text', 'align decoration indent transform').slice(1),
  ...['margin', 'padding'].flatMap((name) => words(name, `${sides.join(' ')} block-start block-end inline-start inline-end`)),
  ...words('flex', 'basis direction flow grow shrink wrap'),
  ...words(
    'grid',
    'template-columns auto-columns column column-start column-end column-gap template-rows auto-rows row row-start row-end',
  ).slice(1),
  ...words('grid', 'row-gap gap').slice(1),
  ...['justify', 'align'].flatMap((name) => words(name, 'content items self').slice(1)),
  ...'height min-height max-height width min-width max-width gap row-gap columns color filter letter-spacing line-height'.split(
    ' ',
  ),
  ...'caption-side clear cursor direction float list-style-type object-fit object-position opacity overflow vertical-align'.split(
    ' ',
  ),
  ...'white-space writing-mode position top right bottom left z-index box-shadow aspect-ratio container-type'.split(' '),
]);

const withUrls = new Set(['background', 'background-image', 'cursor', 'filter']);
const withGradients = new Set(['background', 'background-image']);
const gradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|rgba?\([^()]*\))*\)$/;

/**
 * The declarations of a style attribute that are allowed, joined by `;`; '' when none is.
 * Properties are on the list above or custom (`--name`); values are plain, or functions without side effects.
 */
export function filterStyle(style: string): string {
  return style
    .replace(/[\x00-\x1f]|(?<!\\)\\+0+/g, '')
    .trim()
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== '' && isAllowed(declaration))
    .join(';');
}

function isAllowed(declaration: string): boolean {
  const mark = declaration.indexOf(':');
  if (mark === -1) return isHarmless(declaration);
  const property = declaration.slice(0, mark).trim();
  const value = declaration.slice(mark + 1).trim();
  const custom = /^--[\w-]+$/.test(property);
  if (!custom && !properties.has(property)) return false;
  let rest = declaration;
  if (custom ? value.startsWith('url(') : withUrls.has(property)) {
    let areAllowed = true;
    rest = rest.replace(/url\(([^)]+)(\)?)/g, (all, inner: string, end: string) => {
      if (end !== '') areAllowed &&= isAllowedUrl(inner.trim());
      return end === '' ? all : '';
    });
    if (!areAllowed) return false;
  }
  if ((custom ? value.includes('-gradient(') : withGradients.has(property)) && gradient.test(value))
    rest = rest.replace(value, () => '');
  return isHarmless(withoutFunctions(rest));
}

/** @param written  within the brackets, in quotes or none */
function isAllowedUrl(written: string): boolean {
  const inner = /^(["']?)(.*)\1$/.exec(written)?.[2]?.trim() ?? '';
  return inner !== '' && cleanUrl(inner) === inner;
}

function isHarmless(css: string): boolean {
  return !/[\\(&=}]|\/\*/.test(css);
}

/** The text without calls of `var()`, `calc()` and other functions that only compute, as long as their brackets pair. */
function withoutFunctions(css: string): string {
  if (!css.includes('(')) return css;
  const closing = pairs(css);
  let out = '';
  let at = 0;
  for (const { 0: head, index } of css.matchAll(/\b(?:var|calc|min|max|minmax|clamp|repeat)\(/g)) {
    const end = closing.get(index + head.length - 1);
    if (index < at || end === undefined) continue;
    out += css.slice(at, index);
    at = end + 1;
  }
  return out + css.slice(at);
}

/** Opening bracket → its closing one. */
function pairs(css: string): Map<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < css.length; at++) {
    if (css[at] === '(') open.push(at);
    else if (css[at] === ')') {
      const start = open.pop();
      if (start !== undefined) found.set(start, at);
    }
  }
  return found;
}

function words(name: string, ends: string): string[] {
  return [name, ...ends.split(' ').map((end) => `${name}-${end}`)];
}
