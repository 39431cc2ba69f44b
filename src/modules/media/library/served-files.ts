/** `/uploads/…`: media files and sizes by name, and their replication between processes. */
import { versionOf } from '../files/facts.ts';
import { originalsOfDerived } from '../../../kernel/store/paths.ts';
import { lfsHint, lfsMissing } from '../files/lfs.ts';
import type { Replicated } from '../../../kernel/site/replicated.ts';
import type { RefusedFile, ServedFiles } from '../../../kernel/site/serving.ts';
import type { Blob } from '../../../kernel/store/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { originalsAt, uploadsRoot } from '../../../kernel/store/paths.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { isElsewhere, sourceUrl } from './view.ts';

export function servedFiles(site: Site): ServedFiles {
  return {
    root: uploadsRoot,
    async find(path) {
      const served = await site.media.serve(path);
      if (served) return served;
      const location = addressElsewhere(site, path);
      return location === undefined ? pointerAt(site, path) : { location };
    },
  };
}

function fileAt({ media }: Pick<Site, 'media'>, upload: string): Blob | undefined {
  return originalsAt(upload)
    .map((path) => media.fileOf({ path }))
    .find((file) => file !== undefined);
}

/** The error for a file in git LFS, and for its sizes. */
function pointerAt(site: Site, path: string): RefusedFile | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const places = [name, ...originalsOfDerived(name)].map((one) => fileAt(site, path.slice(0, -name.length) + one));
  if (!places.some((file) => file && site.media.facts(file)?.pointer)) return null;
  return { status: 503, headers: { 'Cache-Control': 'no-store' }, message: `Not here yet: ${lfsMissing} (${lfsHint}).` };
}

/** The remote URL of a file; for one of its sizes, that of the whole. */
function addressElsewhere(site: Site, path: string): string | undefined {
  for (const name of [path, path.replace(/-(?:\d+x\d+|scaled)(?=\.[^.]+$)/, '')]) {
    const media = site.posts.get(site.refs.postId('attachment', name));
    if (isAttachment(media) && isElsewhere(site, media)) return sourceUrl(site, media);
  }
  return undefined;
}

/** Existing and failed sizes of an image. */
interface Sizes {
  readonly path: string;
  /** State of the media file, as in the cache key. */
  readonly version: string;
  readonly made: readonly (readonly [file: string, bytes: number])[];
  readonly failed: readonly string[];
}

/** Whichever worker has made sizes, the others learn which exist. */
export function replicatedSizes(site: Pick<Site, 'media' | 'records'>): Replicated {
  const unmade = new Map<string, Sizes>();
  let publish: (sizes: Sizes) => void = () => undefined;
  return {
    name: 'sizes',
    fileAt: (path) => site.media.fileOf({ path }),
    publish(send) {
      publish = send;
    },
    snapshot: () => [...unmade.values()],
    // Sizes exist once the facts of an image are cached.
    cached(key) {
      const [, name, version] = /^derived\/(.+)\/([^/]+)\/about\.json$/.exec(key) ?? [];
      if (name === undefined || version === undefined) return;
      const path = fileAt(site, name)?.path;
      const facts = path === undefined ? undefined : site.media.facts({ path });
      if (path === undefined || !facts) return;
      const sizes: Sizes = { path, version, made: [...facts.made], failed: [...facts.failed] };
      if (sizes.failed.length > 0) unmade.set(path, sizes);
      else unmade.delete(path);
      publish(sizes);
    },
    async follow(change) {
      const { path, version, made, failed } = change as Sizes;
      const file = site.media.fileOf({ path });
      if (!file || versionOf(file) !== version) return;
      await site.media.prepare([{ path } as never]);
      const facts = site.media.facts({ path });
      for (const [name, bytes] of made) facts?.made.set(name, bytes);
      facts?.failed.clear();
      for (const name of failed) facts?.failed.add(name);
      site.records.apply([]);
    },
  };
}
