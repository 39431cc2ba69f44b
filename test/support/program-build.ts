/**
 * The program as it is published (`build/bundle.mjs`), from these sources, once in a run, by the first test that needs it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../build/bundle.mjs';
import { buildFolder } from './run-folder.ts';
import { until } from './site.ts';

export interface Built {
  /** Paths of modules. */
  readonly main: string;
  readonly renderWorker: string;
}

export async function builtProgram(): Promise<Built> {
  // As deep as `dist`, from where the program finds its package.
  const dir = buildFolder(tmpdir());
  const turn = join(tmpdir(), 'program-build');
  const done = join(turn, 'done');
  if (mkdirSync(turn, { recursive: true }) !== undefined) {
    await build(dir, ['render/render-worker']);
    writeFileSync(done, '');
  }
  await until(() => existsSync(done), 60_000);
  return { main: join(dir, 'cli/main.js'), renderWorker: join(dir, 'render/render-worker.js') };
}
