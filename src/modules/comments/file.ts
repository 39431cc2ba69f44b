/** Comments on disk: `comments/<post id>/<id>.html`; other file names and Markdown (`.md`) are accepted. */
import { commentKeys, fieldsOfComments } from './fields.ts';
import type { CommentRecord } from './record.ts';
import { type Draft, readFields } from '../../kernel/model/field.ts';
import type { Entry, Write } from '../../kernel/store/types.ts';
import { bodyOf, contextOf, writeRecord } from '../../kernel/site/record-file.ts';
import type { FileKind } from '../../kernel/site/file-kind.ts';
import type { PathRow } from '../../kernel/site/path-table.ts';
import type { Site } from '../../kernel/site/site.ts';

type FileSite = Pick<Site, 'modules' | 'zone' | 'refs'>;

export function commentPaths(site: Pick<Site, 'modules'>): readonly PathRow[] {
  const fields = fieldsOfComments(site) as PathRow['fields'];
  return [{ pattern: 'comments/#/*.{html,md}', kind: 'comment', type: '', space: 'comments', fields }];
}

export function createCommentKind(site: FileSite & Pick<Site, 'commenters'>): FileKind<CommentRecord> {
  const fields = fieldsOfComments(site);
  return {
    name: 'comments',
    table: 'comments',
    keys: commentKeys,
    forget: (ids) => site.commenters.forget(ids),
    paths: commentPaths(site),
    isUndated: (source) => source.data.date === undefined || source.data.date === null,
    read(source, id) {
      const entry = source as Entry;
      const draft: Draft<CommentRecord> = {
        id,
        path: entry.path,
        etag: entry.etag,
        post: Number(entry.path.split('/')[1]),
        parent: 0,
        author: 0,
        name: null,
        url: null,
        date: '',
        dateGmt: '',
        content: entry.body,
        status: 'approved',
        was: null,
        type: 'comment',
        meta: {},
      };
      readFields(fields, entry.data, draft, contextOf(site, entry.path, entry.mtimeMs));
      return draft;
    },
  };
}

/** The file changes from `before` (none: a new file) to `after`: one, or none if nothing changes. */
export function writeComment(site: FileSite, after: CommentRecord, before?: CommentRecord): Write[] {
  const write: Write = { ...writeRecord(site, fieldsOfComments(site), after, before, commentKeys), ...bodyOf(after, before) };
  const isSame = before && !write.from && write.body === undefined && Object.keys(write.data).length === 0;
  return isSame ? [] : [write];
}

/** The path of a comment's file; one that moves to another post keeps its name. */
export function commentPath({ id, post, path }: Pick<CommentRecord, 'id' | 'post' | 'path'>): string {
  return `comments/${post}/${path === '' ? `${id}.html` : path.slice(path.lastIndexOf('/') + 1)}`;
}
