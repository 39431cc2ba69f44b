/**
 * The import: a source becomes files of a site. It goes through the source twice. The first pass learns what there is (`source-scan.ts`)
 * and plans ids, slugs and paths (`import-context.ts`, `plan.ts`); the second turns one item after another into a file
 * (`write-items.ts`, `records.ts`) and writes them some hundred at a time (`batches.ts`). Only the plan is kept in memory, which
 * therefore does not grow with the texts.
 *
 * What others refer to is written first: users, terms, parents before children, images before the posts that show them. So
 * every state of the folder in between is a valid site, and an import that was stopped continues where it was.
 */
import { createAccounts } from '../../modules/people/accounts/accounts.ts';
import { writeRedirects } from './address-table.ts';
import { digestOf, taskOf } from './batches.ts';
import { takeIds } from '../../kernel/site/id-ranges.ts';
import type { MenuLinkItem } from './items.ts';
import { hasTarget, wantOf, writeLooseItems, writeMenuItem } from './menus.ts';
import { writeItems } from './write-items.ts';
import { createImportedAccounts } from './accounts.ts';
import { parentsFirst, type PlannedItem } from './planned-item.ts';
import { writeTermItem, writeUserItem } from './records.ts';
import { createReport, type ImportReport } from './report.ts';
import { missingLocations, namingSettings } from './settings.ts';
import { reportLost, remark, remarksOf, categoryOf, type SourceScan, scanSource } from './source-scan.ts';
import { type ImportOptions, prepare, type ImportContext } from './import-context.ts';

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
  let sourceScan: SourceScan;
  try {
    sourceScan = await scanSource(source, {
      report,
      signal,
      keepGoing: options.keepGoing ?? false,
      progress: progress && ((done, total) => progress('reading the source', done, total)),
    });
  } catch (error) {
    if (!signal?.aborted) throw error;
    return report.print({ ...about, into: '', complete: false, unknown: [] });
  }
  isWhole = sourceScan.isWhole;
  const { store, isNew } = await options.open(sourceScan.site, sourceScan.users);
  const run = await prepare(options, sourceScan, store, isNew, report);
  try {
    isWhole = (await write(run)) && isWhole;
  } finally {
    await run.batches.flush();
    await run.mediaImport?.close();
  }
  const unknown = run.links?.unknown().first ?? [];
  const again = run.importState.siblings.filter(({ wants }) => wants.some(run.isHere));
  const addresses = options.addresses ? { addresses: run.addresses.map(({ rule: _, ...row }) => row) } : {};
  return report.print({
    ...about,
    into: store.name,
    complete: isWhole,
    unknown,
    ...addresses,
    ...(again.length === 0 ? {} : { again, options: run.optionsHash }),
  });
}

/** Everything, in order. @returns whether the source was gone through to its end */
async function write(run: ImportContext): Promise<boolean> {
  const { options, sourceScan, store, inventory, importState, isNew, fallback, amendSite, plannedSite, plan, report } = run;
  const { dryRun = false, signal } = options;
  if (!dryRun) {
    if (isNew) importState.note({ kind: 'site', key: '', id: 0, path: 'site.yaml', digest: 'open', etag: '', flag: '' });
    await importState.save();
    // Before the first of them is written.
    if (!(await takeIds(store, inventory.highest, inventory.reservedIds)))
      throw new Error('a running server has assigned ids that the import was going to use; run the import again');
  }
  await amendSite(run.first);
  // Before anything new is there: a run that goes on takes what it finds for known.
  if (!dryRun) await writeRedirects(store, run.addresses, report);
  await writePeople(run);
  await writeTerms(run);
  if (fallback) {
    await amendSite({ default_category: plannedSite.settings.stored('default_category') });
    if (!dryRun) await store.commit([{ remove: fallback.replaces }]);
  }
  if (signal?.aborted) return false;
  const isWhole = await writeItems({
    ...run,
    source: options.source,
    profiles: profilesOf(run),
    signal,
    progress: options.progress && ((done, total) => options.progress?.('writing', done, total, report.files)),
  });
  run.context.shortcodes.report(report);
  if (signal?.aborted) return false;
  await writeMenus(run);
  await run.batches.flush();
  const named = isNew && sourceScan.site ? namingSettings(sourceScan.site, plan, plannedSite, report, run.idOf) : {};
  const { default_category: _, ...late } = named;
  await amendSite({ ...(fallback ? late : named), ...missingLocations(inventory, sourceScan, isNew) });
  if (isNew && isWhole && !dryRun) {
    importState.note({ kind: 'site', key: '', id: 0, path: 'site.yaml', digest: 'done', etag: '', flag: '' });
    await importState.save();
  }
  return isWhole;
}

async function writePeople({
  sourceScan,
  plan,
  context,
  batches,
  store,
  options,
  operator,
  report,
  optionsHash,
}: ImportContext): Promise<void> {
  const { dryRun = false } = options;
  const role = operator.default_role;
  const accounts = createImportedAccounts(await createAccounts(store.private), role, report, dryRun);
  for (const item of sourceScan.users) {
    const planned = plan.users.get(item.key) as PlannedItem;
    remarksOf(report, item);
    const account = accounts.accountOf(item, planned);
    await batches.put({ ...taskOf(item, planned, optionsHash), print: () => writeUserItem(context, item, planned, account) });
  }
  // The profile first: until the account is there, it is an author who cannot sign in.
  await batches.flush();
  for (const item of sourceScan.users) await accounts.save(item, plan.users.get(item.key) as PlannedItem);
}

async function writeTerms({ sourceScan, plan, context, batches, report, optionsHash }: ImportContext): Promise<void> {
  const items = new Map(sourceScan.terms.map((item) => [item.key, item]));
  for (const item of sourceScan.terms) {
    remarksOf(report, item);
    if (!plan.terms.has(item.key) && item.taxonomy !== 'post_format')
      reportLost(report, item, 'no-taxonomy', 'the site does not have this taxonomy');
  }
  for (const planned of parentsFirst(plan.terms.values())) {
    const item = items.get(planned.key);
    if (item && planned.of !== 'nav_menu')
      await batches.put({ ...taskOf(item, planned, optionsHash), print: () => writeTermItem(context, item, planned) });
  }
  await batches.flush();
}

async function writeMenus(run: ImportContext): Promise<void> {
  const { sourceScan, plan, context, batches, report, inventory, optionsHash } = run;
  const links = new Map<string, MenuLinkItem[]>();
  const wants = new Map<string, string[]>();
  const add = (link: MenuLinkItem): void => {
    const menu = isInMenu(run, link) ? link.menu : '';
    const others = links.get(menu);
    if (others) others.push(link);
    else links.set(menu, [link]);
  };
  for (const link of sourceScan.links) {
    remarksOf(report, link);
    if (!hasTarget(context, link)) {
      wants.set(link.menu, [...(wants.get(link.menu) ?? []), wantOf(link)]);
      const target = link.target ?? `${link.object} ${link.targetId ?? ''}`.trim();
      reportLost(report, link, 'menu-target', `its target (${target}) is not in the source`);
      continue;
    }
    if (!isInMenu(run, link) && link.menu !== '')
      remark(report, link, 'changed', 'no-menu', `its menu (${link.menu}) is not in the source; here it is in no menu`);
    add(link);
  }
  noteLinks(run);
  const known = run.knownLinks.filter((link) => hasTarget(context, link));
  const knownIn = (menu: string): readonly MenuLinkItem[] =>
    known.filter((link) => (isInMenu(run, link) ? link.menu : '') === menu);
  for (const { standsIn, ...rest } of sourceScan.terms) {
    const planned = plan.terms.get(rest.key);
    if (planned?.of !== 'nav_menu') continue;
    const own = links.get(rest.key) ?? [];
    const item = standsIn && own.length === 0 ? { ...rest, standsIn } : rest;
    const digest = digestOf([item, ...own], optionsHash);
    const outcome = await batches.put({
      ...taskOf(item, planned, optionsHash),
      digest,
      wants: wants.get(item.key) ?? [],
      print: () => writeMenuItem(context, item, planned, { own, known: knownIn(item.key) }, inventory),
    });
    for (const link of own) report.count(categoryOf(link), outcome);
  }
  const [first, ...others] = links.get('') ?? [];
  if (!first) return;
  const all = [first, ...others];
  const outcome = await batches.put({
    ...taskOf(first, plan.loose, optionsHash),
    digest: digestOf(all, optionsHash),
    print: () => writeLooseItems(context, { own: all, known: knownIn('') }, inventory),
  });
  for (const link of others) report.count(categoryOf(link), outcome);
}

function isInMenu({ plan }: ImportContext, { menu }: MenuLinkItem): boolean {
  return plan.terms.get(menu)?.of === 'nav_menu';
}

/** Takes note of links, also of those whose target is still to come, for other parts of the site that have links of the same menu. */
function noteLinks({ sourceScan, plan, importState }: ImportContext): void {
  for (const { place: _, remarks: __, ...link } of sourceScan.links) {
    const { id = 0, line } = plan.links.get(link.key) ?? {};
    const noted = { ...link, place: { source: '' } };
    if (line?.id === id && JSON.stringify(line.link) === JSON.stringify(noted)) continue;
    importState.note({ kind: 'menu-link', key: link.key, id, path: '', digest: '', etag: '', flag: '', link: noted });
  }
}

function profilesOf({
  sourceScan,
  plan,
  inventory,
}: ImportContext): Map<number, { readonly name: string; readonly url: string }> {
  const profiles = new Map(inventory.profiles);
  for (const { key, name, url = '' } of sourceScan.users) {
    const planned = plan.users.get(key);
    if (planned && !profiles.has(planned.id)) profiles.set(planned.id, { name: name || planned.slug, url });
  }
  return profiles;
}
