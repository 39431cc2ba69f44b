/**
 * Posts of every type: the one place where a post is defined. A type's table of fields is made from what the type
 * supports and from the taxonomies it has (specification sections 2.2 to 2.4).
 */
import { attachmentFields } from './attachment.ts';
import { parseFileDate, printFileDate, toGmt, toLocal } from './dates.ts';
import {
  type Draft,
  type Field,
  FieldProblem,
  type Fields,
  type FileContext,
  type FileFacet,
  flag,
  forms,
  inFile,
  integer,
  map,
  text,
  texts,
  word,
} from './field.ts';
import { plain } from './plain.ts';
import { type Context, editOnly, everywhere, propertiesOf, type Schema, viewAndEdit } from './schema.ts';
import { slugify, slugOfFileName } from './slugs.ts';
import { sortKey } from './sort-key.ts';
import { type Status, writableStatuses } from './statuses.ts';
import type { Taxonomy } from './taxonomies.ts';
import type { PostType } from './types.ts';

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
  return {
    id,
    type,
    path: '',
    etag: '',
    kind: 'html',
    slug: '',
    status: 'publish',
    title: '',
    content: '',
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
  blockVersion(post: PostRecord): number;
  permalinkTemplate(post: PostRecord): string;
  generatedSlug(post: PostRecord): string;
  classList(post: PostRecord): readonly string[];
  /** Ids of the terms of a taxonomy, in the order of their names. */
  terms(post: PostRecord, taxonomy: string): readonly number[];
  meta(post: PostRecord): unknown;
  word(name: string): string;
}

export type PostField = Field<PostRecord, PostView>;
export type PostFields = Fields<PostRecord, PostView>;

/** A custom field of a type: registered meta, shown under `meta`. */
export type MetaSchemas = Readonly<Record<string, Schema>>;

export const formats = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const;
const openOrClosed = word(['open', 'closed'] as const);
const readonly = true;

export interface PostModel {
  readonly type: PostType;
  /** The type's taxonomies. */
  readonly taxonomies: readonly Taxonomy[];
  /** Every status a file may name. */
  readonly statuses: readonly Status[];
  readonly meta: MetaSchemas;
}

/** The fields of one type, in the order in which a file shows them. */
export function postFields({ type, taxonomies, statuses, meta }: PostModel): PostFields {
  const has = (feature: string): boolean => shows(type, feature);
  const fields: PostFields = {
    id: {
      schema: { description: 'Unique identifier for the post.', type: 'integer', context: everywhere, readonly },
      get: (post) => post.id,
      file: { key: 'id', form: forms.id, read: () => {}, print: (post) => post.id },
    },
    title: has('title') ? textField(type, 'title', titleField) : hidden(titleField),
    slug: slugField,
    date: dateField,
    date_gmt: {
      schema: {
        description: 'The date the post was published, as GMT.',
        type: ['string', 'null'],
        format: 'date-time',
        context: viewAndEdit,
      },
      get: (post) => post.dateGmt,
    },
    modified: modifiedField,
    modified_gmt: {
      schema: {
        description: 'The date the post was last modified, as GMT.',
        type: 'string',
        format: 'date-time',
        context: viewAndEdit,
        readonly,
      },
      get: (post) => post.modifiedGmt,
    },
    status: type.name === 'cms_navigation' ? inContexts(statusField(statuses), everywhere) : statusField(statuses),
    _trashed: trashedField,
    ...(has('author') ? { author: authorField } : { _author: hidden(authorField) }),
    ...(has('excerpt') ? { excerpt: excerptField } : { _excerpt: hidden(excerptField) }),
    ...Object.fromEntries(taxonomies.filter(({ name }) => name !== 'post_format').map((taxonomy) => termField(type, taxonomy))),
    ...(has('thumbnail') || type.name === 'attachment' ? { featured_media: featuredMediaField } : {}),
    ...(has('post-formats') ? { format: formatField } : {}),
    ...(type.name === 'post' ? { sticky: stickyField } : {}),
    ...(type.hierarchical ? { parent: parentField(type) } : {}),
    ...(has('page-attributes') ? { menu_order: orderField } : {}),
    ...(has('comments') ? { comment_status: discussion('comments', type), ping_status: discussion('pings', type) } : {}),
    template: templateField,
    password: passwordField,
    ...(showsMeta(type, meta) ? { meta: metaField(meta) } : { _meta: hidden(metaField(meta)) }),
    _aliases: { file: inFile<PostRecord, 'aliases'>('aliases', texts, []) },
    guid: guidField,
    _place: placeField,
    _above: aboveField,
    type: {
      schema: { description: 'Type of post.', type: 'string', context: everywhere, readonly },
      get: (post, view) => view.word(post.type),
      index: { equal: (post) => post.type },
    },
    link: {
      schema: { description: 'URL to the post.', type: 'string', format: 'uri', context: everywhere, readonly },
      get: (post, view) => view.link(post),
    },
    ...(type.public
      ? {
          permalink_template: {
            schema: { description: 'Permalink template for the post.', type: 'string', context: editOnly, readonly },
            get: (post: PostRecord, view: PostView) => view.permalinkTemplate(post),
          },
          generated_slug: {
            schema: {
              description: 'Slug automatically generated from the post title.',
              type: 'string',
              context: editOnly,
              readonly,
            },
            get: (post: PostRecord, view: PostView) => view.generatedSlug(post),
          },
          class_list: {
            schema: {
              description: 'An array of the class names for the post container element.',
              type: 'array',
              context: viewAndEdit,
              readonly,
              items: { type: 'string' },
            },
            get: (post: PostRecord, view: PostView) => view.classList(post),
          },
        }
      : {}),
    ...(has('editor') ? { content: textField(type, 'content', contentField) } : {}),
  };
  return type.name === 'attachment' ? attachmentFields(fields, statuses) : fields;
}

/**
 * Settles what depends on several keys once all are read: dates, the guid, the parent.
 *
 * A post without a date has the first of the month its path names, else the time of the file; a draft without one floats
 * with its last change. Cost: no I/O.
 */
export function settlePost(draft: Draft<PostRecord>, cx: FileContext, statuses: readonly Status[]): void {
  const undated = draft.date === '';
  if (undated) {
    draft.floating = statuses.some(({ name, dateFloating }) => name === draft.status && dateFloating);
    const month = /(?:^|\/)(\d{4})\/(\d{2})\/[^/]*$/.exec(cx.path);
    if (draft.floating && draft.modified !== '') [draft.date, draft.dateGmt] = [draft.modified, draft.modifiedGmt];
    else if (month && !draft.floating) draft.date = `${month[1]}-${month[2]}-01T00:00:00`;
    else draft.date = toLocal(new Date(cx.mtimeMs).toISOString().slice(0, 19), cx.zone);
    if (draft.dateGmt === '') draft.dateGmt = toGmt(draft.date, cx.zone);
  }
  if (draft.modified === '') [draft.modified, draft.modifiedGmt] = [draft.date, draft.dateGmt];
}

/** Whether items of a type have a feature's fields; those of the built-in types are fixed, whatever they support (observed). */
export function shows(type: PostType, feature: string): boolean {
  return feature in type.supports || (type.name === 'page' && feature === 'excerpt');
}

/** Meta is shown by types with custom fields, by media, and by whatever has registered some. */
export function showsMeta(type: PostType, meta: MetaSchemas): boolean {
  return shows(type, 'custom-fields') || type.name === 'attachment' || Object.keys(meta).length > 0;
}

/** Who sees the parts of a text: patterns are shown as they are stored, block menus in full wherever they are embedded. */
const textParts: Readonly<Record<string, Readonly<Record<string, readonly Context[]>>>> = {
  cms_block: { raw: viewAndEdit, rendered: [] },
  cms_navigation: { raw: ['edit', 'embed'], rendered: everywhere, block_version: ['edit', 'embed'] },
};

/** A text of a type, or of its revisions, with the parts the type shows; a part for nobody is left out. */
export function textField<R, V>(type: PostType, name: 'title' | 'content', field: Field<R, V>): Field<R, V> {
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
    get: Object.fromEntries(Object.entries(field.get ?? {}).filter(([part]) => !gone(part))),
  };
}

function inContexts(field: PostField, context: readonly Context[]): PostField {
  return { ...field, schema: { ...field.schema, context } };
}

/** Whether files of the type go into folders by year and month. */
export function isDated(type: PostType): boolean {
  return type.name === 'post' || type.name === 'attachment';
}

const titleField: PostField = {
  schema: {
    description: 'The title for the post.',
    type: 'object',
    context: everywhere,
    properties: {
      raw: { description: 'Title for the post, as it exists in the file.', type: 'string', context: editOnly },
      rendered: {
        description: 'HTML title for the post, transformed for display.',
        type: 'string',
        context: everywhere,
        readonly,
      },
    },
  },
  get: { raw: (post) => post.title, rendered: (post, view) => view.title(post) },
  file: inFile<PostRecord, 'title'>('title', text, ''),
  index: { order: (post) => sortKey(post.title), text: (post) => post.title },
};

const slugField: PostField = {
  schema: { description: 'An alphanumeric identifier for the post unique to its type.', type: 'string', context: everywhere },
  get: (post) => post.slug,
  file: {
    key: 'slug',
    form: forms.text,
    read(raw, draft, cx) {
      draft.slug = raw === undefined ? slugOfPath(cx.path) : slugify(text.parse(raw, 'slug'));
    },
    print: (post, cx) => (post.slug === slugOfPath(cx.path) ? undefined : post.slug),
  },
  index: { equal: (post) => [post.slug, ...post.aliases.map((alias) => `~${alias}`)], order: (post) => post.slug },
};

/** The slug that the place of a file stands for: its name, or for `index` files the folder's. */
export function slugOfPath(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) as string).replace(/\.[^.]*$/, '');
  return slugOfFileName(name === 'index' && parts.length > 2 ? (parts.at(-2) as string) : name);
}

/** Place of a file, by which other files call it: `pages/about/index.md` is `pages/about`. */
export function placeOf(path: string): string {
  return path.replace(/\.[^./]*$/, '').replace(/(.\/[^/]+)\/index$/, '$1');
}

/** The place above: `pages/about` for `pages/about/team.md`. */
export function placeAbove(path: string): string {
  const place = placeOf(path);
  return place.slice(0, Math.max(0, place.lastIndexOf('/')));
}

const placeField: PostField = { index: { equal: (post) => placeOf(post.path) } };
const aboveField: PostField = { index: { equal: (post) => placeAbove(post.path) } };

const dateField: PostField = {
  schema: {
    description: "The date the post was published, in the site's timezone.",
    type: ['string', 'null'],
    format: 'date-time',
    context: everywhere,
  },
  get: (post) => post.date,
  file: {
    key: 'date',
    form: forms.date,
    read(raw, draft, cx) {
      [draft.date, draft.dateGmt] = raw === undefined || raw === null ? ['', ''] : fileDate(raw, 'date', cx);
      draft.floating = false;
    },
    print: (post, cx) => (post.floating ? undefined : plain(printFileDate(post.date, post.dateGmt, cx.zone))),
  },
  index: { order: (post) => post.date },
};

const modifiedField: PostField = {
  schema: {
    description: "The date the post was last modified, in the site's timezone.",
    type: 'string',
    format: 'date-time',
    context: viewAndEdit,
    readonly,
  },
  get: (post) => post.modified,
  file: {
    key: 'modified',
    form: forms.date,
    read(raw, draft, cx) {
      [draft.modified, draft.modifiedGmt] = raw === undefined || raw === null ? ['', ''] : fileDate(raw, 'modified', cx);
    },
    print: (post, cx) =>
      post.modified === post.date && !post.floating ? undefined : plain(printFileDate(post.modified, post.modifiedGmt, cx.zone)),
  },
  index: { order: (post) => post.modified },
};

function statusField(statuses: readonly Status[]): PostField {
  return {
    schema: {
      description: 'A named status for the post.',
      type: 'string',
      enum: writableStatuses(statuses),
      context: viewAndEdit,
    },
    get: (post) => post.status,
    file: inFile<PostRecord, 'status'>('status', word(statuses.map(({ name }) => name)), 'publish'),
    index: { equal: (post) => post.status },
  };
}

const trashedField: PostField = {
  file: inFile<PostRecord, 'trashed'>(
    'trashed',
    {
      form: {
        description: 'Of a post in the trash: the status and slug it had.',
        type: ['object', 'null'],
        properties: { status: { type: 'string' }, slug: { type: 'string' } },
      },
      parse(raw, key) {
        const { status, slug } = map.parse(raw, key);
        return { status: String(status ?? 'draft'), slug: String(slug ?? '') };
      },
      print: (value) => value,
    },
    null,
  ),
};

const authorField: PostField = {
  schema: { description: 'The ID for the author of the post.', type: 'integer', context: everywhere },
  get: (post) => post.author,
  file: {
    key: 'author',
    form: forms.reference,
    read(raw, draft, { refs }) {
      draft.author = raw === undefined || raw === null ? refs.defaultAuthor() : refs.userId(reference(raw, 'author'));
    },
    print: (post, { refs }) => (post.author === 0 ? undefined : refs.userRef(post.author)),
  },
  index: { equal: (post) => post.author, order: (post) => post.author },
};

const excerptField: PostField = {
  schema: {
    description: 'The excerpt for the post.',
    type: 'object',
    context: everywhere,
    properties: {
      raw: { description: 'Excerpt for the post, as it exists in the file.', type: 'string', context: editOnly },
      rendered: {
        description: 'HTML excerpt for the post, transformed for display.',
        type: 'string',
        context: everywhere,
        readonly,
      },
      protected: {
        description: 'Whether the excerpt is protected with a password.',
        type: 'boolean',
        context: everywhere,
        readonly,
      },
    },
  },
  get: { raw: (post) => post.excerpt, rendered: (post, view) => view.excerpt(post), protected: (post) => post.password !== '' },
  file: inFile<PostRecord, 'excerpt'>('excerpt', text, ''),
  index: { text: (post) => post.excerpt },
};

const contentField: PostField = {
  schema: {
    description: 'The content for the post.',
    type: 'object',
    context: viewAndEdit,
    properties: {
      raw: { description: 'Content for the post, as it exists in the file.', type: 'string', context: editOnly },
      rendered: {
        description: 'HTML content for the post, transformed for display.',
        type: 'string',
        context: viewAndEdit,
        readonly,
      },
      block_version: {
        description: 'Version of the content block format used by the post.',
        type: 'integer',
        context: editOnly,
        readonly,
      },
      protected: {
        description: 'Whether the content is protected with a password.',
        type: 'boolean',
        context: everywhere,
        readonly,
      },
    },
  },
  get: {
    raw: (post) => post.content,
    rendered: (post, view) => view.content(post),
    block_version: (post, view) => view.blockVersion(post),
    protected: (post) => post.password !== '',
  },
  index: { text: (post) => post.content },
};

function termField(type: PostType, taxonomy: Taxonomy): readonly [string, PostField] {
  const { name } = taxonomy;
  const key = taxonomy.showInRest ? taxonomy.restBase : name;
  const file: FileFacet<PostRecord> = {
    key,
    form: forms.references,
    read(raw, draft, { refs }) {
      const fallback = raw === undefined && type.name === 'post' ? refs.defaultTerm(name) : 0;
      const ids = raw === undefined ? [fallback] : list(raw).map((ref) => refs.termId(name, reference(ref, key)));
      draft.terms = Object.assign({}, draft.terms, { [name]: [...new Set(ids)].filter((id) => id > 0) });
    },
    print(post, { refs }) {
      const ids = post.terms[name] ?? [];
      return ids.length === 0 && !refs.defaultTerm(name) ? undefined : ids.map((id) => refs.termRef(name, id));
    },
  };
  const index = { equal: (post: PostRecord) => post.terms[name] ?? [] };
  if (!taxonomy.showInRest) return [`_${name}`, { file, index }];
  const schema: Schema = {
    description: `The terms assigned to the post in the ${name} taxonomy.`,
    type: 'array',
    items: { type: 'integer' },
    context: viewAndEdit,
  };
  return [taxonomy.restBase, { schema, get: (post, view) => view.terms(post, name), file, index }];
}

const featuredMediaField: PostField = {
  schema: { description: 'The ID of the featured media for the post.', type: 'integer', context: everywhere },
  get: (post) => post.featuredMedia,
  file: {
    key: 'featured_media',
    form: forms.reference,
    read(raw, draft, { refs }) {
      draft.featuredMedia = raw === undefined || raw === null ? 0 : refs.postId('attachment', reference(raw, 'featured_media'));
    },
    print: (post, { refs }) => (post.featuredMedia === 0 ? undefined : refs.postRef('attachment', post.featuredMedia)),
  },
  index: { equal: (post) => post.featuredMedia || undefined },
};

const formatField: PostField = {
  schema: { description: 'The format for the post.', type: 'string', enum: formats, context: viewAndEdit },
  get: (post) => post.format,
  file: inFile<PostRecord, 'format'>('format', word(formats), 'standard'),
  index: { equal: (post) => post.format },
};

const stickyField: PostField = {
  schema: { description: 'Whether or not the post should be treated as sticky.', type: 'boolean', context: viewAndEdit },
  get: (post) => post.sticky,
  file: inFile<PostRecord, 'sticky'>('sticky', flag, false),
  index: { equal: (post) => (post.sticky ? 1 : 0) },
};

/** A parent of the same type is the folder the file is in; one of another type is named in the file. */
function parentField({ folder }: PostType): PostField {
  return {
    schema: { description: 'The ID for the parent of the post.', type: 'integer', context: viewAndEdit },
    get: (post) => post.parent,
    file: {
      key: 'parent',
      form: { description: 'Id of a parent of another type; one of the same type is the folder.', type: 'integer' },
      read(raw, draft) {
        if (draft.parent === 0 && typeof raw === 'number' && Number.isInteger(raw) && raw > 0) draft.parent = raw;
      },
      print: (post, { path }) => (post.parent > 0 && placeAbove(path) === folder ? post.parent : undefined),
    },
    index: { equal: (post) => post.parent, order: (post) => post.parent },
  };
}

const orderField: PostField = {
  schema: { description: 'The order of the post in relation to other posts.', type: 'integer', context: viewAndEdit },
  get: (post) => post.order,
  file: inFile<PostRecord, 'order'>('order', integer, 0),
  index: { equal: (post) => post.order, order: (post) => post.order },
};

function discussion(prop: 'comments' | 'pings', type: PostType): PostField {
  const what = prop === 'comments' ? 'comments are open' : 'the post can be pinged';
  return {
    schema: { description: `Whether or not ${what}.`, type: 'string', enum: ['open', 'closed'], context: viewAndEdit },
    get: (post) => post[prop],
    file: inFile<PostRecord, typeof prop>(prop, openOrClosed, type.name === 'page' ? 'closed' : 'open'),
  };
}

const templateField: PostField = {
  schema: { description: 'The theme file to use to display the post.', type: 'string', context: viewAndEdit },
  get: (post) => post.template,
  file: inFile<PostRecord, 'template'>('template', text, ''),
};

const passwordField: PostField = {
  schema: { description: 'A password to protect access to the content and excerpt.', type: 'string', context: editOnly },
  get: (post) => post.password,
  file: inFile<PostRecord, 'password'>('password', text, ''),
  /** 1: protected. The password itself is in no index. */
  index: { equal: (post) => (post.password === '' ? 0 : 1) },
};

function metaField(schemas: MetaSchemas): PostField {
  return {
    schema: {
      description: 'Meta fields.',
      type: 'object',
      context: viewAndEdit,
      properties: Object.keys(schemas).length > 0 ? schemas : [],
    },
    get: (post, view) => view.meta(post),
    file: {
      key: 'meta',
      form: { type: ['object', 'null'], properties: schemas },
      read(raw, draft) {
        draft.meta = raw === undefined ? {} : map.parse(raw, 'meta');
      },
      print: (post) => (Object.keys(post.meta).length === 0 ? undefined : post.meta),
    },
  };
}

const guidField: PostField = {
  schema: {
    description: 'The globally unique identifier for the post.',
    type: 'object',
    context: viewAndEdit,
    readonly,
    properties: {
      raw: { description: 'GUID for the post, as it exists in the file.', type: 'string', context: editOnly, readonly },
      rendered: { description: 'GUID for the post, transformed for display.', type: 'string', context: viewAndEdit, readonly },
    },
  },
  get: { raw: (post, view) => view.guid(post), rendered: (post, view) => view.guid(post) },
  file: inFile<PostRecord, 'guid'>('guid', text, ''),
};

/** The file facet and indexes of a field that the type does not show. */
function hidden({ file, index }: PostField): PostField {
  return { ...(file ? { file } : {}), ...(index ? { index } : {}) };
}

function fileDate(raw: unknown, key: string, cx: FileContext): [local: string, gmt: string] {
  const date = parseFileDate(String(raw), cx.zone);
  if (!date)
    throw new FieldProblem(
      key,
      `${key} is no date: ${JSON.stringify(raw)}`,
      'write it as 2026-03-05T10:00:00, in the time of the site',
    );
  return [date.local, date.gmt];
}

function reference(raw: unknown, key: string): string | number {
  if (typeof raw === 'string' || typeof raw === 'number') return raw;
  throw new FieldProblem(key, `${key} must name something by its slug or id, not ${JSON.stringify(raw)}`);
}

function list(raw: unknown): readonly unknown[] {
  return raw === null ? [] : Array.isArray(raw) ? raw : [raw];
}
