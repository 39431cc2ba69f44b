/** The list of terms: its parameters and queries (specification 4.1; behaviour of the reference 6.9). */
import type { Site } from '../../../kernel/site/site.ts';
import { countOf } from './view.ts';
import { childrenOf } from './plan.ts';
import type { Extended } from '../../../kernel/extended.ts';
import { of } from '../../../kernel/model/schema.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { Taxonomy } from '../../types/record.ts';
import { termNamed } from '../named-ids/record.ts';
import type { TermRecord } from './record.ts';
import type { Clause, Sort } from '../../../kernel/records/types.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { collectionArgs, slugsArg } from '../../../kernel/rest/collection.ts';
import { RecordPage } from '../../../kernel/rest/resource.ts';
import type { Call, Refusal, AccessRule } from '../../../kernel/rest/types.ts';

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'];

const shared = collectionArgs({ order: 'asc', orderby: 'name', keys: orders });

export function termListArgs({ name, hierarchical }: Taxonomy): Args {
  const { offset: _offset, ...paged } = shared;
  return {
    ...(hierarchical ? paged : shared),
    hide_empty: of('boolean', 'Whether to hide terms not assigned to any posts.', { default: false }),
    ...(hierarchical
      ? { parent: { ...of('integer', 'Limit result set to terms assigned to a specific parent.'), named: termNamed(name) } }
      : {}),
    post: of('integer', 'Limit result set to terms assigned to a specific post.', { default: null }),
    slug: slugsArg,
  };
}

export const notInEdit: Refusal = {
  code: 'rest_forbidden_context',
  message: 'Sorry, you are not allowed to edit terms in this taxonomy.',
};

/** Everyone may list; the edit context requires the right to edit terms, a post's terms the right to read it. */
export function mayListTerms(taxonomy: Taxonomy, allow: AccessRule): AccessRule {
  return (call) => {
    if (call.context === 'edit' && !call.can(taxonomy.capabilities.edit_terms)) return notInEdit;
    if (call.params.post) {
      const post = call.site.posts.get(call.params.post as number);
      if (!post) return { code: 'rest_post_invalid_id', data: { status: 400 } };
      const isOpen = post.status === 'publish' && call.site.types.get(post.type)?.viewable;
      if (!taxonomy.types.includes(post.type) || !(isOpen || call.can('read_post', post))) {
        return { code: 'rest_forbidden_context', message: 'Sorry, you are not allowed to view terms for this post.' };
      }
    }
    return allow(call);
  };
}

export async function listTerms(call: Call, taxonomy: Taxonomy, extension: Extended): Promise<RecordPage<TermRecord>> {
  const { site, params } = call;
  const perPage = params.per_page as number;
  const offset =
    !taxonomy.hierarchical && params.offset ? Math.abs(params.offset as number) : ((params.page as number) - 1) * perPage;
  const where = [...clausesOf(call, taxonomy), ...extension.where(call)];
  const query = { sort: sortOf(call), offset, limit: perPage };
  // A post's own terms are not empty.
  const hides = params.hide_empty && !params.post;
  const having = (test: (term: TermRecord) => boolean): Clause[] =>
    hides ? [...where, { kind: 'test', test: test as (record: never) => boolean }] : where;
  const filled = (term: TermRecord): boolean => countOf(site, term) > 0;
  const shown = taxonomy.hierarchical ? (term: TermRecord) => leadsTo(site, term, filled) : filled;
  const { records, total } = await site.terms.find({ where: having(shown), ...query });
  // Empty terms included for their descendants do not count in the total (observed).
  const counted =
    hides && taxonomy.hierarchical
      ? (await site.terms.find({ where: having(filled), ...query, offset: 0, limit: 0 })).total
      : total;
  return new RecordPage(records, counted, { page: Math.ceil(offset / perPage) + 1, perPage, offset });
}

function clausesOf({ params, site }: Call, { name, hierarchical }: Taxonomy): Clause[] {
  const where: Clause[] = [{ kind: 'in', index: 'taxonomy', values: [name] }];
  const include = params.include as readonly number[];
  if (include.length > 0) where.push({ kind: 'ids', values: include });
  else if (params.exclude.length > 0) where.push({ kind: 'ids', values: params.exclude, not: true });
  if (hierarchical && params.parent !== undefined && params.parent !== null)
    where.push({ kind: 'in', index: 'parent', values: [params.parent] });
  if (params.post) where.push({ kind: 'ids', values: site.posts.get(params.post as number)?.terms[name] ?? [] });
  if (params.slug?.length > 0) where.push({ kind: 'in', index: 'slug', values: slugsOf(params.slug, name) });
  where.push(...site.addresses.termsAsked(params));
  if (params.search) where.push({ kind: 'search', columns: ['name', 'slug'], words: [params.search as string], without: [] });
  return where;
}

function slugsOf(slugs: readonly string[], taxonomy: string): string[] {
  return slugs.map((slug) => `${taxonomy}:${slugify(slug)}`);
}

function sortOf({ params, site }: Call): Sort {
  const direction = params.order as 'asc' | 'desc';
  const include = params.include as readonly number[];
  switch (params.orderby) {
    case 'include':
      return include.length > 0 ? byPlace(include, (term) => term.id, direction) : { by: 'name', direction };
    case 'include_slugs':
      return params.slug?.length > 0
        ? byPlace(
            (params.slug as readonly string[]).map((slug) => slugify(slug)),
            (term) => term.slug,
            direction,
          )
        : { by: 'name', direction };
    // There are no groups.
    case 'term_group':
      return { by: 'id', direction: 'asc' };
    case 'count':
      return { by: ((term: TermRecord) => countOf(site, term)) as (record: never) => number, direction };
    default:
      return { by: params.orderby as string, direction };
  }
}

/** Sorts by the position in a requested list; `desc` reverses it. */
function byPlace<T>(list: readonly T[], key: (term: TermRecord) => T, direction: 'asc' | 'desc'): Sort {
  const places = new Map([...list.entries()].reverse().map(([place, value]) => [value, place]));
  const score = (term: TermRecord): number => places.get(key(term)) ?? -1;
  return { by: score as (record: never) => number, direction };
}

/** Whether the term or a descendant matches. */
function leadsTo(site: Site, term: TermRecord, isWanted: (term: TermRecord) => boolean, seen = new Set<number>()): boolean {
  if (isWanted(term)) return true;
  seen.add(term.id);
  return childrenOf(site, term).some((child) => !seen.has(child.id) && leadsTo(site, child, isWanted, seen));
}
