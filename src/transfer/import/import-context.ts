/**
 * An import before its first write: the inventory of the folder, names for what is new to it, the plan, and everything that turning
 * items into files needs.
 */
import { createCommenters } from '../../modules/comments/commenters.ts';
import { themeOf } from '../../modules/design/themes.ts';
import type { Fetcher } from '../../kernel/http-client/fetch.ts';
import { createSettings } from '../../kernel/site/settings.ts';
import { standardSettings } from '../../kernel/model/settings.ts';
import type { Entry, Store } from '../../kernel/store/types.ts';
import { isId, maxId } from '../../kernel/model/ids.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import { type Batches, createBatches } from './batches.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { nameKinds } from './declarations.ts';
import { linksOf, noteFormerPaths } from './url-map.ts';
import type { SiteItem, Source, UserItem } from './items.ts';
import { type ImportState, openImportState } from './import-state.ts';
import { createIdRewriter, type Links } from './links.ts';
import { createMarkdownWriter } from './markdown.ts';
import { createMediaImport, type MediaImport, rulesOf } from './media.ts';
import { createCommenterQueue, type CommenterQueue } from './accounts.ts';
import { makePlan, type ImportPlan } from './plan.ts';
import type { PlannedItem } from './planned-item.ts';
import type { WriteContext } from './write-context.ts';
import type { Report } from './report.ts';
import { createAmender, type Fallback, fallbackOf, plainSettings } from './settings.ts';
import { createPlannedSite, type PlannedSite } from './planned-site.ts';
import type { SourceScan } from './source-scan.ts';
import { type Operator, operatorDefaults } from '../../kernel/model/operator.ts';
import { createUnknownShortcodes } from './unknown-shortcodes.ts';

export type Phase = 'reading the source' | 'reading the folder' | 'writing';

export interface ImportOptions {
  readonly source: Source;
  /** Operator settings. Default: those of `kernel/model/operator.ts`. */
  readonly operator?: Operator;
  /** Opens the content folder; a new site is made first, with what the source says of itself and its people. Closing it is the caller's. */
  open(site: SiteItem | null, users: readonly UserItem[]): Promise<{ readonly store: Store; readonly isNew: boolean }>;
  /** Absolute path of a local copy of the old uploads. */
  readonly mediaDir?: string | undefined;
  /** False: no bytes are brought, sidecars keep the addresses. */
  readonly media?: boolean;
  /** Bytes that nothing else has are fetched from their addresses. */
  readonly fetcher?: Fetcher | undefined;
  /** `loose`: without the classes by which block editors mark common elements. */
  readonly toMarkdown?: 'strict' | 'loose' | false;
  readonly keepLinks?: boolean;
  /** The source's version wins over edited and deleted files. */
  readonly update?: boolean;
  readonly dryRun?: boolean;
  /** A source that breaks off gives what came before. */
  readonly keepGoing?: boolean;
  /** The batch under way is finished, then the import ends. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((phase: Phase, done: number, total: number) => void) | undefined;
  /** Changes to a commit. */
  readonly maxChanges?: number;
}

/** An import under way: what is known of both sides, and the plan between them. */
export interface ImportContext {
  readonly options: ImportOptions;
  readonly operator: Operator;
  readonly sourceScan: SourceScan;
  readonly store: Store;
  readonly isNew: boolean;
  readonly report: Report;
  readonly inventory: Inventory;
  readonly importState: ImportState;
  readonly plan: ImportPlan;
  readonly plannedSite: PlannedSite;
  readonly context: WriteContext;
  readonly links: Links | null;
  readonly batches: Batches;
  readonly mediaImport: MediaImport | null;
  readonly commenters: CommenterQueue;
  readonly amendSite: (data: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly idOf: (kind: 'terms' | 'posts', id: number) => string | undefined;
  /** `site.yaml` before anything refers to it. */
  readonly first: Readonly<Record<string, unknown>>;
  /** The default category of a new site that takes the place of the one it was made with. */
  readonly fallback: Fallback | null;
  /** Distinguishes runs with other options, which write other files. */
  readonly optionsHash: string;
}

/** Learns what the folder has, and plans everything. Nothing is written yet. */
export async function prepare(
  options: ImportOptions,
  sourceScan: SourceScan,
  store: Store,
  made: boolean,
  report: Report,
): Promise<ImportContext> {
  const { source, operator = operatorDefaults(), dryRun = false, update = false, keepLinks = false, progress } = options;
  const inventory = await takeInventory(store, progress && ((done, total) => progress('reading the folder', done, total)));
  const importState = await openImportState(store.cache, `${source.format} ${source.name}`, dryRun);
  // A site whose import was stopped is still being made.
  const isNew = made || importState.get('site', '')?.digest === 'open';
  const naming = nameKinds(sourceScan, inventory.site, inventory.model, report);
  const plain = isNew && sourceScan.site ? plainSettings(sourceScan.site, report) : {};
  const fallback = isNew ? fallbackOf(inventory, sourceScan) : null;
  const first = { ...naming.data, ...plain };
  const settled: Record<string, unknown> = { ...inventory.site?.data, ...first };
  const permalink = typeof settled.permalink === 'string' ? settled.permalink : '/{slug}/';
  const ids = { terms: idsOf(sourceScan.terms), posts: idsOf(sourceScan.posts) };
  const stylesheet = {
    site: themeOf({ settings: createSettings(standardSettings, { ...(inventory.site as Entry), data: settled }) }).stylesheet,
    source: String(mapOf(sourceScan.site?.settings.theme).stylesheet ?? ''),
  };
  const plan = makePlan({ sourceScan, naming, inventory, importState, permalink, stylesheet, update });
  importState.forget();
  if (fallback) settled.default_category = plan.terms.get(fallback.key)?.slug;
  const site = { ...(inventory.site as Entry), data: settled };
  const plannedSite = createPlannedSite(inventory, naming, plan, site, (place) => inventory.blobs.has(place.toLowerCase()));
  const links = keepLinks ? null : linksOf(sourceScan, plan, plannedSite);
  noteFormerPaths(sourceScan, plan, plannedSite);
  const rewriter = createIdRewriter();
  reserveIds(sourceScan.posts, plan.posts);
  reserveIds(sourceScan.terms, plan.terms);
  reserveIds(sourceScan.users, plan.users);
  reserveIds(sourceScan.links, plan.links);
  reserveIds(sourceScan.comments, plan.comments);
  for (const planned of plan.posts.values()) planned.header = null;
  sourceScan.posts.length = 0;
  sourceScan.comments.length = 0;

  const isOn = (key: string): boolean => plannedSite.settings.value(key) === true;
  const toMarkdown = options.toMarkdown
    ? createMarkdownWriter({ typography: isOn('typography'), smilies: isOn('smilies'), loose: options.toMarkdown === 'loose' })
    : undefined;
  const shortcodes = createUnknownShortcodes();
  const context: WriteContext = {
    site: plannedSite,
    naming,
    plan,
    report,
    links,
    ids: rewriter,
    shortcodes,
    hasSiteTime: source.hasSiteTime ?? false,
    toMarkdown,
  };
  const { mediaDir, fetcher, media = true, maxChanges } = options;
  const mediaImport =
    dryRun || !media
      ? null
      : createMediaImport({
          store,
          source,
          ...(mediaDir === undefined ? {} : { mediaDir }),
          ...(fetcher ? { fetcher } : {}),
          rules: rulesOf(operator, plannedSite.settings),
          signal: options.signal,
        });
  const commenters = createCommenterQueue(dryRun ? null : await createCommenters(store.private));
  const batches = createBatches({
    before: commenters.flush,
    store,
    importState,
    report,
    update,
    isNew,
    dryRun,
    ...(maxChanges ? { maxChanges } : {}),
  });
  const amendSite = createAmender(store, inventory.site, dryRun);
  const idOf = (kind: 'terms' | 'posts', id: number): string | undefined => ids[kind].get(id);
  const optionsHash = `${options.toMarkdown ? `markdown ${options.toMarkdown}` : 'markup'} ${keepLinks ? 'links kept' : ''}`;
  return {
    options,
    operator,
    sourceScan,
    store,
    isNew,
    report,
    inventory,
    importState,
    plan,
    plannedSite,
    context,
    links,
    batches,
    mediaImport,
    commenters,
    amendSite,
    idOf,
    first,
    fallback,
    optionsHash,
  };

  /** Of several with one id the first is what texts mean by it. */
  function reserveIds(
    items: readonly { readonly key: string; readonly id?: number }[],
    map: ReadonlyMap<string, PlannedItem>,
  ): void {
    const met = new Set<number>();
    for (const { key, id = 0 } of items) {
      const planned = map.get(key);
      if (planned) reserveId(planned, id, !met.has(id));
      met.add(id);
    }
  }

  /** An id that is not the source's own is on disk before anything refers to it. */
  function reserveId(planned: PlannedItem, preferredId: number, isFirst: boolean): void {
    if (planned.id === preferredId) return;
    if (preferredId > 0 && isFirst && planned.kind === 'post') rewriter.post(preferredId, planned.id);
    if (preferredId > 0 && isFirst && planned.kind === 'term') rewriter.term(preferredId, planned.id);
    if (planned.line || planned.existing) return;
    const why = isId(preferredId) ? 'is taken' : `is invalid (ids range from 1 to ${maxId})`;
    if (preferredId !== 0)
      report.remark({
        severity: 'changed',
        rule: isId(preferredId) ? 'renumbered' : 'unusable-id',
        message: `its id ${preferredId} ${why}; it was assigned ${planned.id}`,
        what: `${planned.of || planned.kind} ${planned.slug || planned.key}`,
        place: null,
      });
    importState.note({ kind: planned.kind, key: planned.key, id: planned.id, path: '', digest: '', etag: '', flag: '' });
  }
}

function idsOf(items: readonly { readonly key: string; readonly id?: number }[]): Map<number, string> {
  return new Map(items.flatMap(({ key, id }) => (id ? [[id, key] as const] : [])));
}
