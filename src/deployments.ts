/**
 * Deployments: a list of modules each, in the order of the catalogue; and a site opened with the one that its `deployment` setting
 * names.
 */
import * as kit from './kit.ts';
import type { Module } from './kernel/module.ts';
import { type Operator, operatorDefaults } from './kernel/model/operator.ts';
import { compose, type Registry } from './kernel/rest/registry.ts';
import { createSite, type SiteOptions } from './kernel/site/create-site.ts';
import { loadPlugins } from './kernel/site/plugins.ts';
import type { Site } from './kernel/site/site.ts';
import { createStore } from './kernel/store/store.ts';
import type { Store } from './kernel/store/types.ts';
import { abilities } from './modules/abilities/index.ts';
import { accounts } from './modules/accounts/index.ts';
import { batch } from './modules/batch/index.ts';
import { blockEditor } from './modules/block-editor/index.ts';
import { blockDirectories, blocks } from './modules/blocks/index.ts';
import { comments } from './modules/comments/index.ts';
import { design } from './modules/design/index.ts';
import { fonts } from './modules/fonts/index.ts';
import { media } from './modules/media/index.ts';
import { menus } from './modules/menus/index.ts';
import { oembed } from './modules/oembed/index.ts';
import { permalinks } from './modules/permalinks/index.ts';
import { plugins } from './modules/plugins/index.ts';
import { posts } from './modules/posts/index.ts';
import { revisions } from './modules/revisions/index.ts';
import { search } from './modules/search/index.ts';
import { settings } from './modules/settings/index.ts';
import { siteHealth } from './modules/site-health/index.ts';
import { siteIndex } from './modules/site-index/index.ts';
import { terms } from './modules/terms/index.ts';
import { types } from './modules/types/index.ts';
import { users } from './modules/users/index.ts';
import { widgets } from './modules/widgets/index.ts';

const core: readonly Module[] = [
  ...[siteIndex, batch, oembed, posts, media, types, terms, users, accounts, comments, search, blocks, settings, design, plugins],
  ...[widgets, blockDirectories, menus, fonts, siteHealth, blockEditor, permalinks, revisions],
];

export const basic: readonly Module[] = [...core, abilities];
export const extended: readonly Module[] = core;

/** The modules of a deployment, as `site.yaml` names it. */
export function modulesOf(deployment: unknown): readonly Module[] {
  return deployment === 'extended' ? extended : basic;
}

export interface OpenOptions {
  /** Operator settings that are not at their defaults. */
  readonly operator?: Partial<Operator>;
  /** Modules beside those of the deployment. */
  readonly modules?: readonly Module[];
  readonly readOnly?: boolean;
  readonly clock?: () => number;
  readonly progress?: (done: number, total: number) => void;
  /** Puts something between the folder and the site. */
  readonly wrap?: (store: Store) => Store;
  readonly taken?: NonNullable<SiteOptions['taken']>;
  readonly log?: NonNullable<SiteOptions['log']>;
}

/** Opens the content folder `dir`. @throws when it is no folder or cannot be read; ModuleError when two modules exclude each other, or a plugin cannot be run */
export async function openSite(dir: string, options: OpenOptions = {}): Promise<Site> {
  const { operator, modules = [], readOnly = false, clock, progress, taken, log, wrap = (store) => store } = options;
  const own = operator?.plugins ? await loadPlugins(dir, kit) : [];
  const store = wrap(await createStore({ dir, readOnly }));
  return createSite({
    store,
    modules: (deployment) => [...modulesOf(deployment), ...modules, ...own],
    operator: operatorDefaults(operator),
    ...(clock ? { clock } : {}),
    ...(progress ? { progress } : {}),
    ...(taken ? { taken } : {}),
    ...(log ? { log } : {}),
  });
}

/** The routes of a site. @throws ModuleError when a module adds something that nothing takes */
export function composeSite(site: Site): Registry {
  const { modules } = site;
  const registry = compose(
    modules.list.flatMap(({ namespaces }) => namespaces?.(site) ?? []),
    modules,
  );
  modules.checkRead();
  return registry;
}
