/** Markup of dynamic blocks. */
import { escapeHtml, escapeOnce } from '../../../kernel/model/escape.ts';
import { blockClass } from '../../../render/wire-constants.ts';
import { at } from '../../../render/attribute-path.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { word } from '../../../render/block-styles.ts';
import { href, wrapperAttributes } from '../../../render/block-wrapper.ts';
import { filterHtml } from '../../../render/filter.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { BlockSite } from './view.ts';

export type DynamicRenderer = (live: LiveBlock, site: BlockSite) => string;

export type Renderers = Readonly<Record<string, DynamicRenderer>>;

/** An element with its block's attributes. @param classes  before those of the block */
export function wrap(tag: string, live: LiveBlock, inner: string, classes: readonly string[] = []): string {
  return `<${tag} ${wrapperAttributes(live, { class: classes.filter((name) => name !== '').join(' ') })}>${inner}</${tag}>`;
}

/** Text alignment class. */
export function alignClass({ attributes }: LiveBlock): string[] {
  const align = word(attributes.textAlign);
  return align === '' ? [] : [`has-text-align-${align}`];
}

/** Classes for text alignment and link color. */
export function textClasses(live: LiveBlock): string[] {
  const isColoured = at(live.attributes, 'style.elements.link.color.text') !== undefined;
  return [...alignClass(live), ...(isColoured ? ['has-link-color'] : [])];
}

/** Sanitized markup of an attribute. */
export function rich(text: unknown): string {
  return filterHtml(word(text), 'post');
}

export const part = blockClass;

/** A heading of the level, or a paragraph. */
export function headingTag(level: unknown, usual: string): string {
  if (level === 0) return 'p';
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6 ? `h${level}` : usual;
}

/** For blocks that depend on a post; empty without one. */
export function ofPost(render: (live: LiveBlock, site: BlockSite, post: PostRecord) => string): DynamicRenderer {
  return (live, site) => {
    const post = site.post(live.context.postId);
    return post ? render(live, site, post) : '';
  };
}

/** An integer attribute, clamped. */
export function wholeNumber(value: unknown, usual: number, least: number, most: number): number {
  const number = Math.trunc(Number(word(value) || Number.NaN));
  return Number.isNaN(number) ? usual : Math.min(most, Math.max(least, number));
}

/** A formatted number. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Children by parent, in order; orphans are below 0. */
export function byParent<T extends { readonly id: number; readonly parent: number }>(all: readonly T[]): Map<number, T[]> {
  const ids = new Set(all.map(({ id }) => id));
  const children = new Map<number, T[]>();
  for (const one of all) {
    const parent = ids.has(one.parent) && one.parent !== one.id ? one.parent : 0;
    const others = children.get(parent);
    if (others) others.push(one);
    else children.set(parent, [one]);
  }
  return children;
}

export { escapeHtml, escapeOnce, href, word };
