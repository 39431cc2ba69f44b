/**
 * Tables of a site, made from the index facets of its fields.
 */
import { commentFields, type CommentRecord } from '../../modules/comments/record.ts';
import type { Fields, IndexFacet } from '../model/field.ts';
import type { PostFields, PostRecord } from '../../modules/posts/record.ts';
import type { RevisionRecord } from '../../modules/revisions/record.ts';
import type { TermFields, TermRecord } from '../../modules/terms/record.ts';
import { type UserRecord, userFields } from '../../modules/users/record.ts';
import type { Identified, TableSpec } from '../records/types.ts';

export function postTable(tables: Iterable<PostFields>): TableSpec<PostRecord> {
  return {
    ...spec<PostRecord>('posts', [...tables]),
    views: ['date', 'modified', 'title'].map((order) => ({ by: ['type', 'status'], order })),
  };
}

export function termTable(tables: Iterable<TermFields>): TableSpec<TermRecord> {
  return { ...spec<TermRecord>('terms', [...tables]), views: [{ by: ['taxonomy'], order: 'name' }] };
}

export const userTable: TableSpec<UserRecord> = spec<UserRecord>('users', [userFields]);

export const commentTable: TableSpec<CommentRecord> = {
  ...spec<CommentRecord>('comments', [commentFields]),
  views: [{ by: ['status', 'type'], order: 'date_gmt' }],
};

export const revisionTable: TableSpec<RevisionRecord> = {
  name: 'revisions',
  unique: {},
  equal: {
    parent: (revision) => revision.parent,
    author: (revision) => revision.author,
    autosave: (revision) => (revision.autosave ? 1 : 0),
  },
  order: {
    id: (revision) => revision.id,
    date: (revision) => revision.date,
    title: (revision) => revision.title.toLowerCase(),
    slug: (revision) => revision.slug,
  },
  text: { title: (revision) => revision.title, content: (revision) => revision.content, excerpt: (revision) => revision.excerpt },
  views: [],
};

/** One index for each facet, under the field's name; fields that a type hides keep theirs. */
function spec<R extends Identified>(name: string, tables: readonly Fields<R, never>[]): TableSpec<R> {
  const facets = new Map<string, IndexFacet<R>>();
  for (const table of tables) {
    for (const [field, { index }] of Object.entries(table)) if (index) facets.set(field.replace(/^_/, ''), index);
  }
  const pick = <K extends keyof IndexFacet<R>>(kind: K) =>
    Object.fromEntries(
      [...facets].flatMap(([field, facet]) => (facet[kind] ? [[field, facet[kind] as NonNullable<IndexFacet<R>[K]>]] : [])),
    );
  return {
    name,
    unique: pick('unique'),
    equal: pick('equal'),
    order: { id: (record) => record.id, ...pick('order') },
    text: pick('text'),
    views: [],
  };
}
