/**
 * Classes of blocks that lay out what is in them, or that are laid out by the block around them: an editor leaves them out, style
 * sheets expect them.
 *
 * Source: observed behaviour of the reference (7.1) with its default theme.
 */
import { table } from '../kernel/model/maps.ts';
import { blockClass, containerClass } from './wire-constants.ts';
import { slugify } from '../kernel/model/slugs.ts';
import { scalarText } from '../kernel/model/scalars.ts';
import { asMap, at } from './attribute-path.ts';
import { layoutRules, placeRules } from './block-rules.ts';
import { type BlockType, hasSupport, seesToIt } from './block-types.ts';
import type { Block } from './blocks.ts';
import type { BlockRun } from './live-block.ts';
import { jsonDigest } from './json-digest.ts';
import { gapOf } from './theme-styles.ts';
import { attributeOf, openingTag, tagsFrom, withClasses } from './tags.ts';

const kinds: Readonly<Record<string, string>> = table({
  default: 'is-layout-flow',
  constrained: 'is-layout-constrained',
  flex: 'is-layout-flex',
  grid: 'is-layout-grid',
});

/**
 * The markup of a block with its classes: those of its place on its first tag, those of its own layout on the element around the
 * inner blocks.
 *
 * @param around  layout that the attributes of the block around it name
 */
export function withLayout(html: string, block: Block, type: BlockType | undefined, around: unknown, run: BlockRun): string {
  const place = placeClass(block, asMap(around), run);
  const hasLayout = hasSupport(type, 'layout');
  const first = place === null && !hasLayout ? null : openingTag(html);
  if (!first) return html;
  const placed = place === null ? html : withClasses(html, first, [place]);
  const wrapper = hasLayout ? wrapperOf(placed, block) : null;
  return wrapper ? withClasses(placed, wrapper, layoutClasses(block, type, run)) : placed;
}

/** How far behind the beginning of a block the element around its inner blocks is looked for. */
const farthestWrapper = 4096;

/** The element around the inner blocks, found by the class it was saved with; of a block without inner blocks, its first one. */
function wrapperOf(html: string, { innerContent }: Block): ReturnType<typeof openingTag> {
  const [chunk] = innerContent;
  let saved = '';
  if (typeof chunk === 'string' && innerContent.length > 1)
    for (const tag of tagsFrom(chunk)) if (!tag.isClosing) saved = attributeOf(chunk, tag, 'class') || saved;
  if (saved === '') return openingTag(html);
  const isIt = (tag: Parameters<typeof attributeOf>[1]): boolean => (attributeOf(html, tag, 'class') ?? '').includes(saved);
  return openingTag(html, isIt, 0, (chunk as string).length + farthestWrapper);
}

function layoutClasses({ name, attrs }: Block, type: BlockType | undefined, run: BlockRun): string[] {
  const own = asMap(attrs?.layout);
  const layout: Record<string, unknown> = { ...(own ?? asMap(at(type?.supports, 'layout.default'))) };
  if (layout.inherit || layout.contentSize) layout.type = 'constrained';
  const chosen = layout.type ?? 'default';
  const kind = typeof chosen === 'string' && Object.hasOwn(kinds, chosen) ? (kinds[chosen] as string) : '';
  const spacing = asMap(asMap(attrs?.style)?.spacing);
  const gap = givenGap(spacing);
  const skipsGap = seesToIt(type, 'spacing', 'blockGap');
  const isSpecial = hasOwnStyle(chosen, layout, skipsGap ? null : gap, spacing);
  const short = (name as string).replace(/^.*\//, '');
  // Blocks with the same layout share a class; its name is a digest of all that makes the layout.
  const digest = (): string => jsonDigest([layout, true, gap, skipsGap, gapOf(name as string), spacing ?? null]);
  const special = isSpecial ? `${containerClass}${slugify((name as string).replace('/', '-'))}-is-layout-${digest()}` : '';
  if (isSpecial) run.rule?.(layoutRules(`.${kind}.${special}`, { ...layout, type: chosen }, skipsGap ? null : gap));
  return [
    ...(chosen === 'constrained' ? ['has-global-padding'] : []),
    ...(own?.orientation ? [`is-${slugify(scalarText(own.orientation))}`] : []),
    ...(own?.justifyContent ? [`is-content-justification-${slugify(scalarText(own.justifyContent))}`] : []),
    ...(own?.flexWrap === 'nowrap' ? ['is-nowrap'] : []),
    kind,
    ...(isSpecial ? [special] : []),
    blockClass(`${short}-${kind}`),
  ];
}

const placeKeys = ['selfStretch', 'flexSize', 'columnStart', 'columnSpan', 'rowStart', 'rowSpan'];

/** The class of a block that says how it is laid out within another; null where nothing follows from what it says. */
function placeClass({ attrs }: Block, around: Layout | undefined, run: BlockRun): string | null {
  const place = asMap(asMap(attrs?.style)?.layout);
  if (!place) return null;
  const isStretched = place.selfStretch === 'fill' || (place.selfStretch === 'fixed' && (place.flexSize ?? null) !== null);
  const isInGrid = placeKeys.slice(2).some((key) => (place[key] ?? null) !== null);
  if (!isStretched && !isInGrid) return null;
  const only = (map: Layout, keys: readonly string[]): Layout =>
    Object.fromEntries(Object.entries(map).filter(([key]) => keys.includes(key)));
  const parts = { layout: only(place, placeKeys), parentLayout: only(around ?? {}, ['minimumColumnWidth', 'columnCount']) };
  const name = `${containerClass}content-${jsonDigest(parts)}`;
  run.rule?.(placeRules(`.${name}`, parts.layout));
  return name;
}

type Layout = Readonly<Record<string, unknown>>;

/** The gap a block names; null when it is none that a style sheet may hold. */
function givenGap(spacing: Layout | undefined): unknown {
  const safe = (gap: unknown): unknown => (typeof gap === 'string' && /[\\(&=}]|\/\*/.test(gap) ? null : (gap ?? null));
  const gap = spacing?.blockGap;
  const sides = asMap(gap);
  return sides ? Object.fromEntries(Object.entries(sides).map(([side, width]) => [side, safe(width)])) : safe(gap);
}

/** Whether a layout needs a style of its own, besides that of its kind. Source: behaviour of the reference with its default theme. */
function hasOwnStyle(type: unknown, layout: Layout, gap: unknown, spacing: Layout | undefined): boolean {
  const { justifyContent, verticalAlignment } = layout;
  if (type === 'grid') return true;
  if (type === 'default' || type === 'constrained') {
    const hasGap = (asMap(gap)?.top ?? (asMap(gap) ? null : gap)) !== null;
    if (type === 'default' || hasGap) return hasGap;
    const { left, right } = asMap(spacing?.padding) ?? {};
    const isPadded = [left, right].some((side) => typeof side === 'string' && side !== '');
    return isPadded || Boolean(layout.contentSize || layout.wideSize) || justifyContent === 'left' || justifyContent === 'right';
  }
  if (type !== 'flex') return false;
  return (
    layout.flexWrap === 'nowrap' ||
    (gap !== null && String(gap).trim() !== '') ||
    layout.orientation === 'vertical' ||
    ['left', 'right', 'center', 'space-between'].includes(justifyContent as string) ||
    ['top', 'center', 'bottom', 'stretch'].includes(verticalAlignment as string)
  );
}
