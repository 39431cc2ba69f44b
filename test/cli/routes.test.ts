/** The catalogue on the command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printRows, toRow } from '../../src/cli/routes.ts';
import { anyone } from '../../src/rest/types.ts';
import { run, temporary } from './run.ts';

describe('routes', () => {
  it('prints methods, path, namespace and what is free for all', () => {
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
      'METHODS   PATH            NAMESPACE  FREE FOR ALL',
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

  it('reads no content, and names what is wrong in site.yaml', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'site.yaml'), 'deployment: extended\n');
    expect((await run(['routes', dir])).status).toBe(0);
    await writeFile(join(dir, 'site.yaml'), 'deployment: [\n');
    expect(await run(['routes', dir])).toMatchObject({ status: 1, err: expect.stringMatching(/site\.yaml:\d+:\d+ /) });
  });
});
