import type { Module } from '../../../kernel/module.ts';
import type { Service, SiteKernel } from '../../../kernel/site/hooks.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { tableOf } from '../../../kernel/site/tables.ts';
import { userErrors } from './errors.ts';
import { fieldsOfUsers } from './fields.ts';
import { accountChange, createUserKind, userPaths } from './file.ts';
import { createUserReferences } from './references.ts';
import { userRoutes } from './routes.ts';

export { hasPosts, shownTypes } from './list.ts';
export { writeUser } from './file.ts';
export { updateUser } from './plan.ts';

export const users: Module = {
  name: 'users',
  errors: userErrors,
  setup: (site, kernel) => ({
    site: { departures: [] },
    refs: createUserReferences(kernel.planning, kernel),
    ...withAccounts(site, kernel),
  }),
  tables: (site) => [tableOf('users', [fieldsOfUsers(site)])],
  kinds: (site) => [createUserKind(site)],
  paths: userPaths,
  namespaces: (site) => [{ name: 'cms/v2', routes: userRoutes(site) }],
};

/** Users in memory follow accounts and are loaded before files, which refer to them. */
function withAccounts(site: Site, kernel: SiteKernel): Service {
  const putUser = (id: number): void => {
    const change = accountChange(site, id, site.accounts.get(id), site.users.get(id));
    // Accounts are private documents: their commits are not those of files.
    if (change) site.feed.order.unprompted(() => site.records.apply([change]));
  };
  const putAll = (): void => {
    for (const { id } of site.accounts.all()) putUser(id);
  };
  return {
    beforeLoad() {
      site.accounts.onChange((changed) => {
        for (const id of changed) {
          kernel.raiseIds({ users: id });
          putUser(id);
        }
      });
      for (const { id } of site.accounts.all()) kernel.raiseIds({ users: id });
      putAll();
    },
    afterLoad: putAll,
    afterIngest(batch, writes) {
      if (batch.removed.some((path) => path.startsWith('users/')))
        for (const { id } of site.accounts.all()) if (!site.users.get(id)) putUser(id);
      return writes;
    },
    basis: () => site.accounts.all().map(({ id, slug, login }) => [id, slug, login]),
  };
}
