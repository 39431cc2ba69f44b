/**
 * What blocks of every kind get when they are shown, by what their type supports and their attributes say of their looks: classes that
 * rules of a style sheet are made for, and styles that no editor saves. Static and dynamic blocks are treated alike.
 *
 * Source: behaviour of the reference (7.1) with its default theme.
 */
import { escapeHtml } from '../kernel/model/escape.ts';
import { blockClass, containerClass, wireConstants } from './wire-constants.ts';
import { asMap, at } from './attribute-path.ts';
import { withLayout } from './block-layouts.ts';
import { elementRules, positionRules } from './block-rules.ts';
import { backgroundStyle, type FeatureStyle, ratioStyle } from './block-styles.ts';
import { type BlockType, hasSupport, seesToIt } from './block-types.ts';
import type { Block } from './blocks.ts';
import { fluidFontSize } from './font-sizes.ts';
import { jsonDigest } from './json-digest.ts';
import type { BlockRun } from './live-block.ts';
import { duotones, hasVariation, positions, viewports } from './theme-styles.ts';
import { attributeOf, openingTag, type Tag, tagsFrom, withAttribute, withAttributes, withClasses } from './tags.ts';

type Type = BlockType | undefined;

/** The block with the classes in its attributes that it gets for what it says. */
export function prepareBlock(block: Block, type: Type, run: BlockRun): Block {
  let prepared = block;
  for (const classOf of [elementsClass, variationClass, customCssClass]) {
    const name = classOf(prepared, type, run);
    if (name !== null) prepared = withClassName(prepared, name);
  }
  return block.name === 'core/gallery' ? withDataIds(prepared) : prepared;
}

/** The markup with what follows from the attributes of any block. @param around  layout that the block around it names */
export function withSupports(html: string, block: Block, type: Type, run: BlockRun, around: unknown): string {
  if (html === '' || block.attrs === null) return html === '' ? html : withLayout(html, block, type, around, run);
  const { attrs } = block;
  const className = typeof attrs.className === 'string' ? attrs.className : '';
  let out = className === '' ? html : withFirst(html, new RegExp(`\\b${wireConstants.elementsClass}\\S+\\b`).exec(className));
  out = withLetters(out, block);
  out = withLayout(out, block, type, around, run);
  if (at(attrs, 'style') !== undefined || attrs.minHeight !== undefined) {
    out = withFirst(out, positionClasses(block, type, run));
    out = withStyle(out, ratioStyle(block, type));
    out = withFirst(out, duotoneClass(block, type, run));
    out = withStyle(out, backgroundStyle(block, type));
  }
  if (className !== '') {
    out = withFirst(out, variationIn(className));
    const own = new RegExp(`\\b${wireConstants.customCssClass}\\S+\\b`).exec(className);
    if (own) out = withFirst(out, ['has-custom-css', own[0]]);
  }
  return attrs.metadata === undefined ? out : withVisibility(out, block, type);
}

/** The classes on the first tag. */
function withFirst(html: string, names: readonly string[] | null): string {
  const tag = names === null || names.length === 0 ? null : openingTag(html);
  return tag ? withClasses(html, tag, names as readonly string[]) : html;
}

/** The declarations behind those that the first tag has. */
function withStyle(html: string, style: FeatureStyle | null): string {
  const tag = style ? openingTag(html) : null;
  if (!tag || !style) return html;
  const own = attributeOf(html, tag, 'style') ?? '';
  const all = own === '' || own.endsWith(';') ? own + style.css : `${own};${style.css}`;
  return withAttributes(html, tag, { style: all }, [style.className]);
}

function withClassName(block: Block, name: string): Block {
  const own = block.attrs?.className;
  const className = typeof own === 'string' ? `${own} ${name}` : name;
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

const headings = ['heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const fills = ['color.text', 'color.background', 'color.gradient'];
/** [support, elements that have colours by it, what these may say] */
const coloursOfElements: readonly (readonly [support: string, elements: readonly string[], paths: readonly string[]])[] = [
  ['button', ['button'], fills],
  ['link', ['link'], ['color.text', ':hover.color.text']],
  ['heading', headings, fills],
];

function elementsClass(block: Block, type: Type, run: BlockRun): string | null {
  const elements = at(block.attrs, 'style.elements');
  if (!elements) return null;
  const isColoured = coloursOfElements.some(
    ([support, names, paths]) =>
      names.some((name) => paths.some((path) => (at(at(elements, name), path) ?? null) !== null)) &&
      !seesToIt(type, 'color', support),
  );
  if (!isColoured) return null;
  const name = `${wireConstants.elementsClass}${run.unique('elements')}`;
  run.rule?.(elementRules(`.${name}`, asMap(elements) ?? {}));
  return name;
}

function variationClass({ name, attrs }: Block, _type: Type, run: BlockRun): string | null {
  const className = attrs?.className;
  if (name === null || typeof className !== 'string' || !className.includes('is-style-')) return null;
  const chosen = [...className.matchAll(/\bis-style-(?!default)(\S+)\b/g)].find(([, style]) =>
    hasVariation(name, style as string),
  );
  return chosen ? `is-style-${chosen[1]}--${run.unique()}` : null;
}

/** The class of a variation with its number, as `variationClass` and some texts have it. */
function variationIn(className: string): readonly string[] | null {
  if (!className.includes('is-style-')) return null;
  const styles = className.matchAll(/\bis-style-\S+?(?:(--\w+)|(?!\S))/g);
  return [...styles].find(([, variation]) => variation !== undefined)?.slice(0, 1) ?? null;
}

/** A block with CSS of its own; its class is named by a digest of the block. CSS with tags in it counts as none. */
function customCssClass(block: Block, type: Type): string | null {
  const css = at(block.attrs, 'style.css');
  if (typeof css !== 'string' || css.trim() === '' || /<\/?\w/.test(css)) return null;
  if (type && !hasSupport(type, 'customCSS', undefined, true)) return null;
  const plain = ({ name, attrs, innerBlocks, innerHTML, innerContent }: Block): object => ({
    blockName: name,
    attrs,
    innerBlocks: innerBlocks.map(plain),
    innerHTML,
    innerContent,
  });
  return `${wireConstants.customCssClass}${jsonDigest(plain(block))}`;
}

function withLetters(html: string, block: Block): string {
  if (block.attrs?.fitText) return withFittingText(html);
  return withFontSize(html, block);
}

/** Text that a script makes as large as there is room for. */
function withFittingText(html: string): string {
  const tag = openingTag(html);
  if (!tag) return html;
  return withAttributes(html, tag, {
    ...(attributeOf(html, tag, 'data-wp-interactive') ? {} : { 'data-wp-interactive': true }),
    'data-wp-context---core-fit-text': 'core/fit-text::{"fontSize":""}',
    'data-wp-init---core-fit-text': 'core/fit-text::callbacks.init',
    'data-wp-style--font-size': 'core/fit-text::context.fontSize',
  });
}

/** The first size in the markup that the attributes name, as one that follows the width of the page. */
function withFontSize(html: string, { attrs }: Block): string {
  const size = at(attrs, 'style.typography.fontSize');
  if (typeof size !== 'string' && typeof size !== 'number') return html;
  const fluid = fluidFontSize(size);
  if (fluid === '' || fluid === String(size)) return html;
  const written = String(size).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return html.replace(new RegExp(`font-size\\s*:\\s*${written}\\s*;?`), () => `font-size:${escapeHtml(fluid)};`);
}

function positionClasses({ attrs }: Block, type: Type, run: BlockRun): readonly string[] | null {
  const position = at(attrs, 'style.position');
  if (!position || !hasSupport(type, 'position')) return null;
  const number = run.unique();
  const kind = at(position, 'type');
  if (typeof kind !== 'string' || !positions.has(kind)) return null;
  run.rule?.(positionRules(`.${containerClass}${number}`, asMap(position) ?? {}));
  return [`${containerClass}${number}`, `is-position-${kind}`];
}

function duotoneClass({ attrs }: Block, type: Type, run: BlockRun): readonly string[] | null {
  const duotone = at(attrs, 'style.color.duotone') ?? null;
  if (duotone === null || !hasSupport(type, 'filter', 'duotone')) return null;
  const key = (text: string): string => `${text.toLowerCase().replace(/[^a-z0-9_-]/g, '')}-`;
  if (Array.isArray(duotone)) return [`${wireConstants.duotoneClass}${key(duotone.map(String).join('-'))}${run.unique()}`];
  if (typeof duotone !== 'string') return null;
  const preset = /(?:var:preset\|duotone\||var\(--wp--preset--duotone--)([^)]+)/.exec(duotone)?.[1];
  const name = preset !== undefined && duotones.has(preset) ? preset : `${key(duotone)}${run.unique()}`;
  return [`${wireConstants.duotoneClass}${name}`];
}

/** Whether a block is shown to nobody. */
export function isHidden({ attrs }: Block, type: Type): boolean {
  return at(attrs, 'metadata.blockVisibility') === false && mayBeHidden(type);
}

function mayBeHidden(type: Type): boolean {
  return type !== undefined && hasSupport(type, 'visibility', undefined, true);
}

/** A block that is hidden, everywhere or on pages of some widths. */
function withVisibility(html: string, block: Block, type: Type): string {
  const visibility = at(block.attrs, 'metadata.blockVisibility');
  if (visibility === undefined || !mayBeHidden(type)) return html;
  if (isHidden(block, type)) return '';
  const hidden = Object.entries(asMap(at(visibility, 'viewport')) ?? {}).filter(
    ([width, isShown]) => isShown === false && viewports.has(width),
  );
  const tag = hidden.length > 0 ? openingTag(html) : null;
  if (!tag) return html;
  const isPicture = ({ name, isClosing }: Tag): boolean => name === 'img' && !isClosing;
  // From the last to the first, so that places stay true.
  const out = [...tagsFrom(html)]
    .filter(isPicture)
    .reduceRight((markup, picture) => withAttribute(markup, picture, 'fetchpriority', 'auto'), html);
  return withFirst(out, hidden.map(([width]) => blockClass(`hidden-${width}`)).sort());
}
