import { describe, expect, it } from 'vitest';
import { parseYaml, YamlFault } from '../../../src/kernel/yaml/parse.ts';
import { cpuMs } from '../../support/long-texts.ts';

describe('scalars are numbers, booleans or null only in their canonical spelling', () => {
  it.each([
    ['0', 0],
    ['-3', -3],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-0', '-0'],
    ['007', '007'],
    ['+1', '+1'],
    ['1.0', '1.0'],
    ['1e3', '1e3'],
    ['0x1F', '0x1F'],
    ['0o7', '0o7'],
    ['1_000', '1_000'],
    ['12:30', '12:30'],
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
    ['.inf', '.inf'],
    ['.nan', '.nan'],
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['yes', 'yes'],
    ['no', 'no'],
    ['on', 'on'],
    ['', null],
    ['null', 'null'],
    ['~', '~'],
    ['NULL', 'NULL'],
    ["'42'", '42'],
    ['"true"', 'true'],
    ["''", ''],
    ['!!str 42', '42'],
    ['!!int 42', 42],
    ['!custom x', 'x'],
    ['<<', '<<'],
    ['|\n  a\n  b', 'a\nb\n'],
    ['>-\n  a\n  b', 'a b'],
    ['[a, 1, ]', ['a', 1]],
    ['{a: 1, b: }', { a: 1, b: null }],
    ['\n  - a\n  -\n  - - b', ['a', null, ['b']]],
  ])('%j', (written, value) => {
    expect(parseYaml(`key: ${written}\n`)).toEqual({ key: value });
  });

  it('keys are strings as written', () => {
    expect(parseYaml('42: a\ntrue: b\n"q": c\nnull: d\n<<: {x: 1}\nconstructor: e\n')).toEqual({
      42: 'a',
      true: 'b',
      q: 'c',
      null: 'd',
      '<<': { x: 1 },
      constructor: 'e',
    });
  });

  it.each(['', '\n', '# nothing\n', '---\n', '--- # x\n'])('%j is empty', (text) => expect(parseYaml(text)).toEqual({}));

  it('aliases are copies', () => {
    const data = parseYaml('a: &x [1, {b: 2}]\nc: *x\n');
    expect(data).toEqual({ a: [1, { b: 2 }], c: [1, { b: 2 }] });
    expect(data.a).not.toBe(data.c);
  });

  it('a version directive changes nothing', () =>
    expect(parseYaml('%YAML 1.1\n---\na: no\n<<: {b: 1}\n')).toEqual({ a: 'no', '<<': { b: 1 } }));
});

describe('errors', () => {
  it.each([
    ['a: b: c\n', 'yaml-syntax'],
    ['a: "open\n', 'yaml-syntax'],
    ['a: [1, 2\n', 'yaml-syntax'],
    ['\ta: 1\n', 'yaml-syntax'],
    ['a: @x\n', 'yaml-syntax'],
    ['a: 1\n---\nb: 2\n', 'yaml-syntax'],
    ['a: 1\nb: 2\na: 3\n', 'yaml-duplicate-key', 10],
    ['a:\n  b: 1\n  b: 2\n', 'yaml-duplicate-key', 12],
    ['a: {b: 1, b: 2}\n', 'yaml-duplicate-key', 10],
    ['just text\n', 'yaml-not-a-map', 0],
    ['- a\n', 'yaml-not-a-map', 0],
    ['[a]: 1\n', 'yaml-key'],
    ['__proto__: {polluted: 1}\n', 'yaml-key', 0],
    ['a: {__proto__: 1}\n', 'yaml-key', 4],
    ['a: *none\n', 'yaml-alias', 3],
    ['a: &x [*x]\n', 'yaml-alias', 7],
    [`a: ${'['.repeat(5000)}`, 'yaml-depth'],
    [`${'- '.repeat(5000)}a`, 'yaml-depth'],
    ['}\n'.repeat(100_000), 'yaml-syntax'],
  ])('%#', (text, rule, offset?: number) => {
    let fault: unknown;
    try {
      parseYaml(text);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(YamlFault);
    expect((fault as YamlFault).rule).toBe(rule);
    if (offset !== undefined) expect((fault as YamlFault).offset).toBe(offset);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('aliases that expand to too much data are rejected', () => {
    const lines = [...'bcdefgh'].map((key, at) => `${key}: &${key} [${`*${'abcdefg'[at]},`.repeat(9)}]\n`);
    const bomb = `a: &a [1,1,1,1,1,1,1,1,1]\n${lines.join('')}`;
    expect(() => parseYaml(bomb)).toThrow('Names (`*name`) that repeat one another multiply into too much data.');
  });

  it('large maps and many aliases take linear time', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `k${index}: *a\n`).join('');
    const parsed = (): void => expect(Object.keys(parseYaml(`a: &a 1\n${many}`))).toHaveLength(20_001);
    expect(await cpuMs(parsed)).toBeLessThan(10_000);
  });

  it('many errors take linear time', async () => {
    const many = 100_000;
    const text = (sign: string) => `title: "${sign.repeat(many)}"`;
    const read = (): void => expect(Object.keys(parseYaml(text('\\n')))).toEqual(['title']);
    const fail = (): void => expect(() => parseYaml(text('\\q'))).toThrow(YamlFault);
    await cpuMs(read);
    expect(await cpuMs(fail)).toBeLessThan(15 * Math.max(await cpuMs(read), 50));
  });
});

it('stack traces are enabled again after a text with errors', () => {
  expect(() => parseYaml('title: [,,]')).toThrow(YamlFault);
  expect(new Error('later').stack).toContain('parse.test.ts');
});
