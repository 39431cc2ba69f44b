import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/kernel/model/schema.ts';
import { validateValue } from '../../../src/kernel/rest/validate.ts';
import { cleanLines, cleanText, cleanUri, coerceValue } from '../../../src/kernel/rest/coerce.ts';

const integers: Schema = { type: 'array', items: { type: 'integer' } };
const terms: Schema = {
  type: ['object', 'array'],
  oneOf: [
    { type: 'array', items: { type: 'integer' } },
    { type: 'object', properties: { terms: integers, include_children: { type: 'boolean' } }, additionalProperties: false },
  ],
};

describe('coerceValue', () => {
  it.each<[unknown, Schema, unknown]>([
    ['1,2', integers, [1, 2]],
    ['1, 2 3', integers, [1, 2, 3]],
    [7, integers, [7]],
    [{ 3: '9' }, integers, [9]],
    [null, integers, []],
    ['a,b', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
    ['12', { type: 'integer' }, 12],
    ['1e3', { type: 'integer' }, 1000],
    ['-3.9', { type: 'integer' }, -3],
    ['99999999999999999999', { type: 'integer' }, Number.MAX_SAFE_INTEGER],
    [null, { type: 'integer' }, 0],
    ['1.5', { type: 'number' }, 1.5],
    ['true', { type: 'boolean' }, true],
    ['False', { type: 'boolean' }, false],
    ['0', { type: 'boolean' }, false],
    [0, { type: 'boolean' }, false],
    [null, { type: 'boolean' }, false],
    [null, { type: 'string' }, ''],
    [' <b>x</b> ', { type: 'string' }, ' <b>x</b> '],
    [null, { type: ['string', 'null'], format: 'date-time' }, null],
    ['2023-01-01T00:00:00', { type: ['string', 'null'], format: 'date-time' }, '2023-01-01T00:00:00'],
    ['', { type: ['object', 'string'] }, ''],
    ['', { type: 'object' }, {}],
    [[], { type: 'object' }, {}],
    [
      { a: '1', b: '1', c: '1' },
      { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: { type: 'boolean' } },
      { a: 1, b: true, c: true },
    ],
    [{ a: '1', b: '1' }, { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }, { a: 1 }],
    [
      { a: '1', b: '1' },
      { type: 'object', properties: { a: { type: 'integer' } } },
      { a: 1, b: '1' },
    ],
    [{ x1: '1' }, { type: 'object', patternProperties: { '^x': { type: 'integer' } } }, { x1: 1 }],
    ['1,2', terms, [1, 2]],
    [{ terms: '1,2', include_children: 'true' }, terms, { terms: [1, 2], include_children: true }],
    ['5', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 5],
    ['x', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'x'],
    ['<i>a</i>  b', { type: 'string', format: 'text-field' }, 'a b'],
    ['<a title="x > y">z</a>', { type: 'string', format: 'text-field' }, 'z'],
    ['a<script>b</script>c<style >d</style>e<!-- b -->f', { type: 'string', format: 'text-field' }, 'acef'],
    ['a <br> b\nc', { type: 'string', format: 'textarea-field' }, 'a  b\nc'],
    ['#abcg', { type: 'string', format: 'hex-color' }, ''],
    ['https;//example.org/', { type: 'string', format: 'uri' }, 'https://example.org/'],
    ['example.org/a b', { type: 'string', format: 'uri' }, 'http://example.org/a%20b'],
    [' a@b.org ', { type: 'string', format: 'email' }, 'a@b.org'],
    [{ any: 1 }, {}, { any: 1 }],
  ])('%j as %j', (value, schema, expected) => {
    expect(coerceValue(value, schema, 'p')).toEqual(expected);
  });

  it('never assigns to a prototype', () => {
    const value = coerceValue(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1},"a":1}'), { type: 'object' }, 'p');
    expect(Object.keys(value as object)).toEqual(['a']);
    expect((value as { x?: number }).x).toBeUndefined();
  });

  it('never throws, is idempotent and keeps valid values valid', () => {
    const schemas: Schema[] = [
      integers,
      terms,
      { type: 'boolean' },
      { type: 'string', format: 'text-field' },
      { type: ['integer', 'string'] },
      { type: 'object' },
    ];
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...schemas), (value, schema) => {
        const once = coerceValue(value, schema, 'p');
        expect(coerceValue(once, schema, 'p')).toEqual(once);
        // An empty list fits both members of `oneOf`, so it may stop being valid.
        if (!schema.oneOf && validateValue(value, schema, 'p') === null) expect(validateValue(once, schema, 'p')).toBeNull();
      }),
    );
  });
});

describe('texts', () => {
  it.each([
    ['a\n b\t c', 'a b c'],
    ['<script>x()</script>y', 'y'],
    ['a < b', 'a < b'],
    ['a <b', 'a &lt;b'],
    ['50%ab off %%4141', '50 off'],
    ['<<b>script>x', '&lt;script>x'],
    ['<!-- x -->y', 'y'],
  ])('cleanText %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('cleanText keeps lines', () => {
    expect(cleanLines('a\n\n<p>b</p>\n')).toBe('a\n\nb');
  });

  it.each([
    ['https://example.org/?a[]=1&b=ü', 'https://example.org/?a%5B%5D=1&b=ü'],
    ['http://[::1]/x[1]', 'http://[::1]/x%5B1%5D'],
    ['example.org', 'http://example.org'],
    ['/path', '/path'],
    ['#top', '#top'],
    ['?p=1', '?p=1'],
    ['mailto:a@b.org', 'mailto:a@b.org'],
    ['javascript:alert(1)', ''],
    [' JaVaScRiPt:alert(1)', ''],
    ['java\tscript:alert(1)', ''],
    ['x:javascript&#58;alert(1)', ''],
    ['data:text/html,x', ''],
    ['http://a/%0%0dd%0A<b>"', 'http://a/b'],
    ['', ''],
  ])('cleanUri %j', (text, clean) => {
    expect(cleanUri(text)).toBe(clean);
  });
});
