/**
 * What the markup of rendered blocks is made of, with the class names that style sheets of blocks are written for.
 */
import { blockClass } from '../../kernel/model/wire-constants.ts';
import type { Site } from '../../kernel/site/site.ts';
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { PostRecord } from '../posts/record.ts';

export interface Rendering {
  readonly site: Site;
  /** Attributes with their defaults. */
  // biome-ignore lint/suspicious/noExplicitAny: values fit the schemas of the block, or the block's renderer looks twice
  readonly attributes: Readonly<Record<string, any>>;
  /** The post around the block, which the reader may edit; undefined without one. */
  readonly post?: PostRecord | undefined;
}

export type Renderer = (rendering: Rendering) => string;

/** The members below each of them; those whose parent is not among them are below 0. */
export function byParent<T extends { readonly id: number; readonly parent: number }>(all: readonly T[]): Map<number, T[]> {
  const ids = new Set(all.map(({ id }) => id));
  const children = new Map<number, T[]>();
  for (const one of all) {
    const parent = ids.has(one.parent) ? one.parent : 0;
    const others = children.get(parent);
    if (others) others.push(one);
    else children.set(parent, [one]);
  }
  return children;
}

export function heading(level: unknown, plain: string): string {
  return typeof level === 'number' && level >= 1 && level <= 6 ? `h${level}` : plain;
}

export function link(href: string, inner: string): string {
  return `<a href="${escapeHtml(href)}">${inner}</a>`;
}

/** An element with the classes of its block, its alignment and those an editor gave it. */
export function wrap(tag: string, name: string, attributes: Rendering['attributes'], inner: string): string {
  const own = [
    blockClass(name),
    attributes.align && `align${attributes.align}`,
    attributes.textAlign && `has-text-align-${attributes.textAlign}`,
    attributes.className,
  ];
  return `<${tag} class="${escapeHtml(own.filter(Boolean).join(' '))}">${inner}</${tag}>`;
}
