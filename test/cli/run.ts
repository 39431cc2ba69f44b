/** Runs a command line in process and holds what it said. */
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export async function run(line: readonly string[], { cwd = tmpdir(), env = {}, input = '' }: RunOptions = {}): Promise<Ran> {
  const { io, said } = pretend({ cwd, env }, input);
  const status = await main(line, io);
  return { status, out: said.out.join('\n'), err: said.err.join('\n') };
}

/** An Io that keeps what is said. */
export function pretend(
  overrides: Partial<Io> = {},
  input = '',
): { readonly io: Io; readonly said: { out: string[]; err: string[]; drawn: string[] } } {
  const said = { out: [] as string[], err: [] as string[], drawn: [] as string[] };
  const io: Io = {
    out: (line) => void said.out.push(line),
    err: (line) => void said.err.push(line),
    draw: (line) => void said.drawn.push(line),
    env: {},
    cwd: tmpdir(),
    terminal: { out: false, err: false },
    stopped: () => new Promise(() => {}),
    input: async () => input,
    secret: async () => input.split('\n', 1)[0] ?? '',
    ...overrides,
  };
  return { io, said };
}

/** A fresh folder; it goes with the run's. */
export async function temporary(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cms-cli-'));
}

/** A new site and its administrator's application password. */
export async function newSite(...flags: readonly string[]): Promise<{ readonly dir: string; readonly password: string }> {
  const dir = join(await temporary(), 'site');
  const { status, out, err } = await run(['init', dir, ...flags]);
  if (status !== 0) throw new Error(err);
  return { dir, password: out };
}

/** Every file below a folder by path, as text. `.cms/` is left out unless asked for. */
export async function filesIn(dir: string, { own = false } = {}): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  const kept = paths.filter((path) => own || !path.startsWith('.cms/')).sort();
  return Object.fromEntries(
    await Promise.all(kept.map(async (path) => [path, await readFile(join(dir, path), 'utf8')] as const)),
  );
}
