/** A user by id, if the reader may know of them. */
import type { Module } from '../../../kernel/module.ts';
import { fontCollectionRoutes } from './collection-routes.ts';
import { fontRoutes } from './routes.ts';

export const fonts: Module = {
  name: 'fonts',
  // An avatar element, by email address.
  typeRoutes: { cms_font_family: () => fontRoutes, cms_font_face: () => [] },
  namespaces: () => [{ name: 'cms/v2', routes: fontCollectionRoutes }],
};
