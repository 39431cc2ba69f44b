/**
 * Accounts of the people of a source: who they are when they sign in, without a password, so that nobody can before somebody
 * here gives them one. No import makes an administrator. And what is private of those who commented.
 */
import { now } from '../../kernel/model/dates.ts';
import { standardRoles } from '../../modules/people/accounts/roles.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { type Account, blankAccount } from '../../modules/people/users/record.ts';
import type { Commenter, Commenters } from '../../modules/comments/commenters.ts';
import type { Accounts } from '../../modules/people/accounts/accounts.ts';
import { isLogin } from '../../modules/people/users/plan.ts';
import type { UserItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import type { ImportLog, Category } from './report.ts';
import { isDate, remark } from './source-scan.ts';

const accountSort: Category = { kind: 'account', of: '' };

const maxLogin = 60;

interface ImportedAccounts {
  /** The account somebody has, or would have; null for an author of whom no login is known. */
  accountOf(item: UserItem, planned: PlannedItem): Account | null;
  /** Makes the account, if there is none yet. */
  save(item: UserItem, planned: PlannedItem): Promise<void>;
}

/** @param defaultRole  of whom the source says no role */
export function createImportedAccounts(
  accounts: Accounts,
  defaultRole: string,
  report: ImportLog,
  dryRun: boolean,
): ImportedAccounts {
  const taken = new Set(accounts.all().map(({ login }) => login.toLowerCase()));
  const addresses = new Set(accounts.all().map(({ email }) => email.toLowerCase()));
  const made = new Map<number, Account>();

  return {
    accountOf: (item, planned) => accounts.get(planned.id) ?? made.get(planned.id) ?? newAccount(item, planned),
    async save(item, planned) {
      if (planned.isGone || accounts.get(planned.id)) return;
      const account = made.get(planned.id) ?? newAccount(item, planned);
      if (!account) return;
      if (!dryRun) await accounts.save(account);
      report.count(accountSort, 'new');
    },
  };

  function newAccount(item: UserItem, planned: PlannedItem): Account | null {
    if (item.login === '' && !item.email) return null;
    const login = freeLogin(item, planned);
    const email = emailOf(item);
    const account: Account = {
      ...blankAccount(planned.id, login, isDate(item.registered) ? item.registered : now('UTC', Date.now()).gmt),
      email,
      roles: rolesOf(item, login),
      name: item.name || login,
      slug: planned.slug,
      meta: { ...item.meta },
    };
    taken.add(login.toLowerCase());
    if (email !== '') addresses.add(email.toLowerCase());
    made.set(planned.id, account);
    return account;
  }

  function freeLogin(item: UserItem, planned: PlannedItem): string {
    const asked = item.login || item.slug || slugify(item.name);
    const wanted =
      isLogin(asked) && asked.length <= maxLogin
        ? asked
        : slugify(asked).replace(/%/g, '').slice(0, maxLogin) || `user-${planned.id}`;
    let login = wanted;
    for (let number = 2; taken.has(login.toLowerCase()); number++) login = `${wanted}-${number}`;
    if (item.login !== '' && login !== item.login)
      remark(report, item, 'changed', 'login', `login changed to ${login}: ${item.login} is taken or invalid`);
    return login;
  }

  function emailOf(item: UserItem): string {
    const email = item.email?.trim() ?? '';
    if (email === '') return '';
    const isFine = /^[^\s@]+@[^\s@]+$/.test(email);
    if (isFine && !addresses.has(email.toLowerCase())) return email;
    remark(report, item, 'lost', 'email', isFine ? 'another account uses this email address' : 'invalid email address');
    return '';
  }

  function rolesOf(item: UserItem, login: string): readonly string[] {
    const known = (item.roles ?? []).filter((role) => standardRoles.some(({ name }) => name === role));
    for (const role of item.roles ?? [])
      if (!known.includes(role)) remark(report, item, 'lost', 'unknown-role', `the site has no role ${JSON.stringify(role)}`);
    const given = known.filter((role) => role !== 'administrator');
    if (given.length < known.length) {
      const hint = `cms user set-role ${login} administrator`;
      remark(report, item, 'changed', 'administrator', 'was an administrator; an import never creates administrators', hint);
    }
    return given.length > 0 ? given : [defaultRole];
  }
}

/** What is known of commenters and private, on its way to the disk. */
export interface CommenterQueue {
  has(comment: number): boolean;
  add(comment: number, commenter: Commenter): void;
  flush(): Promise<void>;
}

export function createCommenterQueue(commenters: Commenters | null): CommenterQueue {
  let waiting = new Map<number, Commenter>();
  return {
    has: (comment) => commenters?.get(comment) !== undefined,
    add: (comment, commenter) => void waiting.set(comment, commenter),
    async flush() {
      const some = waiting;
      waiting = new Map();
      await commenters?.keepAll(some);
    },
  };
}
