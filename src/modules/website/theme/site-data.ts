/** Template data of the site: name, menus, languages. */
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { cleanUrl } from '../../../render/protocols.ts';
import { plain } from '../feeds/index.ts';
import { directionOf, languageOf } from '../../languages/record.ts';
import { imageOf } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { itemsIn, menuIn } from '../../menus/trees/index.ts';
import { createMenuItemView, declaredLocations, heldLocations, isReachable } from '../../menus/index.ts';
import { placesOf } from './menu-places.ts';
import type { MenuItemRecord, MenuRecord } from '../../menus/record.ts';
import { isPublic, settingPage } from '../../content/permalinks/record.ts';
import { siteIcon } from '../site-icon/index.ts';
import { publicView } from '../sitemaps/index.ts';
import { type Html, markup } from './engine.ts';

interface Language {
  /** `de_DE`. */
  readonly locale: string;
  /** For machines: `de-DE`. */
  readonly tag: string;
  readonly dir: 'ltr' | 'rtl';
}

export function languageIn(site: Site, params: Params): Language {
  const { languages } = site as Partial<Pick<Site, 'languages'>>;
  const own = languages?.of(languageOf({ site, params }));
  const locale = own?.locale ?? String(site.settings.value('language') || 'en_US');
  const tag = locale.replaceAll('_', '-');
  return { locale, tag, dir: own?.dir ?? directionOf(locale) };
}

/** A page in a language, for a switcher. */
export interface LanguageLink {
  readonly hreflang: string;
  readonly url: string;
}

interface SiteData {
  readonly name: string;
  readonly description: string;
  /** URL of the front page in the page's language. */
  readonly url: string;
  readonly logo: Html | null;
  readonly has_icon: boolean;
  /** URL of the API. */
  readonly rest: string;
  /** `de-DE`. */
  readonly language: string;
  readonly [name: string]: unknown;
}

/** @param url  of the page, marked as current in menus */
export async function siteData(
  site: Site,
  params: Params,
  url: string,
): Promise<{ site: SiteData; menus: Record<string, MenuLink[]> }> {
  const language = languageIn(site, params);
  const stored = site.settings.value('logo');
  const logo = site.posts.get(typeof stored === 'string' ? site.refs.postId('attachment', stored) : Number(stored));
  const isShown = isAttachment(logo) && isPublic(site, logo);
  if (isShown) await site.media.prepare([logo]);
  const name = plain(String(site.settings.value('name') || 'cms'));
  return {
    site: {
      name,
      description: plain(String(site.settings.value('description') ?? '')),
      url: homeUrl(site, params),
      language: language.tag,
      dir: language.dir,
      // The name is shown next to it.
      logo: isShown ? markup(imageOf(site, { ...logo, alt: '' }, 'medium')) : null,
      has_icon: siteIcon(site) !== null,
      rest: `${site.url}${neutral.root}/`,
    },
    menus: menusOf(site, params, url),
  };
}

export function homeUrl(site: Site, params: Params): string {
  return `${site.url}${prefixOf(site, '', params)}/`;
}

interface MenuLink {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly is_current: boolean;
  readonly opens_window: boolean;
  readonly items: readonly MenuLink[];
}

const mostPages = 8;
const deepest = 4;

/** Menus by location, with `header` and `footer` of the default theme. */
export function menusOf(site: Site, params: Params, url: string): Record<string, MenuLink[]> {
  const held = heldLocations(site);
  const menus: Record<string, MenuLink[]> = Object.create(null);
  for (const name of new Set([...declaredLocations(site).keys(), ...held.keys()])) {
    const menu = site.terms.get(held.get(name) ?? 0) as MenuRecord | undefined;
    if (menu) menus[name] = itemsOf(site, menu, params, url);
  }
  const { header, footer } = placesOf(Object.keys(menus));
  menus.header ??= header === undefined ? pagesAsMenu(site, params, url) : (menus[header] as MenuLink[]);
  menus.footer ??= footer === undefined ? [] : (menus[footer] as MenuLink[]);
  return menus;
}

function itemsOf(site: Site, menu: MenuRecord, params: Params, current: string): MenuLink[] {
  const call = { site, user: null, params } as Call;
  const { id } = menuIn(call, menu);
  const view = createMenuItemView(site, null, (name) => name, params);
  const items = itemsIn(
    call,
    site.menus.items().filter((item) => item.menu === id),
  ).filter((item) => item.status === 'publish' && isReachable(site, null, item));
  const byOrder = [...items].sort((a, b) => a.order - b.order);
  const at = (parent: number, depth: number): MenuLink[] =>
    depth > deepest ? [] : byOrder.filter((item) => item.parent === parent).map((item) => linkOf(item, depth));
  const linkOf = (item: MenuItemRecord, depth: number): MenuLink => {
    const url = safeUrl(view.url(item) || '');
    return {
      title: plain(view.rendered(item)),
      url,
      description: plain(view.description(item)),
      is_current: url === current,
      opens_window: item.window === '_blank',
      items: at(item.id, depth + 1),
    };
  };
  return at(0, 1);
}

/** A safe link URL; '' otherwise. */
export function safeUrl(url: string): string {
  return cleanUrl(url) === url ? url : '';
}

/** A site without menus shows its pages. */
function pagesAsMenu(site: Site, params: Params, current: string): MenuLink[] {
  const where = [
    { kind: 'in' as const, index: 'type', values: ['page'] },
    { kind: 'in' as const, index: 'status', values: ['publish'] },
    { kind: 'in' as const, index: 'parent', values: [0] },
    ...site.discovery.flatMap((source) => source.scope?.(params) ?? []),
  ];
  const front = site.settings.value('front') === 'page' ? settingPage(site, 'front_page', params) : 0;
  const view = publicView(site);
  const { records } = site.posts.query({ where, sort: { by: 'menu_order', direction: 'asc' }, offset: 0, limit: mostPages });
  return records
    .filter(({ id }) => id !== front)
    .map((page) => ({
      title: plain(view.title(page)) || `#${page.id}`,
      url: view.link(page),
      description: '',
      is_current: view.link(page) === current,
      opens_window: false,
      items: [],
    }));
}
