import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the environment is read in one place', () => {
  const src = join(import.meta.dirname, '../../src');
  const readers = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && readFileSync(join(src, name), 'utf8').includes('process.env'),
  );
  expect(readers).toEqual([join('kernel', 'environment.ts')]);
});
