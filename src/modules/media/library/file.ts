/** Attachments on disk: `media/…/cat.jpg` with its sidecar `media/…/cat.jpg.yaml`, which is the file of the record. */
import { type AttachmentRecord, uploadPath } from '../../content/attachments/record.ts';
import { isMedia, mediaFolder, originalOf } from '../../../kernel/store/paths.ts';
import { type Draft, fileKeys, type Fields, type Placed, printFields, readFields } from '../../../kernel/model/field.ts';
import { blankPost, type PostFields, settlePost } from '../../content/posts/record.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { isUndatedPost } from '../../content/posts/index.ts';
import { contextOf } from '../../../kernel/site/record-file.ts';
import type { FileKind } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';
import { hasOwnFiles, type PostType } from '../../types/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { noClientSizes } from '../files/client-sizes.ts';
import { mimeOf } from '../files/types.ts';

type Shelved = Pick<Site, 'posts' | 'postFields' | 'refs' | 'zone' | 'statuses' | 'types' | 'settings'>;

type Filed = Shelved & Pick<Site, 'media'>;

/** Sidecars below `media/`, and in folders of types, for images next to texts. */
export function mediaPaths(types: Iterable<PostType>, fields: ReadonlyMap<string, PostFields>): PathRow[] {
  return mediaFolders(types).map((folder) => ({
    pattern: `${folder}**.{yaml,yml}`,
    kind: 'media',
    type: 'attachment',
    space: 'posts',
    fields: (fields.get('attachment') ?? null) as PathRow['fields'],
    accepts: (path) => isMedia(path) && mimeOf(originalOf(path)) !== null,
  }));
}

/** Folders with media, each with a slash. */
export function mediaFolders(types: Iterable<PostType>): readonly string[] {
  const own = [...types]
    .filter((type) => type.name === 'attachment' || (hasOwnFiles(type) && type.viewable))
    .flatMap(({ folders }) => folders);
  return [...new Set([mediaFolder, ...own.map((folder) => `${folder}/`)])];
}

export function createMediaKind(site: Filed): FileKind<AttachmentRecord> {
  const { media } = site;
  return {
    name: 'attachment',
    table: 'posts',
    refersTo: ['users', 'terms'],
    keys: sidecarKeys(site),
    paths: mediaPaths(site.types.values(), site.postFields),
    read(source, id) {
      const entry = source as Entry;
      const cx = contextOf(site, entry.path, entry.mtimeMs);
      const draft: Draft<AttachmentRecord> = Object.assign(blankPost(id, 'attachment'), {
        path: entry.path,
        etag: entry.etag,
        kind: 'yaml' as const,
        status: 'inherit',
        comments: 'open' as const,
        alt: '',
        mime: mimeOf(originalOf(entry.path)) as string,
        source: 0,
        fetch: '',
        clientSizes: noClientSizes,
      });
      readFields(fieldsOf(site), entry.data, draft, cx);
      settlePost(draft, cx, site.statuses);
      // Posts are read after media.
      if (draft.parent === 0 && namesPost(entry)) media.wait(entry.path);
      return draft;
    },
    isUndated: isUndatedPost,
    namesLater: namesPost,
    isSlugTaken: ({ id, slug }) =>
      [...site.posts.with('slug', slug)].some((other) => other !== id && site.posts.get(other)?.slug === slug),
    *touched(before, after) {
      if (!after || before?.path === after.path) return;
      for (const id of media.arriveAt(uploadPath(after))) if (site.posts.get(id)?.featuredMedia === 0) yield id;
    },
  };
}

/** Whether a sidecar refers to its post by name. */
function namesPost(entry: Entry): boolean {
  return isMedia(entry.path) && typeof entry.data.post === 'string';
}

/** The file change from `before` (none: a new sidecar) to `after`. The remote URL is dropped once the file exists. */
export function writeAttachment(site: Filed, given: AttachmentRecord, before?: AttachmentRecord): Write {
  const after = site.media.fileOf(given) ? { ...given, fetch: '' } : given;
  const placed = (record: AttachmentRecord): Placed<AttachmentRecord> => ({ record, cx: contextOf(site, record.path) });
  return {
    path: after.path,
    // A placeholder has no file yet.
    expect: before && before.etag !== '' ? before.etag : null,
    data: printFields(fieldsOf(site), placed(after), before && before.etag !== '' ? placed(before) : undefined),
    order: sidecarKeys(site),
  };
}

function fieldsOf(site: Shelved): Fields<AttachmentRecord, never> {
  return (site.postFields.get('attachment') ?? {}) as unknown as Fields<AttachmentRecord, never>;
}

function sidecarKeys(site: Shelved): readonly string[] {
  return fileKeys(fieldsOf(site));
}
