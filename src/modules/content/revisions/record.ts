/**
 * Revisions and autosaves: former and unsaved states of a post (specification sections 2.6 and 4.4).
 */
import type { Site } from '../../../kernel/site/site.ts';
import { parseFileDate, printFileDate } from '../../../kernel/model/dates.ts';
import { FieldProblem, type Fields, flag, idFile, inFile, integer, map, text } from '../../../kernel/model/field.ts';
import { plain } from '../../../kernel/model/plain.ts';
import { editOnly, everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { Table, TableSpec } from '../../../kernel/records/types.ts';
import type { Link } from '../../../kernel/rest/item.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly revisions: Table<RevisionRecord>;
  }
}

export interface RevisionRecord {
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  /** Id of the post. */
  readonly parent: number;
  readonly author: number;
  /** Site time and GMT of the state. */
  readonly date: string;
  readonly dateGmt: string;
  /** Of an autosave saved into the draft itself, whose date may float. */
  readonly saved?: { readonly date: string; readonly dateGmt: string };
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly slug: string;
  readonly autosave: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface RevisionView {
  title(revision: RevisionRecord): string;
  content(revision: RevisionRecord): string;
  excerpt(revision: RevisionRecord): string;
  /** Loads what takes long; await it before `content`. */
  prepare(revision: RevisionRecord): Promise<void> | undefined;
  guid(revision: RevisionRecord): string;
  meta(revision: RevisionRecord): unknown;
  /** GMT for clients, as for posts. */
  gmt(date: string): string;
}

const readonly = true;
const moment = (description: string, context = viewAndEdit) => of('string', description, { format: 'date-time', context });

/** The fields of revisions. Autosaves add `preview_link`. */
export const revisionFields: Fields<RevisionRecord, RevisionView> = {
  id: {
    schema: of('integer', 'Unique identifier for the revision.', { context: everywhere }),
    get: (revision) => revision.id,
    file: idFile,
  },
  parent: {
    schema: of('integer', 'The ID for the parent of the revision.', { context: everywhere }),
    get: (revision) => revision.parent,
    file: inFile<RevisionRecord, 'parent'>('parent', integer, 0),
  },
  author: {
    schema: of('integer', 'The ID for the author of the revision.', { context: everywhere }),
    get: (revision) => revision.author,
    file: inFile<RevisionRecord, 'author'>('author', integer, 0),
  },
  date: {
    schema: moment("The date the revision was published, in the site's timezone.", everywhere),
    get: (revision) => revision.date || null,
    file: {
      key: 'date',
      read(raw, draft, cx) {
        const parsed = parseFileDate(String(raw ?? ''), cx.zone);
        if (!parsed) throw new FieldProblem('date', 'a revision needs its date');
        [draft.date, draft.dateGmt] = [parsed.local, parsed.gmt];
      },
      print: (revision, cx) => plain(printFileDate(revision.date, revision.dateGmt, cx.zone)),
    },
  },
  date_gmt: {
    schema: moment('The date the revision was published, as GMT.'),
    get: ({ dateGmt }, view) => (dateGmt === '' ? null : view.gmt(dateGmt)),
  },
  modified: {
    schema: moment("The date the revision was last modified, in the site's timezone."),
    get: (revision) => revision.saved?.date ?? revision.date,
  },
  modified_gmt: {
    schema: moment('The date the revision was last modified, as GMT.'),
    get: (revision, view) => view.gmt(revision.saved?.dateGmt ?? revision.dateGmt),
  },
  slug: {
    schema: of('string', 'An alphanumeric identifier for the revision unique to its type.', { context: everywhere }),
    get: (revision) => revision.slug,
  },
  guid: {
    schema: of('object', 'GUID for the revision.', { context: viewAndEdit, readonly, properties: rawAndRendered(viewAndEdit) }),
    get: { raw: (revision, view) => view.guid(revision), rendered: (revision, view) => view.guid(revision) },
  },
  title: {
    schema: of('object', 'The title for the revision.', { context: everywhere, properties: rawAndRendered(everywhere) }),
    get: { raw: (revision) => revision.title, rendered: (revision, view) => view.title(revision) },
    file: inFile<RevisionRecord, 'title'>('title', text, ''),
  },
  content: {
    schema: of('object', 'The content for the revision.', { context: viewAndEdit, properties: rawAndRendered(viewAndEdit) }),
    get: { raw: (revision) => revision.content, rendered: (revision, view) => view.content(revision) },
  },
  excerpt: {
    schema: of('object', 'The excerpt for the revision.', { context: everywhere, properties: rawAndRendered(everywhere) }),
    get: { raw: (revision) => revision.excerpt, rendered: (revision, view) => view.excerpt(revision) },
    file: inFile<RevisionRecord, 'excerpt'>('excerpt', text, ''),
  },
  meta: {
    schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: [] }),
    get: (revision, view) => view.meta(revision),
    file: inFile<RevisionRecord, 'meta'>('meta', map, {}),
  },
  _autosave: { file: inFile<RevisionRecord, 'autosave'>('autosave', flag, false) },
};

function rawAndRendered(contexts: typeof everywhere) {
  return {
    raw: of('string', 'As it exists in the file.', { context: editOnly }),
    rendered: of('string', 'HTML, transformed for display.', { context: contexts, readonly }),
  };
}

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

/** Newest first. */
export function revisionsOf(site: Site, post: number, { autosaves = false } = {}): RevisionRecord[] {
  return [...site.revisions.with('parent', post)]
    .flatMap((id) => site.revisions.get(id) ?? [])
    .filter((revision) => autosaves || !revision.autosave)
    .sort((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1));
}

/** History links of an item. @param self  its route, or its URL */
export function historyLinks(site: Site, id: number, self: string): Readonly<Record<string, readonly Link[]>> {
  const revisions = revisionsOf(site, id, { autosaves: true });
  const [last] = revisions;
  // The number of git revisions is unknown until requested.
  const count = site.settings.value('revisions') === 'git' ? {} : { count: revisions.length };
  return {
    'version-history': [{ ...count, href: `${self}/revisions` }],
    ...(last && { 'predecessor-version': [{ id: last.id, href: `${self}/revisions/${last.id}` }] }),
  };
}
