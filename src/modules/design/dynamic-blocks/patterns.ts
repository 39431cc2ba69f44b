/**
 * Blocks that stand for other texts of blocks: synced patterns, patterns and template parts of the design, and menus made of blocks.
 */
import { showBlocks } from '../../../render/block-tree.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, part, type Renderers, word, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';

export const patternBlocks: Renderers = {
  'core/block': syncedPattern,
  'core/navigation': navigation,
  'core/pattern': (live, site) => {
    const slug = word(live.attributes.slug);
    const blocks = site.pattern(slug);
    return blocks === undefined ? '' : shownOnce(live, site, `pattern:${slug}`, blocks);
  },
  'core/template-part': templatePart,
  'core/widget-group': (live) => {
    const title = word(live.attributes.title);
    const heading = title === '' ? '' : `<h2 class="widget-title">${escapeHtml(title)}</h2>`;
    return `${heading}<div class="wp-widget-group__inner-blocks">${live.inner().join('')}</div>`;
  },
};

/** Elements that a template part may be. */
const sections = ['div', 'header', 'main', 'section', 'article', 'aside', 'footer'];

/** The blocks of another text in place of this one; '' while it is shown already. */
function shownOnce(live: LiveBlock, site: BlockSite, key: string, blocks: string): string {
  return site.within(key, () => (site.spend(1) ? showBlocks(blocks, live.run, live.context) : ''));
}

const keyOf = ({ type, id }: PostRecord): string => `${type}:${id}`;

/** A part of another theme, or one that is not there, shows nothing. */
function templatePart(live: LiveBlock, site: BlockSite): string {
  const { slug, theme, tagName } = live.attributes;
  const found = site.templatePart(word(slug), theme);
  if (!found) return '';
  const usual = found.area === 'header' || found.area === 'footer' ? found.area : 'div';
  const tag = sections.includes(word(tagName)) ? word(tagName) : usual;
  return wrap(tag, live, shownOnce(live, site, keyOf(found.part), found.part.content));
}

function named(site: BlockSite, id: unknown, type: string): PostRecord | undefined {
  const post = site.shared(id);
  return post?.type === type && post.status === 'publish' && !site.isLocked(post) ? post : undefined;
}

function syncedPattern(live: LiveBlock, site: BlockSite): string {
  const post = named(site, live.attributes.ref, 'cms_block');
  if (!post) return '';
  const overrides = live.attributes.content;
  const more = typeof overrides === 'object' && overrides !== null ? { 'pattern/overrides': overrides } : {};
  return shownOnce({ ...live, context: { ...live.context, ...more } }, site, keyOf(post), post.content);
}

/** A menu: the blocks of its own, else of the menu it names. */
function navigation(live: LiveBlock, site: BlockSite): string {
  const { attributes, block } = live;
  const context = { ...live.context, ...contextOf(live) };
  const menu = block.innerBlocks.length > 0 ? undefined : named(site, attributes.ref, 'cms_navigation');
  const inner = menu ? shownOnce({ ...live, context }, site, keyOf(menu), menu.content) : live.inner(context).join('');
  if (inner.trim() === '') return '';
  const label = word(attributes.ariaLabel) || (menu ? site.title(menu) : '');
  const isResponsive = attributes.overlayMenu !== 'never';
  const items = `<ul class="${part('navigation__container')} ${isResponsive ? 'is-responsive' : ''} ${part('navigation')}">${inner.trim()}</ul>`;
  const looks = coloursOf(live);
  const classes = [isResponsive ? 'is-responsive' : '', ...looks.classes].filter((name) => name !== '').join(' ');
  const attributesOfMenu = wrapperAttributes(live, {
    class: classes,
    style: looks.style,
    ...(label ? { 'aria-label': label } : {}),
  });
  if (!isResponsive) return `<nav ${attributesOfMenu}>${items}</nav>`;
  return `<nav ${attributesOfMenu}>${responsive(live, items)}</nav>`;
}

/** What the menu tells its links. */
function contextOf({ attributes }: LiveBlock): Readonly<Record<string, unknown>> {
  const names =
    'textColor customTextColor backgroundColor customBackgroundColor overlayTextColor customOverlayTextColor overlayBackgroundColor customOverlayBackgroundColor fontSize customFontSize style showSubmenuIcon openSubmenusOnClick maxNestingLevel';
  return Object.fromEntries(
    names.split(' ').flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  );
}

function coloursOf({ attributes }: LiveBlock): { readonly classes: readonly string[]; readonly style: string } {
  const plain = (value: unknown): string => word(value).replace(/[^\w-]/g, '');
  const css = (value: unknown): string => word(value).replace(/[^\w#%(),. -]/g, '');
  const [text, back] = [plain(attributes.textColor), plain(attributes.backgroundColor)];
  const [ownText, ownBack] = [css(attributes.customTextColor), css(attributes.customBackgroundColor)];
  return {
    classes: [
      ...(text || ownText ? ['has-text-color'] : []),
      ...(text ? [`has-${text}-color`] : []),
      ...(back || ownBack ? ['has-background'] : []),
      ...(back ? [`has-${back}-background-color`] : []),
    ],
    style: `${!text && ownText ? `color: ${ownText};` : ''}${!back && ownBack ? `background-color: ${ownBack};` : ''}`,
  };
}

const openIcon =
  '<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M4 7.5h16v1.5H4z"></path><path d="M4 15h16v1.5H4z"></path></svg>';
const closeIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="m13.06 12 6.47-6.47-1.06-1.06L12 10.94 5.53 4.47 4.47 5.53 10.94 12l-6.47 6.47 1.06 1.06L12 13.06l6.47 6.47 1.06-1.06L13.06 12Z"></path></svg>';

/** The menu behind a button where there is little room. */
function responsive({ attributes, run }: LiveBlock, items: string): string {
  const id = `modal-${run.unique()}`;
  const name = (of: string): string => part(`navigation__${of}`);
  const isAlways = attributes.overlayMenu === 'always';
  const open = attributes.hasIcon === false ? 'Menu' : openIcon;
  const close = attributes.hasIcon === false ? 'Close' : closeIcon;
  const button = `<button aria-haspopup="dialog" aria-label="Open menu" class="${name('responsive-container-open')}${isAlways ? ' always-shown' : ''}">${open}</button>`;
  const dialog = `<div class="${name('responsive-dialog')}"><button aria-label="Close menu" class="${name('responsive-container-close')}">${close}</button><div class="${name('responsive-container-content')}" id="${id}-content">${items}</div></div>`;
  const box = `<div class="${name('responsive-container')}${isAlways ? ' hidden-by-default' : ''}" id="${id}"><div class="${name('responsive-close')}" tabindex="-1">${dialog}</div></div>`;
  return button + box;
}
