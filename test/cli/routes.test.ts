/** The catalogue on the command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleFiles, sampleRoute } from '../../src/cli/public-methods.ts';
import { printRows, toRow } from '../../src/cli/routes.ts';
import { anyone } from '../../src/kernel/rest/types.ts';
import { type Answered, startSite } from '../support/site.ts';
import { run, temporary } from './run.ts';

interface Row {
  readonly methods: readonly string[];
  readonly path: string;
  readonly free: readonly string[];
}

/** The arguments without which a method refuses to be asked. */
function required({ body }: Answered, method: string, address: string): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true, array: [], object: {} };
  const endpoint = (body.endpoints as { methods: string[]; args?: Record<string, any> }[]).find(({ methods }) =>
    methods.includes(method),
  );
  const wanted = Object.entries(endpoint?.args ?? {}).filter(([, { required: isWanted }]) => isWanted);
  return Object.fromEntries(
    wanted.map(([name, { type, enum: some }]) => [
      name,
      some?.[0] ?? values[[type].flat()[0]] ?? (name === 'url' ? address : 'sample@example.com'),
    ]),
  );
}

describe('routes', () => {
  it('prints methods, path, namespace and which methods are public', () => {
    const endpoint = { args: {} as never, handle: () => null };
    const row = toRow({
      namespace: 'cms/v2',
      path: '/cms/v2/things',
      endpoints: [
        { ...endpoint, methods: ['GET'], allow: anyone },
        { ...endpoint, methods: ['POST'], allow: () => 'rest_forbidden' },
      ],
    });
    expect(row).toEqual({ methods: ['GET', 'POST'], path: '/cms/v2/things', namespace: 'cms/v2', free: ['GET'] });
    expect(printRows([row])).toEqual([
      'METHODS   PATH            NAMESPACE  PUBLIC',
      'GET POST  /cms/v2/things  cms/v2     GET',
      '1 routes',
    ]);
  });

  it('lists the basic deployment without a site', async () => {
    const { status, out } = await run(['routes']);
    expect(status).toBe(0);
    expect(out).toMatch(/GET POST +\/cms\/v2\/posts +cms\/v2/);
    const rows = JSON.parse((await run(['routes', '--json'])).out) as { path: string }[];
    expect(rows.map(({ path }) => path)).toContain('/cms/v2/posts/(?P<id>[\\d]+)');
    expect(out.split('\n')).toHaveLength(rows.length + 2);
  });

  it('lists as public exactly the methods open to anonymous requests, route by route', async () => {
    const rows = JSON.parse((await run(['routes', '--json'])).out) as Row[];
    const site = await startSite({ files: { 'media/sample.gif': 'GIF89a' } });
    try {
      for (const [path, text] of Object.entries(sampleFiles(site.site))) await site.write(path, text);
      await site.site.reload();
      // Where every route is shown.
      const headers = { host: 'localhost' };
      let tried = 0;
      const wrong: unknown[] = [];
      for (const { methods, path, free } of rows) {
        const route = sampleRoute(site.site, path);
        for (const method of methods) {
          const args = required(await site.ask('OPTIONS', route, { headers }), method, `${site.url}/?p=7`);
          const query = new URLSearchParams(method === 'GET' ? (args as Record<string, string>) : {});
          const { status, headers: answered } = await site.ask(method, `${route}?${query}`, {
            headers,
            ...(method === 'GET' ? {} : { body: args }),
          });
          // Arguments come before permissions: at 400 nobody has been refused yet. What is not there is open to nobody.
          const isOpen = status < 400 || (status === 400 && answered.get('allow')?.split(', ').includes(method) === true);
          if (isOpen !== free.includes(method)) wrong.push([method, path, status]);
          tried++;
        }
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(200);
      expect(rows.find(({ path }) => path === '/cms/v2/posts')?.free).toEqual(['GET']);
    } finally {
      await site.close();
    }
  });

  it('includes what site.yaml declares', async () => {
    const dir = await temporary();
    await writeFile(
      join(dir, 'site.yaml'),
      'types:\n  film: { plural: Films, rest_base: films }\n  secret: { plural: Secrets, rest_base: secrets, public: false }\n',
    );
    const rows = JSON.parse((await run(['routes', dir, '--json'])).out) as Row[];
    const free = Object.fromEntries(rows.map((row) => [row.path, row.free]));
    expect([free['/cms/v2/films'], free['/cms/v2/films/(?P<id>[\\d]+)']]).toEqual([['GET'], ['GET']]);
  });

  it('reads no content, and reports errors in site.yaml', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'site.yaml'), 'deployment: extended\n');
    expect((await run(['routes', dir])).status).toBe(0);
    await writeFile(join(dir, 'site.yaml'), 'deployment: [\n');
    expect(await run(['routes', dir])).toMatchObject({ status: 1, err: expect.stringMatching(/site\.yaml:\d+:\d+ /) });
  });
});
