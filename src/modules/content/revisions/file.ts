/**
 * Revisions on disk: `revisions/<post id>/<id>.html` (or `.md`, like the post).
 */
import { type Draft, type Fields, fileKeys, readFields } from '../../../kernel/model/field.ts';
import { type RevisionRecord, revisionFields, type RevisionView } from './record.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { bodyOf, contextOf, writeRecord } from '../../../kernel/site/record-file.ts';
import type { FileKind } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';
import type { Site } from '../../../kernel/site/site.ts';

type Shelved = Pick<Site, 'modules' | 'zone' | 'refs'>;

/** The fields of revisions, with those of modules under the post's names. */
export function fieldsOfRevisions({ modules }: Pick<Site, 'modules'>): Fields<RevisionRecord, RevisionView> {
  return modules.extendFields(revisionFields, 'revision');
}

export const revisionPaths: readonly PathRow[] = [
  { pattern: 'revisions/#/*.{md,html}', kind: 'revision', type: 'revision', space: 'posts', fields: null },
];

export function createRevisionKind(site: Shelved): FileKind<RevisionRecord> {
  const fields = fieldsOfRevisions(site);
  return {
    name: 'revisions',
    table: 'revisions',
    keys: fileKeys(fields),
    paths: revisionPaths,
    read(source, id) {
      const entry = source as Entry;
      const draft: Draft<RevisionRecord> = {
        id,
        path: entry.path,
        etag: entry.etag,
        parent: 0,
        author: 0,
        date: '',
        dateGmt: '',
        title: '',
        content: entry.body,
        excerpt: '',
        slug: '',
        autosave: false,
        meta: {},
      };
      readFields(fields, entry.data, draft, contextOf(site, entry.path, entry.mtimeMs));
      draft.slug = `${draft.parent}-${draft.autosave ? 'autosave' : 'revision'}-v1`;
      return draft;
    },
  };
}

/** The file change for a new revision, or for an autosave that replaces `before`. */
export function writeRevision(site: Shelved, after: RevisionRecord, before?: RevisionRecord): Write {
  return { ...writeRecord(site, fieldsOfRevisions(site), after, before), ...bodyOf(after, before) };
}
