/**
 * Media files as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { createMediaKind } from './file.ts';
import { createMedia } from './library.ts';
import { mediaRoutes } from './routes.ts';
import { replicatedSizes, servedFiles } from './served-files.ts';

export { writeAttachment } from './file.ts';
export { planAttachment, planAttachmentDelete, planAttachmentUpdate } from './plan.ts';
export { acceptFile, UploadRefusal } from './uploads.ts';
export { imageOf, imageSizes, sourceUrl, uploadUrl } from './view.ts';

export const media: Module = {
  name: 'media',
  setup(site, { dateOf }) {
    const media = createMedia({
      store: site.store,
      settings: site.settings,
      dateOf,
      isSlugTaken: (slug) => site.posts.with('slug', slug).size > 0,
      // What was answered before told other sizes.
      changed: () => site.records.apply([]),
    });
    return {
      site: { media },
      files: servedFiles(site),
      replicated: replicatedSizes(site),
      undated: (batch) => media.bare(batch),
      beforeIngest: (batch) => media.take(batch),
      amend(write) {
        const data = media.pending(write.path);
        return data ? { ...write, expect: null, data: { ...write.data, ...data } } : write;
      },
      waiting: () => media.waiting(),
      close: () => media.close(),
    };
  },
  kinds: (site) => [createMediaKind(site)],
  typeRoutes: { attachment: mediaRoutes },
};
