/**
 * Private data of commenters: email address, IP address, user agent. Stored in the private mount, a hundred comments to a document (`comments/<id /
 * 100>.json`), so that writes are small and a start reads few files.
 *
 * Reads come from memory; a document is read again before it is written, because another process may have changed it.
 */
import { problemOf } from '../../kernel/store/problems.ts';
import { createQueue } from '../../kernel/store/queue.ts';
import type { Problem, TrustedDocuments } from '../../kernel/store/types.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Data that only moderators see. */
    readonly commenters: Commenters;
  }
}

export interface Commenter {
  readonly email: string;
  readonly ip: string;
  readonly agent: string;
}

export interface Commenters {
  get(comment: number): Commenter | undefined;
  /** Comments with an email address, ignoring case. */
  withEmail(email: string): ReadonlySet<number>;
  /** Comments whose email or IP address contains a text. Cost: O(all). */
  containing(text: string): number[];
  /** Resolves when it is on disk. */
  keep(comment: number, commenter: Commenter): Promise<void>;
  /** The same for many: one write per document. */
  keepAll(commenters: ReadonlyMap<number, Commenter>): Promise<void>;
  forget(comments: readonly number[]): Promise<void>;
  /** Ingests another process's changes of a document. */
  reread(key: string): Promise<void>;
  /** Records the arrival of a comment, whatever its date. @param at  milliseconds since the epoch */
  arrived(comment: number, at: number): void;
  /** Ids of comments that arrived in this process within the last minute. */
  arrivedSince(at: number): readonly number[];
  /** Runs tasks one after another, so that checks (duplicates, floods) still hold when they write. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  problems(): readonly Problem[];
}

const BLOCK = 100;
const MINUTE_MS = 60_000;
const none: ReadonlySet<number> = new Set();

export async function createCommenters(documents: TrustedDocuments): Promise<Commenters> {
  const known = new Map<number, Commenter>();
  const byEmail = new Map<string, Set<number>>();
  const faults = new Map<string, Problem>();
  let arrivals: readonly { readonly comment: number; readonly at: number }[] = [];
  const writes = createQueue();
  const turns = createQueue();

  for (const key of await documents.keys('comments/')) {
    for (const [id, commenter] of (await read(key)) ?? []) put(id, commenter);
  }

  return {
    get: (comment) => known.get(comment),
    withEmail: (email) => byEmail.get(fold(email)) ?? none,
    containing: (text) =>
      [...known].flatMap(([id, { email, ip }]) => (fold(email).includes(fold(text)) || ip.includes(text) ? [id] : [])),
    keep: (comment, commenter) => change(keyOf(comment), [[comment, commenter]]),
    keepAll: (commenters) => changeAll([...commenters]),
    forget: (comments) => changeAll(comments.flatMap((id): [number, undefined][] => (known.has(id) ? [[id, undefined]] : []))),
    reread: (key) =>
      writes.run(async () => {
        const block = await read(key);
        if (!block) return;
        for (const id of knownIn(key).keys()) if (!block.has(id)) put(id, undefined);
        for (const [id, commenter] of block) put(id, commenter);
      }),
    arrived(comment, at) {
      arrivals = [...arrivals.filter((one) => one.at > at - MINUTE_MS), { comment, at }];
    },
    arrivedSince: (at) => arrivals.flatMap((one) => (one.at > at ? [one.comment] : [])),
    alone: (work) => turns.run(work),
    problems: () => [...faults.values()],
  };

  async function changeAll(changes: readonly (readonly [number, Commenter | undefined])[]): Promise<void> {
    const blocks = new Map<string, (readonly [number, Commenter | undefined])[]>();
    for (const one of changes) blocks.set(keyOf(one[0]), [...(blocks.get(keyOf(one[0])) ?? []), one]);
    for (const [key, some] of blocks) await change(key, some);
  }

  function change(key: string, changes: readonly (readonly [number, Commenter | undefined])[]): Promise<void> {
    return writes.run(async () => {
      const alter = (bytes: Uint8Array | null): Uint8Array | null => {
        const block = parse(key, bytes) ?? knownIn(key);
        for (const [id, commenter] of changes) {
          if (commenter) block.set(id, commenter);
          else block.delete(id);
        }
        return block.size === 0 ? null : Buffer.from(`${JSON.stringify(Object.fromEntries(block))}\n`);
      };
      if (documents.update) await documents.update(key, alter);
      else {
        const bytes = alter(await documents.get(key));
        await (bytes === null ? documents.remove(key) : documents.set(key, bytes));
      }
      for (const [id, commenter] of changes) put(id, commenter);
    });
  }

  /** What is known of those in a document. */
  function knownIn(key: string): Map<number, Commenter> {
    const first = Number(/\d+/.exec(key)?.[0]) * BLOCK;
    const found = new Map<number, Commenter>();
    for (let id = first; id < first + BLOCK; id++) {
      const commenter = known.get(id);
      if (commenter) found.set(id, commenter);
    }
    return found;
  }

  function put(id: number, commenter: Commenter | undefined): void {
    const before = known.get(id);
    if (before) byEmail.get(fold(before.email))?.delete(id);
    known.delete(id);
    if (!commenter) return;
    known.set(id, commenter);
    const email = fold(commenter.email);
    if (email !== '') byEmail.set(email, (byEmail.get(email) ?? new Set()).add(id));
  }

  async function read(key: string): Promise<Map<number, Commenter> | null> {
    return parse(key, await documents.get(key));
  }

  /** One document; null if unreadable, which is reported without quoting personal data. */
  function parse(key: string, bytes: Uint8Array | null): Map<number, Commenter> | null {
    if (bytes === null) return new Map();
    try {
      const data = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, Partial<Commenter>>;
      const entries = Object.entries(data).map(([id, { email, ip, agent }]): [number, Commenter] => [
        Number(id),
        { email: text(email), ip: text(ip), agent: text(agent) },
      ]);
      faults.delete(key);
      return new Map(entries);
    } catch {
      faults.set(key, problemOf(`.cms/private/${key}`, { rule: 'commenters', message: 'is not valid JSON' }));
      return null;
    }
  }
}

function keyOf(comment: number): string {
  return `comments/${Math.floor(comment / BLOCK)}.json`;
}

function fold(email: string): string {
  return email.trim().toLowerCase();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
