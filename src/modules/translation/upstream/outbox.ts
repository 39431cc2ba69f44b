/**
 * Calls that the editor has to get, however long it is out of reach: each stays until it was taken. Written before the call is tried, so
 * that a process that ends in between leaves it behind for the next one; the editor takes the same call twice.
 *
 * Source: reference on languages, 4.4, 13.4.
 */
import { RestError } from '../../../kernel/errors.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import type { EditorClient, Outbox, OutboxEntry, OutboxKind } from './record.ts';

const document = 'translation/outbox.json';
const kinds: readonly OutboxKind[] = ['cancel', 'confirm'];
/** Ids of one call. */
const perCall = 100;
const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;
/** Beyond it a call is given up, and said so. */
const maxTries = 100;

export function createOutbox(
  { store, clock }: Pick<Site, 'store' | 'clock'>,
  editor: EditorClient,
  log: (line: string) => void,
): Outbox {
  let entries: OutboxEntry[] | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work, work);
    queue = next.catch(() => undefined);
    return next;
  };

  async function read(): Promise<OutboxEntry[]> {
    if (entries === null) {
      const bytes = await store.private.get(document);
      entries = parse(bytes);
    }
    return entries;
  }

  async function save(next: OutboxEntry[]): Promise<void> {
    if (!store.readOnly) await store.private.set(document, Buffer.from(`${JSON.stringify(next, null, 2)}\n`));
    entries = next;
  }

  async function send(kind: OutboxKind): Promise<void> {
    const due = (await read()).filter((one) => one.kind === kind && one.dueAt <= clock()).slice(0, perCall);
    if (due.length === 0) return;
    const isDue = (one: OutboxEntry): boolean => due.includes(one);
    try {
      const ids = due.map(({ id }) => id);
      await (kind === 'cancel' ? editor.cancel(ids) : editor.confirm(ids));
      await save((await read()).filter((one) => !isDue(one)));
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      const later = (await read()).flatMap((one): OutboxEntry[] => (isDue(one) ? postponed(one) : [one]));
      await save(later);
    }
  }

  function postponed(one: OutboxEntry): OutboxEntry[] {
    const tries = one.tries + 1;
    if (tries > maxTries) {
      log(`translation: the editor did not take the call "${one.kind}" for its job ${one.id}, which is given up`);
      return [];
    }
    return [{ ...one, tries, dueAt: clock() + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 10)) }];
  }

  return {
    add: (kind, ids) =>
      inTurn(async () => {
        const known = await read();
        const isNew = (id: number): boolean => !known.some((one) => one.kind === kind && one.id === id);
        const added = [...new Set(ids)].filter(isNew).map((id): OutboxEntry => ({ kind, id, tries: 0, dueAt: 0 }));
        if (added.length > 0) await save([...known, ...added]);
      }),
    flush: () =>
      inTurn(async () => {
        for (const kind of editor.isConfigured ? kinds : []) await send(kind);
        return (await read()).length;
      }),
    pending: () => inTurn(async () => [...(await read())]),
  };
}

function parse(bytes: Uint8Array | null): OutboxEntry[] {
  const list = jsonIn(bytes);
  return (Array.isArray(list) ? list : []).flatMap((row: unknown): OutboxEntry[] => {
    const { kind, id, tries, dueAt } = mapOf(row);
    const known = kinds.find((one) => one === kind);
    return known && Number.isSafeInteger(id)
      ? [{ kind: known, id: id as number, tries: Number(tries) || 0, dueAt: Number(dueAt) || 0 }]
      : [];
  });
}
