/**
 * A content folder on one's own machine, asked as its API is asked: for commands that read and change items beside a server or without one.
 */
import type { Command } from 'commander';
import type { Actor } from '../kernel/model/access.ts';
import type { Module } from '../kernel/module.ts';
import { createDispatcher } from '../kernel/rest/dispatch.ts';
import type { Dispatcher } from '../kernel/rest/types.ts';
import type { Site } from '../kernel/site/site.ts';
import { actorOf } from '../modules/people/accounts/index.ts';
import { limitsOf, scopesInWords } from '../modules/people/accounts/scope.ts';
import { composeSite, openSite } from '../open-site.ts';
import { failed } from './failure.ts';
import { defaultPort, scope } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

export interface CallerOptions {
  /** Login. */
  readonly as?: string;
  readonly scope?: string;
}

export interface LocalCaller {
  readonly site: Site;
  readonly dispatcher: Dispatcher;
  readonly user: Actor;
}

export function callerOptions(command: Command): Command {
  return command
    .option('--as <login>', 'act as this user (default: the first administrator)')
    .option('--scope <scope>', `limit it to ${scopesInWords} (default: everything the user may do)`, scope);
}

/** Opens the folder, with files that others change taken in as long as it is open. */
export async function withCaller<T>(
  dir: string,
  { as, scope: limit }: CallerOptions,
  io: Io,
  modules: readonly Module[],
  work: (caller: LocalCaller) => Promise<T>,
): Promise<T> {
  const site = await openSite(dir, { operator: operatorOf(dir, io), modules, log: io.err });
  try {
    // Where `cms serve` listens: links lead to a server that is probably there.
    site.setAddress(`http://localhost:${defaultPort}`);
    const dispatcher = createDispatcher(site, composeSite(site), (error) => io.err(String(error)));
    const unwatch = await site.store.watch((batch) => site.ingest(batch));
    try {
      return await work({ site, dispatcher, user: actorFor(site, as, limit) });
    } finally {
      await unwatch();
    }
  } finally {
    await site.close();
  }
}

/** @throws Failure with status 1 */
function actorFor(site: Site, login: string | undefined, limit: string | undefined): Actor {
  const { accounts } = site;
  const account =
    login === undefined
      ? [...accounts.all()].sort((a, b) => a.id - b.id).find(({ roles }) => roles.includes('administrator'))
      : accounts.byLogin(login);
  if (account) return limit === undefined ? actorOf(account) : { ...actorOf(account), ...limitsOf(limit, site) };
  return failed(
    login === undefined ? 'this site has no administrator on this machine' : `no account named "${login}"`,
    'create one: cms user create LOGIN --role administrator',
  );
}
