/**
 * Revisions of posts: read and deleted, never written by clients.
 *
 * Shape    a state of a post: author, date, parent, slug, title, content, excerpt, meta
 * Access   whoever may edit the parent reads, whoever may delete the parent deletes
 * Errors   rest_post_invalid_parent, rest_post_invalid_id, rest_revision_parent_id_mismatch, rest_cannot_read, rest_cannot_delete,
 *          rest_trash_not_supported, rest_no_search_term_defined, rest_orderby_include_missing_include, rest_revision_invalid_page_number, rest_revision_invalid_offset_number
 * Source   specification 4.4; conformance scenario revisions-of-posts
 */
import { createRevisionView } from '../posts/view.ts';
import { fail } from '../../kernel/errors.ts';
import type { Fields } from '../../kernel/model/field.ts';
import { schemasOf } from '../../kernel/model/field.ts';
import { type PostRecord, type PostResource, shows, textField } from '../posts/record.ts';
import { type RevisionRecord, revisionFields, type RevisionView } from './record.ts';
import { of } from '../../kernel/model/schema.ts';
import type { PostType } from '../types/record.ts';
import type { Clause, Page, Sort } from '../../kernel/records/types.ts';
import type { Args } from '../../kernel/rest/args.ts';
import { collectionArgs, contextArg, itemsOf, listed } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { type Answer, answer, type Call, DELETE, READ, type Rule } from '../../kernel/rest/types.ts';
import { readSearch, relevance, type SearchTerms } from '../posts/list.ts';
import { draft } from '../../kernel/rest/schema-helpers.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fieldsOfRevisions } from './file.ts';
import { isFromGit, revisionTableOf } from './history.ts';
import { removed } from '../../kernel/rest/write-input.ts';

export function revisionRoutes(site: Site, resource: PostResource): Namespace['routes'] {
  const { type } = resource;
  const fields = fieldsFor(site, type);
  const project = createProjector<RevisionRecord, RevisionView>({
    fields,
    links: (revision, _view, call) => parentLink(call, resource, revision.parent),
    prepare: prepareRevision,
  });
  const item = (revision: RevisionRecord, call: Call): Item => project(revision, createRevisionView(call.site), call);
  const base = `/${type.restNamespace}/${type.restBase}/(?P<parent>[\\d]+)/revisions`;
  const parentArg: Args = { parent: of('integer', 'The ID for the parent of the revision.') };
  const idArg: Args = { ...parentArg, id: of('integer', 'Unique identifier for the revision.') };
  const schema = draft(`${type.name}-revision`, schemasOf(fields));
  const mayRead: Rule = (call) => (call.can('edit_post', parentOf(call, type)) ? null : 'rest_cannot_read');
  const mayDelete: Rule = (call) => {
    if (!call.can('delete_post', parentOf(call, type))) return 'rest_cannot_delete';
    // What git has is not taken out of it.
    if (isFromGit(call.site) && !call.site.revisions.get(Number(call.params.id))) return 'rest_cannot_delete';
    findRevision(call, parentOf(call, type).id);
    return null;
  };
  return [
    {
      path: base,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...parentArg, ...revisionListArgs },
          allow: mayRead,
          handle: (call) => listRevisions(call, parentOf(call, type).id, item),
        },
      ],
    },
    {
      path: `${base}/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...idArg, context: contextArg() },
          allow: mayRead,
          handle: (call) => readRevision(call, parentOf(call, type).id, item),
        },
        {
          methods: DELETE,
          args: {
            ...idArg,
            force: { type: 'boolean', default: false, description: 'Required to be true, as revisions do not support trashing.' },
          },
          allow: mayDelete,
          handle: (call) => removeRevision(call, parentOf(call, type).id, item),
        },
      ],
    },
  ];
}

const shared = collectionArgs({
  order: 'desc',
  orderby: 'date',
  keys: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
});

/** Arguments of lists of revisions, which show all of them unless a number is asked for. */
export const revisionListArgs: Args = { ...shared, per_page: { ...shared.per_page, default: undefined } };

/** Fields of revisions of one type; what modules add goes where the type has them too. */
export function fieldsFor(site: Site, type: PostType): Fields<RevisionRecord, RevisionView> {
  const needs: Readonly<Record<string, string>> = {
    title: 'title',
    content: 'editor',
    excerpt: 'excerpt',
  };
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

export function parentLink(call: Call, { type }: PostResource, parent: number) {
  return { parent: [{ href: call.urls.rest(`/${type.restNamespace}/${type.restBase}/${parent}`) }] };
}

/** The post whose revisions are meant. @throws RestError rest_post_invalid_parent */
export function parentOf(call: Call, type: PostType): PostRecord {
  const parent = call.site.posts.get(Number(call.params.parent));
  return parent?.type === type.name ? parent : fail('rest_post_invalid_parent');
}

type ToItem = (revision: RevisionRecord, call: Call) => Item;

/**
 * The revision that a path names.
 * @param parent  id of the item that it must be of
 * @throws RestError rest_post_invalid_id, rest_revision_parent_id_mismatch
 */
export function findRevision({ site, params }: Call, parent: number): RevisionRecord {
  const revision = site.revisions.get(Number(params.id)) ?? fail('rest_post_invalid_id', {}, 'Invalid revision ID.');
  return revision.parent === parent ? revision : fail('rest_revision_parent_id_mismatch');
}

/** The revision that a path names. @throws RestError as `findRevision` */
async function readRevision(call: Call, parent: number, item: ToItem): Promise<Answer | Item> {
  if (!isFromGit(call.site)) return item(findRevision(call, parent), call);
  const table = await revisionTableOf(call.site, parent);
  return answer(await item(table.get(Number(call.params.id)) ?? findRevision(call, parent), call), { headers: uncached });
}

/** Commits come and go without a change of any record. */
const uncached = { 'Cache-Control': 'no-store' };

/** @throws RestError as `queryRevisions` */
export async function listRevisions(call: Call, parent: number, item: ToItem): Promise<Answer> {
  const { records, total, perPage } = await queryRevisions(call, parent);
  const items = await itemsOf(records, (revision) => item(revision, call));
  const list = listed(call, items, total, { page: call.params.page, perPage });
  return isFromGit(call.site) ? { ...list, headers: { ...list.headers, ...uncached } } : list;
}

/** @throws RestError as `findRevision`; rest_trash_not_supported */
export async function removeRevision(call: Call, parent: number, item: ToItem): Promise<unknown> {
  if (!call.params.force) fail('rest_trash_not_supported');
  const revision = findRevision(call, parent);
  return removed(item(revision, call), () => call.site.write(() => ({ changes: [{ remove: revision.path }], result: null })));
}

/**
 * The revisions of an item that a request's list arguments ask for; arguments that a route does not have may be missing.
 * Autosaves are among them (observed).
 *
 * @throws RestError rest_no_search_term_defined, rest_orderby_include_missing_include, rest_revision_invalid_offset_number,
 *         rest_revision_invalid_page_number
 */
async function queryRevisions(
  { params, site }: Call,
  parent: number,
): Promise<Page<RevisionRecord> & { readonly perPage: number }> {
  const words = params.search ? readSearch(params.search, false) : null;
  if (params.orderby === 'relevance' && !words) fail('rest_no_search_term_defined');
  if (params.orderby === 'include' && params.include.length === 0) fail('rest_orderby_include_missing_include');
  const where: Clause[] = [{ kind: 'in', index: 'parent', values: [parent] }];
  if (params.include?.length > 0) where.push({ kind: 'ids', values: params.include });
  else if (params.exclude?.length > 0) where.push({ kind: 'ids', values: params.exclude, not: true });
  if (words) where.push({ kind: 'search', columns: ['title', 'content', 'excerpt'], ...words });
  const limit = params.per_page as number | undefined;
  const skipped = (params.offset as number | undefined) ?? 0;
  // Without a page length all are shown, whatever the offset.
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
