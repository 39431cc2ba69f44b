import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhp, printMetaValue, printPhp, readMetaValue } from '../../../src/transfer/sources/wxr/php-values.ts';
import { parseYaml } from '../../../src/kernel/yaml/parse.ts';
import { printMap } from '../../../src/kernel/yaml/print.ts';
import '../../support/seed.ts';

describe('serialized values', () => {
  const rows: readonly [what: string, text: string, value: unknown][] = [
    ['a list', 'a:2:{i:0;s:1:"a";i:1;i:7;}', ['a', 7]],
    ['an empty list', 'a:0:{}', []],
    ['a map', 'a:2:{s:4:"name";s:5:"Größe";s:2:"on";b:1;}', null],
    ['a map, lengths in bytes', 'a:2:{s:4:"name";s:7:"Größe";s:2:"on";b:1;}', { name: 'Größe', on: true }],
    ['a map with numbers as keys', 'a:1:{i:5;N;}', { 5: null }],
    ['nested', 'a:1:{s:1:"x";a:1:{i:0;a:1:{s:1:"y";b:0;}}}', { x: [{ y: false }] }],
    ['quotes and ends inside of a text', 'a:1:{i:0;s:6:"";}";a";}', ['";}";a']],
  ];
  for (const [what, text, value] of rows) {
    it(`parses ${what}`, () => {
      expect(readMetaValue(text).value).toEqual(value ?? text);
      if (value !== null) expect(printMetaValue(value)).toBe(text);
    });
  }

  const kept: readonly [what: string, text: string, why: string | undefined][] = [
    ['plain text', 'hello', undefined],
    ['a scalar', 's:1:"x";', undefined],
    ['a whole number', 'i:5;', undefined],
    ['an object', 'O:8:"stdClass":1:{s:1:"a";i:1;}', 'object'],
    ['an object inside', 'a:1:{i:0;O:8:"stdClass":0:{}}', 'object'],
    ['one that unserialises itself', 'a:1:{i:0;C:3:"Foo":2:{xx}}', 'object'],
    ['a reference', 'a:2:{i:0;i:1;i:1;R:2;}', 'object'],
    ['a decimal, which files keep as text', 'a:1:{i:0;d:0.1;}', undefined],
    ['keys out of order, which objects here do not keep', 'a:2:{i:9;i:1;i:3;i:2;}', undefined],
    ['a key given twice', 'a:2:{s:1:"a";i:1;s:1:"a";i:2;}', undefined],
    ['a number not in its shortest form', 'a:1:{i:0;i:007;}', undefined],
    ['a number too large', 'a:1:{i:0;i:99999999999999999;}', undefined],
    ['a wrong length', 'a:1:{i:0;s:9:"x";}', 'damaged'],
    ['a length beyond the end', 'a:1:{i:0;s:99999999:"x";}', 'damaged'],
    ['a count beyond the end', 'a:99999999:{i:0;i:1;}', 'damaged'],
    ['text behind it', 'a:0:{} and so on', 'damaged'],
    ['cut off', 'a:1:{i:0;s:3:"ab', 'damaged'],
    ['a key that would be the prototype', 'a:1:{s:9:"__proto__";i:1;}', undefined],
    ['too deep', `${'a:1:{i:0;'.repeat(60)}i:1;${'}'.repeat(60)}`, undefined],
    ['endlessly deep', 'a:1:{i:0;'.repeat(100_000), undefined],
  ];
  for (const [what, text, why] of kept) {
    it(`leaves ${what} unchanged`, () => {
      expect(readMetaValue(text)).toEqual(why === undefined ? { value: text } : { value: text, kept: why });
    });
  }

  const scalar = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar,
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,3}$/)), tie('tree'), { maxKeys: 5 }),
    ),
  }));

  it('round-trip, also through a file', () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), (value) => {
        const text = printMetaValue(value);
        const { value: read } = readMetaValue(text);
        expect(printMetaValue(read)).toBe(text);
        const filed = parseYaml(`${printMap({ meta: read }).join('\n')}\n`).meta;
        expect(printMetaValue(filed)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('fail only with known errors, in linear time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a:', '1:', '{', '}', 'i:', '0;', 's:', '"', 'N;', 'b:', 'O:', '9', ';'), { maxLength: 60 }),
        (parts) => {
          const text = `a:1:{${parts.join('')}`;
          const { value } = readMetaValue(text);
          if (typeof value === 'object') expect(printPhp(value)).toBe(text);
        },
      ),
    );
    const long = `a:1:{i:0;s:4000000:"${'é'.repeat(2_000_000)}";}`;
    expect(parsePhp(long)).toEqual(['é'.repeat(2_000_000)]);
  });
});
