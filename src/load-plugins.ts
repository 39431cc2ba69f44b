/**
 * Plugins: modules that a site brings itself, as `plugins/*.mjs` beside `site.yaml`. They run with all rights of the server, and content
 * is untrusted, so nothing here is called unless the operator allows plugins.
 */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Module, moduleKeys } from './kernel/module.ts';
import { ModuleError } from './kernel/compose-modules.ts';
import { hash } from './kernel/store/bytes.ts';

const folder = 'plugins';

/** Whether a path of the content folder is that of a plugin. */
export function isPlugin(path: string): boolean {
  return /^plugins\/[^/]+\.mjs$/.test(path);
}

/** Plugins of a content folder in the order of their names, as paths below it. They are not looked into. */
export function findPlugins(dir: string): readonly string[] {
  return entriesOf(join(dir, folder))
    .map(({ name }) => `${folder}/${name}`)
    .filter(isPlugin)
    .sort();
}

/**
 * Runs the plugins of a content folder.
 * @param kit  what a default export that is a function gets: plugins have no package to import from
 * @throws ModuleError naming the file and the reason
 */
export async function loadPlugins(dir: string, kit: object): Promise<readonly Module[]> {
  const modules: Module[] = [];
  for (const path of findPlugins(dir)) {
    try {
      modules.push(await loadPlugin(join(dir, path), kit));
    } catch (error) {
      throw new ModuleError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return modules;
}

async function loadPlugin(file: string, kit: object): Promise<Module> {
  const version = hash(readFileSync(file));
  // A file that has changed is another module: imports are cached by their address.
  const { default: exported } = (await import(`${pathToFileURL(file).href}?${version}`)) as { readonly default?: unknown };
  const module: unknown = typeof exported === 'function' ? await exported(kit) : exported;
  if (typeof module !== 'object' || module === null) throw new TypeError('its default export is no module');
  const { name } = module as { readonly name?: unknown };
  if (typeof name !== 'string' || name === '') throw new TypeError('its default export has no name');
  const unknown = Object.keys(module).find((key) => !Object.hasOwn(moduleKeys, key));
  if (unknown !== undefined) throw new TypeError(`a module has no "${unknown}"; it has ${Object.keys(moduleKeys).join(', ')}`);
  return { ...(module as Module), version };
}

/** Empty where there is no such folder. */
function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
