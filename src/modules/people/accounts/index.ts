/**
 * Accounts, of which clients see the application passwords, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { createAuthenticator } from './authenticate.ts';
import { createAccess } from './capabilities.ts';
import { accountErrors } from './errors.ts';
import { replicatedSignIns } from './replicated.ts';
import type {} from '../audit/record.ts';
import { type Access, networksOf } from './record.ts';
import { defineRole, type Role, standardRoles, subscriber } from './roles.ts';
import { applicationPasswordRoutes } from './routes.ts';
import { anybody, anywhere, createSignInLimit, type SignInLock } from './sign-in-limit.ts';

export { addApplicationPassword } from './application-passwords.ts';
export { accountKey, actorOf } from './authenticate.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
export { createSignInLimit } from './sign-in-limit.ts';
export { isScope, scopeInWords } from './scope.ts';
export { isSpent, spend } from './spent.ts';

export const accounts: Module = {
  name: 'accounts',
  errors: accountErrors,
  async setup(site) {
    const { store, operator, clock } = site;
    const own = await createAccounts(store.private);
    const { shared } = store;
    // A login name that is free has to be free on every node.
    const accounts: Accounts = shared ? { ...own, alone: (work) => own.alone(() => shared.alone('accounts', work)) } : own;
    return {
      site: {
        accounts,
        signIns: createSignInLimit({ attempts: operator.sign_in_attempts, clock, isKnown: isKnownTo(accounts) }),
        access: accessOf(site),
      },
      authenticator({ nonceHeaders, changed, log }) {
        const authenticator = createAuthenticator(site, nonceHeaders);
        accounts.onChange(changed);
        site.signIns.onFailure((account, address) => site.audit.note({ event: 'sign-in.failed', ip: address, on: account }));
        site.signIns.onLock((lock) => {
          site.audit.note({ event: 'sign-in.locked', ip: lock.network, on: lock.account });
          log(sentenceOf(lock, clock()));
        });
        return authenticator;
      },
      replicated: replicatedSignIns(site),
      problems: () => accounts.problems(),
      close: () => accounts.settle(),
    };
  },
  namespaces: () => [{ name: 'cms/v2', routes: applicationPasswordRoutes }],
};

/** Whether an account, as attempts are counted by, was last used from an address by a session or an application. */
export function isKnownTo(accounts: Accounts): (account: string, address: string) => boolean {
  return (key, address) => {
    const account = accounts.get(Number(key));
    const [{ name }] = networksOf(address);
    const used = [...(account?.sessions ?? []), ...(account?.applicationPasswords ?? [])];
    return used.some(({ lastIp }) => lastIp !== null && networksOf(lastIp)[0].name === name);
  };
}

function sentenceOf({ account, network, until }: SignInLock, now: number): string {
  const whose = account === anybody ? 'different names' : `account ${account}`;
  const from = network === anywhere ? 'many addresses; strangers are' : `${network};`;
  return `sign-in: too many wrong passwords for ${whose} from ${from} refused for ${Math.ceil((until - now) / 60_000)} minutes`;
}

/** Roles that modules name beside those of every site: subscribers with more rights. */
function ownRoles({ modules }: Site): readonly Role[] {
  const named = new Set(modules.list.flatMap(({ capabilities = {} }) => Object.keys(capabilities)));
  for (const { name } of standardRoles) named.delete(name);
  const labelOf = (name: string): string => name.replace(/^./, (first) => first.toUpperCase()).replaceAll('_', ' ');
  return [...named].map((name) => defineRole({ name, label: labelOf(name), from: subscriber, adds: [] }));
}

function accessOf(site: Site): Access {
  return createAccess({
    roles: [...standardRoles, ...ownRoles(site)].map((role) => ({
      ...role,
      capabilities: [...new Set([...role.capabilities, ...site.modules.capabilities(role.name)])],
    })),
    types: [...site.types.values()],
    taxonomies: [...site.taxonomies.values()],
    statuses: site.statuses,
    lookup: {
      post: (id) => site.posts.get(id),
      term: (id) => site.terms.get(id),
      comment: (id) => site.comments.get(id),
      isDefaultTerm: (term) => site.refs.defaultTerm(term.taxonomy) === term.id,
      isFrontPage: (post) => site.addresses.isSettingPage(post),
    },
  });
}
