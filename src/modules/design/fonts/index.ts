import type { Module } from '../../../kernel/module.ts';
import { fontCollectionRoutes } from './collection-routes.ts';
import { fontErrors } from './errors.ts';
import { fontRoutes } from './routes.ts';

export const fonts: Module = {
  name: 'fonts',
  errors: fontErrors,
  // Faces are below their families.
  typeRoutes: { cms_font_family: () => fontRoutes, cms_font_face: () => [] },
  namespaces: () => [{ name: 'cms/v2', routes: fontCollectionRoutes }],
};
