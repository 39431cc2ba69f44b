import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorRow } from '../../src/kernel/errors.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** Every file of a folder with its bytes. */
const picture = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(dir.length), readFileSync(path).toString('base64')]),
  );

describe('a site served read-only', () => {
  let site: TestSite;
  let dir: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'cms-readonly-'));
    const made = await startSite({
      files: {
        'posts/2026/03/bare.md': '---\ntitle: Bare\ntags: [new-tag]\n---\nText\n',
        'posts/2026/03/a.md': '---\nid: 40\ntitle: A\n---\n',
      },
    });
    const { password } = made;
    await made.site.store.close();
    await made.server.close();
    cpSync(made.dir, dir, { recursive: true });
    rmSync(join(dir, '.cms/lock'), { force: true });
    site = { ...(await startSite({ from: dir, readOnly: true })), password };
    await made.close().catch(() => undefined);
  });
  afterAll(async () => {
    await site.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('serves reads, refuses writes, and changes no byte of the folder', async () => {
    const before = picture(site.dir);
    const as = `admin:${site.password}`;
    const failures: string[] = [];
    for (const { path, endpoints } of site.server.dispatcher.registry.routes) {
      for (const method of new Set(endpoints.flatMap(({ methods }) => methods))) {
        const place = path.replace(/\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (_, name: string) =>
          name === 'id' || name === 'parent' ? '40' : 'post',
        );
        const { status, body } = await site.ask(method, `${place}${method === 'DELETE' ? '?force=true' : ''}`, {
          as,
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: { title: 'x', name: 'x' } }),
        });
        const isContract = errorRow(body?.code, site.site.modules.errors) && body.code !== 'internal_server_error';
        if (status >= 500 && !isContract) failures.push(`${method} ${place} ${status} ${JSON.stringify(body)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(site.log).toEqual([]);
    const refused = await site.ask('POST', '/cms/v2/posts/40', { as, body: { title: 'Changed' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'rest_read_only']);
    expect((await site.ask('GET', '/cms/v2/posts/40')).body.title.rendered).toBe('A');
    expect((await site.ask('GET', '/cms/v2/posts?slug=bare')).body).toMatchObject([{ title: { rendered: 'Bare' } }]);
    expect(picture(site.dir)).toEqual(before);
  });
});
