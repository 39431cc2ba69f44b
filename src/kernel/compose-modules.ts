/**
 * The modules of a site, taken together: the one place where what they bring is found by name. What two of them cannot both bring, and
 * what nobody would read, fails here, at start, with the names of the modules.
 */
import { collectionKind, collectionTable } from './collections.ts';
import { declareErrors, type ErrorRows } from './errors.ts';
import { type Extended, extendedBy, recordKeys } from './extended.ts';
import type { Fields } from './model/field.ts';
import { type Setting, siteSettings, standardSettings } from './model/settings.ts';
import type { AddressPart, Check, Collection, Extension, Extensions, Module, StatusDeclaration } from './module.ts';
import type { Args } from './rest/args.ts';
import type { Namespace } from './rest/types.ts';
import type { FileKind } from './site/file-kind.ts';
import { createSettings } from './site/settings.ts';
import type { Site } from './site/site.ts';
import type { Entry } from './store/types.ts';

declare module './site/site.ts' {
  interface Site {
    /** What the site is made of. */
    readonly modules: Modules;
  }
}

export interface Modules {
  readonly list: readonly Module[];
  /** Names and versions: what was read with other modules was read otherwise. */
  readonly signature: string;
  readonly settings: readonly Setting[];
  /** Keys of `site.yaml` that extensions were made of, with what it said. */
  readonly extendedBy: ReadonlyMap<string, unknown>;
  readonly errors: ErrorRows;
  /** Of posts, in addition to the standard ones. */
  readonly statuses: readonly StatusDeclaration[];
  /** Arguments of every route. */
  argsOf(site: Site): Args;
  readonly argNames: readonly string[];
  /** What reads segments before the REST root. */
  readonly address: readonly AddressPart[];
  /** The route that an address outside the REST root is. */
  routeAt(site: Site, path: string): string | undefined;
  /** Members of the site index in place of its own; null: it has no such member. */
  readonly index: NonNullable<Module['index']>;
  readonly reshape: readonly NonNullable<Module['reshape']>[];
  readonly headers: readonly NonNullable<Module['headers']>[];
  readonly requestHeaders: readonly string[];
  readonly collections: readonly Collection[];
  readonly checks: readonly Check[];
  /** What modules let a role do. */
  capabilities(role: string): readonly string[];
  /** Routes that a module has for a type or taxonomy in place of those of posts and terms. */
  routesOf(name: string, site: Site): Namespace['routes'] | undefined;
  /**
   * What is added to items that go by these names, and by `*`.
   * @param parts  which of it the caller reads; what nobody reads is an error of the module (`unread`)
   */
  extension(names: readonly string[], parts?: readonly Part[]): Extended;
  /** The fields of items with those that modules add; the same table for the same fields. @throws ModuleError when a name or key is there already */
  extendFields<R, V>(fields: Fields<R, V>, ...names: readonly string[]): Fields<R, V>;
  /** @throws ModuleError when a module adds something to items that take no such thing */
  checkRead(): void;
}

type Part = keyof Extension;
/** What writers of items heed. */
export const writeParts: readonly Part[] = ['fields', 'peerGroup', 'prepareWrite', 'fileNames'];
const allParts: readonly Part[] = ['meta', 'params', 'links', 'scope', 'listParams', 'reshapeFields', ...writeParts];

/** A module that cannot be, or two that cannot be together. */
export class ModuleError extends Error {}

/** @param entry  `site.yaml` as the site is opened with it. @throws ModuleError */
export function composeModules(given: readonly Module[], entry?: Entry): Modules {
  const list = given.map(withCollections);
  owners(list, 'module', ({ name }) => [name]);
  const standard = { name: 'settings', settings: standardSettings };
  for (const part of ['key', 'name', 'index'] as const)
    owners([standard, ...list], `setting (${part})`, ({ settings = [] }) => settings.flatMap((row) => row[part] ?? []));
  owners(list, 'argument of every route', ({ args = {} }) => Object.keys(args));
  owners(list, 'member of the index', ({ index = {} }) => Object.keys(index));
  owners(list, 'collection', ({ collections = [] }) => collections.map(({ name }) => name));
  owners(list, 'rule', ({ checks = [] }) => checks.map(({ rule }) => rule));
  owners(list, 'error code', ({ errors = {} }) => Object.keys(errors));
  for (const module of list) attempt(module, () => declareErrors(module.errors ?? {}));
  const typeRoutes = owners(list, 'routes of the type', (module) => Object.keys(module.typeRoutes ?? {}));
  const { extensionsOf, statuses, asked } = openExtensions(list, entry);
  for (const module of list) for (const [name, one] of Object.entries(extensionsOf(module))) checkFields(module, name, one);
  const args = list.flatMap((module) => Object.entries(module.args ?? {}));
  const addressing = list.filter(
    (module): module is Module & Required<Pick<Module, 'routeAddresses'>> => module.routeAddresses !== undefined,
  );
  const known = new Map<string, Extended>();
  const tables = new WeakMap<object, Map<string, unknown>>();
  const read = new Set<string>();
  const modules: Modules = {
    list,
    signature: JSON.stringify([
      ...list.map((module) => [module.name, module.version, Object.keys(extensionsOf(module))]),
      ...asked,
    ]),
    settings: list.flatMap(({ settings = [] }) => settings),
    extendedBy: asked,
    statuses,
    errors: Object.assign({}, ...list.map((module) => module.errors)),
    argsOf: (site) => Object.fromEntries(args.map(([name, arg]) => [name, typeof arg === 'function' ? arg(site) : arg])),
    argNames: args.map(([name]) => name),
    address: list.flatMap(({ address }) => address ?? []),
    routeAt(site, path) {
      for (const { routeAddresses } of addressing) {
        const own = routeAddresses(site);
        if (Object.hasOwn(own, path)) return own[path];
      }
      return undefined;
    },
    index: Object.assign({}, ...list.map(({ index }) => index)),
    reshape: list.flatMap(({ reshape }) => reshape ?? []),
    headers: list.flatMap(({ headers }) => headers ?? []),
    requestHeaders: list.flatMap(({ requestHeaders = [] }) => requestHeaders),
    collections: list.flatMap(({ collections = [] }) => collections),
    checks: list.flatMap(({ checks = [] }) => checks),
    capabilities: (role) => list.flatMap(({ capabilities = {} }) => capabilities[role] ?? []),
    routesOf: (name, site) => typeRoutes.get(name)?.typeRoutes?.[name]?.(site),
    extension(names, parts = []) {
      for (const name of [...names, '*']) for (const part of parts) read.add(`${name} ${part}`);
      const key = names.join(' ');
      const found = known.get(key) ?? extend([...names, '*']);
      known.set(key, found);
      return found;
    },
    extendFields<R, V>(fields: Fields<R, V>, ...names: readonly string[]): Fields<R, V> {
      const made = tables.get(fields) ?? new Map<string, unknown>();
      tables.set(fields, made);
      const key = names.join(' ');
      if (!made.has(key)) made.set(key, withAdded(fields, names));
      return made.get(key) as Fields<R, V>;
    },
    checkRead() {
      for (const module of list) {
        // What a file of the site says stops no server.
        if (typeof module.extend === 'function') continue;
        for (const [name, one] of Object.entries(extensionsOf(module)))
          for (const part of allParts)
            if (one[part] && !read.has(`${name} ${part}`))
              throw new ModuleError(`module ${module.name}: there are no items called "${name}" that take ${part}`);
      }
    },
  };
  return modules;

  function withAdded<R, V>(given: Fields<R, V>, names: readonly string[]): Fields<R, V> {
    const { fields: added, reshapeFields } = modules.extension(names, ['reshapeFields']);
    const fields = reshapeFields(given);
    const keys = new Set(Object.values(fields).flatMap(({ file }) => file?.key ?? []));
    for (const [name, { file }] of Object.entries(added)) {
      if (Object.hasOwn(fields, name)) throw new ModuleError(`${names[0]} has a field "${name}" already`);
      if (file && keys.has(file.key)) throw new ModuleError(`files of ${names[0]} have a key "${file.key}" already`);
    }
    return Object.keys(added).length === 0 ? fields : { ...fields, ...added };
  }

  function extend(names: readonly string[]): Extended {
    const some = list.filter((module) => names.some((name) => Object.hasOwn(extensionsOf(module), name)));
    const partsOf = (part: Part) => (module: Module) =>
      names.flatMap((name) => Object.keys(extensionsOf(module)[name]?.[part] ?? {}));
    for (const part of ['fields', 'meta', 'params', 'links'] as const) owners(some, `${part} of ${names[0]}:`, partsOf(part));
    return extendedBy(some.flatMap((module) => names.flatMap((name) => extensionsOf(module)[name] ?? [])));
  }
}

/** Arguments of an endpoint with those that modules add. @throws ModuleError when one is there already */
export function extendArgs(path: string, args: Args, ...added: readonly Args[]): Args {
  const more = added.flatMap((one) => Object.entries(one));
  const twice = more.find(([name]) => Object.hasOwn(args, name));
  if (twice) throw new ModuleError(`${path} has an argument "${twice[0]}" already`);
  return more.length === 0 ? args : { ...args, ...Object.fromEntries(more) };
}

interface OpenedExtensions {
  readonly extensionsOf: (module: Module) => Extensions;
  readonly statuses: readonly StatusDeclaration[];
  /** Keys of `site.yaml` that were asked for, with what it said. */
  readonly asked: ReadonlyMap<string, unknown>;
}

/** What modules add, with what the settings have them add. */
function openExtensions(list: readonly Module[], entry: Entry | undefined): OpenedExtensions {
  const asked = new Map<string, unknown>();
  const settings = createSettings(siteSettings(list), entry);
  const opening = {
    value: (key: string) => noted(key, settings.value(key)),
    stored: (key: string) => noted(key, settings.stored(key)),
  };
  const plain = list.flatMap(({ extend = {} }) => (typeof extend === 'function' ? [] : Object.values(extend)));
  const declared = new Set(plain.flatMap(({ meta = {} }) => Object.keys(meta)));
  const opened = new Map(list.map((module) => [module, open(module)]));
  const statuses = list.flatMap((module) => statusesOf(module));
  return { extensionsOf: (module) => opened.get(module) ?? {}, statuses, asked };

  function noted(key: string, value: unknown): unknown {
    asked.set(key, settings.stored(key));
    return value;
  }

  function statusesOf(module: Module): readonly StatusDeclaration[] {
    const { statuses = [] } = module;
    return typeof statuses === 'function' ? attempt(module, () => statuses(opening)) : statuses;
  }

  function open(module: Module): Extensions {
    const { extend = {} } = module;
    if (typeof extend !== 'function') return extend;
    // What a file of the site says stops no server: of meta that a module declares by itself, its declaration holds.
    const free = ({ meta = {}, ...one }: Extension): Extension => ({
      ...one,
      meta: Object.fromEntries(Object.entries(meta).filter(([name]) => !declared.has(name))),
    });
    return Object.fromEntries(Object.entries(attempt(module, () => extend(opening))).map(([name, one]) => [name, free(one)]));
  }
}

/** What a snapshot could not keep, or a client could send for nothing. */
function checkFields({ name }: Module, item: string, { fields = {} }: Extension): void {
  for (const [field, row] of Object.entries(fields)) {
    if (row.file && recordKeys({ [field]: row }).length === 0)
      throw new ModuleError(`module ${name}: ${item}.${field} leaves the record as it is when the file has no ${row.file.key}`);
    if (row.schema && !row.schema.readonly && !row.set)
      throw new ModuleError(`module ${name}: ${item}.${field} can be written and has no set; its schema may say readonly`);
  }
}

/** A module whose collections are among its tables and kinds. */
function withCollections(module: Module): Module {
  const { collections = [], tables, kinds } = module;
  if (collections.length === 0) return module;
  return {
    ...module,
    tables: (site) => [...(tables?.(site) ?? []), ...collections.map(collectionTable)],
    kinds: (site) => [
      ...(kinds?.(site) ?? []),
      ...collections.map((collection) => collectionKind(collection, site) as unknown as FileKind),
    ],
  };
}

function attempt<T>({ name }: Module, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new ModuleError(`module ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Name → the module that brings it. @throws ModuleError naming both, when two do */
function owners<M extends Pick<Module, 'name'>>(
  list: readonly M[],
  what: string,
  namesOf: (module: M) => readonly string[],
): Map<string, M> {
  const found = new Map<string, M>();
  for (const module of list) {
    for (const name of namesOf(module)) {
      const other = found.get(name);
      if (other) throw new ModuleError(`the ${what} "${name}" comes from two modules: ${other.name} and ${module.name}`);
      found.set(name, module);
    }
  }
  return found;
}
