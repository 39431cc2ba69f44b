/**
 * Accounts: who may sign in. One private document for each, `accounts/<id>.json`, apart from the content folder.
 *
 * Memory answers; documents are written before memory changes. Another process (`cms password create`) may change them
 * too: every change is made to what the document says now, alone among all processes, and `refresh` takes in what others have
 * written. Before a credential is trusted, `isCurrent` looks whether the document is still the one that memory was made of.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../users/record.ts';
import { createPace } from '../../kernel/store/scheduler.ts';
import type { Problem, Stamp, TrustedDocuments } from '../../kernel/store/types.ts';
import { readAccount } from './account-document.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly accounts: Accounts;
  }
}

export interface Accounts {
  get(id: number): Account | undefined;
  /** By login name, else by e-mail address; case does not count. */
  byLogin(name: string): Account | undefined;
  byEmail(email: string): Account | undefined;
  /** In order of ids. */
  all(): readonly Account[];
  /** Writes a whole account, new or not. */
  save(account: Account): Promise<void>;
  /** Changes an account as it is on disk now. Returns it, or undefined when there is none. */
  change(id: number, alter: (account: Account) => Account): Promise<Account | undefined>;
  remove(id: number): Promise<void>;
  /**
   * Notes that an application password was used: at once in memory, soon on disk. Never throws; listeners are not called.
   * @param at  seconds since the epoch
   */
  noteUse(id: number, uuid: string, at: number, ip: string | null): void;
  /** Runs one piece of work after another, so that what it has checked still holds when it writes. Does not nest. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Called after accounts have changed, here or elsewhere. */
  onChange(listener: (ids: readonly number[]) => void): void;
  /**
   * Takes in what other processes have written: at most once a second, and so that it takes no more than a twentieth of the time.
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

interface StoredAccount {
  readonly account: Account;
  /** Of the document, to see whether it has changed. */
  readonly digest: string;
  /** Of its file before it was read; null when another state could look the same. */
  readonly stamp: Stamp | null;
}

/** Times of files are coarse: within so long of a change another one may leave them equal. */
const racyMs = 100;

const REST_MS = 1000;
/** A refresh is followed by this many times its own duration without one. */
const SHARE = 20;

/** @param clock  milliseconds since the epoch */
export async function createAccounts(documents: TrustedDocuments, clock: () => number = Date.now): Promise<Accounts> {
  const held = new Map<number, StoredAccount>();
  const faults = new Map<string, Problem>();
  const listeners: ((ids: readonly number[]) => void)[] = [];
  let names: { readonly logins: ReadonlyMap<string, number>; readonly emails: ReadonlyMap<string, number> } | null = null;
  const queue = createQueue();
  const turns = createQueue();
  let next = 0;
  let running: Promise<void> | null = null;
  /** By id; 0 for names that nobody has. */
  const looks = new Map<number, { readonly at: number; readonly done: Promise<void> }>();

  await takeAll(await keysOf(documents));

  const accounts: Accounts = {
    get: (id) => held.get(id)?.account,
    byLogin(name) {
      const { logins, emails } = directory();
      const key = name.trim().toLowerCase();
      return accountOf(logins.get(key) ?? emails.get(key));
    },
    byEmail: (email) => accountOf(directory().emails.get(email.trim().toLowerCase())),
    all: () => [...held.values()].map(({ account }) => account).sort((a, b) => a.id - b.id),
    save: (account) => queue(() => write(account)),
    change: (id, alter) => queue(() => amend(id, alter)),
    remove: (id) =>
      queue(async () => {
        await documents.remove(keyOf(id));
        if (drop(id)) announce([id]);
      }),
    noteUse(id, uuid, at, ip) {
      const known = held.get(id);
      if (!known) return;
      const used = (account: Account): Account => withUse(account, uuid, at, ip);
      held.set(id, { ...known, account: used(known.account) });
      void queue(() => amend(id, used, { isTold: false })).catch(() => undefined);
    },
    alone: (work) => turns(work),
    onChange: (listener) => void listeners.push(listener),
    refresh: (name) => (name === undefined ? sweep() : look(name)),
    reread: (id) => queue(() => takeAll([id])),
    isCurrent(id) {
      if (!documents.stamp) return true;
      const before = held.get(id)?.stamp;
      const now = before ? documents.stamp(keyOf(id)) : null;
      return !!before && now !== null && isSameStamp(before, now);
    },
    problems: () => [...faults.values()],
    settle: () => queue(async () => undefined),
  };
  return accounts;

  function accountOf(id: number | undefined): Account | undefined {
    return id === undefined ? undefined : held.get(id)?.account;
  }

  /** Ids by folded name; of several accounts with one name the first by id has it. */
  function directory() {
    if (names) return names;
    const logins = new Map<string, number>();
    const emails = new Map<string, number>();
    for (const { id, login, email } of accounts.all()) {
      for (const [map, name] of [
        [logins, login],
        [emails, email],
      ] as const) {
        const key = name.toLowerCase();
        if (key !== '' && !map.has(key)) map.set(key, id);
      }
    }
    names = { logins, emails };
    return names;
  }

  /** Disk, then memory. */
  async function write(account: Account): Promise<void> {
    const bytes = printAccount(account);
    await documents.set(keyOf(account.id), bytes);
    holdWritten(account, bytes);
    announce([account.id]);
  }

  /** Changes an account as its document is now; other processes wait. */
  async function amend(
    id: number,
    alter: (account: Account) => Account,
    { isTold = true }: { readonly isTold?: boolean } = {},
  ): Promise<Account | undefined> {
    let after: Account | undefined;
    let isOthers = false;
    let written: Uint8Array | undefined;
    await update(keyOf(id), (bytes) => {
      isOthers = ingest(id, bytes, null);
      const known = held.get(id)?.account;
      after = known && alter(known);
      written = after && after !== known ? printAccount(after) : undefined;
      return written;
    });
    if (after && written) holdWritten(after, written);
    if (isOthers || (written && isTold)) announce([id]);
    return after;
  }

  async function update(key: string, alter: (bytes: Uint8Array | null) => Uint8Array | undefined): Promise<void> {
    if (documents.update) return documents.update(key, alter);
    const bytes = alter(await documents.get(key));
    if (bytes) await documents.set(key, bytes);
  }

  /** What the file looks like is not known: others may have written since. */
  function holdWritten(account: Account, bytes: Uint8Array): void {
    hold(account.id, { account: Object.freeze({ ...account }), digest: digestOf(bytes), stamp: null });
  }

  function hold(id: number, next: StoredAccount): void {
    held.set(id, next);
    faults.delete(keyOf(id));
    names = null;
  }

  function drop(id: number): boolean {
    faults.delete(keyOf(id));
    names = null;
    return held.delete(id);
  }

  /** Reads one document. @returns whether its account has changed, come or gone */
  async function take(id: number): Promise<boolean> {
    const stamp = documents.stamp?.(keyOf(id)) ?? null;
    return ingest(id, await documents.get(keyOf(id)), stamp && Date.now() - stamp.ctimeMs > racyMs ? stamp : null);
  }

  /** Takes in what a document says. @returns whether its account has changed, come or gone */
  function ingest(id: number, bytes: Uint8Array | null, stamp: Stamp | null): boolean {
    if (bytes === null) return drop(id);
    const digest = digestOf(bytes);
    const known = held.get(id);
    if (known?.digest === digest) {
      held.set(id, { ...known, stamp });
      return false;
    }
    try {
      hold(id, { account: Object.freeze(readAccount(id, Buffer.from(bytes).toString('utf8'))), digest, stamp });
      return true;
    } catch (error) {
      faults.set(keyOf(id), brokenDocument(keyOf(id), error));
      if (known) held.set(id, { ...known, stamp });
      return false;
    }
  }

  async function takeAll(ids: Iterable<number>): Promise<void> {
    const changed: number[] = [];
    const pace = createPace();
    for (const id of ids) {
      if (await take(id)) changed.push(id);
      if (pace.isDue()) await pace.rest();
    }
    if (changed.length > 0) announce(changed);
  }

  function announce(ids: readonly number[]): void {
    for (const listener of listeners) listener(ids);
  }

  function sweep(): Promise<void> {
    if (running !== null) return running;
    const started = clock();
    if (started < next) return Promise.resolve();
    running = quietly(async () => takeAll(new Set([...(await keysOf(documents)), ...held.keys()]))).finally(() => {
      const ended = clock();
      next = ended + Math.max(REST_MS, (ended - started) * SHARE);
      running = null;
    });
    return running;
  }

  function look(name: string): Promise<void> {
    const id = accounts.byLogin(name)?.id ?? 0;
    const last = looks.get(id);
    if (last && clock() < last.at + REST_MS) return last.done;
    const done = quietly(async () => takeAll(id === 0 ? (await keysOf(documents)).filter((key) => !held.has(key)) : [id]));
    looks.set(id, { at: clock(), done });
    return done;
  }

  function quietly(work: () => Promise<void>): Promise<void> {
    return queue(work).catch(() => undefined);
  }
}

/** A new account with nothing but a name to sign in by; the rest is laid over it. */
export function blankAccount(id: number, login: string, registered: string): Account {
  return {
    id,
    login,
    email: '',
    roles: [],
    capabilities: {},
    locale: '',
    registered,
    passwordHash: '',
    applicationPasswords: [],
    meta: {},
    name: login,
    slug: '',
  };
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

function printAccount(account: Account): Uint8Array {
  return Buffer.from(`${JSON.stringify(account, null, 2)}\n`);
}

function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size;
}

function keyOf(id: number): string {
  return `accounts/${id}.json`;
}

async function keysOf(documents: TrustedDocuments): Promise<number[]> {
  const keys = await documents.keys('accounts/');
  return keys.flatMap((key) => {
    const id = /^accounts\/([1-9]\d{0,14})\.json$/.exec(key)?.[1];
    return id === undefined ? [] : [Number(id)];
  });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

function withUse(account: Account, uuid: string, at: number, ip: string | null): Account {
  const applicationPasswords = account.applicationPasswords.map((one) =>
    one.uuid === uuid ? { ...one, lastUsed: at, lastIp: ip } : one,
  );
  return Object.freeze({ ...account, applicationPasswords });
}

/** What is in the document is not quoted: it holds secrets. */
function brokenDocument(key: string, error: unknown): Problem {
  const message = error instanceof SyntaxError ? 'is not valid JSON' : error instanceof Error ? error.message : 'cannot be read';
  return { path: `.cms/private/${key}`, line: 1, column: 1, severity: 'error', rule: 'account', message };
}
