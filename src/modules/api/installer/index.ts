/**
 * The installer, `installer/v1`, as a module: its vendor asks the site to refresh the data of its subscription.
 *
 * Shape    `{message: "OK"}`, whatever happens: 200 when the data were refreshed, 403 when there is nothing to do
 * Access   everyone
 * Source   specification 4.8; recorded behaviour of the reference
 */
import { fail } from '../../../kernel/errors.ts';
import type { Module } from '../../../kernel/module.ts';
import { answer, type Answer, anyone, type Call, READ } from '../../../kernel/rest/types.ts';
import { createSubscription, type Subscription } from './subscription.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly subscription: Subscription;
  }
}

const name = 'installer/v1';

export const installer: Module = {
  name: 'installer',
  setup: (site) => ({ site: { subscription: createSubscription(site) } }),
  namespaces: () => [
    {
      name,
      routes: [
        {
          path: `/${name}/push/fetch-subscription`,
          endpoints: [{ methods: READ, args: {}, allow: anyone, handle: fetchSubscription }],
        },
      ],
    },
  ],
};

async function fetchSubscription({ site: { store, subscription } }: Call): Promise<Answer> {
  const { isRegistered } = subscription;
  // A process that cannot store the time must not request; the writer does instead.
  if (isRegistered && store.readOnly) fail('rest_read_only');
  const isDone = isRegistered && (await subscription.refresh());
  return answer({ message: 'OK' }, { status: isDone ? 200 : 403, headers: { 'Cache-Control': 'no-store' } });
}
