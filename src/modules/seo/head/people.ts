/**
 * Whom the site represents, and who writes on it, as pieces of the graph.
 *
 * Source: reference on seo/v1, 4.7; corrections from recordings.
 */
import { websiteOf } from '../../../kernel/model/addresses.ts';
import { createHash } from 'node:crypto';
import { escapeOnce } from '../../../kernel/model/escape.ts';
import { stripTags } from '../../../kernel/model/tags.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import type { SeoPage } from './record.ts';
import { mediumOf, pictureOf } from './pictures.ts';

export type GraphPiece = Readonly<Record<string, unknown>>;

/** Profiles of the second network, by handle. */
const networkBProfiles = 'https://x.com/';

export type Represented =
  | { readonly kind: 'company'; readonly name: string }
  | { readonly kind: 'person'; readonly user: UserRecord };

/** Null: nobody. An organisation needs a name and a logo, a person to be a user of the site. */
export function represented(page: SeoPage): Represented | null {
  const { options, site, siteName, watch } = page;
  if (options.represents === 'person') {
    const user = watch.record(site.users, options.person);
    return user ? { kind: 'person', user } : null;
  }
  const name = options.companyName || siteName;
  return name !== '' && mediumOf(page, options.companyLogoId) ? { kind: 'company', name } : null;
}

export function representedId(page: SeoPage, who: Represented): string {
  return who.kind === 'person' ? personId(page, who.user) : `${page.home}#organization`;
}

/** The same for a person wherever they are named on the site. Cost: one hash, once for each state of the user. */
export function personId({ site, home }: SeoPage, user: UserRecord): string {
  const named = `${homeOf(site)} ${user.id} ${user.slug}`;
  const known = hashes.get(user);
  if (known?.named === named) return `${home}#/schema/person/${known.hash}`;
  const hash = createHash('sha256').update(named).digest('hex').slice(0, 32);
  hashes.set(user, { named, hash });
  return `${home}#/schema/person/${hash}`;
}

const hashes = new WeakMap<UserRecord, { readonly named: string; readonly hash: string }>();

/** @param more  what only the piece of an author has */
export function representedPiece(page: SeoPage, who: Represented, more: GraphPiece): GraphPiece {
  const { options, home } = page;
  if (who.kind === 'person') return { ...person(page, who.user, ['Person', 'Organization'], options.personLogoId), ...more };
  const name = stripTags(who.name).trim();
  const sameAs = distinct([options.networkASite, profileAt(options.networkBSite), ...options.otherSocialUrls]);
  return {
    '@type': 'Organization',
    '@id': `${home}#organization`,
    name,
    ...(options.companyAlternateName === '' ? {} : { alternateName: options.companyAlternateName }),
    url: home,
    ...logo(page, options.companyLogoId, `${home}#/schema/logo/image/`, name, 'logo', 'image'),
    ...(sameAs.length > 0 ? { sameAs } : {}),
  };
}

export function person(page: SeoPage, user: UserRecord, type: string | readonly string[], logoId = 0): GraphPiece {
  const { site } = page;
  const { networkA, networkB, profiles, pronouns } = site.seo.valuesOfUser(user);
  const name = escapeName(user.name);
  const medium = mediumOf(page, logoId);
  const sameAs = distinct([websiteOf(site, user.url), networkA, profileAt(networkB), ...profiles]);
  const description = escapeOnce(stripTags(user.description)).trim();
  return {
    '@type': type,
    '@id': personId(page, user),
    name,
    ...(medium ? logo(page, logoId, pictureOf(page, medium).url, name, 'image', 'logo') : {}),
    ...(description === '' ? {} : { description }),
    ...(sameAs.length > 0 ? { sameAs } : {}),
    ...(pronouns === '' ? {} : { pronouns }),
  };
}

/** A picture under one name, and a reference to it under another. */
function logo(page: SeoPage, id: number, at: string, caption: string, whole: string, reference: string): GraphPiece {
  const medium = mediumOf(page, id);
  if (!medium) return {};
  const { url, width, height } = pictureOf(page, medium);
  return {
    [whole]: {
      '@type': 'ImageObject',
      inLanguage: languageTag(page),
      '@id': at,
      url,
      contentUrl: url,
      ...(width === undefined ? {} : { width, height }),
      caption,
    },
    [reference]: { '@id': at },
  };
}

/** `de-DE`. */
export function languageTag({ locale }: Pick<SeoPage, 'locale'>): string {
  return locale.replaceAll('_', '-');
}

function profileAt(handle: string): string {
  return handle === '' || /^https?:/i.test(handle) ? handle : networkBProfiles + encodeURIComponent(handle.replace(/^@/, ''));
}

function distinct(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.filter((one) => one !== ''))];
}
