/**
 * Media tools, `media-tools/v1`, as a module.
 */
import { of } from '../../../kernel/model/schema.ts';
import type { Module } from '../../../kernel/module.ts';
import { createWorkQueue, type WorkQueue } from '../../media/files/queue.ts';
import { nonceHeader } from './access.ts';
import { mediaToolErrors } from './errors.ts';
import { clearCrops, cropChanges } from './plan.ts';
import { cropFields } from './record.ts';
import { mediaToolsRoutes } from './routes.ts';
import { createMediaTokens, type MediaTokens } from './tokens.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly mediaTools: MediaTools;
  }
}

interface MediaTools {
  readonly tokens: MediaTokens;
  /** Crops run a few at a time. */
  readonly queue: WorkQueue;
}

const atOnce = 2;

export const mediaTools: Module = {
  name: 'media-tools',
  errors: mediaToolErrors,
  settings: [
    {
      key: 'media_tools',
      group: 'media',
      schema: of('object', 'Images cropped for fields', {
        properties: {
          delete_unused: of('boolean', 'Delete what no item uses any more, and what no item was saved with for 7 days'),
        },
      }),
      default: {},
    },
  ],
  async setup(site) {
    const { store } = site;
    const queue = createWorkQueue(atOnce);
    const tokens = await createMediaTokens(store.private, store.readOnly);
    return {
      site: { mediaTools: { tokens, queue } },
      follow: (changes) => cropChanges(site, changes),
      close: () => queue.close(),
    };
  },
  jobs: [{ name: 'crops', start: clearCrops }],
  requestHeaders: [nonceHeader],
  extend: { attachment: { fields: cropFields } },
  namespaces: (site) => [{ name: 'media-tools/v1', routes: mediaToolsRoutes(site) }],
};
