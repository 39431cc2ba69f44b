/**
 * Class names that static blocks get when they are shown: an editor leaves them out, style sheets expect them.
 * Source: observed behaviour of the reference (6.9) with its default theme.
 */
import { createHash } from 'node:crypto';
import { blockClass, containerClass } from '../kernel/model/wire-constants.ts';
import { slugify } from '../kernel/model/slugs.ts';
import { scalarText } from '../kernel/model/scalars.ts';
import { type Delimiter, parseAttributes, stripBlocks } from './blocks.ts';

interface Rule {
  /** Names of the tags; the first of them in the block takes the classes. */
  readonly tags: string;
  classes(block: Delimiter): readonly string[];
}

const rules: Readonly<Record<string, Rule>> = {
  'core/heading': { tags: 'h[1-6]', classes: () => [blockClass('heading')] },
  'core/list': { tags: 'ul|ol', classes: () => [blockClass('list')] },
  'core/group': laidOut({}),
  'core/quote': laidOut({}),
  'core/details': laidOut({}),
  'core/column': laidOut({}),
  'core/columns': laidOut({ type: 'flex', flexWrap: 'nowrap' }, '2em'),
  'core/buttons': laidOut({ type: 'flex' }),
};

/** The markup of a text without its block delimiters, each block with its classes. Cost: linear. */
export function renderStatic(raw: string): string {
  return stripBlocks(raw, withClasses);
}

/**
 * The rule of a block that lays out what is in it.
 *
 * @param usual  its layout when its attributes name none
 * @param gap    between its parts when nothing says more
 */
function laidOut(usual: Layout, gap = '0.5em'): Rule {
  return {
    tags: '[a-z][a-z0-9-]*',
    classes({ name, json }) {
      const attributes = parseAttributes(json) ?? {};
      const own = asMap(attributes.layout);
      const layout = { ...(own ?? usual) };
      if (layout.inherit || layout.contentSize) layout.type = 'constrained';
      const kind = ['constrained', 'flex', 'grid'].includes(layout.type as string) ? (layout.type as string) : 'flow';
      const spacing = asMap(asMap(attributes.style)?.spacing);
      const ownGap = gapOf(spacing);
      const isSpecial = hasOwnStyle(kind, layout, ownGap);
      return [
        ...(kind === 'constrained' ? ['has-global-padding'] : []),
        ...(own?.orientation ? [`is-${slugify(scalarText(own.orientation))}`] : []),
        ...(own?.justifyContent ? [`is-content-justification-${slugify(scalarText(own.justifyContent))}`] : []),
        ...(own?.flexWrap === 'nowrap' ? ['is-nowrap'] : []),
        `is-layout-${kind}`,
        ...(isSpecial ? [specialClass(name, [layout, true, ownGap, false, gap, spacing ?? null])] : []),
        blockClass(`${name.replace('core/', '')}-is-layout-${kind}`),
      ];
    },
  };
}

type Layout = Readonly<Record<string, unknown>>;

function asMap(value: unknown): Layout | undefined {
  return typeof value === 'object' && value !== null ? (value as Layout) : undefined;
}

/** The gap a block names; null when it is none that a style sheet may hold. */
function gapOf(spacing: Layout | undefined): unknown {
  const safe = (gap: unknown): unknown => (typeof gap === 'string' && /[\\(&=}]|\/\*/.test(gap) ? null : (gap ?? null));
  const gap = spacing?.blockGap;
  const sides = asMap(gap);
  return sides ? Object.fromEntries(Object.entries(sides).map(([side, width]) => [side, safe(width)])) : safe(gap);
}

/** Whether a layout needs a style of its own, besides that of its kind. Source: behaviour of the reference with its default theme. */
function hasOwnStyle(kind: string, layout: Layout, gap: unknown): boolean {
  const { justifyContent, verticalAlignment } = layout;
  if (kind === 'grid') return true;
  if (kind !== 'flex') {
    const isSized = kind === 'constrained' && Boolean(layout.contentSize || layout.wideSize);
    const isPushed = kind === 'constrained' && (justifyContent === 'left' || justifyContent === 'right');
    return isSized || isPushed || (asMap(gap)?.top ?? (asMap(gap) ? null : gap)) !== null;
  }
  return (
    layout.flexWrap === 'nowrap' ||
    gap !== null ||
    layout.orientation === 'vertical' ||
    ['left', 'right', 'center', 'space-between'].includes(justifyContent as string) ||
    ['top', 'center', 'bottom', 'stretch'].includes(verticalAlignment as string)
  );
}

/** Blocks with the same layout share a class; its name is a digest of all that makes the layout, as the reference writes it. */
function specialClass(name: string, parts: readonly unknown[]): string {
  const isEmpty = (value: unknown): boolean => Object.keys(asMap(value) ?? { some: 1 }).length === 0;
  const text = JSON.stringify(parts, (_, value: unknown) => (isEmpty(value) ? [] : value))
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const digest = createHash('md5').update(text).digest('hex').slice(0, 8);
  return `${containerClass}${slugify(name.replace('/', '-'))}-is-layout-${digest}`;
}

/** The markup behind a delimiter; the block's own tag is in it when the delimiter opens one. */
function withClasses(html: string, block: Delimiter): string {
  const rule = block.kind === 'open' && Object.hasOwn(rules, block.name) ? rules[block.name] : undefined;
  if (!rule) return html;
  return html.replace(new RegExp(`<(${rule.tags})(?=[\\s/>])([^<>]*)>`, 'i'), (_, tag: string, attributes: string) => {
    const own = /(?<=\sclass=")[^"]*(?=")/.exec(attributes);
    const classes = rule.classes(block).filter((name) => !own?.[0].split(/\s+/).includes(name));
    if (!own) return `<${tag} class="${classes.join(' ')}"${attributes}>`;
    const all = [own[0], ...classes].filter((name) => name !== '').join(' ');
    return `<${tag}${attributes.slice(0, own.index)}${all}${attributes.slice(own.index + own[0].length)}>`;
  });
}
