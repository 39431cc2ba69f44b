/**
 * `cms events`: webhooks that wait, and those that nobody took. The server sends; this command asks it to.
 */
import type { Command } from 'commander';
import { createOperatorFetcher } from '../kernel/http-client/fetch.ts';
import { type Operator, OperatorFault } from '../kernel/model/operator.ts';
import { createStore } from '../kernel/store/store.ts';
import type { Store } from '../kernel/store/types.ts';
import { deliver } from '../modules/events/webhooks/deliver.ts';
import { newId } from '../modules/events/webhooks/queue.ts';
import { type Delivery, documents, type Hook } from '../modules/events/webhooks/record.ts';
import { readHooks } from '../modules/events/webhooks/settings.ts';
import { readAsked, readKept } from '../modules/events/webhooks/stored.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { operatorOf } from './operator.ts';

interface Flags {
  readonly dir?: string;
  readonly json?: true;
  readonly all?: true;
}

const dirText = 'content folder (default: the current folder, or ./content)';

export function defineEvents(command: Command, io: Io): void {
  const list = command
    .command('list')
    .description('list webhooks that wait for their next attempt, and dead ones; exits with 1 if there are dead ones')
    .option('--json', 'print a JSON list')
    .option('--dir <dir>', dirText)
    .action((flags: Flags) => withStore(flags, io, (store) => runList(store, flags, io)));
  examples(list, 'cms events list', 'cms events list --dir my-site --json');
  const resend = command
    .command('resend')
    .argument('[id...]', 'ids of dead webhooks, as cms events list prints them')
    .description('send dead webhooks again, by the running server or the next one')
    .option('--all', 'all dead webhooks')
    .option('--json', 'print the ids as a JSON list')
    .option('--dir <dir>', dirText)
    .action((ids: string[], flags: Flags) => {
      if (ids.length > 0 === (flags.all === true)) misuse('pass ids, or --all', 'cms events list shows them');
      return withStore(flags, io, (store) => runResend(store, ids, flags, io));
    });
  examples(resend, 'cms events resend msg_5f0c2a915f0c2a915f0c2a91', 'cms events resend --all --dir my-site');
  const test = command
    .command('test')
    .argument('<name>', 'a webhook of the operator settings')
    .description('send a test now, as the server would; exits with 1 if it is not accepted. A deploy hook starts a build')
    .option('--json', 'print the result as JSON')
    .option('--dir <dir>', dirText)
    .action((name: string, flags: Flags) => runTest(name, flags, io));
  examples(test, 'cms events test front --dir my-site');
  examples(command, 'cms events list --dir my-site');
}

async function runList(store: Store, { json }: Flags, io: Io): Promise<void> {
  const { waiting = [], dead = [] } = readKept(await store.private.get(documents.kept)) ?? {};
  const rows = [
    ...waiting.map((one) => ({ state: 'waiting', ...shown(one) })),
    ...dead.map((one) => ({ state: 'dead', ...shown(one), next: null })),
  ];
  if (json) io.out(JSON.stringify(rows, null, 2));
  else {
    const cells = rows.map(({ id, state, hook, attempts, next, error }) => [
      id,
      state,
      hook,
      String(attempts),
      next ?? '',
      error,
    ]);
    for (const line of printTable(['ID', 'STATE', 'WEBHOOK', 'ATTEMPTS', 'NEXT', 'ERROR'], cells)) io.out(line);
  }
  if (dead.length > 0) failed(`${dead.length} webhooks were not accepted`, 'to send them again: cms events resend --all');
}

function shown({ id, hook, at, attempts, dueAt, error, event }: Delivery) {
  const [since, next] = [at, dueAt].map((time) => new Date(time).toISOString()) as [string, string];
  return { id, hook, type: event ? `${event.kind}.${event.action}` : null, since, attempts, next, error };
}

async function runResend(store: Store, given: readonly string[], { json }: Flags, io: Io): Promise<void> {
  const dead = (readKept(await store.private.get(documents.kept))?.dead ?? []).map(({ id }) => id);
  const unknown = given.find((id) => !dead.includes(id));
  if (unknown !== undefined) failed(`no dead webhook ${unknown}`, 'cms events list shows them');
  const ids = given.length > 0 ? given : dead;
  const asked = readAsked(await store.private.get(documents.asked));
  if (ids.length > 0) await store.private.set(documents.asked, Buffer.from(JSON.stringify([...new Set([...asked, ...ids])])));
  if (json) io.out(JSON.stringify(ids));
  else io.err(`${ids.length} webhooks will be sent again, by the running server or at the next start`);
}

async function runTest(name: string, flags: Flags, io: Io): Promise<void> {
  const operator = operatorOf(contentFolder(flags.dir, io), io);
  const hook =
    hooksOf(operator, io).find((one) => one.name === name) ?? failed(`no webhook named "${name}" in the operator settings`);
  const now = Date.now();
  const changed = { paths: ['/'], tags: ['posts'], everything: false };
  const delivery: Delivery = { id: newId(), hook: name, at: now, attempts: 0, dueAt: now, error: '', event: null, changed };
  const site = { now: Math.floor(now / 1000), origin: new URL(hook.url).origin, everyPath: () => ['/'] };
  const refused = await deliver(createOperatorFetcher(operator), hook, delivery, site);
  if (flags.json)
    io.out(JSON.stringify({ id: delivery.id, hook: name, accepted: refused === null, error: refused?.error ?? null }));
  if (refused) throw new Failure(status.failed, flags.json ? '' : `webhook ${name}: ${refused.error}`);
  if (!flags.json) io.err(`webhook ${name}: accepted (${delivery.id})`);
}

/** @throws Failure with status 1 */
function hooksOf(operator: Operator, io: Io): readonly Hook[] {
  try {
    return readHooks(operator.events, io.env);
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    return failed(error.message, 'docs/events.md describes webhooks', error);
  }
}

async function withStore(flags: Flags, io: Io, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await createStore({ dir: contentFolder(flags.dir, io) });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
