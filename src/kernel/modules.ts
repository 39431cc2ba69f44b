/**
 * The modules of a site, taken together: the one place where what they bring is found by name.
 */
import type { Module } from './module.ts';
import type { Namespace } from './rest/registry.ts';
import type { Site } from './site/site.ts';

export interface Modules {
  readonly list: readonly Module[];
  /** Routes that a module has for a type or taxonomy in place of those of posts and terms. */
  routesOf(name: string, site: Site): Namespace['routes'] | undefined;
}

/** @throws ModuleError when two of them bring a thing of one name */
export function composeModules(list: readonly Module[]): Modules {
  unique(list, 'module', ({ name }) => [name]);
  const typeRoutes = unique(list, 'routes of the type', (module) => Object.keys(module.typeRoutes ?? {}));
  return {
    list,
    routesOf: (name, site) => typeRoutes.get(name)?.typeRoutes?.[name]?.(site),
  };
}

/** Two modules that cannot be in one site, or one that cannot be in any. */
export class ModuleError extends Error {}

/** Name → the module that brings it. @throws ModuleError naming both, when two do */
function unique(list: readonly Module[], what: string, namesOf: (module: Module) => readonly string[]): Map<string, Module> {
  const owners = new Map<string, Module>();
  for (const module of list) {
    for (const name of namesOf(module)) {
      const other = owners.get(name);
      if (other) throw new ModuleError(`the ${what} "${name}" comes from two modules: ${other.name} and ${module.name}`);
      owners.set(name, module);
    }
  }
  return owners;
}
