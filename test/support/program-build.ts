/**
 * The program, bundled from these sources once in a run, by the first test that needs it: as `npm run build` makes it, a process spends
 * most of a short life on reading four hundred modules.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { buildFolder } from './run-folder.ts';
import { until } from './site.ts';

const src = resolve(import.meta.dirname, '../../src');
/** What is started by its path. */
const entries = ['cli/main', 'render/render-worker', 'render/render-worker-thread'];

export interface Built {
  /** Paths of modules. */
  readonly main: string;
  readonly renderWorker: string;
}

export async function builtProgram(): Promise<Built> {
  const build = buildFolder(tmpdir());
  // As deep as `dist/cli`, from where the program finds its package.
  const dir = join(build, 'cli');
  const done = join(build, 'done');
  if (mkdirSync(dir, { recursive: true }) !== undefined) {
    const bundle = await rolldown({
      input: entries.map((name) => join(src, `${name}.ts`)),
      platform: 'node',
      external: ['sharp'],
    });
    await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
    await bundle.close();
    writeFileSync(done, '');
  }
  await until(() => existsSync(done), 60_000);
  return { main: join(dir, 'main.js'), renderWorker: join(dir, 'render-worker.js') };
}
