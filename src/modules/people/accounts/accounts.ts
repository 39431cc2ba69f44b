/**
 * Accounts: who may sign in. One private document for each, `accounts/<id>.json`, apart from the content folder.
 *
 * Memory answers; documents are written before memory changes. Another process (`cms password create`) may change them
 * too: every change is made to what the document says now, alone among all processes, and `refresh` ingests what others have
 * written. Before a credential is trusted, `isCurrent` looks whether the document is still the one that memory was made of.
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
  /** Changes an account as it is on disk now. Returns it, or undefined when there is none. */
  change(id: number, alter: (account: Account) => Account): Promise<Account | undefined>;
  remove(id: number): Promise<void>;
  /**
   * Notes that an application password or a session was used: at once in memory, soon on disk. Never throws; listeners are not called.
   * @param key  uuid of the one, hash of the other
   * @param at  seconds since the epoch
   */
  noteUse(id: number, key: string, at: number, ip: string | null): void;
  /** Runs one piece of work after another, so that what it has checked still holds when it writes. Does not nest. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Called after accounts have changed, here or elsewhere. */
  onChange(listener: (ids: readonly number[]) => void): void;
  /**
   * Ingests what other processes have written: at most once a second, and so that it takes no more than a twentieth of the time.
   * With a login name (or e-mail address) only that account, or unknown ones, at most once a second for each. Never throws.
   */
  refresh(name?: string): Promise<void>;
  /** Reads the document of one account now. */
  reread(id: number): Promise<void>;
  /** Whether memory has what the document of an account says at this moment. Cost: one look at a file. */
  isCurrent(id: number): boolean;
  /** Documents that cannot be read; the last good state of their accounts stays in force. */
  problems(): readonly Problem[];
  /** Resolves when everything noted is on disk. */
  settle(): Promise<void>;
}

const restMs = 1000;
/** A refresh is followed by this many times its own duration without one. */
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

/** @param quietly  does work when its turn comes; never rejects */
function createRefresh(
  index: AccountIndex,
  files: AccountFiles,
  quietly: (work: () => Promise<void>) => Promise<void>,
  clock: () => number,
): Accounts['refresh'] {
  let next = 0;
  let running: Promise<void> | null = null;
  /** By id; 0 for names that nobody has. */
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

/** Work of one queue is done in turn; a failure does not hold up what comes after it. */
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
