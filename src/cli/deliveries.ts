/**
 * What waits to be sent to others, and what nobody took: `list` and `resend` of `cms events` and `cms mail`. The server sends; these
 * commands ask it to.
 */
import type { Command } from 'commander';
import { type OutboxDocuments, type Pending, type DeliveryQueue, readAsked } from '../modules/deliveries/index.ts';
import { openContent } from '../open-content.ts';
import type { Store } from '../kernel/store/types.ts';
import { failed, misuse } from './failure.ts';
import { contentPlace, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { operatorOf } from './operator.ts';

interface Deliveries<T extends Pending> {
  /** The command: `events`. */
  readonly command: string;
  /** In the singular; the plural has an s. */
  readonly word: string;
  readonly documents: OutboxDocuments;
  readonly read: (bytes: Uint8Array | null) => DeliveryQueue<T> | null;
  /** Members of a row beside those that every delivery has, and which of them a table shows, with their heads. */
  readonly members: (delivery: T) => Readonly<Record<string, string | null>>;
  readonly columns: Readonly<Record<string, string>>;
}

interface Flags {
  readonly dir?: string;
  readonly json?: true;
  readonly all?: true;
}

export const dirText = 'content folder (default: the current folder, or ./content)';

export function defineDeliveries<T extends Pending>(command: Command, io: Io, of: Deliveries<T>): void {
  const list = command
    .command('list')
    .description(`list ${of.word}s that wait for their next attempt, and dead ones; exits with 1 if there are dead ones`)
    .option('--json', 'print JSON')
    .option('--dir <dir>', dirText)
    .action((flags: Flags) => withStore(flags, io, (store) => runList(store, of, flags, io)));
  examples(list, `cms ${of.command} list`, `cms ${of.command} list --dir my-site --json`);
  const resend = command
    .command('resend')
    .argument('[id...]', `ids of dead ${of.word}s, as cms ${of.command} list prints them`)
    .description(`send dead ${of.word}s again, by the running server or the next one`)
    .option('--all', `all dead ${of.word}s`)
    .option('--json', 'print JSON')
    .option('--dir <dir>', dirText)
    .action((ids: string[], flags: Flags) => {
      if (ids.length > 0 === (flags.all === true)) misuse('pass ids, or --all', `cms ${of.command} list shows them`);
      return withStore(flags, io, (store) => runResend(store, of, ids, flags, io));
    });
  examples(resend, `cms ${of.command} resend msg_5f0c2a915f0c2a915f0c2a91`, `cms ${of.command} resend --all --dir my-site`);
}

/** Of all processes that send: nodes and workers keep queues of their own. */
async function queueIn<T extends Pending>(store: Store, { documents, read }: Deliveries<T>): Promise<DeliveryQueue<T>> {
  const queue: DeliveryQueue<T> = { waiting: [], dead: [] };
  for (const key of await store.private.keys(documents.prefix)) {
    const found = key === documents.asked ? null : read(await store.private.get(key));
    queue.waiting.push(...(found?.waiting ?? []));
    queue.dead.push(...(found?.dead ?? []));
  }
  return queue;
}

async function runList<T extends Pending>(store: Store, of: Deliveries<T>, { json }: Flags, io: Io): Promise<void> {
  const { waiting, dead } = await queueIn(store, of);
  const shown = (state: string, one: T) => {
    const [since, next] = [one.at, one.dueAt].map((time) => new Date(time).toISOString()) as [string, string];
    const { id, attempts, error } = one;
    return { id, state, members: of.members(one), since, attempts, next: state === 'dead' ? null : next, error };
  };
  const rows = [...waiting.map((one) => shown('waiting', one)), ...dead.map((one) => shown('dead', one))];
  if (json) {
    const flat = rows.map(({ id, state, members, ...rest }) => ({ id, state, ...members, ...rest }));
    io.out(JSON.stringify(flat, null, 2));
  } else {
    const names = Object.keys(of.columns);
    const cells = rows.map(({ id, state, members, attempts, next, error }) => [
      ...[id, state, ...names.map((name) => members[name] ?? '')],
      ...[String(attempts), next ?? '', error],
    ]);
    const heads = ['ID', 'STATE', ...Object.values(of.columns), 'ATTEMPTS', 'NEXT', 'ERROR'];
    for (const line of printTable(heads, cells)) io.out(line);
  }
  if (dead.length > 0)
    failed(`${dead.length} ${of.word}s were not accepted`, `to send them again: cms ${of.command} resend --all`);
}

async function runResend<T extends Pending>(
  store: Store,
  of: Deliveries<T>,
  given: readonly string[],
  { json }: Flags,
  io: Io,
): Promise<void> {
  const { word, command, documents } = of;
  const dead = (await queueIn(store, of)).dead.map(({ id }) => id);
  const unknown = given.find((id) => !dead.includes(id));
  if (unknown !== undefined) failed(`no dead ${word} ${unknown}`, `cms ${command} list shows them`);
  const ids = given.length > 0 ? given : dead;
  const asked = readAsked(await store.private.get(documents.asked));
  if (ids.length > 0) await store.private.set(documents.asked, Buffer.from(JSON.stringify([...new Set([...asked, ...ids])])));
  if (json) io.out(JSON.stringify(ids));
  else io.err(`${ids.length} ${word}s will be sent again, by the running server or at the next start`);
}

async function withStore(flags: Flags, io: Io, work: (store: Store) => Promise<void>): Promise<void> {
  const dir = contentPlace(flags.dir, io);
  const store = await openContent({ dir }, { ...operatorOf(dir, io), media_store: {} });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
