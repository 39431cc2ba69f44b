/**
 * Files that others rename, move or give another slug: the former address becomes an alias in the file, as it does with a change
 * over REST. Memory before the change knows the address; the id in the file says that it is the same item.
 *
 * The alias is written once nothing has moved for two seconds and git is not at work. A file that git itself put there (a checkout,
 * a pull, a stash) is left alone, so that the next checkout is not refused: what is lost is reported instead.
 */
import { type PostRecord, logicalPath } from '../posts/record.ts';
import { filesFromGit, isGitBusy } from '../../kernel/store/checkout.ts';
import { createPace, nextTurn } from '../../kernel/store/scheduler.ts';
import type { Batch, Entry, Problem } from '../../kernel/store/types.ts';
import { type Former, formerOf, isStill, type Item, itemOf, keyOf, missingAlias, writeAlias } from './alias-plan.ts';
import type { Site } from '../../kernel/site/site.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Former addresses of files that others move. */
    readonly renames: Renames;
  }
}

export interface Renames {
  /** Where the items of a batch are, to be compared with where they are once memory has taken the batch in; of large ones later. */
  before(batch: Batch): readonly Former[] | Promise<readonly Former[]>;
  after(before: readonly Former[], batch: Pick<Batch, 'entries'>): void;
  onReport(listener: (problems: readonly Problem[]) => void): void;
  /** Writes what is due, and what else would be due in a moment. */
  close(): Promise<void>;
}

const quietMs = 2000;
/** While git is at work, and after a failed write, it is tried again after this time. */
const againMs = 1000;
/** A commit may have been made so long before its files were seen. */
const slackMs = 10_000;
/** Items that went and may come back elsewhere. */
const mostDeparted = 20_000;
/** Files of one commit; of more entries the values are not kept in memory. */
const mostAtOnce = 64;

export function createRenames(site: Site): Renames {
  /** Items whose former address is to be looked at. */
  const pending = new Map<string, Former>();
  const departed = new Map<string, Former>();
  /** Aliases that were written here, by item. */
  const written = new Map<string, Set<string>>();
  const listeners: ((problems: readonly Problem[]) => void)[] = [];
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  let isClosed = false;

  return {
    before(batch) {
      const found = new Map<string, Former>();
      const steps = collect(batch, found);
      if (batch.entries.length + batch.removed.length > mostAtOnce) return restingBetween(steps).then(() => [...found.values()]);
      for (const _ of steps);
      return [...found.values()];
    },
    after(before, { entries }) {
      let isNew = false;
      for (const former of before) {
        const item = itemOf(site, former);
        if (item) isNew = compare(former, item) || isNew;
        else depart(former);
      }
      const named = departed.size > 0 ? namedIn(entries.map(({ path }) => path)) : new Map();
      for (const { path } of departed.size > 0 ? entries : []) {
        for (const { table, item } of servedFrom(path, named)) {
          const former = departed.get(keyOf({ table, id: item.id }));
          if (!former) continue;
          departed.delete(keyOf(former));
          isNew = compare(former, item) || isNew;
        }
      }
      if (entries.length <= mostAtOnce) reportTaken(before, entries);
      // What waits for a file to go is looked at again whenever something has changed.
      if (isNew || pending.size > 0) schedule(quietMs);
    },
    onReport: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await settle();
    },
  };

  /** Where the items of a batch are, file by file. */
  function* collect({ entries, removed }: Batch, found: Map<string, Former>): Generator<void> {
    const note = (table: Former['table'], item: Item | undefined): void => {
      const former = item && formerOf(site, table, item);
      if (former) found.set(keyOf(former), former);
    };
    const named = namedIn([...removed, ...entries.map(({ path }) => path)]);
    for (const path of removed) {
      for (const { table, item } of servedFrom(path, named)) {
        note(table, item);
        if (table === 'posts') for (const below of descendantsOf(site, item.id)) note(table, below);
      }
      yield;
    }
    for (const entry of entries) {
      const served = servedFrom(entry.path, named);
      for (const { table, item } of served) note(table, item);
      // A new file may hold an item that is still served from another one.
      const table = served.length === 0 ? tableOf(entry.path) : null;
      if (table !== null) {
        note(table, statedItem(table, entry));
        if (entries.length > mostAtOnce) entry.release?.();
      }
      yield;
    }
  }

  /** Takes note of an item that is elsewhere now. @returns whether it is */
  function compare(former: Former, item: Item): boolean {
    const key = keyOf(former);
    // Of several moves in a row the first address is the one that was known.
    const first = pending.get(key) ?? former;
    if (isStill(site, first, item)) pending.delete(key);
    if (isStill(site, former, item)) return false;
    if (pending.size === 0) since = site.clock();
    if (!isStill(site, first, item)) pending.set(key, first);
    if (former.table !== 'posts') nameInMemory(former, item);
    return true;
  }

  /** Other files name terms and people by slug: they are found by the former one at once. */
  function nameInMemory(former: Former, item: Item): void {
    const alias = missingAlias(site, former);
    if (alias === null || item.aliases.includes(alias)) return;
    const put = { ...item, aliases: [...item.aliases, alias] };
    site.records.apply([{ table: former.table, put }]);
  }

  function depart(former: Former): void {
    const key = keyOf(former);
    departed.set(key, pending.get(key) ?? former);
    pending.delete(key);
    const [oldest] = departed.keys();
    if (departed.size > mostDeparted && oldest !== undefined) departed.delete(oldest);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void settle(), ms).unref();
  }

  function settle(): Promise<void> {
    work = work.then(run).catch((error: unknown) => {
      report([problemOf('', `former addresses could not be kept: ${error instanceof Error ? error.message : String(error)}`)]);
    });
    return work;
  }

  async function run(): Promise<void> {
    if (pending.size === 0) return;
    const dir = site.store.name;
    if (await isGitBusy(dir, site.clock)) return schedule(againMs);
    const due = takeDue();
    const wanting = due.flatMap((former) => (planOf(former) ? [{ former, path: itemOf(site, former)?.path ?? '' }] : []));
    if (wanting.length === 0) return;
    if (site.store.readOnly) return report(lost(due, 'the site is read-only'));
    const paths = wanting.map(({ path }) => path);
    const fromGit = await filesFromGit(dir, paths, (path) => site.store.readBytes(path), since - slackMs);
    const byHand = wanting.flatMap(({ former, path }) => (fromGit.has(path) ? [] : [former]));
    // Pages first that others are below: what leads to them leads to those as well.
    byHand.sort((a, b) => depthOf(a) - depthOf(b));
    for (let from = 0; from < byHand.length; ) {
      const depth = depthOf(byHand[from] as Former);
      const part = byHand.slice(from, from + mostAtOnce).filter((former) => depthOf(former) === depth);
      from += part.length;
      await write(part);
      await nextTurn();
    }
    const left = wanting.flatMap(({ former, path }) => (fromGit.has(path) ? [former] : []));
    report(lost(left, 'git put the file there, and it is left as git knows it'));
  }

  /** Items whose former place is free; the others wait for the file there to go. */
  function takeDue(): Former[] {
    const due: Former[] = [];
    for (const [key, former] of pending) {
      const item = itemOf(site, former);
      const isCopied = item && item.path !== former.path && site.store.knows(former.path);
      if (isCopied && servedFrom(former.path, namedIn([former.path])).length === 0) continue;
      pending.delete(key);
      if (item) due.push(former);
    }
    return due;
  }

  async function write(part: readonly Former[]): Promise<void> {
    try {
      const done = await site.write(() => {
        const plans = part.flatMap((former) => {
          const plan = planOf(former);
          return plan ? [{ ...plan, former }] : [];
        });
        return { changes: plans.map(({ write }) => write), result: plans };
      });
      for (const { former, alias } of done) {
        const key = keyOf(former);
        written.set(key, alias === '' ? new Set() : (written.get(key) ?? new Set()).add(alias));
      }
    } catch (error) {
      if (isClosed) throw error;
      for (const former of part) if (!pending.has(keyOf(former))) pending.set(keyOf(former), former);
      schedule(againMs * 10);
      throw error;
    }
  }

  function planOf(former: Former) {
    return writeAlias(site, former, written.get(keyOf(former)) ?? new Set());
  }

  function lost(formers: readonly Former[], why: string): Problem[] {
    return formers.flatMap((former) => {
      const alias = missingAlias(site, former);
      const path = itemOf(site, former)?.path;
      if (alias === null || path === undefined) return [];
      const message =
        former.table === 'posts' ? `${former.address} was its address, and leads nowhere now` : `it was called ${former.slug}`;
      return [problemOf(path, message, `${why}; to keep it, write \`aliases: [${alias}]\``)];
    });
  }

  /** A new item that has the former address of another one has it from now on. */
  function reportTaken(before: readonly Former[], entries: readonly Entry[]): void {
    const known = new Set(before.map(keyOf));
    const problems = entries.flatMap(({ path }) =>
      postsAt(path).flatMap((post) => {
        if (known.has(keyOf({ table: 'posts', id: post.id })) || !formerOf(site, 'posts', post)) return [];
        const others = [...site.posts.with('slug', `~${post.slug}`)].flatMap((id) => site.posts.get(id) ?? []);
        return others
          .filter((other) => other.id !== post.id && other.type === post.type)
          .map((other) =>
            problemOf(
              path,
              `${post.slug} is a former slug of ${other.path}: its address shows this item from now on`,
              'give it another slug if that is not meant',
            ),
          );
      }),
    );
    report(problems);
  }

  function report(problems: readonly Problem[]): void {
    if (problems.length > 0) for (const listener of listeners) listener(problems);
  }

  function postsAt(path: string): PostRecord[] {
    return [...site.posts.with('place', logicalPath(path))]
      .flatMap((id) => site.posts.get(id) ?? [])
      .filter((post) => post.path === path);
  }

  function servedFrom(path: string, named: ReadonlyMap<string, Served>): Served[] {
    const one = named.get(path);
    return one ? [one] : postsAt(path).map((item) => ({ table: 'posts', item }));
  }

  /** Terms and people of a list of paths: there are few, and no index of their files. */
  function namedIn(paths: readonly string[]): Map<string, Served> {
    const out = new Map<string, Served>();
    for (const table of ['terms', 'users'] as const) {
      if (!paths.some((path) => path.startsWith(`${table}/`))) continue;
      for (const item of site[table].all()) out.set(item.path, { table, item });
    }
    return out;
  }

  function statedItem(table: Former['table'], { data }: Entry): Item | undefined {
    const { id } = data;
    return typeof id === 'number' ? itemOf(site, { table, id }) : undefined;
  }
}

interface Served {
  readonly table: Former['table'];
  readonly item: Item;
}

/** Of a file that is no item with an address: null. */
function tableOf(path: string): Former['table'] | null {
  const [top = ''] = path.split('/', 1);
  if (top === 'terms' || top === 'users') return top;
  return path.includes('/') && !['media', 'menus', 'revisions', 'comments'].includes(top) ? 'posts' : null;
}

async function restingBetween(steps: Generator<void>): Promise<void> {
  const pace = createPace();
  for (const _ of steps) if (pace.isDue()) await pace.rest();
}

function* descendantsOf(site: Site, id: number): Generator<PostRecord> {
  const seen = new Set([id]);
  const above = [id];
  for (let parent = above.pop(); parent !== undefined; parent = above.pop())
    for (const child of site.posts.with('parent', parent)) {
      const post = site.posts.get(child);
      if (!post || seen.has(child) || post.type === 'attachment') continue;
      seen.add(child);
      above.push(child);
      yield post;
    }
}

function depthOf({ address }: Former): number {
  return address.split('/').length;
}

function problemOf(path: string, message: string, hint?: string): Problem {
  return {
    path,
    line: 1,
    column: 1,
    severity: 'warning',
    rule: 'lost-address',
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}
