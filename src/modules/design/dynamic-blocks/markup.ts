/**
 * What the markup of dynamic blocks is made of.
 */
import { escapeHtml, escapeOnce } from '../../../kernel/model/escape.ts';
import { blockClass } from '../../../kernel/model/wire-constants.ts';
import { at } from '../../../render/attribute-path.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { word } from '../../../render/block-styles.ts';
import { href, wrapperAttributes } from '../../../render/block-wrapper.ts';
import { filterHtml } from '../../../render/filter.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { BlockSite } from './view.ts';

export type DynamicRenderer = (live: LiveBlock, site: BlockSite) => string;

export type Renderers = Readonly<Record<string, DynamicRenderer>>;

/** An element with the attributes of its block. @param classes  before those of the block */
export function wrap(tag: string, live: LiveBlock, inner: string, classes: readonly string[] = []): string {
  return `<${tag} ${wrapperAttributes(live, { class: classes.filter((name) => name !== '').join(' ') })}>${inner}</${tag}>`;
}

/** The class by alignment of text. */
export function alignClass({ attributes }: LiveBlock): string[] {
  const align = word(attributes.textAlign);
  return align === '' ? [] : [`has-text-align-${align}`];
}

/** Classes by alignment of text and by the colour of links, which many blocks have. */
export function textClasses(live: LiveBlock): string[] {
  const isColoured = at(live.attributes, 'style.elements.link.color.text') !== undefined;
  return [...alignClass(live), ...(isColoured ? ['has-link-color'] : [])];
}

/** Markup that an attribute holds, as authors may write it. */
export function rich(text: unknown): string {
  return filterHtml(word(text), 'post');
}

/** The name of a part's class. */
export const part = blockClass;

/** A heading of the level, or a paragraph. */
export function headingTag(level: unknown, usual: string): string {
  if (level === 0) return 'p';
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6 ? `h${level}` : usual;
}

/** For blocks that show something of the post around them; nothing outside of one. */
export function ofPost(render: (live: LiveBlock, site: BlockSite, post: PostRecord) => string): DynamicRenderer {
  return (live, site) => {
    const post = site.post(live.context.postId);
    return post ? render(live, site, post) : '';
  };
}

/** A whole number of an attribute, between bounds. */
export function wholeNumber(value: unknown, usual: number, least: number, most: number): number {
  const number = Math.trunc(Number(word(value) || Number.NaN));
  return Number.isNaN(number) ? usual : Math.min(most, Math.max(least, number));
}

/** A number as people read it. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The members below each of them, in their order; those whose parent is not among them are below 0. */
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
