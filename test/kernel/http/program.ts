/** `cms serve` as a program of its own, built from these sources: for tests of what a process does, and of how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '../../support/program-build.ts';
import { until } from '../../support/site.ts';

export interface Program {
  /** What runs the command line. */
  readonly path: string;
  /** Starts a server and waits until it answers. */
  serve(line: readonly string[], options?: ServeOptions): Promise<Served>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Of node. */
  readonly flags?: readonly string[];
}

export interface Served {
  readonly process: ChildProcess;
  /** Lines on standard error. */
  readonly said: string[];
  readonly url: string;
  /** Resolves with the status or signal it ended by. */
  readonly ended: Promise<number | string>;
}

/** @param prelude  runs before the command line does */
export async function buildProgram(prelude = ''): Promise<Program> {
  const { main } = await builtProgram();
  const folder = await mkdtemp(join(tmpdir(), 'cms-program-'));
  const program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `${prelude}
     const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const running = new Set<ChildProcess>();
  return {
    path: program,
    async serve(line, { env = {}, flags = [] } = {}) {
      const child = spawn(process.execPath, [...flags, program, 'serve', '--port', '0', ...line], {
        env: { ...process.env, NODE_OPTIONS: '', ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.add(child);
      const said: string[] = [];
      child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
      const ended = new Promise<number | string>((done) => child.once('exit', (code, signal) => done(code ?? signal ?? 1)));
      void ended.then(() => running.delete(child));
      const url = await until(() => /http:\/\/[\d.:]+/.exec(said.join('\n'))?.[0]);
      return { process: child, said, url, ended };
    },
    async close() {
      for (const child of running) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
