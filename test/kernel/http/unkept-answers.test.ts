/** A route whose answers are not to be kept is asked each time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Module } from '../../../src/kernel/module.ts';
import { answer, anyone, READ } from '../../../src/kernel/rest/types.ts';
import { startSite, type TestSite } from '../../support/site.ts';

let asked = 0;

function route(path: string, headers: Record<string, string>) {
  const handle = () => {
    asked++;
    return answer({ asked }, { headers });
  };
  return { path, endpoints: [{ methods: READ, args: {}, allow: anyone, handle }] };
}

const counting: Module = {
  name: 'counting',
  namespaces: () => [
    {
      name: 'counting/v1',
      routes: [route('/counting/v1/anew', { 'Cache-Control': 'no-store' }), route('/counting/v1/kept', {})],
    },
  ],
};

describe('a response with no-store', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [counting] });
  });
  afterAll(() => site.close());

  it.each([undefined, 'admin'])('is computed again for %s', async (as) => {
    asked = 0;
    const options = as === undefined ? {} : { as };
    for (let count = 1; count <= 5; count++)
      expect((await site.ask('GET', '/counting/v1/anew', options)).body).toEqual({ asked: count });
    const { headers } = await site.ask('GET', '/counting/v1/anew', options);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it('is the only kind that is not cached', async () => {
    asked = 0;
    for (let count = 1; count <= 5; count++) await site.ask('GET', '/counting/v1/kept');
    expect(asked).toBeLessThan(5);
  });
});
