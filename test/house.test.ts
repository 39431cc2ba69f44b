/** What holds for the source and the tests as a whole. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { circles, lookupsOfObjects, sharedTypeNames, sourceFiles, unusedExports } from '../bench/source.mjs';
import { features } from '../bench/without.mjs';
import { alone, every, long, projects } from '../vitest.config.ts';

const files = sourceFiles();
const editor = sourceFiles('editor');

describe('the source', () => {
  it('has no circular imports', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(circles(files)).toEqual([]);
    expect(editor.length).toBeGreaterThan(50);
    expect(circles(editor)).toEqual([]);
  });

  it('exports a type by a name of its own', () => {
    expect(sharedTypeNames(files)).toEqual([]);
    const one = { name: 'a.ts', lines: 1, text: 'export interface Tree {}' };
    const other = { name: 'b.ts', lines: 1, text: 'export class Tree {}' };
    const again = { name: 'c.ts', lines: 1, text: "export type { Tree } from './b.ts';" };
    expect(sharedTypeNames([one, again])).toEqual([]);
    expect(sharedTypeNames([one, other, again])).toEqual(['Tree: a.ts, b.ts']);
  });

  it('exports only what another file imports', () => {
    expect(unusedExports(files)).toEqual([]);
    expect(unusedExports([{ name: 'a.ts', lines: 1, text: 'export const a = 1, b = 2;' }])).toEqual(['a.ts a', 'a.ts b']);
  });

  it('looks up names only in tables without a prototype', () => {
    // `{ left: 1 }[word]` answers to `constructor`: a table is made with `table` of kernel/model/maps.ts, or is a Map.
    expect(lookupsOfObjects(files)).toEqual([]);
    const bad = {
      name: 'a.ts',
      lines: 3,
      text: "const names = { left: 1 };\nexport const of = (word: string) => names[word as 'left'];\nexport const or = (word: string) => ({ a: 1 })[word];",
    };
    expect(lookupsOfObjects([bad])).toEqual(['a.ts:2 names', 'a.ts:3 { a: 1 }']);
    const within =
      'function of(word: string) {\n  const names: Readonly<Record<string, number>> = { left: 1 };\n  return names[word];\n}';
    expect(lookupsOfObjects([{ name: 'b.ts', lines: 4, text: within }])).toEqual(['b.ts:3 names']);
  });

  it('has no button in the editor that loses the focus by being disabled', () => {
    const disabled = (text: string): boolean => /<button\b(?:[^<>]|=>)*\sdisabled\b/.test(text);
    expect(disabled('<button class="main" onClick={() => run()} disabled={isBusy}>')).toBe(true);
    expect(editor.filter(({ text }) => disabled(text)).map(({ name }) => name)).toEqual([]);
  });

  it('says email, as everybody who sends it does', () => {
    // Of pages in other languages, words are theirs.
    const said = files.filter(({ name }) => !name.startsWith('modules/website/words/')).concat(editor);
    const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const texts = ['README.md', ...docs.map((name) => `docs/${name}`)].map((name) => ({
      name,
      text: readFileSync(name, 'utf8'),
    }));
    expect([...said, ...texts].filter(({ text }) => /\b[Ee]-mail/.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('uses only Node features of the supported versions', () => {
    // Of signs beyond ASCII it says the opposite once it is hot (Node 20): `isUrl` of `kernel/model/addresses.ts`.
    const asking = files.filter(({ text }) => /URL\.canParse\(/.test(text)).map(({ name }) => name);
    expect(asking).toEqual([]);
  });

  it('has each feature that the bench leaves out where the bench looks for it', () => {
    const texts = new Map(files.map(({ name, text }) => [name, text]));
    const found = Object.entries(features).map(([name, { file, code }]) => [
      name,
      (texts.get(file) ?? '').split(code).length - 1,
    ]);
    expect(found).toEqual(Object.keys(features).map((name) => [name, 1]));
  });

  it('has every test file in exactly one project', () => {
    const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((path) => `test/${path}`);
    const tests = paths.filter((path) => path.endsWith('.test.ts')).sort();
    const { include, exclude } = projects.quick;
    // Of the patterns there is one, of all.
    expect(include).toEqual([every]);
    const declared = [...alone, ...long];
    expect([...declared, ...tests.filter((path) => !exclude.includes(path))].sort()).toEqual(tests);
  });
});
