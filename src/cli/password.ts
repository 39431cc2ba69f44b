/**
 * `cms password`: application passwords of people who may sign in. A running server knows of what was taken away with its next request.
 */
import type { Command } from 'commander';
import { type Accounts, createAccounts } from '../modules/people/accounts/accounts.ts';
import { nearest } from '../kernel/model/spelling.ts';
import { addApplicationPassword } from '../modules/people/accounts/application-passwords.ts';
import { scopesInWords } from '../modules/people/accounts/scope.ts';
import type { Account, ApplicationPassword } from '../modules/people/users/record.ts';
import { openContent } from '../open-content.ts';
import { auditPath, createAuditLog, systemUser } from '../modules/people/audit/index.ts';
import type { AuditEvent } from '../modules/people/audit/record.ts';
import { failed, misuse } from './failure.ts';
import { contentPlace, examples, scope } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { operatorOf } from './operator.ts';
import { printGmt } from '../kernel/model/dates.ts';

interface Options {
  readonly dir?: string;
  readonly name?: string;
  readonly json?: true;
  readonly all?: true;
  readonly scope?: string;
}

export function definePassword(command: Command, io: Io): void {
  const create = command
    .command('create <login>')
    .description('create a password and print it as the last line on stdout')
    .option('--name <text>', 'label shown in lists', 'cms password create')
    .option('--scope <scope>', `limit it to ${scopesInWords} (default: everything the account may do)`, scope)
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)')
    .action((login: string, options: Options) =>
      withAccounts(options.dir, io, async (accounts, note) => {
        const { id } = accountFor(accounts, login);
        const { password } = await addApplicationPassword(
          { accounts, clock: Date.now },
          id,
          options.name as string,
          '',
          options.scope,
        );
        await note({ event: 'application-password', on: login, scope: options.scope });
        io.err(`new application password of ${login}, shown only once:`);
        io.out(password);
      }),
    );
  examples(
    create,
    'cms password create admin --name "mobile app"',
    'cms password create admin --name "static pages" --scope build',
    'password=$(cms password create admin --dir my-site 2>/dev/null)',
  );
  const list = command
    .command('list <login>')
    .description("list a user's passwords (not their values)")
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)')
    .option('--json', 'print JSON')
    .action((login: string, options: Options) =>
      withAccounts(options.dir, io, async (accounts) => {
        const rows = accountFor(accounts, login).applicationPasswords.map(withoutHash);
        if (options.json) return io.out(JSON.stringify(rows, null, 2));
        const cells = rows.map(({ uuid, name, created, lastUsed }) => [
          uuid,
          created.slice(0, 10),
          lastUsed?.slice(0, 10) ?? 'never',
          name,
        ]);
        for (const line of printTable(['UUID', 'CREATED', 'LAST USED', 'NAME'], cells)) io.out(line);
      }),
    );
  examples(list, 'cms password list admin', 'cms password list admin --json');
  const revoke = command
    .command('revoke <login> [uuid]')
    .description("revoke one or all of a user's passwords")
    .option('--all', 'revoke every password of the user')
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)')
    .action((login: string, uuid: string | undefined, options: Options) => {
      if ((uuid === undefined) === !options.all)
        misuse('pass the UUID of a password, or --all', `cms password list ${login} shows them`);
      return withAccounts(options.dir, io, async (accounts, note) => {
        const { id, applicationPasswords } = accountFor(accounts, login);
        const gone = applicationPasswords.filter((one) => options.all || one.uuid === uuid);
        if (uuid !== undefined && gone.length === 0)
          failed(`${login} has no password ${uuid}`, `cms password list ${login} shows them`);
        const uuids = new Set(gone.map((one) => one.uuid));
        await accounts.change(id, (account) => ({
          ...account,
          applicationPasswords: account.applicationPasswords.filter((one) => !uuids.has(one.uuid)),
        }));
        await note({ event: 'revoke', on: login, passwords: gone.length });
        io.err(`revoked ${gone.length} of ${applicationPasswords.length} passwords of ${login}`);
      });
    });
  examples(revoke, 'cms password revoke admin 6bd66d0b-3b4e-4a3c-9f0b-8a4ac5a8ed0e', 'cms password revoke admin --all');
  examples(command, 'cms password create admin');
}

/** The account that signs in with a login or email address. @throws Failure with status 1 */
function accountFor(accounts: Accounts, login: string): Account {
  const account = accounts.byLogin(login);
  if (account) return account;
  const logins = accounts.all().map((one) => one.login);
  const meant = nearest(login, logins);
  return failed(`no account named "${login}"`, meant ? `did you mean ${meant}?` : `to create it: cms user create ${login}`);
}

type Note = (event: AuditEvent) => Promise<void>;

async function withAccounts(
  named: string | undefined,
  io: Io,
  work: (accounts: Accounts, note: Note) => Promise<void>,
): Promise<void> {
  const dir = contentPlace(named, io);
  const operator = operatorOf(dir, io);
  const store = await openContent({ dir }, { ...operator, media_store: {} });
  try {
    const accounts = await createAccounts(store.private);
    const path = auditPath(operator.audit_log, store.name);
    const log = path === null ? null : createAuditLog(path, Date.now);
    await work(accounts, async (event) => log?.append({ ...event, by: systemUser() }));
    await accounts.settle();
  } finally {
    await store.close();
  }
}

function withoutHash({ uuid, name, appId, created, lastUsed, lastIp, scope = '' }: ApplicationPassword) {
  return { uuid, name, appId, created: dated(created), lastUsed: lastUsed === null ? null : dated(lastUsed), lastIp, scope };
}

/** GMT, as the interface writes it. */
function dated(seconds: number): string {
  return printGmt(seconds * 1000);
}
