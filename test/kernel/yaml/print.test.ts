import fc from 'fast-check';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parse as parseAsYaml12 } from 'yaml';
import { parseYaml } from '../../../src/kernel/yaml/parse.ts';
import { plain } from '../../../src/kernel/model/plain.ts';
import { isSame, printMap, toStored } from '../../../src/kernel/yaml/print.ts';
import { anyMap, anyText } from '../store/generators.ts';
import { cpuMs } from '../../support/long-texts.ts';

// A reader of YAML 1.1, which gray-matter brings along: what other tools of our users make of a file.
const yaml11 = createRequire(createRequire(import.meta.url).resolve('gray-matter'))('js-yaml') as {
  safeLoad(text: string): unknown;
};

const print = (map: Record<string, unknown>) =>
  printMap(map)
    .map((line) => `${line}\n`)
    .join('');

describe('printing', () => {
  it.each([
    ['text', 'k: text\n'],
    ['two words', 'k: two words\n'],
    ['no', "k: 'no'\n"],
    ['1e3', "k: '1e3'\n"],
    ['12:30', "k: '12:30'\n"],
    ['2024', "k: '2024'\n"],
    ['2026-03-01', "k: '2026-03-01'\n"],
    [plain('2026-03-01T10:00:00'), 'k: 2026-03-01T10:00:00\n'],
    [plain('no'), "k: 'no'\n"],
    ['', "k: ''\n"],
    [' x', "k: ' x'\n"],
    ["it's", "k: it's\n"],
    ["it's: so", 'k: "it\'s: so"\n'],
    ['C:\\x', 'k: C:\\x\n'],
    ['a\tb', 'k: "a\\tb"\n'],
    ['\ud800', 'k: "\\ud800"\n'],
    ['\ud83d\ude00', 'k: \ud83d\ude00\n'],
    ['one\ntwo', 'k: |-\n  one\n  two\n'],
    ['one\n', 'k: |\n  one\n'],
    ['a\n\nb\n\n', 'k: |+\n  a\n\n  b\n\n'],
    ['  a\nb', 'k: |2-\n    a\n  b\n'],
    ['\n', 'k: "\\n"\n'],
    [0, 'k: 0\n'],
    [-3, 'k: -3\n'],
    [1.5, 'k: 1.5\n'],
    [true, 'k: true\n'],
    [null, 'k:\n'],
    [[], 'k: []\n'],
    [{}, 'k: {}\n'],
    [undefined, ''],
    [['a', 'b'], 'k:\n  - a\n  - b\n'],
    [[['a'], [], { x: 1, z: [2] }, null], 'k:\n  - - a\n  - []\n  - x: 1\n    z:\n      - 2\n  -\n'],
    [{ a: { b: 1 } }, 'k:\n  a:\n    b: 1\n'],
  ])('%j', (value, text) => expect(print({ k: value })).toBe(text));

  it.each([[Number.NaN], [Symbol('x')], [() => 1], [new Date(0)], [JSON.parse('{"__proto__": 1}')], [new Map()]])(
    'rejects %s',
    (value) => {
      expect(() => toStored(value)).toThrow(TypeError);
    },
  );

  it('uses explicit keys for very long ones', () => {
    const key = 'k'.repeat(2000);
    const text = printMap({ [key]: { [key]: 1 } }).join('\n');
    expect(text.startsWith(`? ${key}\n:\n  ? ${key}\n  : 1`)).toBe(true);
    expect(parseYaml(text)).toEqual({ [key]: { [key]: 1 } });
  });

  it('takes linear time for a million line endings', async () => {
    const text = `${'\n'.repeat(1_000_000)}x`;
    expect(await cpuMs(() => printMap({ text }))).toBeLessThan(5000);
  });

  it('rejects cycles', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => toStored(cycle)).toThrow(TypeError);
  });
});

it('parse(print(x)) is x', () => {
  fc.assert(
    fc.property(anyMap, (map) => {
      expect(parseYaml(print(map))).toEqual(map);
    }),
    { numRuns: 1500 },
  );
});

it('YAML 1.1 and 1.2 parsers read the same strings', () => {
  const texts = fc.oneof(
    anyText,
    fc.stringMatching(/^[-+.0-9:_eExXoObTZ]{1,8}$/),
    fc.constantFrom('ON', 'Y', 'Null', 'OFF', '.Inf', '0b1', '1:2:3', '2001-1-1', '=', '1,000'),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const printed = print({
        key: text,
        list: [text],
        [text === 'key' || text === 'list' || text === '__proto__' ? 'other' : text]: 1,
      });
      const seen = { key: text, list: [text] };
      expect(parseAsYaml12(printed)).toMatchObject(seen);
      expect(yaml11.safeLoad(printed)).toMatchObject(seen);
    }),
    { numRuns: 1500 },
  );
});

it('equality ignores the order of keys', () => {
  expect(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
  expect(isSame({ a: 1 }, { a: '1' })).toBe(false);
  expect(isSame([], {})).toBe(false);
  expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
});
