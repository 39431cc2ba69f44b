#!/usr/bin/env node
/**
 * Import of a large export: seconds and highest memory of the reader alone, of `cms import` into a new folder, and of a second
 * run that finds everything done. The file is made here, in the shape the real systems write (`test/support/wxr.ts`).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from './options.mjs';

const usage = `usage: node bench/import.mjs [options]     (npm run build first)
  --items N    items of the export (default 50000)
  --mb N       its size in megabytes, about (default 200)
  --dir DIR    where it is made (default: the system's temporary folder)
  --build DIR  the build that is measured (default: dist)`;

const { values } = readOptions(
  {
    options: {
      items: { type: 'string', default: '50000' },
      mb: { type: 'string', default: '200' },
      dir: { type: 'string', default: tmpdir() },
      build: { type: 'string', default: 'dist' },
    },
  },
  usage,
);

const project = resolve(import.meta.dirname, '..');
const built = resolve(project, values.build);
const base = mkdtempSync(join(values.dir, 'cms-import-'));
process.env.CMS_STATE_DIR = join(base, 'state');
try {
  const file = join(base, 'export.xml');
  await writeExport(file, Number(values.items), Number(values.mb));
  console.log(`${values.items} items, ${megabytes(statSync(file).size)} MB, node ${process.version}`);
  const rows = [
    ['reading, first pass', ...measure(reading(file, 'survey'))],
    ['reading, second pass', ...measure(reading(file, 'write'))],
    ['cms import into a new folder', ...measure(importing(file))],
    ['cms import once more', ...measure(importing(file))],
  ];
  for (const [name, seconds, memory] of rows) console.log(`${name.padEnd(30)} ${seconds.padStart(7)} s ${memory.padStart(6)} MB`);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function writeExport(file, items, mb) {
  // The generator is part of the tests; Node 20 does not read TypeScript.
  const from = join(project, 'test/support/wxr.ts');
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [
      compiler,
      from,
      '--ignoreConfig',
      '--outDir',
      base,
      '--module',
      'esnext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--typeRoots',
      join(project, 'node_modules/@types'),
      '--noCheck',
    ],
    { stdio: 'inherit' },
  );
  const module = join(base, 'wxr.mjs');
  renameSync(join(base, 'wxr.js'), module);
  const { wxrCorpus } = await import(pathToFileURL(module).href);
  // An item is some 1,450 bytes beside its body; a fifth of them are attachments without one.
  const bodyBytes = Math.max(0, Math.round(((mb * 1e6) / items - 1450) / 0.8));
  const out = createWriteStream(file);
  for (const part of wxrCorpus({ items, bodyBytes })) if (!out.write(part)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}

function reading(file, pass) {
  return `
    import { wxrImporter } from ${JSON.stringify(pathToFileURL(join(built, 'transfer/sources/wxr.js')).href)};
    const path = ${JSON.stringify(file)};
    const source = await wxrImporter.open({ source: path, path, scratch: '', keepGoing: false });
    for await (const _ of source.items(${JSON.stringify(pass)}));`;
}

function importing(file) {
  return `
    import { main, processIo } from ${JSON.stringify(pathToFileURL(join(built, 'cli/main.js')).href)};
    const code = await main(['import', ${JSON.stringify(file)}, '--into', ${JSON.stringify(join(base, 'site'))}, '--no-media'], processIo);
    if (code !== 0) throw new Error('exit ' + code);`;
}

/** Runs a program in a process of its own. @returns seconds from start to end, highest resident memory */
function measure(program) {
  const watched = `${program}\nprocess.stdout.write('\\n' + JSON.stringify([performance.now() / 1000, process.resourceUsage().maxRSS]));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', watched], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const [seconds, kilobytes] = JSON.parse(stdout.split('\n').at(-1));
  return [seconds.toFixed(1), megabytes(kilobytes * 1024)];
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0);
}
