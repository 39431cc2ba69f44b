/**
 * The fields of posts: the one place where they are defined. A type's table is made from what the type supports and from the
 * taxonomies it has (specification sections 2.2 to 2.4).
 */
import { aliasKey } from '../../kernel/model/aliases.ts';
import { attachmentFields } from '../media/record.ts';
import { parseFileDate, printFileDate } from '../../kernel/model/dates.ts';
import {
  type Field,
  FieldProblem,
  type FileContext,
  type FileFacet,
  flag,
  forms,
  idFile,
  inFile,
  integer,
  map,
  text,
  texts,
  toRecord,
  word,
} from '../../kernel/model/field.ts';
import { plain } from '../../kernel/model/plain.ts';
import { isScalar } from '../../kernel/model/scalars.ts';
import {
  formats,
  type MetaSchemas,
  parentPath,
  logicalPath,
  type PostField,
  type PostFields,
  type PostRecord,
  type PostView,
  slugFile,
} from './record.ts';
import { type Context, editOnly, everywhere, of, propertiesOf, type Schema, viewAndEdit } from '../../kernel/model/schema.ts';
import { setMeta } from '../../kernel/rest/meta-input.ts';
import { sortKey } from '../../kernel/model/sort-key.ts';
import { restrictionFacet, restrictions, statusFacet } from './stated-status.ts';
import { type Status, writableStatuses, type Taxonomy, type PostType } from '../types/record.ts';

const openOrClosed = word(['open', 'closed'] as const);
const readonly = true;

interface PostModel {
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
      schema: of('integer', 'Unique identifier for the post.', { context: everywhere, readonly }),
      get: (post) => post.id,
      file: idFile,
    },
    title: has('title') ? textField(type, 'title', titleField) : hidden(titleField),
    slug: slugField,
    date: dateField,
    date_gmt: {
      schema: of(['string', 'null'], 'The date the post was published, as GMT.', { format: 'date-time', context: viewAndEdit }),
      get: (post) => post.dateGmt,
    },
    modified: modifiedField,
    modified_gmt: {
      schema: of('string', 'The date the post was last modified, as GMT.', {
        format: 'date-time',
        context: viewAndEdit,
        readonly,
      }),
      get: (post) => post.modifiedGmt,
    },
    status: type.name === 'cms_navigation' ? inContexts(statusField(statuses), everywhere) : statusField(statuses),
    ...restrictionFields(statuses),
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
      schema: of('string', 'Type of post.', { context: everywhere, readonly }),
      get: (post, view) => view.word(post.type),
      index: { equal: (post) => post.type },
    },
    link: {
      schema: of('string', 'URL to the post.', { format: 'uri', context: everywhere, readonly }),
      get: (post, view) => view.link(post),
    },
    ...(type.public
      ? {
          permalink_template: {
            schema: of('string', 'Permalink template for the post.', { context: editOnly, readonly }),
            get: (post: PostRecord, view: PostView) => view.permalinkTemplate(post),
          },
          generated_slug: {
            schema: of('string', 'Slug automatically generated from the post title.', { context: editOnly, readonly }),
            get: (post: PostRecord, view: PostView) => view.generatedSlug(post),
          },
          class_list: {
            schema: of('array', 'An array of the class names for the post container element.', {
              context: viewAndEdit,
              readonly,
              items: { type: 'string' },
            }),
            get: (post: PostRecord, view: PostView) => view.classList(post),
          },
        }
      : {}),
    ...(has('editor') ? { content: textField(type, 'content', contentField) } : {}),
  };
  return type.name === 'attachment' ? attachmentFields(fields, statuses) : fields;
}

/** Whether items of a type have a feature's fields; those of the built-in types are fixed, whatever they support (observed). */
export function shows(type: PostType, feature: string): boolean {
  return feature in type.supports || (type.name === 'page' && feature === 'excerpt');
}

/** Meta is shown by types with custom fields, by media, and by whatever has registered some. */
function showsMeta(type: PostType, meta: MetaSchemas): boolean {
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

const titleField: PostField = {
  schema: of('object', 'The title for the post.', {
    context: everywhere,
    properties: {
      raw: of('string', 'Title for the post, as it exists in the file.', { context: editOnly }),
      rendered: of('string', 'HTML title for the post, transformed for display.', { context: everywhere, readonly }),
    },
  }),
  get: { raw: (post) => post.title, rendered: (post, view) => view.title(post) },
  set(value, draft) {
    const raw = rawOf(value);
    // An empty title within an object is passed over (observed), and so is a lone 0.
    const isPassedOver = typeof value === 'object' && (raw === '' || raw === '0');
    if (raw !== undefined && !isPassedOver) draft.title = raw;
  },
  file: inFile<PostRecord, 'title'>('title', text, ''),
  index: { order: (post) => sortKey(post.title), text: (post) => post.title },
};

const slugField: PostField = {
  schema: of('string', 'An alphanumeric identifier for the post unique to its type.', { context: everywhere }),
  get: (post) => post.slug,
  set: toRecord('slug'),
  file: slugFile,
  index: { equal: (post) => [post.slug, ...post.aliases.map((alias) => `~${aliasKey(alias)}`)], order: (post) => post.slug },
};

const placeField: PostField = { index: { equal: (post) => logicalPath(post.path) } };
const aboveField: PostField = { index: { equal: (post) => parentPath(post.path) } };

const dateField: PostField = {
  schema: of(['string', 'null'], "The date the post was published, in the site's timezone.", {
    format: 'date-time',
    context: everywhere,
  }),
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
  schema: of('string', "The date the post was last modified, in the site's timezone.", {
    format: 'date-time',
    context: viewAndEdit,
    readonly,
  }),
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
    schema: of('string', 'A named status for the post.', { enum: writableStatuses(statuses), context: viewAndEdit }),
    get: (post) => post.status,
    // A null that was sent arrives as an empty text, and means a draft (observed).
    set(value, draft) {
      draft.status = value === '' ? 'draft' : String(value);
    },
    // What is attached alone has the status of something else.
    file: statusFacet<PostRecord>(
      statuses.map(({ name }) => name).filter((name) => name !== 'inherit'),
      'publish',
    ),
    index: { equal: (post) => post.status },
  };
}

/** Keys that hold an item back, whatever its status says. */
function restrictionFields(statuses: readonly Status[]): PostFields {
  return Object.fromEntries(Object.keys(restrictions).map((key) => [`_${key}`, { file: restrictionFacet(key, statuses) }]));
}

const trashedField: PostField = {
  file: inFile<PostRecord, 'trashed'>(
    'trashed',
    {
      form: of(['object', 'null'], 'Of a post in the trash: the status and slug it had.', {
        properties: { status: { type: 'string' }, slug: { type: 'string' } },
      }),
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
  schema: of('integer', 'The ID for the author of the post.', { context: everywhere }),
  get: (post) => post.author,
  // A null that was sent arrives as 0, and is passed over (observed).
  set(value, draft) {
    if (value !== 0) draft.author = Number(value);
  },
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
  schema: of('object', 'The excerpt for the post.', {
    context: everywhere,
    properties: {
      raw: of('string', 'Excerpt for the post, as it exists in the file.', { context: editOnly }),
      rendered: of('string', 'HTML excerpt for the post, transformed for display.', { context: everywhere, readonly }),
      protected: of('boolean', 'Whether the excerpt is protected with a password.', { context: everywhere, readonly }),
    },
  }),
  get: { raw: (post) => post.excerpt, rendered: (post, view) => view.excerpt(post), protected: (post) => post.password !== '' },
  set: setRaw('excerpt'),
  file: inFile<PostRecord, 'excerpt'>('excerpt', text, ''),
  index: { text: (post) => post.excerpt },
};

const contentField: PostField = {
  schema: of('object', 'The content for the post.', {
    context: viewAndEdit,
    properties: {
      raw: of('string', 'Content for the post, as it exists in the file.', { context: editOnly }),
      rendered: of('string', 'HTML content for the post, transformed for display.', { context: viewAndEdit, readonly }),
      block_version: of('integer', 'Version of the content block format used by the post.', { context: editOnly, readonly }),
      protected: of('boolean', 'Whether the content is protected with a password.', { context: everywhere, readonly }),
    },
  }),
  get: {
    raw: (post) => post.content,
    rendered: (post, view) => view.content(post),
    block_version: (post, view) => view.blockVersion(post),
    protected: (post) => post.password !== '',
  },
  set: setRaw('content'),
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
  const schema: Schema = of('array', `The terms assigned to the post in the ${name} taxonomy.`, {
    items: { type: 'integer' },
    context: viewAndEdit,
  });
  const set: PostField['set'] = (value, draft) => {
    draft.terms = { ...draft.terms, [name]: value as readonly number[] };
  };
  return [taxonomy.restBase, { schema, get: (post, view) => view.terms(post, name), set, file, index }];
}

const featuredMediaField: PostField = {
  schema: of('integer', 'The ID of the featured media for the post.', { context: everywhere }),
  get: (post) => post.featuredMedia,
  set: toRecord('featuredMedia'),
  file: {
    key: 'featured_media',
    form: forms.reference,
    read(raw, draft, { refs }) {
      draft.featuredMedia =
        raw === undefined || raw === null ? 0 : refs.postId('attachment', reference(raw, 'featured_media'), draft.id);
    },
    print: (post, { refs }) => (post.featuredMedia === 0 ? undefined : refs.postRef('attachment', post.featuredMedia)),
  },
  index: { equal: (post) => post.featuredMedia || undefined },
};

const formatField: PostField = {
  schema: of('string', 'The format for the post.', { enum: formats, context: viewAndEdit }),
  get: (post) => post.format,
  set: toRecord('format'),
  file: inFile<PostRecord, 'format'>('format', word(formats), 'standard'),
  index: { equal: (post) => post.format },
};

const stickyField: PostField = {
  schema: of('boolean', 'Whether or not the post should be treated as sticky.', { context: viewAndEdit }),
  get: (post) => post.sticky,
  set: toRecord('sticky'),
  file: inFile<PostRecord, 'sticky'>('sticky', flag, false),
  index: { equal: (post) => (post.sticky ? 1 : 0) },
};

/** A parent of the same type is the folder the file is in; one of another type is named in the file. */
function parentField({ folder }: PostType): PostField {
  return {
    schema: of('integer', 'The ID for the parent of the post.', { context: viewAndEdit }),
    get: (post) => post.parent,
    set: toRecord('parent'),
    file: {
      key: 'parent',
      form: of('integer', 'Id of a parent of another type; one of the same type is the folder.'),
      read(raw, draft) {
        if (draft.parent === 0 && typeof raw === 'number' && Number.isInteger(raw) && raw > 0) draft.parent = raw;
      },
      print: (post, { path }) => (post.parent > 0 && parentPath(path) === folder ? post.parent : undefined),
    },
    index: { equal: (post) => post.parent, order: (post) => post.parent },
  };
}

const orderField: PostField = {
  schema: of('integer', 'The order of the post in relation to other posts.', { context: viewAndEdit }),
  get: (post) => post.order,
  set: toRecord('order'),
  file: inFile<PostRecord, 'order'>('order', integer, 0),
  index: { equal: (post) => post.order, order: (post) => post.order },
};

function discussion(prop: 'comments' | 'pings', type: PostType): PostField {
  const what = prop === 'comments' ? 'comments are open' : 'the post can be pinged';
  return {
    schema: of('string', `Whether or not ${what}.`, { enum: ['open', 'closed'], context: viewAndEdit }),
    get: (post) => post[prop],
    // A null that was sent arrives as an empty text, and is passed over (observed).
    set(value, draft) {
      if (value !== '') draft[prop] = value as 'open' | 'closed';
    },
    file: inFile<PostRecord, typeof prop>(prop, openOrClosed, type.name === 'page' ? 'closed' : 'open'),
  };
}

const templateField: PostField = {
  schema: of('string', 'The theme file to use to display the post.', { context: viewAndEdit }),
  get: (post) => post.template,
  set: toRecord('template'),
  file: inFile<PostRecord, 'template'>('template', text, ''),
};

const passwordField: PostField = {
  schema: of('string', 'A password to protect access to the content and excerpt.', { context: editOnly }),
  get: (post) => post.password,
  set: toRecord('password'),
  file: inFile<PostRecord, 'password'>('password', text, ''),
  /** 1: protected. The password itself is in no index. */
  index: { equal: (post) => (post.password === '' ? 0 : 1) },
};

function metaField(schemas: MetaSchemas): PostField {
  return {
    schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: Object.keys(schemas).length > 0 ? schemas : [] }),
    get: (post, view) => view.meta(post),
    set: setMeta(schemas),
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
  schema: of('object', 'The globally unique identifier for the post.', {
    context: viewAndEdit,
    readonly,
    properties: {
      raw: of('string', 'GUID for the post, as it exists in the file.', { context: editOnly, readonly }),
      rendered: of('string', 'GUID for the post, transformed for display.', { context: viewAndEdit, readonly }),
    },
  }),
  get: { raw: (post, view) => view.guid(post), rendered: (post, view) => view.guid(post) },
  file: inFile<PostRecord, 'guid'>('guid', text, ''),
};

/** The file facet and indexes of a field that the type does not show. */
function hidden({ file, index }: PostField): PostField {
  return { ...(file ? { file } : {}), ...(index ? { index } : {}) };
}

/** The setter of a text that clients send as it is, or as `{raw}`. */
function setRaw(prop: 'content' | 'excerpt'): PostField['set'] {
  return (value, draft) => {
    const raw = rawOf(value);
    if (raw !== undefined) draft[prop] = raw;
  };
}

/** A text, or `{raw}`; anything else, a number say, is passed over (observed). */
function rawOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : undefined;
  const { raw } = value as { raw?: unknown };
  return isScalar(raw) ? String(raw) : undefined;
}

function fileDate(raw: unknown, key: string, cx: FileContext): [local: string, gmt: string] {
  const date = parseFileDate(String(raw), cx.zone);
  if (!date)
    throw new FieldProblem(
      key,
      `invalid ${key} ${JSON.stringify(raw)}`,
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
