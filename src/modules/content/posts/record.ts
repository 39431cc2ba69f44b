/** Posts of every type: the record, and what its path says. Fields are in `fields.ts`. */
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
import { type MetaSchemas, type Taxonomy, type Status, type PostType, isDraft } from '../../types/record.ts';
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
    readonly postFields: ReadonlyMap<string, PostFields>;
    readonly renderings: Renderings;
    /** Files of other modules that belong to posts. */
    readonly companions: PostCompanion[];
    /** Registered meta by type, taxonomy, `user` and `comment`. */
    readonly meta: Readonly<Record<string, MetaSchemas>>;
  }
}

/** What a module stores with posts: files that change with them, as parts of the plan, and their routes. */
interface PostCompanion {
  /** Files written with a change. */
  changed?(site: PlanningSite, actor: Actor | null, before: PostRecord, after: PostRecord): readonly FileChange[];
  /** Files that refer to a deleted post and stay. */
  kept?(site: Site, post: PostRecord): readonly FileChange[];
  /** Files deleted with a post. */
  removed?(site: Site, post: PostRecord): readonly FileChange[];
  routes?(site: Site, resource: PostResource): Namespace['routes'];
}

/** Rendered texts by record. */
export interface Renderings {
  /** Contents and excerpts; other dependencies are part of the key. */
  readonly html: AgingCache<string>;
  /** Records with library images, as far as rendered. */
  readonly withPictures: WeakSet<object>;
  /** Whether a record has media shortcodes. */
  readonly withMedia: WeakMap<object, boolean>;
  /** Records that are being rendered in a worker. */
  readonly underWay: WeakMap<object, Promise<void>>;
  /** The last records written, by id: one with the same text shares its HTML. */
  readonly kin: Map<number, PostRecord>;
  readonly worker: RenderWorker;
}

/** A new site of the reference has three items; ids start after them. */
export const firstPosts = 3;

export interface PostRecord {
  readonly id: number;
  readonly type: string;
  /** Below the content folder. */
  readonly path: string;
  readonly etag: string;
  readonly kind: 'md' | 'html' | 'yaml';
  readonly slug: string;
  readonly status: string;
  /** What the file says about the status, if the status is not enough. */
  readonly stated: StatedStatus | null;
  /** How the file spells values in other forms than ours. */
  readonly forms: Forms | null;
  /** Declared top-level fields of the file. */
  readonly topLevel: TopLevelFields | null;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  /** GMT, same form. */
  readonly dateGmt: string;
  /** A draft without its own date: it changes with every save. */
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
  /** URL at creation, relative to the site; '' if it is the current one. */
  readonly guid: string;
  readonly terms: Readonly<Record<string, readonly number[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly aliases: readonly string[];
  /** Status and slug before it was trashed. */
  readonly trashed: { readonly status: string; readonly slug: string } | null;
}

/** A post with default values, before its fields are read. */
export function blankPost(id: number, type: string): Draft<PostRecord> {
  return Object.assign(bodilessPost(id, type), { content: '' });
}

/** The same without content. */
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

/** What getters of a post use, once per request. */
export interface PostView {
  link(post: PostRecord): string;
  guid(post: PostRecord): string;
  title(post: PostRecord): string;
  /** '' if a password is required and missing. */
  content(post: PostRecord): string;
  excerpt(post: PostRecord): string;
  /** Rules of a style sheet for the classes that `content` has for what its blocks say of their looks. */
  styles(post: PostRecord): string;
  /** Loads what takes long; await it before `content` or `excerpt`. */
  prepare(post: PostRecord): Promise<void> | undefined;
  blockVersion(post: PostRecord): number;
  permalinkTemplate(post: PostRecord): string;
  generatedSlug(post: PostRecord): string;
  classList(post: PostRecord): readonly string[];
  /** Term ids of a taxonomy, ordered by name. */
  terms(post: PostRecord, taxonomy: string): readonly number[];
  meta(post: PostRecord): unknown;
  /** GMT for clients: an hour that the site's zone skips is one later here, too (observed). */
  gmt(date: string): string;
  word(name: string): string;
}

export type PostField = Field<PostRecord, PostView>;
export type PostFields = Fields<PostRecord, PostView>;

/** The input of a write. Absent keys change nothing; `meta` is complete. */
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
  /** Local and GMT; null removes the date. */
  readonly date?: Moment | null;
  /** Format of the body, if known; otherwise detected. */
  readonly kind?: PostRecord['kind'];
  /** Path of a new file, if not the type's default. */
  readonly beside?: string;
}

/** What the routes of a type share: fields, and how posts are found and written. */
export interface PostResource {
  readonly type: PostType;
  readonly taxonomies: readonly Taxonomy[];
  /** What modules add to its items. */
  readonly extension: Extended;
  readonly fields: Fields<never, never>;
  /** Hooks of the arguments for fields. */
  readonly hooks: Readonly<Record<string, Partial<Arg>>>;
  /** The post of this type with the id in the path. @throws RestError rest_post_invalid_id */
  find(call: Call, id: unknown): PostRecord;
  input(call: Call, before?: PostRecord): PostInput;
}

export const formats = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const;
/**
 * Resolves values that depend on several keys: dates, guid, parent.
 *
 * A post without a date has the one in its path, else the file's time, until it gets one; a draft without one floats with its last change. Cost: no
 * I/O.
 */
export function settlePost(draft: Draft<PostRecord>, cx: FileContext, statuses: readonly Status[]): void {
  const undated = draft.date === '';
  if (undated) {
    draft.floating = isDraft(statuses, draft.status);
    const named = dateInPath(cx.path);
    if (draft.floating && draft.modified !== '') [draft.date, draft.dateGmt] = [draft.modified, draft.modifiedGmt];
    else if (named !== null && !draft.floating) draft.date = named;
    // A fast clock does not schedule anything.
    else draft.date = now(cx.zone, Math.min(cx.mtimeMs, cx.nowMs ?? cx.mtimeMs)).local;
    if (draft.dateGmt === '') draft.dateGmt = toGmt(draft.date, cx.zone);
  }
  if (draft.modified === '') [draft.modified, draft.modifiedGmt] = [draft.date, draft.dateGmt];
  settleSlug(draft, cx);
}

/** Drafts get their slug on publication: from the file, the title, or the id. */
export function settleSlug(
  draft: { slug: string; readonly status: string; readonly type: string; readonly title: string; readonly id: number },
  cx: Pick<FileContext, 'path' | 'refs'>,
): void {
  if (draft.slug !== '' || slugless.has(draft.status)) return;
  draft.slug = slugOfName(cx, draft.type) || slugify(draft.title) || String(draft.id);
}

const slugless: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft', 'trash']);

/** Whether the title is the first heading of the text and nowhere else in the file. */
export function isTitledByText({ forms: said, kind }: Pick<PostRecord, 'forms' | 'kind'>): boolean {
  return kind === 'md' && said?.title?.key === '';
}

export function isDated(type: PostType): boolean {
  return type.name === 'post' || type.name === 'attachment';
}

/** The slug in a file; '' if it is empty, null or invalid. */
export function statedSlug(raw: unknown): string {
  return isNoSlug(raw) || typeof raw === 'object' ? '' : slugify(text.parse(raw, 'slug'));
}

/** Whether a slug is stated to be none. Words of YAML are texts where files are read, and `null` means one. */
export function isNoSlug(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === '~' || raw === 'null';
}

/** Whether items with a status may have no slug yet. */
export function waitsForSlug(raw: unknown, status: string): boolean {
  return typeof raw === 'string' && raw.trim() === '' && slugless.has(status);
}

/** A slug that is only stored if the path differs. */
export const slugFile: FileFacet<{ readonly slug: string; readonly type?: string }> = {
  key: 'slug',
  form: forms.text,
  read(raw, draft, cx) {
    const stated = statedSlug(raw);
    // An empty or invalid slug is ignored, except where it may come later (`settlePost`).
    const waits = draft.type !== undefined && typeof raw === 'string' && raw.trim() === '';
    draft.slug = stated === '' && !waits ? slugOfName(cx, draft.type) : stated;
  },
  print: ({ slug, type }, cx) => (slug === slugOfName(cx, type) ? undefined : slug),
};

/** The slug in a file name. @param type  of an item: post names may start with a day */
export function slugOfName(
  { path, refs }: { readonly path: string; readonly refs: Pick<References, 'marks'> },
  type?: string,
): string {
  return slugOfPath(refs.marks?.plain(path) ?? path, type === 'post');
}

/** Whether a type has the fields of a feature; built-in types are fixed (observed). */
export function shows(type: PostType, feature: string): boolean {
  return feature in type.supports || (type.name === 'page' && feature === 'excerpt');
}

/** Which contexts show parts of a text: patterns as stored, navigation menus in full in embeds. */
const textParts: Readonly<Record<string, Readonly<Record<string, readonly Context[]>>>> = table({
  cms_block: { raw: viewAndEdit, rendered: [] },
  cms_navigation: { raw: ['edit', 'embed'], rendered: everywhere, block_version: ['edit', 'embed'] },
});

/** A text field with the parts the type shows; revisions keep only the description (observed). */
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

/** Whether a post has a password. A lone 0 is none (observed). */
export function isProtected({ password }: Pick<PostRecord, 'password'>): boolean {
  return !isBlank(password);
}

/** The mark before the title of a post that not everybody sees. */
export function titleMark(post: Pick<PostRecord, 'password' | 'status'>): string {
  return isProtected(post) ? 'Protected: ' : post.status === 'private' ? 'Private: ' : '';
}

/** Whether PHP's `empty()` is true for a value. */
export function isBlank(value: unknown): boolean {
  return !value || value === '0' || (typeof value === 'object' && Object.keys(value).length === 0);
}
