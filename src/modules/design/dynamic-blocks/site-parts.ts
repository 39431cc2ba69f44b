/**
 * Blocks that show the site itself: its name, its logo, the ways to search it and to sign in, feeds of others.
 */
import { original } from '../../../kernel/rest/dialect.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { search } from './search-form.ts';
import { escapeHtml, escapeOnce, headingTag, type Renderers, textClasses, wholeNumber, word, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';

export const siteBlocks: Renderers = {
  'core/site-title': (live, site) => {
    const name = escapeOnce(word(site.setting('name')));
    if (name === '') return '';
    const { isLink, level, linkTarget } = live.attributes;
    const target = word(linkTarget);
    const link = `<a href="${escapeHtml(site.home)}" target="${escapeHtml(target || '_self')}" rel="home">${name}</a>`;
    return wrap(headingTag(level, 'h1'), live, isLink ? link : name, textClasses(live));
  },
  'core/site-tagline': (live, site) => {
    const text = escapeOnce(word(site.setting('description')));
    return text === '' ? '' : wrap(headingTag(live.attributes.level, 'p'), live, text, textClasses(live));
  },
  'core/site-logo': siteLogo,
  'core/loginout': loginout,
  'core/search': search,
  'core/rss': feed,
};

function siteLogo(live: LiveBlock, site: BlockSite): string {
  const { isLink, linkTarget, width } = live.attributes;
  const pixels = wholeNumber(width, 0, 0, 10_000);
  const logo = site.picture(site.logo, 'full');
  if (logo === '') return '';
  const sized = pixels > 0 ? scaled(logo, pixels) : logo;
  const image = sized.replace(/ class="[^"]*"/, () => ' class="custom-logo"');
  const target = word(linkTarget) === '_blank' ? ' target="_blank"' : '';
  const shown = isLink
    ? `<a href="${escapeHtml(`${site.home}/`)}" class="custom-logo-link" rel="home"${target}>${image}</a>`
    : image;
  return wrap('div', live, shown, pixels > 0 ? [] : ['is-default-size']);
}

function scaled(image: string, width: number): string {
  const [, w = '', h = ''] = / width="(\d+)" height="(\d+)"/.exec(image) ?? [];
  const height = Number(w) > 0 ? Math.round((Number(h) * width) / Number(w)) : 0;
  return image.replace(/ width="\d+" height="\d+"/, ` width="${width}" height="${height}"`);
}

function loginout(live: LiveBlock, site: BlockSite): string {
  // The page that asks for passwords: no content can stand at its address.
  const back: Record<string, string> = live.attributes.redirectToCurrent === false ? {} : { redirect_to: `${site.home}/` };
  const address = (query: Record<string, string>): string => {
    const asked = new URLSearchParams({ ...query, ...back }).toString();
    return escapeHtml(`${site.home}/${original.login}${asked && `?${asked}`}`).replaceAll('&amp;', '&#038;');
  };
  const isIn = site.reader !== null;
  const link = isIn ? `<a href="${address({ action: 'logout' })}">Log out</a>` : `<a href="${address({})}">Log in</a>`;
  return wrap('div', live, link, [isIn ? 'logged-in' : 'logged-out']);
}

/** Nothing is fetched to show a text: what a feed says is for whoever shows the page. */
function feed(live: LiveBlock, site: BlockSite): string {
  const address = withoutTrailing(word(live.attributes.feedURL), '/');
  const placed = (text: string): string =>
    `<div class="components-placeholder"><div class="notice notice-error">${text}</div></div>`;
  if (address !== '' && address === site.home)
    return placed(
      'Adding an RSS feed to this site’s homepage is not supported, as it could lead to a loop that slows down your site. Try using another block, like the <strong>Latest Posts</strong> block, to list posts from the site.',
    );
  const said = 'An error has occurred, which probably means the feed is down. Try again later.';
  return placed(address === '' ? said : `<strong>RSS Error:</strong> ${said}`);
}
