/** Declarations of custom fields are untrusted: what makes no sense is refused, with its place. */
import { describe, expect, it } from 'vitest';
import type { DeclarationError } from '../../../src/modules/types/record.ts';
import { declaredFields } from '../../../src/modules/types/declared-fields.ts';

function refusedAt(fields: unknown): string {
  const errors: DeclarationError[] = [];
  declaredFields(fields, (error) => errors.push(error));
  return errors.map(({ keys }) => keys.join('.')).join(' ') || 'taken';
}

const a = (row: unknown) => ({ a: row });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'string']));

describe('declared fields', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'taken'],
    ['a word for a type', a('integer'), 'taken'],
    ['a list in place of a map', ['string'], 'fields'],
    ['a text in place of a map', 'string', 'fields'],
    ['200 fields', many(200), 'taken'],
    ['201 fields', many(201), 'fields'],
    ['a name with _ in front', { _a: 'string' }, 'fields._a'],
    ['a name of 256 characters', { ['n'.repeat(256)]: 'string' }, `fields.${'n'.repeat(256)}`],
    ['a name every object has', { toString: 'string' }, 'fields.toString'],
    ['no type there is', a('text'), 'fields.a'],
    ['no type there is, spelled out', a({ type: 'text' }), 'fields.a.type'],
    ['items of no type', a({ type: 'array', items: { type: 'x' } }), 'fields.a.items'],
    ['a description of 2000 characters', a({ description: 'x'.repeat(2000) }), 'taken'],
    ['a longer one', a({ description: 'x'.repeat(2001) }), 'fields.a.description'],
    ['a title that is no text', a({ title: 1 }), 'fields.a.title'],
    ['1000 values', a({ enum: Array.from({ length: 1000 }, String) }), 'taken'],
    ['more of them', a({ enum: Array.from({ length: 1001 }, String) }), 'fields.a.enum'],
    ['values that are lists', a({ enum: [[1]] }), 'fields.a.enum'],
    ['values that are no list', a({ enum: 'x' }), 'fields.a.enum'],
    ['a format', a({ format: 'uri' }), 'taken'],
    ['a format that is none', a({ format: 'regex' }), 'fields.a.format'],
    ['a minimum that is no number', a({ type: 'integer', minimum: '1' }), 'fields.a.minimum'],
    ['a maximum that is no number', a({ type: 'integer', maximum: [] }), 'fields.a.maximum'],
    ['a length below zero', a({ minLength: -1 }), 'fields.a.minLength'],
    ['a length that is no number', a({ maxLength: '9' }), 'fields.a.maxLength'],
    ['a count below zero', a({ type: 'array', minItems: -1 }), 'fields.a.minItems'],
    ['a count that is no number', a({ type: 'array', maxItems: true }), 'fields.a.maxItems'],
    ['a word for yes', a({ type: 'array', uniqueItems: 'yes' }), 'fields.a.uniqueItems'],
    ['a default of another type', a({ type: 'integer', default: 'many' }), 'fields.a.default'],
  ])('%s', (_name, fields, place) => {
    expect(refusedAt(fields)).toBe(place);
  });

  it('cost only themselves if invalid, with a helpful hint', () => {
    const errors: DeclarationError[] = [];
    const fields = declaredFields({ a: 'string', b: 'text', c: { type: 'intger' }, d: 'colour', e: 'boolean' }, (error) =>
      errors.push(error),
    );
    expect(Object.keys(fields)).toEqual(['a', 'e']);
    expect(errors.map(({ message, hint }) => `${message}: ${hint}`)).toEqual([
      'field "b" cannot have type "text": did you mean string?',
      'field "c" cannot have type "intger": did you mean integer?',
      'field "d" cannot have type "colour": types are string, integer, number, boolean, array, object',
    ]);
  });

  it('cannot have patterns', () => {
    expect(declaredFields(a({ pattern: '(a+)+$' }), () => {}).a).toEqual({ title: '', type: 'string', default: '' });
  });
});
