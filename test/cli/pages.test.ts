/** What the pages on writing and upgrading tell people to type does what they say, beside a running server. */
import { execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type PageStep, stepsOf } from '../../bench/page-steps.mjs';
import { sample } from '../support/sample-site.ts';
import { builtProgram } from '../support/program-build.ts';
import { until } from '../support/site.ts';
import { run, temporary } from './run.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Anna'],
    [`GIT_${who}_EMAIL`, 'anna@example.com'],
  ]),
);

/** A folder with the program in its path. */
async function desk(): Promise<{ readonly dir: string; readonly type: (text: string) => Promise<string> }> {
  const dir = await temporary();
  const { main } = await builtProgram();
  const bin = join(dir, 'bin');
  await mkdir(bin);
  const program = `const { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);\n`;
  await writeFile(join(bin, 'cms.mjs'), program);
  await writeFile(join(bin, 'cms'), `#!/bin/sh\nexec '${process.execPath}' '${join(bin, 'cms.mjs')}' "$@"\n`);
  await chmod(join(bin, 'cms'), 0o755);
  const env = { ...process.env, ...identity, PATH: `${bin}:${process.env.PATH}` };
  return {
    dir,
    async type(text) {
      const { stdout } = await promisify(execFile)('bash', ['-ec', text], { cwd: dir, env });
      return stdout;
    },
  };
}

async function commands(page: string): Promise<readonly (PageStep & { readonly run: string })[]> {
  const steps = stepsOf(await readFile(join(docs, page), 'utf8'));
  return steps.filter((step): step is PageStep & { run: string } => step.run !== undefined);
}

it('writing', async () => {
  const { dir, type } = await desk();
  const content = join(dir, 'content');
  await cp(sample, content, { recursive: true });
  await type('git init -q content && git -C content add --all && git -C content commit -qm Begin');
  const server = spawn(join(dir, 'bin/cms'), ['serve', 'content', '--port', '0'], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    await until(() => said.includes('serving content'));
    const read = (path: string): Promise<string> => readFile(join(content, path), 'utf8').catch(() => '');
    const done: string[] = [];
    for (const { heading, run: text } of await commands('writing.md')) {
      await type(text);
      done.push(heading);
      if (heading === 'Write a post') await until(async () => /^id: \d+$/m.test(await read('posts/2026/11/the-quay.md')));
      if (heading === 'Write a post') await until(() => read('terms/tag/quay.yaml'));
      if (heading === 'Add a picture') await until(() => read('media/2026/11/quay.png.yaml'));
      if (heading === 'Move a post')
        await until(async () => (await read('posts/2026/11/the-long-quay.md')).includes('- the-quay\n'));
    }
    expect([...new Set(done)]).toEqual(['Write a post', 'Add a picture', 'Move a post', 'Draft or schedule', 'Undo']);
    const post = await read('posts/2026/11/the-long-quay.md');
    expect(post).toContain('date: 2040-01-01T08:00:00\n');
    expect(post).toContain('featured_media: 2026/11/quay.png\n');
    expect(post).not.toContain('too many');
    expect((await run(['validate', content])).status).toBe(0);
  } finally {
    server.kill('SIGKILL');
  }
});

it('upgrading', async () => {
  const { dir, type } = await desk();
  await cp(sample, join(dir, 'my-site'), { recursive: true });
  const steps = await commands('upgrading.md');
  expect(steps.length).toBeGreaterThan(0);
  for (const { run: text } of steps) expect(await type(text)).toMatch(/^\d+\.\d+\.\d+$/m);
});
