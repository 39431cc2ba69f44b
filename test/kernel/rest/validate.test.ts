import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/kernel/model/schema.ts';
import { isEmail, validateValue } from '../../../src/kernel/rest/validate.ts';

const integers: Schema = { type: 'array', items: { type: 'integer' } };
const number: Schema = { type: 'number', minimum: 0, maximum: 100 };
const turn: Schema = { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 360, exclusiveMaximum: true };
const date: Schema = { type: ['string', 'null'], format: 'date-time' };
const closed: Schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false };
const modifiers: Schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['type', 'args'],
    oneOf: [
      {
        title: 'Rotation',
        properties: {
          type: { type: 'string', enum: ['rotate'] },
          args: { type: 'object', required: ['angle'], properties: { angle: { type: 'number' } } },
        },
      },
      {
        title: 'Crop',
        properties: {
          type: { type: 'string', enum: ['crop'] },
          args: { type: 'object', required: ['left'], properties: { left: { type: 'number' } } },
        },
      },
    ],
  },
};
const appId: Schema = {
  type: 'string',
  oneOf: [
    { type: 'string', format: 'uuid' },
    { type: 'string', enum: [''] },
  ],
};
const requests: Schema = {
  type: 'array',
  maxItems: 2,
  items: {
    type: 'object',
    properties: { method: { type: 'string', enum: ['POST', 'PUT'], default: 'POST' }, path: { type: 'string', required: true } },
  },
};
const terms: Schema = {
  type: ['object', 'array'],
  oneOf: [
    { title: 'Term ID List', type: 'array', items: { type: 'integer' } },
    {
      title: 'Term ID Taxonomy Query',
      type: 'object',
      properties: { terms: integers, operator: { type: 'string', enum: ['AND', 'OR'] } },
      additionalProperties: false,
    },
  ],
};

describe('validateValue', () => {
  it.each<[unknown, Schema]>([
    ['text', { type: 'string' }],
    ['', { type: 'string' }],
    [5, { type: 'integer' }],
    ['5', { type: 'integer' }],
    [' -5.0 ', { type: 'integer' }],
    ['1e3', { type: 'integer' }],
    ['.5', { type: 'number' }],
    ...[true, false, 'true', 'FALSE', '0', '1', 0, 1].map((value): [unknown, Schema] => [value, { type: 'boolean' }]),
    [null, { type: 'null' }],
    ['1,2 3', integers],
    [5, integers],
    ['', integers],
    [{}, integers],
    [{ 3: '1' }, integers],
    ['', closed],
    [[], closed],
    [{ a: '1' }, closed],
    [{ b: 1 }, { type: 'object' }],
    [null, date],
    ['2023-02-29T00:00:00', date],
    ['a', { type: 'string', enum: ['a', 'b'] }],
    ['b', { type: 'string', enum: { 0: 'a', 2: 'b' } }],
    ['2', { type: 'integer', enum: [1, 2] }],
    [
      { b: 1, a: 2 },
      { type: 'object', enum: [{ a: 2, b: 1 }] },
    ],
    ['3', { type: ['string', 'integer'], enum: ['3'] }],
    ['üü', { type: 'string', minLength: 2, maxLength: 2 }],
    ['ab/c', { type: 'string', pattern: '^[^.\\/]+(?:\\/[^.\\/]+)?$' }],
    ['', { type: ['array', 'string'], enum: [''] }],
    [{ x1: 1 }, { type: 'object', patternProperties: { '^x\\d$': { type: 'integer' } }, additionalProperties: false }],
    [0.3, { type: 'number', multipleOf: 0.1 }],
    ['1,2', terms],
    [['1', 2], terms],
    [{ terms: '1,2', operator: 'AND' }, terms],
    ['', appId],
    ['12345678-1234-1234-1234-123456789abc', appId],
    ['::1', { type: 'string', format: 'ip' }],
    ['#aBc', { type: 'string', format: 'hex-color' }],
    ['anything', {}],
    ['http://x', { type: 'string', format: 'uri' }],
    [[{ type: 'rotate', args: { angle: 90 } }], modifiers],
  ])('accepts %j for %j', (value, schema) => {
    expect(validateValue(value, schema, 'p')).toBeNull();
  });

  const type = (param = 'p') => ['rest_invalid_type', { param }] as const;
  it.each<[unknown, Schema, readonly [string, unknown?]]>([
    [5, { type: 'string' }, type()],
    [null, { type: 'string' }, type()],
    ['many', { type: 'integer' }, type()],
    ['', { type: 'integer' }, type()],
    ['0x10', { type: 'integer' }, type()],
    [true, { type: 'integer' }, type()],
    [1.5, { type: 'integer' }, type()],
    [['1'], { type: 'integer' }, type()],
    ['perhaps', { type: 'boolean' }, type()],
    ['', { type: 'boolean' }, type()],
    [2, { type: 'boolean' }, type()],
    ['x', { type: 'null' }, type()],
    ['text', closed, type()],
    [{ a: 'x' }, closed, type('p[a]')],
    [{ b: 1 }, closed, ['rest_additional_properties_forbidden']],
    [{ b: 1 }, { type: 'object', additionalProperties: { type: 'string' } }, type('p[b]')],
    [
      { b: [{ c: 1 }] },
      { type: 'object', properties: { b: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } } } },
      type('p[b][0][c]'),
    ],
    [{ a: 1 }, integers, type()],
    [['a', 2], integers, type('p[0]')],
    ['1,x', integers, type('p[1]')],
    [5, date, type()],
    ['yesterday', date, ['rest_invalid_date']],
    ['', date, ['rest_invalid_date']],
    [101, number, ['rest_out_of_bounds']],
    ['-1', number, ['rest_out_of_bounds']],
    [0, turn, ['rest_out_of_bounds']],
    [360, turn, ['rest_out_of_bounds']],
    [0.5, turn, type()],
    [0, { type: 'integer', minimum: 1 }, ['rest_out_of_bounds']],
    [0.35, { type: 'number', multipleOf: 0.1 }, ['rest_invalid_multiple']],
    ['c', { type: 'string', enum: ['a', 'b'] }, ['rest_not_in_enum']],
    ['c', { type: 'string', enum: { x: 'a' } }, ['rest_not_in_enum']],
    ['', { type: 'string', minLength: 1 }, ['rest_too_short']],
    ['abc', { type: 'string', maxLength: 2 }, ['rest_too_long']],
    ['abc', { type: 'string', pattern: '^\\d+$' }, ['rest_invalid_pattern']],
    ['none', { type: 'string', format: 'email' }, ['rest_invalid_email']],
    ['1.2.3', { type: 'string', format: 'ip' }, ['rest_invalid_ip']],
    ['12345678-1234-1234-1234-123456789ABC', { type: 'string', format: 'uuid' }, ['rest_invalid_uuid']],
    ['#abcd', { type: 'string', format: 'hex-color' }, ['rest_invalid_hex_color']],
    [['a', 'a'], { type: 'array', uniqueItems: true, items: { type: 'string' } }, ['rest_duplicate_items']],
    ['1,1', { ...integers, uniqueItems: true }, ['rest_duplicate_items']],
    [['1', 1], { ...integers, uniqueItems: true }, ['rest_duplicate_items']],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      { type: 'array', uniqueItems: true },
      ['rest_duplicate_items'],
    ],
    [[], modifiers, ['rest_too_few_items']],
    [[{}, {}, {}], { type: 'array', maxItems: 2 }, ['rest_too_many_items']],
    [{}, { type: 'object', minProperties: 1 }, ['rest_too_few_properties']],
    [{ a: 1, b: 1 }, { type: 'object', maxProperties: 1 }, ['rest_too_many_properties']],
    [{}, { type: 'object', required: ['a'] }, ['rest_property_required']],
    [[{ method: 'POST' }], requests, ['rest_property_required']],
    [[{ method: 'GET', path: '/' }], requests, ['rest_not_in_enum']],
    ['nope', appId, ['rest_no_matching_schema']],
    [[{ type: 'blur', args: {} }], modifiers, ['rest_no_matching_schema', { position: 0 }]],
    [[{ type: 'crop', args: {} }], modifiers, ['rest_no_matching_schema', { position: 0 }]],
    ['a,b', terms, ['rest_no_matching_schema', { position: 0 }]],
    [{ terms: 'x' }, terms, ['rest_no_matching_schema', { position: 1 }]],
    [{ x: 1 }, terms, ['rest_no_matching_schema', { position: 1 }]],
    ['', terms, ['rest_one_of_multiple_matches', { positions: [0, 1] }]],
    ['x', { anyOf: [{ type: 'integer' }] }, ['rest_no_matching_schema', { position: 0 }]],
  ])('rejects %j for %j', (value, schema, [code, data = null]) => {
    expect(validateValue(value, schema, 'p')).toEqual({ code, message: expect.stringMatching(/./), data });
  });

  it('ignores inherited names in values and schemas', () => {
    expect(validateValue({ toString: 1 }, closed, 'p')?.code).toBe('rest_additional_properties_forbidden');
    expect(validateValue(JSON.parse('{"__proto__":{"a":1}}'), closed, 'p')).toBeNull();
    expect(validateValue({}, { type: 'object', required: ['toString'] }, 'p')?.code).toBe('rest_property_required');
  });
});

describe('isEmail', () => {
  it.each(['a@b.co', "o'neil+x@sub.example.org"])('accepts %s', (text) => expect(isEmail(text)).toBe(true));
  it.each(['a@b.c', '@example.org', 'a@b@c.org', 'a@example', 'a@-x.org', 'a@x..org', 'ä@x.org', 'a b@x.org', 'a@x.org.'])(
    'rejects %s',
    (text) => expect(isEmail(text)).toBe(false),
  );
});
