/** Items for scripts: listed, read, written and rehearsed from the command line, through what the API checks. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesIn, newSite, type Ran, run } from './run.ts';

let dir: string;
beforeAll(async () => {
  ({ dir } = await newSite());
  await mkdir(join(dir, 'posts'), { recursive: true });
  await writeFile(
    join(dir, 'posts/fog.md'),
    '---\nid: 50\ntitle: Fog\ntags: [weather]\ndate: 2026-03-01T10:00:00\n---\nThick.\n',
  );
  await writeFile(join(dir, 'posts/rain.md'), '---\nid: 51\ntitle: Rain\nstatus: draft\n---\nLight.\n');
});

const item = (line: readonly string[], input = ''): Promise<Ran> => run(['item', ...line, '--dir', dir], { input });

describe('lists', () => {
  it('are printed as tables, lines of one field, or JSON', async () => {
    const { out, status } = await item(['list', '--filter', 'status=publish,draft']);
    expect(status).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'STATUS', 'DATE', 'TITLE', 'PATH'],
      ['51', 'draft', expect.any(String), 'Rain', 'posts/rain.md'],
      ['50', 'publish', '2026-03-01T10:00:00', 'Fog', 'posts/fog.md'],
    ]);
    expect((await item(['list', '--fields', 'id'])).out).toBe('50');
    const json = await item(['list', '--json', '--fields', 'id,slug', '--limit', '1', '--filter', 'tags=weather']);
    expect(JSON.parse(json.out)).toEqual([{ id: 50, slug: 'fog' }]);
    expect((await item(['list', '--type', 'post_tag', '--fields', 'slug'])).out).toBe('weather');
  });

  it('are fetched page by page', async () => {
    const made = JSON.stringify(Array.from({ length: 130 }, (_, at) => ({ name: `Tag ${at}` })));
    expect((await item(['create', '--type', 'post_tag'], made)).out.split('\n')).toHaveLength(130);
    expect((await item(['list', '--type', 'post_tag', '--fields', 'id'])).out.split('\n')).toHaveLength(131);
  });

  it.each([
    [['list', '--filter', 'colour=red'], 2, 'no filter "colour"'],
    [['list', '--filter', 'colour'], 2, 'is not key=value'],
    [['list', '--type', 'boat'], 2, 'no type "boat"'],
    [['list', '--limit', 'x'], 2, 'Use a number'],
    [['list', '--filter', 'status=loud'], 1, 'Invalid parameter'],
    [['get', '9999'], 1, 'Invalid post ID'],
    [['get', '../x'], 1, 'no content file'],
    [['update', '50'], 2, 'nothing to change'],
    [['create'], 2, 'key=value'],
  ] as const)('%j exits with %i', async (line, status, err) => {
    const ran = await item(line);
    expect([ran.status, ran.err]).toEqual([status, expect.stringContaining(err)]);
  });
});

describe('one item', () => {
  it('is printed as its file, or its fields', async () => {
    for (const name of ['50', 'posts/fog.md', '/fog/'])
      expect((await item(['get', name])).out).toBe((await readFile(join(dir, 'posts/fog.md'), 'utf8')).trimEnd());
    expect(JSON.parse((await item(['get', '50', '--fields', 'id,status'])).out)).toEqual({ id: 50, status: 'publish' });
  });

  it('can be created, changed and deleted, each with a dry run', async () => {
    const before = await filesIn(dir);
    const create = ['create', 'title=Storm', 'status=draft', 'content=Wild.', 'tags=["weather"]'];
    const rehearsed = await item([...create, '--dry-run']);
    expect([rehearsed.status, rehearsed.out]).toEqual([0, expect.stringMatching(/^would change posts\/\S*storm\.md$/)]);
    expect(await filesIn(dir)).toEqual(before);
    const { out: id } = await item(create);
    const file = async () => (await item(['get', id])).out;
    expect(await file()).toMatch(/title: Storm[\s\S]*weather[\s\S]*Wild\.$/);
    const tried = await item(['update', id, 'title=Calm', '--dry-run', '--json', '--scope', 'drafts']);
    expect(JSON.parse(tried.out)[0].paths[0]).toMatch(/storm\.md$/);
    expect(await file()).toContain('Storm');
    expect((await item(['update', id, 'title=Calm'])).status).toBe(0);
    expect(await file()).toContain('title: Calm');
    expect((await item(['update', id, 'title=Late', '--etag', 'old'])).err).toContain('rest_conflict');
    expect((await item(['delete', id, '--dry-run'])).out).toContain('would change');
    expect((await item(['delete', id])).status).toBe(0);
    expect(await file()).toContain('status: trash');
    expect((await item(['delete', id, '--force'])).out).toBe(id);
    expect((await item(['get', id])).status).toBe(1);
  });

  it('can be piped in, and a refused one does not stop the others', async () => {
    const { out } = await item(['list', '--fields', 'id', '--filter', 'status=publish,draft']);
    const ran = await item(['update', '-', 'excerpt=Short'], `${out}\n9999\n`);
    expect([ran.status, ran.out.split('\n').sort(), ran.err]).toEqual([
      1,
      ['50', '51'],
      expect.stringContaining('9999: Invalid post ID'),
    ]);
    expect(await readFile(join(dir, 'posts/rain.md'), 'utf8')).toContain('excerpt: Short');
  });

  it("is limited by the scope and the user's rights", async () => {
    expect((await item(['update', '50', 'title=x', '--scope', 'drafts'])).err).toContain('rest_insufficient_scope');
    expect((await item(['create', 'title=x', 'status=loud'])).err).toContain('status');
    expect((await item(['list', '--as', 'nobody'])).status).toBe(1);
  });
});
