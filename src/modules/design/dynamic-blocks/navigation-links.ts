/** Navigation links, submenus, and the home link. */
import { colours } from '../../../render/block-styles.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { withoutTags } from '../../../render/text.ts';
import { escapeHtml, href, part, type Renderers, rich, word } from './markup.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import type { BlockSite } from './view.ts';

export const linkBlocks: Renderers = {
  'core/navigation-link': (live, site) => link(live, site, 'link'),
  'core/navigation-submenu': (live, site) => link(live, site, 'submenu'),
  'core/home-link': homeLink,
};

export const submenuIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12" fill="none" aria-hidden="true" focusable="false"><path d="M1.50002 4L6.00002 8L10.5 4" stroke-width="1.5"></path></svg>';

/** Links to non-public items, and empty ones, are omitted. */
function link(live: LiveBlock, site: BlockSite, kind: 'link' | 'submenu'): string {
  const { attributes, block, context } = live;
  const id = Number(attributes.id);
  const isPost = attributes.kind === 'post-type' || attributes.type === 'post' || attributes.type === 'page';
  if (isPost && attributes.id !== undefined && Number.isInteger(id) && site.post(id)?.status !== 'publish') return '';
  if (!word(attributes.label) || attributes.label === '0') return '';
  const hasBelow = block.innerBlocks.length > 0;
  const opensOnClick = kind === 'submenu' && context.openSubmenusOnClick === true;
  const hasIcon = context.showSubmenuIcon !== false && context.showSubmenuIcon !== undefined;
  const opening =
    context.submenuVisibility === 'always'
      ? ' open-always'
      : opensOnClick
        ? ' open-on-click'
        : hasIcon
          ? ' open-on-hover-click'
          : '';
  const classes = `${part('navigation-item')}${hasBelow ? ' has-child' : ''}${kind === 'submenu' ? opening : ''}`;
  const attributesOfItem = wrapperAttributes(live, { class: classes });
  const label = `<span class="${part('navigation-item__label')}">${rich(attributes.label)}</span>`;
  const description = word(attributes.description)
    ? `<span class="${part('navigation-item__description')}">${rich(attributes.description)}</span>`
    : '';
  const told = escapeHtml(`${withoutTags(word(attributes.label))} submenu`);
  const anchor = opensOnClick
    ? `<button aria-label="${told}" class="${part('navigation-item__content')} ${part('navigation-submenu__toggle')}" >${label}${description}</button><span class="${part('navigation__submenu-icon')}">${submenuIcon}</span>`
    : `<a class="${part('navigation-item__content')}"${kind === 'link' ? ' ' : ''}${attributesOf(live)}>${label}${description}</a>`;
  return `<li ${attributesOfItem}>${anchor}${hasBelow ? below(live, kind, { told, opensOnClick, hasIcon }) : ''}</li>`;
}

/** Link attributes, each with a leading space. */
function attributesOf({ attributes }: LiveBlock): string {
  const given = (name: string, value: unknown): string => (value === undefined ? '' : ` ${name}="${escapeHtml(word(value))}"`);
  return [
    attributes.url === undefined ? '' : ` href="${href(attributes.url)}"`,
    attributes.opensInNewTab === true ? ' target="_blank"  ' : '',
    attributes.rel === undefined ? (attributes.nofollow ? ' rel="nofollow"' : '') : given('rel', attributes.rel),
    given('title', attributes.title),
  ].join('');
}

function below(
  live: LiveBlock,
  kind: 'link' | 'submenu',
  of: { readonly told: string; readonly opensOnClick: boolean; readonly hasIcon: boolean },
): string {
  const icon = part('navigation__submenu-icon');
  const toggle = `<button aria-label="${of.told}" class="${icon} ${part('navigation-submenu__toggle')}" >${submenuIcon}</button>`;
  const shown = !of.hasIcon || of.opensOnClick ? '' : kind === 'link' ? `<span class="${icon}">${submenuIcon}</span>` : toggle;
  const { context } = live;
  const looks = colours({
    textColor: context.overlayTextColor,
    backgroundColor: context.overlayBackgroundColor,
    style: { color: { text: context.customOverlayTextColor, background: context.customOverlayBackgroundColor } },
  });
  const classes = [part('navigation__submenu-container'), ...looks.classes, kind === 'submenu' ? part('navigation-submenu') : ''];
  const style = looks.css === '' ? '' : `style="${escapeHtml(looks.css.replace(/;$/, ''))}" `;
  return `${shown}<ul ${style}class="${escapeHtml(classes.filter((name) => name !== '').join(' '))}">${live.inner().join('')}</ul>`;
}

function homeLink(live: LiveBlock, site: BlockSite): string {
  const label = rich(live.attributes.label) || 'Home';
  const address = escapeHtml(site.home);
  const link = `<a class="${part('home-link__content')} ${part('navigation-item__content')}" href="${address}" rel="home" ${live.attributes.opensInNewTab === true ? ' target="_blank"' : ''}>${label}</a>`;
  return `<li ${wrapperAttributes(live, { class: part('navigation-item') })}>${link}</li>`;
}
