/**
 * Objects that have an index record, by their keys; and which there are to be.
 */
import { table } from '../../../kernel/model/maps.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoTarget } from '../metadata/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { archiveSlug } from '../../types/record.ts';
import type { IndexKey } from './record.ts';

export function keyOf(target: SeoTarget): IndexKey {
  if (target.kind === 'post') return `post:${target.post.id}`;
  if (target.kind === 'term') return `term:${target.term.id}`;
  if (target.kind === 'user') return `user:${target.user.id}`;
  return target.kind === 'archive' ? `archive:${target.type}` : target.kind;
}

/** What a key stands for; undefined when it is not there any more. */
export function targetOf(site: Site, key: IndexKey): SeoTarget | undefined {
  const [kind, name = ''] = key.split(':');
  if (kind === 'archive') return archiveSlug(site.types.get(name)) === '' ? undefined : { kind, type: name };
  if (kind === 'home') return { kind };
  if (kind === 'date') return { kind, date: '' };
  if (kind === 'search') return { kind, phrase: '' };
  if (kind === 'missing') return { kind };
  const object = objectOf(site, key);
  if (!object) return undefined;
  return 'taxonomy' in object ? { kind: 'term', term: object } : { kind: 'post', post: object };
}

/** The post or term of a key, as far as it has pages of its own. */
export function objectOf(site: Site, key: IndexKey): PostRecord | TermRecord | undefined {
  const [kind, id] = key.split(':');
  if (kind === 'post') {
    const post = site.posts.get(Number(id));
    return post && hasPostPages(site, post) ? post : undefined;
  }
  const term = kind === 'term' ? site.terms.get(Number(id)) : undefined;
  return term && hasTermPages(site, term) ? term : undefined;
}

/** Keys of one sort, in the order in which they are indexed. */
export const sorts = table({
  posts: (site: Site) => idsOf('post', site.posts.all(), (post) => hasPostPages(site, post)),
  terms: (site: Site) => idsOf('term', site.terms.all(), (term) => hasTermPages(site, term)),
  'post-type-archives': async (site: Site) =>
    [...site.types.values()].filter((type) => archiveSlug(type) !== '').map(({ name }) => `archive:${name}`),
  general: async (site: Site) => [
    ...['missing', 'search', 'date'],
    // The front page has its own record.
    ...(site.settings.value('front') === 'page' ? [] : ['home']),
  ],
} as const satisfies Readonly<Record<string, (site: Site) => Promise<readonly IndexKey[]>>>);

export type TargetSort = keyof typeof sorts;

async function idsOf<R extends { readonly id: number }>(
  kind: string,
  records: Iterable<R>,
  isWanted: (record: R) => boolean,
): Promise<readonly IndexKey[]> {
  const ids: number[] = [];
  for await (const record of paced([...records])) if (isWanted(record)) ids.push(record.id);
  return ids.sort((a, b) => a - b).map((id) => `${kind}:${id}`);
}

function hasPostPages(site: Site, { type, status }: PostRecord): boolean {
  if (status === 'auto-draft' || site.types.get(type)?.viewable !== true) return false;
  return type !== 'attachment' || !site.seo.options().attachmentDisabled;
}

function hasTermPages(site: Site, { taxonomy }: TermRecord): boolean {
  const known = site.taxonomies.get(taxonomy);
  return known?.public === true && known.queryable;
}
