/**
 * Navigation blocks: their own links, those of a selected menu, or of the latest one.
 *
 * Source: behaviour of the reference (7.1), with the attributes of its view script.
 */
import { at } from '../../../render/attribute-path.ts';
import { showBlock } from '../../../render/block-tree.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import { blockTypes } from '../../../render/block-types.ts';
import { type Block, parseBlocks } from '../../../render/blocks.ts';
import type { BlockContext, BlockRun, LiveBlock } from '../../../render/live-block.ts';
import { hasClass, type Tag, tagsFrom, withAttributes } from '../../../render/tags.ts';
import { filterStyle } from '../../../render/styles.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, part, type Renderers, word } from './markup.ts';
import type { BlockSite } from './view.ts';

export const navigationBlocks: Renderers = {
  'core/navigation': navigation,
  'core/navigation-overlay-close': overlayClose,
};

/** A nested menu is empty. */
function navigation(live: LiveBlock, site: BlockSite): string {
  const { attributes, block } = live;
  if (block.innerBlocks.some(({ name }) => name === 'core/navigation')) return '';
  const opensOnClick = attributes.openSubmenusOnClick === true || attributes.submenuVisibility === 'click';
  const context = { ...live.context, ...toldBy(live), openSubmenusOnClick: opensOnClick };
  const looks = looksOf(live);
  const list = wrapperAttributes(live, { class: `${part('navigation__container')} ${looks.class}`, style: looks.style });
  const isResponsive = attributes.overlayMenu !== 'never';
  const inner = menuOf(live, site, context, list);
  const items =
    inner.hasSubmenus && (isResponsive || opensOnClick || attributes.showSubmenuIcon !== false)
      ? withScript(inner.html, { opensOnHover: !opensOnClick && attributes.submenuVisibility !== 'always' })
      : inner.html;
  const label = labelOf(live, site);
  const outer = wrapperAttributes(live, { ...looks, ...(label === '' ? {} : { 'aria-label': label }) });
  return isResponsive ? `<nav ${outer} ${overlayScript}>${responsive(live, items)}</nav>` : `<nav ${outer}>${items}</nav>`;
}

/** Context of the links. */
function toldBy({ attributes }: LiveBlock): BlockContext {
  const names =
    'textColor customTextColor backgroundColor customBackgroundColor overlayTextColor customOverlayTextColor overlayBackgroundColor customOverlayBackgroundColor fontSize customFontSize style showSubmenuIcon submenuVisibility maxNestingLevel';
  return Object.fromEntries(
    names.split(' ').flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  );
}

/** Duplicate menu names are numbered. */
function labelOf({ attributes, run }: LiveBlock, site: BlockSite): string {
  const named = attributes.ref === undefined ? undefined : published(site, attributes.ref);
  const name = word(attributes.ariaLabel) || named?.title || '';
  const count = run.unique(`menu:${name}`);
  return count === 1 ? name : `${name} ${count}`;
}

function published(site: BlockSite, id: unknown): PostRecord | undefined {
  const post = site.shared(id);
  return post?.status === 'publish' && !site.isLocked(post) ? post : undefined;
}

interface Menu {
  readonly html: string;
  readonly hasSubmenus: boolean;
}

/** Blocks as lists of links, with others between them. @param list  attributes of a list */
function menuOf(live: LiveBlock, site: BlockSite, context: BlockContext, list: string): Menu {
  const { block, attributes } = live;
  if (block.innerBlocks.length > 0) return inLists(live.run, block.innerBlocks, () => live.eachInner(context), list);
  const menu = attributes.ref === undefined ? site.newestMenu() : published(site, attributes.ref);
  if (!menu)
    return attributes.ref === undefined
      ? inLists(live.run, pageList, () => shown(live, pageList, context), list)
      : { html: '', hasSubmenus: false };
  let found: Menu = { html: '', hasSubmenus: false };
  site.within(`${menu.type}:${menu.id}`, () => {
    const blocks = parseBlocks(menu.content).filter(({ name }) => name !== null);
    if (!site.spend(1) || blocks.some(({ name }) => name === 'core/navigation')) return '';
    found = inLists(live.run, blocks, () => shown(live, blocks, context), list);
    return found.html;
  });
  return found;
}

/** The fallback of sites without menus. */
const pageList: readonly Block[] = [{ name: 'core/page-list', attrs: {}, innerBlocks: [], innerHTML: '', innerContent: [] }];

function* shown({ run, block }: LiveBlock, blocks: readonly Block[], context: BlockContext): Iterable<string> {
  for (const one of blocks) yield showBlock(one, run, context, 1, block.attrs?.layout);
}

/**
 * The reference renders the blocks once to detect submenus, which consumes numbers.
 * @param show  renders the blocks in order
 */
function inLists(run: BlockRun, blocks: readonly Block[], show: () => Iterable<string>, list: string): Menu {
  const before = run.taken();
  const known: string[] = [];
  const first = show()[Symbol.iterator]();
  let hasSubmenus = false;
  for (let next = first.next(); !next.done; next = first.next()) {
    known.push(next.value);
    hasSubmenus = [...tagsFrom(next.value)].some((tag) => tag.name === 'li' && hasClass(next.value, tag, 'has-child'));
    if (hasSubmenus) break;
  }
  const isCounted = run.taken() > before;
  const items = isCounted ? [...show()] : [...known, ...{ [Symbol.iterator]: () => first }];
  let html = '';
  let isOpen = false;
  for (const [at, item] of items.entries()) {
    const shown =
      item !== '' && blockTypes.get(blocks[at]?.name ?? '')?.isMenuItem
        ? `<li class="${part('navigation-item')}">${item}</li>`
        : item;
    const isItem = /<li[\s>/]/i.test(shown) && [...tagsFrom(shown)].some(({ name, isClosing }) => name === 'li' && !isClosing);
    if (isItem !== isOpen) html += isItem ? `<ul ${list}>` : '</ul>';
    isOpen = isItem;
    html += shown;
  }
  return { html: isOpen ? `${html}</ul>` : html, hasSubmenus };
}

const submenuContext =
  '{ "submenuOpenedBy": { "click": false, "hover": false, "focus": false }, "type": "submenu", "modal": null, "previousFocus": null }';

/** Submenus with toggle buttons. */
function withScript(html: string, { opensOnHover }: { readonly opensOnHover: boolean }): string {
  const item = {
    'data-wp-interactive': 'core/navigation',
    'data-wp-context': submenuContext,
    'data-wp-watch': 'callbacks.initMenu',
    'data-wp-on--focusout': 'actions.handleMenuFocusout',
    'data-wp-on--keydown': 'actions.handleMenuKeydown',
    tabindex: '-1',
    ...(opensOnHover
      ? { 'data-wp-on--pointerenter': 'actions.openMenuOnHover', 'data-wp-on--pointerleave': 'actions.closeMenuOnHover' }
      : {}),
  };
  const steps: readonly {
    readonly name: string;
    readonly className: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[] = [
    { name: 'li', className: 'has-child', attributes: item },
    {
      name: 'button',
      className: part('navigation-submenu__toggle'),
      attributes: { 'data-wp-on--click': 'actions.toggleMenuOnClick', 'data-wp-bind--aria-expanded': 'state.isSubmenuOpen' },
    },
    {
      name: 'ul',
      className: part('navigation__submenu-container'),
      attributes: { 'data-wp-on--focus': 'actions.openMenuOnFocus' },
    },
  ];
  const changes: [Tag, Readonly<Record<string, string>>][] = [];
  let step = 0;
  for (const tag of tagsFrom(html)) {
    const wanted = steps[step] as (typeof steps)[number];
    if (tag.isClosing || tag.name !== wanted.name || !hasClass(html, tag, wanted.className)) continue;
    changes.push([tag, wanted.attributes]);
    step = (step + 1) % steps.length;
  }
  // Last to first, so that offsets stay valid.
  return changes.reduceRight((out, [tag, attributes]) => withAttributes(out, tag, attributes), html);
}

/** Classes and style of the menu and of its list. */
function looksOf({ attributes }: LiveBlock): { readonly class: string; readonly style: string } {
  const { layout } = attributes;
  const justify = word(at(layout, 'justifyContent'));
  const decoration = word(at(attributes.style, 'typography.textDecoration'));
  const text = coloured('color', attributes.textColor, attributes.customTextColor ?? attributes.rgbTextColor);
  const back = coloured(
    'background-color',
    attributes.backgroundColor,
    attributes.customBackgroundColor ?? attributes.rgbBackgroundColor,
  );
  const size = attributes.customFontSize;
  const classes = [
    ...text.classes,
    ...back.classes,
    word(attributes.fontSize) && `has-${word(attributes.fontSize)}-font-size`,
    attributes.overlayMenu === 'never' ? '' : 'is-responsive',
    ['left', 'right', 'center', 'space-between'].includes(justify) ? `items-justified-${justify}` : '',
    at(layout, 'orientation') === 'vertical' ? 'is-vertical' : '',
    at(layout, 'flexWrap') === 'nowrap' ? 'no-wrap' : '',
    decoration && `has-text-decoration-${decoration}`,
  ];
  return {
    class: classes.filter((name) => name !== '').join(' '),
    style: `${text.style}${back.style}${word(size) && !word(attributes.fontSize) ? `font-size: ${word(size)}px;` : ''}`,
  };
}

function coloured(
  property: 'color' | 'background-color',
  named: unknown,
  own: unknown,
): { readonly classes: readonly string[]; readonly style: string } {
  const [name, value] = [word(named), word(own)];
  if (name === '' && value === '') return { classes: [], style: '' };
  const kind = property === 'color' ? 'has-text-color' : 'has-background';
  return { classes: [kind, name && `has-${name}-${property}`], style: name === '' ? `${property}: ${value};` : '' };
}

/** Indented like the reference, for comparisons. */
const lines = (...attributes: readonly string[]): string => ` \n${attributes.map((one) => `\t\t\t\t${one}\n`).join('')}\t\t\t`;

const overlayScript = `\n\t\t data-wp-interactive="core/navigation" data-wp-context='{"overlayOpenedBy":{"click":false,"hover":false,"focus":false},"type":"overlay","roleAttribute":"","ariaLabel":"Menu"}'`;

const hidden = ' aria-hidden="true" focusable="false"';
const openIcons: Readonly<Record<'handle' | 'menu', string>> = {
  handle: '<path d="M4 7.5h16v1.5H4z"></path><path d="M4 15h16v1.5H4z"></path>',
  menu: '<path d="M5 5v1.5h14V5H5z"></path><path d="M5 12.8h14v-1.5H5v1.5z"></path><path d="M5 19h14v-1.5H5V19z"></path>',
};
const closePath =
  'm13.06 12 6.47-6.47-1.06-1.06L12 10.94 5.53 4.47 4.47 5.53 10.94 12l-6.47 6.47 1.06 1.06L12 13.06l6.47 6.47 1.06-1.06L13.06 12Z';
const closeIcon = (end: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"${hidden}><path d="${closePath}"${end}</svg>`;

/** Only one of the buttons is hidden from screen readers (observed). */
function openIcon(icon: unknown): string {
  const [drawing, told] = icon === 'menu' ? [openIcons.menu, ''] : [openIcons.handle, hidden];
  return `<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"${told}>${drawing}</svg>`;
}

/** The responsive menu with its buttons. */
function responsive({ attributes, run }: LiveBlock, items: string): string {
  const id = `modal-${run.unique()}`;
  const name = (of: string): string => part(`navigation__${of}`);
  const isAlways = attributes.overlayMenu === 'always';
  const hasIcon = attributes.hasIcon !== false;
  const open = hasIcon ? openIcon(attributes.icon) : 'Menu';
  const close = hasIcon ? closeIcon('></path>') : 'Close';
  const looks = [
    coloured('color', attributes.overlayTextColor, attributes.customOverlayTextColor),
    coloured('background-color', attributes.overlayBackgroundColor, attributes.customOverlayBackgroundColor),
  ];
  const classes = [name('responsive-container'), isAlways ? 'hidden-by-default' : '', ...looks.flatMap((one) => one.classes)];
  const style = filterStyle(looks.map((one) => one.style).join(''));
  const box = `class="${escapeHtml(classes.filter((one) => one !== '').join(' '))}" ${style === '' ? '' : `style="${escapeHtml(style)}"`} id="${id}"`;
  const button = `<button aria-haspopup="dialog" ${hasIcon ? 'aria-label="Open menu"' : ''} class="${name('responsive-container-open')}${isAlways ? ' always-shown' : ''}"${lines(
    'data-wp-on--click="actions.openMenuOnClick"',
    'data-wp-on--keydown="actions.handleMenuKeydown"',
  )}>${open}</button>`;
  const container = lines(
    'data-wp-class--has-modal-open="state.isMenuOpen"',
    'data-wp-class--is-menu-open="state.isMenuOpen"',
    'data-wp-watch="callbacks.initMenu"',
    'data-wp-on--keydown="actions.handleMenuKeydown"',
    'data-wp-on--focusout="actions.handleMenuFocusout"',
    'tabindex="-1"',
  );
  const dialog = lines(
    'data-wp-bind--aria-modal="state.ariaModal"',
    'data-wp-bind--aria-label="state.ariaLabel"',
    'data-wp-bind--role="state.roleAttribute"',
  );
  const closing = lines('data-wp-on--click="actions.closeMenuOnClick"');
  const content = lines('data-wp-watch="callbacks.focusFirstElement"');
  return `${button}
\t\t\t\t<div ${box}${container}>
\t\t\t\t\t<div class="${name('responsive-close')}" tabindex="-1">
\t\t\t\t\t\t<div class="${name('responsive-dialog')}"${dialog}>
\t\t\t\t\t\t\t<button ${hasIcon ? 'aria-label="Close menu"' : ''} class="${name('responsive-container-close')}"${closing}>${close}</button>
\t\t\t\t\t\t\t<div class="${name('responsive-container-content')}"${content} id="${id}-content">
\t\t\t\t\t\t\t\t${items}
\t\t\t\t\t\t\t\t
\t\t\t\t\t\t\t</div>
\t\t\t\t\t\t</div>
\t\t\t\t\t</div>
\t\t\t\t</div>`;
}

function overlayClose(live: LiveBlock): string {
  const { displayMode, text } = live.attributes;
  const hasIcon = displayMode !== 'text';
  const hasText = displayMode !== 'icon';
  const name = escapeHtml(word(text) || 'Close');
  const label = hasText ? '' : 'aria-label="Close"';
  const shown = `${hasIcon ? closeIcon(' />') : ''}${hasText ? `<span class="${part('navigation-overlay-close__text')}">${name}</span>` : ''}`;
  return `<button ${wrapperAttributes(live, { type: 'button' })} ${label} >${shown}</button>`;
}
