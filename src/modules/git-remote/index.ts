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
  readBase,
  readState,
  type RemoteBase,
  type RemoteState,
  remotePrefix,
  stateKey,
} from './record.ts';
import { readEngineGit } from './settings.ts';

/** The lease is asked for so often. */
const askEveryMs = 5000;

export const gitRemote: Module = {
  name: 'git-remote',
  setup(site, { log }) {
    const { store, operator } = site;
    if (store.shared === undefined || Object.keys(operator.engine_git).length === 0) return { site: { gitRemote: null } };
    let [base, state]: [RemoteBase, RemoteState | null] = [noBase, null];
    const reread = async (key: string): Promise<void> => {
      if (key === baseKey) base = readBase(await store.private.get(key));
      if (key === stateKey) state = readState(await store.private.get(key));
    };
    return {
      site: { gitRemote: { start: () => start(site, log) } },
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
  jobs: [{ name: 'git-remote', start: (site) => site.gitRemote?.start() ?? (async () => undefined) }],
};

function start(site: Site, log: (line: string) => void): () => Promise<void> {
  const settings = readEngineGit(site.operator.engine_git);
  if (settings === null || site.store.readOnly) return async () => undefined;
  return startLeased(site, 'git-remote', askEveryMs, (isHeld) => followRemote(site, settings, isHeld, log));
}
