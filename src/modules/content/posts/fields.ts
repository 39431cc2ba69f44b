/** The fields of posts. A type's fields depend on what it supports and on its taxonomies (specification sections 2.2 to 2.4). */
import { aliasKey } from '../permalinks/aliases.ts';
import {
  flag,
  forms,
  idFile,
  inFile,
  integer,
  map,
  referenceOf,
  text,
  texts,
  toRecord,
  word,
} from '../../../kernel/model/field.ts';
import {
  formats,
  type PostField,
  type PostFields,
  type PostRecord,
  type PostView,
  shows,
  slugFile,
  textField,
  isProtected,
} from './record.ts';
import { parentPath, logicalPath } from '../../../kernel/model/logical-path.ts';
import { type Context, editOnly, everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { setMeta } from '../../../kernel/rest/meta-input.ts';
import { dateField, modifiedField } from './date-fields.ts';
import { restrictionFacet, restrictions, statusFacet } from './stated-status.ts';
import { termField } from './terms.ts';
import { contentField, excerptField, guidField, titleField } from './text-fields.ts';
import { type MetaSchemas, type Status, writableStatuses, type Taxonomy, type PostType } from '../../types/record.ts';

const openOrClosed = word(['open', 'closed'] as const);
const readonly = true;

interface PostModel {
  readonly type: PostType;
  readonly taxonomies: readonly Taxonomy[];
  readonly statuses: readonly Status[];
  readonly meta: MetaSchemas;
}

/** The fields of one type, in file order. */
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
      get: (post, view) => view.gmt(post.dateGmt),
    },
    modified: modifiedField,
    modified_gmt: {
      schema: of('string', 'The date the post was last modified, as GMT.', {
        format: 'date-time',
        context: viewAndEdit,
        readonly,
      }),
      get: (post, view) => view.gmt(post.modifiedGmt),
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
  return fields;
}

/** Meta is returned for types with custom fields, for media, and where some is registered. */
function showsMeta(type: PostType, meta: MetaSchemas): boolean {
  return shows(type, 'custom-fields') || type.name === 'attachment' || Object.keys(meta).length > 0;
}

function inContexts(field: PostField, context: readonly Context[]): PostField {
  return { ...field, schema: { ...field.schema, context } };
}

const slugField: PostField = {
  schema: of('string', 'An alphanumeric identifier for the post unique to its type.', { context: everywhere }),
  get: (post) => post.slug,
  set: toRecord('slug'),
  file: slugFile,
  index: { equal: (post) => [post.slug, ...post.aliases.map((alias) => `~${aliasKey(alias)}`)], order: (post) => post.slug },
};

const placeField: PostField = { index: { equal: (post) => logicalPath(post.path) } };
const aboveField: PostField = { index: { equal: (post) => parentPath(post.path) } };

function statusField(statuses: readonly Status[]): PostField {
  return {
    schema: of('string', 'A named status for the post.', { enum: writableStatuses(statuses), context: viewAndEdit }),
    get: (post) => post.status,
    // Null arrives as an empty text, and means draft (observed).
    set(value, draft) {
      draft.status = value === '' ? 'draft' : String(value);
    },
    // Attachments usually inherit their status.
    file: statusFacet<PostRecord>(
      statuses.map(({ name }) => name).filter((name) => name !== 'inherit'),
      'publish',
    ),
    index: { equal: (post) => post.status },
  };
}

/** Keys that hide an item whatever its status. */
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
  // Null arrives as 0, and is ignored (observed).
  set(value, draft) {
    if (value !== 0) draft.author = Number(value);
  },
  file: {
    key: 'author',
    form: forms.reference,
    read(raw, draft, { refs }) {
      draft.author = raw === undefined || raw === null ? 0 : refs.userId(referenceOf(raw, 'author'));
    },
    print: (post, { refs }) => (post.author === 0 ? undefined : refs.userRef(post.author)),
  },
  index: { equal: (post) => post.author, order: (post) => post.author },
};

const featuredMediaField: PostField = {
  schema: of('integer', 'The ID of the featured media for the post.', { context: everywhere }),
  get: (post) => post.featuredMedia,
  set: toRecord('featuredMedia'),
  file: {
    key: 'featured_media',
    form: forms.reference,
    read(raw, draft, { refs }) {
      draft.featuredMedia =
        raw === undefined || raw === null ? 0 : refs.postId('attachment', referenceOf(raw, 'featured_media'), draft.id);
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

/** A parent of the same type is the folder; one of another type is named in the file. */
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
    // Null arrives as an empty text, and is ignored (observed).
    set(value, draft) {
      if (value !== '') draft[prop] = value as 'open' | 'closed';
    },
    file: inFile<PostRecord, typeof prop>(prop, openOrClosed, type.name === 'page' ? 'closed' : 'open'),
  };
}

const templateField: PostField = {
  schema: of('string', 'The theme file to use to display the post.', { context: viewAndEdit }),
  get: (post) => post.template,
  set(value, draft) {
    draft.template = value === '0' ? '' : String(value);
  },
  file: inFile<PostRecord, 'template'>('template', text, ''),
};

const passwordField: PostField = {
  schema: of('string', 'A password to protect access to the content and excerpt.', { context: editOnly }),
  get: (post) => post.password,
  set: toRecord('password'),
  file: inFile<PostRecord, 'password'>('password', text, ''),
  /** 1: protected. The password itself is not indexed. */
  index: { equal: (post) => (isProtected(post) ? 1 : 0) },
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

/** The file facet and indexes of a field that the type does not return. */
function hidden({ file, index }: PostField): PostField {
  return { ...(file ? { file } : {}), ...(index ? { index } : {}) };
}
