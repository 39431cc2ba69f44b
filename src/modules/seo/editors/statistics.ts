/**
 * How the published posts of a site are rated, for an overview: a row for each rating that some posts have.
 *
 * Shape    `{header, seo_scores: [{seo_rank, label, count, link}]}`
 * Access   whoever signs in; those who may not edit posts of others see their own
 * Source   reference of seo/v1, 3.2
 */
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoValues } from '../metadata/record.ts';

interface Rank {
  readonly name: string;
  readonly label: string;
  has(values: SeoValues): boolean;
}

/** A post may have more than one. */
const ranks: readonly Rank[] = [
  {
    name: 'bad',
    label: 'Posts rated <strong>in need of work</strong>',
    has: ({ score }) => score >= 1 && score <= 40,
  },
  { name: 'ok', label: 'Posts rated <strong>fair</strong>', has: ({ score }) => score >= 41 && score <= 70 },
  { name: 'good', label: 'Posts rated <strong>good</strong>', has: ({ score }) => score >= 71 },
  { name: 'na', label: 'Posts with <strong>no</strong> focus keyphrase', has: ({ keyphrase }) => keyphrase === '' },
  {
    name: 'noindex',
    label: 'Posts <strong>kept out</strong> of search results',
    has: ({ noindex }) => noindex === true,
  },
];
/** Share of posts that are rated well above which they are praised. */
const well = 0.66;

export async function statistics(call: Call): Promise<object> {
  const { site, user, request } = call;
  const own = call.can('edit_others_posts') ? null : (user?.id ?? 0);
  const counts = new Map(ranks.map((rank) => [rank, 0]));
  for await (const post of paced(publishedPosts(call, own))) {
    const values = site.seo.valuesOf(post);
    for (const rank of ranks) if (rank.has(values)) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  const list = `${site.url}/${request.dialect.admin}/edit.php?post_status=publish&#038;post_type=post&#038;seo_filter=`;
  const rows = [...counts].filter(([, count]) => count > 0);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  const good = rows.find(([{ name }]) => name === 'good')?.[1] ?? 0;
  return {
    header: headerOf(total, good),
    seo_scores: rows.map(([{ name, label }, count]) => ({
      seo_rank: name,
      label,
      count,
      link: `${list}${name}${own === null ? '' : `&#038;author=${own}`}`,
    })),
  };
}

function publishedPosts({ site }: Call, author: number | null): readonly PostRecord[] {
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: ['post'] },
    { kind: 'in', index: 'status', values: ['publish'] },
    ...(author === null ? [] : [{ kind: 'in' as const, index: 'author', values: [author] }]),
  ];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0 }).records;
}

function headerOf(total: number, good: number): string {
  if (total === 0) return 'Nothing is published yet: ratings of posts will be shown here.';
  return good / total > well
    ? 'Most of your posts are rated well:'
    : 'Your published posts are rated like this; some can be better:';
}
