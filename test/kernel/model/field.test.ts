import { describe, expect, it } from 'vitest';
import { type FieldCall, type Fields, setFields, toRecord } from '../../../src/kernel/model/field.ts';

interface Book {
  readonly title: string;
  readonly pages: number;
  readonly read: string | null;
  readonly isbn: string;
}

const fields: Fields<Book, null> = {
  title: { schema: { type: 'string' }, set: toRecord('title') },
  page_count: { schema: { type: 'integer' }, set: toRecord('pages') },
  read: { schema: { type: ['string', 'null'] }, set: toRecord('read') },
  isbn: {
    schema: { type: 'string' },
    set(value, draft, { before, readName }) {
      draft.isbn = `${before?.isbn ?? 'none'} ${readName(String(value))}`;
    },
  },
  added: { schema: { type: 'string' }, get: () => 'today' },
};
/** The fields of these books look at nobody. */
const noCall = {} as FieldCall;
const cx = { before: undefined, zone: 'UTC', readName: (name: string) => name.toUpperCase(), call: noCall };

describe('the input of a write', () => {
  it('contains the sent values, under the names of the record', () => {
    expect(setFields<Book>(fields, { page_count: 7, title: '' }, cx)).toEqual({ pages: 7, title: '' });
  });

  it('omits values that were not sent, and null for fields that cannot be null', () => {
    expect(setFields<Book>(fields, { title: null, page_count: undefined }, cx)).toEqual({});
  });

  it('contains null for nullable fields', () => {
    expect(setFields<Book>(fields, { read: null }, cx)).toEqual({ read: null });
  });

  it('ignores fields without a setter, and unknown names', () => {
    expect(setFields<Book>(fields, { added: 'yesterday', other: 1 }, cx)).toEqual({});
  });

  it('may depend on the current record', () => {
    const before: Book = { title: 'A', pages: 1, read: null, isbn: '1' };
    expect(setFields<Book>(fields, { isbn: 'x' }, { ...cx, before })).toEqual({ isbn: '1 X' });
  });
});
