/**
 * `cms events`: webhooks that wait, and those that nobody took. The server sends; this command asks it to.
 */
import type { Command } from 'commander';
import { createOperatorFetcher } from '../http-client/fetch.ts';
import { type Operator, OperatorFault } from '../kernel/model/operator.ts';
import { newPending } from '../modules/deliveries/index.ts';
import { deliver } from '../modules/events/webhooks/deliver.ts';
import { type Delivery, documents, type Hook } from '../modules/events/webhooks/record.ts';
import { readHooks } from '../modules/events/webhooks/settings.ts';
import { readKept } from '../modules/events/webhooks/stored.ts';
import { defineDeliveries, dirText } from './deliveries.ts';
import { Failure, failed, status } from './failure.ts';
import { contentPlace, examples } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

interface Flags {
  readonly dir?: string;
  readonly json?: true;
}

export function defineEvents(command: Command, io: Io): void {
  defineDeliveries<Delivery>(command, io, {
    command: 'events',
    word: 'webhook',
    documents,
    read: readKept,
    members: ({ hook, event }) => ({ hook, type: event ? `${event.kind}.${event.action}` : null }),
    columns: { hook: 'WEBHOOK' },
  });
  const test = command
    .command('test')
    .argument('<name>', 'a webhook of the operator settings')
    .description('send a test now, as the server would; exits with 1 if it is not accepted. A deploy hook starts a build')
    .option('--json', 'print JSON')
    .option('--dir <dir>', dirText)
    .action((name: string, flags: Flags) => runTest(name, flags, io));
  examples(test, 'cms events test front --dir my-site');
  examples(command, 'cms events list --dir my-site');
}

async function runTest(name: string, flags: Flags, io: Io): Promise<void> {
  const operator = operatorOf(contentPlace(flags.dir, io), io);
  const hook =
    hooksOf(operator, io).find((one) => one.name === name) ?? failed(`no webhook named "${name}" in the operator settings`);
  const now = Date.now();
  const changed = { paths: ['/'], tags: ['posts'], everything: false };
  const delivery: Delivery = { ...newPending(now), hook: name, event: null, changed };
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
