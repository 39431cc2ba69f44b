/** The redirects module: `redirects.yaml`, and aliases for files that others move. */
import type { Module } from '../../../kernel/module.ts';
import { noFiles } from '../../../kernel/site/site-parts.ts';
import { createAddresses } from './addresses.ts';
import { keptAddresses } from './former-addresses.ts';
import { createRedirects } from './redirects.ts';
import { createRenames } from './renames.ts';

export { pathBelow, postAt, postOnceAt, redirectAt, termAt as termAtUrl } from './post-by-url.ts';
export { type ListAt, listAt, listNamed, termAt } from './list-at.ts';
export { itemsAt, lookUp, wholeAt } from './resolve-url.ts';

export const permalinks: Module = {
  name: 'permalinks',
  setup(site) {
    const redirects = createRedirects();
    const renames = createRenames(site);
    return {
      site: { redirects, renames, addresses: createAddresses(site) },
      async afterLoad({ batch, cached, restored }) {
        if (cached && restored < cached.size) renames.after(await keptAddresses(site, cached, batch), noFiles);
      },
      beforeExternal(batch) {
        const before = renames.before(batch);
        const compare = (known: Awaited<typeof before>) => () => {
          renames.after(known, batch);
          return [];
        };
        return before instanceof Promise ? before.then(compare) : compare(before);
      },
      beforeIngest(batch) {
        if (redirects.take(batch)) site.records.apply([]);
        return batch;
      },
      problems: () => redirects.problems(),
      close: () => renames.close(),
    };
  },
};
