import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const filesWith = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && pattern.test(readFileSync(join(root, folder, name), 'utf8')),
  );

it('the environment is read in one place', () => {
  expect(filesWith('src', /process\.env/)).toEqual([join('kernel', 'environment.ts')]);
});

// Test files share a process: what one sets, another must not meet, and another object in its place is not the one that is read.
it('tests change it with vi.stubEnv', () => {
  const change = /process\.env(?:\.\w+|\[[^\]\n]+\])?\s*=[^=>]|delete process\.env|assign\(process\.env/;
  expect(change.test('process.env = { ...saved };') && change.test('delete process.env[name]')).toBe(true);
  // Before any test runs.
  expect(filesWith('test', change)).toEqual([join('kernel', 'environment.test.ts'), join('support', 'run-folder.ts')]);
});
