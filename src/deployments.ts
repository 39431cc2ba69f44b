/**
 * Deployment shapes: a site with the namespaces that its `deployment` setting names.
 */
import { createSite, type SiteOptions } from './kernel/site/create-site.ts';
import type { Site } from './kernel/site/site.ts';
import { createAbilityRoutes } from './modules/abilities/routes.ts';
import { createBlockEditor } from './modules/block-editor/routes.ts';
import { createCore } from './modules/core/index.ts';
import { createOembed } from './modules/oembed/routes.ts';
import { root } from './modules/site-index/routes.ts';
import { createSiteHealth } from './modules/site-health/routes.ts';
import { type Operator, operatorDefaults } from './kernel/model/operator.ts';
import { compose, type Namespace, type Registry } from './kernel/rest/registry.ts';
import { createStore } from './kernel/store/store.ts';
import type { Store } from './kernel/store/types.ts';

export interface OpenOptions {
  /** Operator settings that are not at their defaults. */
  readonly operator?: Partial<Operator>;
  readonly readOnly?: boolean;
  readonly clock?: () => number;
  readonly progress?: (done: number, total: number) => void;
  /** Puts something between the folder and the site. */
  readonly wrap?: (store: Store) => Store;
  readonly taken?: NonNullable<SiteOptions['taken']>;
  readonly log?: NonNullable<SiteOptions['log']>;
}

/** Opens the content folder `dir`. @throws when it is no folder or cannot be read */
export async function openSite(dir: string, options: OpenOptions = {}): Promise<Site> {
  const { operator, readOnly = false, clock, progress, taken, log, wrap = (store) => store } = options;
  const store = wrap(await createStore({ dir, readOnly }));
  return createSite({
    store,
    operator: operatorDefaults(operator),
    ...(clock ? { clock } : {}),
    ...(progress ? { progress } : {}),
    ...(taken ? { taken } : {}),
    ...(log ? { log } : {}),
  });
}

type Build = (site: Site) => Namespace;

/** Namespaces of each shape, in the order in which the index lists them. */
const shapes = {
  basic: [() => root, createOembed, createCore, createSiteHealth, createBlockEditor, createAbilityRoutes],
  extended: [() => root, createOembed, createCore, createSiteHealth, createBlockEditor],
} satisfies Readonly<Record<string, readonly Build[]>>;

/** The routes of a site. */
export function composeSite(site: Site): Registry {
  const shape = shapes[site.settings.value('deployment') as keyof typeof shapes];
  return compose(shape.map((build) => build(site)));
}
