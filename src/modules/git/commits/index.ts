/**
 * Commits of client writes, as a module. The user of a call reaches its writes through an async context, so no route has to pass it on; without
 * `git:` in the settings there is no such context.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Module } from '../../../kernel/module.ts';
import type { Endpoint } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { addressFor, createCommits } from './commits.ts';
import { noteWrite } from './noted-writes.ts';
import { type Author, gitSetting, type WriterId } from './record.ts';

export { blobId, commitBytes } from './commit-files.ts';
export { messageOf } from './message.ts';
export { notedPrefix, notedWrites, noteMove, pendingOf } from './noted-writes.ts';
export { isPushed, network, remoteAt } from './push.ts';

const writer = new AsyncLocalStorage<WriterId>();

export const gitCommits: Module = {
  name: 'git-commits',
  settings: [gitSetting],
  setup(site, { log }) {
    const { store } = site;
    if (isNoted(site)) return { site: { commits: null }, beforeWrite: (changes) => noteWrite(store, changes, writer.getStore()) };
    if (store.readOnly || store.git === null) return { site: { commits: null } };
    const commits = createCommits(site, (by) => authorOf(site, by), log);
    return {
      site: { commits },
      replicated: commits.replicated,
      beforeWrite: (changes) => (commits.isOn() ? commits.beforeWrite(changes, writer.getStore()) : null),
      afterLoad: () => commits.recover(),
      problems: commits.problems,
      close: commits.close,
    };
  },
  reshape: (route) => ({ ...route, endpoints: route.endpoints.map(withWriter) }),
};

function withWriter(endpoint: Endpoint): Endpoint {
  const { handle, methods } = endpoint;
  if (methods.every((method) => method === 'GET')) return endpoint;
  return {
    ...endpoint,
    handle: (call) =>
      call.site.commits?.isOn() || isNoted(call.site) ? writer.run(call.user?.id ?? null, () => handle(call)) : handle(call),
  };
}

/** Whether one of several nodes makes the commits. */
const isNoted = ({ store, operator }: Site): boolean =>
  store.shared?.engine !== undefined && !store.readOnly && Object.keys(operator.engine_git).length > 0;

/** Name and email address of the profile, or a generated address. */
export function authorOf(site: Site, by: WriterId): Author {
  const user = typeof by === 'number' ? site.users.get(by) : undefined;
  if (user) return { name: user.name || user.slug, email: user.account?.email || addressFor(user.slug, site.url) };
  if (by === null) return { name: 'Visitor', email: addressFor('visitor', site.url) };
  return { name: by === undefined ? 'cms' : `User ${by}`, email: addressFor(by === undefined ? 'cms' : `user-${by}`, site.url) };
}
