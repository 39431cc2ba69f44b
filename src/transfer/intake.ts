/**
 * The intake: a source becomes files of a site. It goes through the source twice. The first pass learns what there is and plans
 * ids, slugs and places (`survey.ts`, `plan.ts`); the second turns one item after another into a file (`records.ts`) and writes
 * them some hundred at a time (`batches.ts`). Nothing is held but the plan, so memory does not grow with the texts.
 *
 * What others refer to is written first: people, terms, parents before children, pictures before the posts that show them. So
 * every state of the folder in between is a valid site, and an import that was stopped goes on where it stood.
 */
import { createCommenters } from '../domain/comments/commenters.ts';
import { map, themeOf } from '../domain/design/themes.ts';
import type { Fetcher } from '../domain/outside/fetch.ts';
import { createAccounts } from '../domain/people/accounts.ts';
import { createSettings } from '../domain/settings.ts';
import { standardSettings } from '../model/settings.ts';
import type { Entry, Store } from '../store/types.ts';
import { type Batches, createBatches, digestOf, taskOf } from './batches.ts';
import { type Census, spaces, takeCensus } from './census.ts';
import { nameKinds } from './declarations.ts';
import { linksOf } from './former-addresses.ts';
import type { MenuLinkItem, SiteItem, Source, TermItem, UserItem } from './items.ts';
import { type ImportLedger, openLedger } from './ledger.ts';
import { createIdRewriter, type Links } from './links.ts';
import { createMarkdownWriter } from './markdown.ts';
import { createMediaIntake, type MediaIntake, rulesOf } from './media.ts';
import { hasTarget, writeLooseItems, writeMenuItem } from './menus.ts';
import { writeItems } from './passes.ts';
import { createKeeping, createPeople, type Keeping } from './people.ts';
import { makePlan, parentsFirst, type Plan, type Planned } from './plan.ts';
import { type Desk, writeTermItem, writeUserItem } from './records.ts';
import { createReport, type ImportReport, type Report } from './report.ts';
import { createAmender, type Fallback, fallbackOf, missingLocations, namingSettings, plainSettings } from './settings.ts';
import { createStandIn, type StandIn } from './stand-in.ts';
import { lose, remark, remarksOf, sortOf, type Survey, takeSurvey } from './survey.ts';

export type Phase = 'reading the source' | 'reading the folder' | 'writing';

export interface ImportOptions {
  readonly source: Source;
  /** Opens the content folder; a new site is made first, with what the source says of itself and its people. Closing it is the caller's. */
  open(site: SiteItem | null, people: readonly UserItem[]): Promise<{ readonly store: Store; readonly isNew: boolean }>;
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

/**
 * Imports a source.
 * @throws SourceError when the source breaks in the first pass (then nothing is written), unless `keepGoing`;
 *   what `open` throws; NodeJS.ErrnoException when the disk refuses
 */
export async function importSite(options: ImportOptions): Promise<ImportReport> {
  const { source, signal, dryRun = false, progress } = options;
  const report = createReport();
  const about = { format: source.format, source: source.name, dryRun };
  let isWhole = true;
  let survey: Survey;
  try {
    survey = await takeSurvey(source, {
      report,
      signal,
      keepGoing: options.keepGoing ?? false,
      progress: progress && ((done, total) => progress('reading the source', done, total)),
    });
  } catch (error) {
    if (!signal?.aborted) throw error;
    return report.print({ ...about, into: '', complete: false, unknown: [] });
  }
  isWhole = survey.isWhole;
  const { store, isNew } = await options.open(survey.site, survey.users);
  const run = await prepare(options, survey, store, isNew, report);
  try {
    isWhole = (await write(run)) && isWhole;
  } finally {
    await run.batches.flush();
    await run.intake?.close();
  }
  const unknown = run.links?.unknown().first ?? [];
  return report.print({ ...about, into: store.name, complete: isWhole, unknown });
}

interface Run {
  readonly options: ImportOptions;
  readonly survey: Survey;
  readonly store: Store;
  readonly isNew: boolean;
  readonly report: Report;
  readonly census: Census;
  readonly ledger: ImportLedger;
  readonly plan: Plan;
  readonly stand: StandIn;
  readonly desk: Desk;
  readonly links: Links | null;
  readonly batches: Batches;
  readonly intake: MediaIntake | null;
  readonly commenters: Keeping;
  readonly amendSite: (data: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly idOf: (kind: 'terms' | 'posts', id: number) => string | undefined;
  /** `site.yaml` before anything refers to it. */
  readonly first: Readonly<Record<string, unknown>>;
  /** The default category of a new site that takes the place of the one it was made with. */
  readonly fallback: Fallback | null;
  /** Distinguishes runs with other options, which write other files. */
  readonly manner: string;
}

async function prepare(options: ImportOptions, survey: Survey, store: Store, made: boolean, report: Report): Promise<Run> {
  const { source, dryRun = false, update = false, keepLinks = false, progress } = options;
  const census = await takeCensus(store, progress && ((done, total) => progress('reading the folder', done, total)));
  const ledger = await openLedger(store.cache, `${source.format} ${source.name}`, dryRun);
  // A site whose import was stopped is still being made.
  const isNew = made || ledger.get('site', '')?.digest === 'open';
  const naming = nameKinds(survey, census.site, census.model, report);
  const plain = isNew && survey.site ? plainSettings(survey.site, report) : {};
  const fallback = isNew ? fallbackOf(census, survey) : null;
  const first = { ...naming.data, ...plain };
  const settled: Record<string, unknown> = { ...census.site?.data, ...first };
  const permalink = typeof settled.permalink === 'string' ? settled.permalink : '/{slug}/';
  const ids = { terms: idsOf(survey.terms), posts: idsOf(survey.posts) };
  const stylesheet = {
    ours: themeOf({ settings: createSettings(standardSettings, { ...(census.site as Entry), data: settled }) }).stylesheet,
    theirs: String(map(survey.site?.settings.theme).stylesheet ?? ''),
  };
  const plan = makePlan({ survey, naming, census, ledger, permalink, stylesheet, update });
  ledger.forget();
  if (fallback) settled.default_category = plan.terms.get(fallback.key)?.slug;
  const site = { ...(census.site as Entry), data: settled };
  const stand = createStandIn(census, naming, plan, site, (place) => census.blobs.has(place.toLowerCase()));
  const links = keepLinks ? null : linksOf(survey, plan, stand);
  const rewriter = createIdRewriter();
  for (const { key, id } of survey.posts) promise(plan.posts.get(key), id);
  for (const { key, id = 0 } of survey.terms) promise(plan.terms.get(key), id);
  for (const { key, id = 0 } of survey.users) promise(plan.users.get(key), id);
  for (const { key, id = 0 } of survey.links) promise(plan.links.get(key), id);
  for (const { key, id } of survey.comments) promise(plan.comments.get(key), id);
  for (const planned of plan.posts.values()) planned.sketch = null;
  survey.posts.length = 0;
  survey.comments.length = 0;

  const isOn = (key: string): boolean => stand.settings.value(key) === true;
  const toMarkdown = options.toMarkdown
    ? createMarkdownWriter({ typography: isOn('typography'), smilies: isOn('smilies'), loose: options.toMarkdown === 'loose' })
    : undefined;
  const desk: Desk = { site: stand, naming, plan, report, links, ids: rewriter, toMarkdown };
  const { mediaDir, fetcher, media = true, maxChanges } = options;
  const intake =
    dryRun || !media
      ? null
      : createMediaIntake({
          store,
          source,
          ...(mediaDir === undefined ? {} : { mediaDir }),
          ...(fetcher ? { fetcher } : {}),
          rules: rulesOf(stand.settings),
          signal: options.signal,
        });
  const commenters = createKeeping(dryRun ? null : await createCommenters(store.private));
  const batches = createBatches({
    before: commenters.flush,
    store,
    ledger,
    report,
    update,
    isNew,
    dryRun,
    ...(maxChanges ? { maxChanges } : {}),
  });
  const amendSite = createAmender(store, census.site, dryRun);
  const idOf = (kind: 'terms' | 'posts', id: number): string | undefined => ids[kind].get(id);
  const manner = `${options.toMarkdown ? `markdown ${options.toMarkdown}` : 'markup'} ${keepLinks ? 'links kept' : ''}`;
  return {
    options,
    survey,
    store,
    isNew,
    report,
    census,
    ledger,
    plan,
    stand,
    desk,
    links,
    batches,
    intake,
    commenters,
    amendSite,
    idOf,
    first,
    fallback,
    manner,
  };

  /** An id that is not the source's own is on disk before anything refers to it. */
  function promise(planned: Planned | undefined, wish: number): void {
    if (!planned || planned.id === wish) return;
    if (wish > 0 && planned.kind === 'post') rewriter.post(wish, planned.id);
    if (wish > 0 && planned.kind === 'term') rewriter.term(wish, planned.id);
    if (planned.line || planned.known) return;
    if (wish > 0)
      report.remark({
        severity: 'changed',
        rule: 'renumbered',
        message: `its id ${wish} is taken here: it has ${planned.id}`,
        what: `${planned.of || planned.kind} ${planned.slug || planned.key}`,
        place: null,
      });
    ledger.note({ kind: planned.kind, key: planned.key, id: planned.id, path: '', digest: '', etag: '', flag: '' });
  }
}

/** Everything, in order. @returns whether the source was gone through to its end */
async function write(run: Run): Promise<boolean> {
  const { options, survey, store, census, ledger, isNew, fallback, amendSite, stand, plan, report } = run;
  const { dryRun = false, signal } = options;
  if (!dryRun) {
    if (isNew) ledger.note({ kind: 'site', key: '', id: 0, path: 'site.yaml', digest: 'open', etag: '', flag: '' });
    await ledger.save();
    const sequences = Object.fromEntries(spaces.map((space) => [space, census.highest[space]]));
    await store.cache.set('sequences.json', Buffer.from(JSON.stringify(sequences)));
  }
  await amendSite(run.first);
  await writePeople(run);
  await writeTerms(run);
  if (fallback) {
    await amendSite({ default_category: stand.settings.stored('default_category') });
    if (!dryRun) await store.commit([{ remove: fallback.replaces }]);
  }
  if (signal?.aborted) return false;
  const isWhole = await writeItems({
    ...run,
    source: options.source,
    people: peopleOf(run),
    signal,
    progress: options.progress && ((done, total) => options.progress?.('writing', done, total)),
  });
  if (signal?.aborted) return false;
  await writeMenus(run);
  await run.batches.flush();
  const named = isNew && survey.site ? namingSettings(survey.site, plan, stand, report, run.idOf) : {};
  const { default_category: _, ...late } = named;
  await amendSite({ ...(fallback ? late : named), ...missingLocations(census, survey, isNew) });
  if (isNew && isWhole && !dryRun) {
    ledger.note({ kind: 'site', key: '', id: 0, path: 'site.yaml', digest: 'done', etag: '', flag: '' });
    await ledger.save();
  }
  return isWhole;
}

async function writePeople({ survey, plan, desk, batches, store, options, report, stand, manner }: Run): Promise<void> {
  const { dryRun = false } = options;
  const role = String(stand.settings.value('default_role'));
  const people = createPeople(await createAccounts(store.private), role, report, dryRun);
  for (const item of survey.users) {
    const planned = plan.users.get(item.key) as Planned;
    remarksOf(report, item);
    const account = people.accountOf(item, planned);
    await batches.put({ ...taskOf(item, planned, manner), print: () => writeUserItem(desk, item, planned, account) });
  }
  // The profile first: until the account is there, it is an author who cannot sign in.
  await batches.flush();
  for (const item of survey.users) await people.keep(item, plan.users.get(item.key) as Planned);
}

async function writeTerms({ survey, plan, desk, batches, report, manner }: Run): Promise<void> {
  const items = new Map(survey.terms.map((item) => [item.key, item]));
  for (const item of survey.terms) {
    remarksOf(report, item);
    if (!plan.terms.has(item.key) && item.taxonomy !== 'post_format')
      lose(report, item, 'no-taxonomy', 'the site has no such taxonomy');
  }
  for (const planned of parentsFirst(plan.terms.values())) {
    const item = items.get(planned.key) as TermItem;
    if (planned.of !== 'nav_menu')
      await batches.put({ ...taskOf(item, planned, manner), print: () => writeTermItem(desk, item, planned) });
  }
  await batches.flush();
}

async function writeMenus({ survey, plan, desk, batches, report, census, manner }: Run): Promise<void> {
  const links = new Map<string, MenuLinkItem[]>();
  for (const link of survey.links) {
    remarksOf(report, link);
    if (!hasTarget(desk, link)) {
      lose(report, link, 'menu-target', `what it points at (${link.target ?? link.object}) is not in the source`);
      continue;
    }
    const isLoose = plan.terms.get(link.menu)?.of !== 'nav_menu';
    if (isLoose && link.menu !== '')
      remark(report, link, 'changed', 'no-menu', `its menu (${link.menu}) is not in the source: here it is in none`);
    const menu = isLoose ? '' : link.menu;
    const others = links.get(menu);
    if (others) others.push(link);
    else links.set(menu, [link]);
  }
  for (const item of survey.terms) {
    const planned = plan.terms.get(item.key);
    if (planned?.of !== 'nav_menu') continue;
    const own = links.get(item.key) ?? [];
    const digest = digestOf([item, ...own], manner);
    const outcome = await batches.put({
      ...taskOf(item, planned, manner),
      digest,
      print: () => writeMenuItem(desk, item, planned, own, census),
    });
    for (const link of own) report.count(sortOf(link), outcome);
  }
  const [first, ...others] = links.get('') ?? [];
  if (!first) return;
  const all = [first, ...others];
  const outcome = await batches.put({
    ...taskOf(first, plan.loose, manner),
    digest: digestOf(all, manner),
    print: () => writeLooseItems(desk, all, census),
  });
  for (const link of others) report.count(sortOf(link), outcome);
}

function idsOf(items: readonly { readonly key: string; readonly id?: number }[]): Map<number, string> {
  return new Map(items.flatMap(({ key, id }) => (id ? [[id, key] as const] : [])));
}

function peopleOf({ survey, plan, census }: Run): Map<number, { readonly name: string; readonly url: string }> {
  const people = new Map(census.people);
  for (const { key, name, url = '' } of survey.users) {
    const planned = plan.users.get(key);
    if (planned && !people.has(planned.id)) people.set(planned.id, { name: name || planned.slug, url });
  }
  return people;
}
