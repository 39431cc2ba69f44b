/**
 * Random arguments, right and wrong, made from the schemas of every route: nothing may answer with a 5xx but what the
 * contract itself answers so.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorRow } from '../../src/kernel/errors.ts';
import type { Schema } from '../../src/kernel/model/schema.ts';
import { propertiesOf } from '../../src/kernel/model/schema.ts';
import { neutral } from '../../src/kernel/rest/dialect.ts';
import type { Route } from '../../src/kernel/rest/types.ts';
import type { Method } from '../../src/kernel/rest/request.ts';
import { sample } from '../support/sample-site.ts';
import { startSite, type TestSite } from '../support/site.ts';

const strange = fc.constantFrom<unknown>(
  '',
  ' ',
  '0',
  '-1',
  'true',
  'null',
  'a,b',
  '1,2,x',
  '%',
  '\u0000',
  '\ud800',
  '日本',
  '__proto__',
  '../..',
  'x'.repeat(300),
  '2023-02-29T25:61:00',
  1e21,
  -0.5,
  0,
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { raw: {} },
  { raw: ['x'] },
  { terms: 'x' },
  { __proto__x: 1 },
  { constructor: { prototype: 1 } },
  [{ a: [] }],
);

/** Values that fit a schema, as far as a fuzz needs. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const options = schema.enum ? Object.values(schema.enum) : null;
  if (options) return fc.constantFrom(...options);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(fitting));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 60 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, one]) => [name, fitting(one)])), {
        requiredKeys: [],
      });
    default:
      return schema.format === 'date-time'
        ? fc.constantFrom('2023-03-26T02:30:00', '2023-10-29T02:30:00Z', '1970-01-01T00:00:00', '9999-12-31T23:59:59')
        : fc.string({ maxLength: 20 });
  }
}

describe('every argument of every route', () => {
  let site: TestSite;
  let routes: readonly Route[];

  beforeAll(async () => {
    site = await startSite({ from: sample });
    routes = site.server.dispatcher.registry.routes;
  });
  afterAll(() => site.close());

  it('never causes a 5xx', async () => {
    const failures: string[] = [];
    const answered = new Map<number, number>();
    const calls = routes.flatMap((route) =>
      route.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => ({ route, endpoint, method }))),
    );
    expect(calls.length).toBeGreaterThan(40);
    const actors = [null, { id: 1, roles: ['administrator'] }, { id: 2, roles: ['author'] }];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(calls.length - 1),
        fc.constantFrom(...actors),
        fc.infiniteStream(fc.nat(9)),
        fc.context(),
        async (at, user, chance, context) => {
          const { route, endpoint, method } = calls[at] as (typeof calls)[number];
          const params: Record<string, unknown> = {};
          // Half of the calls are what a well-meaning client sends; the others hold something strange.
          const isKind = (chance.next().value as number) < 5;
          for (const [name, arg] of Object.entries(endpoint.args)) {
            const roll = chance.next().value as number;
            if (roll < 4) continue;
            [params[name]] = fc.sample(isKind || roll < 8 ? fitting(arg) : strange, {
              numRuns: 1,
              seed: roll * 7919 + name.length,
            });
          }
          for (const name of isKind ? [] : ['_fields', '_embed', '_envelope', 'context'])
            if ((chance.next().value as number) === 9) [params[name]] = fc.sample(strange, 1);
          const path = route.path.replace(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, (_, name: string) =>
            pathValue(name, chance.next().value as number),
          );
          const isRead = method === 'GET' || method === 'DELETE';
          const request = {
            method: method as Method,
            route: path,
            query: isRead ? params : {},
            ...(isRead ? {} : { json: params }),
            headers: {},
            dialect: neutral,
            user,
          };
          context.log(JSON.stringify({ method, path, params }));
          const response = await site.server.dispatcher.dispatch(request);
          answered.set(response.status, (answered.get(response.status) ?? 0) + 1);
          const code = (response.data as { code?: ErrorCode } | null)?.code;
          const isContract = code && errorRow(code, site.site.modules.errors) && code !== 'internal_server_error';
          if (response.status >= 500 && !isContract)
            failures.push(`${method} ${path} ${JSON.stringify(params)} → ${JSON.stringify(response.data)}`);
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 4000), seed: Number(process.env.FC_SEED ?? 11) },
    );
    expect([...new Set(failures)].slice(0, 10)).toEqual([]);
    // The fuzz reaches behind the checks: reads and writes that succeed are among it.
    expect(answered.get(200) ?? 0).toBeGreaterThan(100);
    expect(answered.get(201) ?? 0).toBeGreaterThan(5);
    expect(answered.get(400) ?? 0).toBeGreaterThan(100);
    expect(site.log.filter((line) => !line.includes('upstream')).slice(0, 5)).toEqual([]);
  }, 120_000);
});

/** What stands for a parameter of a path: things of the sample site, or nothing that is there. */
function pathValue(name: string, roll: number): string {
  const ids = ['2', '5', '9', '12', '20', '21', '1', '3', '999999', '11'];
  const words: Readonly<Record<string, string>> = {
    type: 'post',
    status: 'publish',
    taxonomy: 'category',
    uuid: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
    location: 'primary',
    namespace: 'core',
    name: 'core/paragraph',
    user_id: 'me',
  };
  if (words[name] !== undefined && roll < 7) return words[name];
  return name === 'id' || name === 'parent' || name.endsWith('id') ? (ids[roll] as string) : 'nothing';
}
