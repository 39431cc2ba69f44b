/** Site blocks: name, logo, search, sign-in, feeds. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { signInAddress } from './comment-form.ts';
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

/** Returns to the page of the text: the reference uses the requested URL, even of the API. */
function loginout(live: LiveBlock, site: BlockSite): string {
  const { displayLoginAsForm, redirectToCurrent } = live.attributes;
  const post = site.own(live.context.postId);
  const page = post ? site.link(post) : `${site.home}/`;
  const back: Record<string, string> = redirectToCurrent === false ? {} : { redirect_to: page };
  const link = (query: Record<string, string>, text: string): string =>
    `<a href="${signInAddress(site, { ...query, ...back }).replaceAll('&amp;', '&#038;')}">${text}</a>`;
  if (site.reader) return wrap('div', live, link({ action: 'logout' }, 'Log out'), ['logged-in']);
  if (displayLoginAsForm) return wrap('div', live, signInForm(site, page), ['logged-out', 'has-login-form']);
  return wrap('div', live, link({}, 'Log in'), ['logged-out']);
}

/** The sign-in page accepts it; from other sites only the name. */
function signInForm(site: BlockSite, page: string): string {
  const line = (name: string, inner: string): string => `<p class="login-${name}">${inner}</p>`;
  const field = (id: string, label: string, input: string): string =>
    `\n\t\t\t\t<label for="${id}">${label}</label>\n\t\t\t\t<input ${input} class="input" value="" size="20" />\n\t\t\t`;
  const parts = [
    line(
      'username',
      field('user_login', 'Username or Email Address', 'type="text" name="log" id="user_login" autocomplete="username"'),
    ),
    line(
      'password',
      field(
        'user_pass',
        'Password',
        'type="password" name="pwd" id="user_pass" autocomplete="current-password" spellcheck="false"',
      ),
    ),
    line('remember', '<label><input name="rememberme" type="checkbox" id="rememberme" value="forever" /> Remember Me</label>'),
    line(
      'submit',
      `\n\t\t\t\t<input type="submit" name="wp-submit" id="wp-submit" class="button button-primary wp-block-button__link wp-element-button" value="Log In" />\n\t\t\t\t<input type="hidden" name="redirect_to" value="${escapeHtml(page)}" />\n\t\t\t`,
    ),
  ];
  return `<form name="loginform" id="loginform" action="${signInAddress(site, {})}" method="post">${parts.join('')}</form>`;
}

/** Nothing is fetched during rendering: feeds are left to the front end. */
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
