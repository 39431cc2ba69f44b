/** A PostgreSQL of its own for tests, in a temporary folder, where it is installed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, chownSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface Postgres {
  /** Of a database, with its own schema for each name. */
  address(schema?: string): string;
  readonly port: number;
  /** As after a failure of the machine, but that the disk has kept what it was told to keep. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Whether it has not ended by itself. */
  runs(): boolean;
  stop(): Promise<void>;
  /** Runs a statement as the owner. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
}

const root = '/usr/lib/postgresql';
const shared = existsSync('/dev/shm') ? '/dev/shm' : '/tmp';
const bin = existsSync(root)
  ? readdirSync(root)
      .map((version) => join(root, version, 'bin'))
      .find((dir) => existsSync(join(dir, 'initdb')))
  : undefined;

/** Why there is none; null: there is one. */
export const missingPostgres: string | null =
  bin === undefined ? 'PostgreSQL is not installed (Debian: apt-get install postgresql)' : null;

/** The user whose programs refuse to run as root, where this is root; its files are elsewhere than those of the run. */
export const databaseOwner = (): { readonly uid: number; readonly gid: number } | null =>
  process.getuid?.() === 0 ? ownerOf('postgres') : null;

/** Where that user gets to. */
export const databaseFolder = (): string => (databaseOwner() === null ? tmpdir() : (process.env.CMS_TEST_POSTGRES_DIR ?? shared));

/**
 * @param within  where its data are made; it may write there
 * @param options  of `initdb`
 * @throws where it is missing, or does not start
 */
export async function startPostgres(within?: string, options: readonly string[] = []): Promise<Postgres> {
  if (bin === undefined) throw new Error(missingPostgres as string);
  const tools = bin;
  const owner = databaseOwner();
  const dir = mkdtempSync(join(within ?? databaseFolder(), 'cms-pg-'));
  if (owner !== null) chownSync(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const port = await freePort();
  execFileSync(join(tools, 'initdb'), ['-D', data, '-U', 'cms', '-A', 'trust', '--no-locale', '-E', 'UTF8', ...options], {
    ...(owner ?? {}),
    cwd: dir,
    stdio: 'pipe',
  });
  // Memory that is shared goes with the folder, also of a server that is killed.
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=60', 'shared_buffers=32MB', 'dynamic_shared_memory_type=mmap'];
  let server: ChildProcess | null = null;
  process.once('exit', () => server?.kill('SIGKILL'));

  async function start(): Promise<void> {
    const began = spawn(
      join(tools, 'postgres'),
      ['-D', data, '-p', String(port), '-k', dir, ...settings.flatMap((setting) => ['-c', setting])],
      { ...(owner ?? {}), cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    server = began;
    let said = '';
    for (const stream of [began.stdout, began.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()));
    for (;;) {
      // Its processes end a little later than the one that was killed.
      if (began.exitCode !== null && said.includes('is still in use')) return start();
      if (began.exitCode !== null) throw new Error(`PostgreSQL has not started: ${said}`);
      const answer = await run('select 1').catch(() => null);
      if (answer !== null) return;
      await pause(50);
    }
  }

  async function ended(signal: NodeJS.Signals): Promise<void> {
    const one = server;
    server = null;
    if (one === null || one.exitCode !== null || one.signalCode !== null) return;
    const exit = new Promise((resolve) => one.once('exit', resolve));
    one.kill(signal);
    await exit;
  }

  async function run(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'cms', database: 'postgres' });
    try {
      await client.connect();
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  await start();
  return {
    port,
    address: (schema = 'cms') => `postgres://cms@127.0.0.1:${port}/postgres?schema=${schema}`,
    kill: () => ended('SIGKILL'),
    start,
    runs: () => server !== null && server.exitCode === null && server.signalCode === null,
    async stop() {
      await ended('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
    run,
  };
}

function ownerOf(name: string): { readonly uid: number; readonly gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`));
  const [, , uid, gid] = (line ?? '').split(':').map(Number);
  if (!uid || !gid) throw new Error(`there is no user ${name}`);
  return { uid, gid };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { readonly port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
