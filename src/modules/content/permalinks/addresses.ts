/**
 * What posts and terms ask about URLs: whether one is taken, and which items `?path=/about/team` selects. (An extension, so the catalogue does not
 * list it.)
 */
import { itemParams } from '../../../kernel/rest/address-prefix.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { postAt, termAt } from './post-by-url.ts';
import { type Addresses, homeOf, settingPage } from './record.ts';
import { createLookUpWithin } from './resolve-url.ts';

export function createAddresses(site: Site): Addresses {
  const settings = ['front_page', 'posts_page'] as const;
  return {
    isSettingPage: (post) => settings.some((key) => settingPage(site, key, itemParams(site, post)) === post.id),
    within: createLookUpWithin(site),
    postsAsked: (params) => atPaths(site, params, postAt),
    termsAsked: (params) => atPaths(site, params, termAt),
  };
}

function atPaths(
  site: Site,
  { path }: Params,
  find: (site: Site, address: string) => { readonly id: number } | undefined,
): Clause[] {
  if (path === undefined || path === null) return [];
  const paths = [path].flat().map(String);
  return [{ kind: 'ids', values: paths.flatMap((one) => find(site, addressOf(site, one))?.id ?? []) }];
}

function addressOf(site: Site, path: string): string {
  return /^https?:\/\//i.test(path) ? path : `${homeOf(site)}/${path.replace(/^\/+/, '')}`;
}
