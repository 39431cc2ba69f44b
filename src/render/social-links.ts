/**
 * Links to profiles elsewhere. The names of the services and the markup are the reference's (6.9); the pictures are our own, one for
 * each kind of service, as the signs of companies belong to them.
 */
import { table } from '../kernel/model/maps.ts';
import { escapeHtml } from '../kernel/model/escape.ts';
import { blockClass } from './wire-constants.ts';
import { isEmail } from '../kernel/rest/validate.ts';
import { word } from './block-styles.ts';
import { href, wrapperAttributes } from './block-wrapper.ts';
import type { LiveBlock } from './live-block.ts';
import { filterStyle } from './styles.ts';

/** `service|Name|kind`, where the name is not the service's with a capital and the kind not a person's profile. */
const named = `fivehundredpx|500px|picture
amazon||shop
bandcamp||sound
behance||picture
chain|Link|link
codepen|CodePen|code
deviantart|DeviantArt|picture
etsy||shop
feed|RSS Feed|feed
flickr||picture
github|GitHub|code
instagram||picture
lastfm|Last.fm|sound
linkedin|LinkedIn|person
mail||mail
share|Share Icon|share
soundcloud|SoundCloud|sound
spotify||sound
telegram||mail
tiktok|TikTok|film
twitch||film
vimeo||film
vk|VK|person
whatsapp|WhatsApp|mail
wordpress|WordPress|code
x|X|person
youtube|YouTube|film`;

const profiles =
  'bluesky discord dribbble dropbox facebook foursquare goodreads google gravatar mastodon medium meetup patreon pinterest pocket reddit ' +
  'skype snapchat threads tumblr twitter yelp';

/** Pictures of 24 by 24, by kind. */
const shapes: Readonly<Record<string, string>> = table({
  code: 'M8 6 2 12l6 6 1.5-1.5L5 12l4.5-4.5zM16 6l6 6-6 6-1.5-1.5L19 12l-4.5-4.5z',
  feed: 'M5 5v2.5A11.5 11.5 0 0 1 16.5 19H19A14 14 0 0 0 5 5zM5 10.5V13a6 6 0 0 1 6 6h2.5A8.5 8.5 0 0 0 5 10.5zM5 16v3h3a3 3 0 0 0-3-3z',
  film: 'M4 5h16v14H4zM10 8.5v7l6-3.5z',
  link: 'M4 12a4 4 0 0 1 4-4h3v2H8a2 2 0 0 0 0 4h3v2H8a4 4 0 0 1-4-4zM8 11h8v2H8zM13 8h3a4 4 0 0 1 0 8h-3v-2h3a2 2 0 0 0 0-4h-3z',
  mail: 'M3 5h18v14H3zM5 7v1l7 5 7-5V7zM5 10.5V17h14v-6.5l-7 5z',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20a8 6 0 0 1 16 0z',
  picture: 'M3 5h18v14H3zM5 7v10l5-6 4 4 2-2 3 4V7z',
  share: 'M17 3a3 3 0 1 1-2.7 4.3L9 10.3v3.4l5.3 3A3 3 0 1 1 14 19l-6-3.4a3 3 0 1 1 0-7.2L14 5a3 3 0 0 1 3-2z',
  shop: 'M6 8V7a6 6 0 0 1 12 0v1h3l-1 13H4L3 8zM8 8h8V7a4 4 0 0 0-8 0z',
  sound: 'M9 4l11-2v14a3 3 0 1 1-2-2.8V7l-7 1.3V18a3 3 0 1 1-2-2.8z',
});

interface Profile {
  readonly name: string;
  readonly kind: string;
}

const capital = (service: string): string => service.charAt(0).toUpperCase() + service.slice(1);

const services: ReadonlyMap<string, Profile> = new Map([
  ...profiles.split(' ').map((service): [string, Profile] => [service, { name: capital(service), kind: 'person' }]),
  ...named.split('\n').map((line): [string, Profile] => {
    const [service = '', name, kind = 'person'] = line.split('|');
    return [service, { name: name || capital(service), kind }];
  }),
]);

/** A link without an address is not shown; a service that is not known is one to share with. */
export function socialLink(live: LiveBlock): string {
  const { attributes, context } = live;
  if (!word(attributes.url)) return '';
  const service = attributes.service === undefined ? 'Icon' : word(attributes.service);
  const { name, kind } = (services.get(service) ?? services.get('share')) as Profile;
  const isKnown = services.has(service);
  const colours = [
    { property: 'color', slug: word(context.iconColor), value: word(context.iconColorValue) },
    { property: 'background-color', slug: word(context.iconBackgroundColor), value: word(context.iconBackgroundColorValue) },
  ];
  const classes = colours.flatMap(({ property, slug }) => (slug === '' ? [] : [`has-${slug}-${property}`]));
  const styles = colours.map(({ property, value }) => (value === '' ? '' : filterStyle(`${property}:${value}`)));
  const box = wrapperAttributes(live, {
    style: styles.filter((style) => style !== '').join(';'),
    class: ['wp-social-link', `wp-social-link-${service}`, ...classes].join(' '),
  });
  const own = word(attributes.rel).trim();
  const opens = context.openInNewTab === true;
  const rel = opens ? `${own} noopener nofollow`.trim() : own;
  const tab = `${rel === '' ? '' : `rel="${escapeHtml(rel)}" `}${opens ? 'target="_blank" ' : ''}`;
  const icon = isKnown
    ? `<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" focusable="false"><path d="${shapes[kind]}"></path></svg>`
    : `<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${shapes[kind]}"/></svg>`;
  const label = `<span class="${blockClass('social-link-label')}${context.showLabels === true ? '' : ' screen-reader-text'}">${escapeHtml(word(attributes.label).trim() || name)}</span>`;
  return `<li ${box}><a ${tab}href="${href(addressed(word(attributes.url)))}" class="${blockClass('social-link-anchor')}">${icon}${label}</a></li>`;
}

/** An address of a page without its protocol, or of a person. */
function addressed(url: string): string {
  if (isEmail(url)) return `mailto:${url}`;
  return /^(?:[a-z][\w+.-]*:|\/\/|#)/i.test(url) ? url : `https://${url}`;
}
