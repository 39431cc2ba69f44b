/**
 * What blocks of every kind get when they are shown, by what their attributes say of their looks: classes that rules of a style
 * sheet are made for, and font sizes that follow the width of the page.
 *
 * Source: behaviour of the reference (6.9) with its default theme.
 */
import { createHash } from 'node:crypto';
import { containerClass, wireConstants } from '../kernel/model/wire-constants.ts';
import { escapeHtml } from '../kernel/model/escape.ts';
import type { Block } from './blocks.ts';
import type { BlockRun } from './live-block.ts';
import { fluidFontSize } from './font-sizes.ts';
import { openingTag, withClasses } from './tags.ts';

/** Blocks that see to the colours of their elements themselves. */
const coloursItself = new Set(['core/button', 'core/search', 'core/separator', 'core/table']);
const coloursOfElements: readonly (readonly [element: string, paths: readonly string[]])[] = [
  ['button', ['color.text', 'color.background', 'color.gradient']],
  ['link', ['color.text', ':hover.color.text']],
  ...['heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(
    (name) => [name, ['color.text', 'color.background', 'color.gradient']] as const,
  ),
];

/** Style variations that have rules of their own for each block with them. */
const variations: Readonly<Record<string, readonly string[]>> = {
  'core/button': ['outline'],
  'core/image': ['rounded'],
  'core/quote': ['plain'],
  'core/site-logo': ['rounded'],
};

/** Blocks that stay in view while the page moves. */
const sticky = new Set(['core/group']);

/** The block with the classes in its attributes that it gets for what it says. */
export function prepareBlock(block: Block, run: BlockRun): Block {
  const classes = [elementsClass(block), variationClass(block, run)].filter((name) => name !== null);
  const prepared = classes.length === 0 ? block : withClassNames(block, classes);
  return block.name === 'core/gallery' ? withDataIds(prepared) : prepared;
}

function withClassNames(block: Block, classes: readonly string[]): Block {
  const own = block.attrs?.className;
  const className = [...(typeof own === 'string' ? [own] : []), ...classes].join(' ');
  return { ...block, attrs: { ...block.attrs, className } };
}

/** Pictures of a gallery say their ids to it. */
function withDataIds(block: Block): Block {
  const innerBlocks = block.innerBlocks.map((inner): Block => {
    const id = inner.attrs?.id;
    const isScalarId = typeof id === 'string' || typeof id === 'number';
    if (inner.name !== 'core/image' || !isScalarId || inner.attrs?.['data-id'] !== undefined) return inner;
    return { ...inner, attrs: { ...inner.attrs, 'data-id': escapeHtml(String(id)) } };
  });
  return { ...block, innerBlocks };
}

/** The markup with what follows from the attributes of any block. @param layout  gives it the classes of layouts, in its turn */
export function withSupports(html: string, block: Block, run: BlockRun, layout: (html: string) => string): string {
  const className = typeof block.attrs?.className === 'string' ? block.attrs.className : '';
  let out = withFirst(html, new RegExp(`\\b${wireConstants.elementsClass}\\S+\\b`).exec(className)?.[0]);
  out = withFontSize(out, block);
  out = layout(out);
  for (const name of positionClasses(block, run)) out = withFirst(out, name);
  const styles = className.matchAll(/\bis-style-\S+?(?:(--\w+)|(?!\S))/g);
  return withFirst(out, [...styles].find(([, variation]) => variation !== undefined)?.[0]);
}

function withFirst(html: string, name: string | undefined): string {
  const tag = name === undefined ? null : openingTag(html);
  return tag ? withClasses(html, tag, [name as string]) : html;
}

/** Source: the reference names the class by a digest of the block as it holds it in memory. */
function elementsClass(block: Block): string | null {
  const elements = at(block.attrs, 'style.elements');
  if (!elements || coloursItself.has(block.name ?? '')) return null;
  const isColoured = coloursOfElements.some(([element, paths]) =>
    paths.some((path) => (at(at(elements, element), path) ?? null) !== null),
  );
  return isColoured ? `${wireConstants.elementsClass}${createHash('md5').update(serialized(block)).digest('hex')}` : null;
}

function variationClass({ name, attrs }: Block, run: BlockRun): string | null {
  const known = Object.hasOwn(variations, name ?? '') ? variations[name as string] : undefined;
  const className = attrs?.className;
  if (!known || typeof className !== 'string') return null;
  const chosen = [...className.matchAll(/\bis-style-(?!default)(\S+)\b/g)].find(([, style]) => known.includes(style as string));
  return chosen ? `is-style-${chosen[1]}--${run.unique()}` : null;
}

function positionClasses({ name, attrs }: Block, run: BlockRun): readonly string[] {
  const position = at(attrs, 'style.position');
  if (!position || !sticky.has(name ?? '')) return [];
  const number = run.unique();
  return at(position, 'type') === 'sticky' ? [`${containerClass}${number}`, 'is-position-sticky'] : [];
}

/** The first size in the markup that the attributes name, as one that follows the width of the page. */
function withFontSize(html: string, { attrs }: Block): string {
  const size = at(attrs, 'style.typography.fontSize');
  if (typeof size !== 'string' && typeof size !== 'number') return html;
  const fluid = fluidFontSize(size);
  if (fluid === String(size)) return html;
  const written = new RegExp(`font-size\\s*:\\s*${String(size).replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}\\s*;?`);
  return html.replace(written, () => `font-size:${escapeHtml(fluid)};`);
}

/** A member of nested maps by its path; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** A block as the text that the reference takes the digest of. */
function serialized({ name, attrs, innerBlocks, innerHTML, innerContent }: Block): string {
  const part = (key: string, value: string): string => `${textOf(key)}${value}`;
  const blocks = innerBlocks.map((inner, index) => `i:${index};${serialized(inner)}`).join('');
  const parts = [
    part('blockName', name === null ? 'N;' : textOf(name)),
    part('attrs', printed(attrs)),
    part('innerBlocks', `a:${innerBlocks.length}:{${blocks}}`),
    part('innerHTML', textOf(innerHTML)),
    part('innerContent', printed(innerContent)),
  ];
  return `a:${parts.length}:{${parts.join('')}}`;
}

function textOf(text: string): string {
  return `s:${Buffer.byteLength(text)}:"${text}";`;
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return 'N;';
  if (typeof value === 'boolean') return `b:${Number(value)};`;
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'string') return textOf(value);
  const entries = Object.entries(value);
  const key = (name: string): string => (/^(?:0|-?[1-9]\d{0,15})$/.test(name) ? `i:${name};` : textOf(name));
  return `a:${entries.length}:{${entries.map(([name, one]) => key(name) + printed(one)).join('')}}`;
}
