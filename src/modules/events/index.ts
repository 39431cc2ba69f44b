/** Events as a module, for front ends that follow changes. */
import type { Module } from '../../kernel/module.ts';
import { startLeased } from '../../kernel/site/leased.ts';
import type { Site } from '../../kernel/site/site.ts';
import { eventErrors } from './errors.ts';
import { createEventFeed } from './feed.ts';
import { eventRoutes } from './routes.ts';
import { createStreams, type EventStreams } from './streams.ts';
import { documents } from './webhooks/record.ts';
import { createSender, type Sender } from './webhooks/sender.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly eventStreams: EventStreams;
    readonly webhooks: Sender;
  }
}

export const events: Module = {
  name: 'events',
  errors: eventErrors,
  requestHeaders: ['Last-Event-ID'],
  setup(site, { log }) {
    const feed = createEventFeed(site);
    return {
      site: { events: feed, eventStreams: createStreams(site, feed), webhooks: createSender(site, { log }) },
      // No responses depend on them.
      replicated: { name: 'events', documents: { prefix: documents.prefix, reread: () => undefined, announced: true } },
      afterIngest(batch, writes) {
        const paths = [...batch.entries.map(({ path }) => path), ...batch.removed];
        if (paths.includes('site.yaml')) feed.tell('settings');
        if (paths.includes('redirects.yaml')) feed.tell('redirects');
        return writes;
      },
    };
  },
  jobs: [
    { name: 'events', start: recordEvents },
    { name: 'webhooks', start: startWebhooks },
  ],
  namespaces: (site) => [{ name: 'cms/v2', routes: eventRoutes(site.eventStreams) }],
};

/** What clients and webhooks of other nodes may resume from here is kept from the start; alone, from the first one that listens. */
function recordEvents({ store, events: feed }: Site): () => Promise<void> {
  const stop = store.shared ? feed.listen(() => undefined) : () => undefined;
  return async () => stop();
}

/** A node that may send webhooks in place of one that has died looks so often. */
const askEveryMs = 5000;

/** Of several nodes or workers, one sends. */
function startWebhooks(site: Site): () => Promise<void> {
  if (Object.keys(site.operator.events).length === 0) return async () => undefined;
  const unfollow = site.store.shared ? site.webhooks.follow() : () => undefined;
  const stop = startLeased(site, 'webhooks', askEveryMs, site.webhooks.start);
  return async () => {
    await stop();
    unfollow();
  };
}
