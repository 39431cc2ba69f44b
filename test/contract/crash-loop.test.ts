/** `kill -9` under twenty writers, a few times; `npm run test:crash` does it ten thousand times. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crashLoop } from '../../bench/crash-loop.mjs';
import { newSite, run, temporary } from '../cli/run.ts';
import { builtProgram } from '../support/program-build.ts';
import { until } from '../support/site.ts';

it.each([
  ['one process', '1', 4],
  ['workers', '2', 2],
])(
  'killing %s loses no acknowledged write',
  async (_, workers, cycles) => {
    const { dir, password } = await newSite();
    const { main } = await builtProgram();
    const program = join(await temporary(), 'cms.mjs');
    await writeFile(
      program,
      `const { main, processIo } = await import(${JSON.stringify(main)}); process.exitCode = await main(process.argv.slice(2), processIo);`,
    );
    const acknowledged = await crashLoop({
      dir,
      cycles,
      headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
      async start() {
        const child = spawn(process.execPath, [program, 'serve', dir, '--port', '0', '--workers', workers], {
          detached: true,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        const ended = new Promise((done) => child.once('exit', done));
        const url = await until(() => /serving \S+ at (http:\/\/[\d.:]+)/.exec(said)?.[1], 60_000);
        const stop = (): Promise<unknown> => {
          child.kill('SIGTERM');
          return ended;
        };
        return { url, pid: child.pid as number, ended, stop };
      },
    });
    expect(acknowledged).toBeGreaterThan(0);
    expect(await run(['validate', dir])).toMatchObject({ status: 0 });
  },
  120_000,
);
