/** Routes for front ends, as a module. */
import { of } from '../../../kernel/model/schema.ts';
import type { Module } from '../../../kernel/module.ts';
import { type Constants, createConstants, isConstants } from './constants.ts';
import { siteErrors } from './errors.ts';
import { createFeeds, type Feeds } from './feeds.ts';
import { customRoutes, cmsRoutes } from './routes.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly feeds: Feeds;
    /** The contents of `constants.yaml`. */
    readonly constants: Constants;
  }
}

const list = (description: string, type: 'string' | 'integer') => of('array', description, { items: { type } });

export const siteRoutes: Module = {
  name: 'site-routes',
  errors: siteErrors,
  settings: [
    {
      key: 'search',
      group: 'search',
      schema: of('object', 'Options of the site search', {
        properties: {
          types: list('Types that are searched: page, post, media, term, or one of your own', 'string'),
          fields: list('Names of custom fields whose texts are searched', 'string'),
          per_page: of('integer', 'Results on a page', { minimum: 1, maximum: 100 }),
          exclude: list('Ids of items that are never found', 'integer'),
        },
      }),
      default: {},
    },
  ],
  required: [{ matches: isConstants, what: 'its constants', otherwise: 'front ends would show none of what they hold' }],
  setup(site) {
    const constants = createConstants();
    return {
      site: { constants, feeds: createFeeds(site) },
      beforeIngest(batch) {
        if (constants.take(batch)) site.records.apply([]);
        return batch;
      },
    };
  },
  namespaces: () => [
    { name: 'cms/v2', routes: cmsRoutes },
    { name: 'cms/v2/custom', routes: customRoutes },
  ],
};
