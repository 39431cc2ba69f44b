/** Account documents and their index in memory. Documents are written before memory changes, and every change applies to the current document. */
import { createHash } from 'node:crypto';
import { paced } from '../../../kernel/scheduler.ts';
import type { Problem, Stamp, TrustedDocuments } from '../../../kernel/store/types.ts';
import type { Account } from '../users/record.ts';
import { readAccount } from './account-document.ts';
import type { AccountIndex } from './account-index.ts';

export interface AccountFiles {
  ids(): Promise<readonly number[]>;
  /** Reads documents into memory, and announces changed ones. */
  readAll(ids: Iterable<number>): Promise<void>;
  write(account: Account): Promise<void>;
  /** Changes the current document of an account; other processes wait. */
  amend(id: number, alter: (account: Account) => Account, options?: AmendOptions): Promise<Account | undefined>;
  remove(id: number): Promise<void>;
  /** Whether memory has the current document. */
  isCurrent(id: number): boolean;
  problems(): readonly Problem[];
}

interface AmendOptions {
  readonly isAnnounced?: boolean;
}

/** File times are coarse: a second change within this time may leave them equal. */
const racyMs = 100;

export function createAccountFiles(
  documents: TrustedDocuments,
  index: AccountIndex,
  announce: (ids: readonly number[]) => void,
): AccountFiles {
  const broken = new Map<number, Problem>();
  /** Accounts checked in this turn of the event loop: requests of one turn precede whatever another process answers later. */
  const seenInTurn = new Map<number, Stamp>();

  return {
    async ids() {
      const keys = await documents.keys('accounts/');
      return keys.flatMap((key) => /^accounts\/([1-9]\d{0,14})\.json$/.exec(key)?.[1] ?? []).map(Number);
    },
    async readAll(ids) {
      const changed: number[] = [];
      for await (const id of paced(ids)) {
        if (await read(id)) changed.push(id);
      }
      if (changed.length > 0) announce(changed);
    },
    async write(account) {
      const bytes = printAccount(account);
      await documents.set(keyOf(account.id), bytes);
      putWritten(account, bytes);
      announce([account.id]);
    },
    async amend(id, alter, { isAnnounced = true } = {}) {
      let after: Account | undefined;
      let isOthers = false;
      let written: Uint8Array | undefined;
      await update(documents, keyOf(id), (bytes) => {
        isOthers = ingest(id, bytes, null);
        const before = index.get(id);
        after = before && alter(before);
        written = after && after !== before ? printAccount(after) : undefined;
        return written;
      });
      if (after && written) putWritten(after, written);
      if (isOthers || (written && isAnnounced)) announce([id]);
      return after;
    },
    async remove(id) {
      await documents.remove(keyOf(id));
      if (drop(id)) announce([id]);
    },
    isCurrent(id) {
      if (!documents.stamp) return true;
      const before = index.stored(id)?.stamp;
      if (!before) return false;
      if (seenInTurn.get(id) === before) return true;
      const now = documents.stamp(keyOf(id));
      if (now === null || !isSameStamp(before, now)) return false;
      if (seenInTurn.size === 0) setImmediate(() => seenInTurn.clear());
      seenInTurn.set(id, before);
      return true;
    },
    problems: () => [...broken.values()],
  };

  /** The file's stamp is unknown: others may have written since. */
  function putWritten(account: Account, bytes: Uint8Array): void {
    broken.delete(account.id);
    index.put(account.id, { account: Object.freeze({ ...account }), digest: digestOf(bytes), stamp: null });
  }

  function drop(id: number): boolean {
    broken.delete(id);
    return index.remove(id);
  }

  /** @returns whether the account was changed, added or removed */
  async function read(id: number): Promise<boolean> {
    const stamp = documents.stamp?.(keyOf(id)) ?? null;
    return ingest(id, await documents.get(keyOf(id)), stamp && Date.now() - stamp.ctimeMs > racyMs ? stamp : null);
  }

  /** Ingests a document. @returns whether its account was changed, added or removed */
  function ingest(id: number, bytes: Uint8Array | null, stamp: Stamp | null): boolean {
    if (bytes === null) return drop(id);
    const digest = digestOf(bytes);
    const before = index.stored(id);
    if (before?.digest === digest) {
      index.put(id, { ...before, stamp });
      return false;
    }
    try {
      index.put(id, { account: Object.freeze(readAccount(id, Buffer.from(bytes).toString('utf8'))), digest, stamp });
      broken.delete(id);
      return true;
    } catch (error) {
      broken.set(id, brokenDocument(keyOf(id), error));
      if (before) index.put(id, { ...before, stamp });
      return false;
    }
  }
}

async function update(
  documents: TrustedDocuments,
  key: string,
  alter: (bytes: Uint8Array | null) => Uint8Array | undefined,
): Promise<void> {
  if (documents.update) return documents.update(key, alter);
  const bytes = alter(await documents.get(key));
  if (bytes) await documents.set(key, bytes);
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

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** The document is not quoted: it contains secrets. */
function brokenDocument(key: string, error: unknown): Problem {
  const message = error instanceof SyntaxError ? 'is not valid JSON' : error instanceof Error ? error.message : 'cannot be read';
  return { path: `.cms/private/${key}`, line: 1, column: 1, severity: 'error', rule: 'account', message };
}
