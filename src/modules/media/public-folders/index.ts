/** Media folders for other programs, with an API key, as a module. */
import type { Module } from '../../../kernel/module.ts';
import { createApiKey } from './api-key.ts';
import { keyRoutes, publicRoutes } from './routes.ts';

export const mediaFoldersPublic: Module = {
  name: 'media-folders-public',
  setup: async (site) => ({ site: { folderKey: await createApiKey(site.store.private) } }),
  namespaces: () => [
    { name: 'folders/v1', routes: keyRoutes },
    { name: 'folders/public/v1', routes: publicRoutes },
  ],
};
