import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeParams, parseQuery, printQuery } from '../../../src/kernel/rest/params.ts';

describe('parseQuery', () => {
  it.each([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=&b', { a: '', b: '' }],
    ['=1&&&c=3', { c: '3' }],
    ['a=b=c', { a: 'b=c' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1&a%5b%5d=2', { a: ['1', '2'] }],
    ['a[0]=1', { a: ['1'] }],
    ['a[1]=x&a[0]=y', { a: ['x', 'y'] }],
    ['a[5]=x&a[]=y', { a: { 5: 'x', 6: 'y' } }],
    ['a[01]=x', { a: { '01': 'x' } }],
    ['a[b][c]=d&a[b][e]=f', { a: { b: { c: 'd', e: 'f' } } }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=1&a=2', { a: '2' }],
    ['a.b=1&c d=2&e+f=3', { a_b: '1', c_d: '2', e_f: '3' }],
    ['a[b.c]=1', { a: { 'b.c': '1' } }],
    ['a[b=1', { a_b: '1' }],
    ['a[b]c=1', { a: { b: '1' } }],
    ['a]=1', { 'a]': '1' }],
    ['+a=1', { a: '1' }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a=%C3%BC%F0%9F%98%80', { a: 'ü😀' }],
    ['a=100%&b=%zz&c=%C3%BC%4', { a: '100%', b: '%zz', c: 'ü%4' }],
    ['a=%FF', { a: '\uFFFD' }],
    ['_fields=id,title.rendered&per_page=2', { _fields: 'id,title.rendered', per_page: '2' }],
  ])('%s', (text, params) => {
    expect(parseQuery(text)).toEqual(params);
  });

  it('drops names that reach a prototype', () => {
    expect(parseQuery('__proto__[x]=1&a[__proto__][x]=1&constructor[prototype][x]=1&b[prototype]=1&c=1')).toEqual({ c: '1' });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('ignores deep nesting, and everything after a thousand values', () => {
    expect(parseQuery(`a${'[x]'.repeat(65)}=1&b=2`)).toEqual({ b: '2' });
    expect(parseQuery(`a${'[x]'.repeat(64)}=1`)).toHaveProperty('a');
    expect((parseQuery('a[]=1&'.repeat(3000)).a as unknown[]).length).toBe(1000);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a[]=&%+.0_ ', '%5B', '__proto__') }), (text) => void parseQuery(text)),
    );
  });
});

describe('printQuery', () => {
  it.each([
    [{ _fields: 'slug', page: 2, per_page: 2 }, '_fields=slug&page=2&per_page=2'],
    [{ _embed: '', page: 2 }, '_embed&page=2'],
    [{ _embed: 'cms:term' }, '_embed=cms%3Aterm'],
    [{ include: [3, 4] }, 'include%5B0%5D=3&include%5B1%5D=4'],
    [
      { categories: { terms: ['1'], include_children: false } },
      'categories%5Bterms%5D%5B0%5D=1&categories%5Binclude_children%5D',
    ],
    [{ a: true, b: null, c: undefined, d: [] }, 'a=1'],
    [{ search: "a b&c'~ü" }, 'search=a+b%26c%27%7E%C3%BC'],
    [{ 'x"><': '\ud800' }, 'x%22%3E%3C=%EF%BF%BD'],
  ])('%j', (params, text) => {
    expect(printQuery(params)).toBe(text);
  });

  it('round-trips', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    const value = fc.string({ unit: 'grapheme' });
    const params = fc.dictionary(
      name,
      fc.oneof(value, fc.array(value, { minLength: 1 }), fc.dictionary(name, value, { minKeys: 1 })),
    );
    fc.assert(fc.property(params, (sent) => void expect(parseQuery(printQuery(sent))).toEqual({ ...sent })));
  });
});

describe('mergeParams', () => {
  it('lets later sources win, unless they are null', () => {
    expect(mergeParams({ id: '2', a: '1', b: '1' }, undefined, { a: 2, b: null, c: null, id: 9 }, { id: '7' })).toEqual({
      id: '7',
      a: 2,
      b: '1',
      c: null,
    });
  });

  it('rejects unsafe names', () => {
    const sent = JSON.parse('{"__proto__":{"x":1},"constructor":1,"a":1}');
    expect(Object.keys(mergeParams(sent))).toEqual(['a']);
  });
});
