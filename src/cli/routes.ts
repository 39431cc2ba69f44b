/**
 * `cms routes`: the catalogue of a deployment as a table, from the same declarations that answer requests.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { modulesOf } from '../deployments.ts';
import { composeSite } from '../open-site.ts';
import { anyone, type Route } from '../kernel/rest/types.ts';
import type { Method } from '../kernel/rest/request.ts';
import { parseEntry } from '../kernel/yaml/codec.ts';
import type { Entry } from '../kernel/store/types.ts';
import { failed } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { allowedMethods } from './public-methods.ts';
import { type Io, printTable } from './io.ts';
import { pluginsOf } from './plugins.ts';
import { sampleSite } from './sample-site.ts';

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
    .option('--json', 'print JSON')
    .action(async (dir: string | undefined, { deployment, json }: Options) => {
      const folder = dir === undefined && !io.copied?.() ? undefined : contentFolder(dir, io);
      const settings = folder === undefined ? {} : await settingsOf(folder);
      const plugins = folder === undefined ? [] : await pluginsOf(folder, io);
      const modules = (shape: unknown) => [...modulesOf(shape), ...plugins];
      const data = { ...settings, ...(deployment ? { deployment } : {}) };
      const site = await sampleSite(data, modules);
      const registry = composeSite(site);
      const methodsOf = allowedMethods(site, registry);
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
