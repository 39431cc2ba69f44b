/**
 * Media files as a module.
 */
import { choiceOf, fileOnly, mapNames, type Setting } from '../../../kernel/model/settings.ts';
import type { Module } from '../../../kernel/module.ts';
import { transformingFiles } from '../transforms/index.ts';
import { mediaErrors } from './errors.ts';
import { attachmentFields } from './fields.ts';
import { createMediaKind, mediaFolders, mediaPaths } from './file.ts';
import { mediaFolder } from '../../../kernel/store/paths.ts';
import { createMedia } from './library.ts';
import { registeredSizes, sizingOf } from '../files/image-sizes.ts';
import { bigImage } from '../files/sizes.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isSecureContext } from './sideload.ts';
import { mediaRoutes } from './routes.ts';
import { createTextMedia } from './text-media.ts';
import { planDetach } from './plan.ts';
import { replicatedSizes, servedFiles } from './served-files.ts';

export { writeAttachment } from './file.ts';
export { planAttachment, planAttachmentDelete, planAttachmentUpdate } from './plan.ts';
export { acceptFile, UploadRefusal } from './uploads.ts';
export { createMediaView, imageOf, imageSizes, sourceUrl, uploadUrl } from './view.ts';

/** Settings of images: sizes, and what is removed from uploads. */
const settings: readonly Setting[] = [
  {
    group: 'media',
    key: 'image_sizes',
    schema: {
      ...fileOnly(
        'More image sizes, or other dimensions of standard ones: {width, height, crop}; false leaves one out',
        'object',
      ),
      additionalProperties: {
        type: ['object', 'boolean'],
        properties: {
          width: { type: 'integer', minimum: 0, maximum: 20_000 },
          height: { type: 'integer', minimum: 0, maximum: 20_000 },
          crop: { type: 'boolean' },
        },
      },
    },
    bounds: { names: mapNames, maxProperties: 32 },
    default: {},
  },
  {
    group: 'media',
    key: 'image_format',
    schema: choiceOf('Format of image sizes', 'original', 'webp', 'avif'),
    default: 'original',
  },
  {
    group: 'media',
    key: 'image_quality',
    schema: {
      ...fileOnly('Quality of image sizes; 0: the default of the format', 'integer'),
      minimum: 0,
      maximum: 100,
    },
    default: 0,
  },
  {
    group: 'media',
    key: 'strip_location',
    schema: fileOnly('Remove the location from uploaded images', 'boolean'),
    default: false,
  },
];

/** For clients that make sizes themselves, if they may upload and can do so. */
function forMakers<T>(tell: (site: Site) => T): (call: Call) => T | undefined {
  return ({ site, request, can }) => (isSecureContext(request) && can('upload_files') ? tell(site) : undefined);
}

const makingSizes: Module['index'] = {
  image_sizes: forMakers(({ settings }) =>
    Object.fromEntries(
      registeredSizes(sizingOf(settings)).map(({ name, width, height, crop }) => [name, { width, height, crop }]),
    ),
  ),
  image_size_threshold: forMakers(() => bigImage),
  image_strip_meta: forMakers(() => true),
  image_max_bit_depth: forMakers(() => 16),
};

export const media: Module = {
  name: 'media',
  errors: mediaErrors,
  settings,
  extend: { attachment: { reshapeFields: attachmentFields } },
  setup(site, { dateOf }) {
    const media = createMedia({
      store: site.store,
      settings: site.settings,
      dateOf,
      isServed: (path) =>
        path.startsWith(mediaFolder) || mediaFolders(site.types.values()).some((folder) => path.startsWith(folder)),
      isSlugTaken: (slug) => site.posts.with('slug', slug).size > 0,
      // Cached responses may contain other sizes.
      changed: () => site.records.apply([]),
    });
    const files = transformingFiles(site, servedFiles(site));
    return {
      site: { media, textMedia: createTextMedia(site) },
      files,
      beforeLoad: () => void site.companions.push({ kept: planDetach }),
      replicated: replicatedSizes(site),
      undated: (batch) => media.bare(batch),
      beforeIngest: (batch) => media.take(batch),
      amend(write) {
        const data = media.pending(write.path);
        return data ? { ...write, expect: null, data: { ...write.data, ...data } } : write;
      },
      waiting: () => media.waiting(),
      async close() {
        await files.close();
        await media.close();
      },
    };
  },
  kinds: (site) => [createMediaKind(site)],
  paths: ({ types, postFields }) => mediaPaths(types, postFields),
  typeRoutes: { attachment: (site) => mediaRoutes(site) },
  index: makingSizes,
};
