/**
 * What editors of search metadata ask and remember, `seo/v1`, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { findNewTypes } from './new-types.ts';
import { forgetPerson } from './people.ts';
import { editorRoutes } from './routes.ts';

export const seoEditors: Module = {
  name: 'seo-editors',
  setup: (site) => ({ beforeLoad: () => void site.departures.push({ before: ({ user }) => forgetPerson(site, user) }) }),
  namespaces: (site) => [{ name: 'seo/v1', routes: editorRoutes(site) }],
  jobs: [{ name: 'seo-new-types', start: findNewTypes }],
};
