/** Accounts in memory, by id and by login names. */
import type { Stamp } from '../../../kernel/store/types.ts';
import type { Account } from '../users/record.ts';

interface StoredAccount {
  readonly account: Account;
  /** Detects changes of the document. */
  readonly digest: string;
  /** Stamp of the file before it was read; null if another state could look the same. */
  readonly stamp: Stamp | null;
}

export interface AccountIndex {
  get(id: number): Account | undefined;
  /** By login name, else by email address; ignores case. */
  byLogin(name: string): Account | undefined;
  byEmail(email: string): Account | undefined;
  all(): readonly Account[];
  ids(): readonly number[];
  stored(id: number): StoredAccount | undefined;
  put(id: number, next: StoredAccount): void;
  /** @returns whether there was one */
  remove(id: number): boolean;
}

interface Names {
  readonly logins: ReadonlyMap<string, number>;
  readonly emails: ReadonlyMap<string, number>;
}

export function createAccountIndex(): AccountIndex {
  const stored = new Map<number, StoredAccount>();
  let names: Names | null = null;
  const get = (id: number | undefined): Account | undefined => (id === undefined ? undefined : stored.get(id)?.account);
  const all = (): Account[] => [...stored.values()].map(({ account }) => account).sort((a, b) => a.id - b.id);
  const directory = (): Names => {
    names ??= { logins: firstIds(all(), 'login'), emails: firstIds(all(), 'email') };
    return names;
  };
  return {
    get,
    byLogin(name) {
      const { logins, emails } = directory();
      const key = name.trim().toLowerCase();
      return get(logins.get(key) ?? emails.get(key));
    },
    byEmail: (email) => get(directory().emails.get(email.trim().toLowerCase())),
    all,
    ids: () => [...stored.keys()],
    stored: (id) => stored.get(id),
    put(id, next) {
      const before = stored.get(id)?.account;
      stored.set(id, next);
      if (before?.login !== next.account.login || before.email !== next.account.email) names = null;
    },
    remove(id) {
      names = null;
      return stored.delete(id);
    },
  };
}

/** Ids by folded name; of several accounts with one name, the first by id. */
function firstIds(accounts: readonly Account[], name: 'login' | 'email'): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const account of accounts) {
    const key = account[name].toLowerCase();
    if (key !== '' && !ids.has(key)) ids.set(key, account.id);
  }
  return ids;
}
