/**
 * Posts of every type: what a post is, and what its place on disk says of it. Its fields are in `fields.ts`.
 */
import { table } from '../../../kernel/model/maps.ts';
import { dateInPath } from '../../../kernel/model/dated-paths.ts';
import { type Moment, now, toGmt } from '../../../kernel/model/dates.ts';
import {
  type Draft,
  type Field,
  type Fields,
  type FileContext,
  type FileFacet,
  type References,
  forms,
  text,
} from '../../../kernel/model/field.ts';
import { type Context, everywhere, propertiesOf, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { slugOfPath } from '../../../kernel/model/logical-path.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { Extended } from '../../../kernel/extended.ts';
import type { Forms } from '../front-matter/record.ts';
import type { Arg } from '../../../kernel/rest/args.ts';
import type { Call, Namespace } from '../../../kernel/rest/types.ts';
import type { MetaSchemas, Taxonomy, Status, PostType } from '../../types/record.ts';
import type { TopLevelFields } from '../../types/index.ts';
import type { StatedStatus } from './stated-status.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { AgingCache } from '../../../kernel/records/aging-cache.ts';
import type { Table } from '../../../kernel/records/types.ts';
import type { RenderWorker } from '../../../render/render-worker.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly posts: Table<PostRecord>;
    /** Field tables by type. */
    readonly postFields: ReadonlyMap<string, PostFields>;
    readonly renderings: Renderings;
    /** What other modules keep beside posts. Each adds its own. */
    readonly companions: PostCompanion[];
    /** Registered meta by type, taxonomy, `user` and `comment`. */
    readonly meta: Readonly<Record<string, MetaSchemas>>;
  }
}

/** What a module keeps beside posts: files that change with them, as parts of the plan, and the routes to them. */
export interface PostCompanion {
  /** What a change leaves behind. */
  changed?(site: PlanningSite, actor: Actor | null, before: PostRecord, after: PostRecord): readonly FileChange[];
  /** Files that name a post that goes and stay themselves. */
  kept?(site: Site, post: PostRecord): readonly FileChange[];
  /** Files that go with a post. */
  removed?(site: Site, post: PostRecord): readonly FileChange[];
  /** Routes below those of its type. */
  routes?(site: Site, resource: PostResource): Namespace['routes'];
}

/** Texts of the site as HTML, by their records. */
export interface Renderings {
  /** Contents and excerpts; what they depend on beside their record is part of the form. */
  readonly html: AgingCache<string>;
  /** Records whose texts name pictures of the media library, as far as they have been shown. */
  readonly withPictures: WeakSet<object>;
  /** Whether the text of a record has shortcodes of media. */
  readonly withMedia: WeakMap<object, boolean>;
  /** Records whose texts are being rendered aside. */
  readonly underWay: WeakMap<object, Promise<void>>;
  /** By id, the last few that were written: a record with the same text, whose HTML serves for the one that is to come. */
  readonly kin: Map<number, PostRecord>;
  readonly worker: RenderWorker;
}

/** A new site of the reference begins with three items; ids of one's own come after them, here as there. */
export const firstPosts = 3;

export interface PostRecord {
  readonly id: number;
  readonly type: string;
  /** File, below the content folder. */
  readonly path: string;
  readonly etag: string;
  /** Markdown, or markup. */
  readonly kind: 'md' | 'html' | 'yaml';
  readonly slug: string;
  readonly status: string;
  /** What the file says of the status, where the status alone does not tell. */
  readonly stated: StatedStatus | null;
  /** How the file says what it says otherwise than usual. */
  readonly forms: Forms | null;
  /** Declared fields that the file has beside its other keys. */
  readonly topLevel: TopLevelFields | null;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  /** GMT, same form. */
  readonly dateGmt: string;
  /** A draft that has no date of its own yet: it moves with every save. */
  readonly floating: boolean;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly author: number;
  readonly parent: number;
  readonly order: number;
  readonly featuredMedia: number;
  readonly comments: 'open' | 'closed';
  readonly pings: 'open' | 'closed';
  readonly format: string;
  readonly sticky: boolean;
  readonly template: string;
  readonly password: string;
  /** Address at creation, relative to the site; '' when it is the present one. */
  readonly guid: string;
  /** Term ids by taxonomy name. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Former slugs. */
  readonly aliases: readonly string[];
  /** What a trashed post was. */
  readonly trashed: { readonly status: string; readonly slug: string } | null;
}

/** A post of which nothing is known but what it is: what a file leaves out, before the fields read theirs. */
export function blankPost(id: number, type: string): Draft<PostRecord> {
  return Object.assign(bodilessPost(id, type), { content: '' });
}

/** The same for a post whose content is still to come. */
export function bodilessPost(id: number, type: string): Omit<Draft<PostRecord>, 'content'> {
  return {
    id,
    type,
    path: '',
    etag: '',
    kind: 'html',
    slug: '',
    status: 'publish',
    stated: null,
    forms: null,
    topLevel: null,
    title: '',
    excerpt: '',
    date: '',
    dateGmt: '',
    floating: false,
    modified: '',
    modifiedGmt: '',
    author: 0,
    parent: 0,
    order: 0,
    featuredMedia: 0,
    comments: 'closed',
    pings: 'closed',
    format: 'standard',
    sticky: false,
    template: '',
    password: '',
    guid: '',
    terms: {},
    meta: {},
    aliases: [],
    trashed: null,
  };
}

/** What the getters of a post may ask of the site; one for each request. */
export interface PostView {
  link(post: PostRecord): string;
  guid(post: PostRecord): string;
  title(post: PostRecord): string;
  /** '' while a password is wanted and not given. */
  content(post: PostRecord): string;
  excerpt(post: PostRecord): string;
  /** Rules of a style sheet for the classes that `content` has for what its blocks say of their looks. */
  styles(post: PostRecord): string;
  /** Makes ready what takes long; to be awaited before `content` or `excerpt` is asked for. */
  prepare(post: PostRecord): Promise<void> | undefined;
  blockVersion(post: PostRecord): number;
  permalinkTemplate(post: PostRecord): string;
  generatedSlug(post: PostRecord): string;
  classList(post: PostRecord): readonly string[];
  /** Ids of the terms of a taxonomy, in the order of their names. */
  terms(post: PostRecord, taxonomy: string): readonly number[];
  meta(post: PostRecord): unknown;
  /** GMT as clients see it: an hour that the zone of the site skips is an hour later there, too (observed). */
  gmt(date: string): string;
  word(name: string): string;
}

export type PostField = Field<PostRecord, PostView>;
export type PostFields = Fields<PostRecord, PostView>;

/** What a client may say of a post. Absent keys leave things as they are; `meta` is all of it. */
export interface PostInput
  extends Partial<
    Pick<
      PostRecord,
      | 'title'
      | 'content'
      | 'excerpt'
      | 'status'
      | 'slug'
      | 'author'
      | 'parent'
      | 'order'
      | 'featuredMedia'
      | 'comments'
      | 'pings'
      | 'format'
      | 'sticky'
      | 'template'
      | 'password'
      | 'terms'
      | 'meta'
    >
  > {
  /** Local and GMT; null takes the date away again. */
  readonly date?: Moment | null;
  /** What the body is written in, where its writer knows; else it is judged. */
  readonly kind?: PostRecord['kind'];
  /** Where the file of a new one belongs, if not where its type's do. */
  readonly beside?: string;
}

/** What the routes of a type share: its fields, and how its posts are found and written. */
export interface PostResource {
  readonly type: PostType;
  /** Taxonomies shown to clients. */
  readonly taxonomies: readonly Taxonomy[];
  /** What modules add to its items. */
  readonly extension: Extended;
  readonly fields: Fields<never, never>;
  /** Hooks of the arguments that its fields are. */
  readonly hooks: Readonly<Record<string, Partial<Arg>>>;
  /** The post an id of the path names, of this type. @throws RestError rest_post_invalid_id */
  find(call: Call, id: unknown): PostRecord;
  input(call: Call, before?: PostRecord): PostInput;
}

export const formats = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const;
/**
 * Settles what depends on several keys once all are read: dates, the guid, the parent.
 *
 * A post without a date has the one its path names, else the time of the file, until it gets one; a draft without one floats
 * with its last change. Cost: no I/O.
 */
export function settlePost(draft: Draft<PostRecord>, cx: FileContext, statuses: readonly Status[]): void {
  const undated = draft.date === '';
  if (undated) {
    draft.floating = statuses.some(({ name, dateFloating }) => name === draft.status && dateFloating);
    const named = dateInPath(cx.path);
    if (draft.floating && draft.modified !== '') [draft.date, draft.dateGmt] = [draft.modified, draft.modifiedGmt];
    else if (named !== null && !draft.floating) draft.date = named;
    // A clock that runs ahead schedules nothing.
    else draft.date = now(cx.zone, Math.min(cx.mtimeMs, cx.nowMs ?? cx.mtimeMs)).local;
    if (draft.dateGmt === '') draft.dateGmt = toGmt(draft.date, cx.zone);
  }
  if (draft.modified === '') [draft.modified, draft.modifiedGmt] = [draft.date, draft.dateGmt];
  settleSlug(draft, cx);
}

/** Drafts get their slug when they are published; published by hand, they have that of their file, of their title, or their id. */
export function settleSlug(
  draft: { slug: string; readonly status: string; readonly type: string; readonly title: string; readonly id: number },
  cx: Pick<FileContext, 'path' | 'refs'>,
): void {
  if (draft.slug !== '' || slugless.has(draft.status)) return;
  draft.slug = slugOfName(cx, draft.type) || slugify(draft.title) || String(draft.id);
}

const slugless: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft', 'trash']);

/** Whether the title of a post is the first heading of its text, which its file says nowhere else. */
export function isTitledByText({ forms: said, kind }: Pick<PostRecord, 'forms' | 'kind'>): boolean {
  return kind === 'md' && said?.title?.key === '';
}

/** Whether files of the type go into folders by year and month. */
export function isDated(type: PostType): boolean {
  return type.name === 'post' || type.name === 'attachment';
}

/** The slug that a file states; '' where what it says is none: empty, null, or nothing that an address can have. */
export function statedSlug(raw: unknown): string {
  return raw === undefined || raw === null ? '' : slugify(text.parse(raw, 'slug'));
}

/** Whether items in a status may be without a slug: they get one when they are published. */
export function waitsForSlug(raw: unknown, status: string): boolean {
  return typeof raw === 'string' && raw.trim() === '' && slugless.has(status);
}

/** A slug that the file need not say where its place does. */
export const slugFile: FileFacet<{ readonly slug: string; readonly type?: string }> = {
  key: 'slug',
  form: forms.text,
  read(raw, draft, cx) {
    const stated = statedSlug(raw);
    // An empty or unusable slug is none, but for posts that may wait for theirs (`settlePost`).
    const waits = draft.type !== undefined && typeof raw === 'string' && raw.trim() === '';
    draft.slug = stated === '' && !waits ? slugOfName(cx, draft.type) : stated;
  },
  print: ({ slug, type }, cx) => (slug === slugOfName(cx, type) ? undefined : slug),
};

/** The slug that the name of a file stands for, whatever else the name says. @param type  of an item: names of posts may have their day */
export function slugOfName(
  { path, refs }: { readonly path: string; readonly refs: Pick<References, 'marks'> },
  type?: string,
): string {
  return slugOfPath(refs.marks?.plain(path) ?? path, type === 'post');
}

/** Whether items of a type have a feature's fields; those of the built-in types are fixed, whatever they support (observed). */
export function shows(type: PostType, feature: string): boolean {
  return feature in type.supports || (type.name === 'page' && feature === 'excerpt');
}

/** Who sees the parts of a text: patterns as they are stored, block menus in full wherever they are embedded. */
const textParts: Readonly<Record<string, Readonly<Record<string, readonly Context[]>>>> = table({
  cms_block: { raw: viewAndEdit, rendered: [] },
  cms_navigation: { raw: ['edit', 'embed'], rendered: everywhere, block_version: ['edit', 'embed'] },
});

/** A text of a type with the parts the type shows; a part for nobody is left out, and from revisions only its description is (observed). */
export function textField<R, V>(type: PostType, name: 'title' | 'content', field: Field<R, V>, isRevision = false): Field<R, V> {
  const parts = textParts[type.name];
  if (!parts || !field.schema || typeof field.get === 'function') return field;
  const gone = (part: string): boolean => parts[part]?.length === 0;
  const properties = Object.entries(propertiesOf(field.schema)).flatMap(([part, schema]): [string, Schema][] =>
    gone(part) ? [] : [[part, parts[part] ? { ...schema, context: parts[part] } : schema]],
  );
  const context = name === 'content' && parts.raw?.includes('embed') ? everywhere : field.schema.context;
  return {
    ...field,
    schema: { ...field.schema, ...(context ? { context } : {}), properties: Object.fromEntries(properties) },
    get: Object.fromEntries(Object.entries(field.get ?? {}).filter(([part]) => isRevision || !gone(part))),
  };
}

/** Whether a value says nothing, as a script of the reference would ask. */
export function isBlank(value: unknown): boolean {
  return !value || value === '0' || (typeof value === 'object' && Object.keys(value).length === 0);
}
