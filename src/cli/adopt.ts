/**
 * `cms adopt`: private files that lie in a content folder and were not made on this machine count from now on. Only a person can say
 * that they are theirs, so everything that is taken over is listed.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { readAccount } from '../modules/people/accounts/account-document.ts';
import { GitError } from '../kernel/store/git.ts';
import { trackedOwn } from '../kernel/store/repositories.ts';
import { createStore } from '../kernel/store/store.ts';
import { bytesOf } from '../transfer/archive/tree.ts';
import { failed } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';

const folder = '.cms/private/';

export function defineAdopt(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('--dry-run', 'list what would be adopted, without changing anything')
    .action((named: string | undefined, options: { readonly dryRun?: true }) => adopt(named, options, io));
  examples(command, 'cms adopt my-site --dry-run', 'cms adopt my-site');
}

async function adopt(named: string | undefined, { dryRun = false }: { readonly dryRun?: boolean }, io: Io): Promise<void> {
  const dir = contentFolder(named, io);
  await refuseTracked(dir);
  const store = await createStore({ dir, readOnly: dryRun });
  const { inspect, adopt: takeOver } = store.private;
  try {
    const problems = (await inspect?.()) ?? [];
    const keys = problems.map(({ path }) => path.slice(folder.length));
    const rows = keys.map((key) => [key, whoIsIn(key, join(dir, folder, key))]);
    if (rows.length > 0) for (const line of printTable(['FILE', 'WHO'], rows)) io.out(line);
    if (!dryRun) await takeOver?.(keys);
    const left = dryRun ? [] : ((await inspect?.()) ?? []);
    const count = keys.length - left.length;
    const files = `${count} private file${count === 1 ? '' : 's'} of ${named ?? dir}`;
    io.err(
      keys.length === 0
        ? 'nothing to adopt: this machine wrote every private file'
        : dryRun
          ? `${files} would be adopted`
          : `adopted ${files}`,
    );
    for (const { path } of left) io.err(`  skipped ${path}: not a regular file`);
  } finally {
    await store.close();
  }
}

/** @throws Failure when git tracks something of `.cms`: then it is content, and others may change it again */
async function refuseTracked(dir: string): Promise<void> {
  const [first] = await trackedOwn(dir).catch((error: unknown) => {
    if (error instanceof GitError) return failed(`cannot tell whether git tracks .cms: ${error.message}`, undefined, error);
    throw error;
  });
  if (first !== undefined)
    failed(`${first} is tracked by git, so it came with the content`, 'to untrack it: git rm -r --cached .cms');
}

/** Who may sign in by a file, and as what. */
function whoIsIn(key: string, path: string): string {
  const id = Number(/^accounts\/([1-9]\d*)\.json$/.exec(key)?.[1]);
  if (!id) return '-';
  try {
    const account = readAccount(id, bytesOf(path).toString('utf8'));
    const { login, roles, capabilities, applicationPasswords, passkeys, identities } = account;
    const rights = [...roles, ...Object.keys(capabilities).filter((name) => capabilities[name])].join(' ') || 'no role';
    const means = [
      counted(applicationPasswords.length, 'password'),
      ...(passkeys.length > 0 ? [counted(passkeys.length, 'passkey')] : []),
      ...identities.map(({ issuer }) => `a person of ${issuer}`),
    ];
    return printable(`${login}: ${rights}, ${means.join(', ')}`);
  } catch {
    return 'unreadable';
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Without what would move the cursor or colour the line: the file may be anybody's. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
