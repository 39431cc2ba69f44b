/** A git remote of a site whose content is in an engine, followed by one of its nodes at a time. */
import type { Module } from '../../kernel/module.ts';
import { startLeased } from '../../kernel/site/leased.ts';
import type { Site } from '../../kernel/site/site.ts';
import { problemOf } from '../../kernel/store/problems.ts';
import { followRemote } from './follow.ts';
import {
  baseKey,
  noBase,
  placeOf,
  printDocument,
  readBase,
  readState,
  type RemoteBase,
  type RemoteState,
  remotePrefix,
  stateKey,
  toldKey,
} from './record.ts';
import { readEngineGit, readSecret } from './settings.ts';
import { toldRoutes } from './told.ts';

/** The lease is asked for so often. */
const askEveryMs = 5000;

export const gitRemote: Module = {
  name: 'git-remote',
  setup(site, { log }) {
    const { store, operator } = site;
    if (store.shared?.engine === undefined || Object.keys(operator.engine_git).length === 0) return { site: { gitRemote: null } };
    let [base, state]: [RemoteBase, RemoteState | null] = [noBase, null];
    const followers = new Set<() => void>();
    const reread = async (key: string): Promise<void> => {
      if (key === baseKey) base = readBase(await store.private.get(key));
      if (key === stateKey) state = readState(await store.private.get(key));
      if (key === toldKey) for (const follower of followers) follower();
    };
    return {
      site: {
        gitRemote: {
          start: () => start(site, followers, log),
          tell: async () =>
            store.shared?.engine?.replace({ files: [], documents: [{ key: toldKey, bytes: printDocument({ at: Date.now() }) }] }),
        },
      },
      afterLoad: async () => {
        for (const key of [baseKey, stateKey]) await reread(key);
      },
      replicated: { name: 'git-remote', documents: { prefix: remotePrefix, reread, announced: true } },
      problems() {
        const unmerged = base.unmerged.flatMap((one) =>
          problemOf(one.path, {
            rule: 'git-unmerged',
            severity: 'warning',
            message: `What was pushed is not merged: ${one.reason}.`,
            hint: `merge the ${placeOf(one)} by hand, push${one.branch === null ? '' : ', and delete it'}`,
          }),
        );
        if (state?.held == null) return unmerged;
        return [
          ...unmerged,
          problemOf('site.yaml', {
            rule: 'git-push',
            severity: 'warning',
            message: `The git remote is not followed: ${state.held}`,
          }),
        ];
      },
    };
  },
  namespaces: (site) => {
    const { gitRemote, operator, store } = site;
    if (gitRemote === null || store.readOnly) return [];
    return [{ name: 'cms/v2', routes: toldRoutes(() => secretOf(operator.engine_git), gitRemote.tell) }];
  },
  jobs: [{ name: 'git-remote', start: (site) => site.gitRemote?.start() ?? (async () => undefined) }],
};

/** A fault of it ends the server at its start; commands do without. */
function secretOf(given: Readonly<Record<string, unknown>>): string | null {
  try {
    return readSecret(given);
  } catch {
    return null;
  }
}

function start(site: Site, followers: Set<() => void>, log: (line: string) => void): () => Promise<void> {
  const settings = readEngineGit(site.operator.engine_git);
  readSecret(site.operator.engine_git);
  if (settings === null || site.store.readOnly) return async () => undefined;
  return startLeased(site, 'git-remote', askEveryMs, (isHeld) => followRemote(site, settings, { isHeld, followers }, log));
}
