/**
 * What search engines may do with a page.
 *
 * Source: reference on seo/v1, 4.4; corrections from recordings.
 */
import type { Clause } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { Robots, SeoTarget } from './record.ts';

const limits = {
  'max-snippet': 'max-snippet:-1',
  'max-image-preview': 'max-image-preview:large',
  'max-video-preview': 'max-video-preview:-1',
} as const;

export function robotsOf(site: Site, target: SeoTarget): Robots {
  const values = target.kind === 'post' ? site.seo.valuesOf(target.post) : undefined;
  const noindex = site.seo.options().hidden || isNoindexed(site, target);
  const nofollow = values?.nofollow ?? false;
  const base = { index: noindex ? 'noindex' : 'index', follow: nofollow ? 'nofollow' : 'follow' };
  if (noindex) return { noindex, nofollow, directives: base };
  const { noimageindex = false, noarchive = false, nosnippet = false } = values ?? {};
  const directives: Record<string, string> = { ...base, ...limits };
  if (nosnippet) delete directives['max-snippet'];
  if (noimageindex) delete directives['max-image-preview'];
  if (noimageindex) directives.imageindex = 'noimageindex';
  if (noarchive) directives.archive = 'noarchive';
  if (nosnippet) directives.snippet = 'nosnippet';
  return { noindex, nofollow, directives };
}

function isNoindexed(site: Site, target: SeoTarget): boolean {
  const options = site.seo.options();
  switch (target.kind) {
    case 'post': {
      const { post } = target;
      return (
        site.seo.valuesOf(post).noindex ??
        (post.status === 'private' || options.ofType(post.type).noindex || isDisabled(site, post))
      );
    }
    case 'term':
      return site.seo.valuesOf(target.term).noindex ?? options.ofTaxonomy(target.term.taxonomy).noindex;
    case 'user':
      return (
        options.authorNoindex ||
        site.seo.valuesOfUser(target.user).noindex ||
        (options.authorNoindexWithoutPosts && !hasPosts(site, target.user))
      );
    case 'archive':
      return options.ofType(target.type).archiveNoindex;
    case 'date':
      return options.dateNoindex;
    case 'home':
      return false;
    default:
      return true;
  }
}

/** Media have no pages for search engines unless the options say so. */
function isDisabled(site: Site, post: PostRecord): boolean {
  return post.type === 'attachment' && site.seo.options().attachmentDisabled;
}

/** Whether somebody has published anything. Cost: an intersection of posting lists. */
export function hasPosts(site: Site, user: UserRecord): boolean {
  const types = [...site.types.values()].filter(
    ({ name, viewable, supports }) => viewable && 'author' in supports && name !== 'attachment',
  );
  const where: Clause[] = [
    { kind: 'in', index: 'author', values: [user.id] },
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'in', index: 'type', values: types.map(({ name }) => name) },
  ];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 }).total > 0;
}
