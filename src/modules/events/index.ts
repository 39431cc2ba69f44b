/**
 * Events as a module: what happens to the items of a site, for front ends that follow it.
 */
import type { Module } from '../../kernel/module.ts';
import { createEventFeed } from './feed.ts';
import { eventRoutes } from './routes.ts';
import { createStreams } from './streams.ts';

declare module '../../kernel/errors.ts' {
  interface ModuleErrors {
    rest_too_many_streams: ErrorRow;
  }
}

export const events: Module = {
  name: 'events',
  errors: {
    rest_too_many_streams: { status: 429, retryAfter: 10, message: 'Too many open event streams. Please try again later.' },
  },
  requestHeaders: ['Last-Event-ID'],
  setup(site) {
    const feed = createEventFeed(site);
    return {
      site: { events: feed },
      afterIngest(batch, writes) {
        const paths = [...batch.entries.map(({ path }) => path), ...batch.removed];
        if (paths.includes('site.yaml')) feed.tell('settings');
        if (paths.includes('redirects.yaml')) feed.tell('redirects');
        return writes;
      },
    };
  },
  namespaces: (site) => [{ name: 'cms/v2', routes: eventRoutes(createStreams(site)) }],
};
