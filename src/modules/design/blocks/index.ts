/** Blocks as two modules: those of the site, and external directories. */
import type { Module } from '../../../kernel/module.ts';
import { createBlockDirectory } from './directory-routes.ts';
import { blockErrors, directoryErrors } from './errors.ts';
import { createPatternDirectory } from './pattern-directory-routes.ts';
import { blockPatternRoutes } from './pattern-routes.ts';
import { blockRendererRoutes } from './render-routes.ts';
import { blockRoutes } from './routes.ts';
import { blockTypeRoutes } from './type-routes.ts';

export { categoriesOf } from './patterns.ts';

export const blocks: Module = {
  name: 'blocks',
  errors: blockErrors,
  typeRoutes: { cms_block: blockRoutes },
  namespaces: () => [{ name: 'cms/v2', routes: [...blockRendererRoutes, ...blockTypeRoutes] }],
};

export const blockDirectories: Module = {
  name: 'block-directories',
  errors: directoryErrors,
  namespaces: (site) => [
    { name: 'cms/v2', routes: [...createBlockDirectory(site), ...createPatternDirectory(site), ...blockPatternRoutes] },
  ],
};
