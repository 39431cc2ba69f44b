/**
 * How a site is put together: modules set up what they bring, then the content folder is read into their tables.
 */
import { type Operator, operatorDefaults } from '../model/operator.ts';
import { siteSettings } from '../model/settings.ts';
import type { Module } from '../module.ts';
import { composeModules, ModuleError } from '../compose-modules.ts';
import { createRecords } from '../records/records.ts';
import type { Records } from '../records/types.ts';
import type { Batch, Store } from '../store/types.ts';
import { createAmendments } from './amendments.ts';
import { createFeed } from './feed.ts';
import type { FileKind } from './file-kind.ts';
import { createFirstDates } from './first-dates.ts';
import { composeHooks, type Service, type SiteKernel } from './hooks.ts';
import { createIdRanges } from './id-ranges.ts';
import { createIndexer } from './indexer.ts';
import { createIngest } from './ingest.ts';
import { createNewcomers } from './newcomers.ts';
import { createPathTable } from './path-table.ts';
import { readRecords } from './record-cache.ts';
import { createSettings } from './settings.ts';
import type { Site } from './site.ts';
import { createSiteInService } from './site-in-service.ts';
import type { SiteParts } from './site-parts.ts';
import { originalOf } from '../store/paths.ts';
import { createWitness } from './witness.ts';

export interface SiteOptions {
  readonly store: Store;
  /** Modules of a deployment: of the one that `site.yaml` names, whatever that is. */
  readonly modules: (deployment: unknown) => readonly Module[];
  /** Operator settings. Default: those of `kernel/model/operator.ts`. */
  readonly operator?: Operator;
  /** Milliseconds since the epoch; tests may hold it still. */
  readonly clock?: () => number;
  readonly progress?: (done: number, total: number) => void;
  /** Takes lines for whoever runs the site. */
  readonly log?: (line: string) => void;
}

/** A file that moves may be seen at both places for so long. */
const settleMs = 1000;

/** Loads a content folder. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { store, clock = Date.now, operator = operatorDefaults(), log = () => undefined } = options;
  const batch = await store.load(options.progress);
  const entry = batch.entries.find(({ path }) => path === 'site.yaml');
  const modules = composeModules(options.modules(entry?.data.deployment), entry);
  const settings = createSettings(siteSettings(modules.list), entry);
  const parts = {
    store,
    operator,
    clock,
    log,
    modules,
    settings,
    listeners: [],
    made: [],
    effects: 0,
  } as unknown as SiteParts;
  parts.feed = await createFeed(store, clock);
  parts.site = createSiteInService(parts);
  parts.firstDates = createFirstDates({ store, zone: () => parts.site.zone, clock, log });
  parts.hooks = composeHooks(await setUp(parts, entry));
  const { site } = parts;
  parts.records = createTables(parts);
  parts.amendments = await createAmendments(store, site.commit);
  parts.ingest = createIngest(parts);
  const kinds = modules.list.flatMap((module) => module.kinds?.(site) ?? []);
  Object.assign(site, { paths: createPathTable(kinds.flatMap(({ paths }) => paths)) });
  await load(parts, kinds, batch);
  shareModules(parts);
  parts.feed.open();
  return site;
}

/** Lets each module add its services to the site. */
async function setUp(parts: SiteParts, entry: SiteKernel['entry']): Promise<readonly Service[]> {
  const { site } = parts;
  const kernel: SiteKernel = {
    log: parts.log,
    entry,
    planning: site,
    dateOf: (path, mtimeMs) => parts.firstDates.of(path, mtimeMs),
    seeId: (space, id) => parts.indexer.sequences.see(space, id),
    raiseIds: (highest) => parts.indexer.sequences.raise(highest),
    make(change) {
      parts.effects++;
      parts.made.push(change);
    },
    noteEffect: () => void parts.effects++,
  };
  const services: Service[] = [];
  for (const module of parts.modules.list) {
    const service = await module.setup?.(site, kernel);
    if (!service) continue;
    Object.assign(site, service.site);
    Object.assign(site.refs, service.refs);
    services.push(service);
  }
  for (const { refs } of parts.modules.list) Object.assign(site.refs, refs?.(parts.settings));
  return services;
}

/** Memory, empty; each table is a property of the site as well. */
function createTables({ site, feed }: SiteParts): Records {
  const specs = site.modules.list.flatMap((module) => module.tables?.(site) ?? []);
  const records = createRecords(specs, { applying: feed.applying });
  for (const { name } of specs) {
    if (name in site) throw new ModuleError(`no table can be called "${name}": the site has something else of that name`);
    Object.assign(site, { [name]: records.table(name) });
  }
  return Object.assign(site, { records }).records;
}

/** From now on workers of one server tell one another what modules keep in memory. */
function shareModules({ store, hooks }: SiteParts): void {
  const workers = store.shared?.workers;
  if (workers === undefined) return;
  const { replicated } = hooks;
  for (const { name, publish } of replicated) publish?.((change) => workers.tell({ name, change }));
  workers.attach({
    cached(key) {
      for (const one of replicated) one.cached?.(key);
    },
    mediaOf: (sidecar) => replicated.flatMap(({ fileAt }) => fileAt?.(originalOf(sidecar)) ?? []).at(0),
    snapshots: () => replicated.flatMap(({ name, snapshot }) => (snapshot?.() ?? []).map((change) => ({ name, change }))),
  });
}

/** Reads the folder into memory. */
async function load(parts: SiteParts, kinds: readonly FileKind[], batch: Batch): Promise<void> {
  const { store, hooks, settings, log } = parts;
  const indexer = createIndexer(inReadingOrder(kinds), parts.records, {
    effects: () => parts.effects,
    basis: () =>
      JSON.stringify([
        parts.modules.signature,
        settings.rows.flatMap(({ key, rereads }) => (rereads ? settings.stored(key) : [])),
        hooks.basis(),
      ]),
    renumbered: (file) => parts.newcomers.note(file),
    dateOf({ path, mtimeMs }, wasFloating) {
      if (wasFloating) parts.firstDates.begin(path);
      return parts.firstDates.of(path, mtimeMs);
    },
  });
  parts.indexer = indexer;
  store.derived?.provide(() => indexer.keep());
  parts.ids = await createIdRanges(store, indexer);
  hooks.beforeLoad();
  const bytes = await store.derived?.read();
  const cached = bytes ? readRecords(bytes) : null;
  parts.newcomers = createNewcomers({
    store,
    indexer,
    inner: hooks.inner,
    witness: createWitness(store, cached),
    settleMs,
    ingest: parts.ingest.external,
    part: async (paths) => parts.ingest.whole(await store.reread(paths), { newcomers: new Set(paths) }),
    amend: (writes) => parts.amendments.write(writes),
    log,
  });
  const unwritten = indexer.unstated(parts.amendments.unwritten(), batch, cached);
  indexer.remember(unwritten);
  await parts.ingest.whole(batch, { kept: cached, origin: Object.keys(unwritten).length > 0 ? 'others' : 'unknown' });
  if (!store.follows) await parts.newcomers.settle();
  parts.amendments.open();
  const restored = indexer.restored();
  await hooks.afterLoad({ batch, cached, restored });
  const tables = new Set(kinds.flatMap((kind) => (kind.cached ? [kind.table] : [])));
  const size = [...tables].reduce((sum, table) => sum + parts.records.table(table).size, 0);
  // What is cached is old, or not there yet.
  if (restored < size / 2) store.derived?.expire();
}

/** What is referred to comes first; the order of the modules else. */
function inReadingOrder(kinds: readonly FileKind[]): readonly FileKind[] {
  const ordered = new Set<FileKind>();
  const seen = new Set<FileKind>();
  const visit = (kind: FileKind): void => {
    if (seen.has(kind)) return;
    seen.add(kind);
    for (const other of kinds) if (kind.refersTo?.includes(other.name)) visit(other);
    ordered.add(kind);
  };
  for (const kind of kinds) visit(kind);
  return [...ordered];
}
