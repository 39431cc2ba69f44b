/**
 * `cms routes`: the catalogue of a deployment as a table, from the same declarations that answer requests.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { modulesOf } from '../deployments.ts';
import { composeSite } from '../open-site.ts';
import { createSite } from '../kernel/site/create-site.ts';
import { anyone, type Route } from '../kernel/rest/types.ts';
import type { Method } from '../kernel/rest/request.ts';
import { parseEntry } from '../kernel/yaml/codec.ts';
import { createFaults } from '../kernel/store/faults.ts';
import type { Batch, Entry, Store } from '../kernel/store/types.ts';
import { failed } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { publicMethods, sampleEntries } from './public-methods.ts';
import { type Io, printTable } from './io.ts';
import { pluginsOf } from './plugins.ts';

interface Options {
  readonly deployment?: string;
  readonly json?: true;
}

interface RouteRow {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly namespace: string;
  /** Methods that anonymous visitors may call, on what is public. */
  readonly free: readonly Method[];
}

export function defineRoutes(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder whose deployment to list (default: the basic deployment)')
    .addOption(new Option('--deployment <shape>', 'deployment to list').choices(['basic', 'extended']))
    .option('--json', 'print a JSON list of routes')
    .action(async (dir: string | undefined, { deployment, json }: Options) => {
      const folder = dir === undefined ? undefined : contentFolder(dir, io);
      const settings = folder === undefined ? {} : await settingsOf(folder);
      const plugins = folder === undefined ? [] : await pluginsOf(folder, io);
      const modules = (shape: unknown) => [...modulesOf(shape), ...plugins];
      const data = { ...settings, ...(deployment ? { deployment } : {}) };
      const declared = await createSite({ modules, store: settingsOnly(data) });
      const site = await createSite({ modules, store: settingsOnly(data, sampleEntries(declared)) });
      const registry = composeSite(site);
      const methodsOf = publicMethods(site, registry);
      const rows = await Promise.all(registry.routes.map(async (route) => toRow(route, await methodsOf(route))));
      if (json) io.out(JSON.stringify(rows, null, 2));
      else for (const line of printRows(rows)) io.out(line);
    });
  examples(command, 'cms routes', 'cms routes my-site --json');
}

/** @param open  what anonymous visitors may call; if not said, what asks for no permission at all */
export function toRow({ endpoints, path, namespace }: Route, open: readonly Method[] = unrestricted(endpoints)): RouteRow {
  const methods = [...new Set(endpoints.flatMap((endpoint) => endpoint.methods))];
  return { methods, path, namespace, free: methods.filter((method) => open.includes(method)) };
}

function unrestricted(endpoints: Route['endpoints']): readonly Method[] {
  return endpoints.filter(({ allow }) => allow === anyone).flatMap(({ methods }) => methods);
}

export function printRows(rows: readonly RouteRow[]): string[] {
  const cells = rows.map(({ methods, path, namespace, free }) => [
    methods.join(' '),
    path,
    namespace || '/',
    free.join(' ') || '-',
  ]);
  return [...printTable(['METHODS', 'PATH', 'NAMESPACE', 'PUBLIC'], cells), `${rows.length} routes`];
}

async function settingsOf(dir: string): Promise<Entry['data']> {
  const bytes = await readFile(join(dir, 'site.yaml'));
  const parsed = parseEntry('site.yaml', bytes, { size: bytes.length, mtimeMs: 0 });
  if ('entry' in parsed) return parsed.entry.data;
  const { path, line, column, message, hint } = parsed.problem;
  return failed(`${path}:${line}:${column} ${message}`, hint);
}

/** A site of its settings and a few files in memory; nothing of its content is read. */
function settingsOnly(data: Entry['data'], { entries = [], blobs = [] }: Partial<Pick<Batch, 'entries' | 'blobs'>> = {}): Store {
  const entry: Entry = { path: 'site.yaml', kind: 'yaml', data, body: '', etag: '', size: 0, mtimeMs: 0 };
  const batch = { entries: [entry, ...entries], blobs, removed: [], problems: [] };
  const nothing = { ...batch, entries: [], blobs: [] };
  const refuse = async (): Promise<never> => failed('this site is read-only');
  const documents = { get: async () => null, set: refuse, remove: refuse, keys: async () => [] };
  return {
    name: 'settings only',
    readOnly: true,
    load: async () => batch,
    visit: async () => [],
    commit: refuse,
    alone: refuse,
    sweep: async () => nothing,
    reread: async () => nothing,
    watch: async () => async () => {},
    stopWatching: async () => {},
    following: () => ({ by: null, pending: 0, since: null, sweeps: 0, sweptMs: 0, sweptAt: null, files: 0 }),
    current: (found) => found,
    knows: () => false,
    problems: () => [],
    readBytes: async () => null,
    locate: () => null,
    spool: '',
    private: documents,
    cache: documents,
    derived: null,
    faults: createFaults(),
    git: null,
    close: async () => {},
  };
}
