/** The fields of comments (specification section 2.6). */
import type { Site } from '../../kernel/site/site.ts';
import { now, parseFileDate, printFileDate } from '../../kernel/model/dates.ts';
import { type Field, FieldProblem, forms, idFile, inFile, integer, map, text, toRecord, word } from '../../kernel/model/field.ts';
import { plain } from '../../kernel/model/plain.ts';
import { editOnly, everywhere, of, type Schema, viewAndEdit } from '../../kernel/model/schema.ts';
import { avatarSchema } from '../people/users/record.ts';
import { type CommentFields, type CommentRecord, type CommentView, commentStatuses } from './record.ts';

/** Standard meta: the status of an editor's note. */
export const standardCommentMeta: Readonly<Record<string, Schema>> = {
  _cms_note_status: of('string', 'What became of a note.', { title: '', default: '', enum: ['resolved', 'reopen'] }),
};

const readonly = true;
const status = word(commentStatuses);

export function fieldsOfComments({ modules }: Pick<Site, 'modules'>): CommentFields {
  return modules.extendFields(commentFields, 'comment');
}

/** In schema order. */
export const commentFields: CommentFields = {
  id: {
    schema: of('integer', 'Unique identifier for the comment.', { context: everywhere, readonly }),
    get: (comment) => comment.id,
    file: idFile,
  },
  author: {
    schema: of('integer', 'The ID of the user object, if author was a user.', { context: everywhere }),
    get: (comment) => comment.author,
    set: toRecord('author'),
    file: {
      key: 'author',
      form: forms.reference,
      read(raw, draft, { refs }) {
        const named = typeof raw === 'number' ? raw : raw === undefined ? '' : text.parse(raw, 'author');
        draft.author = named === '' ? 0 : refs.userId(named);
      },
      print: ({ author }, { refs }) => (author === 0 ? undefined : refs.userRef(author)),
    },
    index: { equal: (comment) => comment.author },
  },
  author_email: {
    schema: of('string', 'Email address for the comment author.', { format: 'email', context: editOnly }),
    get: (comment, view) => view.email(comment),
  },
  author_ip: {
    schema: of('string', 'IP address for the comment author.', { format: 'ip', context: editOnly }),
    get: (comment, view) => view.ip(comment),
  },
  author_name: {
    schema: of('string', 'Display name for the comment author.', { context: everywhere }),
    get: (comment, view) => view.name(comment),
    set: toRecord('name'),
    file: inFile<CommentRecord, 'name'>('name', text, null),
    index: { text: (comment) => comment.name ?? '' },
  },
  author_url: {
    schema: of('string', 'URL for the comment author.', { format: 'uri', context: everywhere }),
    get: (comment, view) => view.url(comment),
    set: toRecord('url'),
    file: inFile<CommentRecord, 'url'>('url', text, null),
    index: { text: (comment) => comment.url ?? '' },
  },
  author_user_agent: {
    schema: of('string', 'User agent for the comment author.', { context: editOnly }),
    get: (comment, view) => view.agent(comment),
  },
  content: {
    schema: of('object', 'The content for the comment.', {
      context: everywhere,
      properties: {
        raw: of('string', 'Content for the comment, as it exists in the file.', { context: editOnly }),
        rendered: of('string', 'HTML content for the comment, transformed for display.', { context: everywhere, readonly }),
      },
    }),
    get: { rendered: (comment, view) => view.content(comment), raw: (comment) => comment.content },
    set(value, draft) {
      const raw = typeof value === 'object' && value !== null ? (value as { raw?: unknown }).raw : value;
      if (typeof raw === 'string') draft.content = raw.trim();
    },
    index: { text: (comment) => comment.content },
  },
  date: {
    schema: of('string', "The date the comment was published, in the site's timezone.", {
      format: 'date-time',
      context: everywhere,
    }),
    get: (comment) => comment.date,
    file: {
      key: 'date',
      form: forms.date,
      read(raw, draft, { zone, mtimeMs }) {
        const undated = raw === undefined || raw === null;
        const date = undated ? now(zone, mtimeMs) : parseFileDate(String(raw), zone);
        if (!date) throw new FieldProblem('date', `invalid date ${JSON.stringify(raw)}`, 'write it as 2026-03-05 10:00');
        [draft.date, draft.dateGmt] = [date.local, date.gmt];
      },
      print: (comment, { zone }) => plain(printFileDate(comment.date, comment.dateGmt, zone)),
    },
    index: { order: (comment) => comment.date },
  },
  date_gmt: {
    schema: of('string', 'The date the comment was published, as GMT.', { format: 'date-time', context: viewAndEdit }),
    get: (comment, view) => view.gmt(comment.dateGmt),
    index: { order: (comment) => comment.dateGmt },
  },
  link: {
    schema: of('string', 'URL to the comment.', { format: 'uri', context: everywhere, readonly }),
    get: (comment, view) => view.link(comment),
  },
  parent: {
    schema: of('integer', 'The ID for the parent of the comment.', { context: everywhere, default: 0 }),
    get: (comment) => comment.parent,
    set: toRecord('parent'),
    file: inFile<CommentRecord, 'parent'>('parent', integer, 0),
    index: { equal: (comment) => comment.parent, order: (comment) => comment.parent },
  },
  post: {
    schema: of('integer', 'The ID of the associated post object.', { context: viewAndEdit, default: 0 }),
    get: (comment) => comment.post,
    set: toRecord('post'),
    index: { equal: (comment) => comment.post, order: (comment) => comment.post },
  },
  status: {
    schema: of('string', 'State of the comment.', { context: viewAndEdit }),
    get: (comment, view) => view.status(comment),
    file: inFile<CommentRecord, 'status'>('status', status, 'approved'),
    index: { equal: (comment) => comment.status },
  },
  _was: { file: inFile<CommentRecord, 'was'>('was', status, null) },
  type: {
    schema: of('string', 'Type of the comment.', { context: everywhere, readonly, default: 'comment' }),
    get: (comment) => comment.type,
    file: inFile<CommentRecord, 'type'>('type', text, 'comment'),
    index: { equal: (comment) => comment.type, order: (comment) => comment.type },
  },
  author_avatar_urls: {
    schema: avatarSchema('Avatar URLs for the comment author.', everywhere),
    get: (comment, view) => view.avatars(comment),
  },
  meta: {
    schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: standardCommentMeta }),
    get: (comment, view) => view.meta(comment),
    file: inFile<CommentRecord, 'meta'>('meta', map, {}),
  },
  _path: { index: { unique: (comment) => comment.path } },
} satisfies Record<string, Field<CommentRecord, CommentView>>;

/** Key order in files. */
export const commentKeys: readonly string[] = ['id', 'parent', 'author', 'name', 'url', 'date', 'status', 'was', 'type', 'meta'];
