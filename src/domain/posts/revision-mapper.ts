/**
 * Revisions on disk: `revisions/<post id>/<id>.html` (or `.md`, like the post).
 */
import { type Draft, fileKeys, readFields } from '../../model/field.ts';
import { type RevisionRecord, revisionFields } from '../../model/revision.ts';
import type { Entry, Write } from '../../store/types.ts';
import { bodyOf, contextOf, writeRecord } from '../record-file.ts';
import type { FileMapper } from '../indexer.ts';
import type { Site } from '../site.ts';

type Shelved = Pick<Site, 'zone' | 'refs'>;

export function createRevisionMapper(site: Shelved): FileMapper<RevisionRecord> {
  return {
    name: 'revisions',
    table: 'revisions',
    space: 'posts',
    keys: fileKeys(revisionFields),
    owns: (path) => /^revisions\/\d+\/[^/]+\.(md|html)$/.test(path),
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
      readFields(revisionFields, entry.data, draft, contextOf(site, entry.path, entry.mtimeMs));
      draft.slug = `${draft.parent}-${draft.autosave ? 'autosave' : 'revision'}-v1`;
      return draft;
    },
  };
}

/** The file change for a new revision, or for an autosave that takes the place of `before`. */
export function writeRevision(site: Shelved, after: RevisionRecord, before?: RevisionRecord): Write {
  return { ...writeRecord(site, revisionFields, after, before), ...bodyOf(after, before) };
}
