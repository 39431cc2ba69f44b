import { describe, expect, it } from 'vitest';
import { fail, RestError } from '../../../src/kernel/errors.ts';
import {
  type Args,
  argsForCreate,
  argsForUpdate,
  asSent,
  bySchema,
  checkArgs,
  describeArgs,
} from '../../../src/kernel/rest/args.ts';
import { mergeParams } from '../../../src/kernel/rest/params.ts';
import type { Params, RestRequest } from '../../../src/kernel/rest/request.ts';
import { catalogue } from '../../support/golden.ts';

const request = {} as RestRequest;
const check = (args: Args, params: Params) => checkArgs(args, params, request);

function refusal(args: Args, params: Params): { code: string; data: unknown } {
  try {
    check(args, params);
  } catch (error) {
    if (error instanceof RestError) return { code: error.code, data: error.data };
    throw error;
  }
  throw new Error('was accepted');
}

const text = expect.stringMatching(/./);
const properties: Args = {
  id: { type: 'integer', readonly: true, context: ['view'] },
  name: { type: 'string', required: true, context: ['view'], description: 'Name.' },
  status: { type: 'string', enum: ['publish', 'draft'], context: ['view'] },
  date: { type: ['string', 'null'], format: 'date-time' },
  order: { type: 'integer', default: 1, minimum: 1 },
  nothing: { type: 'string', default: null },
  title: { type: 'object', properties: { raw: { type: 'string', context: ['edit'] } } },
};

describe('derived arguments', () => {
  it('for create', () => {
    expect(describeArgs(argsForCreate(properties))).toEqual({
      name: { type: 'string', description: 'Name.', required: true },
      status: { type: 'string', enum: ['publish', 'draft'], required: false },
      date: { type: ['string', 'null'], format: 'date-time', required: false },
      order: { type: 'integer', default: 1, minimum: 1, required: false },
      nothing: { type: 'string', required: false },
      title: { type: 'object', properties: { raw: { type: 'string', context: ['edit'] } }, required: false },
    });
  });

  it('for update: nothing required, no defaults, not even by override', () => {
    const described = describeArgs(argsForUpdate(properties, { status: { required: true, default: 'draft', minLength: 1 } }));
    expect(described.name).toEqual({ type: 'string', description: 'Name.', required: false });
    expect(described.order).toEqual({ type: 'integer', minimum: 1, required: false });
    expect(described.status).toEqual({ type: 'string', enum: ['publish', 'draft'], minLength: 1, required: false });
  });

  it('with overrides', () => {
    const args = argsForCreate(properties, { title: asSent, id: { type: 'integer' }, status: { required: true } });
    expect(Object.keys(args)).not.toContain('id');
    expect(args.status?.required).toBe(true);
    expect(check(args, { name: 'a', status: 'draft', title: 'plain text' }).title).toBe('plain text');
  });
});

describe('checkArgs', () => {
  const create = argsForCreate(properties);

  it('coerces, sets defaults, and keeps unknown scalar parameters and lists of them', () => {
    const unknown = { a: 'b', list: [1, ['x']], object: { toString: 1 }, within: [[{ a: 1 }]], _fields: { 0: 'id' } };
    expect(check(create, { name: 'a', date: null, ...unknown })).toEqual({
      name: 'a',
      date: null,
      order: 1,
      a: 'b',
      list: [1, ['x']],
      _fields: { 0: 'id' },
    });
    expect(check(create, { name: 'a', order: '7', title: '' })).toEqual({ name: 'a', order: 7, title: {} });
  });

  it('reports all missing arguments before validation', () => {
    expect(refusal({ ...create, slug: { required: true } }, { status: 'zzz', name: null })).toEqual({
      code: 'rest_missing_callback_param',
      data: { params: ['name', 'slug'] },
    });
  });

  it('collects all errors', () => {
    const wrong = refusal(create, { name: 'a', order: 0, status: 'zzz', title: 5, date: 'x' });
    expect(wrong.code).toBe('rest_invalid_param');
    expect(wrong.data).toEqual({
      params: { status: text, date: text, order: text, title: text },
      details: {
        status: { code: 'rest_not_in_enum', message: text, data: null },
        date: { code: 'rest_invalid_date', message: text, data: null },
        order: { code: 'rest_out_of_bounds', message: text, data: null },
        title: { code: 'rest_invalid_type', message: text, data: { param: 'title' } },
      },
    });
    expect(Object.keys((wrong.data as { details: object }).details)).toEqual(['status', 'date', 'order', 'title']);
  });

  it('validates arguments without hooks after the others', () => {
    const args: Args = { page: { type: 'integer', minimum: 1, validate: bySchema }, orderby: { type: 'string', enum: ['id'] } };
    expect(Object.keys((refusal(args, { page: 0, orderby: 'x' }).data as { params: object }).params)).toEqual(['page']);
    expect(Object.keys((refusal(args, { page: 1, orderby: 'x' }).data as { params: object }).params)).toEqual(['orderby']);
  });

  it('does not validate null, but coerces it', () => {
    const args = argsForUpdate({
      count: { type: 'integer' },
      tags: { type: 'array' },
      slug: { type: 'string' },
      on: { type: 'boolean' },
      title: { type: 'object', ...asSent },
    });
    expect(check(args, { count: null, tags: null, slug: null, on: null, title: null })).toEqual({
      count: 0,
      tags: [],
      slug: '',
      on: false,
      title: null,
    });
  });

  it('ignores arguments without a type', () => {
    expect(check({ x: {}, y: { enum: ['a'] } }, { x: '5', y: 'b' })).toEqual({ x: '5', y: 'b' });
  });

  it('lets hooks reject: without a reason, with one, or by an exception', () => {
    const seen: unknown[] = [];
    const refuse = (value: unknown): never => {
      seen.push(value);
      return fail('rest_forbidden', { status: 401 });
    };
    const args: Args = {
      meta: { type: 'object', validate: (value) => (typeof value === 'object' ? null : false), coerce: false },
      template: {
        type: 'string',
        validate: (_value, _request, param) => ({ code: 'rest_invalid_param', message: `${param}?`, data: null }),
      },
      status: { type: 'array', validate: false, coerce: (value) => refuse(value) },
    };
    expect(refusal(args, { meta: 'text' })).toEqual({
      code: 'rest_invalid_param',
      data: { params: { meta: text }, details: [] },
    });
    expect(refusal(args, { meta: 'text', template: 'x', status: 'nope' }).data).toEqual({
      params: { meta: text, template: 'template?' },
      details: { template: { code: 'rest_invalid_param', message: 'template?', data: null } },
    });
    expect(seen).toEqual([]);
    expect(refusal(args, { status: 'nope' }).data).toEqual({
      params: { status: text },
      details: { status: { code: 'rest_forbidden', message: text, data: { status: 401 } } },
    });
  });

  it('coerces by a hook and validates the result by the schema', () => {
    const args: Args = { slug: { type: 'string', coerce: (value) => String(value).toLowerCase() } };
    expect(check(args, { slug: 'ABC' })).toEqual({ slug: 'abc' });
    expect(refusal(args, { slug: 5 }).code).toBe('rest_invalid_param');
  });

  it('rethrows other exceptions', () => {
    const args: Args = {
      x: {
        validate: () => {
          throw new TypeError('broken');
        },
      },
    };
    expect(() => check(args, { x: 1 })).toThrow(TypeError);
  });

  it('rejects unsafe names', () => {
    expect(Object.keys(check({}, JSON.parse('{"__proto__":{"x":1},"a":1}')))).toEqual(['a']);
    const inherited: Args = Object.fromEntries([['toString', { type: 'string' }]]);
    expect(Object.keys(check(inherited, {}))).toEqual([]);
  });

  it('does not let an id in the body override the path', () => {
    expect(check({ id: { type: 'integer' } }, mergeParams({ id: '8' }, { id: 9 }, { id: '7' })).id).toBe(7);
  });
});

/** The reference's own catalogue: derived from its item schemas, our descriptions must equal its. */
describe('the catalogue of the reference', () => {
  const { routes, schemas } = catalogue;

  const item = '/(?P<id>[\\d]+)';
  it.each([
    ...[
      'posts',
      'pages',
      'menu-items',
      'categories',
      'tags',
      'menus',
      'users',
      'blocks',
      'navigation',
      'comments',
      'media',
    ].flatMap((base) => [
      [`/cms/v2/${base}`, 'create'],
      [`/cms/v2/${base}${item}`, 'update'],
    ]),
    ['/cms/v2/users/me', 'update'],
    ['/cms/v2/settings', 'update'],
  ] as [string, 'create' | 'update'][])('%s %s', (route, kind) => {
    const endpoint = routes[route]?.endpoints.find(({ methods }) => methods.includes('POST'));
    const { id: _id, ...expected } = endpoint?.args ?? {};
    expect(Object.keys(expected).length).toBeGreaterThan(0);
    const derive = kind === 'create' ? argsForCreate : argsForUpdate;
    const args = JSON.parse(JSON.stringify(describeArgs(derive(schemas[route].properties))));
    expect(args).toEqual(expected);
  });
});
