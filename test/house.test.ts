/**
 * Measures of the house. What exceeded them when they were set stands in `house.open.json`, with how much: the list only becomes
 * shorter, and its numbers only smaller. `node bench/house.mjs --open` writes what is left of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exceeding, functions, type Measure, sourceFiles } from '../bench/source.mjs';
import { alone, every, long, projects } from '../vitest.config.ts';

const open = JSON.parse(readFileSync(join(import.meta.dirname, 'house.open.json'), 'utf8')) as ReturnType<typeof exceeding>;
const files = sourceFiles();
const measured = exceeding(files);

describe('the house', () => {
  it('is measured', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(functions(files).length).toBeGreaterThan(2000);
  });

  it.each(Object.keys(measured) as Measure[])('keeps its bounds: %s', (measure) => {
    const grown = Object.entries(measured[measure]).filter(([name, count]) => count > (open[measure][name] ?? 0));
    expect(Object.fromEntries(grown)).toEqual({});
    // What keeps its bound now leaves the list.
    expect(Object.keys(open[measure]).filter((name) => !(name in measured[measure]))).toEqual([]);
  });

  it('asks nothing of Node that is not so', () => {
    // Of signs beyond ASCII it says the opposite once it is hot (Node 20): `isUrl` of `kernel/model/addresses.ts`.
    const asking = files.filter(({ text }) => /URL\.canParse\(/.test(text)).map(({ name }) => name);
    expect(asking).toEqual([]);
  });

  it('runs every file of tests once', () => {
    const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((path) => `test/${path}`);
    const tests = paths.filter((path) => path.endsWith('.test.ts')).sort();
    const { include, exclude } = projects.quick;
    // Of the patterns there is one, of all.
    expect(include).toEqual([every]);
    const declared = [...alone, ...long];
    expect([...declared, ...tests.filter((path) => !exclude.includes(path))].sort()).toEqual(tests);
  });
});
