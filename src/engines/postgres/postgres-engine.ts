/**
 * A content engine in PostgreSQL. Whatever changes something is one statement, so one transaction that no lost connection can leave
 * open and that a pooler in transaction mode passes on whole. Nothing but hints needs a session.
 *
 * Commits that come while others are on their way go together in the next statement: the lock of the one row and the flush of the
 * database's log are paid once for all of them.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { etagOf } from '../../kernel/yaml/codec.ts';
import {
  type Changes,
  type Committed,
  type ContentEngine,
  EngineAwayError,
  type EngineCommit,
  type StoredFile,
  UnsettledError,
} from '../../kernel/store/content-engine.ts';
import { privateFolder } from '../shared-documents.ts';
import { kindOf } from '../../kernel/store/paths.ts';
import { BusyError, StaleWriteError } from '../../kernel/store/types.ts';
import { type Location, readLocation } from './location.ts';
import { type Migration, migrations } from './migrations.ts';
import { createPrepared } from './prepared.ts';
import { connectMs, createSession } from './session.ts';

/** The schema is not what this program needs; the message says what to do. */
export class SchemaError extends Error {}

export interface PostgresEngine extends ContentEngine {
  /** @throws SchemaError */
  checkSchema(): Promise<void>;
  /** Carries out the migrations that are missing. @returns what they were @throws SchemaError */
  migrate(): Promise<readonly string[]>;
}

/** No statement of ours takes as long on a database that works. */
const statementMs = 30_000;
/** Questions that a request waits for. */
const askMs = 5000;
/** How long a commit whose connection was lost is asked after. */
const settleMs = 8000;
const settleEveryMs = 200;
/** Commits that wait. */
const maxWaiting = 256;
const mostTogether = 64;
const mostTogetherBytes = 8 * 1024 * 1024;
/** A statement has at most 65,535 parameters, one for each content. */
const mostTogetherEdits = 10_000;
/** What the short question for changes brings: few files, all of them short. */
const [fewRows, shortBytes] = [64, 64 * 1024];
/** Of one answer, but that a commit comes whole: more would take longer than a request waits. */
const rowsAtOnce = 1000;
const bytesAtOnce = 4 * 1024 * 1024;
/** What removed files were is known so long. */
const keptMs = 24 * 3600_000;
const trimEveryMs = 10 * 60_000;

interface Row {
  readonly path: string;
  readonly etag: string | null;
  readonly size: string;
  readonly seq: string;
  readonly time_ms: string;
  readonly bytes: Buffer | null;
}

interface ChangeRow extends Row {
  readonly now: string;
  readonly trimmed: string;
  /** By the short question: the bytes are not here. */
  readonly is_long?: boolean;
  /** By the long one: the last commit that is here, and whether it is the last of all. */
  readonly upto?: string | null;
  readonly is_latest?: boolean;
}

interface Waiting {
  readonly commit: EngineCommit;
  readonly bytes: number;
  done(committed: Committed): void;
  failed(error: unknown): void;
}

/**
 * @param known  migrations of this version
 * @throws LocationError
 */
export function createPostgresEngine(address: string, known: readonly Migration[] = migrations): PostgresEngine {
  const newest = (known.at(-1) as Migration).number;
  const location = readLocation(address);
  const schema = `"${location.schema}"`;
  const pool = new pg.Pool({
    ...location.pool,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    allowExitOnIdle: true,
  });
  // Of connections that nobody uses: whoever asks next gets another one.
  pool.on('error', () => undefined);
  const waiting: Waiting[] = [];
  let isSending = false;
  let isClosed = false;
  let trimmedAt = performance.now();
  const session = createSession(location, askMs);
  const prepared = createPrepared(location.isNotified);
  const lastCommit = `select seq from ${schema}.position where only_row`;
  const fewChanges = fewChangesSql(schema);

  /** @throws EngineAwayError when the database cannot be asked; pg.DatabaseError when it refuses */
  function query<R extends object>(sql: string, values: unknown[] = [], timeoutMs = statementMs, name?: string): Promise<R[]> {
    const config = { name, text: sql, values, query_timeout: timeoutMs } as pg.QueryConfig;
    return told(async () => (await pool.query<R>(config)).rows);
  }

  async function told<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw isAway(error) ? new EngineAwayError(`${location.name}: ${(error as Error).message}`, { cause: error }) : error;
    }
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    const alone: Waiting[] = [];
    while (waiting.length + alone.length > 0) {
      const some = alone.length > 0 ? alone.splice(0, 1) : take(waiting);
      try {
        await carryOut(some);
      } catch (error) {
        // The connection may have been lost after the commit: each is asked after by itself.
        if (isUnsettled(error)) await Promise.all(some.map((one) => settleLost(one, error as EngineAwayError)));
        // What the database refuses is refused to the one that asks for it: the others go without it.
        else if (some.length > 1 && error instanceof pg.DatabaseError) alone.push(...some);
        else for (const one of some) one.failed(error);
      }
    }
    isSending = false;
    if (performance.now() - trimmedAt > trimEveryMs) await trim();
  }

  async function carryOut(some: readonly Waiting[]): Promise<void> {
    const contents: Uint8Array[] = [];
    const commits = some.map(({ commit: { id, seen, edits, claims = [] } }) => ({
      id,
      seen,
      claims,
      edits: edits.map(({ path, expect, bytes }) => ({
        path,
        ...(expect === undefined ? {} : { expect }),
        etag: bytes === null ? null : etagOf(bytes),
        at: bytes === null ? null : contents.push(bytes),
        text: kindOf(path) !== 'blob',
      })),
    }));
    const [row] = await query<{ outcomes: readonly { seq?: number | null; time?: number; stale?: string }[] }>(
      // As a parameter each, contents are sent as they are; as one list they would be text, twice as long.
      `select ${schema}.commit_all($1::jsonb, array[${contents.map((_, at) => `$${at + 2}`).join()}]::bytea[]) as outcomes`,
      [JSON.stringify(commits), ...contents],
    );
    for (const [at, { seq, time, stale }] of (row?.outcomes ?? []).entries()) {
      if (typeof seq === 'number' && time !== undefined) some[at]?.done({ seq, timeMs: time });
      else some[at]?.failed(new StaleWriteError(stale ?? ''));
    }
  }

  async function settleLost(one: Waiting, lost: EngineAwayError): Promise<void> {
    const until = performance.now() + settleMs;
    for (;;) {
      try {
        const outcome = await settle(one.commit.id);
        return outcome === null ? one.failed(lost) : one.done(outcome);
      } catch (error) {
        if (!(error instanceof EngineAwayError)) return one.failed(error);
        if (performance.now() > until || isClosed) return one.failed(new UnsettledError(error));
      }
      await pause(settleEveryMs);
    }
  }

  /** What became of a commit. One that has not been carried out by now never is. @throws EngineAwayError */
  async function settle(id: string): Promise<Committed | null> {
    const [row] = await query<{ seq: string | null; time_ms: string }>(`select * from ${schema}.settle($1)`, [id], askMs);
    return row === undefined || row.seq === null ? null : { seq: Number(row.seq), timeMs: Number(row.time_ms) };
  }

  async function trim(): Promise<void> {
    trimmedAt = performance.now();
    await query(`select ${schema}.trim_before(${schema}.now_ms() - $1)`, [keptMs]).catch(() => undefined);
  }

  async function changes(since: number): Promise<Changes | null> {
    const short = await prepared(fewChanges, (name) => query<ChangeRow>(fewChanges, [since], askMs, name));
    const isWhole = short.length < fewRows && short.every(({ is_long }) => !is_long);
    const rows = isWhole ? short : await query<ChangeRow>(changesSql(schema), [since], askMs);
    const [first] = rows;
    if (first === undefined || Number(first.trimmed) > since) return null;
    const files = rows.flatMap((row) => (row.path === null ? [] : [toFile(row)]));
    const isLatest = isWhole || first.is_latest === true;
    return { seq: Number(isLatest ? first.now : first.upto), isLatest, files };
  }

  return {
    name: location.name,
    position: () => told(async () => Number((await session.ask(lastCommit))[0] ?? 0)),
    changes,
    ...(location.isNotified ? { hints: (listener) => session.listen((seq) => listener(Number(seq))) } : {}),
    list: (visit, has = 0) => listFrom(location, visit, has),
    async read(paths) {
      const rows = await query<Row>(
        `select path, etag, size, seq, time_ms, bytes from ${schema}.file where path = any($1::text[]) and etag is not null`,
        [paths],
      );
      return new Map(rows.map((row) => [row.path, toFile(row)]));
    },
    commit: (commit) =>
      new Promise((done, failed) => {
        if (isClosed) return failed(new EngineAwayError(`${location.name}: closed`));
        if (waiting.length >= maxWaiting) return failed(new BusyError('too many commits wait for the engine'));
        const bytes = commit.edits.reduce((sum, edit) => sum + (edit.bytes?.length ?? 0), 0);
        waiting.push({ commit, bytes, done, failed });
        // What else is asked for in this turn goes along.
        setImmediate(() => void send());
      }),
    async reserve(above, count) {
      const rows = await query<{ space: string; ends: string }>(`select space, ends from ${schema}.reserve($1::jsonb, $2)`, [
        JSON.stringify(above),
        count,
      ]);
      return Object.fromEntries(rows.map(({ space, ends }) => [space, Number(ends)]));
    },
    async lease(name, holder, forMs) {
      const rows = await query(
        `insert into ${schema}.lease as l (name, holder, until) values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (name) do update set holder = excluded.holder, until = excluded.until
         where l.holder = excluded.holder or l.until < clock_timestamp() returning 1`,
        [name, holder, forMs],
        askMs,
      );
      return rows.length > 0;
    },
    async checkSchema() {
      const present = await schemaNumber();
      refuseNewer(present);
      if (present === newest) return;
      const state = present === 0 ? 'not set up' : `at migration ${present} of ${newest}`;
      throw new SchemaError(`${location.name} is ${state}: run cms engine migrate`);
    },
    async migrate() {
      const client = await pool.connect().catch((error: unknown) => {
        throw new EngineAwayError(`${location.name}: ${(error as Error).message}`, { cause: error });
      });
      try {
        await client.query('begin');
        // Of this transaction, so that two that migrate at once do so one after the other.
        await client.query('select pg_advisory_xact_lock(hashtext($1))', [`cms ${location.schema}`]);
        const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [location.schema]);
        if (rows.length === 0) await client.query(`create schema ${schema}`);
        await client.query(
          `create table if not exists ${schema}.migration (number int primary key, made_at timestamptz not null default now())`,
        );
        const { rows: made } = await client.query<{ number: number }>(`select number from ${schema}.migration`);
        refuseNewer(Math.max(0, ...made.map(({ number }) => number)));
        const missing = known.filter(({ number }) => !made.some((row) => row.number === number));
        for (const { number, sql } of missing) {
          await client.query(sql(schema));
          await client.query(`insert into ${schema}.migration (number) values ($1)`, [number]);
        }
        await client.query('commit');
        client.release();
        return missing.map(({ number, what }) => `${number}: ${what}`);
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    async close() {
      isClosed = true;
      await session.close();
      await pool.end();
    },
  };

  /** @throws SchemaError */
  function refuseNewer(present: number): void {
    if (present > newest)
      throw new SchemaError(
        `${location.name} is at migration ${present}, which a newer version has made; this version knows ${newest}`,
      );
  }

  async function schemaNumber(): Promise<number> {
    const [found] = await query<{ is: boolean }>('select to_regclass($1) is not null as is', [`${location.schema}.migration`]);
    if (!found?.is) return 0;
    const [row] = await query<{ number: number | null }>(`select max(number) as number from ${schema}.migration`);
    return row?.number ?? 0;
  }
}

/**
 * Single rows are called so, by `limit`: a database that has no statistics yet expects thousands in each table, finds the question
 * expensive, and compiles it before each answer, which takes a hundred times as long as the answer.
 */
const position = (schema: string): string => `p as (select seq, trimmed from ${schema}.position limit 1)`;

/** Few files that are all short, which is what there mostly is. Planned once for a session. */
export const fewChangesSql = (schema: string): string => `with ${position(schema)}
  select p.seq as now, p.trimmed, f.*
  from p left join lateral (
    select path, etag, size, seq, time_ms, is_text and size > ${shortBytes} as is_long,
      case when is_text and size <= ${shortBytes} then bytes end as bytes
    from ${schema}.file where seq > $1 order by seq, path limit ${fewRows}
  ) f on true order by f.seq, f.path`;

/** In parts of whole commits. */
export const changesSql = (schema: string): string => `with ${position(schema)},
    ahead as (select seq, path, case when is_text then size else 0 end as size
      from ${schema}.file where seq > $1 order by seq, path limit ${rowsAtOnce}),
    counted as (select seq, row_number() over way as n, sum(size) over way as total from ahead window way as (order by seq, path)),
    upto as (select max(seq) as seq from counted where n = 1 or total <= ${bytesAtOnce}),
    last as (select seq from ${schema}.file order by seq desc limit 1)
  select p.seq as now, p.trimmed, f.path, f.etag, f.size, f.seq, f.time_ms, case when f.is_text then f.bytes end as bytes,
    upto.seq as upto, not coalesce((select seq from last) > upto.seq, false) as is_latest
  from p cross join upto left join ${schema}.file f on f.seq > $1 and f.seq <= upto.seq order by f.seq, f.path`;

export const listSql = (schema: string): string => `with ${position(schema)}
  select p.seq as now, f.path, f.etag, f.size, f.seq, f.time_ms,
    case when f.is_text and (f.seq > $1 or starts_with(f.path, '${privateFolder}')) then f.bytes end as bytes
  from p left join ${schema}.file f on f.etag is not null`;

export const newCommitId = (): string => randomUUID();

function take(waiting: Waiting[]): Waiting[] {
  let [count, bytes, edits] = [0, 0, 0];
  for (const one of waiting) {
    bytes += one.bytes;
    edits += one.commit.edits.length;
    if (count === mostTogether || (count > 0 && (bytes > mostTogetherBytes || edits > mostTogetherEdits))) break;
    count++;
  }
  return waiting.splice(0, count);
}

function toFile({ path, etag, size, seq, time_ms, bytes }: Row): StoredFile {
  return { path, etag, size: Number(size), seq: Number(seq), timeMs: Number(time_ms), bytes };
}

/**
 * Every file by one statement, so as of one commit. Rows are read while the database still sends, on a connection of its own: by pages,
 * each of the two would wait for the other.
 */
async function listFrom(
  { name, schema, pool }: Location,
  visit: Parameters<ContentEngine['list']>[0],
  has: number,
): Promise<number> {
  const client = new pg.Client({ ...pool, connectionTimeoutMillis: connectMs });
  let [seq, some] = [0, [] as StoredFile[]];
  try {
    await client.connect();
    await new Promise<void>((done, failed) => {
      const silent = setTimeout(() => failed(new Error('no answer')), statementMs);
      const end = (settle: () => void) => (): void => {
        clearTimeout(silent);
        settle();
      };
      const query = new pg.Query<Row & { readonly now: string }>(listSql(`"${schema}"`), [has]);
      client.on('error', (error) => end(() => failed(error))());
      query.on('error', (error) => end(() => failed(error))()).on('end', end(done));
      query.on('row', (row) => {
        silent.refresh();
        seq = Number(row.now);
        if (row.path !== null) some.push(toFile(row));
        if (some.length < rowsAtOnce) return;
        visit(some);
        some = [];
      });
      client.query(query);
    });
    if (some.length > 0) visit(some);
    return seq;
  } catch (error) {
    throw isAway(error) ? new EngineAwayError(`${name}: ${(error as Error).message}`, { cause: error }) : error;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Whether an error says nothing of the statement: the connection is gone, or the database is ending, starting, full or read-only. */
function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(?:08|25006|53|57P|58)/.test(error.code ?? '');
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}

/** Whether a statement may have been carried out all the same: it was sent, and no answer says that it was not. */
function isUnsettled(error: unknown): boolean {
  if (!(error instanceof EngineAwayError)) return false;
  const { cause } = error;
  // A database that is ended may have made the transaction durable before it says so.
  if (cause instanceof pg.DatabaseError) return /^(?:08|57P01|57P02)/.test(cause.code ?? '');
  const { code, message } = cause as NodeJS.ErrnoException;
  return code !== 'ECONNREFUSED' && code !== 'ENOENT' && !/trying to connect/.test(message);
}
