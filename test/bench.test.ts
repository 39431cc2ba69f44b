/** The measuring programs say what they can do. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../bench');
const run = (name: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, name), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};
const programs = readdirSync(folder).filter(
  (name) => name.endsWith('.mjs') && /readOptions\(|parseArgs\(/.test(readFileSync(join(folder, name), 'utf8')),
);

it.each(programs.filter((name) => name !== 'options.mjs'))('%s tells its usage', { timeout: 60_000 }, (name) => {
  const { status, stdout, stderr } = run(name, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`node bench/${name}`);
});

it('a measuring program refuses an option that it does not have, in one line', { timeout: 60_000 }, () => {
  expect(run('editor.mjs', '--clients', '4')).toEqual({
    status: 2,
    stdout: '',
    stderr: "editor.mjs: Unknown option '--clients' (see --help)\n",
  });
});
