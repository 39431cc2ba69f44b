/**
 * A connection that is used for nothing long: for the question that others wait for before they are answered, and for hints by LISTEN.
 * Where hints do not come, as through a pooler, nobody misses them.
 */
import pg from 'pg';
import type { Location } from './location.ts';
import { createPrepared } from './prepared.ts';

export const connectMs = 3000;
const listenAgainMs = 2000;

interface QuickSession {
  /** Sent in the turn in which it is asked, if the connection is there. @returns the values of the first row */
  ask(sql: string): Promise<readonly string[]>;
  /** @param listener  gets what is told @returns ends it */
  listen(listener: (told: string) => void): () => void;
  close(): Promise<void>;
}

/** @param askMs  how long an answer may take */
export function createSession({ pool, schema, isNotified }: Location, askMs: number): QuickSession {
  const listeners = new Set<(told: string) => void>();
  const prepared = createPrepared(isNotified);
  let client: pg.Client | null = null;
  let opening: Promise<pg.Client> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function open(): Promise<pg.Client> {
    opening ??= connect().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function connect(): Promise<pg.Client> {
    const own = new pg.Client({
      ...pool,
      pipeline: true,
      query_timeout: askMs,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const end = (): void => {
      if (client === own) client = null;
      own.end().catch(() => undefined);
    };
    const lost = (): void => {
      end();
      clearTimeout(timer);
      if (!isClosed) timer = setTimeout(hear, listenAgainMs).unref();
    };
    own.on('error', lost).on('end', lost);
    own.on('notification', ({ payload = '' }) => {
      for (const listener of listeners) listener(payload);
    });
    try {
      await own.connect();
    } catch (error) {
      lost();
      throw error;
    }
    if (isClosed) end();
    else client = own;
    hear();
    return own;
  }

  function hear(): void {
    if (isClosed || listeners.size === 0) return;
    if (client === null) open().catch(() => undefined);
    else client.query(`listen "${schema}"`).catch(() => undefined);
  }

  return {
    ask(text) {
      const question = (own: pg.Client) =>
        prepared(text, async (name) => (await own.query<string[]>({ name, text, rowMode: 'array' })).rows[0] ?? []);
      if (isClosed) return Promise.reject(new Error('closed'));
      return client === null ? open().then(question) : question(client);
    },
    listen(listener) {
      listeners.add(listener);
      hear();
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      listeners.clear();
      await client?.end().catch(() => undefined);
    },
  };
}
