import { describe, expect, it } from 'vitest';
import { createFieldFilter, parseFields } from '../../../src/kernel/rest/fields.ts';

const post = {
  id: 1,
  title: { raw: 'a', rendered: 'A' },
  content: { rendered: 'x', protected: false },
  meta: { footnotes: '' },
  tags: [4, 5],
  _links: { self: [{ href: 's' }], up: [{ href: 'u' }] },
};

describe('parseFields', () => {
  it.each<[unknown, readonly string[] | null]>([
    ['id,title.rendered', ['id', 'title.rendered']],
    [' id , slug ', ['id', 'slug']],
    ['id slug', ['id', 'slug']],
    [
      ['id', ' slug '],
      ['id', 'slug'],
    ],
    [['id,slug', ['x']], ['id,slug']],
    ['', null],
    [',', null],
    [[], null],
    [undefined, null],
    [{ a: 'id' }, ['id']],
  ])('%j', (value, names) => {
    expect(parseFields(value)).toEqual(names);
  });
});

describe('narrow', () => {
  it.each<[unknown, unknown]>([
    ['id,title', { id: 1, title: { raw: 'a', rendered: 'A' } }],
    [
      'title.rendered,content.protected,meta.footnotes',
      { title: { rendered: 'A' }, content: { protected: false }, meta: { footnotes: '' } },
    ],
    ['nothing', []],
    ['title.nothing', { title: [] }],
    ['id.below', { id: 1 }],
    ['_links.self,id', { id: 1, _links: { self: [{ href: 's' }] } }],
    ['tags.1', { tags: { 1: 5 } }],
    ['tags.0', { tags: [4] }],
    ['tags.x', { tags: [] }],
    ['title.raw,title', { title: { raw: 'a', rendered: 'A' } }],
    ['title,title.raw,id', { title: { raw: 'a', rendered: 'A' } }],
    ['toString,constructor', []],
    ['', post],
  ])('%s', (fields, expected) => {
    expect(createFieldFilter(fields).narrow(post)).toEqual(expected);
  });

  it('narrows each item of a list', () => {
    expect(createFieldFilter('id').narrow([post, {}])).toEqual([{ id: 1 }, []]);
    expect(createFieldFilter(undefined).narrow([post])).toEqual([post]);
  });
});

describe('wants', () => {
  it.each<[unknown, string, boolean]>([
    ['title', 'title', true],
    ['title', 'title.rendered', true],
    ['title.rendered', 'title', true],
    ['title.rendered', 'title.raw', false],
    ['title', 'titles', false],
    ['_links.self', '_links', true],
    ['id', '_links', false],
    [undefined, 'anything', true],
  ])('%s / %s', (fields, path, wanted) => {
    expect(createFieldFilter(fields).wants(path)).toBe(wanted);
  });
});
