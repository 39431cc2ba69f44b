/**
 * The history of files in git as a service of the site. Nothing is read before it is asked for.
 */
import type { Module } from '../../../kernel/module.ts';
import { createHistory, type History } from './history.ts';

export { createHistory, type CommittedState, type History, stateIds } from './history.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Null where the content is in no folder. */
    readonly fileHistory: History | null;
  }
}

export const gitHistory: Module = {
  name: 'git-history',
  setup: ({ store }) => ({ site: { fileHistory: store.git === null ? null : createHistory(store.name) } }),
};
