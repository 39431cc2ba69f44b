/**
 * Accounts: who may sign in. One private document each, `accounts/<id>.json`, outside the content folder.
 *
 * Reads come from memory; documents are written before memory changes. Other processes (`cms password create`) may change them too: changes apply to
 * the current document under a lock, and `refresh` ingests theirs. Before a credential is trusted, `isCurrent` checks the document.
 */
import type { Account } from '../users/record.ts';
import type { Problem, TrustedDocuments } from '../../../kernel/store/types.ts';
import { type AccountFiles, createAccountFiles } from './account-files.ts';
import { type AccountIndex, createAccountIndex } from './account-index.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly accounts: Accounts;
  }
}

export interface Accounts extends Pick<AccountIndex, 'get' | 'byLogin' | 'byEmail' | 'all'> {
  /** Writes a whole account, new or not. */
  save(account: Account): Promise<void>;
  /** Changes the current account on disk. Returns it, or undefined if there is none. */
  change(id: number, alter: (account: Account) => Account): Promise<Account | undefined>;
  remove(id: number): Promise<void>;
  /**
   * Records the use of an application password or session: in memory at once, on disk soon. Never throws or calls listeners.
   * @param key  uuid of the one, hash of the other
   * @param at  seconds since the epoch
   */
  noteUse(id: number, key: string, at: number, ip: string | null): void;
  /** Runs tasks one after another, so that what they check still holds when they write. Does not nest. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Called after accounts have changed, here or in another process. */
  onChange(listener: (ids: readonly number[]) => void): void;
  /**
   * Ingests changes of other processes, at most once a second and a twentieth of the time. With a login name or email address only that account, at
   * most once a second each. Never throws.
   */
  refresh(name?: string): Promise<void>;
  reread(id: number): Promise<void>;
  /** Whether memory has the current document of an account. Cost: one stat. */
  isCurrent(id: number): boolean;
  /** Unreadable documents; the last good state of their accounts stays in use. */
  problems(): readonly Problem[];
  /** Resolves when pending writes are on disk. */
  settle(): Promise<void>;
}

const restMs = 1000;
/** Minimum pause after a refresh, as a multiple of its duration. */
const restShare = 20;

/** @param clock  milliseconds since the epoch */
export async function createAccounts(documents: TrustedDocuments, clock: () => number = Date.now): Promise<Accounts> {
  const index = createAccountIndex();
  const listeners: ((ids: readonly number[]) => void)[] = [];
  const files = createAccountFiles(documents, index, (ids) => {
    for (const listener of listeners) listener(ids);
  });
  const queue = createQueue();
  await files.readAll(await files.ids());

  return {
    get: index.get,
    byLogin: index.byLogin,
    byEmail: index.byEmail,
    all: index.all,
    save: (account) => queue(() => files.write(account)),
    change: (id, alter) => queue(() => files.amend(id, alter)),
    remove: (id) => queue(() => files.remove(id)),
    noteUse(id, key, at, ip) {
      const stored = index.stored(id);
      if (!stored) return;
      const used = (account: Account): Account => withUse(account, key, at, ip);
      index.put(id, { ...stored, account: used(stored.account) });
      void queue(() => files.amend(id, used, { isAnnounced: false })).catch(() => undefined);
    },
    alone: createQueue(),
    onChange: (listener) => void listeners.push(listener),
    refresh: createRefresh(index, files, (work) => queue(work).catch(() => undefined), clock),
    reread: (id) => queue(() => files.readAll([id])),
    isCurrent: files.isCurrent,
    problems: files.problems,
    settle: () => queue(async () => undefined),
  };
}

/** @param quietly  queues work; never rejects */
function createRefresh(
  index: AccountIndex,
  files: AccountFiles,
  quietly: (work: () => Promise<void>) => Promise<void>,
  clock: () => number,
): Accounts['refresh'] {
  let next = 0;
  let running: Promise<void> | null = null;
  /** By id; 0 for unknown names. */
  const looks = new Map<number, { readonly at: number; readonly done: Promise<void> }>();

  return (name) => (name === undefined ? refreshAll() : refreshOne(index.byLogin(name)?.id ?? 0));

  function refreshAll(): Promise<void> {
    if (running !== null) return running;
    const started = clock();
    if (started < next) return Promise.resolve();
    running = quietly(async () => files.readAll(new Set([...(await files.ids()), ...index.ids()]))).finally(() => {
      const ended = clock();
      next = ended + Math.max(restMs, (ended - started) * restShare);
      running = null;
    });
    return running;
  }

  function refreshOne(id: number): Promise<void> {
    const last = looks.get(id);
    if (last && clock() < last.at + restMs) return last.done;
    const done = quietly(async () => files.readAll(id === 0 ? (await files.ids()).filter((one) => !index.stored(one)) : [id]));
    looks.set(id, { at: clock(), done });
    return done;
  }
}

type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs tasks in order; a failure does not block later ones. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

function withUse(account: Account, key: string, at: number, ip: string | null): Account {
  const used = <T>(one: T, is: string): T => (is === key ? { ...one, lastUsed: at, lastIp: ip } : one);
  return Object.freeze({
    ...account,
    applicationPasswords: account.applicationPasswords.map((one) => used(one, one.uuid)),
    sessions: account.sessions.map((one) => used(one, one.hash)),
  });
}
