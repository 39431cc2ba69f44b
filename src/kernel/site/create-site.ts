/**
 * How a site is put together: declarations, tables, kinds, and the way in for what changes on disk.
 */
import { type References, same } from '../model/field.ts';
import type { CommentRecord } from '../../modules/comments/record.ts';
import { now } from '../model/dates.ts';
import { menuFields } from '../../modules/menus/record.ts';
import { createSignInLimit } from '../../modules/accounts/sign-in-limit.ts';
import { type Operator, operatorDefaults } from '../model/operator.ts';
import type { MetaSchemas, PostRecord } from '../../modules/posts/record.ts';
import type { RevisionRecord } from '../../modules/revisions/record.ts';
import { type Role, standardRoles } from '../../modules/accounts/roles.ts';
import { type Setting, standardSettings } from '../model/settings.ts';
import type { Module } from '../module.ts';
import { composeModules } from '../modules.ts';
import { standardMeta } from '../../modules/posts/standard-meta.ts';
import { type Status, standardStatuses } from '../../modules/types/statuses.ts';
import { standardTaxonomies, type Taxonomy } from '../../modules/terms/taxonomies.ts';
import { type TermRecord, termFields } from '../../modules/terms/record.ts';
import { type PostType, standardTypes } from '../../modules/types/types.ts';
import type { UserRecord } from '../../modules/users/record.ts';
import { createRecords } from '../records/records.ts';
import type { Batch, Entry, FileChange, Store } from '../store/types.ts';
import { postFields } from '../../modules/posts/fields.ts';
import { createAmendments } from './amendments.ts';
import { createAccounts } from '../../modules/accounts/accounts.ts';
import { createAccess } from '../../modules/accounts/capabilities.ts';
import { createCommentKind } from '../../modules/comments/file.ts';
import { createCommenters } from '../../modules/comments/commenters.ts';
import { createMedia } from '../../modules/media/library.ts';
import { createMediaKind, namesPost } from '../../modules/media/file.ts';
import { settingPage } from '../../modules/permalinks/permalinks.ts';
import { createDesignKind, type DesignRecord, designTable } from '../../modules/design/record.ts';
import { createPostKind, hasOwnFiles } from '../../modules/posts/file.ts';
import { declaredBy, pendingDeclarations } from './declarations.ts';
import { createFirstDates } from './first-dates.ts';
import { createMenuIndex, createMenuKind, type MenuIndex } from '../../modules/menus/file.ts';
import { createPreviews } from '../../modules/posts/preview.ts';
import { keptAddresses } from '../../modules/permalinks/former-addresses.ts';
import { type RecordCache, readRecords } from './record-cache.ts';
import { createNewcomers, type Newcomers } from './newcomers.ts';
import { ownNames } from './own-names.ts';
import { createRedirects } from '../../modules/permalinks/redirects.ts';
import { createRenames, type Renames } from '../../modules/permalinks/renames.ts';
import { createReferences } from './references.ts';
import { createRevisionKind } from '../../modules/revisions/file.ts';
import { replacedBy } from '../../modules/revisions/plan.ts';
import { untimely } from '../../modules/posts/schedule.ts';
import { createSettings } from './settings.ts';
import { isLarge, portionsOf } from './chunked-ingest.ts';
import { createIdRanges } from './id-ranges.ts';
import { yieldIfBusy } from '../store/scheduler.ts';
import { pathsOf } from '../store/commit-plan.ts';
import type { FileKind } from './file-kind.ts';
import { type Absorbing, createIndexer, type Indexer } from './indexer.ts';
import { commentTable, postTable, revisionTable, termTable, userTable } from './tables.ts';
import { createWitness } from './witness.ts';
import { createTermKind } from '../../modules/terms/file.ts';
import { accountChange, createUserKind } from '../../modules/users/file.ts';
import type { Site } from './site.ts';
import { createWrite } from './write.ts';
import { createWriteQueue } from './write-queue.ts';

export interface SiteOptions {
  readonly store: Store;
  /** Modules of a deployment: of the one that `site.yaml` names, whatever that is. */
  readonly modules?: (deployment: unknown) => readonly Module[];
  /** Operator settings. Default: those of `kernel/model/operator.ts`. */
  readonly operator?: Operator;
  /** Milliseconds since the epoch; tests may hold it still. */
  readonly clock?: () => number;
  readonly progress?: (done: number, total: number) => void;
  /** Told of every batch once memory has taken it in, with the file changes it makes necessary, before those are made. */
  readonly taken?: (batch: Batch, wanting: readonly FileChange[]) => void;
  /** Takes lines for whoever runs the site. */
  readonly log?: (line: string) => void;
  /** What a deployment adds: declarations of its namespaces. */
  readonly types?: readonly PostType[];
  readonly taxonomies?: readonly Taxonomy[];
  readonly statuses?: readonly Status[];
  readonly roles?: readonly Role[];
  readonly settings?: readonly Setting[];
  readonly meta?: Readonly<Record<string, MetaSchemas>>;
}

/** Settings that the reading of every file depends on. */
const basis = ['timezone', 'default_category'];
const none: Batch = { entries: [], blobs: [], removed: [], problems: [] };
/** A new site of the reference begins with three items; ids of one's own come after them, here as there. */
const FIRST_POSTS = 3;
/** A file that moves may be seen at both places for so long. */
const settleMs = 1000;

/** How a batch is taken in. */
interface Taking extends Omit<Absorbing, 'keepers'> {
  /** False for a part of a larger one. */
  readonly isWhole?: boolean;
  /** Others have changed these files. */
  readonly isTheirs?: boolean;
  readonly keepers?: ReturnType<Newcomers['keepers']> | ReadonlyMap<string, string>;
}

/** Loads a content folder. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { store, clock = Date.now, operator = operatorDefaults() } = options;
  const statuses = options.statuses ?? standardStatuses;
  const first = await store.load(options.progress);
  const file = first.entries.find(({ path }) => path === 'site.yaml');
  const modules = composeModules(options.modules?.(file?.data.deployment) ?? []);
  const declared = declaredBy(file, options.types ?? standardTypes, options.taxonomies ?? standardTaxonomies);
  const types = new Map(declared.types.map((type) => [type.name, type]));
  const taxonomies = new Map(declared.taxonomies.map((taxonomy) => [taxonomy.name, taxonomy]));
  const meta = { ...standardMeta, ...options.meta, ...declared.meta };
  const taxonomiesOf = (type: PostType) => [...taxonomies.values()].filter((one) => one.types.includes(type.name));
  const postTables = new Map(
    [...types.values()].map((type) => [
      type.name,
      modules.extendFields(
        postFields({ type, taxonomies: taxonomiesOf(type), statuses, meta: meta[type.name] ?? {} }),
        type.name,
      ),
    ]),
  );
  const termTables = new Map(
    [...taxonomies.values()].map((taxonomy) => [
      taxonomy.name,
      taxonomy.name === 'nav_menu'
        ? menuFields(taxonomy, meta[taxonomy.name] ?? {})
        : modules.extendFields(termFields(taxonomy, meta[taxonomy.name] ?? {}), taxonomy.name, 'term'),
    ]),
  );
  const records = createRecords([
    postTable(postTables.values()),
    termTable(termTables.values()),
    userTable,
    revisionTable,
    designTable,
    commentTable,
  ]);
  const accounts = await createAccounts(store.private);
  const commenters = await createCommenters(store.private);
  const listeners: ((batch: Batch) => void)[] = [];
  let address = '';
  let pinned = '';
  let made: FileChange[] = [];
  /** Batches that are being taken in. */
  const underWay = new Set<Promise<void>>();

  const { log = () => undefined } = options;
  const firstDates = createFirstDates({ store, zone: () => site.zone, clock, log });
  const settings = createSettings(options.settings ?? standardSettings, file);
  const posts = records.table<PostRecord>('posts');
  const terms = records.table<TermRecord>('terms');
  const users = records.table<UserRecord>('users');
  const comments = records.table<CommentRecord>('comments');

  const media = createMedia({
    store,
    settings,
    dateOf: (path, mtimeMs) => firstDates.of(path, mtimeMs),
    isSlugTaken: (slug) => posts.with('slug', slug).size > 0,
    // What was answered before told other sizes.
    changed: () => records.apply([]),
  });

  const site: Site = {
    store,
    media,
    records,
    posts,
    terms,
    users,
    revisions: records.table<RevisionRecord>('revisions'),
    design: records.table<DesignRecord>('design'),
    comments,
    commenters,
    accounts,
    settings,
    modules,
    operator,
    signIns: createSignInLimit({ attempts: operator.sign_in_attempts, clock }),
    types,
    taxonomies,
    statuses,
    access: createAccess({
      roles: options.roles ?? standardRoles,
      types: [...types.values()],
      taxonomies: [...taxonomies.values()],
      statuses,
      lookup: {
        post: (id) => posts.get(id),
        term: (id) => terms.get(id),
        comment: (id) => comments.get(id),
        isDefaultTerm: (term) => site.refs.defaultTerm(term.taxonomy) === term.id,
        isFrontPage: (post) => settingPage(site, 'front_page') === post.id || settingPage(site, 'posts_page') === post.id,
      },
    }),
    redirects: createRedirects(),
    previews: await createPreviews(store.private, store.readOnly),
    renames: null as never,
    refs: null as never,
    menus: null as never,
    postFields: postTables,
    termFields: termTables,
    meta,
    get url() {
      return (pinned || (settings.value('url') as string | undefined) || address).replace(/\/+$/, '');
    },
    get zone() {
      return settings.value('timezone') as string;
    },
    now: () => now(site.zone, clock()),
    clock,
    writers: createWriteQueue(),
    nextId: (table) => indexer.sequences.next(table),
    async commit(changes, deadlineMs) {
      const [first] = changes.flatMap(pathsOf);
      if (first !== undefined) await ids.hold(first, deadlineMs);
      const entries = await store.commit(changes, deadlineMs);
      const removed = changes.flatMap((change) =>
        'remove' in change ? [change.remove] : 'from' in change && change.from ? [change.from] : [],
      );
      const gone = removed.flatMap((path) => comments.by('path', path)?.id ?? []);
      const bytes = changes.flatMap((change) => ('bytes' in change || 'fromFile' in change ? [change.path] : []));
      const seen = bytes.length > 0 ? await store.reread(bytes) : none;
      await yieldIfBusy();
      await ingestChunked({ entries: [...entries, ...seen.entries], blobs: seen.blobs, removed, problems: [] });
      indexer.forget(removed);
      amendments.forget(removed);
      if (gone.length > 0) await commenters.forget(gone.filter((id) => !comments.get(id)));
      return entries;
    },
    write: (plan) => write(plan),
    async ingest(batch) {
      const before = basis.map((key) => settings.stored(key));
      await ingestExternal(batch);
      if (
        !same(
          before,
          basis.map((key) => settings.stored(key)),
        )
      )
        await ingestChunked(await store.load(), true);
      // Others may be asking git of what they found before.
      await Promise.allSettled([...underWay]);
      for (const listener of listeners) listener(batch);
      await amendments.settled();
    },
    async reload() {
      await site.ingest(await store.load());
      if (!store.follows) await newcomers.settle();
    },
    refresh(ids) {
      indexer.refresh('posts', ids);
      for (const listener of listeners) listener(none);
    },
    setAddress(value, by = 'server') {
      if (by === 'operator') pinned = value;
      else address = value;
    },
    problems: () => [
      ...store.problems(),
      ...declared.problems,
      ...pendingDeclarations(file, settings.entry),
      ...settings.problems(),
      ...indexer.problems(),
      ...newcomers.problems(),
      ...site.menus.problems(),
      ...site.redirects.problems(),
      ...accounts.problems(),
      ...commenters.problems(),
    ],
    onChange: (listener) => void listeners.push(listener),
    close: async () => {
      await newcomers.close();
      await amendments.close();
      await site.renames.close();
      // Ids that are not given back are not given to anybody.
      if (!store.readOnly) await store.faults.background('giving ids back', () => ids.release());
      await accounts.settle();
      await media.close();
      await store.close();
    },
  };

  const write = createWrite(site, ingestExternal);
  const amendments = await createAmendments(store, site.commit);
  const announced = new Map<string, number>();
  /** Readings that did more than give a record. */
  let effects = 0;
  /** Media that are named and not there, by path → ids of the posts that name them. */
  const unresolved = new Map<string, Set<number>>();
  const refs = createReferences({
    records,
    taxonomies,
    types,
    settings,
    announced,
    unresolved(place, reader) {
      effects++;
      const readers = unresolved.get(place);
      if (readers) readers.add(reader);
      else unresolved.set(place, new Set([reader]));
    },
    nextId: (table) => indexer.sequences.next(table),
    make: (change) => {
      effects++;
      made.push(change);
    },
  });
  (site as { refs: References }).refs = refs;
  (site as { renames: Renames }).renames = createRenames(site);
  // biome-ignore lint/suspicious/noExplicitAny: kinds of different records stand side by side; each reads its own
  const kinds: readonly FileKind<any>[] = [
    createUserKind(accounts),
    createTermKind(site, announced),
    createMediaKind(site, media, unresolved),
    ...[...types.values()].filter(hasOwnFiles).map((type) => createPostKind(site, type)),
    createMenuKind(site),
    createRevisionKind(site),
    createDesignKind(),
    createCommentKind(site),
  ];
  const indexer: Indexer = createIndexer(kinds, records, {
    effects: () => effects,
    basis: () =>
      JSON.stringify([
        modules.signature,
        declared,
        statuses,
        meta,
        basis.map((key) => settings.stored(key)),
        accounts.all().map(({ id, slug, login }) => [id, slug, login]),
      ]),
    apart: (record, original, table) => ownNames(site, record, original, table),
    renumbered: (file) => newcomers.note(file),
    dateOf({ path, mtimeMs }, former) {
      if ((former as PostRecord | undefined)?.floating) firstDates.begin(path);
      return firstDates.of(path, mtimeMs);
    },
  });
  store.derived?.provide(() => indexer.keep());
  (site as { menus: MenuIndex }).menus = createMenuIndex(site, indexer.sequences);
  const ids = await createIdRanges(store, indexer);
  accounts.onChange((changed) => {
    for (const id of changed) {
      indexer.sequences.raise({ users: id });
      putUser(id);
    }
  });
  for (const account of accounts.all()) indexer.sequences.raise({ users: account.id });
  indexer.sequences.raise({ posts: FIRST_POSTS });
  // People first: what they wrote names them.
  for (const account of accounts.all()) putUser(account.id);
  const bytes = await store.derived?.read();
  const kept = bytes ? readRecords(bytes) : null;
  const newcomers = createNewcomers({
    store,
    indexer,
    menus: () => site.menus,
    witness: createWitness(store, kept),
    settleMs,
    takeIn: ingestExternal,
    part: async (paths) => ingest(await store.reread(paths), { newcomers: new Set(paths) }),
    amend: (writes) => amendments.write(writes),
    log,
  });
  const unwritten = amendments.unwritten();
  indexer.remember(unwritten);
  await ingest(first, { kept, isTheirs: Object.keys(unwritten).length > 0 });
  if (!store.follows) await newcomers.settle();
  amendments.open();
  if (kept && indexer.restored() < kept.size) site.renames.after(await keptAddresses(site, kept, first), none);
  // Kept records are of the time when they were kept.
  if (indexer.restored() > 0) indexer.refresh('posts', untimely(site));
  // What is kept is old, or not there yet.
  if (indexer.restored() < posts.size / 2) store.derived?.expire();
  for (const account of accounts.all()) putUser(account.id);
  return site;

  /** What others changed: taken in, with what it replaces kept. */
  async function ingestExternal(found: Batch): Promise<void> {
    const replaced = replacedBy(site, found);
    const seen = site.renames.before(found);
    // Small batches are taken in in the turn in which they come.
    const before = seen instanceof Promise ? await seen : seen;
    await ingestChunked(found, true);
    site.renames.after(before, found);
    const kept = replaced();
    if (kept.length > 0) await amendments.write(kept);
  }

  /**
   * In portions. Ids that any of the files state are given to no other in the meantime.
   * @param isTheirs  others have changed these files
   */
  async function ingestChunked(found: Batch, isTheirs = false): Promise<void> {
    if (!isLarge(found)) return ingest(found, { isTheirs });
    announceMenus(found);
    const keepers = await newcomers.keepers(found);
    await findDates(found);
    const again: Entry[] = [];
    for await (const batch of portionsOf(found, indexer)) {
      await ingest(batch, { isWhole: false, isTheirs, keepers });
      // Posts are read after media, which may name them.
      for (const entry of batch.entries) if (namesPost(entry)) again.push(entry);
    }
    for await (const batch of portionsOf({ ...none, entries: again }, indexer)) await ingest(batch, { isWhole: false, isTheirs });
  }

  function ingest(found: Batch, taking?: Taking): Promise<void> {
    const work = ingestNow(found, taking).finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  }

  /**
   * Memory first, then the files that reading made necessary: ids written in, terms and authors that had no file.
   * Looking at the disk, commits and this overlap; what a newer state has overtaken is left out.
   */
  async function ingestNow(
    found: Batch,
    { isWhole = true, kept = null, isTheirs = false, keepers = newcomers.keepers(found, kept), ...rest }: Taking = {},
  ): Promise<void> {
    const settled = keepers instanceof Promise ? await keepers : keepers;
    const dates = isWhole ? findDates(found, kept) : null;
    if (dates !== null) await dates;
    const batch = store.current(found);
    const known = isTheirs && store.git ? new Set(batch.entries.map(({ path }) => path).filter(indexer.idOf)) : undefined;
    amendments.note(batch);
    const changed = batch.entries.find(({ path }) => path === 'site.yaml');
    if (changed && changed !== settings.entry) {
      settings.take(changed);
      records.apply([]);
    }
    if (site.redirects.take(batch)) records.apply([]);
    announceMenus(batch);
    const absorbing = { ...rest, kept, ...(settled ? { keepers: settled } : {}) };
    const unnumbered = indexer.ingest(media.take(batch), absorbing).map((write): FileChange => {
      const data = media.pending(write.path);
      return data ? { ...write, expect: null, data: { ...write.data, ...data } } : write;
    });
    const waiting = isWhole ? media.waiting() : [];
    if (waiting.length > 0) indexer.ingest({ ...none, entries: waiting });
    const late = indexer.late();
    if (late.length > 0)
      for await (const some of portionsOf({ ...none, entries: late }, indexer)) indexer.ingest(store.current(some));
    if (batch.removed.some((path) => path.startsWith('users/')))
      for (const account of accounts.all()) if (!users.get(account.id)) putUser(account.id);
    const wanting = site.menus.ingest(batch, unnumbered);
    const extra = made;
    made = [];
    options.taken?.(batch, [...extra, ...wanting]);
    if (!store.follows) newcomers.settleLater();
    if (store.readOnly || wanting.length + extra.length === 0) return;
    await amendments.write([...extra, ...wanting], known);
  }

  function findDates(found: Batch, kept: RecordCache | null = null): Promise<void> | null {
    firstDates.forget(found.removed);
    return firstDates.prepare([...indexer.undated(found, kept), ...media.bare(found)]);
  }

  function announceMenus(batch: Batch): void {
    site.menus.announce({ ...batch, entries: batch.entries.filter(({ path }) => path.startsWith('menus/')) });
  }

  function putUser(id: number): void {
    const account = accounts.get(id);
    const known = users.get(id);
    const change = accountChange(id, account, known);
    if (change) records.apply([change]);
  }
}
