/**
 * The site object: what the rest of the program calls, over the parts. Tables and services of modules are added to it.
 */
import { now } from '../model/dates.ts';
import { type References, same } from '../model/field.ts';
import { isUrl } from '../model/addresses.ts';
import { withoutTrailing } from '../model/text-ends.ts';
import { undoing } from '../store/commit.ts';
import { freedBy, pathsOf } from '../store/commit-plan.ts';
import { yieldIfBusy } from '../scheduler.ts';
import { problemOf } from '../store/problems.ts';
import type { Batch, Entry, FileChange, Problem, Store } from '../store/types.ts';
import { unvisited } from './serving.ts';
import type { KernelSite, PlanningSite } from './site.ts';
import { rereadDocument } from './replicated.ts';
import { noFiles, type SiteParts } from './site-parts.ts';
import { createSpare } from './spare.ts';
import { refuseFault } from './unreadable.ts';
import { createWrite } from './write.ts';
import { createWriteQueue } from './write-queue.ts';

export function createSiteInService(parts: SiteParts): PlanningSite {
  const { store, settings, listeners, clock } = parts;
  let address = '';
  let pinned = '';
  const tell = (batch: Batch): void => {
    for (const listener of listeners) listener(batch);
  };
  const own: Omit<KernelSite, 'records' | 'paths'> & Pick<PlanningSite, 'modules' | 'nextId'> = {
    store,
    modules: parts.modules,
    settings,
    operator: parts.operator,
    // Filled by the modules, as are tables and services.
    refs: {} as References,
    // Until a module has rules, nobody may do anything.
    access: { can: () => false },
    writers: createWriteQueue(),
    get url() {
      return withoutTrailing(pinned || (settings.value('url') as string | undefined) || address, '/');
    },
    credentialUrl(used) {
      // Without an address in `site.yaml` it is the server's own.
      if (pinned !== '' || used === undefined || !settings.value('url')) return site.url;
      return isUrl(site.url) && new URL(site.url).origin === used ? site.url : used;
    },
    browserUrl(used) {
      return pinned === '' && used !== undefined && !settings.value('url') ? used : site.credentialUrl(used);
    },
    get letterUrl() {
      return pinned === '' && settings.value('url') ? null : site.url;
    },
    get zone() {
      return settings.value('timezone') as string;
    },
    feed: parts.feed,
    spare: createSpare(parts.log),
    now: () => now(site.zone, clock()),
    clock,
    nextId: (table) => parts.indexer.sequences.next(table),
    ownId: (table) => parts.ids.next(table),
    commit: (...asked) => parts.feed.order.committing(() => commit(parts, ...asked)),
    write: createWrite(parts),
    async ingest(batch) {
      const basis = settings.rows.filter(({ rereads }) => rereads).map(({ key }) => key);
      const before = basis.map(settings.stored);
      await parts.ingest.external(batch);
      if (!same(before, basis.map(settings.stored))) await parts.ingest.chunked(await store.load(), 'others');
      // Others may be asking git of what they found before.
      if (!batch.isSettled) await parts.ingest.idle();
      for (const key of batch.documents ?? [])
        await rereadDocument({ replicated: parts.hooks.replicated, records: parts.records }, key);
      for (const { name, change } of batch.messages ?? [])
        await parts.hooks.replicated.find((one) => one.name === name)?.follow?.(change);
      tell(batch);
      if (!batch.isSettled) await parts.amendments.settled();
    },
    async reload() {
      await site.ingest(await store.load());
      if (!store.follows) await parts.newcomers.settle();
    },
    refresh(table, ids) {
      parts.feed.order.unprompted(() => parts.indexer.refresh(table, ids));
      tell(noFiles);
    },
    setAddress(value, by = 'server') {
      if (by === 'operator') pinned = value;
      else address = value;
    },
    problems: () => [
      ...store.problems(),
      ...settings.problems(),
      ...pendingExtensions(parts),
      ...parts.indexer.problems(),
      ...parts.newcomers.problems(),
      ...parts.hooks.problems(),
    ],
    page: (url, visit = unvisited) => parts.hooks.page(url, visit),
    form: (url) => parts.hooks.form(url),
    get files() {
      return parts.hooks.files;
    },
    authenticator: (options) => parts.hooks.authenticator(options),
    get outgoing() {
      return parts.hooks.outgoing;
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      // What is found in files until now makes its own changes, which the next start must not meet halfway.
      await store.stopWatching();
      await parts.ingest.idle();
      await parts.newcomers.close();
      await parts.amendments.close();
      await parts.hooks.close();
      await parts.feed.close();
      // Ids that are not given back are not given to anybody.
      if (!store.readOnly) await store.faults.background('giving ids back', () => parts.ids.release());
      await store.close();
    },
  };
  const site = own as PlanningSite;
  return site;
}

/** What a file says of what modules add counts when the site is opened. */
function pendingExtensions({ modules, settings }: SiteParts): readonly Problem[] {
  const told = new Set(modules.list.flatMap(({ declares = [] }) => declares));
  const changed = [...modules.extendedBy].flatMap(([key, opened]) =>
    told.has(key) || same(settings.stored(key), opened) ? [] : [key],
  );
  const said = { rule: 'declaration', hint: 'restart the server' };
  return changed.map((key) => problemOf('site.yaml', { ...said, keys: [key], message: `${key} has changed: not in force yet` }));
}

/**
 * Disk, then memory, which reads back what was written. Where it cannot, files are as they were before.
 * @throws RestError rest_value_unreadable with the key as `param`
 */
async function commit(parts: SiteParts, ...asked: Parameters<Store['commit']>): Promise<readonly Entry[]> {
  const { store, indexer } = parts;
  const [changes, deadlineMs] = asked;
  const paths = changes.flatMap(pathsOf);
  if (paths[0] !== undefined) await parts.ids.hold(paths[0], deadlineMs);
  // Ids are written into files that hold other mistakes as well.
  const broken = new Set(paths.filter(indexer.faultOf));
  const entries = await store.commit(...asked);
  try {
    await follow(parts, changes, entries);
    if (broken.size > 0) return entries;
    for (const { path } of entries) refuseFault(indexer.faultOf(path));
  } catch (error) {
    const back = await undoing(entries, store.readBytes);
    await follow(parts, back, await store.commit(back));
    throw error;
  }
  return entries;
}

/** Memory after the disk. */
async function follow(parts: SiteParts, changes: readonly FileChange[], entries: readonly Entry[]): Promise<void> {
  const { store, indexer } = parts;
  const removed = changes.flatMap(freedBy);
  const forget = indexer.forgetting(removed);
  const bytes = changes.flatMap((change) => ('bytes' in change || 'fromFile' in change ? [change.path] : []));
  const seen = bytes.length > 0 ? await store.reread(bytes) : noFiles;
  await yieldIfBusy();
  await parts.ingest.chunked({ entries: [...entries, ...seen.entries], blobs: seen.blobs, removed, problems: [] }, 'own');
  indexer.forget(removed);
  parts.amendments.forget(removed);
  await forget();
}
