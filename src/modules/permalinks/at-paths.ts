/**
 * `?path=/about/team`: lists narrowed to what has an address. An addition of this product, so the catalogue does not list it.
 */
import type { Clause } from '../../kernel/records/types.ts';
import type { Call } from '../../kernel/rest/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import { postAt, termAt } from './post-by-url.ts';
import { homeOf } from './record.ts';

type Asked = Pick<Call, 'params' | 'site'>;

/** Items at the path asked for: one of the site, or a whole address of it; several in a list. Without one, no clause. */
export const postsAtPaths = (call: Asked): Clause[] => atPaths(call, postAt);

/** The same of terms. */
export const termsAtPaths = (call: Asked): Clause[] => atPaths(call, termAt);

function atPaths({ params, site }: Asked, find: (site: Site, address: string) => { readonly id: number } | undefined): Clause[] {
  if (params.path === undefined || params.path === null) return [];
  const paths = [params.path].flat().map(String);
  return [{ kind: 'ids', values: paths.flatMap((path) => find(site, addressOf(site, path))?.id ?? []) }];
}

function addressOf(site: Site, path: string): string {
  return /^https?:\/\//i.test(path) ? path : `${homeOf(site)}/${path.replace(/^\/+/, '')}`;
}
