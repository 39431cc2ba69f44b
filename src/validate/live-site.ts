/**
 * What checks of one file ask of all others, told by a site in service: nothing but that file is read for them.
 */
import { logicalPath } from '../kernel/model/logical-path.ts';
import { decodedPath } from '../kernel/model/slugs.ts';
import { mediaFolder, originalsOfDerived } from '../kernel/store/paths.ts';
import type { Site } from '../kernel/site/site.ts';
import type { PostRecord } from '../modules/content/posts/record.ts';
import { placeNamed } from '../modules/types/record.ts';
import type { FileSite } from './file-site.ts';
import { say } from './finding.ts';
import type { Library } from './media.ts';
import type { ParsedFile, ReferenceTarget } from './parsed-file.ts';
import type { Index } from './references.ts';

/** Its items as files: what is asked of them is where they are, and what they are called. */
export function liveFiles(site: Site): FileSite {
  const files = new Map<PostRecord, ParsedFile>();
  const records = new Map<ParsedFile, PostRecord>();
  const fileOf = (record: PostRecord): ParsedFile => {
    const known = files.get(record);
    if (known) return known;
    const { type: of, slug, path } = record;
    const file = { kind: of === 'attachment' ? 'media' : 'post', of, slug, entry: { path } } as ParsedFile;
    files.set(record, file);
    records.set(file, record);
    return file;
  };
  return {
    site,
    fileOf,
    recordOf: (file) => records.get(file) as PostRecord,
    byPlace: {
      get(place) {
        const record = itemAt(site, place);
        return record && fileOf(record);
      },
      values: () => [].values(),
    },
  };
}

/** Names are found as the server finds those of files; none that is like another is looked for. */
export function liveIndex(site: Site): Index {
  const idOf = (target: ReferenceTarget, ref: string | number): number => {
    if (target.kind === 'user') return typeof ref === 'number' && site.users.get(ref) === undefined ? 0 : site.refs.userId(ref);
    if (target.kind === 'term')
      return typeof ref === 'number' && site.terms.get(ref) === undefined ? 0 : site.refs.termId(target.taxonomy, ref);
    if (typeof ref === 'number') return site.posts.get(ref)?.id ?? 0;
    return site.refs.postId(target.type, ref) || (itemAt(site, placeNamed(ref))?.id ?? 0);
  };
  return {
    missing: (target, ref) =>
      ref === 0 || ref === '' || idOf(target, ref) > 0
        ? null
        : say('unknown-reference', typeof ref === 'number' ? `nothing has the id ${ref}` : `there is no ${JSON.stringify(ref)}`),
    formerly: () => null,
    hasItem(id, type) {
      const item = site.posts.get(id);
      return item !== undefined && (type === undefined || item.type === type);
    },
    hasPlace: (place) => itemAt(site, place) !== undefined || site.store.locate(place) !== null,
    isTop: (type, folder) => site.types.get(type)?.folders.includes(folder) ?? false,
    nearestPlace: () => undefined,
  };
}

export function liveLibrary(site: Site): Library {
  return {
    missing(address) {
      const path = decodedPath(address) ?? address;
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const names = [path, ...originalsOfDerived(path.slice(folder.length)).map((name) => folder + name)];
      return names.some((name) => site.store.locate(mediaFolder + name) !== null)
        ? null
        : say('missing-upload', `there is no file ${mediaFolder}${path}`);
    },
    use: () => undefined,
    unused: () => [],
  };
}

function itemAt(site: Site, place: string): PostRecord | undefined {
  const [id] = site.posts.with('place', logicalPath(place));
  return id === undefined ? undefined : site.posts.get(id);
}
