/**
 * Revisions of posts: read and deleted, never written by clients.
 *
 * Shape    a state of a post: author, date, parent, slug, title, content, excerpt, meta
 * Access   whoever may edit the parent reads, whoever may delete the parent deletes
 * Errors   rest_post_invalid_parent, rest_post_invalid_id, rest_revision_parent_id_mismatch, rest_cannot_read, rest_cannot_delete,
 *          rest_trash_not_supported, rest_no_search_term_defined, rest_orderby_include_missing_include, rest_revision_invalid_page_number, rest_revision_invalid_offset_number
 * Source   specification 4.4; conformance scenario revisions-of-posts
 */
import { table } from '../../../kernel/model/maps.ts';
import { createRevisionView } from './view.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Fields } from '../../../kernel/model/field.ts';
import { type PostRecord, type PostResource, shows, textField } from '../posts/record.ts';
import { type RevisionRecord, revisionFields, type RevisionView } from './record.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { PostType } from '../../types/record.ts';
import type { Clause, ResultPage, Sort } from '../../../kernel/records/types.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { collectionArgs } from '../../../kernel/rest/collection.ts';
import {
  collection,
  defineResource,
  type Found,
  gone,
  item,
  RecordPage,
  type RouteLinks,
  told,
} from '../../../kernel/rest/resource.ts';
import type { Call, Namespace, AccessRule } from '../../../kernel/rest/types.ts';
import { readSearch, relevance, type SearchTerms } from '../search/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { fieldsOfRevisions } from './file.ts';
import { isFromGit, revisionTableOf } from './history.ts';

export function revisionRoutes(site: Site, resource: PostResource): Namespace['routes'] {
  const { type } = resource;
  const parentId = (call: Call): number => parentOf(call, type).id;
  const mayRead: AccessRule = (call) => (call.can('edit_post', parentOf(call, type)) ? null : 'rest_cannot_read');
  const mayDelete: AccessRule = (call) => {
    if (!call.can('delete_post', parentOf(call, type))) return 'rest_cannot_delete';
    // Git revisions cannot be deleted.
    if (isFromGit(call.site) && !call.site.revisions.get(Number(call.params.id))) return 'rest_cannot_delete';
    // The parent is checked later, as in the reference: permissions do not depend on it.
    anyRevision(call);
    return null;
  };
  return defineResource<RevisionRecord, RevisionView>({
    name: `${type.name}-revision`,
    base: `/${type.restNamespace}/${type.restBase}/(?P<parent>[\\d]+)/revisions`,
    fields: fieldsFor(site, type),
    view: (call) => createRevisionView(call.site),
    links: (revision) => parentLink(resource, revision),
    prepare: prepareRevision,
    params: {
      parent: of('integer', 'The ID for the parent of the revision.'),
      id: of('integer', 'Unique identifier for the revision.'),
    },
    routes: [
      collection({ args: revisionListArgs, allow: mayRead, handle: (call) => listRevisions(call, parentId(call)) }),
      item('(?P<id>[\\d]+)', {
        read: { allow: mayRead, handle: (call) => readRevision(call, parentId(call)) },
        remove: {
          args: { force: of('boolean', 'Required to be true, as revisions do not support trashing.', { default: false }) },
          allow: mayDelete,
          context: ({ context }) => context,
          handle: (call) => removeRevision<RevisionRecord>(call, parentId(call)),
        },
      }),
    ],
  });
}

const shared = collectionArgs({
  order: 'desc',
  orderby: 'date',
  keys: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
});

/** Arguments of revision lists, which are unlimited by default. */
export const revisionListArgs: Args = { ...shared, per_page: { ...shared.per_page, default: undefined } };

/** Fields of revisions of one type; module fields only if the type has them. */
export function fieldsFor(site: Site, type: PostType): Fields<RevisionRecord, RevisionView> {
  const needs: Readonly<Record<string, string>> = table({
    title: 'title',
    content: 'editor',
    excerpt: 'excerpt',
  });
  const own = site.postFields.get(type.name) ?? {};
  const isShown = (name: string): boolean => {
    if (!Object.hasOwn(revisionFields, name)) return Object.hasOwn(own, name);
    return !needs[name] || shows(type, needs[name]);
  };
  const shown = Object.entries(fieldsOfRevisions(site)).filter(([name]) => isShown(name));
  return Object.fromEntries(
    shown.map(([name, field]) => [name, name === 'title' || name === 'content' ? textField(type, name, field, true) : field]),
  );
}

export function prepareRevision(revision: RevisionRecord, view: RevisionView, call: Call): Promise<void> | undefined {
  return call.context !== 'embed' && call.fields.wants('content') ? view.prepare(revision) : undefined;
}

/** A draft saved in place has no parent. */
export function parentLink({ type }: PostResource, { parent }: RevisionRecord): RouteLinks {
  return parent === 0 ? {} : { parent: `/${type.restNamespace}/${type.restBase}/${parent}` };
}

/** The post of the revisions. @throws RestError rest_post_invalid_parent */
export function parentOf(call: Call, type: PostType): PostRecord {
  const parent = call.site.posts.get(Number(call.params.parent));
  return parent?.type === type.name ? parent : fail('rest_post_invalid_parent');
}

/**
 * The revision in a path.
 * @param parent  id of the item it must belong to
 * @throws RestError rest_post_invalid_id, rest_revision_parent_id_mismatch
 */
export function findRevision(call: Call, parent: number): RevisionRecord {
  const revision = anyRevision(call);
  return revision.parent === parent ? revision : fail('rest_revision_parent_id_mismatch');
}

/** The revision with the id in a path, of any item. @throws RestError rest_post_invalid_id */
function anyRevision({ site, params }: Call): RevisionRecord {
  return site.revisions.get(Number(params.id)) ?? fail('rest_post_invalid_id', {}, 'Invalid revision ID.');
}

/** The revision in a path. @throws RestError as `findRevision` */
async function readRevision(call: Call, parent: number): Promise<Found<RevisionRecord>> {
  if (!isFromGit(call.site)) return findRevision(call, parent);
  const table = await revisionTableOf(call.site, parent);
  return told(table.get(Number(call.params.id)) ?? findRevision(call, parent), uncached);
}

/** Commits come and go without a change of any record. */
const uncached = { 'Cache-Control': 'no-store' };

/**
 * A page of revisions, each in the form of the resource.
 * @throws RestError as `queryRevisions`
 */
export async function listRevisions<R = RevisionRecord>(call: Call, parent: number, form = asItIs<R>): Promise<RecordPage<R>> {
  const { records, total, perPage } = await queryRevisions(call, parent);
  const headers = isFromGit(call.site) ? uncached : {};
  return new RecordPage(records.map(form), total, { page: call.params.page, perPage, offset: 0, headers });
}

/** @throws RestError as `findRevision`; rest_trash_not_supported */
export function removeRevision<R = RevisionRecord>(call: Call, parent: number, form = asItIs<R>): Found<R> {
  if (!call.params.force) fail('rest_trash_not_supported');
  const revision = findRevision(call, parent);
  return gone(form(revision), () => call.site.write(() => ({ changes: [{ remove: revision.path }], result: null })));
}

const asItIs = <R>(revision: RevisionRecord): R => revision as R;

/**
 * The revisions of an item for the request's list arguments, which a route may lack. Includes autosaves (observed).
 *
 * @throws RestError rest_no_search_term_defined, rest_orderby_include_missing_include, rest_revision_invalid_offset_number,
 * rest_revision_invalid_page_number
 */
async function queryRevisions(
  { params, site }: Call,
  parent: number,
): Promise<ResultPage<RevisionRecord> & { readonly perPage: number }> {
  const words = params.search ? readSearch(params.search, false) : null;
  if (params.orderby === 'relevance' && !words) fail('rest_no_search_term_defined');
  if (params.orderby === 'include' && params.include.length === 0) fail('rest_orderby_include_missing_include');
  const where: Clause[] = [{ kind: 'in', index: 'parent', values: [parent] }];
  if (params.include?.length > 0) where.push({ kind: 'ids', values: params.include });
  else if (params.exclude?.length > 0) where.push({ kind: 'ids', values: params.exclude, not: true });
  if (words) where.push({ kind: 'search', columns: ['title', 'content', 'excerpt'], ...words });
  const limit = params.per_page as number | undefined;
  const skipped = (params.offset as number | undefined) ?? 0;
  // Without a page length all are returned, whatever the offset.
  const offset = limit === undefined ? 0 : skipped || ((params.page as number) - 1) * limit;
  const table = await revisionTableOf(site, parent);
  const { records, total } = await table.find({
    where,
    sort: sortOf(params, words),
    offset,
    ...(limit === undefined ? {} : { limit }),
  });
  const pages = limit ? Math.ceil(total / limit) : 1;
  if (total > 0 && skipped >= total) fail('rest_revision_invalid_offset_number');
  if (total > 0 && skipped === 0 && params.page > pages) fail('rest_revision_invalid_page_number');
  return { records, total, perPage: limit ?? (total || 1) };
}

function sortOf({ orderby = 'id', order: direction = 'desc', include }: Call['params'], words: SearchTerms | null): Sort {
  if (orderby === 'include') return { by: include, direction: 'asc' };
  if (orderby === 'relevance') return { by: relevance(words), direction, then: [{ by: 'date', direction }] };
  return orderby === 'include_slugs' ? { by: 'date', direction: 'asc' } : { by: orderby, direction };
}
