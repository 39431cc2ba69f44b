/**
 * The attributes of a dynamic block's outer element: classes and styles that follow from what its kind supports and its attributes
 * say, in the order of the reference (7.1).
 */
import { escapeHtml, escapeOnce } from '../kernel/model/escape.ts';
import { blockClass } from './wire-constants.ts';
import { border, colours, dimensions, letters, shadow, spacing, word } from './block-styles.ts';
import { blockTypes, hasSupport, seesToIt } from './block-types.ts';
import type { LiveBlock } from './live-block.ts';
import { cleanUrl } from './protocols.ts';
import { filterStyle } from './styles.ts';

/**
 * The attributes of the outer element as they stand in its tag, without a blank before them.
 *
 * @param more  further ones; a class or a style stands before that of the block, and an id of its own counts
 */
export function wrapperAttributes({ block, attributes }: LiveBlock, more: Readonly<Record<string, string>> = {}): string {
  const type = blockTypes.get(block.name ?? '');
  const has = (feature: string, part?: string, usual?: boolean): boolean =>
    type !== undefined &&
    feature in type.supports &&
    hasSupport(type, feature, part, usual) &&
    !seesToIt(type, feature, plainName(part));
  const looks = [colours, letters, border, spacing, dimensions, shadow].map((of) => of(attributes, has));
  const named = (support: string): boolean => hasSupport(type, support, undefined, true);
  const own = [
    hasSupport(type, 'align') && word(attributes.align) ? `align${word(attributes.align)}` : '',
    named('customClassName') ? word(attributes.className) : '',
    named('className') ? blockClass((block.name ?? '').replace(/^core\//, '').replace('/', '-')) : '',
    ...looks.flatMap((one) => one.classes),
  ];
  const { class: moreClass = '', style: moreStyle = '', id = '', 'aria-label': label = '', ...rest } = more;
  const style = [moreStyle, ...looks.map(({ css }) => css)]
    .map(withoutEnd)
    .filter((css) => css !== '')
    .join(';');
  const all = {
    class: [...new Set([moreClass, ...own].join(' ').split(/\s+/))].filter((name) => name !== '').join(' '),
    id: (hasSupport(type, 'anchor') && word(attributes.anchor)) || id,
    'aria-label': (has('ariaLabel') && word(attributes.ariaLabel)) || label,
  };
  return [
    // What it is given counts as a style, even where nothing of it may stay.
    ...(style === '' ? [] : [['style', filterStyle(style)] as const]),
    ...Object.entries(all).filter(([, value]) => value !== ''),
    ...Object.entries(rest),
  ]
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ');
}

/** The name of a part as lists of what a block sees to have it: `textDecoration`. */
function plainName(part: string | undefined): string | undefined {
  return part?.replace(/^__experimental(.)/, (_, first: string) => first.toLowerCase());
}

/** Declarations without the marks at their end. */
function withoutEnd(style: string): string {
  let end = style.length;
  while (end > 0 && '; '.includes(style[end - 1] as string)) end--;
  return style.slice(0, end);
}

/** An address as it may stand in an attribute: signs that no address has are left out, and what is no path gets a protocol. */
export function href(address: unknown): string {
  const signs = word(address)
    .trim()
    .replace(/ /g, '%20')
    .replace(/[^\w~+.?#=!&;,/:%@$|*'()[\]\\\x80-\u{10ffff}-]/gu, '');
  const url = signs === '' || /:|^[/#?]|^[a-z\d-]+\.php/i.test(signs) ? signs : `http://${signs}`;
  const host = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const whole = host + url.slice(host.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
  return escapeOnce(cleanUrl(whole)).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
}
