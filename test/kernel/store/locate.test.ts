/** Where remarks stand in their files. */
import { describe, expect, it } from 'vitest';
import type { PlacedRemark } from '../../../src/kernel/model/remark.ts';
import { locate } from '../../../src/kernel/store/locate.ts';
import { cpuMs } from '../../support/long-texts.ts';

const path = 'posts/a.md';
const remark = (keys: PlacedRemark['keys'], onKey = true): PlacedRemark => ({
  ...{ path, keys, severity: 'warning', rule: 'unknown-key', message: 'unknown key' },
  ...(onKey ? { onKey: true as const } : {}),
});

async function placesIn(text: string, ...remarks: PlacedRemark[]) {
  const found = await locate(remarks, async () => Buffer.from(text));
  return found.map(({ line, column, source }) => [line, column, source]);
}

describe('the position of an error', () => {
  it('is the key, not the same word elsewhere', async () => {
    const text = '---\nmenu:\n  a:\n    colour: 1\ncolour: red\n---\ncolour: in the text\n';
    expect(await placesIn(text, remark(['colour']))).toEqual([[5, 1, 'colour: red']]);
    expect(await placesIn(text, remark(['colour'], false))).toEqual([[5, 9, 'colour: red']]);
  });

  it('is the key in an unparsable file', async () => {
    expect(await placesIn('---\ntitle: [\ncolour: red\n---\n', remark(['colour']))).toEqual([[3, 1, 'colour: red']]);
  });

  it('is the start if there is no such key', async () => {
    expect(await placesIn('---\ntitle: [\n---\n', remark(['colour']))).toEqual([[1, 1, '---']]);
  });

  it('ignores a byte order mark and line endings', async () => {
    expect(await placesIn('\ufeff---\r\ncolour: red\r\n---\r\n', remark(['colour']))).toEqual([[2, 1, 'colour: red']]);
  });
});

const many = Array.from({ length: 40_000 }, (_, at) => at);
it.each([
  ['YAML', `---\n${many.map((at) => `key${at}: 1\n`).join('')}---\n`],
  ['TOML', `+++\n${many.map((at) => `key${at} = 1\n`).join('')}+++\n`],
  ['JSON', `{\n${many.map((at) => `"key${at}": 1`).join(',\n')}\n}\n`],
])('as many errors as keys take linear time in %s', async (_name, text) => {
  const remarks = many.map((at) => remark([`key${at}`]));
  let found: Awaited<ReturnType<typeof placesIn>> = [];
  const spent = await cpuMs(async () => {
    found = await placesIn(text, ...remarks);
  });
  expect([found[0]?.slice(0, 2), found.at(-1)?.slice(0, 2)]).toEqual([
    [2, 1],
    [40_001, 1],
  ]);
  expect(spent).toBeLessThan(10_000);
});
