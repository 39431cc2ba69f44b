/** Refusals: declared once, each raised somewhere, each explained in docs/errors.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { basic, extended } from '../../src/deployments.ts';
import { type ErrorRow, errors as ofKernel } from '../../src/kernel/errors.ts';

const root = resolve(import.meta.dirname, '../..');
const src = join(root, 'src');
const errors: Readonly<Record<string, ErrorRow>> = Object.assign(
  {},
  ofKernel,
  ...[...basic, ...extended].map((module) => module.errors ?? {}),
);
const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('/errors.ts'))
  // A comment raises nothing.
  .map((name) => readFileSync(join(src, name), 'utf8').replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, ''));

describe('every refusal', () => {
  it('is raised somewhere', () => {
    const named = new Set(texts.flatMap((text) => text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []));
    expect(Object.keys(errors).filter((code) => !named.has(code))).toEqual([]);
  });

  it('is declared in an errors.ts, whose lines count as raising nothing', () => {
    expect(texts.filter((text) => text.includes('interface ModuleErrors'))).toEqual([]);
  });

  it('is declared if it is raised', () => {
    const raised = texts.flatMap((text) =>
      [...text.matchAll(/\b(?:fail|invalid|RestError)\(\s*'(\w+)'|\bcode: '(\w+)'/g)].map(([, code, other]) => code ?? other),
    );
    expect(raised.length).toBeGreaterThan(200);
    expect([...new Set(raised)].filter((code) => !Object.hasOwn(errors, code as string))).toEqual([]);
  });

  it('is in docs/errors.md with its status', () => {
    const rows = readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^- ((?:`\w+`(?:, )?)+) (\S+): .+$/gm);
    const documented = [...rows].flatMap(([, codes = '', status]) =>
      codes.split(', ').map((code) => [code.slice(1, -1), status]),
    );
    const declared = Object.entries(errors).map(([code, { status }]) => [code, status === 'auth' ? '401/403' : String(status)]);
    expect(documented.sort()).toEqual(declared.sort());
  });
});
