/**
 * An import before its first write: the inventory of the folder, names for what is new to it, the plan, and everything that turning
 * items into files needs.
 */
import type { Account } from '../../modules/people/users/record.ts';
import { createCommenters } from '../../modules/comments/commenters.ts';
import { themeOf } from '../../modules/design/themes/themes.ts';
import type { Fetcher } from '../../http-client/fetch.ts';
import { createSettings } from '../../kernel/site/settings.ts';
import type { Entry, Store } from '../../kernel/store/types.ts';
import { isId, maxId } from '../../kernel/model/ids.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import { partsOf } from './addresses.ts';
import { addressTable, type PlannedAddress } from './address-table.ts';
import { type Batches, createBatches } from './batches.ts';
import { type Inventory, type ModulesOf, takeInventory } from './inventory.ts';
import { type Naming, nameKinds } from './declarations.ts';
import { reportKeptLanguages } from './kept-languages.ts';
import { linksOf, noteFormerPaths } from './url-map.ts';
import type { MenuLinkItem, SiteItem, Source, UserItem } from './items.ts';
import { type ImportState, type Line, openImportState } from './import-state.ts';
import { createIdRewriter, type IdRewriter } from './id-rewriter.ts';
import type { LinkRewriter } from './links.ts';
import { createMarkdownWriter } from './markdown.ts';
import { createMediaImport, type MediaImport, rulesOf } from './media.ts';
import { createCommenterQueue, type CommenterQueue } from './accounts.ts';
import { makePlan, type ImportPlan } from './plan.ts';
import type { PlannedItem } from './planned-item.ts';
import type { WriteContext } from './write-context.ts';
import type { ImportReport, ImportLog } from './report.ts';
import type { UploadRules } from '../../modules/media/library/uploads.ts';
import { createAmender, type Fallback, fallbackOf, plainSettings } from './settings.ts';
import { createPlannedSite, type PlannedSite } from './planned-site.ts';
import { modulesOf } from '../../deployments.ts';
import { remark, type SourceScan } from './source-scan.ts';
import { type Operator, operatorDefaults } from '../../kernel/model/operator.ts';
import { createUnknownShortcodes } from './unknown-shortcodes.ts';

export type Phase = 'reading the source' | 'reading the folder' | 'writing';

export interface ImportOptions {
  readonly source: Source;
  /** Modules of the site, by its deployment, whose keys are read and written. Default: those of `deployments.ts`. */
  readonly modules?: ModulesOf;
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
  /** The report has what became of every address. */
  readonly addresses?: boolean;
  /** A code that tells later who has named the source: what a folder says by itself is not to be read. */
  readonly seal?: string;
  /** The batch under way is finished, then the import ends. */
  readonly signal?: AbortSignal | undefined;
  /** @param files  media files that were brought so far */
  readonly progress?: ((phase: Phase, done: number, total: number, files?: ImportReport['files']) => void) | undefined;
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
  readonly report: ImportLog;
  readonly inventory: Inventory;
  readonly importState: ImportState;
  readonly plan: ImportPlan;
  readonly plannedSite: PlannedSite;
  readonly context: WriteContext;
  readonly links: LinkRewriter | null;
  readonly batches: Batches;
  readonly mediaImport: MediaImport | null;
  readonly commenters: CommenterQueue;
  readonly amendSite: (data: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly idOf: (kind: 'terms' | 'posts', id: number) => string | undefined;
  /** `site.yaml` before anything refers to it. */
  readonly first: Readonly<Record<string, unknown>>;
  /** The default category of a new site that takes the place of the one it was made with. */
  readonly fallback: Fallback | null;
  /** What the source had an address for; where the report does not show all, what `redirects.yaml` leads on. */
  readonly addresses: readonly PlannedAddress[];
  /** Links of menus that other parts of the site brought. */
  readonly knownLinks: readonly MenuLinkItem[];
  /** Whether something that an item of this or another part of the site named is there now, see `Line`. */
  readonly isHere: (want: string) => boolean;
  /** Distinguishes runs with other options, which write other files. */
  readonly optionsHash: string;
}

/** Takes stock of the folder, and plans everything. Nothing is written yet. */
export async function prepare(
  options: ImportOptions,
  sourceScan: SourceScan,
  store: Store,
  made: boolean,
  report: ImportLog,
): Promise<ImportContext> {
  const { source, operator = operatorDefaults(), dryRun = false, update = false, keepLinks = false, maxChanges } = options;
  const { progress } = options;
  const inventory = await takeInventory(
    store,
    options.modules ?? modulesOf,
    progress && ((done, total) => progress('reading the folder', done, total)),
  );
  const optionsHash = `${options.toMarkdown ? `markdown ${options.toMarkdown}` : 'markup'} ${keepLinks ? 'links kept' : ''}`;
  const importState = await openImportState(store.cache, {
    name: `${source.format} ${source.name}`,
    site: identityOf(source, sourceScan),
    options: optionsHash,
    seal: options.seal ?? '',
    readOnly: dryRun,
  });
  // A site whose import was stopped is still being made.
  const isNew = made || importState.get('site', '')?.digest === 'open';
  const knownLinks = linksOfOthers(importState, sourceScan);
  const ids = { terms: idsOf(sourceScan.terms), posts: idsOf(sourceScan.posts) };
  const planned = planSite({ sourceScan, inventory, importState, isNew, update, report });
  const { plan, plannedSite } = planned;
  const links = keepLinks ? null : linksOf(sourceScan, plan, plannedSite);
  noteFormerPaths(sourceScan, plan, plannedSite);
  if (isNew) reportZone(sourceScan, inventory, report);
  if (!inventory.languages) reportKeptLanguages(sourceScan, plan, report);
  const addresses = addressTable(sourceScan, plan, plannedSite).filter(({ rule }) => options.addresses || rule !== undefined);
  const rewriter = createIdRewriter();
  for (const kind of ['posts', 'terms', 'users', 'links', 'comments'] as const)
    reserveIds({ rewriter, report, importState }, sourceScan[kind], plan[kind]);
  // Only links and ids needed the headers.
  for (const post of plan.posts.values()) post.header = null;
  sourceScan.posts.length = 0;
  sourceScan.comments.length = 0;
  for (const planned of plan.posts.values()) {
    const from = planned.isKnown ? Number(planned.key) : Number.NaN;
    if (isId(from) && from !== planned.id) rewriter.post(from, planned.id);
  }
  const unmet: string[] = [];
  const isHere = (want: string): boolean => {
    const [, kind = '', key = ''] = /^(\w+) (.*)$/s.exec(want) ?? [];
    if (kind === 'link') return links?.knows(key) === true;
    if (kind === 'number') return plan.termsById.get(rewriter.termId(Number(key)))?.isGone === false;
    if (kind === 'translation') return plan.languages.whole.has(key);
    const found = (kind === 'user' ? plan.users : kind === 'term' ? plan.terms : plan.posts).get(key);
    return found !== undefined && !found.isGone;
  };
  const context: WriteContext = {
    site: plannedSite,
    naming: planned.naming,
    plan,
    languages: inventory.languages,
    report,
    importer: administratorOf(inventory),
    links,
    ids: rewriter,
    unmet,
    shortcodes: createUnknownShortcodes(),
    hasSiteTime: source.hasSiteTime ?? false,
    toMarkdown: markdownWriter(options, plannedSite),
  };
  const commenters = createCommenterQueue(dryRun ? null : await createCommenters(store.private));
  const batchOptions = { before: commenters.flush, store, importState, report, unmet, isHere, update, isNew, dryRun };
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
    batches: createBatches({ ...batchOptions, ...(maxChanges ? { maxChanges } : {}) }),
    mediaImport: mediaImportOf(options, store, rulesOf(operator, plannedSite.settings)),
    commenters,
    amendSite: createAmender(store, inventory.site, dryRun),
    idOf: (kind, id) => ids[kind].get(id),
    first: planned.first,
    fallback: planned.fallback,
    addresses,
    knownLinks,
    isHere,
    optionsHash,
  };
}

/** The first administrator. */
function administratorOf({ accounts }: Inventory): Account | undefined {
  return accounts.filter(({ roles }) => roles.includes('administrator')).sort((a, b) => a.id - b.id)[0];
}

/** Says which time zone a new site has of a source that does not state it. */
function reportZone({ site, posts }: SourceScan, { site: file }: Inventory, report: ImportLog): void {
  if (!site?.isZoneGuessed || posts.every(({ date }) => date === '')) return;
  const { timezone } = site.settings;
  const here = String(file?.data.timezone ?? 'UTC');
  if (timezone !== undefined && timezone !== here) return;
  const message =
    timezone === undefined
      ? `the source does not state its time zone, and its dates fit none; the site has ${here}`
      : `the source does not state its time zone; it was guessed from the dates of its items: ${here}`;
  remark(report, site, 'changed', 'guessed-zone', message, 'import into a new folder with --timezone if that is wrong');
}

/** Links of menus that other parts of the site have. Those that this source had once are forgotten. */
function linksOfOthers(importState: ImportState, { links, isWhole }: SourceScan): readonly MenuLinkItem[] {
  const own = new Set(links.map(({ key }) => key));
  const known: MenuLinkItem[] = [];
  const gone: Line[] = [];
  for (const line of importState.all()) {
    const { kind, key, link } = line;
    if (kind !== 'menu-link' || !link || own.has(key)) continue;
    if (importState.get(kind, key) === undefined) known.push(link);
    else gone.push(line);
  }
  for (const { link: _, ...line } of isWhole ? gone : []) importState.note(line);
  return known;
}

/** The site that a source is of: several files may be parts of one. '' where the source does not say it. */
function identityOf({ format }: Source, { site }: SourceScan): string {
  const parts = partsOf(site?.addresses[0] ?? '');
  return parts ? `${format} ${parts.host}${withoutTrailing(parts.path, '/')}` : '';
}

interface SitePlan extends Pick<ImportContext, 'plan' | 'plannedSite' | 'first' | 'fallback'> {
  readonly naming: Naming;
}

/** The site as it will be: its settings, types and taxonomies, and the plan for its items. */
function planSite({
  sourceScan,
  inventory,
  importState,
  isNew,
  update,
  report,
}: Pick<ImportContext, 'sourceScan' | 'inventory' | 'importState' | 'isNew' | 'report'> & {
  readonly update: boolean;
}): SitePlan {
  const naming = nameKinds(sourceScan, inventory.site, inventory.model, report);
  const first = {
    ...naming.data,
    ...(isNew && sourceScan.site ? plainSettings(sourceScan.site, inventory.model.settings, report) : {}),
  };
  const fallback = isNew ? fallbackOf(inventory, sourceScan) : null;
  const data: Record<string, unknown> = { ...inventory.site?.data, ...first };
  const permalink = typeof data.permalink === 'string' ? data.permalink : '/{slug}/';
  const settings = createSettings(naming.model.settings, { ...(inventory.site as Entry), data });
  const stylesheet = {
    site: themeOf({ settings }).stylesheet,
    source: String(mapOf(sourceScan.site?.settings.theme).stylesheet ?? ''),
  };
  const plan = makePlan({ sourceScan, naming, inventory, importState, permalink, stylesheet, update });
  importState.forget();
  if (fallback) data.default_category = plan.terms.get(fallback.key)?.slug;
  const site = { ...(inventory.site as Entry), data };
  const plannedSite = createPlannedSite(inventory, naming, plan, site, (place) => inventory.blobs.has(place.toLowerCase()));
  return { naming, first, fallback, plan, plannedSite };
}

function markdownWriter({ toMarkdown }: ImportOptions, { settings }: PlannedSite): WriteContext['toMarkdown'] {
  if (!toMarkdown) return undefined;
  const isOn = (key: string): boolean => settings.value(key) === true;
  return createMarkdownWriter({ typography: isOn('typography'), smilies: isOn('smilies'), loose: toMarkdown === 'loose' });
}

function mediaImportOf(options: ImportOptions, store: Store, rules: UploadRules): MediaImport | null {
  const { source, mediaDir, fetcher, media = true, dryRun = false, signal } = options;
  if (dryRun || !media) return null;
  const where = { ...(mediaDir === undefined ? {} : { mediaDir }), ...(fetcher ? { fetcher } : {}) };
  return createMediaImport({ store, source, ...where, rules, signal });
}

interface Reservation extends Pick<ImportContext, 'report' | 'importState'> {
  readonly rewriter: IdRewriter;
}

/** Of several items with one id, the first is what texts mean by it. */
function reserveIds(
  reservation: Reservation,
  items: readonly { readonly key: string; readonly id?: number }[],
  map: ReadonlyMap<string, PlannedItem>,
): void {
  const met = new Set<number>();
  for (const { key, id = 0 } of items) {
    const planned = map.get(key);
    if (planned) reserveId(reservation, planned, id, !met.has(id));
    met.add(id);
  }
}

/** An id that is not the source's own is on disk before anything refers to it. */
function reserveId(
  { rewriter, report, importState }: Reservation,
  planned: PlannedItem,
  preferredId: number,
  isFirst: boolean,
): void {
  const { kind, key, of, id, slug } = planned;
  if (id === preferredId) return;
  if (preferredId > 0 && isFirst && kind === 'post') rewriter.post(preferredId, id);
  if (preferredId > 0 && isFirst && kind === 'term') rewriter.term(preferredId, id);
  if (planned.line || planned.existing) return;
  const why = isId(preferredId) ? 'is taken' : `is invalid (ids range from 1 to ${maxId})`;
  if (preferredId !== 0)
    report.remark({
      severity: 'changed',
      rule: isId(preferredId) ? 'renumbered' : 'unusable-id',
      message: `its id ${preferredId} ${why}; it was assigned ${id}`,
      what: `${of || kind} ${slug || key}`,
      place: null,
    });
  importState.note({ kind, key, id, path: '', digest: '', etag: '', flag: '' });
}

function idsOf(items: readonly { readonly key: string; readonly id?: number }[]): Map<number, string> {
  return new Map(items.flatMap(({ key, id }) => (id ? [[id, key] as const] : [])));
}
