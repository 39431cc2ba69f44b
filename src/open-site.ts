/**
 * A content folder as a site, with the modules of the deployment that its `site.yaml` names and those of others.
 */
import { modulesOf } from './deployments.ts';
import type { Module } from './kernel/module.ts';
import * as kit from './kit.ts';
import { type Operator, operatorDefaults } from './kernel/model/operator.ts';
import { compose } from './kernel/rest/registry.ts';
import type { Registry } from './kernel/rest/types.ts';
import { createSite, type SiteOptions } from './kernel/site/create-site.ts';
import { ModuleError } from './kernel/compose-modules.ts';
import { isEngineAddress } from './kernel/store/content-engine.ts';
import { loadPlugins } from './load-plugins.ts';
import type { Site } from './kernel/site/site.ts';
import type { Store } from './kernel/store/types.ts';
import type { Seat } from './workers/worker-store.ts';
import { openContent } from './open-content.ts';

export interface OpenOptions {
  /** Operator settings that are not at their defaults. */
  readonly operator?: Partial<Operator>;
  /** Modules beside those of the deployment. */
  readonly modules?: readonly Module[];
  readonly readOnly?: boolean;
  /** See `StoreOptions`. */
  readonly untouched?: boolean;
  readonly clock?: () => number;
  readonly progress?: (done: number, total: number) => void;
  /** Puts something between the folder and the site. */
  readonly wrap?: (store: Store) => Store;
  /** As one of several workers. */
  readonly seat?: Seat;
  readonly log?: NonNullable<SiteOptions['log']>;
}

/** Opens the content folder `dir`, or the engine at that address. @throws when it is no folder or cannot be read; ModuleError when two modules exclude each other, or a plugin cannot be run */
export async function openSite(dir: string, options: OpenOptions = {}): Promise<Site> {
  const {
    operator,
    modules = [],
    readOnly = false,
    untouched = false,
    clock,
    progress,
    seat,
    log,
    wrap = (store) => store,
  } = options;
  const isEngine = isEngineAddress(dir);
  if (isEngine && operator?.plugins)
    throw new ModuleError('plugins are files of a folder: with an engine, build them into the program, or switch them off');
  const own = operator?.plugins ? await loadPlugins(dir, kit) : [];
  const settings = operatorDefaults(isEngine && operator ? withinEngine(operator) : operator);
  const store = wrap(await openContent({ dir, readOnly, untouched }, settings, seat));
  return createSite({
    store,
    modules: (deployment) => [...modulesOf(deployment), ...modules, ...own],
    operator: settings,
    ...(clock ? { clock } : {}),
    ...(progress ? { progress } : {}),
    ...(log ? { log } : {}),
  });
}

/** What is uploaded to a node lies in the database where there is no media store, and in the memory of the node on its way there. */
function withinEngine(operator: Partial<Operator>): Partial<Operator> {
  const { media_store: bucket = {}, upload_limit: most, engine_media_limit: limit } = operatorDefaults(operator);
  return Object.keys(bucket).length > 0 ? operator : { ...operator, upload_limit: Math.min(most, limit) };
}

/** The routes of a site. @throws ModuleError when a module adds something that nothing takes */
export function composeSite(site: Site): Registry {
  const { modules } = site;
  const registry = compose(
    modules.list.flatMap(({ namespaces }) => namespaces?.(site) ?? []),
    { args: modules.argsOf(site), extension: modules.extension, reshape: modules.reshape },
  );
  modules.checkRead();
  return registry;
}
