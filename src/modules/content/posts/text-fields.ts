/** The texts of posts: title, content and excerpt, raw and as HTML, and the guid, which has the same form. */
import { inFile, text } from '../../../kernel/model/field.ts';
import { isScalar } from '../../../kernel/model/scalars.ts';
import { type Context, editOnly, everywhere, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { sortKey } from './sort-key.ts';
import { type PostField, type PostRecord, isProtected } from './record.ts';

const readonly = true;

export const titleField: PostField = {
  schema: of('object', 'The title for the post.', {
    context: everywhere,
    properties: partsOf('Title', everywhere),
  }),
  get: { raw: (post) => post.title, rendered: (post, view) => view.title(post) },
  set(value, draft) {
    const raw = rawOf(value);
    // An empty title in an object is ignored (observed), and so is a lone 0.
    const isPassedOver = typeof value === 'object' && (raw === '' || raw === '0');
    if (raw !== undefined && !isPassedOver) draft.title = raw;
  },
  file: inFile<PostRecord, 'title'>('title', text, ''),
  index: { order: (post) => sortKey(post.title), text: (post) => post.title },
};

export const excerptField: PostField = {
  schema: of('object', 'The excerpt for the post.', {
    context: everywhere,
    properties: {
      ...partsOf('Excerpt', everywhere),
      protected: of('boolean', 'Whether the excerpt is protected with a password.', { context: everywhere, readonly }),
    },
  }),
  get: {
    raw: (post) => post.excerpt,
    rendered: (post, view) => view.excerpt(post),
    protected: isProtected,
  },
  set: setRaw('excerpt'),
  file: inFile<PostRecord, 'excerpt'>('excerpt', text, ''),
  index: { text: (post) => post.excerpt },
};

export const contentField: PostField = {
  schema: of('object', 'The content for the post.', {
    context: viewAndEdit,
    properties: {
      ...partsOf('Content', viewAndEdit),
      block_version: of('integer', 'Version of the content block format used by the post.', { context: editOnly, readonly }),
      protected: of('boolean', 'Whether the content is protected with a password.', { context: everywhere, readonly }),
    },
  }),
  get: {
    raw: (post) => post.content,
    rendered: (post, view) => view.content(post),
    block_version: (post, view) => view.blockVersion(post),
    protected: isProtected,
  },
  set: setRaw('content'),
  index: { text: (post) => post.content },
};

export const guidField: PostField = {
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

/** The parts of a text for readers and editors. */
function partsOf(name: 'Title' | 'Excerpt' | 'Content', shown: readonly Context[]): Readonly<Record<string, Schema>> {
  return {
    raw: of('string', `${name} for the post, as it exists in the file.`, { context: editOnly }),
    rendered: of('string', `HTML ${name.toLowerCase()} for the post, transformed for display.`, { context: shown, readonly }),
  };
}

/** The setter of a text, sent as a string or as `{raw}`. */
function setRaw(prop: 'content' | 'excerpt'): PostField['set'] {
  return (value, draft) => {
    const raw = rawOf(value);
    if (raw !== undefined) draft[prop] = raw;
  };
}

/** A string, or `{raw}`; anything else is ignored (observed). */
function rawOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : undefined;
  const { raw } = value as { raw?: unknown };
  return isScalar(raw) ? String(raw) : undefined;
}
